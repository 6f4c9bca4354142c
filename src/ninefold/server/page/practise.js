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
import { group } from "./text.js";

/** @import { Child, Props } from "./dom.js" */
/** @import { Whole } from "./state.js" */

/** @typedef {{key: string, text: string, kind: "number" | "choice" | "band", choices: string[], target: Whole | null}} Item */
/** @typedef {{items: Item[], answered: number}} Round */
/** @typedef {{words: string, right: boolean | null, is_over: boolean}} Response */
/** @typedef {{name: string, standing: keyof typeof GLYPHS}} Card */
/** @typedef {{name: string, answered: number, facts: Card[], skills: Card[], meanings: Record<string, string>, games: string, digest: string[], gain: string}} Learner */

const GLYPHS = { known: "●", "getting firm": "◐", shaky: "○", new: "·" };
const FACTORS = [2, 3, 4, 5, 6, 7, 8, 9];
const HELP = "?";
const SEEN_BELOW = 2; // sentences of a digest that the grid and the skills show
const NOTHING = "This game has nothing to practise.";
const MOST_SECONDS = 1_000_000;

/** @param {HTMLElement} root */
export async function openLearning(root) {
  const style = document.createElement("link"); // which no other page needs
  style.rel = "stylesheet";
  style.href = new URL("./practise.css", import.meta.url).href;
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
  return new Practise(root).begin();
}

/** @param {string} title @param {Child[]} note */
export function head(title, ...note) {
  const name = h("h1", { tabindex: -1 }, title);
  return h("header", { key: "head", class: "head" }, name, h("p", {}, note));
}

/** @param {string} label @param {() => void} onclick @param {Props} props */
export function button(label, onclick, props = {}) {
  return h("button", { key: label, type: "button", onclick, ...props }, label);
}

/** @param {string} label @param {string} href */
export function link(label, href, kind = "button") {
  return h("a", { key: label, class: kind, href }, label);
}

/** @param {HTMLFormElement} form what was typed into it */
export function typedIn(form) {
  return [...form.querySelectorAll("input")].map(({ value }) => value);
}

/** @param {Event} event @returns {string[]} what its form holds */
function typedInto(event) {
  event.preventDefault();
  return typedIn(/** @type {HTMLFormElement} */ (event.currentTarget));
}

/**
 * Where an item is answered.
 * @param {Item} item
 * @param {(typed: string) => unknown} enter
 * @param {Props} props further attributes of its fields
 */
export function itemForm(item, enter, props = {}) {
  const choices = item.choices.map((each) => button(each, () => enter(each)));
  const labels = item.kind === "band" ? ["From", "To"] : ["Your answer"];
  const typing = { inputmode: "numeric", autocomplete: "off", maxlength: 1100 };
  const fields = labels.map((label) => field(label, { ...typing, ...props }));
  /** @param {SubmitEvent} event */
  const onsubmit = (event) => enter(typedInto(event).join(" to "));
  return h(
    "form",
    { key: "form", class: "choices", onsubmit },
    item.kind === "choice"
      ? choices
      : [fields, h("button", { class: "primary" }, "Answer")],
    button("Help", () => enter(HELP)),
  );
}

/** A round of practice. */
class Practise {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.problem = this.gain = "";
    this.waits = this.lost = false;
    /** @type {Round | null} */
    this.round = null;
    this.at = this.began = 0;
    /** What was typed at the item. @type {string[]} */
    this.entries = [];
    /** @type {Response | null} */
    this.told = null;
  }

  async begin() {
    document.title = "Practise · ninefold";
    const match = new URLSearchParams(location.search).get("match");
    const path = match ? `/api/matches/${encodeURIComponent(match)}` : "/api";
    try {
      this.round = await get(`${path}/practice`);
      this.problem = this.gain = "";
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
    Object.assign(this, { at, entries: [], told: null, began: performance.now() });
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

  /** @param {string} selectors */
  focus(selectors) {
    /** @type {HTMLElement | null} */ (this.root.querySelector(selectors))?.focus();
  }

  /** @param {string} typed */
  async enter(typed) {
    if (!this.item || this.waits) return;
    const entries = [...this.entries, typed];
    const seconds = Math.min((performance.now() - this.began) / 1000, MOST_SECONDS);
    const request = { item: this.item.key, entries, request_id: newRequestId() };
    this.waits = true;
    try {
      /** @type {Response} */
      const told = await post("/api/practice", { ...request, seconds }, (lost) => {
        this.lost = lost;
        this.draw();
      });
      const isNews = told.right !== null || told.words !== this.told?.words;
      if (isNews && (told.right !== null || typed === HELP)) this.entries = entries;
      this.told = told;
      this.problem = "";
    } catch (error) {
      this.problem = problemOf(error);
    }
    this.waits = false;
    this.draw();
    announce(this.problem || group(this.told?.words ?? ""));
    if (this.told?.is_over) this.focus("#next");
    else if (typed !== HELP) this.root.querySelector("input")?.select();
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
      problem && !round && failed(problem, () => this.begin()),
      item && this.question(item),
      round && !item && this.end(many),
    );
  }

  /** @param {Item} item */
  question(item) {
    const { told, problem, lost } = this;
    const tone = { true: "right", false: "wrong" }[String(told?.right)] ?? "";
    const next = () => this.goTo(this.at + 1);
    return h(
      "section",
      { key: `item ${this.at}`, class: "card practice", "aria-label": "Question" },
      h("p", { class: "asked", tabindex: -1 }, group(item.text)),
      !told?.is_over && itemForm(item, (typed) => this.enter(typed)),
      problem && h("p", { key: "problem", class: "notice", role: "alert" }, problem),
      lost &&
        lostNotice("Not connected. Your answer is sent when the connection is back."),
      told && h("p", { key: "told", class: `panel ${tone}` }, group(told.words)),
      told?.is_over
        ? button("Next", next, { id: "next", class: "primary" })
        : button("Skip", next, { class: "action" }),
    );
  }

  /** @param {number} many */
  end(many) {
    return h(
      "section",
      { key: "end", class: "card practice" },
      h("p", { class: "asked", tabindex: -1 }, many ? "That was the round." : NOTHING),
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
      post("/api/learner", { name }, (lost) => {
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
