/**
 * What this browser remembers: choices, and the matches to return to. Where a browser
 * forbids that, everything works and is forgotten.
 * @module
 */

/** @import { Seat, State, Whole } from "./state.js" */

/** What a list shows of a match; one that an earlier version kept has no total. @typedef {Pick<State, "title" | "seats" | "your_seat" | "is_shared" | "to_move" | "outcome" | "score" | "length" | "match_number" | "number" | "match_over" | "match_winner"> & {total?: Whole, target?: Whole, start?: Whole, first?: Seat, moves?: Whole[]}} Standing */
/** @typedef {{id: string, link: string, at: number, state?: Standing}} KeptMatch */

const MOST_MATCHES = 200;
const MOST_HOPS = 40; // a list draws no more of a game

/** @typedef {() => Storage} Place a browser may forbid even to ask for it */

/** @type {Place} */
const browser = () => localStorage;
/** @type {Place} */
const tab = () => sessionStorage;

/** What a pupil's page remembers: the next pupil uses the same device. @type {Map<string, unknown>} */
const untilLeft = new Map();
const isPupils = /^\/class\b/.test(location.pathname);

/** @param {Place} place @param {string} name @returns {unknown} */
function read(place, name) {
  if (untilLeft.has(name)) return untilLeft.get(name);
  try {
    return JSON.parse(place().getItem(`ninefold.${name}`) ?? "null");
  } catch {
    return null;
  }
}

/** @param {Place} place @param {string} name @param {unknown} value */
function write(place, name, value) {
  if (isPupils) {
    untilLeft.set(name, value);
    return;
  }
  try {
    place().setItem(`ninefold.${name}`, JSON.stringify(value));
  } catch {
    // It is full or forbidden; what is remembered is a comfort.
  }
}

/**
 * Read a choice; what was never chosen has a default.
 * @template T
 * @param {string} name
 * @param {T} otherwise
 * @returns {T}
 */
export function chosen(name, otherwise) {
  const kept = read(browser, name);
  return typeof kept === typeof otherwise && kept !== null
    ? /** @type {T} */ (kept)
    : otherwise;
}

/** @param {string} name @param {unknown} value */
export function choose(name, value) {
  write(browser, name, value);
}

/** The matches of this browser, the latest first; each rematch is one more. @returns {KeptMatch[]} */
export function everyMatch() {
  const kept = read(browser, "matches");
  return Array.isArray(kept) ? kept.filter((each) => typeof each?.id === "string") : [];
}

/** The matches to return to: of rematches, the last one. */
export function matches() {
  /** @type {Set<string>} */
  const seen = new Set();
  return everyMatch().filter(({ id }) => !seen.has(id) && seen.add(id));
}

/** What is kept of a state. @param {State} all @returns {Standing} */
function standingOf(all) {
  const { title, total, rules, seats, your_seat, is_shared, to_move, outcome } = all;
  const { score, length, match_number, number, match_over, match_winner } = all;
  const hops = all.moves.length <= MOST_HOPS ? all.moves : [];
  const line = { start: rules.start, first: all.first, moves: hops };
  const game = { title, total, target: rules.target, seats, your_seat, is_shared };
  const match = { score, length, match_number, number, match_over, match_winner };
  return { ...game, ...line, to_move, outcome, ...match };
}

/** Keep how a match stands, the latest first. @param {State} state @param {string} link */
export function keepMatch(state, link) {
  const { id } = state;
  const latest = { id, link, at: Date.now(), state: standingOf(state) };
  const others = everyMatch().filter((each) => each.id !== id || isBefore(each, state));
  write(browser, "matches", [latest, ...others].slice(0, MOST_MATCHES));
}

/** Whether it ended before its rematch. @param {KeptMatch} kept @param {State} rematch */
function isBefore({ state }, { match_number }) {
  return Boolean(state?.match_over && state.match_number < match_number);
}

/** Keep how a match stands now; its place and its day stay. @param {State} state */
export function updateMatch(state) {
  const kept = everyMatch();
  const index = kept.findIndex(({ id }) => id === state.id);
  const last = kept[index];
  if (!last) return;
  const latest = { ...last, state: standingOf(state) };
  kept.splice(index, 1, ...(isBefore(last, state) ? [latest, last] : [latest]));
  write(browser, "matches", kept);
}

/** @param {string} id */
export function forgetMatch(id) {
  write(
    browser,
    "matches",
    everyMatch().filter((each) => each.id !== id),
  );
}

/** @typedef {{ask?: {do: string, multiplier?: Whole}, seq?: number} & Record<string, unknown>} Body */
/** @typedef {{what: "log" | "seat", body: Body}} Unanswered */

/**
 * A request without an answer yet, which a reload of the tab must not lose.
 * @param {string} id
 */
export function unanswered(id) {
  return /** @type {Unanswered | null} */ (read(tab, `pending.${id}`));
}

/** @param {string} id @param {Unanswered | null} request */
export function keepUnanswered(id, request) {
  write(tab, `pending.${id}`, request);
}

/** @typedef {{request_id: string, seconds: number}} Answer */
/** @typedef {{seed: number, entries: string[], answer: Answer}} Entered */

/** What was entered at a step or a claim, which a reload must not lose. @param {string} walk */
export function entered(walk) {
  return /** @type {Entered | null} */ (read(tab, `walk.${walk}`));
}

/** @param {string} walk @param {Entered | null} all */
export function keepEntered(walk, all) {
  write(tab, `walk.${walk}`, all);
}

/** The days whose puzzle was solved, the earliest first. @returns {string[]} */
export function solvedDays() {
  const kept = read(browser, "solved");
  return Array.isArray(kept) ? kept.filter((each) => typeof each === "string") : [];
}

/** @param {string} day such as 2026-11-18 */
export function keepSolved(day) {
  write(browser, "solved", [...new Set([...solvedDays(), day])].sort());
}

export function forgetSolved() {
  write(browser, "solved", []);
}

/** Forget what was entered at every step and claim. */
export function forgetEntered() {
  try {
    for (const name of Object.keys(sessionStorage)) {
      if (name.startsWith("ninefold.walk.")) sessionStorage.removeItem(name);
    }
  } catch {
    // Then nothing was kept.
  }
}

/** Leave a match that was just made to the page that opens it. @param {State} state */
export function handOver(state) {
  write(tab, "made", state);
}

/** Take it, once: later it may be old. @param {string} id @returns {State | null} */
export function takeOver(id) {
  const state = /** @type {State | null} */ (read(tab, "made"));
  write(tab, "made", null);
  return state?.id === id ? state : null;
}
