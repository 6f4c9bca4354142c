/**
 * What a pupil sees beside the table: who they are, and for what the class waits.
 * @module
 */

import { h, named } from "./dom.js";
import { howToPlay } from "./how-to-play.js";
import { icon } from "./icons.js";

/** @import { PupilView } from "./class-messages.js" */

export const LOOK = "Look at the board.";
const MINUTE = 60_000;
const ICONS = /** @type {const} */ ({
  knocks: "door",
  waits: "wait",
  plays: "wait",
  "sent-back": "one",
  moved: "tablet",
  left: "door",
  over: "flag",
});

/** Who plays here, where, and for how long. @param {PupilView} view @param {number} milliseconds until the round ends */
export function stripView({ name, table, round }, milliseconds) {
  const minutes = Math.ceil(milliseconds / MINUTE);
  const left = minutes > 1 ? `${minutes} min` : "Last minute";
  return [
    h("strong", {}, named(name)),
    h(
      "span",
      {},
      table && h("span", { key: "table" }, `Table ${table.number}`),
      round &&
        h(
          "span",
          { key: "time" },
          icon(round.is_paused ? "pause" : "clock"),
          round.is_paused ? "Pause" : left,
        ),
    ),
  ];
}

/** The state of a pupil without a table. One who has left can join again. @param {PupilView} view @param {() => void} join */
export function waitingView({ status, text }, join) {
  const isBack = status === "left" || status === "moved";
  return h(
    "section",
    { key: "waiting", class: "waiting" },
    h("h1", { key: "title", tabindex: -1 }, icon(ICONS[status]), text),
    isBack && forward("Join again", join),
    ["waits", "knocks"].includes(status) && [h("h2", {}, "How to play"), howToPlay()],
  );
}

/** The table below it is hidden from those who listen. */
export function lookAtBoard() {
  return h(
    "section",
    { key: "look", class: "card look" },
    h("h1", { tabindex: -1 }, icon("board"), LOOK),
  );
}

/** Another window of this browser has the class. @param {() => unknown} take */
export function elsewhereView(take) {
  return h(
    "section",
    { key: "elsewhere", class: "waiting" },
    h("h1", { tabindex: -1 }, icon("tablet"), "Your class is open in another window."),
    forward("Play here", take),
  );
}

export function teachersView() {
  return h(
    "section",
    { key: "teachers", class: "waiting" },
    h("h1", { tabindex: -1 }, icon("board"), "You teach the class in this browser."),
    h(
      "a",
      { class: "button primary wide", href: "/teach" },
      icon("go"),
      "To the board",
    ),
  );
}

/** @param {string} label @param {() => unknown} onclick */
function forward(label, onclick) {
  const props = { key: label, type: "button", class: "primary wide", onclick };
  return h("button", props, icon("go"), label);
}
