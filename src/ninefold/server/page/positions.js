/**
 * Totals that somebody can face: all of them where they are few, else one near a place.
 * @module
 */

/** @typedef {import("./messages.js").Rules} Rules */
/** @typedef {import("./messages.js").Whole} Whole */

const MOST_POSITIONS = 2000;
const MOST_TRIED = 5000;
const HIGHEST_LISTED = 10 ** 7;

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

/**
 * Every total that somebody can face, ascending; none where they are many.
 * @param {Rules} rules
 * @returns {number[]}
 */
export function positionsOf({ start, target, multipliers }) {
  const [from, to] = [Number(start), Number(target)];
  if (to > HIGHEST_LISTED) return [];
  const found = new Set([from]);
  for (const total of found) {
    for (const each of multipliers) {
      if (total * Number(each) < to) found.add(total * Number(each));
    }
    if (found.size > MOST_POSITIONS) return [];
  }
  return [...found].sort((a, b) => a - b);
}

/**
 * A total near a place: large hops most of the way, then whichever few come nearest.
 * @param {Rules} rules
 * @param {number} place
 * @returns {string}
 */
export function totalNear({ start, target, multipliers }, place) {
  const wanted = place * (logOf(target) - logOf(start));
  const hops = multipliers
    .map((each) => ({ times: BigInt(each), long: logOf(each) }))
    .sort((one, other) => one.long - other.long);
  const longest = hops.at(-1) ?? { times: 2n, long: Math.LN2 };
  const many = Math.max(Math.floor(wanted / longest.long) - 2, 0);
  let best = { times: longest.times ** BigInt(many), long: many * longest.long };
  const tried = new Map([[String(best.times), best]]);
  for (const { times, long } of tried.values()) {
    if (Math.abs(long - wanted) < Math.abs(best.long - wanted)) best = { times, long };
    for (const hop of hops) {
      const total = times * hop.times;
      const beyond = BigInt(start) * total >= BigInt(target);
      const far = long + hop.long > wanted + longest.long;
      if (beyond || far || tried.size >= MOST_TRIED) continue;
      tried.set(String(total), { times: total, long: long + hop.long });
    }
  }
  return String(BigInt(start) * best.times);
}
