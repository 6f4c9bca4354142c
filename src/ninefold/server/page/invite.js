/**
 * Before a match: the link for a friend, and the seat for whoever opens it.
 * @module
 */

import { h, named } from "./dom.js";
import { head } from "./seats.js";
import * as storage from "./storage.js";
import { isSingle, LESSONS, sentence, writeLength } from "./words.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./match.js").Match} Match */
/** @typedef {import("./messages.js").State} State */
/** @typedef {import("./messages.js").Lessons} Lessons */

const COPIED = 2000;
const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/;

/** @param {Model} model @param {State} state @param {Match} match */
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
      h(
        "p",
        {},
        "Whoever opens it can take the other seat. The game begins by itself.",
      ),
      h("p", { class: "link" }, h("a", { href: link }, link)),
      isLoopback(link) &&
        h(
          "p",
          { key: "here", class: "notice" },
          "Only this machine can open this link. For others, start the server with --host 0.0.0.0.",
        ),
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

/** @param {Model} model @param {State} state @param {Match} match */
export function invitation({ pending, notice }, state, match) {
  const [host] = state.seats;
  const wanted = LESSONS.filter(([lesson]) => state.lessons[lesson]);
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
        isSingle(state.length)
          ? state.aim
          : `${state.aim} ${sentence(writeLength(state.length))}`,
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
          h("legend", {}, named(host.name), " asks for this. Do you agree?"),
          wanted.map(([lesson, title, told]) =>
            h(
              "label",
              { key: lesson, class: "check" },
              h("input", {
                type: "checkbox",
                name: "lesson",
                value: lesson,
                checked: true,
              }),
              h("span", {}, h("strong", {}, title), " ", h("small", {}, told)),
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

/** @param {string} link */
function isLoopback(link) {
  return LOOPBACK.test(new URL(link, location.href).hostname);
}

/** Both names must differ. @param {string} host */
function guestName(host) {
  const mine = storage.chosen("name", "Player 2");
  if (mine !== host) return mine;
  return host === "Player 2" ? "Player 1" : "Player 2";
}
