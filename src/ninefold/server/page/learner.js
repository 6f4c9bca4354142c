/**
 * The learner of this browser: how another device gets to know them, and that this one
 * does no more.
 * @module
 */

import { announce } from "./announcements.js";
import { newRequestId, post, problemOf } from "./api.js";
import { ask } from "./dialogs.js";
import { h } from "./dom.js";
import * as storage from "./storage.js";
import { isLoopback, LINK_IS_LOCAL } from "./text.js";

/** @typedef {{link: string, qr: string, minutes: number}} Offer */

const MOVE = "#move-";
const LOST =
  "Your earlier answers are not known here any more. Perhaps this browser's cookies were cleared. If another device has them, get a link there.";

/** Say once that a browser which had a learner has none; remember how much it had. @param {number} answered @returns {string} */
export function noteAnswers(answered) {
  const isLost = answered === 0 && storage.chosen("answered", 0) > 0;
  storage.choose("answered", answered);
  if (isLost) announce(LOST);
  return isLost ? LOST : "";
}

/** Bring the learner of another device here, if the address is such a link; say what came of it. @returns {Promise<string>} */
export async function followMove() {
  if (!location.hash.startsWith(MOVE)) return "";
  const code = location.hash.slice(MOVE.length);
  history.replaceState(history.state, "", location.pathname); // it works once
  const given = await ask({
    title: "Bring your progress here?",
    body: [
      h("p", {}, "You continue here with the progress of your other device."),
      h("p", {}, "It replaces any progress that this device has of its own."),
    ],
    answers: [
      { value: "no", label: "Not now" },
      { value: "yes", label: "Bring it here" },
    ],
  });
  if (given?.value !== "yes") return "";
  try {
    await post("/api/learner/transfer/take", { code, request_id: newRequestId() });
    storage.forgetEntered();
    return "Your progress is here now, and on your other device.";
  } catch (error) {
    return problemOf(error);
  }
}

/** Another device gets to know the learner by a link. @param {(offer: Offer | null, problem: string) => void} show @param {Offer | null} offer */
export function moving(show, offer) {
  const onclick = async () => {
    try {
      const body = { request_id: newRequestId() };
      show(await post("/api/learner/transfer", body), "");
      announce("Here is the link.");
    } catch (error) {
      show(null, problemOf(error));
    }
  };
  return h(
    "section",
    { key: "moving", class: "card moving" },
    h("h2", {}, "On another device"),
    offer
      ? [
          h(
            "p",
            { key: "how" },
            `Open this link there. It works once, for ${offer.minutes} minutes.`,
          ),
          h(
            "p",
            { key: "link", class: "link" },
            h("a", { href: offer.link }, offer.link),
          ),
          isLoopback(offer.link)
            ? h("p", { key: "here", class: "notice" }, LINK_IS_LOCAL)
            : h("img", {
                key: "qr",
                class: "qr",
                src: `data:image/svg+xml,${encodeURIComponent(offer.qr)}`,
                width: 200,
                height: 200,
                alt: "The link as a QR code",
              }),
        ]
      : [
          h("p", { key: "why" }, "Continue with your progress on a phone or computer."),
          h("button", { key: "get", type: "button", onclick }, "Get a link"),
        ],
  );
}
