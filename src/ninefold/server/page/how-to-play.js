/**
 * How to play: a game in three pictures, which take twenty seconds.
 * @module
 */

import { h } from "./dom.js";
import { sample } from "./home.js";
import { drawLine } from "./number-line.js";

const MOVES = [5, 3, 6, 4, 5];
const TARGET = 1000;
const EDGES = 96;
const WIDEST = 560;
const STEPS = [
  [
    1,
    "The total starts at 1. On your turn, choose a number: the total is multiplied by it. 1 × 5 = 5.",
  ],
  [
    2,
    "Then it is the other player's turn: 5 × 3 = 15. You take turns like this; you cannot pass.",
  ],
  [
    5,
    "Each game has a target and says who wins there. In Multiplier Showdown, whoever gets to 1,000 or more wins.",
  ],
];

export function howToPlay() {
  const width = Math.min(document.documentElement.clientWidth - EDGES, WIDEST);
  return h(
    "ol",
    { key: "how", class: "how" },
    STEPS.map(([shown, text]) =>
      h(
        "li",
        { key: shown },
        h(
          "div",
          { class: "picture", "aria-hidden": "true" },
          drawLine(sample(MOVES, TARGET, Number(shown)), {
            width,
            label: "",
            final: shown === MOVES.length,
          }),
        ),
        h("p", {}, String(text).replace(/ ([×=]) /g, "\u00a0$1\u00a0")),
      ),
    ),
  );
}
