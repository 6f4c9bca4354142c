/**
 * Explore: for any rules, who wins, where the lost totals lie, and why.
 * @module
 */

import { announce } from "./announcements.js";
import { get, problemOf, Unreachable } from "./api.js";
import { failed, field, h, lostNotice, pick, render } from "./dom.js";
import {
  bandsLeftOut,
  drawLine,
  hopLength,
  logOf,
  placeAt,
  withTotal,
} from "./number-line.js";
import { group, plainDigits, shorten, writeSet } from "./text.js";

/** @import { Preview } from "./number-line.js" */
/** @import { Choices, GameRow, LineView, Rules, Solution, Whole } from "./state.js" */

const TYPING = 150;
const SILENCE = 800; // who listens hears the answer once the typing pauses
const USUAL_GAME = "multiplier-showdown";
const MOST_HOPS = 16;
const STEPS = 100; // along a line of too many totals
const MOST_POSITIONS = 2000;
const MOST_TRIED = 5000;
const HIGHEST_LISTED = 10 ** 7;

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
    /** @type {LineView | null} */
    this.line = null;
    this.problem = "";
    this.lost = false; // whether the problem is that nobody answers
    this.note = "";
    /** @type {number[]} */
    this.positions = [];
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
      this.line = /** @type {LineView} */ (line);
      this.problem = "";
      this.lost = false;
      this.positions = positionsOf(this.solution.rules);
      this.say(`${headline(this.solution)} ${group(this.solution.why)}`);
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

  /** @param {number} step */
  step(step) {
    const { positions, solution, line } = this;
    if (!solution) return;
    if (positions.length === 0) {
      const place = (line?.total ?? 0) + step / STEPS;
      this.goTo(totalNear(solution.rules, Math.min(Math.max(place, 0), 1)));
      return;
    }
    const at = positions.findIndex((total) => total >= Number(solution.total));
    const within = Math.min(Math.max(at + step, 0), positions.length - 1);
    this.goTo(positions[within] ?? solution.rules.start);
  }

  /** @param {PointerEvent} event */
  point(event) {
    const { positions, solution } = this;
    if (!solution) return;
    const { rules } = solution;
    const drawn = /** @type {Element} */ (event.currentTarget);
    const place = Math.min(Math.max(placeAt(drawn, event.clientX), 0), 1);
    if (positions.length === 0) {
      this.goTo(totalNear(rules, place));
      return;
    }
    const start = Number(rules.start);
    /** @param {number} total */
    const distance = (total) => Math.abs(hopLength(rules, total / start) - place);
    const [nearest] = [...positions].sort((a, b) => distance(a) - distance(b));
    this.goTo(nearest ?? start);
  }

  /** @param {Whole} total */
  goTo(total) {
    this.change({ total: String(total) });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const last = this.positions.length || STEPS;
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
        h(
          "p",
          {},
          "Who wins any game, and why. This page is public: your opponent can look here too.",
        ),
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
              ...this.wrong("target"),
            }),
            field("Multipliers", {
              value: asked.multipliers,
              autocomplete: "off",
              placeholder: writeSet(game.rules.multipliers),
              oninput: follow("multipliers"),
              ...this.wrong("multipliers"),
            }),
            field("At the total", {
              value: asked.total,
              inputmode: "numeric",
              autocomplete: "off",
              placeholder: game.rules.start,
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
      drawLine(withTotal(line, solution.total), {
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
          : [
              captionOf(line, solution, root.clientWidth),
              " Tap the line, or use the arrow keys on it.",
            ],
      ),
    );
  }

  /** @param {LineView} line @param {Solution} solution */
  slider(line, solution) {
    const { positions } = this;
    const listed = positions.length > 0;
    const at = positions.indexOf(Number(solution.total));
    const now = listed ? Math.max(at, 0) : Math.round((line.total ?? 0) * STEPS);
    return {
      role: "slider",
      tabindex: 0,
      class: "line pointed",
      "aria-label": "Total on the number line",
      "aria-valuemin": 0,
      "aria-valuemax": listed ? positions.length - 1 : STEPS,
      "aria-valuenow": now,
      "aria-valuetext": solution.outcome
        ? `${shorten(solution.total)}, the game is over`
        : `${shorten(solution.total)}, ${solution.wins ? "you can win" : "every move loses"}`,
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event),
      onpointerdown: (/** @type {PointerEvent} */ event) => this.point(event),
    };
  }
}

/** @param {LineView} line @param {Solution} solution @param {number} width */
function captionOf(line, { rules }, width) {
  const leftOut = bandsLeftOut(line, width);
  if (leftOut) return leftOut;
  if (line.bands.length > 0) {
    return "From a striped band every move loses, if the other player makes no mistake.";
  }
  // Where one move cannot end the game, some total is lost.
  const longest = hopLength(rules, rules.multipliers.at(-1) ?? 1);
  return longest < 1
    ? "The lost totals are too many to be drawn."
    : "No total of this game is lost.";
}

/** @param {Solution} solution */
function headline({ wins, total, winning_moves, outcome }) {
  const at = shorten(total);
  if (outcome) return `At ${at} the game is over.`;
  if (!wins) {
    return `From ${at} every move loses, if the other player makes no mistake.`;
  }
  return `You can win from ${at}: play ${(winning_moves ?? []).map((move) => `×${shorten(move)}`).join(" or ")}.`;
}

/** @param {Solution} solution */
function answer(solution) {
  return h(
    "section",
    { key: "answer", class: `card answer ${solution.wins ? "is-won" : "is-lost"}` },
    h("h2", {}, headline(solution)),
    h("p", {}, group(solution.why)),
  );
}

/**
 * Every total that somebody can face, ascending; none where they are many.
 * @param {Rules} rules
 * @returns {number[]}
 */
function positionsOf({ start, target, multipliers }) {
  const [from, to] = [Number(start), Number(target)];
  if (to > HIGHEST_LISTED) return [];
  const found = new Set([from]);
  for (const total of found) {
    for (const each of multipliers) {
      if (total * Number(each) < to) found.add(total * Number(each));
    }
    if (found.size > MOST_POSITIONS) return [];
  }
  return [...found].sort((a, b) => a - b);
}

/**
 * A total near a place: large hops most of the way, then whichever few come nearest.
 * @param {Rules} rules
 * @param {number} place
 * @returns {string}
 */
function totalNear({ start, target, multipliers }, place) {
  const wanted = place * (logOf(target) - logOf(start));
  const hops = multipliers
    .map((each) => ({ times: BigInt(each), long: logOf(each) }))
    .sort((one, other) => one.long - other.long);
  const longest = hops.at(-1) ?? { times: 2n, long: Math.LN2 };
  const many = Math.max(Math.floor(wanted / longest.long) - 2, 0);
  let best = { times: longest.times ** BigInt(many), long: many * longest.long };
  const tried = new Map([[String(best.times), best]]);
  for (const { times, long } of tried.values()) {
    if (Math.abs(long - wanted) < Math.abs(best.long - wanted)) best = { times, long };
    for (const hop of hops) {
      const total = times * hop.times;
      const beyond = BigInt(start) * total >= BigInt(target);
      const far = long + hop.long > wanted + longest.long;
      if (beyond || far || tried.size >= MOST_TRIED) continue;
      tried.set(String(total), { times: total, long: long + hop.long });
    }
  }
  return String(BigInt(start) * best.times);
}
