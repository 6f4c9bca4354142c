/**
 * Look back: the matches of this browser, and how they stand or ended.
 * @module
 */

import { h, render } from "./dom.js";
import { lookUpMatch, matchRow } from "./home.js";
import * as storage from "./storage.js";

const MOST_ASKED = 6;
const LONG = /** @type {const} */ ({ dateStyle: "long" });

/** Show what is kept, then how it stands by now. @param {HTMLElement} root */
export async function lookBack(root) {
  document.title = "Look back · ninefold";
  draw(root);
  const asked = storage
    .matches()
    .filter(({ state }, index) => index < MOST_ASKED || !state?.match_over);
  for (const { id } of asked) {
    await lookUpMatch(id);
    draw(root);
  }
}

/** @param {HTMLElement} root */
function draw(root) {
  const kept = storage.everyMatch();
  const rows = kept.flatMap(({ id, at, state }, index) => {
    if (!state) return [];
    const isLast = kept.findIndex((each) => each.id === id) === index;
    const game = isLast ? "" : `#review-${state.match_number}-${state.number}`;
    const day = new Date(at).toLocaleDateString(undefined, LONG);
    return matchRow(`/m/${id}${game}`, state, false, ` · ${day}`);
  });
  render(
    root,
    h(
      "header",
      { key: "head", class: "head" },
      h("h1", { tabindex: -1 }, "Look back"),
      h("p", { class: "aim-line" }, summary(kept)),
    ),
    rows.length > 0
      ? h("section", { key: "mine", class: "mine" }, h("ul", {}, rows))
      : h(
          "section",
          { key: "none", class: "card nothing" },
          h("p", {}, "You have not played a game on this device yet."),
          h("p", {}, h("a", { class: "button primary", href: "/" }, "Play a game")),
        ),
  );
}

/** How many matches you finished here, and how many you won. @param {storage.KeptMatch[]} kept */
function summary(kept) {
  const over = kept.flatMap(({ state }) =>
    state?.match_over && !state.is_shared ? [state] : [],
  );
  const won = over.filter(({ match_winner, your_seat }) => match_winner === your_seat);
  if (over.length === 0) return "The matches that you play on this device";
  return `You won ${won.length} of ${over.length} on this device`;
}
