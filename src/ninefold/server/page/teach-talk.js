/**
 * The talk: a game of the class, or a position that is typed, step by step on the
 * projector; two questions about it; and the answers, the truth and its reason.
 * @module
 */

import { announce } from "./announcements.js";
import { button, checkbox, entryOf, field, h, named, pick, WHOLE } from "./dom.js";
import { smallLine, withTotal } from "./number-line.js";
import { lineBefore } from "./review.js";
import { picture, question } from "./teach-question.js";
import { large, plainDigits, shorten } from "./text.js";

/** @import { ClassGame, ClassGames, QuestionKind, TeacherAsk, TeacherView } from "./class-messages.js" */
/** @import { Teach } from "./teach.js" */

/** @type {[QuestionKind, string][]} */
const QUESTIONS = [
  ["winner", "Who wins from here?"],
  ["move", "Which move?"],
];

/** The screen of the talk. */
export class Talk {
  /** @param {Teach} teach */
  constructor(teach) {
    this.teach = teach;
    /** @type {ClassGame[] | null} */
    this.games = null;
    /** @type {ClassGame | null} */
    this.game = null;
    this.at = 0; // how many of its moves are shown
    this.typed = { game: "", target: "", total: "" };
  }

  async open() {
    const { teach } = this;
    const { round } = teach.screens;
    /** @type {[ClassGames | null, void]} */
    const [found] = await Promise.all([teach.load("/api/class/games"), round.open()]);
    this.games = found?.games ?? this.games;
    this.typed.game ||= round.chosen.game;
    teach.draw();
  }

  /** Step through a game, or to the next part of an answer. @param {number} step */
  step(step) {
    const { poll } = this.teach.view ?? {};
    if (poll) {
      const isNext = step > 0 && !(poll.bar && poll.shows_truth);
      if (isNext) this.teach.ask({ do: "reveal" });
      return;
    }
    const { moves, totals } = this.game ?? { moves: [], totals: [] };
    const to = Math.min(Math.max(this.at + step, 0), moves.length);
    if (to === this.at) return;
    this.at = to;
    announce(`The total is ${shorten(totals[to] ?? 1)}.`);
    this.teach.draw();
  }

  /** @param {ClassGame | null} game */
  choose(game) {
    this.game = game;
    this.at = 0;
    this.teach.draw();
    if (!game) this.open();
  }

  /** @param {TeacherView} view */
  view(view) {
    if (view.poll) return question(this, view.poll);
    if (this.game) return this.shown(this.game);
    return [
      h("h1", { key: "title", tabindex: -1 }, "Talk about a game"),
      this.list(),
      this.form(),
      h(
        "div",
        { key: "bands", class: "card" },
        checkbox(
          "Let pupils look at reasons and reviews",
          view.keeps_bands
            ? "Until then nothing on this server tells them who wins."
            : "Until then their tables tell nothing. Other pages of this public server do.",
          view.bands_are_open,
          () => this.teach.ask({ do: "bands", are_open: !view.bands_are_open }),
        ),
      ),
    ];
  }

  list() {
    const { games, teach } = this;
    if (!games) return h("p", { key: "loading", class: "loading" }, "…");
    if (games.length === 0) {
      const none = "Games of the class stand here after a round.";
      return h("p", { key: "none", class: "soft" }, none);
    }
    return h(
      "ul",
      { key: "games", class: "class-games", "aria-label": "Games" },
      games.map((game) =>
        h(
          "li",
          { key: `${game.round} ${game.table} ${game.number}` },
          h(
            "button",
            { type: "button", onclick: () => this.choose(game) },
            h("strong", {}, `Table ${game.table}, game ${game.number}`),
            h("small", {}, `Round ${game.round}, ${lengthOf(game)}`),
            teach.showsNames && h("small", { key: "names" }, both(game)),
            smallLine(game.line),
          ),
        ),
      ),
    );
  }

  /** A position that is typed. */
  form() {
    const { typed } = this;
    const { choices } = this.teach.screens.round;
    const game = choices?.games.find(({ key }) => key === typed.game);
    if (!choices || !game) return null;
    /** @param {Partial<Talk["typed"]>} change */
    const change = (change) => {
      Object.assign(typed, change);
      this.teach.draw();
    };
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
          (event) => change({ game: entryOf(event), target: "" }),
        ),
        field("Target", {
          ...WHOLE,
          value: typed.target,
          placeholder: shorten(game.rules.target),
          oninput: (/** @type {Event} */ event) => change({ target: entryOf(event) }),
        }),
        field("Total", {
          ...WHOLE,
          value: typed.total,
          placeholder: shorten(game.rules.start),
          oninput: (/** @type {Event} */ event) => change({ total: entryOf(event) }),
        }),
      ),
      this.questions((asks) => {
        const target = plainDigits(typed.target);
        const total = plainDigits(typed.total);
        return {
          do: "ask-typed",
          asks,
          game: game.key,
          ...(target && { target }),
          ...(total && { total }),
        };
      }),
    );
  }

  /** @param {(asks: QuestionKind) => TeacherAsk} asked */
  questions(asked) {
    return h(
      "div",
      { key: "questions", class: "choices" },
      QUESTIONS.map(([asks, text]) => button(text, () => this.teach.ask(asked(asks)))),
    );
  }

  /** A game up to one of its moves. @param {ClassGame} game */
  shown(game) {
    const { at, teach } = this;
    const { book, rules, moves, totals } = game;
    const last = moves.length;
    const isOver = at === last && game.is_over;
    const total = totals[at] ?? rules.start;
    const line = withTotal(lineBefore(game.line, last - at), total);
    const product =
      at === 0
        ? "The start"
        : `${shorten(totals[at - 1] ?? 1)} × ${shorten(moves[at - 1] ?? 1)} = ${shorten(total)}`;
    return [
      h(
        "header",
        { key: "head", class: "board-head" },
        h("h1", { tabindex: -1 }, game.title),
        h("p", {}, `Table ${game.table}, game ${game.number}`),
        teach.showsNames && h("p", { key: "names" }, both(game)),
        button("Other games", () => this.choose(null)),
      ),
      h("p", { key: "total", class: "shown-total" }, large(total).text),
      h("p", { key: "product", class: "product" }, product),
      picture(teach, line, `The line of the game, at ${shorten(total)}`, isOver),
      h(
        "div",
        { key: "steps", class: "choices" },
        button("← Back", () => this.step(-1), { "aria-disabled": at === 0 }),
        h("p", {}, `Move ${at} of ${last}`),
        button("On →", () => this.step(1), { "aria-disabled": at === last }),
      ),
      isOver
        ? h(
            "p",
            { key: "over", class: "soft" },
            "The game is over here. Go back a move to ask.",
          )
        : this.questions((asks) => ({
            do: "ask",
            question: { asks, book, rules, moves: moves.slice(0, at) },
          })),
    ];
  }
}

/** @param {ClassGame} game */
function both({ names: [one, two] }) {
  return [named(one), " and ", named(two)];
}

/** How long a game is, in words. @param {ClassGame} game */
function lengthOf({ moves, is_over }) {
  const count = moves.length === 1 ? "1 move" : `${moves.length} moves`;
  return is_over ? count : `${count}, unfinished`;
}
