/**
 * The messages of the wire, as the server writes them.
 * @module
 */

/** A whole number; a string of digits where it has more than 15 of them.
 * @typedef {number | string} Whole */
/** @typedef {1 | 2} Seat */
/** @typedef {"reach" | "avoid" | "exact"} Ending */
/** @typedef {{ending: Ending, target: Whole, multipliers: Whole[], start: Whole}} Rules */
/** @typedef {{count: "best of" | "first to" | "games", number: number}} Length */
/** @typedef {{coach: boolean, hints: boolean, mental: boolean}} Lessons */
/** @typedef {{name: string, kind: string, taken: boolean}} SeatView */
/** @typedef {{multiplier: Whole, makes: string | null, place: number, ends: "wins" | "loses" | null}} KeyView */
/** @typedef {{left: number, right: number, text: string}} BandView */
/** @typedef {{left: number, right: number, seat: Seat, multiplier: Whole, is_turning_point: boolean}} HopView */
/** @typedef {"end" | "total" | "band" | "decade"} LabelKind */
/** @typedef {{place: number, text: string, kind: LabelKind, slack: number}} LabelView */
/** @typedef {{target: number, total: number | null, bands: BandView[], hops: HopView[], labels: LabelView[]}} LineView */
/** @typedef {{winner: Seat, reason: string}} Outcome */
/** @typedef {"take-back" | "give-move-back" | "keep-move" | "withdraw" | "resign" | "next-game" | "rematch"} Ask */

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
 * @property {Seat | null} your_seat
 * @property {Ask[]} may what this seat may ask for now, beside a move
 * @property {string} said
 * @property {string | null} coach
 * @property {LineView} line
 * @property {KeyView[]} keys
 * @property {string} [link]
 */

/** @typedef {{type: string, seat?: Seat, name?: string, multiplier?: Whole}} Happened */
/** @typedef {{events: Happened[], state: State}} Message */
/** @typedef {{here: [boolean, boolean], watching: number}} Presence */
/** @typedef {{kind: "product" | "loss" | "slip", multiplier: Whole, text: string, give_backs?: number | null}} Question */
/** @typedef {{error: string, detail: string, state?: State, question?: Question}} Refusal */
/** @typedef {{text: string, multiplier: Whole | null}} HintStep */
/** @typedef {{why: string, line: LineView}} WhyView */
/** @typedef {{number: number, player: Seat, total: Whole, multiplier: Whole, makes: Whole, grade: string, winning_moves: Whole[], comment: string}} GradedMove */
/** @typedef {{moves: GradedMove[], turning_point: number | null, story: string}} Review */
/** @typedef {{match_number: number, number: number, review: Review, line: LineView}} GameReview */
/** @typedef {{key: string, title: string, summary: string, rules: Rules, settles: string[]}} GameRow */
/** @typedef {{key: string, title: string, character: string}} LevelRow */
/** @typedef {{games: GameRow[], levels: LevelRow[]}} Choices */
/** @typedef {{rules: Rules, wins?: boolean, winning_moves?: Whole[], best_move?: Whole, distance?: number | null, total: Whole, outcome: Outcome | null, why: string, chain?: string[]}} Solution */
/** @typedef {{key: string, game: string, rules: Rules, total: Whole, level: number, question: string}} Puzzle */

export {};
