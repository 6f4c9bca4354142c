/**
 * Explore: for any rules, who wins, where the lost totals lie, and why.
 * @module
 */

import { announce } from "./announcements.js";
import { get, problemOf, Unreachable } from "./api.js";
import { entryOf, failed, field, h, lostNotice, pick, render, WHOLE } from "./dom.js";
import { bandsLeftOut, drawLine, hopLength, logOf, placeAt } from "./number-line.js";
import { group, plainDigits, shorten, writeSet } from "./text.js";

/** @import { Preview } from "./number-line.js" */
/** @import { Choices, GameRow, ExploredLine, Solution, Whole } from "./state.js" */

const TYPING = 150;
const SILENCE = 800; // who listens hears the answer once the typing pauses
const USUAL_GAME = "multiplier-showdown";
const TARGETS = ["100", "500", "1000"];
const MOST_HOPS = 16;
const CLOSE = 1e-9; // closer than this, two places are one

/** The page that answers as one types. */
export class Explore {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    /** @type {Choices | null} */
    this.choices = null;
    const query = new URLSearchParams(location.search);
    this.asked = {
      game: query.get("game") ?? USUAL_GAME,
      target: query.get("target") ?? "",
      multipliers: query.get("multipliers") ?? "",
      total: query.get("total") ?? "",
    };
    /** @type {Solution | null} */
    this.solution = null;
    /** @type {ExploredLine | null} */
    this.line = null;
    this.problem = "";
    this.lost = false; // whether the problem is that nobody answers
    this.note = "";
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.saying = undefined;
    this.running = new AbortController();
  }

  async open() {
    document.title = "Explore · ninefold";
    new ResizeObserver(() => this.draw()).observe(this.root);
    addEventListener("online", () => this.lost && this.look());
    this.draw();
    await this.begin();
  }

  async begin() {
    try {
      this.choices = await get("/api/choices");
    } catch (error) {
      this.problem = problemOf(error);
      this.draw();
      return;
    }
    const wanted = this.asked.game;
    if (!this.game) this.asked.game = USUAL_GAME;
    if (wanted !== this.asked.game) {
      this.note = `There is no game “${wanted}”. This is ${this.game?.title}.`;
    }
    await this.look();
  }

  /** @returns {GameRow | undefined} */
  get game() {
    return this.choices?.games.find(({ key }) => key === this.asked.game);
  }

  /** @param {Partial<Explore["asked"]>} change */
  change(change) {
    Object.assign(this.asked, change);
    this.note = "";
    this.draw();
    clearTimeout(this.timer);
    clearTimeout(this.saying);
    this.timer = setTimeout(() => this.look(), TYPING);
  }

  /** Ask what is typed; an answer that comes too late is dropped. */
  async look() {
    this.running.abort();
    const running = new AbortController();
    this.running = running;
    const query = this.query();
    history.replaceState(null, "", `/explore?${query}`);
    try {
      const [solution, line] = await Promise.all([
        get(`/api/solve?${query}`, running.signal),
        get(`/api/line?${query}`, running.signal),
      ]);
      this.solution = /** @type {Solution} */ (solution);
      this.line = /** @type {ExploredLine} */ (line);
      this.problem = "";
      this.lost = false;
      this.say(group(`${this.solution.headline} ${this.solution.why}`));
    } catch (error) {
      if (running.signal.aborted) return;
      this.problem = problemOf(error);
      this.lost = error instanceof Unreachable;
    }
    this.draw();
  }

  /** @param {string} text */
  say(text) {
    clearTimeout(this.saying);
    this.saying = setTimeout(() => announce(text), SILENCE);
  }

  query() {
    const { target, multipliers, total } = this.asked;
    const query = new URLSearchParams({ game: this.game?.key ?? "" });
    if (target.trim()) query.set("target", plainDigits(target));
    if (multipliers.trim()) query.set("multipliers", multipliers.replace(/\s/g, ""));
    if (total.trim()) query.set("total", plainDigits(total));
    return query;
  }

  /** Where the total stands among the stops; of the one before, if it is none. */
  get at() {
    const { stops = [], total } = this.line ?? {};
    const place = (total ?? 0) + CLOSE;
    return stops.filter((stop) => this.placeOf(stop) <= place).length - 1;
  }

  /** The place of a total on the line. @param {Whole} total */
  placeOf(total) {
    const { rules } = /** @type {Solution} */ (this.solution);
    return hopLength(rules, total) - hopLength(rules, rules.start);
  }

  /** @param {number} step */
  step(step) {
    const { stops = [] } = this.line ?? {};
    const to = stops[Math.min(Math.max(this.at + step, 0), stops.length - 1)];
    if (to !== undefined) this.goTo(to);
  }

  /** @param {PointerEvent} event */
  point(event) {
    const { stops = [] } = this.line ?? {};
    const drawn = /** @type {Element} */ (event.currentTarget);
    const place = placeAt(drawn, event.clientX);
    /** @param {Whole} total */
    const distance = (total) => Math.abs(this.placeOf(total) - place);
    const [nearest] = [...stops].sort((a, b) => distance(a) - distance(b));
    if (nearest !== undefined) this.goTo(nearest);
  }

  /** @param {Whole} total */
  goTo(total) {
    this.change({ total: String(total) });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const last = this.line?.stops.length ?? 0;
    const step = {
      ArrowLeft: -1,
      ArrowDown: -1,
      ArrowRight: 1,
      ArrowUp: 1,
      Home: -last,
      End: last,
    }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    this.step(step);
  }

  draw() {
    const { choices, asked, game, solution, problem } = this;
    /** @param {keyof Explore["asked"]} key */
    const follow = (key) => (/** @type {Event} */ event) =>
      this.change({ [key]: entryOf(event) });
    render(
      this.root,
      h(
        "header",
        { key: "head", class: "head" },
        h("h1", { tabindex: -1 }, "Explore"),
        h("p", {}, "Who wins, and why. Tap the line for another total."),
      ),
      choices && game
        ? h(
            "form",
            {
              key: "form",
              class: "card grid rules",
              onsubmit: (/** @type {Event} */ event) => event.preventDefault(),
            },
            pick(
              "Game",
              game.key,
              choices.games.map(({ key, title }) => [key, title]),
              (event) =>
                this.change({
                  game: entryOf(event),
                  target: "",
                  multipliers: "",
                  total: "",
                }),
            ),
            this.targets(game),
            field("Target", {
              value: asked.target,
              ...WHOLE,
              placeholder: shorten(game.rules.target),
              oninput: follow("target"),
              ...this.wrong("target"),
            }),
            field("Multipliers", {
              value: asked.multipliers,
              autocomplete: "off",
              placeholder: writeSet(game.rules.multipliers),
              oninput: follow("multipliers"),
              ...this.wrong("multipliers"),
            }),
            field("Current total", {
              value: asked.total,
              ...WHOLE,
              placeholder: shorten(game.rules.start),
              oninput: follow("total"),
              ...this.wrong("total"),
            }),
          )
        : problem
          ? failed(problem, () => this.begin())
          : h("p", { key: "loading", class: "loading" }, "…"),
      this.note && h("p", { key: "note", class: "notice", role: "status" }, this.note),
      problem &&
        choices &&
        (this.lost
          ? lostNotice(problem, { role: "alert" })
          : h(
              "p",
              { key: "problem", id: "problem", class: "notice", role: "alert" },
              problem,
            )),
      game && this.picture(),
      !problem && solution && answer(solution),
      h(
        "p",
        { key: "public", class: "soft" },
        "This page is public: your opponent can look here too.",
      ),
    );
  }

  /** Targets that games often have, each one press away. @param {GameRow} game */
  targets({ rules }) {
    const asked = plainDigits(this.asked.target) || String(rules.target);
    const all = [...new Set([...TARGETS, String(rules.target)])];
    all.sort((a, b) => logOf(a) - logOf(b));
    return h(
      "fieldset",
      { key: "targets" },
      h("legend", {}, "Play to"),
      h(
        "div",
        { class: "segments" },
        all.map((target) =>
          h(
            "label",
            { key: target },
            h("input", {
              type: "radio",
              name: "target",
              value: target,
              checked: target === asked,
              onchange: () => this.change({ target, total: "" }),
            }),
            h("span", {}, shorten(target)),
          ),
        ),
      ),
    );
  }

  /** Which field the problem is about. @param {"target" | "multipliers" | "total"} name */
  wrong(name) {
    const found = { target: /target must/, multipliers: /multiplier/i, total: /total/ };
    const wrong = found[name].test(this.problem);
    return { "aria-invalid": wrong, "aria-describedby": wrong ? "problem" : null };
  }

  picture() {
    const { line, solution, problem, root } = this;
    if (!line || !solution) return null;
    const { rules, wins, best_move: best } = solution;
    const bands = line.bands.map(({ text }) => group(text)).join(", ");
    const label = `Number line from ${shorten(rules.start)} to ${shorten(rules.target)}. Lost totals: ${bands || "none"}.`;
    /** @param {Whole} multiplier */
    const place = (multiplier) => (line.total ?? 0) + hopLength(rules, multiplier);
    /** @type {Preview | null} */
    const preview =
      wins && best !== undefined
        ? { place: place(best), multiplier: best, seat: 1 }
        : null;
    const few = rules.multipliers.length <= MOST_HOPS && !solution.outcome;
    return h(
      "figure",
      { key: "picture", class: `picture${problem ? " stale" : ""}` },
      drawLine(line, {
        width: root.clientWidth,
        label,
        preview,
        faint: few ? rules.multipliers.map(place) : [],
        props: this.slider(line, solution),
      }),
      h(
        "figcaption",
        {},
        problem
          ? "This was the last answer."
          : bandsLeftOut(line, root.clientWidth) || line.caption,
      ),
    );
  }

  /** @param {ExploredLine} line @param {Solution} solution */
  slider(line, solution) {
    return {
      role: "slider",
      tabindex: 0,
      class: "line pointed",
      "aria-label": "Total on the number line",
      "aria-valuemin": 0,
      "aria-valuemax": line.stops.length - 1,
      "aria-valuenow": Math.max(this.at, 0),
      "aria-valuetext": group(solution.headline),
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event),
      onpointerdown: (/** @type {PointerEvent} */ event) => this.point(event),
    };
  }
}

/** @param {Solution} solution */
function answer(solution) {
  return h(
    "section",
    { key: "answer", class: `card answer ${solution.wins ? "is-won" : "is-lost"}` },
    h("h2", {}, group(solution.headline)),
    h("p", {}, group(solution.why)),
  );
}
