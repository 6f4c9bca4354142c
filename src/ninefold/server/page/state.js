/**
 * What a page knows: the messages of the wire, as the server writes them; of its match,
 * all that `table.js` shows; and what follows from one state, or from two.
 * @module
 */

import * as storage from "./storage.js";
import { other, plainly } from "./text.js";

/** @import { Child } from "./dom.js" */

const NO_END = " (1,000 games)"; // a table of a class plays on until its round ends

/** A whole number; a string of digits where it has more than 15 of them.
 * @typedef {number | string} Whole */
/** @typedef {1 | 2} Seat */
/** @typedef {"reach" | "avoid" | "exact"} Ending */
/** @typedef {{ending: Ending, target: Whole, multipliers: Whole[], start: Whole}} Rules */
/** @typedef {{count: "best of" | "first to" | "games", number: number}} Length */
/** @typedef {{coach: boolean, give_backs?: number, hints: boolean, mental: boolean}} Lessons */
/** @typedef {{name: string, kind: string, taken: boolean}} SeatView */
/** @typedef {{multiplier: Whole, makes: string | null, place: number | null, ends: "wins" | "loses" | "right" | "no" | null}} KeyView the last but one of a puzzle, once tried */
/** @typedef {{left: number, right: number, text: string}} BandView */
/** @typedef {{left: number, right: number, seat: Seat, multiplier: Whole, is_turning_point: boolean}} HopView */
/** @typedef {"end" | "total" | "band" | "decade"} LabelKind */
/** @typedef {{place: number, text: string, kind: LabelKind, slack: number}} LabelView */
/** @typedef {{target: number, total: number | null, bands: BandView[], hops: HopView[], labels: LabelView[]}} LineView */
/** @typedef {LineView & {stops: Whole[], caption: string}} ExploredLine */
/** @typedef {{winner: Seat, reason: string}} Outcome */
/** @typedef {"take-back" | "allow-take-back" | "decline-take-back" | "withdraw" | "resign" | "next-game" | "rematch"} PlainAsk what a seat may ask for beside a move */

/**
 * @typedef {object} State
 * @property {string} id
 * @property {number} seq
 * @property {string} game
 * @property {string} title
 * @property {string} aim
 * @property {Rules} rules
 * @property {Length} length
 * @property {number} match_number
 * @property {number} number
 * @property {Seat} first
 * @property {Whole[]} moves
 * @property {Whole} total
 * @property {string | null} product
 * @property {Seat | null} to_move
 * @property {Outcome | null} outcome
 * @property {[number, number]} score
 * @property {boolean} match_over
 * @property {Seat | null} match_winner
 * @property {[SeatView, SeatView]} seats
 * @property {Lessons} lessons
 * @property {boolean} may_take_back
 * @property {Seat | null} takeback
 * @property {Seat | null} rematch
 * @property {Seat | null} your_seat where both sit here, the one to move
 * @property {boolean} is_shared whether both sit here
 * @property {{do: PlainAsk}[]} may what this seat may ask for now
 * @property {[string, string]} notes what is written beside each name
 * @property {string} turn for whom the match waits
 * @property {Label} headline who has won
 * @property {Offer[]} offers what can be done after a game
 * @property {string} no_hint why no hint is given now; empty if one is
 * @property {string} ending how the game ended, where something was said since
 * @property {string} said
 * @property {string} marked whether the product just given was right
 * @property {string} warning of the move just made, where none can be given back
 * @property {string | null} coach
 * @property {LineView} line
 * @property {KeyView[]} keys
 * @property {string} [link]
 */

/** A text with the place of a name, {name}. @typedef {{text: string, name: string}} Label */
/** @typedef {{kind: "next" | "cancel" | "review" | "practise", label: Label, ask: {do: PlainAsk} | null}} Offer */
/** @typedef {{type: string, seat?: Seat}} MatchEvent */
/** @typedef {{events: MatchEvent[], state: State}} Message */
/** @typedef {{connected: [boolean, boolean], watching: number}} Presence */
/** What a seat asks for. @typedef {{do: string, multiplier?: Whole, answer?: Whole, helped?: boolean}} Ask */
/** @typedef {{label: string, ask: Ask | null, says: string}} AnswerView */
/** @typedef {{kind: "product" | "loss" | "slip", multiplier: Whole, title: string, text: string, answers: AnswerView[], help: string[], told: AnswerView | null, marked: string}} Question */
/** @typedef {{error: string, detail: string, field?: string, state?: State, question?: Question}} Refusal */
/** @typedef {{text: string, multiplier: Whole | null}} HintStep */
/** @typedef {{why: string, line: LineView}} WhyView */
/** @typedef {{number: number, player: Seat, total: Whole, multiplier: Whole, makes: Whole, grade: string, grade_text: string, winning_moves: Whole[], comment: string}} GradedMove */
/** @typedef {{moves: GradedMove[], story: string}} Review */
/** @typedef {{match_number: number, number: number, winner: Seat}} EndedGame */
/** @typedef {{label: Label, ask: {moves: Whole[]}}} Retry */
/** @typedef {{match_number: number, number: number, first: Seat, review: Review, line: LineView, caption: string, answers: (Whole | null)[], games: EndedGame[], retry: Retry | null}} GameReview */
/** @typedef {{key: string, title: string, summary: string, apart: string, rules: Rules, settles: string[]}} GameRow */
/** @typedef {{key: string, title: string, character: string}} LevelRow */
/** @typedef {{games: GameRow[], levels: LevelRow[]}} Choices */
/** @typedef {{rules: Rules, headline: string, wins?: boolean, winning_moves?: Whole[], best_move?: Whole, distance?: number | null, total: Whole, outcome: Outcome | null, why: string, chain?: string[]}} Solution */
/** @typedef {{key: string, question: string, task: string, origin: string, state: State}} Puzzle */

/** How a review is drawn, once that is loaded. @typedef {typeof import("./review.js").reviewView} ReviewView */
/** @typedef {{kind: "hint", steps: HintStep[], shown: number, line: LineView | null}} HintPanel */
/** @typedef {{kind: "why", why: string, line: LineView}} WhyPanel */

/**
 * @typedef {object} Model
 * @property {State | null} state
 * @property {string} missing why there is no match to show
 * @property {Presence | null} presence
 * @property {boolean} lost whether the connection is
 * @property {string} closed that the host has left, until the connection is back
 * @property {{what: string, multiplier?: Whole} | null} pending what waits for an answer
 * @property {string} notice
 * @property {Question | null} question what is asked in the place of the keys
 * @property {boolean} ready whether what is asked there can be answered yet
 * @property {string} problem what is wrong with the one field of a screen
 * @property {HintPanel | WhyPanel | null} panel
 * @property {Whole | null} pointed the key that is hovered or focused
 * @property {boolean} inClass whether it is a table of a class, from where no way leads on
 * @property {boolean} mayLook whether reasons and reviews are open to this seat
 * @property {boolean} products whether keys show what they make
 * @property {boolean} watching
 * @property {(() => Child) | null} howToPlay draws the three pictures, once they are here
 * @property {boolean} fresh whether the last hop was just made
 * @property {{view: ReviewView, game: GameReview, step: number} | null} review
 * @property {string} link
 * @property {string} copied what became of copying the link
 * @property {number} width
 */

/**
 * Whoever plays at a table: a match, or a game of the path.
 * @typedef {object} Player
 * @property {HTMLElement} root
 * @property {Model} model
 * @property {boolean} mayMove
 * @property {string} typed the first digits of a multiplier
 * @property {(multiplier: Whole) => unknown} play
 * @property {(change: Partial<Model>) => void} set
 * @property {(text: string, passing?: boolean) => void} notify
 */

/**
 * Before the first answer of the server.
 * @param {string} id
 * @param {number} width
 * @returns {Model}
 */
export function nothingYet(id, width) {
  const kept = storage.matches().find((each) => each.id === id);
  return {
    state: null,
    missing: "",
    presence: null,
    lost: false,
    closed: "",
    pending: null,
    notice: "",
    question: null,
    ready: true,
    problem: "",
    panel: null,
    pointed: null,
    inClass: false,
    mayLook: true,
    products: storage.chosen("products", true),
    watching: false,
    howToPlay: null,
    fresh: false,
    review: null,
    link: kept?.link ?? location.origin + location.pathname,
    copied: "",
    width,
  };
}

/** @param {State} state @param {Seat} seat */
export function seatOf({ seats: [one, two] }, seat) {
  return seat === 1 ? one : two;
}

/** @param {State} state @param {Seat} seat */
export function nameOf(state, seat) {
  return seatOf(state, seat).name;
}

/** What was said last, or at another time, as the page writes it. @param {State} state */
export function saidOf(state, said = state.said) {
  const names = state.seats.map(({ name }) => name).filter(Boolean);
  return plainly(said, names).replace(NO_END, "");
}

/** Whether this seat may ask for something now. @param {State} state @param {PlainAsk} what */
export function allows({ may }, what) {
  return may.some((ask) => ask.do === what);
}

/** Whether the other player waits for this seat's answer to a request. @param {State} state */
export function isAskedForTakeBack({ your_seat, takeback, outcome }) {
  return Boolean(your_seat && !outcome && takeback === other(your_seat));
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

/** What is said to whoever is to move here and was not before; where two share a screen, by name. @param {State | null} before @param {State} after */
export function newTurn(before, after) {
  const { to_move, moves, coach } = after;
  const same = before && hasTurn(before) && `${before.moves}` === `${moves}`;
  if (same || !to_move || !hasTurn(after)) return [];
  const name = nameOf(after, to_move);
  return [coach ?? "", after.is_shared ? `${name}, it is your turn.` : "Your move."];
}

/** @param {State} state */
function hasTurn({ your_seat, to_move, seats }) {
  return your_seat && your_seat === to_move && seats.every(({ taken }) => taken);
}

/** @param {State} state */
export function titleOf(state) {
  const { title, your_seat, to_move, outcome } = state;
  const won = !state.is_shared && outcome?.winner === your_seat;
  if (outcome) {
    return `${won ? "You win" : `${nameOf(state, outcome.winner)} wins`} · ${title}`;
  }
  const waits = your_seat && !seatOf(state, other(your_seat)).taken;
  if (waits) return `Waiting · ${title}`;
  if (state.is_shared && to_move) return `${nameOf(state, to_move)}'s turn · ${title}`;
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
  return `${nameOf(state, 2)} has joined.`;
}

/** @param {State} state @returns {Seat} */
export function lastMover({ first, moves }) {
  return moves.length % 2 === 1 ? first : other(first);
}

/** @type {WeakMap<Whole[], string[]>} */
const known = new WeakMap();

/** The total after each move. @param {State} state */
export function totals({ rules, moves }) {
  const found = known.get(moves) ?? [];
  if (!known.has(moves)) {
    let total = BigInt(rules.start);
    for (const move of moves) {
      total *= BigInt(move);
      found.push(String(total));
    }
    known.set(moves, found);
  }
  return found;
}
