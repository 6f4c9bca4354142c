/**
 * The form of a round: which game, how long, what is allowed, and who plays whom.
 * @module
 */

import { get, problemOf } from "./api.js";
import { field, focusProblem, h, named } from "./dom.js";
import { games } from "./new-match.js";
import { group, LESSONS, plainDigits, shorten } from "./text.js";

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

/** What the next round is made of. */
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
    try {
      /** @type {Choices} */
      const choices = await get("/api/choices");
      this.chosen.game = gameFor(this.chosen.game, choices);
      this.choices = choices;
      await this.advise();
    } catch (error) {
      this.teach.set({ problem: problemOf(error) });
    }
  }

  /** Plan anew where other pupils are here. @param {TeacherView} view */
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
    /** @type {SeatingPlan} */
    const none = { tables: [] };
    try {
      /** @type {SeatingPlan} */
      const planned = await get(`/api/class/plan?who=${this.chosen.who}`);
      if (this.plannedFor === wanted) this.tables = planned.tables;
    } catch (error) {
      this.tables = none.tables;
      this.plannedFor = "";
      this.teach.set({ problem: problemOf(error) });
    }
    this.picked = null;
    this.teach.draw();
  }

  /** @param {Partial<RoundChoice>} change */
  change(change) {
    const { game, target, minutes, who, lessons } = { ...this.chosen, ...change };
    this.chosen = { game, target, minutes, who, lessons };
    this.problem = "";
    clearTimeout(this.timer);
    if ("game" in change || "target" in change) {
      this.advice = "";
      this.timer = setTimeout(() => this.advise(), TYPING);
    }
    if (this.teach.view) this.update(this.teach.view);
    this.teach.draw();
  }

  /** Ask what a round of this game is like. */
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

  /** Start the round; return whether it started. */
  async start() {
    const { game, target, minutes, lessons } = this.chosen;
    const count = Number(minutes);
    if (!Number.isInteger(count) || count < 1 || count > MOST_MINUTES) {
      this.problem = NO_MINUTES;
      this.teach.drawNow();
      focusProblem(this.teach.root);
      return false;
    }
    return this.teach.ask({
      do: "start-round",
      proposal: {
        game,
        opponent: "friend",
        ...(target.trim() ? { target: plainDigits(target) } : {}),
        lessons,
      },
      minutes: count,
      tables: this.tables,
    });
  }

  /** @param {TeacherView} view */
  view(view) {
    const { choices, chosen } = this;
    const game =
      choices?.games.find(({ key }) => key === chosen.game) ?? choices?.games[0];
    return [
      h("h1", { key: "title", tabindex: -1 }, `Round ${view.rounds + 1}`),
      choices && game
        ? this.form(view, choices, game)
        : h("p", { key: "loading", class: "loading" }, "…"),
    ];
  }

  /** @param {TeacherView} view @param {Choices} choices @param {GameRow} game */
  form(view, choices, game) {
    return h(
      "form",
      {
        key: "round",
        class: "round-form",
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          this.teach.startRound();
        },
      },
      this.game(choices, game),
      h(
        "div",
        { class: "card" },
        this.who(),
        this.allowed(view),
        this.plannedTables(view),
        h(
          "button",
          { class: "primary wide", "aria-disabled": this.tables.length === 0 },
          "Start the round",
        ),
      ),
    );
  }

  /** The game, its target, and the minutes. @param {Choices} choices @param {GameRow} game */
  game(choices, game) {
    const { chosen, advice, problem } = this;
    const isOfMinutes = problem === NO_MINUTES;
    /** @param {"target" | "minutes"} key */
    const follow =
      (key) =>
      (/** @type {Event} */ { target }) =>
        this.change({ [key]: /** @type {HTMLInputElement} */ (target).value });
    return h(
      "div",
      { class: "card" },
      games(choices, game, chosen, (change) => this.change(change)),
      h("p", { key: "advice", class: "advice", role: "status" }, group(advice)),
      h(
        "div",
        { class: "grid" },
        field("Target", {
          value: chosen.target,
          inputmode: "numeric",
          autocomplete: "off",
          placeholder: shorten(game.rules.target),
          oninput: follow("target"),
          problem: isOfMinutes ? "" : problem,
        }),
        field("Minutes", {
          value: chosen.minutes,
          inputmode: "numeric",
          autocomplete: "off",
          oninput: follow("minutes"),
          problem: isOfMinutes ? problem : "",
        }),
      ),
    );
  }

  who() {
    return h(
      "fieldset",
      { key: "who" },
      h("legend", {}, "Who plays whom"),
      h(
        "div",
        { class: "segments" },
        WHO.map(([key, title, note]) =>
          h(
            "label",
            { key },
            h("input", {
              type: "radio",
              name: "who",
              value: key,
              checked: key === this.chosen.who,
              onchange: () => this.change({ who: key }),
            }),
            h("strong", {}, title),
            " ",
            h("small", {}, note),
          ),
        ),
      ),
    );
  }

  /** @param {TeacherView} view */
  allowed({ keeps_bands }) {
    const { lessons } = this.chosen;
    return h(
      "fieldset",
      { key: "allowed" },
      h("legend", {}, "What is allowed"),
      LESSONS.map(([key, title, told]) =>
        h(
          "label",
          { key, class: "check" },
          h("input", {
            type: "checkbox",
            checked: lessons[key],
            onchange: () =>
              this.change({ lessons: { ...lessons, [key]: !lessons[key] } }),
          }),
          h("span", {}, h("strong", {}, title), " ", h("small", {}, told)),
        ),
      ),
      !keeps_bands &&
        h(
          "p",
          { key: "public", class: "soft" },
          "This server is public: pupils can look a game up on its other pages.",
        ),
    );
  }

  /** Who would play whom, folded: a projector shows no names by itself. @param {TeacherView} view */
  plannedTables({ pupils }) {
    const { tables, picked } = this;
    const byNumber = new Map(pupils.map((each) => [each.number, each]));
    const count = tables.length === 1 ? "1 table" : `${tables.length} tables`;
    const isDuel = (/** @type {number} */ each) => byNumber.get(each)?.is_duel;
    const alone = tables.filter(
      ({ pupils: [one = 0, two] }) => !two && !isDuel(one),
    ).length;
    const levels = alone > 0 ? `, ${alone} with a level` : "";
    if (tables.length === 0) {
      return h("p", { key: "plan", class: "soft" }, "Nobody is here to play yet.");
    }
    return h(
      "details",
      { key: "plan", class: "options plan" },
      h("summary", {}, h("strong", {}, "Tables"), " ", h("span", {}, count + levels)),
      h(
        "div",
        {},
        h("p", { class: "soft" }, "Tap two names to swap them."),
        h(
          "ol",
          {},
          tables.map(({ pupils: seated }, index) =>
            h(
              "li",
              { key: index },
              h("span", { class: "soft" }, index + 1),
              seated.map((each) => this.seat(byNumber.get(each), each === picked)),
              seated.length === 1 &&
                h(
                  "span",
                  { class: "soft" },
                  isDuel(seated[0] ?? 0) ? "on one device" : "a level",
                ),
            ),
          ),
        ),
      ),
    );
  }

  /** @param {PupilRow | undefined} pupil @param {boolean} isPicked */
  seat(pupil, isPicked) {
    if (!pupil) return null;
    if (pupil.is_duel) return named(pupil.name);
    return h(
      "button",
      {
        key: pupil.number,
        type: "button",
        "aria-pressed": isPicked,
        onclick: () => this.tap(pupil.number),
      },
      named(pupil.name),
    );
  }
}

/** A game that is wanted, or the usual one where there is none of its key. @param {string} wanted @param {Choices} choices */
export function gameFor(wanted, { games }) {
  return games.some(({ key }) => key === wanted) ? wanted : USUAL_GAME;
}
