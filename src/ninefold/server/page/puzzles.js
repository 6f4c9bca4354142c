/**
 * Puzzles: positions at which exactly one multiplier wins.
 * @module
 */

import { announce } from "./announcements.js";
import { get, newRequestId, post, problemOf, Unreachable } from "./api.js";
import { isAsking } from "./dialogs.js";
import { failed, h, pick, pointing, render } from "./dom.js";
import { drawLine, hopLength, withTotal } from "./number-line.js";
import * as storage from "./storage.js";
import { group, large, shorten, writeSet } from "./text.js";

/** @import { Preview } from "./number-line.js" */
/** @import { Choices, LineView, Puzzle, Whole } from "./state.js" */

const LEVELS = [
  ["1", "1 · win now"],
  ["2", "2 · see your next move"],
  ["3", "3 · see two more"],
  ["4", "4 · see three more"],
  ["5", "5 · see far"],
];

const LEVEL_OF_A_DAY = "3";
const HINT = "?";

/** @param {string} day */
function dayOf(day) {
  const long = /** @type {const} */ ({ dateStyle: "long", timeZone: "UTC" });
  return `Puzzle of ${new Date(day).toLocaleDateString("en-GB", long)}`;
}

/** The page that asks one puzzle after another. */
export class Puzzles {
  /** @param {HTMLElement} root @param {string} [day] whose puzzle it is, the same for everybody */
  constructor(root, day) {
    this.root = root;
    this.day = day;
    this.copied = "";
    this.level = day ? LEVEL_OF_A_DAY : storage.chosen("puzzles", "2");
    /** @type {Choices | null} */
    this.choices = null;
    /** @type {Puzzle | null} */
    this.puzzle = null;
    /** @type {LineView | null} */
    this.line = null;
    /** @type {Set<Whole>} */
    this.wrong = new Set();
    /** Everything that was tried, and asked for. @type {string[]} */
    this.entries = [];
    this.told = "";
    /** @type {boolean | null} */
    this.right = null;
    /** @type {Whole | null} */
    this.solved = null;
    /** @type {Whole | null} */
    this.pointed = null;
    this.problem = "";
    this.waits = false;
    this.turn = 0; // of the puzzles that were asked for
    this.width = root.clientWidth; // of the line, which may stand beside the keys
  }

  async open() {
    document.title = `${this.day ? `Puzzle of ${this.day}` : "Puzzles"} · ninefold`;
    addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.draw()).observe(this.root);
    await this.next();
  }

  async next() {
    const skips = this.puzzle && this.solved === null; // else one's own slips come first
    const seed = this.day ?? (skips ? newRequestId() : "");
    this.turn += 1;
    const { turn } = this;
    try {
      this.choices ??= await get("/api/choices");
      /** @type {Puzzle} */
      const puzzle = await get(`/api/puzzles?level=${this.level}&seed=${seed}`);
      /** @type {LineView} */
      const line = await get(`/api/line?${this.query(puzzle, puzzle.total)}`);
      if (turn !== this.turn) return; // another one was asked for meanwhile
      this.puzzle = puzzle;
      this.line = line;
      this.waits = false;
      this.wrong = new Set();
      this.entries = [];
      this.solved = this.pointed = null;
      this.told = "";
      this.problem = "";
      announce(`${puzzle.origin} ${this.aim()} ${group(puzzle.question)}`.trim());
    } catch (error) {
      if (turn !== this.turn) return;
      this.problem = problemOf(error);
    }
    this.draw();
  }

  /** Go on from the button, to where a screen reader begins. */
  async goOn() {
    await this.next();
    this.root.querySelector("h1")?.focus();
  }

  /** @param {Puzzle} puzzle @param {Whole} total */
  query({ game, rules }, total) {
    return new URLSearchParams({
      game,
      target: String(rules.target),
      multipliers: rules.multipliers.join(","),
      start: String(rules.start),
      total: String(total),
    });
  }

  /** Answer the puzzle, or ask for a hint; what comes back once another one is shown is dropped. @param {Whole} multiplier */
  async answer(multiplier) {
    const { puzzle, wrong } = this;
    if (!puzzle || this.waits || this.solved !== null || wrong.has(multiplier)) return;
    const entries = [...this.entries, String(multiplier)];
    const asked = { item: puzzle.key, entries, request_id: newRequestId() };
    const isPast = () => puzzle !== this.puzzle;
    this.waits = true;
    try {
      /** @type {{right: boolean | null, words: string}} */
      const { right, words } = await post("/api/practice", asked, (lost) => {
        if (isPast()) return;
        this.problem = lost ? problemOf(new Unreachable()) : "";
        this.draw();
      });
      if (isPast()) return;
      if (right) this.solved = multiplier;
      else if (right === false) this.wrong.add(multiplier);
      Object.assign(this, { entries, right });
      this.told = group(words);
      this.problem = "";
      announce(this.told);
    } catch (error) {
      if (isPast()) return;
      this.problem = problemOf(error);
    }
    this.waits = false;
    this.draw();
    if (this.solved !== null) document.getElementById("next")?.focus();
  }

  aim() {
    const { puzzle } = this;
    if (!puzzle) return "";
    const target = shorten(puzzle.rules.target);
    return {
      reach: `Reach ${target} or more and you win.`,
      avoid: `Reach ${target} or more and you lose.`,
      exact: `Make exactly ${target} and you win; beyond it you lose.`,
    }[puzzle.rules.ending];
  }

  /** Which multipliers may be played, where these are not all. */
  only() {
    const only = writeSet(this.puzzle?.rules.multipliers ?? []);
    return only === "2-9" ? "" : ` Only ${only} may be played, by both.`;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const typing = event.target instanceof HTMLSelectElement;
    if (typing || isAsking() || event.repeat || !storage.chosen("keys", true)) return;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const found = this.puzzle?.rules.multipliers.find(
      (each) => String(each) === event.key,
    );
    if (found !== undefined) this.answer(found);
  }

  draw() {
    const { puzzle, problem, solved, told, right } = this;
    render(
      this.root,
      h(
        "article",
        { key: "puzzle", class: "table" },
        h(
          "header",
          { key: "head", class: "head" },
          h("h1", { tabindex: -1 }, this.day ? dayOf(this.day) : "Puzzle"),
          h("p", {}, this.title()),
        ),
        problem && !puzzle && failed(problem, () => this.next()),
        puzzle && [
          problem &&
            h("p", { key: "problem", class: "notice", role: "alert" }, problem),
          h(
            "p",
            { key: "question", class: "question" },
            puzzle.origin && `${puzzle.origin} `,
            h("strong", {}, this.aim()),
            this.only(),
            " Exactly one multiplier wins. Which?",
          ),
          this.total(puzzle),
          this.picture(puzzle),
          this.keys(puzzle),
          solved === null &&
            h(
              "div",
              { key: "actions", class: "actions" },
              h(
                "button",
                { type: "button", class: "action", onclick: () => this.answer(HINT) },
                "Hint",
              ),
            ),
          h(
            "div",
            { key: "told", class: "told" },
            told &&
              h(
                "aside",
                {
                  class: `panel ${right === null ? "" : right ? "right" : "wrong"}`,
                  "aria-label": "Answer",
                },
                h("strong", {}, /^[^.?]*[.?] /.exec(told)?.[0]),
                told.replace(/^[^.?]*[.?] /, ""),
              ),
          ),
        ],
        this.day ? this.footOfADay() : this.foot(),
      ),
    );
    const { clientWidth } = this.root.querySelector(".picture") ?? this.root;
    if (clientWidth === this.width) return;
    this.width = clientWidth;
    this.draw();
  }

  /** Send the puzzle of a day to a friend, or go on. */
  footOfADay() {
    const url = location.href;
    const share = async () => {
      const said = await (navigator.share
        ? navigator.share({ title: document.title, url }).then(() => "")
        : navigator.clipboard.writeText(url).then(() => "The link is copied.")
      ).catch(() => "");
      this.copied = said;
      if (said) announce(said);
      this.draw();
    };
    const may = navigator.share !== undefined || navigator.clipboard !== undefined;
    return h(
      "div",
      { key: "foot", class: "foot" },
      may
        ? h("button", { type: "button", onclick: share }, "Send it to a friend")
        : h("p", { class: "link" }, url),
      h("p", { key: "copied" }, this.copied),
      h("a", { id: "next", class: "button", href: "/puzzles" }, "More puzzles"),
    );
  }

  foot() {
    const { solved } = this;
    return h(
      "div",
      { key: "foot", class: "foot" },
      pick("Level", this.level, LEVELS, ({ target }) => {
        this.level = /** @type {HTMLSelectElement} */ (target).value;
        storage.choose("puzzles", this.level);
        this.next();
      }),
      h(
        "button",
        {
          id: "next",
          type: "button",
          class: solved === null ? "" : "primary",
          onclick: () => this.goOn(),
        },
        solved === null ? "Another one" : "Next puzzle",
      ),
      h("a", { class: "button", href: "/puzzles/today" }, "Today's puzzle"),
    );
  }

  title() {
    const game = this.choices?.games.find(({ key }) => key === this.puzzle?.game);
    return game?.title ?? "";
  }

  /** @param {Puzzle} puzzle */
  total(puzzle) {
    const { text } = large(puzzle.total);
    return h(
      "section",
      { key: "total", class: "total", "aria-label": "Total" },
      h(
        "p",
        { class: "number", style: { "--digits": Math.max(text.length, 2) } },
        text,
      ),
      h("p", { class: "product" }, this.solved === null ? "Your move." : "Solved."),
    );
  }

  /** The bands would tell the answer; they appear with it. @param {Puzzle} puzzle */
  picture(puzzle) {
    const { line, solved, pointed, width } = this;
    if (!line || line.total === null) return null;
    const shown =
      solved === null
        ? {
            ...line,
            bands: [],
            labels: line.labels.filter(({ kind }) => kind !== "band"),
          }
        : line;
    const aimed = solved ?? pointed;
    const { start, target } = puzzle.rules;
    /** @type {Preview | null} */
    const preview =
      aimed === null
        ? null
        : {
            place: line.total + hopLength(puzzle.rules, aimed),
            multiplier: aimed,
            seat: 1,
          };
    const label = `Number line from ${shorten(start)} to ${shorten(target)}; the total is ${shorten(puzzle.total)}.`;
    return h(
      "div",
      { key: "line", class: "picture" },
      drawLine(withTotal(shown, puzzle.total), {
        width,
        label,
        preview,
      }),
    );
  }

  /** @param {Puzzle} puzzle */
  keys(puzzle) {
    const { multipliers } = puzzle.rules;
    /** @param {Whole | null} pointed */
    const point = (pointed) => () => {
      this.pointed = pointed;
      this.draw();
    };
    return h(
      "div",
      {
        key: "keys",
        class: "keys",
        role: "group",
        "aria-label": "Multipliers",
        "data-count": multipliers.length,
      },
      multipliers.map((each) => {
        const wrong = this.wrong.has(each);
        const right = this.solved === each;
        return h(
          "button",
          {
            key: each,
            type: "button",
            class: `key seat1${wrong ? " wrong" : ""}${right ? " right" : ""}`,
            "aria-disabled": wrong || this.solved !== null,
            onclick: () => this.answer(each),
            ...pointing(point(each), point(null)),
          },
          h("span", { class: "unseen" }, "times "),
          h("span", { class: "times" }, each),
          h(
            "span",
            { class: "makes" },
            right
              ? "right"
              : wrong
                ? "no"
                : shorten(String(BigInt(puzzle.total) * BigInt(each))),
          ),
        );
      }),
    );
  }
}
