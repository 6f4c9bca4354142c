/**
 * The numbers below the line: each stands at its place, or is left out.
 * @module
 */

import { h } from "./dom.js";
import { LABEL, widthOf } from "./line-geometry.js";

/** @typedef {import("./line-geometry.js").Pen} Pen */
/** @typedef {import("./messages.js").LineView} LineView */
/** @typedef {import("./messages.js").LabelView} LabelView */
/** @typedef {import("./messages.js").Whole} Whole */
/** @typedef {{y: number, placed: {label: LabelView, left: number, right: number}[]}} Row */

const GAP = 12;
const EDGE = 3; // so far inside its label a place is still under it
const LARGEST_WHOLE = 1_000_000;

/**
 * Name the total on a line of rules, as the line of a game does.
 * @param {LineView} line
 * @param {Whole} total
 * @returns {LineView}
 */
export function withTotal(line, total) {
  const { labels, total: place } = line;
  if (place === null) return line;
  const isEnd = labels.some((each) => each.kind === "end" && each.place === place);
  if (isEnd) return line;
  const others = labels.filter(({ kind }) => kind !== "total");
  return {
    ...line,
    labels: [{ place, text: writeLabel(total), kind: "total", slack: 0 }, ...others],
  };
}

/** Write a total: whole while it is short, else as a power of ten. @param {Whole} total */
function writeLabel(total) {
  if (Number(total) <= LARGEST_WHOLE) return String(total);
  const digits = String(total);
  if (/^10*$/.test(digits)) return `10^${digits.length - 1}`;
  const first = Math.log10(Number(`${digits[0]}.${digits.slice(1, 12)}`));
  return `~10^${(digits.length - 1 + first).toFixed(1)}`;
}

/** A power that is as good as whole is written so. @param {string} text */
export function plainPowers(text) {
  return text.replace(/~?(10\^\d+)\.0\b/g, "$1");
}

/**
 * The start, the target and the total come first and always have room: two rows are
 * enough for three. Bands are named near the line, the scale below them, or near it where
 * there are none.
 * @param {LineView} line
 * @param {Pen} pen
 * @param {number} y
 * @param {string[]} drawn the bands that are, by their text
 */
export function labelsOf(line, pen, y, drawn) {
  /** @param {string[]} kinds */
  const of = (...kinds) => line.labels.filter(({ kind }) => kinds.includes(kind));
  const firm = [...of("end"), ...of("total")];
  const named = new Set(firm.map(({ text }) => text));
  const bands = of("band").filter(
    ({ text }) => drawn.includes(text) && !named.has(text),
  );
  /** @type {Row} */
  const near = { y, placed: [] };
  /** @type {Row} */
  const below = { y: y + LABEL + 5, placed: [] };
  const [first, second] = bands.length > 0 ? [below, near] : [near, below];
  placeInto(second, placeInto(first, firm, pen), pen);
  placeInto(near, bands, pen);
  placeInto(first, of("decade"), pen);
  return [near, below].flatMap((row) =>
    row.placed.map(({ label, left, right }) =>
      h(
        "text",
        {
          key: `${label.kind} ${label.text}`,
          class: `label ${label.kind}-label`,
          x: ((left + right) / 2).toFixed(1),
          y: row.y,
        },
        plainPowers(label.text),
      ),
    ),
  );
}

/** How far a label may be moved and still stand at its place.
 * @param {LabelView} label @param {number} size @param {number} length */
function mostShift({ kind, slack }, size, length) {
  if (kind === "end" || kind === "total") return Math.max(size / 2 - EDGE, 0);
  return Math.max(size / 4, slack * length - size / 2);
}

/**
 * Place labels in a row, the more important ones first; return those without room.
 * @param {Row} row
 * @param {LabelView[]} wanted
 * @param {Pen} pen
 */
function placeInto({ placed }, wanted, { x, length, width }) {
  return wanted.filter((label) => {
    const text = plainPowers(label.text);
    const size = widthOf(text, LABEL, label.kind !== "decade");
    const best = x(label.place) - size / 2;
    const most = mostShift(label, size, length);
    const beside = placed.flatMap(({ left, right }) => [
      left - GAP - size,
      right + GAP,
    ]);
    /** @param {number} at */
    const fits = (at) =>
      at >= 0 &&
      Math.abs(at - best) <= most &&
      placed.every(({ left, right }) => at + size + GAP <= left || right + GAP <= at);
    const [left] = [best, ...beside]
      .map((at) => Math.min(Math.max(at, 0), width - size))
      .filter(fits)
      .sort((a, b) => Math.abs(a - best) - Math.abs(b - best));
    if (left === undefined) return true;
    placed.push({ label, left, right: left + size });
    return false;
  });
}
