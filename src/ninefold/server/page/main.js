/**
 * Opens the page that the address names.
 *
 * Pages         home, match, explore, puzzles; new-match is the form for a new match,
 *               invite what the other sees before the seat is taken
 * The table     table, seats, multiplier-keys, move-questions, game-over, review
 * Number line   number-line, line-geometry, line-labels, positions (totals to face)
 * The match     model (what a page knows of it), state (what follows from that)
 * The server    api (requests), stream (events), messages (types of the wire)
 * Helpers       dom, dialog, fields, storage (what this browser remembers), words
 * @module
 */

import { isAsking, tell } from "./dialog.js";
import { h, render } from "./dom.js";
import { Explore } from "./explore.js";
import { Home } from "./home.js";
import { Match } from "./match.js";
import { Puzzles } from "./puzzles.js";
import { nothing } from "./seats.js";

const KEYS = [
  ["2 to 9", "play that multiplier"],
  ["Digits, Enter", "choose a longer multiplier, and play it"],
  ["Tab, Shift Tab", "go to the next control, or to the one before"],
  ["Enter, Space", "press it"],
  ["← →", "step through a review, or along the line in Explore"],
  ["Esc", "leave a question without an answer"],
  ["?", "show these keys"],
];

/** @param {HTMLElement} root */
function open(root) {
  const path = location.pathname.replace(/\/+$/, "") || "/";
  const id = /^\/m\/([\w-]+)[^\w/-]*$/.exec(decoded(path))?.[1];
  if (id) {
    history.replaceState(history.state, "", `/m/${id}${location.hash}`);
    return new Match(root, id).open();
  }
  if (path === "/explore") return new Explore(root).open();
  if (path === "/puzzles") return new Puzzles(root).open();
  return path === "/" ? new Home(root).open() : showNothing(root);
}

/** A link from a sentence may end with its full stop, or stranger. @param {string} path */
function decoded(path) {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** @param {HTMLElement} root */
function showNothing(root) {
  document.title = "No such page · ninefold";
  render(root, nothing("No such page", "The address leads nowhere here."));
}

function showKeys() {
  const rows = KEYS.map(([key, text]) =>
    h("div", { key }, h("dt", {}, key), h("dd", {}, text)),
  );
  return tell("Keyboard", [h("dl", { class: "keyboard" }, rows)]);
}

document.getElementById("keys-help")?.addEventListener("click", showKeys);
addEventListener("keydown", ({ key, target }) => {
  if (key === "?" && !isAsking() && !(target instanceof HTMLInputElement)) showKeys();
});
for (const link of document.querySelectorAll("nav a")) {
  if (link.getAttribute("href") === location.pathname) {
    link.setAttribute("aria-current", "page");
  }
}
const main = document.getElementById("main");
if (main) open(main);
