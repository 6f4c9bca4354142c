/**
 * Home: play a friend, play the computer, go on with a match.
 * @module
 */

import { get, newRequestId, post, Refused } from "./api.js";
import { h, named, render } from "./dom.js";
import * as keep from "./keep.js";
import { drawLine } from "./line.js";
import {
  other,
  plainDigits,
  readSet,
  toWhole,
  writeLength,
  writeSet,
} from "./words.js";

/** @typedef {import("./wire.js").Choices} Choices */
/** @typedef {import("./wire.js").GameRow} GameRow */
/** @typedef {import("./wire.js").Length} Length */
/** @typedef {import("./wire.js").Lessons} Lessons */
/** @typedef {import("./wire.js").State} State */

/**
 * @typedef {object} Wish what a match is to be made of; empty means the rule book's own
 * @property {string} name
 * @property {string} game
 * @property {string} target
 * @property {string} multipliers
 * @property {string} length
 * @property {"1" | "2" | "toss"} first
 * @property {string} level
 * @property {Lessons} lessons
 */

/** @type {Wish} */
const DEFAULTS = {
  name: "Player 1",
  game: "multiplier-showdown",
  target: "",
  multipliers: "",
  length: "best_of 1",
  first: "1",
  level: "careful",
  lessons: { coach: false, hints: true, mental: false },
};
const LENGTHS = [
  "best_of 1",
  "best_of 3",
  "best_of 5",
  "first_to 3",
  "games 2",
  "games 4",
];
const FIRST = { 1: "You start", 2: "The other side starts", toss: "A coin decides" };
const LESSONS = /** @type {const} */ ([
  ["hints", "Hints", "Hint and Why? answer during the game."],
  ["coach", "Coach", "Warns before a move gives the win away."],
  ["mental", "Mental arithmetic", "Asks for each product before it is shown."],
]);

/** A game of Multiplier Showdown, as it looks. @type {import("./wire.js").LineView} */
const SAMPLE = sample([5, 3, 6, 4, 3], 1000);

/** The page that everything starts from. */
export class Home {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    /** @type {Choices | null} */
    this.choices = null;
    /** @type {Wish} */
    this.wish = {
      ...DEFAULTS,
      ...keep.chosen("wish", {}),
      name: keep.chosen("name", DEFAULTS.name),
    };
    this.problem = "";
    this.waits = "";
    /** @type {Map<string, State>} */
    this.matches = new Map();
  }

  async open() {
    document.title = "ninefold · the multiplication games";
    new ResizeObserver(() => this.draw()).observe(this.root);
    this.draw();
    this.lookUpMatches();
    try {
      this.choices = await get("/api/choices");
    } catch {
      this.problem = "There is no connection just now. Load the page again.";
    }
    this.draw();
  }

  /** The matches of this browser, as they stand; what is gone is forgotten. */
  async lookUpMatches() {
    for (const { id } of keep.matches().slice(0, 6)) {
      try {
        this.matches.set(id, await get(`/api/matches/${id}`));
      } catch (error) {
        if (error instanceof Refused && error.status === 404) keep.forgetMatch(id);
      }
      this.draw();
    }
  }

  /** @param {Partial<Wish>} change */
  change(change) {
    Object.assign(this.wish, change);
    const { name, ...rest } = this.wish;
    keep.choose("wish", rest);
    keep.choose("name", name);
    this.problem = "";
    this.draw();
  }

  /** @param {string} opponent */
  async play(opponent) {
    if (this.waits) return;
    const { name, game, target, multipliers, length, first, lessons } = this.wish;
    const set = multipliers.trim() === "" ? null : readSet(multipliers);
    if (multipliers.trim() !== "" && set === null) {
      this.refuse("Write the multipliers like 2-9, or like 2, 3, 5, 7.");
      return;
    }
    const [count = "best_of", number = "1"] = length.split(" ");
    this.waits = opponent;
    this.draw();
    try {
      /** @type {State} */
      const state = await post("/api/matches", {
        game,
        target: target.trim() === "" ? null : wholeOr(target),
        multipliers: set,
        length: { [count]: Number(number) },
        first: first === "toss" ? "toss" : Number(first),
        opponent,
        lessons,
        name: name.trim() || DEFAULTS.name,
        request_id: newRequestId(),
      });
      keep.keepMatch(state.id, state.link ?? `${location.origin}/m/${state.id}`);
      location.assign(`/m/${state.id}`);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.refuse(error.refusal.detail);
    }
  }

  /** @param {string} problem */
  refuse(problem) {
    this.problem = problem;
    this.waits = "";
    this.draw();
  }

  draw() {
    const { choices, wish } = this;
    const game =
      choices?.games.find(({ key }) => key === wish.game) ?? choices?.games[0];
    render(
      this.root,
      h(
        "section",
        { key: "hero", class: "hero" },
        h("h1", { tabindex: -1 }, "One number. Two players. Multiply."),
        h(
          "p",
          {},
          "The total starts at 1. In turn, each of you multiplies it by 2 to 9, on the way to a target. Every move is a hop.",
        ),
        h(
          "div",
          { class: "picture", "aria-hidden": "true" },
          drawLine(SAMPLE, {
            width: this.root.clientWidth,
            label: "A game as hops",
            fresh: true,
          }),
        ),
      ),
      choices && game
        ? this.form(choices, game)
        : h("p", { key: "loading", class: "loading" }, this.problem || "…"),
      this.mine(),
      h(
        "section",
        { key: "more", class: "pair" },
        door(
          "/explore",
          "Explore",
          "Type any target. See who wins, where the lost totals lie, and why.",
        ),
        door("/puzzles", "Puzzles", "One multiplier wins. Find it."),
      ),
    );
  }

  /** @param {Choices} choices @param {GameRow} game */
  form(choices, game) {
    const { wish, problem, waits } = this;
    const level =
      choices.levels.find(({ key }) => key === wish.level) ?? choices.levels[0];
    return h(
      "form",
      {
        key: "form",
        class: "play",
        onsubmit: (/** @type {SubmitEvent} */ event) => {
          event.preventDefault();
          this.play("friend");
        },
      },
      h(
        "div",
        { class: "pair" },
        h(
          "section",
          { class: "card way seat1" },
          h("h2", {}, "With a friend"),
          h("p", {}, "You get a link. Whoever opens it plays against you."),
          h(
            "button",
            { class: "primary wide", "aria-disabled": waits !== "" },
            waits === "friend" ? "Making the match …" : "Play a friend",
          ),
        ),
        h(
          "section",
          { class: "card way seat2" },
          h("h2", {}, "Against the computer"),
          h(
            "label",
            { class: "field inline" },
            h("span", { class: "unseen" }, "Level"),
            h(
              "select",
              { value: level?.key, onchange: this.follow("level") },
              choices.levels.map(({ key, title }) =>
                h("option", { key, value: key }, title),
              ),
            ),
            h("span", { class: "soft" }, level?.character ?? ""),
          ),
          h(
            "button",
            {
              type: "button",
              class: "primary wide",
              "aria-disabled": waits !== "",
              onclick: () => this.play(level?.key ?? "careful"),
            },
            "Play the computer",
          ),
        ),
      ),
      problem && h("p", { class: "notice", role: "alert" }, problem),
      this.options(choices, game),
    );
  }

  /** @param {Choices} choices @param {GameRow} game */
  options(choices, game) {
    const { wish } = this;
    const target = wish.target.trim() || String(game.rules.target);
    const facts = [
      `to ${target}`,
      lengthOf(wish.length),
      FIRST[wish.first].toLowerCase(),
    ];
    return h(
      "details",
      { class: "card options" },
      h(
        "summary",
        {},
        h(
          "span",
          { class: "chosen" },
          h("strong", {}, game.title),
          ` ${facts.join(", ")}`,
        ),
        h("span", { class: "change" }, "Change"),
      ),
      h(
        "fieldset",
        { class: "games" },
        h("legend", {}, "Game"),
        choices.games.map(({ key, title, summary }) =>
          h(
            "label",
            { key, class: "choice" },
            h("input", {
              type: "radio",
              name: "game",
              value: key,
              checked: key === game.key,
              onchange: () => this.change({ game: key, target: "", multipliers: "" }),
            }),
            h("span", {}, h("strong", {}, title), h("small", {}, summary)),
          ),
        ),
      ),
      h(
        "div",
        { class: "grid" },
        field("Your name", {
          value: wish.name,
          maxlength: 24,
          autocomplete: "nickname",
          oninput: this.follow("name"),
        }),
        field("Target", {
          value: wish.target,
          inputmode: "numeric",
          autocomplete: "off",
          placeholder: game.rules.target,
          oninput: this.follow("target"),
        }),
        field("Multipliers", {
          value: wish.multipliers,
          autocomplete: "off",
          placeholder: writeSet(game.rules.multipliers),
          oninput: this.follow("multipliers"),
        }),
        pick(
          "Length",
          wish.length,
          LENGTHS.map((each) => [each, lengthOf(each)]),
          this.follow("length"),
        ),
        pick("Start", wish.first, Object.entries(FIRST), this.follow("first")),
      ),
      h(
        "fieldset",
        { class: "agree" },
        h("legend", {}, "Lessons"),
        LESSONS.map(([key, title, told]) =>
          h(
            "label",
            { key, class: "check" },
            h("input", {
              type: "checkbox",
              checked: wish.lessons[key],
              onchange: () =>
                this.change({
                  lessons: { ...wish.lessons, [key]: !wish.lessons[key] },
                }),
            }),
            h("span", {}, h("strong", {}, title), h("small", {}, told)),
          ),
        ),
        h("p", { class: "soft" }, "A friend is asked to agree; what both want holds."),
      ),
    );
  }

  mine() {
    const found = keep.matches().flatMap(({ id }) => this.matches.get(id) ?? []);
    if (found.length === 0) return null;
    return h(
      "section",
      { key: "mine", class: "mine" },
      h("h2", {}, "Your matches"),
      h(
        "ul",
        {},
        found.map((state) =>
          h(
            "li",
            { key: state.id },
            h(
              "a",
              { href: `/m/${state.id}`, class: "card row" },
              h("span", {}, h("strong", {}, state.title), against(state)),
              h(
                "span",
                { class: `standing${state.to_move === state.your_seat ? " due" : ""}` },
                standing(state),
              ),
            ),
          ),
        ),
      ),
    );
  }

  /** @param {keyof Wish} key */
  follow(key) {
    return (/** @type {Event} */ { target }) =>
      this.change({ [key]: /** @type {HTMLInputElement} */ (target).value });
  }
}

/** @param {State} state */
function against(state) {
  const seat = state.your_seat ? other(state.your_seat) : 2;
  const { name, taken } = state.seats[seat - 1] ?? { name: "", taken: false };
  return taken
    ? h("small", {}, "with ", named(name))
    : h("small", {}, "a seat is free");
}

/** @param {State} state */
function standing({ outcome, your_seat, to_move, seats, match_over }) {
  if (!seats.every(({ taken }) => taken)) return "waiting for a friend";
  if (outcome) {
    const won = outcome.winner === your_seat ? "you won" : "you lost";
    return match_over ? won : `${won}, next game`;
  }
  return to_move === your_seat ? "your move" : "their move";
}

/** @param {string} href @param {string} title @param {string} text */
function door(href, title, text) {
  return h(
    "a",
    { class: "card door", href },
    h("strong", {}, title),
    h("span", {}, text),
  );
}

/** @param {string} label @param {import("./dom.js").Props} props */
export function field(label, props) {
  return h(
    "label",
    { key: label, class: "field" },
    h("span", {}, label),
    h("input", props),
  );
}

/** @param {string} label @param {string} value @param {string[][]} options @param {(event: Event) => void} onchange */
export function pick(label, value, options, onchange) {
  return h(
    "label",
    { key: label, class: "field" },
    h("span", {}, label),
    h(
      "select",
      { value, onchange },
      options.map(([key, text]) => h("option", { key, value: key }, text)),
    ),
  );
}

/** @param {string} length */
function lengthOf(length) {
  const [count = "", number = ""] = length.split(" ");
  return writeLength(/** @type {Length} */ ({ [count]: Number(number) }));
}

/** @param {string} text */
function wholeOr(text) {
  const digits = plainDigits(text);
  return /^\d+$/.test(digits) ? toWhole(digits) : text;
}

/** @param {number[]} moves @param {number} target @returns {import("./wire.js").LineView} */
function sample(moves, target) {
  const totals = [1];
  for (const move of moves) totals.push(move * Number(totals.at(-1)));
  const end = Math.log(Number(totals.at(-1)));
  /** @param {number} total */
  const place = (total) => Math.log(total) / end;
  return {
    target: place(target),
    total: 1,
    bands: [],
    hops: moves.map((multiplier, index) => ({
      left: place(totals[index] ?? 1),
      right: place(totals[index + 1] ?? 1),
      seat: index % 2 === 0 ? 1 : 2,
      multiplier,
      is_turning_point: false,
    })),
    labels: [1, target, 10, 100].map((total) => ({
      place: place(total),
      text: String(total),
      kind: total === 1 || total === target ? "end" : "decade",
      slack: 0,
    })),
  };
}
