/**
 * Icons: a sentence and its picture say the same, for those who read little.
 * @module
 */

import { h } from "./dom.js";

/** Strokes in a square of 24 by 24. */
const STROKES = {
  another: "M10 12H3m7-5 5 5-5 5M14 3h6v18h-6",
  board: "M3 4h18v12H3zM8 21l4-5 4 5",
  clock: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 7v5l3 3",
  delete: "M8 5h13v14H8l-6-7zM12 9l5 6M17 9l-5 6",
  door: "M5 21V3h14v18M2 21h20M15 12v.5",
  flag: "M5 21V4h14l-4 5 4 5H5",
  go: "M4 12h15M13 6l6 6-6 6",
  keypad: "M5 5h2M11 5h2M17 5h2M5 12h2M11 12h2M17 12h2M11 19h2",
  one: "M12 3a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9M3 21c1-8 17-8 18 0",
  pause: "M8 4v16M16 4v16",
  question:
    "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20M9 9c0-4 6-4 6 0 0 2-3 2.5-3 5M12 17.5v.5",
  tablet: "M6 2h12v20H6zM12 18v.5",
  tick: "M4 13l5 6L20 5",
  two: "M8 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8M1 21c0-8 14-8 14 0M16 4.5a4 4 0 0 1 0 7M18 15c3 1 5 3 5 6",
  versus: "M3 8h15l-4-4M21 16H6l4 4",
  wait: "M6 2h12M6 22h12M7 2c0 7 10 13 10 20M17 2c0 7-10 13-10 20",
};

/** Draw an icon. @param {keyof typeof STROKES} name */
export function icon(name) {
  return h(
    "svg",
    { key: `icon ${name}`, class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" },
    h("path", { d: STROKES[name] }),
  );
}
