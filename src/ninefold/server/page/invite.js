/**
 * Before a match: the link for a friend, and the seat for whoever opens it.
 * @module
 */

import { h, named } from "./dom.js";
import * as keep from "./keep.js";
import { head } from "./seats.js";
import { writeLength, writeLessons } from "./words.js";

/** @typedef {import("./known.js").Known} Known */
/** @typedef {import("./match.js").Match} Match */
/** @typedef {import("./wire.js").State} State */
/** @typedef {import("./wire.js").Lessons} Lessons */

const COPIED = 2000;
const LESSONS = /** @type {const} */ (["hints", "coach", "mental"]);
const LESSON_NAMES = {
  hints: "Hints",
  coach: "A coach who warns of slips",
  mental: "Mental arithmetic",
};

/** @param {Known} known @param {State} state @param {Match} match */
export function waiting({ link, copied, lost }, state, match) {
  const mayShare = typeof navigator.share === "function";
  const mayCopy = navigator.clipboard !== undefined;
  const share = () =>
    navigator.share({ title: state.title, url: link }).catch(() => {});
  /** @param {string} copied */
  const tell = (copied) => {
    match.set({ copied });
    setTimeout(() => match.set({ copied: "" }), COPIED);
  };
  const copy = () =>
    navigator.clipboard.writeText(link).then(
      () => tell("Copied"),
      () => tell("Select the link instead"),
    );
  return h(
    "article",
    { key: "waiting", class: "table" },
    head(state),
    h(
      "section",
      { class: "card invite" },
      h("h2", { tabindex: -1 }, "Send this link to a friend"),
      h("p", {}, "Whoever opens it takes the other seat. The game begins by itself."),
      h("p", { class: "link" }, h("a", { href: link }, link)),
      h(
        "div",
        { class: "choices" },
        mayShare &&
          h("button", { type: "button", class: "primary", onclick: share }, "Share"),
        mayCopy &&
          h(
            "button",
            { type: "button", class: mayShare ? "" : "primary", onclick: copy },
            copied || "Copy the link",
          ),
      ),
      !mayCopy && h("p", { class: "soft" }, "Select the link to copy it."),
      h("img", {
        class: "qr",
        src: `/m/${state.id}/qr.svg`,
        width: 200,
        height: 200,
        alt: "The link as a QR code",
      }),
      h(
        "p",
        { class: "waits", role: "status" },
        lost ? "Not connected. Trying again …" : "Waiting for your friend …",
      ),
    ),
  );
}

/** @param {Known} known @param {State} state @param {Match} match */
export function invitation({ pending, notice }, state, match) {
  const [host] = state.seats;
  const wanted = LESSONS.filter((lesson) => state.lessons[lesson]);
  const several = writeLength(state.length);
  /** @param {SubmitEvent} event */
  const sit = (event) => {
    event.preventDefault();
    const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
    const agreed = new Set(form.getAll("lesson"));
    /** @type {Lessons} */
    const lessons = {
      coach: agreed.has("coach"),
      hints: agreed.has("hints"),
      mental: agreed.has("mental"),
    };
    match.sit(String(form.get("name")).trim() || "Player 2", lessons);
  };
  return h(
    "article",
    { key: "invitation", class: "table" },
    head(state),
    h(
      "form",
      { class: "card invite", onsubmit: sit },
      h("h2", { tabindex: -1 }, named(host.name), " invites you to play"),
      h(
        "p",
        {},
        `${state.aim} ${several === "a single game" ? "" : `It is ${several}.`}`,
      ),
      h(
        "label",
        { class: "field" },
        h("span", {}, "Your name"),
        h("input", {
          name: "name",
          maxlength: 24,
          autocomplete: "nickname",
          required: true,
          value: guestName(host.name),
        }),
      ),
      wanted.length > 0 &&
        h(
          "fieldset",
          { class: "agree" },
          h(
            "legend",
            {},
            named(host.name),
            ` wants: ${writeLessons(state.lessons).join(", ")}. Agree?`,
          ),
          wanted.map((lesson) =>
            h(
              "label",
              { key: lesson, class: "check" },
              h("input", {
                type: "checkbox",
                name: "lesson",
                value: lesson,
                checked: true,
              }),
              h("span", {}, LESSON_NAMES[lesson]),
            ),
          ),
        ),
      notice && h("p", { class: "notice" }, notice),
      h(
        "div",
        { class: "choices" },
        h(
          "button",
          { class: "primary", "aria-disabled": pending !== null },
          "Take the seat",
        ),
        h(
          "button",
          { type: "button", onclick: () => match.set({ watching: true, notice: "" }) },
          "Watch",
        ),
      ),
    ),
  );
}

/** Both names must differ. @param {string} host */
function guestName(host) {
  const mine = keep.chosen("name", "Player 2");
  if (mine !== host) return mine;
  return host === "Player 2" ? "Player 1" : "Player 2";
}
