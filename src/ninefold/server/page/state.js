/**
 * What follows from a state, and from one after another.
 * @module
 */

import { other } from "./words.js";

/** @typedef {import("./messages.js").State} State */
/** @typedef {import("./messages.js").Seat} Seat */

/** @param {State} state @param {Seat} seat */
export function seatOf({ seats: [one, two] }, seat) {
  return seat === 1 ? one : two;
}

/** @param {State} state @param {Seat} seat */
export function nameOf(state, seat) {
  return seatOf(state, seat).name;
}

/** @param {State} before @param {State} after */
export function isNextMove(before, after) {
  return (
    after.match_number === before.match_number &&
    after.number === before.number &&
    after.moves.length === before.moves.length + 1
  );
}

/** @param {State} before @param {State} after */
export function isMoveOfLevel(before, after) {
  const { to_move: mover } = before;
  return (
    isNextMove(before, after) &&
    mover !== null &&
    seatOf(before, mover).kind !== "human"
  );
}

/** @param {State} state */
export function titleOf(state) {
  const { title, your_seat, to_move, outcome } = state;
  if (outcome) return `${nameOf(state, outcome.winner)} wins · ${title}`;
  const waits = your_seat && !seatOf(state, other(your_seat)).taken;
  if (waits) return `Waiting · ${title}`;
  return your_seat && to_move === your_seat ? `Your move · ${title}` : title;
}

/** Whether the seat that was free is somebody else's now. @param {State} before @param {State} after */
export function isSeatGone(before, after) {
  return (
    after.your_seat === null &&
    before.seats.some(({ taken }) => !taken) &&
    after.seats.every(({ taken }) => taken)
  );
}

/** @param {State} state */
export function seatIsGone(state) {
  return `${nameOf(state, 2)} has taken the seat; you can watch.`;
}
