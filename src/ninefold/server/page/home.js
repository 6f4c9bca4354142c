/**
 * Home: play a friend, play the computer, go on with a match.
 * @module
 */

import { get, newRequestId, post, problemOf, Refused } from "./api.js";
import { h, named, render } from "./dom.js";
import {
  follow,
  nameField,
  options,
  remember,
  remembered,
  requestOf,
} from "./new-match.js";
import { drawLine } from "./number-line.js";
import { seatOf } from "./state.js";
import * as storage from "./storage.js";
import { other } from "./text.js";

/** @import { Change } from "./new-match.js" */
/** @import { Choices, GameRow, LineView, State } from "./state.js" */

const MOST_SHOWN = 6;

/** A game of Multiplier Showdown, as it looks. */
const SAMPLE = sample([5, 3, 6, 4, 5], 1000);

/** The page that everything starts from. */
export class Home {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    /** @type {Choices | null} */
    this.choices = null;
    this.newMatch = remembered();
    this.problem = "";
    this.waits = "";
    this.lost = false;
    /** @type {Map<string, State>} */
    this.matches = new Map();
  }

  async open() {
    document.title = "ninefold · the multiplication games";
    new ResizeObserver(() => this.draw()).observe(this.root);
    addEventListener("pageshow", ({ persisted }) => persisted && this.refuse(""));
    this.draw();
    this.lookUpMatches();
    try {
      this.choices = await get("/api/choices");
    } catch (error) {
      this.problem = `${problemOf(error)} Load the page again.`;
    }
    this.draw();
  }

  /** The matches of this browser, as they stand; what is gone is forgotten. */
  async lookUpMatches() {
    for (const { id } of storage.matches().slice(0, MOST_SHOWN)) {
      try {
        this.matches.set(id, await get(`/api/matches/${id}`));
      } catch (error) {
        if (error instanceof Refused && error.status === 404) storage.forgetMatch(id);
      }
    }
    this.draw();
  }

  /** @param {string} opponent */
  async play(opponent) {
    if (this.waits) return;
    const wanted = requestOf(this.newMatch);
    if (typeof wanted === "string") {
      this.refuse(wanted);
      return;
    }
    this.waits = opponent;
    this.draw();
    try {
      const body = { ...wanted, opponent, request_id: newRequestId() };
      /** @type {State} */
      const state = await post("/api/matches", body, (lost) => {
        this.lost = lost;
        this.draw();
      });
      storage.keepMatch(state.id, state.link ?? `${location.origin}/m/${state.id}`);
      storage.handOver(state);
      location.assign(`/m/${state.id}`);
    } catch (error) {
      this.refuse(problemOf(error));
    }
  }

  /** @param {string} problem */
  refuse(problem) {
    this.problem = problem;
    this.waits = "";
    this.draw();
  }

  /** @type {Change} */
  change = (change) => {
    Object.assign(this.newMatch, change);
    remember(this.newMatch);
    this.problem = "";
    this.draw();
  };

  draw() {
    const { choices, newMatch, problem } = this;
    const game =
      choices?.games.find(({ key }) => key === newMatch.game) ?? choices?.games[0];
    render(
      this.root,
      this.hero(),
      choices && game
        ? this.form(choices, game)
        : h("p", { key: "loading", class: "loading" }, problem || "…"),
      this.mine(),
      h(
        "section",
        { key: "more", class: "pair", "aria-label": "More" },
        door(
          "/explore",
          "Explore",
          "Type any target. See who wins, where the lost totals lie, and why.",
        ),
        door("/puzzles", "Puzzles", "Exactly one multiplier wins. Find it."),
      ),
    );
  }

  hero() {
    const words = ["One number.", "Two players.", "Multiply."];
    const look = {
      width: this.root.clientWidth,
      label: "A game as hops",
      fresh: true,
      final: true,
    };
    return h(
      "section",
      { key: "hero", class: "hero" },
      h(
        "h1",
        { tabindex: -1 },
        words.flatMap((each) => [h("span", { key: each }, each), " "]),
      ),
      h(
        "p",
        {},
        "The total starts at 1. In turn, each of you multiplies it by 2 to 9, on the way to a target. Every move is a hop.",
      ),
      h("div", { class: "picture", "aria-hidden": "true" }, drawLine(SAMPLE, look)),
    );
  }

  /** @param {Choices} choices @param {GameRow} game */
  form(choices, game) {
    const { newMatch, change, problem, waits, lost } = this;
    const level =
      choices.levels.find(({ key }) => key === newMatch.level) ?? choices.levels[0];
    const busy = { "aria-disabled": waits !== "" };
    /** @param {SubmitEvent} event */
    const onsubmit = (event) => {
      event.preventDefault();
      this.play("friend");
    };
    return h(
      "form",
      { key: "form", class: "play", onsubmit },
      h(
        "div",
        { class: "pair" },
        h(
          "section",
          { class: "card way seat1" },
          h("h2", {}, "With a friend"),
          h("p", {}, "You get a link. Whoever opens it can take the other seat."),
          nameField(newMatch, change),
          h(
            "button",
            { class: "primary wide", ...busy },
            waits === "friend" ? "Making the match …" : "Play a friend",
          ),
        ),
        h(
          "section",
          { class: "card way seat2" },
          h("h2", {}, "Against the computer"),
          h("p", {}, level?.character ?? ""),
          h(
            "label",
            { class: "field" },
            h("span", {}, "Level"),
            h(
              "select",
              { value: level?.key, onchange: follow("level", change) },
              choices.levels.map(({ key, title }) =>
                h("option", { key, value: key }, title),
              ),
            ),
          ),
          h(
            "button",
            {
              type: "button",
              class: "primary wide",
              onclick: () => this.play(level?.key ?? "careful"),
              ...busy,
            },
            "Play the computer",
          ),
        ),
      ),
      problem && h("p", { key: "problem", class: "notice", role: "alert" }, problem),
      lost &&
        h(
          "p",
          { key: "lost", class: "notice lost", role: "alert" },
          "Not connected. The match is made when the connection is back.",
        ),
      options(newMatch, change, choices, game),
    );
  }

  mine() {
    const found = storage.matches().flatMap(({ id }) => this.matches.get(id) ?? []);
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
                { class: `standing${isDue(state) ? " due" : ""}` },
                standing(state),
              ),
            ),
          ),
        ),
      ),
    );
  }
}

/** @param {State} state */
function isDue({ seats, to_move, your_seat }) {
  return (
    your_seat !== null && to_move === your_seat && seats.every(({ taken }) => taken)
  );
}

/** @param {State} state */
function against(state) {
  const seat = state.your_seat ? other(state.your_seat) : 2;
  const { name, taken } = seatOf(state, seat);
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

/** @param {number[]} moves @param {number} target @returns {LineView} */
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
