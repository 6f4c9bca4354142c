/**
 * Practise: items one after another, on one screen for every kind of them. Progress:
 * what the learner of this browser knows.
 * @module
 */

import { announce } from "./announcements.js";
import { get, newRequestId, post, problemOf } from "./api.js";
import { ask } from "./dialogs.js";
import { failed, field, h, lostNotice, render } from "./dom.js";
import * as storage from "./storage.js";
import { group, NOTHING_TO_PRACTISE } from "./text.js";
import { button, HELP, head, link, typedInto, Walk } from "./walk.js";

/** @import { Item } from "./walk.js" */

/** @typedef {{items: Item[], answered: number}} Round */
/** @typedef {{name: string, standing: keyof typeof GLYPHS}} Card */
/** @typedef {{name: string, answered: number, facts: Card[], skills: Card[], meanings: Record<string, string>, games: string, digest: string[], gain: string}} Learner */

const GLYPHS = { known: "●", "getting firm": "◐", shaky: "○", new: "·" };
const FACTORS = [2, 3, 4, 5, 6, 7, 8, 9];
const SEEN_BELOW = 2; // sentences of a digest that the grid and the skills show

/** @param {HTMLElement} root */
export async function openLearning(root) {
  const style = document.createElement("link"); // which no other page needs
  style.rel = "stylesheet";
  style.href = new URL("./practice.css", import.meta.url).href;
  await new Promise((resolve) => {
    style.onload = style.onerror = resolve;
    document.head.append(style);
  });
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
    this.gain = "";
    this.at = 0;
    /** @type {Round | null} */
    this.round = null;
  }

  async open() {
    document.title = "Practise · ninefold";
    const match = new URLSearchParams(location.search).get("match");
    const path = match ? `/api/matches/${encodeURIComponent(match)}` : "/api";
    try {
      this.round = await get(`${path}/practice`);
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
      this.gain = learner?.gain ?? "What you answered is kept.";
    }
    this.draw();
    announce(this.item ? group(this.item.text) : this.gain);
    this.focus(this.item && this.item.kind !== "choice" ? "input" : ".asked");
  }

  accept() {
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
      head(
        "Practise",
        item && `${at + 1} of ${many} · `,
        link("Progress", "/progress", ""),
      ),
      problem && !round && failed(problem, () => this.open()),
      item && this.question(item),
      round && !item && this.end(many),
    );
  }

  /** @param {Item} item */
  question(item) {
    const next = () => this.goTo(this.at + 1);
    const isOver = this.view?.is_over;
    return h(
      "section",
      { key: `item ${this.at}`, class: "card practice", "aria-label": "Question" },
      h("p", { class: "asked", tabindex: -1 }, group(item.text)),
      !isOver && this.form(item),
      this.notices(),
      this.told(),
      isOver
        ? button("Next", next, { id: "next", class: "primary" })
        : button("Skip", next, { class: "action" }),
    );
  }

  /** @param {number} many */
  end(many) {
    return h(
      "section",
      { key: "end", class: "card practice" },
      h(
        "p",
        { class: "asked", tabindex: -1 },
        many ? "That was the round." : NOTHING_TO_PRACTISE,
      ),
      many > 0 && h("p", {}, this.gain),
      h(
        "div",
        { class: "choices" },
        link("Practise more", "/practise", "button primary"),
        link("Play a game", "/"),
      ),
    );
  }
}

/** What the learner of this browser knows. */
class Progress {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.problem = this.said = "";
    this.waits = this.lost = false;
    /** @type {Learner | null} */
    this.learner = null;
  }

  async open() {
    document.title = "Progress · ninefold";
    await this.change(get("/api/learner"));
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
        "Your name and what you answered here are removed. They do not come back.",
        "Games stay, but nothing says whose they were.",
      ],
      answers: [
        { value: "keep", label: "Keep them" },
        { value: "forget", label: "Forget me" },
      ],
    });
    if (given?.value !== "forget") return;
    storage.forgetEntered();
    await this.update(null, "Everything is removed.");
    this.root.querySelector("h1")?.focus();
  }

  draw() {
    const { learner, problem } = this;
    const name = learner?.name;
    render(
      this.root,
      head(name ? `${name}'s progress` : "Progress"),
      !learner && problem && failed(problem, () => this.open()),
      learner && this.view(learner),
    );
  }

  /** @param {Learner} learner */
  view({ name, answered, facts, skills, meanings, games, digest }) {
    const standings = new Map(facts.map((fact) => [fact.name, fact.standing]));
    return [
      h(
        "section",
        { key: "next", class: "notice wanted" },
        digest.map((each, index) =>
          h("p", { key: each, class: index < SEEN_BELOW ? "unseen" : "" }, whole(each)),
        ),
        link("Practise", "/practise", "button primary"),
      ),
      h(
        "div",
        { key: "known", class: "known pair" },
        h(
          "section",
          { class: "card", "aria-hidden": "true" },
          h("h2", {}, "Facts"),
          grid(standings),
          Object.entries(meanings).map(([standing, meaning]) => {
            const count = facts.filter((fact) => fact.standing === standing).length;
            const text = `${meaning} (${count} of ${facts.length})`;
            return h("p", { key: standing }, glyph(standing), text);
          }),
        ),
        h(
          "section",
          { class: "card" },
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
      ),
      games &&
        h("pre", { key: "games", class: "card games", "aria-hidden": "true" }, games),
      this.form(name, answered > 0 || games !== ""),
    ];
  }

  /** @param {string} name @param {boolean} answered */
  form(name, answered) {
    /** @param {SubmitEvent} event */
    const onsubmit = (event) => {
      const [name] = typedInto(event);
      this.update(name ?? "", `Your name is ${name} here.`);
    };
    return h(
      "form",
      { key: "who", class: "card choices practice", onsubmit },
      field("Your name", { value: name, required: true, problem: this.problem }),
      h("button", {}, "Save"),
      (name || answered) && button("Forget me", () => this.forget()),
      this.said && h("p", { key: "said" }, this.said),
      this.lost &&
        lostNotice("Not connected. This is sent when the connection is back."),
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
            { key: b, title: `${a} × ${b}: ${standing}` },
            glyph(standing),
          );
        }),
      ),
    ),
  );
}
