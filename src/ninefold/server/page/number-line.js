/**
 * The number line: every move a hop. The server works out the places; this draws them
 * at the width there is, with labels that never overlap.
 * @module
 */

import { h } from "./dom.js";
import { group, powerOfTen, shorten } from "./text.js";

/** @import { Props } from "./dom.js" */
/** @import { BandView, HopView, LabelView, LineView, Rules, Seat, Whole } from "./state.js" */

/** @typedef {{x: (place: number) => number, axis: number, highest: number, length: number, width: number}} Pen */
/** @typedef {{y: number, placed: {label: LabelView, left: number, right: number}[]}} Row */
/** @typedef {{place: number, multiplier: Whole, seat: Seat}} Preview */

/**
 * @typedef {object} Look
 * @property {number} width in pixels
 * @property {string} label what the picture shows, in words
 * @property {Preview | null} [preview] a hop that is not made
 * @property {number[]} [faint] where other hops from the total would land
 * @property {boolean} [fresh] whether the last hop was just made
 * @property {boolean} [final] whether the last hop ended the game
 * @property {boolean} [isNamed] false where hops are no moves, and have no names
 * @property {Props} [props] further attributes of the picture
 */

const LABEL = 14; // sizes of type, also in number-line.css
const NAME = 16;
const PAD = 18;
const NARROWEST = 120;
const NARROWEST_BAND = 4;
const BETWEEN_BANDS = 4; // less looks like one
const HALF_BAND = 12;
const FLAG = { wide: 14, high: 11, top: 29 };
const GAP = 12;
const EDGE = 3; // so far inside its label a place is still under it
const LARGEST_WHOLE = 1_000_000;

// Where things are, in pixels

/** In its own units: the picture is as wide as its place. */
const SMALL = { width: 240, height: 62, axis: 48, highest: 36 };

/** @param {number} width @returns {Pen} */
function penFor(width) {
  const whole = Math.max(width / textSize(), NARROWEST);
  const length = whole - 2 * PAD;
  const room = (innerHeight / textSize()) * 0.14; // a low screen has keys to show too
  const highest = Math.max(Math.min(length * 0.15, room), 40);
  return {
    x: (place) => PAD + place * length,
    axis: highest + NAME + 12,
    highest,
    length,
    width: whole,
  };
}

/** How much larger than usual text is: the picture follows it. It is read anew once
 * something has another size, because to read it makes the browser work out all styles. */
function textSize() {
  sizeOfText ||= Number.parseFloat(getComputedStyle(page).fontSize) / 16;
  return sizeOfText;
}

const page = document.documentElement;
let sizeOfText = 0;
new ResizeObserver(() => {
  sizeOfText = 0;
}).observe(page);

/** The natural logarithm of a whole number, however long. @param {Whole | bigint} whole */
export function logOf(whole) {
  const digits = String(whole);
  const first = digits.slice(0, 15);
  return Math.log(Number(first)) + (digits.length - first.length) * Math.LN10;
}

/** How long a multiplier's hop is, the line being 1. @param {Rules} rules @param {Whole} multiplier */
export function hopLength({ start, target }, multiplier) {
  return logOf(multiplier) / (logOf(target) - logOf(start));
}

/** The place on a drawn line that was pointed at. @param {Element} drawn @param {number} at */
export function placeAt(drawn, at) {
  const { left, width } = drawn.getBoundingClientRect();
  const pad = PAD * textSize();
  return (at - left - pad) / (width - 2 * pad);
}

/**
 * The bands that can be told apart at a width, each with its pixels.
 * @param {BandView[]} bands
 * @param {Pen} pen
 * @returns {{band: BandView, left: number, right: number}[]}
 */
function bandsApart(bands, { x }) {
  const wanted = bands.map((band) => {
    const left = x(band.left);
    return { band, left, right: Math.max(x(band.right), left + NARROWEST_BAND) };
  });
  wanted.sort((one, other) => one.left - other.left);
  return wanted.filter(({ left, right }, index) => {
    const before = wanted[index - 1]?.right ?? -Infinity;
    const after = wanted[index + 1]?.left ?? Infinity;
    return before + BETWEEN_BANDS <= left && right + BETWEEN_BANDS <= after;
  });
}

/** Say which bands a picture leaves out. @param {LineView} line @param {number} width */
export function bandsLeftOut({ bands }, width) {
  const drawn = bandsApart(bands, penFor(width)).length;
  const missing = bands.length - drawn;
  if (missing === 0) return "";
  return drawn === 0
    ? "The lost totals are too close together to draw."
    : `${missing} more lost bands are too close together to draw.`;
}

/** @type {CanvasRenderingContext2D | null} */
let ruler = null;
/** @type {Map<string, number>} */
const widths = new Map();

/** Each text is measured once. @param {string} text @param {number} size @param {boolean} bold */
function widthOf(text, size, bold) {
  const key = `${size} ${bold} ${text}`;
  const known = widths.get(key);
  if (known !== undefined) return known;
  ruler ??= document.createElement("canvas").getContext("2d");
  if (!ruler) return text.length * size * 0.65;
  const { fontFamily } = getComputedStyle(document.body);
  ruler.font = `${bold ? 700 : 400} ${size}px ${fontFamily}`;
  const { width } = ruler.measureText(text);
  widths.set(key, width);
  return width;
}

// The picture

/** @param {LineView} line @param {Look} look */
export function drawLine(line, look) {
  const pen = penFor(look.width);
  const rows = pen.axis + HALF_BAND;
  const height = rows + 2 * LABEL + 16;
  const apart = bandsApart(line.bands, pen);
  return h(
    "svg",
    {
      class: "line",
      viewBox: `0 0 ${pen.width} ${height}`,
      height: Math.round(height * textSize()),
      role: "img",
      "aria-label": look.label,
      ...look.props,
    },
    stripes(),
    bandsOf(apart, pen),
    axisOf(line, pen),
    hops(line, pen, look),
    flagOf(line, pen),
    labelsOf(
      line,
      pen,
      rows + LABEL + 5,
      apart.map(({ band }) => band.text),
    ),
  );
}

/** A game as hops without numbers, where many games are shown. @param {LineView} line */
export function smallLine(line) {
  const { width, height, axis, highest } = SMALL;
  const length = width - 2 * PAD;
  /** @type {Pen} */
  const pen = { x: (place) => PAD + place * length, axis, highest, length, width };
  return h(
    "svg",
    {
      class: "line small-line",
      viewBox: `0 0 ${width} ${height}`,
      "aria-hidden": "true",
    },
    axisOf({ ...line, labels: [] }, pen),
    hops(line, pen, { width, label: "", isNamed: false }),
    flagOf(line, pen),
  );
}

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

/** @param {ReturnType<typeof bandsApart>} apart @param {Pen} pen */
function bandsOf(apart, { axis }) {
  return apart.map(({ band, left, right }) =>
    h("rect", {
      key: `band ${band.text}`,
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
    h("path", {
      key: "pole",
      class: "axis",
      d: `M${target} ${axis + 9}V${axis - FLAG.top}`,
    }),
  ];
}

/** It flies away from the line's end. @param {LineView} line @param {Pen} pen */
function flagOf(line, { x, axis }) {
  const flies = wayOfFlag(line) * FLAG.wide;
  const half = FLAG.high / 2;
  return h("path", {
    key: "flag",
    class: "flag",
    d: `M${x(line.target).toFixed(1)} ${axis - FLAG.top}l${flies} ${half}l${-flies} ${half}z`,
  });
}

/** @param {LineView} line */
function wayOfFlag({ target }) {
  return target > 0.94 ? -1 : 1;
}

/** @param {LineView} line @param {Pen} pen @param {Look} look */
function hops(line, pen, look) {
  const { hops: shown } = line;
  const isNamed = look.isNamed ?? true;
  const named = isNamed ? namesThatFit(shown, pen, previewOf(line, look)) : new Map();
  const last = shown.length - 1;
  return [
    shown.map((hop, index) =>
      hopOf(hop, pen, line, {
        key: `hop${index}`,
        name: named.get(index),
        kind: index === last ? kindOf(look) : "",
      }),
    ),
    line.total !== null && faint(line.total, look.faint ?? [], pen),
    look.preview && line.total !== null && dashed(line, look.preview, pen, isNamed),
    // The ring stands where the last hop lands, as soon as it does.
    shown.slice(0, last).map((hop, index) => landing(hop, pen, `landing${index}`)),
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

/** @param {HopView} hop @param {Pen} pen @param {LineView} line @param {{key: string, name: string | undefined, kind: string}} how */
function hopOf(hop, pen, line, { key, name, kind }) {
  const turn = hop.is_turning_point ? " turn" : "";
  return h(
    "g",
    { key, class: `played seat${hop.seat}${kind}` },
    h("path", { class: `hop${turn}`, d: arc(hop, pen), pathLength: 1 }),
    name && nameOf(hop, name, pen, line),
  );
}

/** A name stands above its hop, and above the flag where that is in its way.
 * @param {{left: number, right: number}} hop @param {string} name @param {Pen} pen @param {LineView} line */
function nameOf(hop, name, pen, line) {
  const middle = (pen.x(hop.left) + pen.x(hop.right)) / 2;
  const half = widthOf(name, NAME, true) / 2;
  const within = Math.min(Math.max(middle, half), pen.width - half);
  const pole = pen.x(line.target);
  const tip = pole + wayOfFlag(line) * FLAG.wide;
  const meets =
    within - half < Math.max(pole, tip) + 3 && Math.min(pole, tip) - 3 < within + half;
  const above = Math.max(rise(hop, pen) + 9, meets ? FLAG.top + 7 : 0);
  const y = pen.axis - above;
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

/** @param {LineView} line @param {Preview} preview @param {Pen} pen @param {boolean} isNamed */
function dashed(line, { place, multiplier, seat }, pen, isNamed) {
  const hop = { left: line.total ?? 0, right: place };
  return h(
    "g",
    { key: "preview", class: `seat${seat} preview` },
    h("path", { class: "hop", d: arc(hop, pen) }),
    isNamed && nameOf(hop, `×${shorten(multiplier)}`, pen, line),
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

// The numbers below the line: each stands at its place, or is left out

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
  const digits = String(total);
  if (Number(total) <= LARGEST_WHOLE) return group(digits);
  const first = Math.round(Number(`${digits[0]}.${digits.slice(1, 12)}`));
  const power = powerOfTen(String(digits.length - (first < 10 ? 1 : 0)));
  if (/^10*$/.test(digits)) return power;
  return 1 < first && first < 10 ? `~${first}×${power}` : `~${power}`;
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
function labelsOf(line, pen, y, drawn) {
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
        group(label.text),
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
    const text = group(label.text);
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
