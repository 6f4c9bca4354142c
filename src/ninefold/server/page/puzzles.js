/**
 * Puzzles: positions at which exactly one multiplier wins.
 * @module
 */

import { announce } from "./announcements.js";
import { get, newRequestId, problemOf } from "./api.js";
import { button, entryOf, failed, h, pick, render } from "./dom.js";
import { keys } from "./multiplier-keys.js";
import * as storage from "./storage.js";
import { position } from "./table.js";
import { group } from "./text.js";
import { HELP, Walk } from "./walk.js";

/** @import { Puzzle, Whole } from "./state.js" */

const LEVELS = [
  ["1", "1 · win now"],
  ["2", "2 · one move ahead"],
  ["3", "3 · two moves ahead"],
  ["4", "4 · three moves ahead"],
  ["5", "5 · far ahead"],
];

const LEVEL_OF_A_DAY = "3";

/** Today, as 2026-11-18. */
function today() {
  return new Date().toLocaleDateString("sv");
}

/** A day as people of the browser's locale write it. @param {string} day */
function dayOf(day) {
  const long = /** @type {const} */ ({ dateStyle: "long", timeZone: "UTC" });
  return new Date(day).toLocaleDateString(undefined, long);
}

/** How many puzzles of a day were solved on this device. */
function solvedSoFar() {
  const days = storage.solvedDays().length;
  if (days === 0) return "";
  return days === 1
    ? "1 puzzle of the day solved"
    : `${days} puzzles of the day solved`;
}

/** The page that asks one puzzle after another. */
export class Puzzles extends Walk {
  /** @param {HTMLElement} root @param {string} [day] whose puzzle it is, the same for everybody */
  constructor(root, day) {
    super(root, "/api/practice");
    this.day = day;
    this.copied = "";
    this.level = day ? LEVEL_OF_A_DAY : storage.chosen("puzzles", "2");
    /** @type {Puzzle | null} */
    this.puzzle = null;
    /** What was tried, and whether it was right. @type {Map<string, "right" | "no">} */
    this.tried = new Map();
    this.turn = 0; // of the puzzles that were asked for
  }

  async open() {
    document.title = `${this.title} · ninefold`;
    this.listen();
    await this.next();
  }

  async next() {
    const skips = this.puzzle && !this.isSolved; // else one's own slips come first
    const seed = this.day ?? (skips ? newRequestId() : "");
    this.turn += 1;
    const { turn } = this;
    try {
      /** @type {Puzzle} */
      const puzzle = await get(`/api/puzzles?level=${this.level}&seed=${seed}`);
      if (turn !== this.turn) return; // another one was requested meanwhile
      const { state } = puzzle;
      Object.assign(this, { puzzle, tried: new Map() });
      this.start({ item: puzzle.key });
      this.set({ state, fresh: false });
      announce(group(`${puzzle.origin} ${state.aim} ${puzzle.question}`.trim()));
    } catch (error) {
      if (turn !== this.turn) return;
      this.problem = problemOf(error);
      this.draw();
    }
  }

  /** Go on from the button, to where a screen reader begins. */
  async goOn() {
    await this.next();
    this.focus("h1");
  }

  get isSolved() {
    return this.view?.is_over ?? false;
  }

  get mayMove() {
    return this.puzzle !== null && !this.isSolved && !this.model.pending;
  }

  /** @param {Whole} multiplier */
  play(multiplier) {
    if (!this.tried.has(String(multiplier))) super.play(multiplier);
  }

  /** Mark the key that was tried; once the puzzle is solved, show the game after it. */
  accept() {
    const { view, puzzle, tried } = this;
    if (!view || !puzzle) return;
    if (view.right !== null) {
      tried.set(this.entries.at(-1) ?? "", view.right ? "right" : "no");
    }
    const after = view.shown.find((each) => typeof each !== "string");
    const marked = puzzle.state.keys.map((key) => {
      const ends = tried.get(String(key.multiplier));
      return ends ? { ...key, makes: null, ends } : key;
    });
    const state = { ...(after ?? puzzle.state), keys: marked };
    this.set({ state, fresh: after !== undefined, pointed: null });
    announce(...this.said.map(group));
    if (this.isSolved && this.day) storage.keepSolved(this.day);
    if (this.isSolved) this.focus("#next");
  }

  draw() {
    const { puzzle, problem, model } = this;
    const { state } = model;
    const title = state?.title ?? "";
    render(
      this.root,
      h(
        "article",
        { key: "puzzle", class: "table" },
        h(
          "header",
          { key: "head", class: "head" },
          h("h1", { tabindex: -1 }, this.title),
          h("p", {}, [this.day && dayOf(this.day), title].filter(Boolean).join(" · ")),
        ),
        this.tabs(),
        problem && !puzzle && failed(problem, () => this.next()),
        puzzle &&
          state && [
            h("div", { key: "notices", class: "notices" }, this.notices()),
            h(
              "p",
              { key: "question", class: "question" },
              puzzle.origin && `${group(puzzle.origin)} `,
              h("strong", {}, group(puzzle.state.aim)),
              ` ${group(puzzle.task)}`,
            ),
            position(model, state, this),
            keys(model, state, this),
            !this.isSolved &&
              h(
                "div",
                { key: "actions", class: "actions" },
                button("Hint", () => this.enter(HELP), { class: "action" }),
              ),
            this.told(),
          ],
        this.day ? this.footOfADay() : this.foot(),
      ),
    );
  }

  get title() {
    if (!this.day) return "Puzzles";
    return this.day === today() ? "Today's puzzle" : "Puzzle of the day";
  }

  /** The puzzle of today comes first. */
  tabs() {
    const isToday = this.day === today();
    const mark = storage.solvedDays().includes(today()) ? " ✓" : "";
    /** @param {boolean} isHere */
    const at = (isHere) => ({
      class: "button",
      "aria-current": isHere ? "page" : null,
    });
    return h(
      "nav",
      { key: "tabs", class: "tabs", "aria-label": "Puzzles" },
      h(
        "a",
        { key: "day", href: "/puzzles/today", ...at(isToday) },
        "Today's puzzle",
        mark,
      ),
      h("a", { key: "any", href: "/puzzles", ...at(!this.day) }, "More puzzles"),
    );
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
      h("p", { key: "copied", class: "soft" }, this.copied || solvedSoFar()),
      this.isSolved &&
        h(
          "a",
          { id: "next", class: "button primary", href: "/puzzles" },
          "Next puzzle",
        ),
    );
  }

  foot() {
    const onclick = () => this.goOn();
    return h(
      "div",
      { key: "foot", class: "foot" },
      pick("Level", this.level, LEVELS, (event) => {
        this.level = entryOf(event);
        storage.choose("puzzles", this.level);
        this.next();
      }),
      this.isSolved
        ? button("Next puzzle", onclick, { key: "next", id: "next", class: "primary" })
        : button("Another one", onclick, { key: "next", id: "next" }),
    );
  }
}
