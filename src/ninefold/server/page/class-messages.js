/**
 * The messages of a class, as the server writes them. These are types alone: no page
 * fetches this module.
 * @module
 */

/** @import { Lessons, LineView, Rules, Seat, Whole } from "./state.js" */

// What pages ask for

/** Without `names`, names are typed. @typedef {{names: string[][] | null}} Entrance */
/** @typedef {{do: "answer", answer: string}} GiveAnswer */
/** @typedef {{do: "leave-class"}} LeaveClass */
/** @typedef {GiveAnswer | LeaveClass} PupilAsk */
/** Without a level, the server chooses one for who has no partner. @typedef {{pupils: number[], level?: string | null}} Seating */
/** The game of every table; what is typed is a text. @typedef {{game: string, opponent: "friend", target?: string, multipliers?: string, lessons?: Partial<Lessons>}} RoundProposal */
/** @typedef {"winner" | "move"} QuestionKind */
/** @typedef {{asks: QuestionKind, book: string, rules: Rules, moves?: Whole[]}} ClassQuestion */
/**
 * @typedef {{do: "door", is_open: boolean}
 *   | {do: "roster", text: string}
 *   | {do: "let-in", pupil: number}
 *   | {do: "leave", pupil: number, is_sent_back?: boolean}
 *   | {do: "rename", pupil: number, names: string[]}
 *   | {do: "apart", pupils: [number, number], is_on?: boolean}
 *   | {do: "start-round", proposal: RoundProposal, minutes: number, tables: Seating[]}
 *   | {do: "open-table", table: Seating}
 *   | {do: "pause", is_on: boolean}
 *   | {do: "end-round"}
 *   | {do: "ask", question: ClassQuestion | null}
 *   | {do: "ask-typed", asks: QuestionKind, game: string, target?: string, multipliers?: string, total?: string}
 *   | {do: "play-vote"}
 *   | {do: "reveal"}
 *   | {do: "bands", are_open: boolean}
 *   | {do: "close"}} TeacherAsk
 */

// What the server shows

/** The end of the link is the teacher's secret. @typedef {{link: string}} CreatedClass */
/** @typedef {{number: number, title: string, aim: string, minutes: number, seconds_left: number, is_paused: boolean}} RoundView */
/** A position, in words and as a line without bands. @typedef {{book: string, title: string, aim: string, rules: Rules, moves: Whole[], total: Whole, text: string, line: LineView}} PositionView */
/** @typedef {{key: string, label: string}} ChoiceView */
/** @typedef {{key: string, count: number}} BarView */
/** @typedef {{right: string[], text: string, line: LineView}} TruthView */

/**
 * @typedef {object} PollView
 * @property {QuestionKind} asks
 * @property {string} text the question
 * @property {PositionView} position
 * @property {ChoiceView[]} choices none once a vote has ended the game
 * @property {string | null} own the answer of this device
 * @property {number} answered how many have answered
 * @property {number} of how many can answer
 * @property {BarView[] | null} bar the answers of the class, once they are shown
 * @property {TruthView | null} truth once it is shown; never for a game too large to solve; who wins, where a vote has ended the game
 * @property {boolean} shows_truth
 */

/** @typedef {{number: number, match: string}} SeatAtTable */
/** @typedef {"knocks" | "waits" | "plays" | "sent-back" | "moved" | "left" | "over"} PupilStatus */

/**
 * @typedef {object} PupilView
 * @property {"pupil"} role
 * @property {number} revision
 * @property {PupilStatus} status where it `moved`, the pupil plays on another device
 * @property {string} text what happens now, in a short sentence
 * @property {string} name
 * @property {SeatAtTable | null} table
 * @property {RoundView | null} round
 * @property {PollView | null} poll
 * @property {boolean} bands_are_open
 */

/**
 * @typedef {object} PupilRow
 * @property {number} number
 * @property {string[]} names
 * @property {string} name
 * @property {boolean} is_here
 * @property {boolean} has_left
 * @property {boolean} knocks
 * @property {boolean} is_away
 * @property {boolean} is_duel
 * @property {number | null} table the number of the table
 * @property {number[]} apart the pupils who must not meet this one
 */

/**
 * @typedef {object} TableRow
 * @property {number} number
 * @property {string} match
 * @property {number[]} pupils
 * @property {string | null} level
 * @property {[string, string]} names in the order of the seats
 * @property {number} game the number of the game at this table
 * @property {Whole} total
 * @property {Seat | null} to_move null once the game is over
 * @property {LineView} line
 */

/** The tables that have changed. @typedef {{tables: TableRow[]}} BoardUpdate */

/**
 * @typedef {object} TeacherView
 * @property {"teacher"} role
 * @property {number} revision
 * @property {string} code
 * @property {boolean} is_open
 * @property {boolean} is_closed
 * @property {boolean} has_roster
 * @property {string[]} absent the lines of the roster who have not joined yet
 * @property {PupilRow[]} pupils
 * @property {number[]} waiting
 * @property {number} rounds
 * @property {RoundView | null} round
 * @property {TableRow[]} tables
 * @property {PollView | null} poll
 * @property {boolean} bands_are_open
 * @property {boolean} keeps_bands whether this server answers no pupil elsewhere either
 * @property {string | null} reached_from the last address from which a device came
 */

/** @typedef {{url: string, qr: string}} Address its link as a QR code, in SVG */
/** The likeliest address first. @typedef {{addresses: Address[]}} Network */
/** @typedef {{tables: Seating[]}} SeatingPlan */
/** Empty where there is nothing to say. @typedef {{text: string}} RoundAdvice */
/** @typedef {{round: number, table: number, number: number, names: [string, string], first: Seat, book: string, title: string, rules: Rules, moves: Whole[], totals: Whole[], is_over: boolean, line: LineView}} ClassGame */
/** The latest first. @typedef {{games: ClassGame[]}} ClassGames */
/** @typedef {{count: number, of: number}} Share */

/**
 * @typedef {object} ResultRow
 * @property {number} pupil
 * @property {string} name
 * @property {number} games those that ended
 * @property {number} unfinished
 * @property {Share} won_from_won of the games whose start was won for this pupil
 * @property {Share} won_from_lost
 * @property {Share} kept won positions kept, of those at which the pupil was to move
 * @property {number} right products that were right at once
 * @property {string[]} shaky products that were wrong, or right with help only
 * @property {string} next_step
 */

/** @typedef {{rows: ResultRow[]}} ClassResults */

export {};
