/**
 * Where things are on the number line, in pixels.
 * @module
 */

/** @typedef {import("./messages.js").LineView} LineView */
/** @typedef {import("./messages.js").BandView} BandView */
/** @typedef {{x: (place: number) => number, axis: number, highest: number, length: number, width: number}} Pen */

export const LABEL = 14;
export const NAME = 16;
const PAD = 18;
const NARROWEST = 120;
const NARROWEST_BAND = 4;
const BETWEEN_BANDS = 4; // less looks like one

/** @param {number} width @returns {Pen} */
export function penFor(width) {
  const whole = Math.max(width, NARROWEST);
  const length = whole - 2 * PAD;
  const highest = Math.min(Math.max(length * 0.15, 40), 96);
  return {
    x: (place) => PAD + place * length,
    axis: highest + NAME + 12,
    highest,
    length,
    width: whole,
  };
}

/** The place on a drawn line that was pointed at. @param {Element} drawn @param {number} at */
export function placeAt(drawn, at) {
  const { left, width } = drawn.getBoundingClientRect();
  return (at - left - PAD) / (width - 2 * PAD);
}

/**
 * The bands that can be told apart at a width, each with its pixels.
 * @param {BandView[]} bands
 * @param {Pen} pen
 * @returns {{band: BandView, left: number, right: number}[]}
 */
export function bandsApart(bands, { x }) {
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
    ? "The lost totals lie too close together to be drawn."
    : `${missing} more lost bands lie too close together to be drawn.`;
}

/** @type {CanvasRenderingContext2D | null} */
let ruler = null;

/** @param {string} text @param {number} size @param {boolean} bold */
export function widthOf(text, size, bold) {
  ruler ??= document.createElement("canvas").getContext("2d");
  if (!ruler) return text.length * size * 0.65;
  const { fontFamily } = getComputedStyle(document.body);
  ruler.font = `${bold ? 700 : 400} ${size}px ${fontFamily}`;
  return ruler.measureText(text).width;
}
