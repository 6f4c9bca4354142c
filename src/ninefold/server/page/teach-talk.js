/**
 * The talk: a game of the class, or a position that is typed, step by step on the
 * projector; two questions about it; and the answers, the truth and its reason.
 * @module
 */

import { announce } from "./announcements.js";
import { get, problemOf } from "./api.js";
import { field, h, named, pick } from "./dom.js";
import { smallLine } from "./teach-board.js";
import { picture, question } from "./teach-question.js";
import { gameFor } from "./teach-round.js";
import { large, plainDigits, shorten } from "./text.js";

/** @import { ClassGame, ClassGames, PollView, QuestionKind, TeacherView } from "./class-messages.js" */
/** @import { Choices, LineView } from "./state.js" */
/** @import { Teach } from "./teach.js" */

const MOST_SHOWN = 12;
/** @type {[QuestionKind, string][]} */
const QUESTIONS = [
  ["winner", "Who wins from here?"],
  ["move", "Which move?"],
];

/** What the class talks about. */
export class Talk {
  /** @param {Teach} teach */
  constructor(teach) {
    this.teach = teach;
    /** @type {ClassGame[] | null} */
    this.games = null;
    /** @type {Choices | null} */
    this.choices = null;
    /** @type {ClassGame | null} */
    this.game = null;
    this.at = 0; // how many of its moves are shown
    this.showsAll = false;
    this.typed = { game: "", target: "", total: "" };
  }

  async open() {
    try {
      /** @type {[ClassGames, Choices]} */
      const [{ games }, choices] = await Promise.all([
        get("/api/class/games"),
        this.choices ?? get("/api/choices"),
      ]);
      if (!this.choices)
        this.typed.game = gameFor(this.teach.form.chosen.game, choices);
      this.games = games;
      this.choices = choices;
      this.teach.draw();
    } catch (error) {
      this.teach.set({ problem: problemOf(error) });
    }
  }

  /** Step through a game, or on in a question. @param {number} step */
  step(step) {
    const { poll } = this.teach.view ?? {};
    if (poll) {
      if (step > 0) this.reveal(poll);
      return;
    }
    if (!this.game) return;
    const to = Math.min(Math.max(this.at + step, 0), this.game.moves.length);
    if (to === this.at) return;
    this.at = to;
    announce(`The total is ${shorten(this.game.totals[to] ?? 1)}.`);
    this.teach.draw();
  }

  /** Show the answers; after them, the truth. @param {PollView} poll */
  reveal({ bar, shows_truth }) {
    if (!bar || !shows_truth) this.teach.ask({ do: "reveal" });
  }

  /** @param {ClassGame | null} game */
  choose(game) {
    this.game = game;
    this.at = 0;
    this.teach.focusHeading();
    if (!game) this.open();
  }

  /** @param {QuestionKind} asks */
  async question(asks) {
    if (!this.game) return;
    const { book, rules, moves } = this.game;
    const question = { asks, book, rules, moves: moves.slice(0, this.at) };
    if (await this.teach.ask({ do: "ask", question })) this.teach.focusHeading();
  }

  /** @param {QuestionKind} asks */
  async questionTyped(asks) {
    const { game, target, total } = this.typed;
    const asked = await this.teach.ask({
      do: "ask-typed",
      asks,
      game,
      ...(target.trim() ? { target: plainDigits(target) } : {}),
      ...(total.trim() ? { total: plainDigits(total) } : {}),
    });
    if (asked) this.teach.focusHeading();
  }

  async takeAway() {
    if (await this.teach.ask({ do: "ask", question: null })) this.teach.focusHeading();
  }

  /** @param {TeacherView} view */
  view(view) {
    if (view.poll) return question(this, view.poll);
    if (this.game) return this.shown(this.game);
    return [
      h("h1", { key: "title", tabindex: -1 }, "Talk about a game"),
      this.list(),
      this.form(),
      bands(this.teach, view),
    ];
  }

  list() {
    const { games, teach } = this;
    if (!games) return h("p", { key: "loading", class: "loading" }, "…");
    const shown = this.showsAll ? games : games.slice(0, MOST_SHOWN);
    if (games.length === 0) {
      return h(
        "p",
        { key: "none", class: "soft" },
        "Games of the class stand here after a round.",
      );
    }
    return [
      h(
        "ul",
        {
          key: "games",
          class: "board games",
          "aria-label": "Games",
          style: { "--columns": 6 },
        },
        shown.map((game) =>
          h(
            "li",
            { key: `${game.round} ${game.table} ${game.number}` },
            h(
              "button",
              { type: "button", onclick: () => this.choose(game) },
              h("strong", {}, `Table ${game.table}, game ${game.number}`),
              h("small", {}, `Round ${game.round}, ${lengthOf(game)}`),
              teach.showsNames &&
                h(
                  "small",
                  { key: "names" },
                  named(game.names[0]),
                  " and ",
                  named(game.names[1]),
                ),
              smallLine(game.line),
            ),
          ),
        ),
      ),
      games.length > shown.length &&
        h(
          "button",
          {
            key: "all",
            type: "button",
            onclick: () => {
              this.showsAll = true;
              teach.draw();
            },
          },
          `All ${games.length} games`,
        ),
    ];
  }

  /** A position that is typed. */
  form() {
    const { choices, typed } = this;
    const game = choices?.games.find(({ key }) => key === typed.game);
    if (!choices || !game) return null;
    /** @param {Partial<Talk["typed"]>} change */
    const change = (change) => {
      Object.assign(typed, change);
      this.teach.draw();
    };
    /** @param {"target" | "total"} key */
    const follow =
      (key) =>
      (/** @type {Event} */ { target }) =>
        change({ [key]: /** @type {HTMLInputElement} */ (target).value });
    return h(
      "form",
      {
        key: "typed",
        class: "card typed-position",
        onsubmit: (/** @type {Event} */ event) => event.preventDefault(),
      },
      h("h2", {}, "Or type a position"),
      h(
        "div",
        { class: "grid" },
        pick(
          "Game",
          game.key,
          choices.games.map(({ key, title }) => [key, title]),
          ({ target }) =>
            change({
              game: /** @type {HTMLSelectElement} */ (target).value,
              target: "",
            }),
        ),
        field("Target", {
          value: typed.target,
          inputmode: "numeric",
          autocomplete: "off",
          placeholder: shorten(game.rules.target),
          oninput: follow("target"),
        }),
        field("Total", {
          value: typed.total,
          inputmode: "numeric",
          autocomplete: "off",
          placeholder: shorten(game.rules.start),
          oninput: follow("total"),
        }),
      ),
      this.questions((asks) => this.questionTyped(asks)),
    );
  }

  /** @param {(asks: QuestionKind) => void} put */
  questions(put) {
    return h(
      "div",
      { key: "questions", class: "choices" },
      QUESTIONS.map(([asks, text]) =>
        h("button", { key: asks, type: "button", onclick: () => put(asks) }, text),
      ),
    );
  }

  /** A game up to one of its moves. @param {ClassGame} game */
  shown(game) {
    const { at, teach } = this;
    const last = game.moves.length;
    const isOver = at === last && game.is_over;
    const total = game.totals[at] ?? game.rules.start;
    const before = game.totals[at - 1];
    const product =
      before === undefined
        ? "The start"
        : `${shorten(before)} × ${shorten(game.moves[at - 1] ?? 1)} = ${shorten(total)}`;
    return [
      h(
        "header",
        { key: "head", class: "board-head" },
        h("h1", { tabindex: -1 }, game.title),
        h("p", {}, `Table ${game.table}, game ${game.number}`),
        teach.showsNames &&
          h("p", { key: "names" }, named(game.names[0]), " and ", named(game.names[1])),
        h(
          "button",
          { type: "button", onclick: () => this.choose(null) },
          "Other games",
        ),
      ),
      h("p", { key: "total", class: "shown-total" }, large(total).text),
      h("p", { key: "product", class: "product" }, product),
      picture(
        this.teach,
        lineAt(game.line, at, shorten(total)),
        `The line of the game, at ${shorten(total)}`,
        isOver,
      ),
      h(
        "div",
        { key: "steps", class: "choices steps" },
        h(
          "button",
          { type: "button", "aria-disabled": at === 0, onclick: () => this.step(-1) },
          "← Back",
        ),
        h("p", {}, `Move ${at} of ${last}`),
        h(
          "button",
          { type: "button", "aria-disabled": at === last, onclick: () => this.step(1) },
          "On →",
        ),
      ),
      isOver
        ? h(
            "p",
            { key: "over", class: "soft" },
            "The game is over here. Go back a move to ask.",
          )
        : this.questions((asks) => this.question(asks)),
    ];
  }
}

/** How long a game is, in words. @param {ClassGame} game */
function lengthOf({ moves, is_over }) {
  const count = moves.length === 1 ? "1 move" : `${moves.length} moves`;
  return is_over ? count : `${count}, unfinished`;
}

/** The line of a game up to a move. @param {LineView} line @param {number} at @param {string} text of its total @returns {LineView} */
function lineAt({ target, hops, labels, bands }, at, text) {
  const total = at === 0 ? 0 : (hops[at - 1]?.right ?? 0);
  const others = labels.filter(({ kind }) => kind !== "total");
  const isNamed = others.some((each) => each.text === text);
  const own = { place: total, text, kind: /** @type {const} */ ("total"), slack: 0 };
  const shown = isNamed ? others : [...others, own];
  return { target, total, bands, hops: hops.slice(0, at), labels: shown };
}

/** Whether pupils may look at reasons. @param {Teach} teach @param {TeacherView} view */
function bands(teach, { bands_are_open, keeps_bands }) {
  return h(
    "label",
    { key: "bands", class: "check card" },
    h("input", {
      type: "checkbox",
      checked: bands_are_open,
      onchange: () => teach.ask({ do: "bands", are_open: !bands_are_open }),
    }),
    h(
      "span",
      {},
      h("strong", {}, "Let pupils look at reasons and reviews"),
      " ",
      h(
        "small",
        {},
        keeps_bands
          ? "Until then nothing on this server tells them who wins."
          : "Until then their tables tell nothing. Other pages of this public server do.",
      ),
    ),
  );
}
