/**
 * Practise: items one after another, on one screen for every kind of them. Progress:
 * what the learner of this browser knows.
 * @module
 */

import { announce } from "./announcements.js";
import { get, newRequestId, post, problemOf } from "./api.js";
import { ask } from "./dialogs.js";
import { button, failed, field, h, link, lostNotice, render } from "./dom.js";
import { followMove, moving, noteAnswers } from "./learner.js";
import * as storage from "./storage.js";
import { group, NOTHING_TO_PRACTISE } from "./text.js";
import { HELP, head, typedInto, Walk } from "./walk.js";

/** @import { Offer } from "./learner.js" */
/** @import { Item } from "./walk.js" */

/** @typedef {{items: Item[], answered: number}} Round */
/** @typedef {{name: string, standing: keyof typeof GLYPHS}} Card */
/** @typedef {{name: string, answered: number, facts: Card[], skills: Card[], meanings: Record<string, string>, games: string, digest: string[], gain: string}} Learner */

const GLYPHS = { known: "●", "nearly known": "◐", shaky: "○", new: "·" };
const FACTORS = [2, 3, 4, 5, 6, 7, 8, 9];
const SEEN_BELOW = 2; // sentences of a digest that the grid and the skills show
const PAD = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "⌫", "0"];
const HAS_PAD = matchMedia("(max-width: 47.99rem), (pointer: coarse)");
const MOST_LARGE = 12; // characters that fit a phone in the digits of the table

/** @param {HTMLElement} root */
export async function openLearning(root) {
  switch (location.pathname) {
    case "/progress":
      return new Progress(root).open();
    case "/learn":
      return (await import("./learn.js")).openPath(root);
  }
  return new Practise(root).open();
}

/** A round of practice: a walk for each of its items. */
class Practise extends Walk {
  /** @param {HTMLElement} root */
  constructor(root) {
    super(root, "/api/practice");
    this.gain = this.news = "";
    this.at = 0;
    /** Whether each item was right at first, and without help. @type {boolean[]} */
    this.marks = [];
    /** @type {Round | null} */
    this.round = null;
  }

  async open() {
    document.title = "Practise · ninefold";
    const match = new URLSearchParams(location.search).get("match");
    const path = match ? `/api/matches/${encodeURIComponent(match)}` : "/api";
    try {
      const round = /** @type {Round} */ (await get(`${path}/practice`));
      this.round = round;
      this.news = noteAnswers(round.answered);
      await this.goTo(0);
    } catch (error) {
      this.problem = problemOf(error);
      this.draw();
    }
  }

  get item() {
    return this.round?.items[this.at];
  }

  /** @param {number} at */
  async goTo(at) {
    this.at = at;
    this.start({ item: this.item?.key });
    if (!this.item && this.round) {
      /** @type {Learner | null} */
      const learner = await get(`/api/learner?after=${this.round.answered}`).catch(
        () => null,
      );
      this.gain = learner?.gain ?? "Your answers are saved.";
      if (learner) noteAnswers(learner.answered);
    }
    this.draw();
    announce(this.item ? group(this.item.text) : this.gain);
    this.focus(this.item && this.item.kind !== "choice" ? "input" : ".asked");
  }

  accept() {
    const { view, entries, marks, at } = this;
    if (entries.at(-1) === HELP) marks[at] = false;
    else if (view?.right !== null) marks[at] ??= view?.right ?? false;
    this.draw();
    announce(...this.said.map(group));
    if (this.view?.is_over) this.focus("#next");
    else if (this.entries.at(-1) !== HELP) this.root.querySelector("input")?.select();
  }

  draw() {
    const { round, item, problem, at } = this;
    const many = round?.items.length ?? 0;
    render(
      this.root,
      head("Practise", item && `${at + 1} of ${many}`),
      problem && !round && failed(problem, () => this.open()),
      this.news && h("p", { key: "news", class: "notice" }, this.news),
      round && many > 0 && this.ticks(round.items),
      item && this.question(item),
      round && !item && this.end(many),
    );
  }

  /** One for each item, for those who see it: the head says where one is. @param {Item[]} items */
  ticks(items) {
    return h(
      "ol",
      { key: "ticks", class: "ticks", "aria-hidden": "true" },
      items.map((_, index) => {
        const mark = this.marks[index];
        const now = index === this.at ? "now" : "";
        return h("li", { key: index, class: mark === undefined ? now : `is-${mark}` });
      }),
    );
  }

  /** @param {Item} item */
  question(item) {
    const next = () => this.goTo(this.at + 1);
    const isOver = this.view?.is_over;
    return h(
      "section",
      { key: `item ${this.at}`, class: "practice drill", "aria-label": "Question" },
      asked(group(item.text)),
      this.notices(),
      this.told(),
      !isOver && this.form(item, HAS_PAD.matches ? { inputmode: "none" } : {}),
      !isOver && item.kind !== "choice" && pad(),
      isOver
        ? button("Next", next, { id: "next", class: "primary" })
        : button("Skip", next, { class: "action" }),
    );
  }

  /** @param {number} many */
  end(many) {
    const right = this.marks.filter(Boolean).length;
    return h(
      "section",
      { key: "end", class: "practice" },
      h(
        "p",
        { class: "asked", tabindex: -1 },
        many ? "Round finished!" : NOTHING_TO_PRACTISE,
      ),
      many > 0 && [
        h("p", { key: "right" }, `${right} of ${many} right`),
        h("p", { key: "gain" }, this.gain),
      ],
      h(
        "div",
        { class: "choices" },
        link("Practise more", "/practise", "button primary"),
        link("Progress", "/progress"),
        link("Play a game", "/"),
      ),
    );
  }
}

/** What is asked, in the digits of the table where it is short. @param {string} text */
function asked(text) {
  const isShort = text.length <= MOST_LARGE;
  const look = { class: `asked${isShort ? " number" : ""}`, tabindex: -1 };
  const style = { "--digits": text.length * 0.9 };
  return h(
    "div",
    { class: "total" },
    h("p", isShort ? { ...look, style } : look, text),
  );
}

/** Digits to press where a keyboard would cover the page. */
function pad() {
  /** @param {Event} event @param {string} digit */
  const type = ({ currentTarget }, digit) => {
    const section = /** @type {Element} */ (currentTarget).closest("section");
    const focused = section?.querySelector("input:focus");
    const field = /** @type {HTMLInputElement | null} */ (
      focused ?? section?.querySelector("input")
    );
    if (!field) return;
    const { selectionStart, selectionEnd, value } = field;
    const end = selectionEnd ?? value.length;
    const start = selectionStart ?? end;
    const isErased = digit === "⌫";
    const from = isErased && start === end ? Math.max(start - 1, 0) : start;
    field.setRangeText(isErased ? "" : digit, from, end, "end");
    field.focus();
  };
  return h(
    "div",
    { key: "pad", class: "pad", role: "group", "aria-label": "Digits" },
    PAD.map((digit) =>
      h(
        "button",
        {
          key: digit,
          type: "button",
          class: "key",
          "aria-label": digit === "⌫" ? "Delete" : null,
          onpointerdown: (/** @type {Event} */ event) => event.preventDefault(),
          onclick: (/** @type {Event} */ event) => type(event, digit),
        },
        h("span", { class: "times" }, digit),
      ),
    ),
    h("button", { key: "answer", form: "answer", class: "primary" }, "Answer"),
  );
}

/** What the learner of this browser knows. */
class Progress {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.problem = this.said = this.news = "";
    this.waits = this.lost = false;
    /** @type {Offer | null} */
    this.offer = null;
    /** @type {Learner | null} */
    this.learner = null;
  }

  async open() {
    document.title = "Progress · ninefold";
    addEventListener("hashchange", () => this.load());
    await this.load();
  }

  async load() {
    const moved = await followMove();
    await this.change(get("/api/learner"));
    const { learner } = this;
    this.news = moved || (learner ? noteAnswers(learner.answered) : "");
    if (moved) announce(moved);
    if (moved && learner) storage.choose("answered", learner.answered);
    this.draw();
  }

  /** Change the name; null removes everything. @param {string | null} name @param {string} said */
  async update(name, said) {
    if (this.waits) return;
    this.waits = true;
    await this.change(
      post("/api/learner", { name, request_id: newRequestId() }, (lost) => {
        this.lost = lost;
        this.draw();
      }),
      said,
    );
    this.waits = false;
  }

  /** @param {Promise<Learner>} learner @param {string} said */
  async change(learner, said = "") {
    try {
      this.learner = await learner;
      this.problem = "";
      this.said = said;
    } catch (error) {
      this.problem = problemOf(error);
      this.said = "";
    }
    this.draw();
    announce(this.problem || said);
  }

  async forget() {
    const given = await ask({
      title: "Remove all of your answers?",
      body: [
        "This removes your name and all your answers here. It cannot be undone. ",
        "Your games stay, but without your name.",
      ],
      answers: [
        { value: "keep", label: "Keep them" },
        { value: "forget", label: "Forget me" },
      ],
    });
    if (given?.value !== "forget") return;
    storage.forgetEntered();
    storage.forgetSolved();
    await this.update(null, "Everything was removed.");
    storage.choose("answered", this.learner?.answered ?? 0);
    this.root.querySelector("h1")?.focus();
  }

  draw() {
    const { learner, problem } = this;
    const name = learner?.name;
    render(
      this.root,
      head(name ? `${name}'s progress` : "Progress"),
      !learner && problem && failed(problem, () => this.open()),
      this.news && h("p", { key: "news", class: "notice" }, this.news),
      learner && this.view(learner),
    );
  }

  /** @param {Learner} learner */
  view({ name, answered, facts, skills, meanings, games, digest }) {
    const standings = new Map(facts.map((fact) => [fact.name, fact.standing]));
    const [suggestion = "", ...others] = [...digest].reverse();
    return [
      h(
        "section",
        { key: "next", class: "notice wanted" },
        h("p", {}, whole(suggestion)),
        link("Practise", "/practise", "button primary"),
      ),
      h(
        "section",
        { key: "facts", class: "card known" },
        h("h2", {}, "Facts"),
        others
          .reverse()
          .map((each, index) =>
            h(
              "p",
              { key: each, class: index < SEEN_BELOW ? "unseen" : "" },
              whole(each),
            ),
          ),
        h(
          "div",
          { "aria-hidden": "true" },
          grid(standings),
          h(
            "div",
            {},
            Object.entries(meanings).map(([standing, meaning]) => {
              const count = facts.filter((fact) => fact.standing === standing).length;
              const text = `${meaning} (${count} of ${facts.length})`;
              return h("p", { key: standing }, glyph(standing), text);
            }),
          ),
        ),
      ),
      h(
        "section",
        { key: "skills", class: "card known" },
        h("h2", {}, "Skills"),
        skills.map((skill) =>
          h(
            "p",
            { key: skill.name },
            glyph(skill.standing),
            `${skill.name}: ${skill.standing}`,
          ),
        ),
      ),
      games &&
        h("pre", { key: "games", class: "card games", "aria-hidden": "true" }, games),
      this.form(name, answered > 0 || games !== ""),
      (name || answered > 0) &&
        moving((offer, problem) => {
          this.offer = offer;
          this.news = problem;
          this.draw();
          announce(problem);
        }, this.offer),
    ];
  }

  /** @param {string} name @param {boolean} answered */
  form(name, answered) {
    /** @param {SubmitEvent} event */
    const onsubmit = (event) => {
      const [name] = typedInto(event);
      this.update(name ?? "", `Your name here is ${name}.`);
    };
    return h(
      "form",
      { key: "who", class: "card choices practice", onsubmit },
      field("Your name", { value: name, required: true, problem: this.problem }),
      h("button", {}, "Save"),
      (name || answered) && button("Forget me", () => this.forget()),
      this.said && h("p", { key: "said" }, this.said),
      this.lost &&
        lostNotice("Not connected. This will be sent when the connection is back."),
    );
  }
}

/** A product stays on one line. @param {string} text */
function whole(text) {
  return group(text).replaceAll(" × ", "\u00a0×\u00a0");
}

/** @param {string} standing */
function glyph(standing) {
  const shown = GLYPHS[/** @type {Card["standing"]} */ (standing)];
  const kind = standing.replace(" ", "-");
  return h("span", { class: `standing ${kind}`, "aria-hidden": "true" }, shown);
}

/** The facts by their factors. @param {Map<string, string>} standings */
function grid(standings) {
  const row = FACTORS.map((each) => h("th", { key: each }, each));
  return h(
    "table",
    {},
    h("tr", {}, h("th", {}, "×"), row),
    FACTORS.map((a) =>
      h(
        "tr",
        { key: a },
        h("th", {}, a),
        FACTORS.map((b) => {
          const standing =
            standings.get(`${Math.min(a, b)}x${Math.max(a, b)}`) ?? "new";
          return h(
            "td",
            {
              key: b,
              class: standing.replace(" ", "-"),
              title: `${a} × ${b}: ${standing}`,
            },
            glyph(standing),
          );
        }),
      ),
    ),
  );
}
