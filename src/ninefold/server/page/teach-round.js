/**
 * The form of a round: which game, how long, what is allowed, and who plays whom.
 * @module
 */

import { get, problemOf } from "./api.js";
import {
  button,
  entryOf,
  field,
  focusProblem,
  folded,
  h,
  named,
  tiles,
  WHOLE,
} from "./dom.js";
import { games, lessonBoxes } from "./new-match.js";
import { board } from "./teach-board.js";
import { group, plainDigits, shorten } from "./text.js";

/** @import { PupilRow, RoundAdvice, Seating, SeatingPlan, TeacherView } from "./class-messages.js" */
/** @import { Choices, GameRow, Lessons } from "./state.js" */
/** @import { Teach } from "./teach.js" */

/** @typedef {"pair" | "same" | "level"} Who */
/** @typedef {{game: string, target: string, minutes: string, who: Who, lessons: Lessons}} RoundChoice */

const TYPING = 150;
const USUAL_GAME = "multiplier-showdown";
const MOST_MINUTES = 90;
const NO_MINUTES = `A round has 1 to ${MOST_MINUTES} minutes.`;
/** @type {[Who, string, string][]} */
const WHO = [
  ["pair", "Pair", "new partners"],
  ["same", "Same partners", "as before"],
  ["level", "A level", "everybody"],
];

/** The form of the next round, and the board of a running one. */
export class RoundForm {
  /** @param {Teach} teach */
  constructor(teach) {
    this.teach = teach;
    /** @type {Choices | null} */
    this.choices = null;
    /** @type {RoundChoice} */
    this.chosen = {
      game: new URLSearchParams(location.search).get("game") ?? USUAL_GAME,
      target: "",
      minutes: "8",
      who: "pair",
      lessons: { coach: false, hints: false, mental: false },
    };
    this.advice = "";
    this.problem = "";
    /** @type {Seating[]} */
    this.tables = [];
    this.plannedFor = "";
    /** The pupil to swap with the next one. @type {number | null} */
    this.picked = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  async open() {
    if (this.choices) return;
    /** @type {Choices | null} */
    const choices = await this.teach.load("/api/choices");
    if (!choices) return;
    const isKnown = choices.games.some(({ key }) => key === this.chosen.game);
    if (!isKnown) this.chosen.game = USUAL_GAME;
    this.choices = choices;
    await this.advise();
  }

  /** Plan the tables again once the pupils have changed. @param {TeacherView} view */
  update({ pupils, round, is_closed, rounds }) {
    const here = pupils.filter(({ is_here }) => is_here);
    const key = here.map(({ number, apart }) => `${number}/${apart}`).join(" ");
    const wanted = `${rounds} ${this.chosen.who} ${key}`;
    if (round || is_closed || this.plannedFor === wanted) return;
    this.plannedFor = wanted;
    this.plan(wanted);
  }

  /** @param {string} wanted */
  async plan(wanted) {
    /** @type {SeatingPlan | null} */
    const plan = await this.teach.load(`/api/class/plan?who=${this.chosen.who}`);
    if (this.plannedFor !== wanted) return;
    if (!plan) this.plannedFor = "";
    this.tables = plan?.tables ?? [];
    this.picked = null;
    this.teach.draw();
  }

  /** @param {Partial<RoundChoice>} change */
  change(change) {
    Object.assign(this.chosen, change);
    this.problem = "";
    clearTimeout(this.timer);
    if ("game" in change || "target" in change) {
      this.advice = "";
      this.timer = setTimeout(() => this.advise(), TYPING);
    }
    if (this.teach.view) this.update(this.teach.view);
    this.teach.draw();
  }

  /** Ask whether the game is short or one-sided. */
  async advise() {
    const { game, target } = this.chosen;
    const query = new URLSearchParams({ game });
    if (target.trim()) query.set("target", plainDigits(target));
    try {
      /** @type {RoundAdvice} */
      const { text } = await get(`/api/class/advice?${query}`);
      this.advice = text;
    } catch (error) {
      this.problem = group(problemOf(error));
    }
    this.teach.draw();
  }

  /** Swap the seats of two pupils, at the second tap. @param {number} pupil */
  tap(pupil) {
    const { picked } = this;
    this.picked = picked === null ? pupil : null;
    if (picked !== null && picked !== pupil) {
      /** @param {number} each */
      const swapped = (each) => ({ [picked]: pupil, [pupil]: picked })[each] ?? each;
      this.tables = this.tables.map(({ pupils, level }) => {
        const isSame = pupils.every((each) => swapped(each) === each);
        return isSame ? { pupils, level } : { pupils: pupils.map(swapped) };
      });
    }
    this.teach.draw();
  }

  /** Start the round, or go to what is wrong. */
  start() {
    const { game, target, minutes, lessons } = this.chosen;
    const count = Number(minutes);
    if (!Number.isInteger(count) || count < 1 || count > MOST_MINUTES) {
      this.problem = NO_MINUTES;
      this.teach.drawNow();
      focusProblem(this.teach.root);
      return;
    }
    const typed = target.trim() ? { target: plainDigits(target) } : {};
    this.teach.ask({
      do: "start-round",
      proposal: { game, opponent: "friend", ...typed, lessons },
      minutes: count,
      tables: this.tables,
    });
  }

  /** @param {TeacherView} view */
  view(view) {
    if (view.round) return board(this.teach, view, view.round);
    const { choices, chosen } = this;
    const game = choices?.games.find(({ key }) => key === chosen.game);
    return [
      h("h1", { key: "title", tabindex: -1 }, `Round ${view.rounds + 1}`),
      choices && game
        ? this.form(view, choices, game)
        : h("p", { key: "loading", class: "loading" }, "…"),
    ];
  }

  /** @param {TeacherView} view @param {Choices} choices @param {GameRow} game */
  form({ pupils, keeps_bands }, choices, game) {
    const { chosen, advice, problem } = this;
    const isOfMinutes = problem === NO_MINUTES;
    return h(
      "form",
      {
        key: "round",
        class: "round-form",
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          this.start();
        },
      },
      h(
        "div",
        { class: "card" },
        games(choices, game, chosen, ({ game, target }) =>
          this.change({ game, target }),
        ),
        h("p", { key: "advice", class: "advice", role: "status" }, group(advice)),
        h(
          "div",
          { class: "grid" },
          field("Target", {
            ...WHOLE,
            value: chosen.target,
            placeholder: shorten(game.rules.target),
            oninput: (/** @type {Event} */ event) =>
              this.change({ target: entryOf(event) }),
            problem: isOfMinutes ? "" : problem,
          }),
          field("Minutes", {
            ...WHOLE,
            value: chosen.minutes,
            oninput: (/** @type {Event} */ event) =>
              this.change({ minutes: entryOf(event) }),
            problem: isOfMinutes ? problem : "",
          }),
        ),
      ),
      h(
        "div",
        { class: "card" },
        h(
          "fieldset",
          {},
          h("legend", {}, "Who plays whom"),
          h(
            "div",
            { class: "segments" },
            tiles("who", WHO, chosen.who, (event) =>
              this.change({ who: /** @type {Who} */ (entryOf(event)) }),
            ),
          ),
        ),
        h(
          "fieldset",
          {},
          h("legend", {}, "What is allowed"),
          lessonBoxes(chosen.lessons, (lessons) => this.change({ lessons })),
          !keeps_bands &&
            h(
              "p",
              { key: "public", class: "soft" },
              "This server is public: pupils can look a game up on its other pages.",
            ),
        ),
        this.plannedTables(pupils),
        h(
          "button",
          { class: "primary wide", "aria-disabled": this.tables.length === 0 },
          "Start the round",
        ),
      ),
    );
  }

  /** The planned tables, folded: a projector shows no names by itself. @param {PupilRow[]} pupils */
  plannedTables(pupils) {
    if (this.tables.length === 0) {
      return h("p", { key: "plan", class: "soft" }, "Nobody is here to play yet.");
    }
    const byNumber = new Map(pupils.map((each) => [each.number, each]));
    const tables = this.tables.map(({ pupils: seated }) =>
      seated.flatMap((number) => byNumber.get(number) ?? []),
    );
    const alone = tables.filter((seated) => opponentOf(seated) === "a level").length;
    const count = tables.length === 1 ? "1 table" : `${tables.length} tables`;
    return folded("Tables", alone > 0 ? `${count}, ${alone} with a level` : count, [
      h("p", { class: "soft" }, "Tap two names to swap them."),
      h(
        "ol",
        { class: "plan" },
        tables.map((seated, index) =>
          h(
            "li",
            { key: index },
            h("span", { class: "soft" }, index + 1),
            seated.map((pupil) => this.seat(pupil)),
            h("span", { class: "soft" }, opponentOf(seated)),
          ),
        ),
      ),
    ]);
  }

  /** @param {PupilRow} pupil */
  seat({ number, name, is_duel }) {
    if (is_duel) return named(name);
    const props = { key: number, "aria-pressed": number === this.picked };
    return button(named(name), () => this.tap(number), props);
  }
}

/** Name the opponent at a table without a second pupil. @param {PupilRow[]} seated */
function opponentOf([one, two]) {
  if (two) return "";
  return one?.is_duel ? "on one device" : "a level";
}
