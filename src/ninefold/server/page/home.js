/**
 * Home: play a friend, play the computer, go on with a match.
 * @module
 */

import { get, newRequestId, post, problemOf, Refused } from "./api.js";
import { failed, focusProblem, h, lostNotice, named, pick, render } from "./dom.js";
import {
  follow,
  games,
  nameField,
  options,
  problemAt,
  remember,
  remembered,
  requestOf,
} from "./new-match.js";
import { drawLine } from "./number-line.js";
import * as storage from "./storage.js";
import { isSingle } from "./text.js";

/** @import { Child } from "./dom.js" */
/** @import { Change, Problem } from "./new-match.js" */
/** @import { Standing } from "./storage.js" */
/** @import { Choices, GameRow, LineView, State } from "./state.js" */

export const MOST_SHOWN = 6;

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
    /** @type {Problem | null} */
    this.problem = null;
    this.waits = "";
    this.lost = false;
    /** @type {Map<string, State>} */
    this.matches = new Map();
  }

  async open() {
    document.title = "ninefold · the multiplication games";
    new ResizeObserver(() => this.draw()).observe(this.root);
    addEventListener("pageshow", ({ persisted }) => {
      if (!persisted) return;
      this.refuse(null);
      this.lookUpMatches();
    });
    this.draw();
    this.lookUpMatches();
    await this.lookUpChoices();
  }

  async lookUpChoices() {
    try {
      this.choices = await get("/api/choices");
      this.problem = null;
    } catch (error) {
      this.problem = { text: problemOf(error) };
    }
    this.draw();
  }

  /** The matches of this browser, as they stand. */
  async lookUpMatches() {
    for (const { id } of storage.matches().slice(0, MOST_SHOWN)) {
      const state = await lookUpMatch(id);
      if (state) this.matches.set(id, state);
    }
    this.draw();
  }

  /** @param {string} opponent */
  async play(opponent) {
    if (this.waits) return;
    this.waits = opponent;
    this.draw();
    try {
      const wanted = requestOf(this.newMatch, opponent);
      const body = { ...wanted, request_id: newRequestId() };
      /** @type {State} */
      const state = await post("/api/matches", body, (lost) => {
        this.lost = lost;
        this.draw();
      });
      storage.keepMatch(state, state.link ?? `${location.origin}/m/${state.id}`);
      storage.handOver(state);
      location.assign(`/m/${state.id}`);
    } catch (error) {
      this.refuse(problemAt(error));
    }
  }

  /** @param {SubmitEvent} event */
  submit = (event) => {
    event.preventDefault();
    this.play(/** @type {HTMLButtonElement} */ (event.submitter).value);
  };

  /** Say what is wrong, at its field. @param {Problem | null} problem */
  refuse(problem) {
    this.problem = problem;
    this.waits = "";
    this.draw();
    focusProblem(this.root);
  }

  /** @type {Change} */
  change = (change) => {
    Object.assign(this.newMatch, change);
    remember(this.newMatch);
    this.problem = null;
    this.draw();
  };

  draw() {
    const { choices, newMatch, problem } = this;
    const game =
      choices?.games.find(({ key }) => key === newMatch.game) ?? choices?.games[0];
    render(
      this.root,
      this.hero(),
      choices && game && this.form(choices, game),
      // Enter presses the first button of a form, so the other player's name has its own.
      h("form", { key: "here", id: "here", hidden: true, onsubmit: this.submit }),
      !choices && !problem && h("p", { key: "loading", class: "loading" }, "…"),
      !choices && problem && failed(problem.text, () => this.lookUpChoices()),
      this.mine(),
      h(
        "section",
        { key: "more", class: "pair ways", "aria-label": "More" },
        door(
          "/explore",
          "Explore",
          "Type any target. See who wins, where every move loses, and why.",
        ),
        door(
          "/puzzles/today",
          "Today's puzzle",
          "One multiplier wins. Find it: a new one each day.",
        ),
        door("/learn", "Learn", "Find out by playing how to win, in steps."),
        door("/practise", "Practise", "Twelve questions that fit you. No clock."),
        door("/progress", "Progress", "What you know, and what to do next."),
        door("/look-back", "Look back", "Your matches on this device, and who won."),
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
        "The total starts at 1. You take turns and multiply it by 2 to 9, until it reaches a target. Every move is a hop.",
      ),
      h("div", { class: "picture", "aria-hidden": "true" }, drawLine(SAMPLE, look)),
    );
  }

  /** @param {Choices} choices @param {GameRow} game */
  form(choices, game) {
    const { newMatch, change, problem, waits, lost } = this;
    const level =
      choices.levels.find(({ key }) => key === newMatch.level) ?? choices.levels[0];
    const levels = choices.levels.map(({ key, title }) => [key, title]);
    /** @param {string} opponent @param {string} label */
    const start = (opponent, label) =>
      h(
        "button",
        {
          value: opponent,
          form: opponent === "here" && "here",
          class: "primary wide",
          "aria-disabled": waits !== "",
        },
        waits === opponent ? "Making the match …" : label,
      );
    return h(
      "form",
      { key: "form", class: "play", onsubmit: this.submit },
      nameField("name", newMatch, change, problem),
      games(choices, game, change),
      h(
        "div",
        { class: "pair ways" },
        way(
          1,
          "With a friend",
          "You get a link. Whoever opens it plays with you.",
          start("friend", "Play a friend"),
        ),
        way(
          2,
          "Two on this device",
          "You hand it over after each move.",
          nameField("other_name", newMatch, change, problem),
          start("here", "Play here"),
        ),
        way(
          2,
          "Against the computer",
          level?.character ?? "",
          pick("Level", level?.key ?? "", levels, follow("level", change)),
          start(level?.key ?? "careful", "Play the computer"),
        ),
      ),
      problem &&
        !problem.field &&
        h("p", { key: "problem", class: "notice", role: "alert" }, problem.text),
      lost &&
        lostNotice("Not connected. The match is made when the connection is back.", {
          role: "alert",
        }),
      options(newMatch, change, game, problem),
    );
  }

  mine() {
    const kept = storage.matches();
    const found = kept.flatMap(({ id }) => this.matches.get(id) ?? []);
    if (found.length === 0) return null;
    return h(
      "section",
      { key: "mine", class: "mine" },
      h("h2", {}, "Your matches"),
      h(
        "ul",
        {},
        found.map((state) => matchRow(`/m/${state.id}`, state)),
      ),
      kept.length > MOST_SHOWN &&
        h("p", {}, h("a", { href: "/look-back" }, `All ${kept.length} matches`)),
    );
  }
}

/** @param {number} seat @param {string} title @param {string} text @param {Child[]} parts */
function way(seat, title, text, ...parts) {
  return h(
    "section",
    { key: title, class: `card way seat${seat}` },
    h("h2", {}, title),
    h("p", {}, text),
    parts,
  );
}

/** Ask how a match stands, and keep it; one that is gone is forgotten. @param {string} id */
export async function lookUpMatch(id) {
  try {
    /** @type {State} */
    const state = await get(`/api/matches/${id}`);
    if (state.your_seat) storage.updateMatch(state);
    return state;
  } catch (error) {
    if (error instanceof Refused && error.status === 404) storage.forgetMatch(id);
    return null;
  }
}

/** One match in a list. @param {string} href @param {Standing} state @param {Child[]} more */
export function matchRow(href, state, ...more) {
  const due = !state.outcome && state.to_move === state.your_seat && isFull(state);
  return h(
    "li",
    { key: href },
    h(
      "a",
      { href, class: "card row" },
      h("span", {}, h("strong", {}, state.title), h("small", {}, between(state), more)),
      h("span", { class: `standing${due ? " due" : ""}` }, standing(state)),
    ),
  );
}

/** @param {Standing} state */
function isFull({ seats }) {
  return seats.every(({ taken }) => taken);
}

/** @param {Standing} state @returns {Child[]} */
function between({ seats, your_seat, is_shared }) {
  if (is_shared) return [named(seats[0].name), " and ", named(seats[1].name)];
  const { name, taken } = seats[your_seat === 1 ? 1 : 0];
  return taken ? ["with ", named(name)] : ["a seat is free"];
}

/** How a match stands, or how it ended. @param {Standing} state @returns {Child[]} */
function standing(state) {
  const { outcome, your_seat, to_move, seats, is_shared, match_over, score } = state;
  if (!isFull(state)) return ["waiting for a friend"];
  const several = !isSingle(state.length);
  if (outcome) {
    const winner = match_over && several ? state.match_winner : outcome.winner;
    const mine = is_shared ? winner : your_seat;
    const counted = mine === 2 ? [...score].reverse() : score;
    const games = several ? `, ${counted.join(" to ")}` : "";
    if (!winner) return [`level${games}`];
    const who = is_shared ? [named(seats[winner - 1]?.name ?? ""), " won"] : [];
    const won = winner === your_seat ? "you won" : "you lost";
    return [...(is_shared ? who : [won]), games, match_over ? "" : ", next game"];
  }
  if (is_shared) return [named(seats[(to_move ?? 1) - 1]?.name ?? ""), " is to move"];
  return [to_move === your_seat ? "your move" : "their move"];
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

/** A game as it looks after so many moves. @param {number[]} moves @param {number} target @returns {LineView} */
export function sample(moves, target, shown = moves.length) {
  const totals = [1];
  for (const move of moves) totals.push(move * Number(totals.at(-1)));
  const end = Math.log(Number(totals.at(-1)));
  /** @param {number} total */
  const place = (total) => Math.log(total) / end;
  return {
    target: place(target),
    total: place(totals[shown] ?? 1),
    bands: [],
    hops: moves.slice(0, shown).map((multiplier, index) => ({
      left: place(totals[index] ?? 1),
      right: place(totals[index + 1] ?? 1),
      seat: index % 2 === 0 ? 1 : 2,
      multiplier,
      is_turning_point: false,
    })),
    labels: [...new Set([1, target, 10, 100])].map((total) => ({
      place: place(total),
      text: String(total),
      kind: total === 1 || total === target ? "end" : "decade",
      slack: 0,
    })),
  };
}
