/**
 * What follows from a state, and from one after another.
 * @module
 */

import { other } from "./words.js";

/** @typedef {import("./wire.js").State} State */

/** Whether every multiplier is a key of the keyboard. @param {State | null} state */
export function isKeyed(state) {
  return (
    state?.keys.every(({ multiplier }) => String(multiplier).length === 1) ?? false
  );
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
  const mover = before.to_move && before.seats[before.to_move - 1];
  return isNextMove(before, after) && mover !== null && mover?.kind !== "human";
}

/** @param {State} state */
export function titleOf({ title, your_seat, to_move, outcome, seats }) {
  if (outcome) return `${seats[outcome.winner - 1]?.name} wins · ${title}`;
  if (your_seat && to_move === your_seat) return `Your move · ${title}`;
  const waits = your_seat && !seats[other(your_seat) - 1]?.taken;
  return waits ? `Waiting · ${title}` : title;
}
