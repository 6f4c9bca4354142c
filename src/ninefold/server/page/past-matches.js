/**
 * Look back: the matches of this browser, and how they stand or ended.
 * @module
 */

import { h, render } from "./dom.js";
import { lookUpMatch, matchRow } from "./home.js";
import { logOf } from "./number-line.js";
import * as storage from "./storage.js";

/** @import { Standing } from "./storage.js" */

const WIDE = 200;
const AXIS = 24;
const MOST_ASKED = 6;
const LONG = /** @type {const} */ ({ dateStyle: "long" });

/** Show the stored matches, then their current states. @param {HTMLElement} root */
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
    return matchRow(`/m/${id}${game}`, state, false, ` · ${day}`, shape(state));
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
      ? h("section", { key: "mine", class: "mine past" }, h("ul", {}, rows))
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

/** The hops of the last game in small, up to its flag. @param {Standing} state */
function shape({ moves = [], start = 1, first = 1, target }) {
  if (moves.length === 0 || target === undefined) return null;
  const whole = logOf(target) - logOf(start);
  const lengths = moves.map((move) => logOf(move) / whole);
  const end = lengths.reduce((sum, each) => sum + each, 0);
  const scale = (WIDE - 8) / Math.max(end, 1);
  let at = 4;
  const hops = lengths.map((length, index) => {
    const [left, right] = [at, at + length * scale];
    at = right;
    const top = AXIS - Math.min(0.8 * (right - left), 2 * AXIS - 8);
    const d = `M${left.toFixed(1)} ${AXIS}Q${((left + right) / 2).toFixed(1)} ${top.toFixed(1)} ${right.toFixed(1)} ${AXIS}`;
    const seat = (index + first) % 2 === 1 ? 1 : 2;
    return h("path", { key: index, class: `hop seat${seat}`, d });
  });
  const flag = (4 + scale).toFixed(1);
  return h(
    "svg",
    { key: "shape", class: "shape", viewBox: `0 0 ${WIDE} 30`, "aria-hidden": "true" },
    h("path", { class: "axis", d: `M4 ${AXIS}H${WIDE - 4}M${flag} ${AXIS + 4}v-14` }),
    hops,
  );
}
