/**
 * Explore: for any rules, who wins, where the lost totals lie, and why.
 * @module
 */

import { get, problemOf } from "./api.js";
import { announce, h, render } from "./dom.js";
import { field, pick } from "./fields.js";
import { drawLine, withTotal } from "./line.js";
import { plainDigits, readSet, shorten, writeSet } from "./words.js";

/** @typedef {import("./wire.js").Choices} Choices */
/** @typedef {import("./wire.js").Solution} Solution */
/** @typedef {import("./wire.js").LineView} LineView */

const TYPING = 150;
const MOST_POSITIONS = 2000;
const MOST_HOPS = 16;

/** The page that answers as one types. */
export class Explore {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    /** @type {Choices | null} */
    this.choices = null;
    const query = new URLSearchParams(location.search);
    this.asked = {
      game: query.get("game") ?? "multiplier-showdown",
      target: query.get("target") ?? "",
      multipliers: query.get("multipliers") ?? "",
      total: query.get("total") ?? "",
    };
    /** @type {Solution | null} */
    this.solution = null;
    /** @type {LineView | null} */
    this.line = null;
    this.problem = "";
    /** @type {number[]} */
    this.positions = [];
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.running = new AbortController();
  }

  async open() {
    document.title = "Explore · ninefold";
    new ResizeObserver(() => this.draw()).observe(this.root);
    this.draw();
    try {
      this.choices = await get("/api/choices");
    } catch {
      this.problem = "There is no connection just now. Load the page again.";
      this.draw();
      return;
    }
    await this.look();
  }

  get game() {
    const games = this.choices?.games ?? [];
    return games.find(({ key }) => key === this.asked.game) ?? games[0];
  }

  /** @param {Partial<Explore["asked"]>} change */
  change(change) {
    Object.assign(this.asked, change);
    this.draw();
    clearTimeout(this.timer);
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
      this.line = /** @type {LineView} */ (line);
      this.problem = "";
      this.positions = this.findPositions();
      announce(`${headline(this.solution)} ${this.solution.why}`);
    } catch (error) {
      if (running.signal.aborted) return;
      this.problem = problemOf(error);
    }
    this.draw();
  }

  query() {
    const { target, multipliers, total } = this.asked;
    const query = new URLSearchParams({ game: this.game?.key ?? "" });
    if (target.trim()) query.set("target", plainDigits(target));
    if (multipliers.trim()) query.set("multipliers", multipliers.replace(/\s/g, ""));
    if (total.trim()) query.set("total", plainDigits(total));
    return query;
  }

  get rules() {
    const { game, asked } = this;
    const own = game?.rules;
    const set = readSet(asked.multipliers) ?? own?.multipliers ?? [];
    const target = plainDigits(asked.target) || own?.target;
    return {
      start: Number(own?.start),
      target: Number(target),
      multipliers: set.map(Number),
    };
  }

  /** Every total that somebody can face, ascending; none where they are many. */
  findPositions() {
    const { start, target, multipliers } = this.rules;
    if (!Number.isSafeInteger(target * 2) || Math.min(...multipliers) < 2) return [];
    const found = new Set([start]);
    for (const total of found) {
      for (const each of multipliers)
        if (total * each < target) found.add(total * each);
      if (found.size > MOST_POSITIONS) return [];
    }
    return [...found].sort((a, b) => a - b);
  }

  get total() {
    return Number(plainDigits(this.asked.total) || this.rules.start);
  }

  /** @param {number} step */
  step(step) {
    const at = this.positions.findIndex((total) => total >= this.total);
    const within = Math.min(Math.max(at + step, 0), this.positions.length - 1);
    const total = this.positions[within];
    if (total !== undefined) this.change({ total: String(total) });
  }

  /** @param {PointerEvent} event */
  point(event) {
    const svg = /** @type {SVGSVGElement} */ (event.currentTarget);
    const box = svg.getBoundingClientRect();
    const place = (event.clientX - box.left - 18) / (box.width - 36);
    const { start, target } = this.rules;
    /** @param {number} total */
    const distance = (total) =>
      Math.abs(Math.log(total / start) / Math.log(target / start) - place);
    const [nearest] = [...this.positions].sort((a, b) => distance(a) - distance(b));
    if (nearest !== undefined) this.change({ total: String(nearest) });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const last = this.positions.length;
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
    const follow =
      (key) =>
      (/** @type {Event} */ { target }) =>
        this.change({ [key]: /** @type {HTMLInputElement} */ (target).value });
    render(
      this.root,
      h(
        "header",
        { key: "head", class: "head" },
        h("h1", { tabindex: -1 }, "Explore"),
        h("p", {}, "Who wins any game, and why. This page is public."),
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
              ({ target }) =>
                this.change({
                  game: /** @type {HTMLSelectElement} */ (target).value,
                  target: "",
                  multipliers: "",
                  total: "",
                }),
            ),
            field("Target", {
              value: asked.target,
              inputmode: "numeric",
              autocomplete: "off",
              placeholder: game.rules.target,
              oninput: follow("target"),
            }),
            field("Multipliers", {
              value: asked.multipliers,
              autocomplete: "off",
              placeholder: writeSet(game.rules.multipliers),
              oninput: follow("multipliers"),
            }),
            field("At the total", {
              value: asked.total,
              inputmode: "numeric",
              autocomplete: "off",
              placeholder: game.rules.start,
              oninput: follow("total"),
            }),
          )
        : h("p", { key: "loading", class: "loading" }, problem || "…"),
      game && this.picture(),
      problem &&
        choices &&
        h("p", { key: "problem", class: "notice", role: "alert" }, problem),
      !problem && solution && answer(solution),
    );
  }

  picture() {
    const { line, positions, solution, root } = this;
    if (!line || !solution) return null;
    const [start, target] = [
      Number(solution.rules.start),
      Number(solution.rules.target),
    ];
    const multipliers = solution.rules.multipliers.map(Number);
    const bands = line.bands.map(({ text }) => text).join(", ");
    const label = `Number line from ${shorten(solution.rules.start)} to ${shorten(solution.rules.target)}. Lost for the player to move: ${bands || "none"}.`;
    const at = positions.indexOf(Number(solution.total));
    const slider = positions.length > 1 && {
      role: "slider",
      tabindex: 0,
      class: "line pointed",
      "aria-label": "Total on the number line",
      "aria-valuemin": 0,
      "aria-valuemax": positions.length - 1,
      "aria-valuenow": Math.max(at, 0),
      "aria-valuetext": `${shorten(solution.total)}, ${solution.wins ? "won" : "lost"} for the player to move`,
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event),
      onpointerdown: (/** @type {PointerEvent} */ event) => this.point(event),
    };
    /** @param {number} multiplier */
    const place = (multiplier) =>
      (line.total ?? 0) + Math.log(multiplier) / Math.log(target / start);
    const best = Number(solution.best_move);
    /** @type {import("./line.js").Preview | null} */
    const preview =
      solution.wins && Number.isFinite(target)
        ? { place: place(best), multiplier: best, seat: 1 }
        : null;
    const shown = multipliers.length <= MOST_HOPS && Number.isFinite(target);
    const faint = shown && !solution.outcome ? multipliers.map(place) : [];
    return h(
      "figure",
      { key: "picture", class: "picture" },
      drawLine(withTotal(line, solution.total), {
        width: root.clientWidth,
        label,
        preview,
        faint,
        props: slider || {},
      }),
      h(
        "figcaption",
        {},
        line.bands.length > 0
          ? "From a striped total the player to move loses, against best play."
          : "No total is lost for the player to move.",
        positions.length > 1 && " Tap the line, or use the arrow keys on it.",
      ),
    );
  }
}

/** @param {Solution} solution */
function headline({ wins, total, winning_moves, outcome }) {
  const at = shorten(total);
  if (outcome) return `At ${at} the game is over.`;
  if (!wins) return `Lost: from ${at} every move fails.`;
  return `Won: from ${at} play ${(winning_moves ?? []).map((move) => `×${shorten(move)}`).join(" or ")}.`;
}

/** @param {Solution} solution */
function answer(solution) {
  return h(
    "section",
    { key: "answer", class: `card answer ${solution.wins ? "is-won" : "is-lost"}` },
    h("h2", {}, headline(solution)),
    h("p", {}, solution.why),
  );
}
