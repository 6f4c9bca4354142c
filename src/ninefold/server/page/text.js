/**
 * Numbers, lengths and sets in words.
 * @module
 */

/** @import { Length, Seat, State, Whole } from "./state.js" */

/** @typedef {{DISCONNECTED: string, IS_AWAY: string, IS_BACK: string, RECONNECTED: string, LINK_IS_LOCAL: string, NOTHING_TO_PRACTISE: string, ONE_AT_A_TIME: string, WATCHING: string}} Sentences */

/** What is said without asking the server: it comes with the page. @type {Sentences} */
export const {
  DISCONNECTED,
  IS_AWAY,
  IS_BACK,
  RECONNECTED,
  LINK_IS_LOCAL,
  NOTHING_TO_PRACTISE,
  ONE_AT_A_TIME,
  WATCHING,
} = JSON.parse(document.getElementById("sentences")?.textContent ?? "");

/** That a move waits for the connection. */
export const SAVED = "Your move is saved and will be sent when the connection is back.";
const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/;
const WHOLE_DIGITS = 24;
const DIGITS_AT_EACH_END = 6;
const MOST_PARTS = 10;

/** Write the numbers of a text in groups of three digits; shortened ones stay. @param {string} text */
export function group(text) {
  return text.replace(/(?<![\d.…^])\d{4,}(?!\d|\.\.|…)/g, (digits) =>
    digits.replace(/\B(?=(\d{3})+$)/g, ","),
  );
}

/** Write numbers in groups, but not those of names. @param {string} text @param {string[]} names @returns {string} */
export function groupBetween(text, [name, ...others]) {
  if (name === undefined) return group(text);
  return text
    .split(name)
    .map((part) => groupBetween(part, others))
    .join(name);
}

/** Write a number: whole while it is short, else its two ends. @param {Whole} number */
export function shorten(number) {
  return group(plain(number));
}

/** The same without groups: a list has commas of its own. @param {Whole} number */
function plain(number) {
  const digits = String(number);
  if (digits.length <= WHOLE_DIGITS) return digits;
  return `${ends(digits)} (${group(String(digits.length))} digits)`;
}

/** @param {string} digits */
function ends(digits) {
  return `${digits.slice(0, DIGITS_AT_EACH_END)}…${digits.slice(-DIGITS_AT_EACH_END)}`;
}

/**
 * The total as the one large number, and how long it is where that does not show.
 * @param {Whole} total
 * @returns {{text: string, note: string}}
 */
export function large(total) {
  const digits = String(total);
  return digits.length <= WHOLE_DIGITS
    ? { text: group(digits), note: "" }
    : { text: ends(digits), note: `${group(String(digits.length))} digits` };
}

const BRIEF_DIGITS = 7;
const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/**
 * Write a number, whole or with its two ends, on a key: a long one by its size.
 * @param {string} text
 */
export function brief(text) {
  const parts = /^(\d+)(?:\D+\d+ \((\d+) digits\))?$/.exec(text.replaceAll(",", ""));
  const digits = parts?.[1] ?? "";
  const count = Number(parts?.[2] ?? digits.length);
  if (count <= BRIEF_DIGITS) return group(text);
  return `${digits[0]}.${digits[1]}×${powerOfTen(String(count - 1))}`;
}

/** @param {string} exponent in digits */
export function powerOfTen(exponent) {
  return `10${[...exponent].map((digit) => SUPERSCRIPTS[Number(digit)]).join("")}`;
}

/**
 * Write ascending numbers as people do: runs of three or more as a range, and of many
 * the first ones and the last.
 * @param {Whole[]} numbers
 */
export function writeSet(numbers) {
  /** @type {Whole[][]} */
  const runs = [];
  for (const number of numbers) {
    const run = runs.at(-1);
    if (run && BigInt(number) === BigInt(run.at(-1) ?? 0) + 1n) run.push(number);
    else runs.push([number]);
  }
  const parts = runs.flatMap((run) =>
    run.length > 2
      ? [`${plain(run[0] ?? 0)}-${plain(run.at(-1) ?? 0)}`]
      : run.map(plain),
  );
  const all = parts.join(", ");
  if (parts.length <= MOST_PARTS) return all;
  return `${parts.slice(0, MOST_PARTS - 2).join(", ")}, …, ${parts.at(-1)}`;
}

/** Drop what people write between groups of three digits: 1.5 is no 15. @param {string} text */
export function plainDigits(text) {
  const trimmed = text.trim();
  return /^\d{1,3}([\s,._'’]\d{3})+$/.test(trimmed)
    ? trimmed.replace(/\D/g, "")
    : trimmed;
}

/** @param {Length} length */
export function isSingle(length) {
  return length.number === 1;
}

/** @param {Length} length */
export function writeLength(length) {
  if (isSingle(length)) return "a single game";
  const { count, number } = length;
  return count === "games" ? `${number} games` : `${count} ${number}`;
}

/** Which game of which match this is; nothing for a single game. @param {State} state */
export function whichGame({ length, number, match_number }) {
  const match = match_number > 1 ? `match ${match_number}` : "";
  if (isSingle(length)) return match;
  const of =
    length.count === "first to"
      ? `game ${number}, ${writeLength(length)}`
      : `game ${number} of ${length.number}`;
  return match ? `${match}, ${of}` : of;
}

/** What can be learned by: its key, its name and what it does. */
export const LESSONS = /** @type {const} */ ([
  ["hints", "Hints", "Hint and Why? can be used during the game."],
  ["coach", "Coach", "Warns before a move gives the win away."],
  ["mental", "Mental arithmetic", "Asks for each product before it is shown."],
]);

/** @param {Seat} seat @returns {Seat} */
export function other(seat) {
  return seat === 1 ? 2 : 1;
}

/** Leave out the rules that a rule book draws around its lines, and group its numbers. @param {string} said @param {string[]} names */
export function plainly(said, names) {
  return groupBetween(said.replace(/\s*(?:-{3,}|={3,})\s*/g, " ").trim(), names);
}

/** Give a text its capital. @param {string} text */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Give a sentence its capital and its full stop. @param {string} text */
export function sentence(text) {
  return capital(text) + (/[.!?…]$/.test(text) ? "" : ".");
}

/** Whether only this machine can open a link. @param {string} link */
export function isLoopback(link) {
  return LOOPBACK.test(new URL(link, location.href).hostname);
}
