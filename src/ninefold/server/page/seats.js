/**
 * Which game it is, and who plays it.
 * @module
 */

import { h, named } from "./dom.js";
import { seatOf } from "./state.js";
import { isSingle, whichGame } from "./words.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./messages.js").State} State */
/** @typedef {import("./messages.js").Seat} Seat */

/** @param {State} state @param {number} [watching] */
export function head(state, watching = 0) {
  const game = [whichGame(state), watching > 0 && `${watching} watching`]
    .filter(Boolean)
    .join(" · ");
  return h(
    "header",
    { key: "head", class: "head" },
    h("h1", { tabindex: -1 }, state.title),
    h("p", { class: "aim-line" }, state.aim.replace(/\.$/, "")),
    game && h("p", { class: "which" }, game),
  );
}

/** @param {Model} model @param {State} state */
export function seats(model, state) {
  return h(
    "ul",
    { key: "seats", class: "seats", "aria-label": "Players" },
    seatCard(model, state, 1),
    seatCard(model, state, 2),
  );
}

/** @param {Model} model @param {State} state @param {Seat} seat */
function seatCard({ presence }, state, seat) {
  const { name, kind, taken } = seatOf(state, seat);
  const yours = state.your_seat === seat;
  const moves = state.to_move === seat;
  const won = state.outcome?.winner === seat;
  const watched = taken && kind === "human" && !yours;
  const away = watched && presence !== null && !presence.here[seat - 1];
  const notes = [
    won && "wins",
    yours && !won && !moves && "you",
    moves && (yours ? "your move" : "to move"),
    away && "away",
  ].filter((note) => note !== false);
  const several = !isSingle(state.length);
  return h(
    "li",
    {
      key: seat,
      class: `seat seat${seat}${moves ? " moves" : ""}${won ? " won" : ""}`,
      "aria-current": moves ? "true" : null,
    },
    h("span", { class: "glyph", "aria-hidden": "true" }),
    h("span", { class: "who", title: taken && name }, taken ? named(name) : "free"),
    h("span", { class: "note" }, notes.join(" · ")),
    several &&
      h(
        "span",
        { class: "score" },
        h("span", { class: "unseen" }, "games won: "),
        state.score[seat - 1],
      ),
  );
}

/** What an address shows that leads nowhere. @param {string} title @param {string} why */
export function nothing(title, why) {
  return h(
    "section",
    { key: "nothing", class: "card nothing" },
    h("h1", { tabindex: -1 }, title),
    h("p", {}, why),
    h("p", {}, h("a", { class: "button primary", href: "/" }, "Play a game")),
  );
}
