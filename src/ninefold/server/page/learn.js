/**
 * Learn: the path to the lost bands, step by step, and claims that are played out.
 * @module
 */

import { announce } from "./announcements.js";
import { get, problemOf } from "./api.js";
import { button, entryOf, failed, field, h, link, pick, render, WHOLE } from "./dom.js";
import { keys } from "./multiplier-keys.js";
import { drawLine, logOf, placeAt } from "./number-line.js";
import { isNextMove, newTurn, saidOf } from "./state.js";
import * as storage from "./storage.js";
import { board, labelled } from "./table.js";
import { group, plainDigits, writeSet } from "./text.js";
import { head, typedIn, Walk } from "./walk.js";

/** @import { Choices, LineView, State } from "./state.js" */
/** @import { Item, WalkView } from "./walk.js" */

/** @typedef {{key: string, title: string, aim: string, steps: {title: string, is_done: boolean}[]}} Chapter */
/** @typedef {{chapters: Chapter[], next_chapter: string | null, next_step: number | null}} Path */
/** @typedef {{title: string, note: string, api: string, body: object}} Wanted what is walked */

const PAUSE = 600; // a level answers at once; its hop follows the other
const NEXT = "/learn?next=step";
const STEPS = 8;
const LEAVE = link("Leave", "/learn", "button action");
const CLAIM = "#claim";
const THREE_COLUMNS = "(min-width: 60rem)";
const CLAIMED = ["game", "target", "multipliers", "start"];

/** @param {HTMLElement} root */
export async function openPath(root) {
  const query = new URLSearchParams(location.search);
  const asked = Object.fromEntries(query);
  if (asked.says) {
    const lost = asked.says !== "won";
    const game = CLAIMED.map((name) => [name, asked[name] || null]);
    const body = { ...Object.fromEntries(game), total: asked.total ?? "", lost };
    const says = `${group(asked.total ?? "")} is ${lost ? "lost" : "won"}`;
    return new Lesson(root, {
      title: `You say ${says}`,
      note: "",
      api: "/api/claim",
      body,
    }).open();
  }
  return new Steps(root, asked).open();
}

/** The steps of the path, and a form for claims. */
class Steps {
  /** @param {HTMLElement} root @param {Record<string, string>} asked */
  constructor(root, asked) {
    this.root = root;
    this.asked = asked;
    this.problem = "";
    /** @type {Path | null} */
    this.path = null;
    /** @type {Choices | null} */
    this.choices = null;
    this.width = root.clientWidth;
  }

  async open() {
    document.title = "Learn · ninefold";
    try {
      this.path = await get("/api/path");
      this.choices = await get("/api/choices");
      this.problem = "";
    } catch (error) {
      this.problem = problemOf(error);
    }
    const { chapter, step } = this.asked;
    const { next_chapter, next_step } = this.path ?? {};
    if (this.asked.next && next_chapter && next_step) {
      return location.replace(stepLink(next_chapter, next_step));
    }
    const found = this.path?.chapters.find(({ key }) => key === chapter);
    const title = found?.steps[Number(step) - 1]?.title;
    if (found && title) {
      return new Lesson(this.root, {
        title,
        note: `${found.title} · step ${step} of ${found.steps.length}`,
        api: "/api/path",
        body: { chapter, step: Number(step) },
      }).open();
    }
    this.draw();
    new ResizeObserver(() => this.fit()).observe(this.root);
    if (location.hash === CLAIM) this.root.querySelector(CLAIM)?.scrollIntoView();
  }

  fit() {
    const { clientWidth } = this.root.querySelector(".picture") ?? this.root;
    if (clientWidth === this.width) return;
    this.width = clientWidth;
    this.draw();
  }

  draw() {
    const { path, problem } = this;
    render(
      this.root,
      head("Learn", "Play, and find out how to win for certain."),
      problem && failed(problem, () => this.open()),
      path && [
        next(path, this.width),
        h(
          "div",
          { key: "chapters", class: "chapters" },
          path.chapters.map((each) => chapterView(each, path)),
        ),
      ],
      this.choices && this.claims(this.choices),
    );
  }

  /** @param {Choices} choices */
  claims({ games }) {
    const { asked } = this;
    const game = games.find(({ key }) => key === asked.game) ?? games[0];
    if (!game) return null;
    const change = (/** @type {Event} */ event) => {
      this.asked = { game: entryOf(event) };
      this.draw();
    };
    /** @param {Event} event @param {string} says */
    const claim = ({ currentTarget }, says) => {
      const { form } = /** @type {HTMLButtonElement} */ (currentTarget);
      if (!form?.reportValidity()) return;
      const [total = "", target = "", multipliers = ""] = typedIn(form);
      const start = asked.start ?? "";
      const typed = { total: plainDigits(total), target, multipliers, start };
      const query = new URLSearchParams({ game: game.key, ...typed, says });
      location.assign(`/learn?${query}`);
    };
    const { target, multipliers } = game.rules;
    const usual = { target: String(target), multipliers: writeSet(multipliers) };
    const form = h(
      "form",
      { class: "practice" },
      h(
        "div",
        { class: "fields" },
        pick(
          "Game",
          game.key,
          games.map(({ key, title }) => [key, title]),
          change,
        ),
        field("Total", {
          ...WHOLE,
          required: true,
          size: 6,
          value: asked.total ?? "",
        }),
        field("Target", {
          ...WHOLE,
          value: asked.target ?? "",
          placeholder: usual.target,
        }),
        field("Multipliers", {
          autocomplete: "off",
          value: asked.multipliers ?? "",
          placeholder: usual.multipliers,
        }),
      ),
      h(
        "div",
        { class: "choices" },
        ["lost", "won"].map((says) =>
          h(
            "button",
            {
              key: says,
              type: "button",
              onclick: (/** @type {Event} */ event) => claim(event, says),
            },
            `It is ${says}`,
          ),
        ),
      ),
    );
    return h(
      "details",
      { key: "claim", id: "claim", class: "card", open: location.hash === CLAIM },
      h(
        "summary",
        {},
        h(
          "div",
          {},
          h("h2", {}, "Make a claim"),
          h(
            "small",
            {},
            "Say that a total is lost. Then prove it: win three games from there.",
          ),
        ),
      ),
      form,
    );
  }
}

/** @param {string} chapter @param {number} step */
function stepLink(chapter, step) {
  return `/learn?chapter=${chapter}&step=${step}`;
}

/** What comes next; how far one is on the way is a line with a hop for each step. @param {Path} path @param {number} width */
function next({ chapters, next_chapter: key, next_step: step }, width) {
  const chapter = chapters.find((each) => each.key === key);
  if (!chapter || !step) {
    const finished = "You have finished the whole path.";
    return h("section", { key: "next", class: "card next" }, h("p", {}, finished));
  }
  const { steps, title } = chapter;
  const begun = chapters.some((each) => each.steps.some(({ is_done }) => is_done));
  return h(
    "section",
    { key: "next", class: "card next" },
    h(
      "div",
      {},
      h("p", { class: "soft" }, `${title} · step ${step} of ${steps.length}`),
      h("h2", {}, steps[step - 1]?.title),
    ),
    h("div", { class: "picture" }, drawLine(lineOf(steps, step), lookOf(step, width))),
    link(begun ? "Continue" : "Start", stepLink(chapter.key, step), "button primary"),
  );
}

/** @param {Chapter["steps"]} steps @param {number} step the next one @returns {LineView} */
function lineOf(steps, step) {
  const isDone = steps.map((each) => each.is_done);
  return {
    target: 1,
    total: (step - 1) / STEPS,
    bands: [],
    hops: steps.slice(0, step - 1).map((_, index) => ({
      left: index / STEPS,
      right: (index + 1) / STEPS,
      seat: 1,
      multiplier: "",
      is_turning_point: false,
    })),
    labels: steps.map((_, index) => ({
      place: (index + 1) / STEPS,
      text: String(index + 1),
      kind: isDone[index] || index + 1 === step ? "end" : "decade",
      slack: 0,
    })),
  };
}

/** @param {number} step the next one @param {number} width */
function lookOf(step, width) {
  const label = `${step - 1} of ${STEPS} steps done; step ${step} is next.`;
  const preview = {
    place: step / STEPS,
    multiplier: "",
    seat: /** @type {const} */ (1),
  };
  return { width, label, preview, isNamed: false };
}

/** @param {Chapter} chapter @param {Path} path */
function chapterView({ key, title, aim, steps }, path) {
  const done = steps.filter(({ is_done }) => is_done).length;
  const open = key === (path.next_chapter ?? key) || matchMedia(THREE_COLUMNS).matches;
  return h(
    "details",
    { key, class: "card chapter", open },
    h(
      "summary",
      {},
      h("div", {}, h("h2", {}, title), h("small", {}, aim)),
      h("small", {}, `${done} of ${steps.length}`),
    ),
    h(
      "ol",
      {},
      steps.map(({ title, is_done }, index) => {
        const isNext = key === path.next_chapter && index + 1 === path.next_step;
        const state = is_done ? "done" : isNext ? "next" : "";
        return h(
          "li",
          { key: index, class: state },
          h(
            "a",
            { href: stepLink(key, index + 1), "aria-current": isNext ? "step" : null },
            h(
              "span",
              { class: "tick", "aria-hidden": "true" },
              is_done ? "✓" : index + 1,
            ),
            h("span", {}, title),
            state && h("small", {}, state),
          ),
        );
      }),
    ),
  );
}

/** A step or a claim: what is said, asked and played, one after another. */
class Lesson extends Walk {
  /** @param {HTMLElement} root @param {Wanted} wanted */
  constructor(root, wanted) {
    super(root, wanted.api);
    this.wanted = wanted;
    this.name = location.search;
    this.stores = wanted.api === "/api/path";
    this.at = 0; // how much of what is shown was seen
    this.asked = ""; // the key of the last item
    /** The ends that are shaded. @type {[string, string]} */
    this.band = ["", ""];
  }

  async open() {
    document.title = `${this.wanted.title} · ninefold`;
    this.listen();
    const kept = storage.entered(this.name);
    const seed = kept?.seed ?? crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
    this.start({ ...this.wanted.body, seed });
    if (kept && (await this.send(kept.entries, kept.answer))) return;
    this.problem = "";
    await this.send([]);
  }

  // What is shown

  accept() {
    const { view, name, entries, answer } = this;
    const { seed } = /** @type {{seed: number}} */ (this.body);
    storage.keepEntered(name, view?.is_over ? null : { seed, entries, answer });
    const key = view?.item?.key ?? "";
    if (key !== this.asked) this.band = ["", ""];
    this.asked = key;
    this.at = 0;
    this.began = performance.now();
    this.show();
  }

  /** What is still to be seen. */
  get shown() {
    return this.view?.shown.slice(this.at) ?? [];
  }

  /** The game as it is shown; null where something is read or asked, or it is over. */
  get state() {
    const [first] = this.shown;
    return first && typeof first !== "string" ? first : null;
  }

  /** What is said now, up to the next game. */
  get said() {
    const game = this.shown.findIndex((each) => typeof each !== "string");
    const said = game < 0 ? this.shown : this.shown.slice(0, game);
    return /** @type {string[]} */ (said);
  }

  /** @param {number} parts how many of them were seen */
  goOn(parts) {
    this.at += parts;
    this.show();
  }

  /** Show what comes now; what a level plays comes a little later. */
  show() {
    const { view, state, said } = this;
    const before = this.model.state;
    const moved = before !== null && state !== null && isNextMove(before, state);
    this.set({ state, fresh: moved, pointed: null });
    if (!view) return;
    const waits = this.shown.length === 1;
    if (state && !state.outcome && !waits) setTimeout(() => this.goOn(1), PAUSE);
    announce(
      state?.moves.length ? saidOf(state) : "",
      ...said.map(group),
      ...(state && !state.outcome && waits ? newTurn(before, state) : []),
      view.item && this.isRest ? group(view.item.text) : "",
    );
    this.focus("#next", "form input", ".asked");
  }

  /** Whether no game is to be seen any more: what is left is asked, or it is over. */
  get isRest() {
    return this.said.length === this.shown.length;
  }

  draw() {
    const { view, problem, wanted } = this;
    const isLast = !this.shown.some((each) => typeof each !== "string" && each.outcome);
    const aim = group(this.state?.aim.replace(/\.$/, "") ?? "");
    const note = [wanted.note, aim, isLast ? view?.caption : ""].filter(Boolean);
    render(
      this.root,
      h(
        "article",
        { key: "walk", class: `table walk${this.state ? "" : " asks"}` },
        head(wanted.title, note.join(" · ")),
        !view && problem && [failed(problem, () => this.open()), this.otherClaim()],
        view && [
          this.told(this.at > 0 ? null : view.right),
          this.state ? this.game(this.state) : this.rest(view),
          this.notices(),
          problem && button("Start again", () => this.beginAgain()),
        ],
      ),
    );
  }

  /** To say it differently, where a claim was refused. */
  otherClaim() {
    const query = new URLSearchParams(location.search);
    if (!query.get("says")) return null;
    query.delete("says");
    return link("Change the claim", `/learn?${query}#claim`);
  }

  beginAgain() {
    storage.keepEntered(this.name, null);
    location.reload();
  }

  /** @param {State} state */
  game(state) {
    return [
      board(this.model, state, this),
      state.outcome
        ? h(
            "section",
            { key: "end", class: `end seat${state.outcome.winner}` },
            h("h2", {}, labelled(state.headline)),
            h("p", { class: "outcome" }, saidOf(state)),
            button("Continue", () => this.goOn(1), { id: "next", class: "primary" }),
          )
        : [
            keys(this.model, state, this),
            h(
              "div",
              { key: "actions", class: "actions" },
              button("Give up this game", () => this.enter("resign"), {
                class: "action",
                "aria-disabled": !this.mayMove,
              }),
              LEAVE,
            ),
          ],
    ];
  }

  /** What is asked, or how it ended. @param {WalkView} view */
  rest({ item, line, is_over, is_done, closing }) {
    if (!this.isRest) {
      const play = () => this.goOn(this.said.length);
      return button("Play", play, { id: "next", class: "primary" });
    }
    if (item) {
      return h(
        "section",
        { key: `item ${item.key}`, class: "card practice", "aria-label": "Question" },
        h("p", { class: "asked", tabindex: -1 }, group(item.text)),
        line && this.shading(item, line),
        this.form(item, this.followed(line)),
        h(
          "div",
          { class: "actions" },
          button("Skip", () => this.enter("skip"), { class: "action" }),
          LEAVE,
        ),
      );
    }
    if (!is_over) return null;
    return h(
      "section",
      { key: "over", class: "card practice" },
      closing && h("p", { class: "asked", tabindex: -1 }, closing),
      h(
        "div",
        { class: "choices" },
        closing && is_done
          ? h("a", { id: "next", class: "button primary", href: NEXT }, "Next step")
          : button("Again", () => this.beginAgain(), { id: "next", class: "primary" }),
        link("Learn", "/learn"),
      ),
    );
  }

  // A band, typed or shaded

  /** What follows the fields of a band. @param {LineView | null} line */
  followed(line) {
    if (!line) return {};
    return {
      oninput: (/** @type {Event} */ { target }) => {
        const form = /** @type {HTMLInputElement} */ (target).form;
        const [from, to] = form?.querySelectorAll("input") ?? [];
        this.band = [from?.value ?? "", to?.value ?? ""];
        this.draw();
      },
    };
  }

  /** @param {Item} item @param {LineView} line */
  shading(item, line) {
    const target = Number(item.target);
    const ends = this.band.map((end) => Number(plainDigits(end)));
    const [low = 0, high = 0] = ends.sort((a, b) => a - b);
    const isBand = low >= 1 && high <= target;
    const place = (/** @type {number} */ total) => logOf(total) / logOf(target);
    const text = `${low} to ${high}`;
    const label = {
      place: place(low),
      text,
      kind: /** @type {const} */ ("band"),
      slack: 0,
    };
    const shown = {
      ...line,
      bands: isBand ? [{ left: place(low), right: place(high), text }] : [],
      labels: isBand ? [...line.labels, label] : line.labels,
    };
    /** @param {PointerEvent} event @param {boolean} begins */
    const shade = ({ currentTarget, clientX }, begins) => {
      const drawn = /** @type {Element} */ (currentTarget);
      const at = Math.min(Math.max(placeAt(drawn, clientX), 0), 1);
      const total = String(Math.min(Math.round(target ** at), target - 1));
      this.band = begins ? [total, total] : [this.band[0], total];
      const [from, to] = this.root.querySelectorAll("form input");
      const [least, most] = [...this.band].sort((a, b) => Number(a) - Number(b));
      /** @type {HTMLInputElement} */ (from).value = least ?? "";
      /** @type {HTMLInputElement} */ (to).value = most ?? "";
      this.draw();
    };
    return h(
      "div",
      { key: "line", class: "picture" },
      drawLine(shown, {
        width: this.model.width,
        label: `Number line from 1 to ${target}. Type the band, or drag along the line.`,
        props: {
          onpointerdown: (/** @type {PointerEvent} */ event) => {
            /** @type {Element} */ (event.currentTarget).setPointerCapture(
              event.pointerId,
            );
            shade(event, true);
          },
          onpointermove: (/** @type {PointerEvent} */ event) => {
            if (event.buttons) shade(event, false);
          },
        },
      }),
    );
  }

  // A game

  get mayMove() {
    const { state, pending } = this.model;
    return Boolean(this.shown.length === 1 && state?.to_move === 1 && !pending);
  }
}
