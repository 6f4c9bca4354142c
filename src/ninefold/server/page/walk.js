/**
 * A walk: items, a puzzle, a step of the path, a claim. The server walks; everything that
 * was entered leads it to the same place again.
 * @module
 */

import { announce } from "./announcements.js";
import { newRequestId, post, problemOf } from "./api.js";
import { isAsking } from "./dialogs.js";
import { button, field, h, lostNotice, WHOLE } from "./dom.js";
import { typeDigit } from "./multiplier-keys.js";
import { nothingYet } from "./state.js";
import * as storage from "./storage.js";
import { group, sentence } from "./text.js";

/** @import { Child, Props } from "./dom.js" */
/** @import { LineView, Model, State, Whole } from "./state.js" */
/** @import { Answer } from "./storage.js" */

/** @typedef {{key: string, text: string, kind: "number" | "choice" | "band", choices: string[], target: Whole | null}} Item */
/** @typedef {{shown: (string | State)[], caption: string, right: boolean | null, item: Item | null, line: LineView | null, is_over: boolean, is_done: boolean, closing: string}} WalkView */

export const HELP = "?";
const MOST_SECONDS = 1_000_000;

/** What every walk does; each kind draws itself, and says what comes of an entry. */
export class Walk {
  /** @param {HTMLElement} root @param {string} api */
  constructor(root, api) {
    this.root = root;
    this.api = api;
    /** Which walk it is. @type {object} */
    this.body = {};
    this.stores = true; // what is answered
    this.problem = this.typed = "";
    /** What goes with the last entry where answers are stored. @type {Answer} */
    this.answer = { request_id: "", seconds: 0 };
    this.began = 0;
    /** @type {string[]} */
    this.entries = [];
    /** @type {WalkView | null} */
    this.view = null;
    /** @type {Model} */
    this.model = nothingYet("", root.clientWidth);
  }

  draw() {}

  accept() {}

  /** Whether a multiplier can be played now. */
  get mayMove() {
    return false;
  }

  /** What is said now. */
  get said() {
    return this.view?.shown.filter((each) => typeof each === "string") ?? [];
  }

  listen() {
    addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => {
      const { clientWidth } = this.root.querySelector(".picture") ?? this.root;
      if (clientWidth !== this.model.width) this.set({ width: clientWidth });
    }).observe(this.root);
  }

  /** Walk from the start; an answer that is still on its way is dropped. @param {object} body */
  start(body) {
    const { model } = this;
    Object.assign(this, { body, entries: [], view: null, problem: "" });
    Object.assign(model, { pending: null, lost: false, notice: "", pointed: null });
    this.began = performance.now();
  }

  /**
   * Send everything that was entered; whether that leads somewhere.
   * @param {string[]} entries
   * @param {Answer} answer
   * @param {Whole} [multiplier] the last of them, in a game
   */
  async send(entries, answer = this.answered(), multiplier) {
    const { body } = this;
    const isPast = () => body !== this.body;
    const all = { ...body, entries, ...(this.stores ? answer : {}) };
    this.set({ pending: { what: "walk", multiplier }, notice: "" });
    try {
      /** @type {WalkView} */
      const view = await post(this.api, all, (lost) => {
        if (!isPast()) this.set({ lost });
      });
      if (isPast()) return true;
      Object.assign(this, { entries, answer, view, problem: "" });
      this.model.pending = null;
      this.accept();
      return true;
    } catch (error) {
      if (isPast()) return true;
      this.problem = problemOf(error);
      this.set({ pending: null });
      announce(this.problem);
      return false;
    }
  }

  /** @returns {Answer} */
  answered() {
    const seconds = Math.min((performance.now() - this.began) / 1000, MOST_SECONDS);
    return { request_id: newRequestId(), seconds };
  }

  /** @param {string} entry */
  enter(entry) {
    if (!this.model.pending) this.send([...this.entries, entry]);
  }

  /** @param {Whole} multiplier */
  play(multiplier) {
    if (!this.mayMove) return;
    this.send([...this.entries, String(multiplier)], this.answered(), multiplier);
  }

  /** @param {Partial<Model>} change */
  set(change) {
    Object.assign(this.model, change);
    if (change.notice !== undefined) this.typed = "";
    this.draw();
  }

  /** @param {string} text */
  notify(text) {
    announce(sentence(text));
    this.set({ notice: sentence(text) });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { key, target } = event;
    const typing =
      target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
    const isPlain = !event.ctrlKey && !event.altKey && !event.metaKey && !event.repeat;
    if (!/^\d$/.test(key) || typing || isAsking() || !isPlain) return;
    if (this.mayMove && storage.chosen("keys", true)) typeDigit(key, this);
  }

  /** Go to the first of these that is shown. @param {string[]} selectors */
  focus(...selectors) {
    const [wanted] = selectors.flatMap((each) => this.root.querySelector(each) ?? []);
    if (wanted instanceof HTMLInputElement) wanted.select();
    /** @type {HTMLElement | undefined} */ (wanted)?.focus();
  }

  /** What is said; its colour tells whether the last entry was right. */
  told(right = this.view?.right ?? null) {
    const tone = right === null ? "" : right ? "right" : "wrong";
    const { said } = this;
    if (said.length === 0) return null;
    return h(
      "aside",
      { key: "told", class: `panel ${tone}`, "aria-label": "Messages" },
      said.map((each, index) => {
        const [, verdict, rest] = /^([^.?]*[.?])(.*)$/s.exec(each) ?? [];
        const parts = [h("strong", {}, verdict), group(rest ?? "")];
        return h("p", { key: each }, tone && index === 0 ? parts : group(each));
      }),
    );
  }

  /** What went wrong, and what waits. @returns {Child[]} */
  notices() {
    const { problem, model } = this;
    return [
      problem && h("p", { key: "problem", class: "notice", role: "alert" }, problem),
      model.notice && h("p", { key: "notice", class: "notice" }, model.notice),
      model.lost &&
        lostNotice(
          "Not connected. Your answer will be sent when the connection is back.",
        ),
    ];
  }

  /** Where an item is answered. @param {Item} item @param {Props} props further attributes of its fields */
  form({ choices, kind }, props = {}) {
    const labels = kind === "band" ? ["From", "To"] : ["Your answer"];
    const typing = { ...WHOLE, maxlength: 1100 };
    const fields = labels.map((label) => field(label, { ...typing, ...props }));
    return h(
      "form",
      {
        key: "form",
        id: "answer",
        class: "choices",
        onsubmit: (/** @type {SubmitEvent} */ event) =>
          this.enter(typedInto(event).join(" to ")),
      },
      kind === "choice"
        ? choices.map((each) => button(each, () => this.enter(each)))
        : [fields, h("button", { class: "primary" }, "Answer")],
      button("Help", () => this.enter(HELP)),
    );
  }
}

/** @param {string} title @param {Child[]} note */
export function head(title, ...note) {
  const name = h("h1", { tabindex: -1 }, title);
  return h("header", { key: "head", class: "head" }, name, h("p", {}, note));
}

/** @param {HTMLFormElement} form what was typed into it */
export function typedIn(form) {
  return [...form.querySelectorAll("input")].map(({ value }) => value);
}

/** @param {Event} event @returns {string[]} what its form holds */
export function typedInto(event) {
  event.preventDefault();
  return typedIn(/** @type {HTMLFormElement} */ (event.currentTarget));
}
