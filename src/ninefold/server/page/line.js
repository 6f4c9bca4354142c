/**
 * The number line: every move a hop. The server works out the places; this draws them
 * at the width there is, with labels that never overlap.
 * @module
 */

import { h } from "./dom.js";
import { shorten } from "./words.js";

/** @typedef {import("./wire.js").LineView} LineView */
/** @typedef {import("./wire.js").LabelView} LabelView */
/** @typedef {import("./wire.js").HopView} HopView */
/** @typedef {import("./wire.js").Seat} Seat */
/** @typedef {import("./wire.js").Whole} Whole */
/** @typedef {{place: number, multiplier: Whole, seat: Seat}} Preview */

/**
 * @typedef {object} Look
 * @property {number} width in pixels
 * @property {string} label what the picture shows, in words
 * @property {Preview | null} [preview] a hop that is not made
 * @property {number[]} [faint] where other hops from the total would land
 * @property {boolean} [fresh] whether the last hop was just made
 * @property {boolean} [final] whether the last hop ended the game
 * @property {import("./dom.js").Props} [props] further attributes of the picture
 */

const LABEL = 14;
const NAME = 16;
const GAP = 12;
const PAD = 18;
const MOST_HOPS = 400;
const NARROWEST_BAND = 4;
const HALF_BAND = 12;

/** @param {LineView} line @param {Look} look */
export function drawLine(line, look) {
  const width = Math.max(look.width, 120);
  const length = width - 2 * PAD;
  const highest = Math.min(Math.max(length * 0.15, 40), 96);
  const axis = highest + NAME + 12;
  const rows = axis + HALF_BAND;
  const height = rows + 2 * LABEL + 16;
  /** @param {number} place */
  const x = (place) => PAD + place * length;
  const pen = { x, axis, highest, length, width };
  return h(
    "svg",
    {
      class: "line",
      viewBox: `0 0 ${width} ${height}`,
      height,
      role: "img",
      "aria-label": look.label,
      ...look.props,
    },
    stripes(),
    bands(line, pen),
    axisOf(line, pen),
    hops(line, pen, look),
    flagOf(line, pen),
    labels(line, pen, rows + LABEL + 5),
  );
}

/**
 * Name the total on a line of rules, as the line of a game does.
 * @param {LineView} line
 * @param {Whole} total
 * @returns {LineView}
 */
export function withTotal(line, total) {
  const text = String(total);
  const { labels, total: place } = line;
  if (place === null || text.length > 7 || labels.some((each) => each.text === text)) {
    return line;
  }
  const ends = labels.filter(({ kind }) => kind === "end");
  const others = labels.filter(({ kind }) => kind !== "end");
  return {
    ...line,
    labels: [...ends, { place, text, kind: "total", slack: 0 }, ...others],
  };
}

/** @typedef {{x: (place: number) => number, axis: number, highest: number, length: number, width: number}} Pen */

function stripes() {
  const box = { width: 9, height: 9 };
  return h(
    "defs",
    { key: "defs" },
    h(
      "pattern",
      {
        id: "stripes",
        ...box,
        patternUnits: "userSpaceOnUse",
        patternTransform: "rotate(45)",
      },
      h("rect", { class: "paper", ...box }),
      h("path", { class: "stripe", d: "M2.5 0V9" }),
    ),
  );
}

/** Bands that are nearer than a pixel become one. @param {LineView} line @param {Pen} pen */
function bands(line, { x, axis }) {
  /** @type {[number, number][]} */
  const drawn = [];
  for (const band of line.bands) {
    const left = x(band.left);
    const right = Math.max(x(band.right), left + NARROWEST_BAND);
    const last = drawn.at(-1);
    if (last && left < last[1] + 1) last[1] = right;
    else drawn.push([left, right]);
  }
  return drawn.map(([left, right], index) =>
    h("rect", {
      key: `band${index}`,
      class: "band",
      x: left.toFixed(1),
      y: axis - HALF_BAND,
      width: (right - left).toFixed(1),
      height: 2 * HALF_BAND,
      rx: 3,
      fill: "url(#stripes)",
    }),
  );
}

/** @param {LineView} line @param {Pen} pen */
function axisOf(line, { x, axis }) {
  const decades = line.labels.filter(({ kind }) => kind === "decade");
  const ticks = decades.map(({ place }) => `M${x(place).toFixed(1)} ${axis - 5}v10`);
  const target = x(line.target).toFixed(1);
  return [
    h("path", {
      key: "axis",
      class: "axis",
      d: `M${x(0)} ${axis}H${x(1).toFixed(1)}M${x(0)} ${axis - 9}v18${ticks.join("")}`,
    }),
    h("path", { key: "pole", class: "axis", d: `M${target} ${axis + 9}v-38` }),
  ];
}

/** It flies away from the line's end. @param {LineView} line @param {Pen} pen */
function flagOf({ target }, { x, axis }) {
  const flies = target > 0.94 ? -1 : 1;
  return h("path", {
    key: "flag",
    class: "flag",
    d: `M${x(target).toFixed(1)} ${axis - 29}l${flies * 14} 5.5l${flies * -14} 5.5z`,
  });
}

/** @param {LineView} line @param {Pen} pen @param {Look} look */
function hops(line, pen, look) {
  const shown = line.hops.slice(-MOST_HOPS);
  const first = line.hops.length - shown.length;
  const named = namesThatFit(shown, pen, previewOf(line, look));
  const last = shown.length - 1;
  return [
    shown.map((hop, index) =>
      hopOf(hop, pen, {
        key: `hop${first + index}`,
        name: named.get(index),
        kind: index === last ? kindOf(look) : "",
      }),
    ),
    line.total !== null && faint(line.total, look.faint ?? [], pen),
    look.preview && line.total !== null && dashed(line.total, look.preview, pen),
    // The ring stands where the last hop lands, as soon as it does.
    shown
      .slice(0, last)
      .map((hop, index) => landing(hop, pen, `landing${first + index}`)),
    line.total !== null &&
      h("circle", {
        key: "ring",
        class: "ring",
        cx: pen.x(line.total).toFixed(1),
        cy: pen.axis,
        r: 8,
      }),
  ];
}

/** How the last hop looks. @param {Look} look */
function kindOf({ fresh, final }) {
  return `${fresh ? " fresh" : ""}${final ? " final" : ""}`;
}

/** @param {{left: number, right: number}} hop @param {Pen} pen */
function rise({ left, right }, { length, highest }) {
  return Math.min(Math.max((right - left) * length * 0.42, 12), highest);
}

/** @param {{left: number, right: number}} hop @param {Pen} pen */
function arc(hop, pen) {
  const [left, right] = [pen.x(hop.left), pen.x(hop.right)];
  const top = pen.axis - 2 * rise(hop, pen);
  return `M${left.toFixed(1)} ${pen.axis}Q${((left + right) / 2).toFixed(1)} ${top.toFixed(1)} ${right.toFixed(1)} ${pen.axis}`;
}

/** @param {HopView} hop @param {Pen} pen @param {{key: string, name: string | undefined, kind: string}} how */
function hopOf(hop, pen, { key, name, kind }) {
  const turn = hop.is_turning_point ? " turn" : "";
  return h(
    "g",
    { key, class: `played seat${hop.seat}${kind}` },
    h("path", { class: `hop${turn}`, d: arc(hop, pen), pathLength: 1 }),
    name && nameOf(hop, name, pen),
  );
}

/** @param {{left: number, right: number}} hop @param {string} name @param {Pen} pen */
function nameOf(hop, name, pen) {
  const middle = (pen.x(hop.left) + pen.x(hop.right)) / 2;
  const half = widthOf(name, NAME, true) / 2;
  const within = Math.min(Math.max(middle, half), pen.width - half);
  const y = pen.axis - rise(hop, pen) - 9;
  return h("text", { class: "name", x: within.toFixed(1), y: y.toFixed(1) }, name);
}

/** The hop that is not made, if one is shown. @param {LineView} line @param {Look} look */
function previewOf({ total }, { preview }) {
  return preview && total !== null ? { left: total, right: preview.place } : null;
}

/** The last hop is named first, then the one that turned the game, then the others.
 * @param {HopView[]} hops @param {Pen} pen @param {{left: number, right: number} | null} preview @returns {Map<number, string>} */
function namesThatFit(hops, pen, preview) {
  const order = hops.map((_, index) => index).reverse();
  order.sort((a, b) => weight(hops, b) - weight(hops, a));
  /** @type {[number, number][]} */
  const taken = [];
  if (preview) {
    const middle = (pen.x(preview.left) + pen.x(preview.right)) / 2;
    taken.push([middle - NAME, middle + NAME]);
  }
  const named = new Map();
  for (const index of order) {
    const hop = /** @type {HopView} */ (hops[index]);
    const turned = hop.is_turning_point ? " turned it" : "";
    const name = `×${shorten(hop.multiplier)}${turned}`;
    const middle = (pen.x(hop.left) + pen.x(hop.right)) / 2;
    const half = widthOf(name, NAME, true) / 2 + 2;
    const narrow =
      (hop.right - hop.left) * pen.length < half && weight(hops, index) === 0;
    const hidden = taken.some(
      ([left, right]) => middle - half < right && left < middle + half,
    );
    if (narrow || hidden) continue;
    taken.push([middle - half, middle + half]);
    named.set(index, name);
  }
  return named;
}

/** @param {HopView[]} hops @param {number} index */
function weight(hops, index) {
  if (index === hops.length - 1) return 2;
  return hops[index]?.is_turning_point ? 1 : 0;
}

/** @param {number} total @param {Preview} preview @param {Pen} pen */
function dashed(total, { place, multiplier, seat }, pen) {
  const hop = { left: total, right: place };
  return h(
    "g",
    { key: "preview", class: `seat${seat} preview` },
    h("path", { class: "hop", d: arc(hop, pen) }),
    nameOf(hop, `×${shorten(multiplier)}`, pen),
    place <= 1 &&
      h("circle", { class: "aim", cx: pen.x(place).toFixed(1), cy: pen.axis, r: 5 }),
  );
}

/** @param {number} total @param {number[]} places @param {Pen} pen */
function faint(total, places, pen) {
  return places.map((place) =>
    h("path", {
      key: `faint${place}`,
      class: "faint",
      d: arc({ left: total, right: place }, pen),
    }),
  );
}

/** A disc for the first seat, a square for the second. @param {HopView} hop @param {Pen} pen @param {string} key */
function landing(hop, { x, axis, length }, key) {
  const at = x(hop.right);
  const half = Math.min(Math.max((hop.right - hop.left) * length * 0.3, 1.5), 5);
  const mark = `mark seat${hop.seat}`;
  return hop.seat === 1
    ? h("circle", { key, class: mark, cx: at.toFixed(1), cy: axis, r: half + 0.5 })
    : h("rect", {
        key,
        class: mark,
        x: (at - half).toFixed(1),
        y: axis - half,
        width: 2 * half,
        height: 2 * half,
      });
}

// Labels

/**
 * Bands are named near the line, the scale below them, or near it where there are none.
 * The start, the target and the total that have no room there take it in the other row.
 * @param {LineView} line
 * @param {Pen} pen
 * @param {number} y
 */
function labels(line, pen, y) {
  const ends = line.labels.filter(({ kind }) => kind === "end").map(({ text }) => text);
  const bands = line.labels.filter(
    ({ kind, text }) => kind === "band" && !ends.includes(text),
  );
  const scale = line.labels.filter(({ kind }) => kind !== "band");
  /** @type {Row} */
  const near = { y, placed: [] };
  /** @type {Row} */
  const below = { y: y + LABEL + 5, placed: [] };
  const [first, second] = bands.length > 0 ? [below, near] : [near, below];
  placeInto(near, bands, pen);
  const left = placeInto(first, scale, pen);
  placeInto(
    second,
    left.filter(({ kind }) => kind !== "decade"),
    pen,
  );
  return [near, below].flatMap((row) =>
    row.placed.map(({ label, left: at, right }) =>
      h(
        "text",
        {
          key: `${label.kind} ${label.text}`,
          class: `label ${label.kind}-label`,
          x: ((at + right) / 2).toFixed(1),
          y: row.y,
        },
        label.text,
      ),
    ),
  );
}

/** @typedef {{y: number, placed: {label: LabelView, left: number, right: number}[]}} Row */

/**
 * Place labels in a row, the more important ones first; return those without room.
 * @param {Row} row
 * @param {LabelView[]} wanted
 * @param {Pen} pen
 */
function placeInto({ placed }, wanted, { x, length, width }) {
  return wanted.filter((label) => {
    const size = widthOf(label.text, LABEL, label.kind !== "decade");
    const best = x(label.place) - size / 2;
    const most = size / 2 + PAD + label.slack * length;
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

/** @type {CanvasRenderingContext2D | null} */
let ruler = null;

/** @param {string} text @param {number} size @param {boolean} bold */
function widthOf(text, size, bold) {
  ruler ??= document.createElement("canvas").getContext("2d");
  if (!ruler) return text.length * size * 0.65;
  const { fontFamily } = getComputedStyle(document.body);
  ruler.font = `${bold ? 700 : 400} ${size}px ${fontFamily}`;
  return ruler.measureText(text).width;
}
