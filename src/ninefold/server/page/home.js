/**
 * Home: the matches being played, a new one, and the doors to everything else.
 * @module
 */

import { announce } from "./announcements.js";
import { get, newRequestId, post, problemOf, Refused, Unreachable } from "./api.js";
import { failed, focusProblem, h, lostNotice, named, render } from "./dom.js";
import {
  games,
  opponents,
  options,
  problemAt,
  remember,
  remembered,
  requestOf,
} from "./new-match.js";
import { drawLine } from "./number-line.js";
import * as storage from "./storage.js";
import { brief, isSingle } from "./text.js";

/** @import { Child } from "./dom.js" */
/** @import { Change, Problem } from "./new-match.js" */
/** @import { KeptMatch, Standing } from "./storage.js" */
/** @import { Choices, GameRow, LineView, State } from "./state.js" */

const MOST_SHOWN = 3;
const MOST_REFRESHED = 6; // which of the matches are due, nobody knows before
const WAIT = 5000; // between two looks whether a friend has joined

/** A game of Multiplier Showdown, as it looks. */
const SAMPLE = sample([5, 3, 6, 4, 5], 1000);
const PLAY = {
  computer: "Play the computer",
  friend: "Play a friend",
  here: "Play here",
};
const OFFLINE = "No connection. You can play once it is back.";
const DOORS = [
  ["/learn", "Learn", "how to win"],
  ["/practise", "Practise", "12 questions"],
  ["/puzzles", "Puzzles", "one a day"],
  ["/progress", "Progress", "so far"],
  ["/explore", "Explore", "any target"],
  ["/look-back", "Look back", "past matches"],
];

/** The page that everything starts from. */
export class Home {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    /** What can be played; drawn at once from what was kept at the last visit. @type {Choices | null} */
    this.choices = storage.chosen("choices", null);
    this.newMatch = remembered();
    /** @type {Problem | null} */
    this.problem = null;
    this.waits = false;
    this.lost = false;
    this.isOffline = false;
    this.width = 0;
    /** Those whose friend has joined while this page was open. @type {Set<string>} */
    this.joined = new Set();
  }

  async open() {
    document.title = "ninefold · the multiplication games";
    addEventListener("pageshow", ({ persisted }) => {
      if (!persisted) return;
      this.refuse(null);
      this.lookUpMatches();
    });
    addEventListener("online", () => this.tryAgain());
    setInterval(() => this.lookForFriends(), WAIT);
    this.draw();
    const picture = this.root.querySelector(".picture");
    if (picture) new ResizeObserver(([size]) => this.fit(size)).observe(picture);
    await Promise.all([this.lookUpMatches(), this.lookUpChoices()]);
  }

  /** @param {ResizeObserverEntry | undefined} size */
  fit(size) {
    this.width = Math.floor(size?.contentRect.width ?? 0);
    this.draw();
  }

  async lookUpChoices() {
    try {
      this.choices = await get("/api/choices");
      storage.choose("choices", this.choices);
      this.problem = null;
      this.isOffline = false;
    } catch (error) {
      this.isOffline = error instanceof Unreachable;
      this.problem = this.isOffline ? null : { text: problemOf(error) };
    }
    this.draw();
  }

  /** Ask anew for what did not come. */
  async tryAgain() {
    if (!this.isOffline) return;
    await Promise.all([this.lookUpMatches(), this.lookUpChoices()]);
    if (this.isOffline) announce(OFFLINE);
    else if (document.activeElement === document.body) {
      /** @type {HTMLElement | null} */ (this.root.querySelector("h1"))?.focus();
    }
  }

  /** Ask how the matches being played stand, all at once. */
  async lookUpMatches() {
    const asked = beingPlayed().slice(0, MOST_REFRESHED);
    await Promise.all(asked.map((match) => this.lookUp(match)));
  }

  /** @param {KeptMatch} match */
  async lookUp({ id, state: before }) {
    const after = await lookUpMatch(id);
    if (before && after && !isFull(before) && isFull(after)) {
      this.joined.add(id);
      const due = isDue(after) ? " Your move." : "";
      announce(`${opponentOf(after).name} has joined.${due}`);
    }
    this.draw();
  }

  /** Look whether a friend has joined, where one waits for that and sees it. */
  async lookForFriends() {
    if (document.visibilityState === "hidden") return;
    const waiting = beingPlayed().filter(({ state }) => state && !isFull(state));
    await Promise.all(waiting.map((match) => this.lookUp(match)));
  }

  async play() {
    if (this.waits) return;
    if (this.isOffline) {
      announce(OFFLINE);
      return;
    }
    this.waits = true;
    this.draw();
    try {
      const body = { ...requestOf(this.newMatch), request_id: newRequestId() };
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

  /** Say what is wrong, at its field. @param {Problem | null} problem */
  refuse(problem) {
    this.problem = problem;
    this.waits = false;
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
    const { choices, newMatch } = this;
    const matches = beingPlayed();
    const game =
      choices?.games.find(({ key }) => key === newMatch.game) ?? choices?.games[0];
    const look = { width: this.width, label: "", fresh: true, final: true };
    render(
      this.root,
      h(
        "div",
        { key: "home", class: "home" },
        h(
          "section",
          { key: "lead", class: `hero${matches.length > 0 ? " has-matches" : ""}` },
          matches.length > 0 ? this.mine(matches) : hero(),
          h(
            "div",
            { key: "picture", class: "picture", "aria-hidden": "true" },
            this.width > 0 && drawLine(SAMPLE, look),
          ),
        ),
        choices && game
          ? this.form(choices, game, matches.length > 0)
          : h("div", { key: "form", class: "play" }, this.missing()),
        h(
          "nav",
          { key: "doors", class: "doors", "aria-label": "More" },
          DOORS.map(([href, title, note]) =>
            h(
              "a",
              { key: href, class: "card", href },
              h("strong", {}, title),
              " ",
              h("small", {}, note),
            ),
          ),
        ),
        h(
          "p",
          { key: "class", class: "classes" },
          "In a classroom:",
          h("a", { href: "/class" }, "Join a class"),
          h("a", { href: "/teach" }, "Teach a class"),
        ),
      ),
    );
  }

  /** The place of the form before the first answer of the server. */
  missing() {
    const again = () => this.lookUpChoices();
    if (this.isOffline) return failed(OFFLINE, again);
    if (this.problem) return failed(this.problem.text, again);
    return h("p", { key: "loading", class: "loading" }, "…");
  }

  /** @param {Choices} choices @param {GameRow} game @param {boolean} isSecond whether matches stand above it */
  form(choices, game, isSecond) {
    const { newMatch, change, problem, waits, lost, isOffline } = this;
    const onsubmit = (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      this.play();
    };
    return h(
      "form",
      { key: "form", class: "play", onsubmit },
      isSecond && h("h2", {}, "New match"),
      isOffline && lostNotice(OFFLINE, { role: "alert" }),
      opponents(choices, newMatch, change, problem),
      games(choices, game, newMatch, change),
      options(newMatch, change, game, problem),
      problem &&
        !problem.field &&
        h("p", { key: "problem", class: "notice", role: "alert" }, problem.text),
      lost &&
        lostNotice("Not connected. The match will start when the connection is back.", {
          role: "alert",
        }),
      h(
        "div",
        { key: "go", class: "go" },
        h(
          "button",
          { class: "primary wide", "aria-disabled": waits || isOffline },
          waits ? "Starting the match …" : PLAY[newMatch.with],
        ),
      ),
    );
  }

  /** The matches being played, those first that wait for this person. @param {KeptMatch[]} matches */
  mine(matches) {
    const all = storage.matches().length;
    const sorted = [...matches].sort(
      (a, b) => Number(isDue(b.state)) - Number(isDue(a.state)),
    );
    const shown = sorted.slice(0, MOST_SHOWN);
    return h(
      "div",
      { key: "mine", class: "mine" },
      h("h1", { tabindex: -1 }, "Your matches"),
      h(
        "ul",
        {},
        shown.map(
          ({ id, state }) => state && matchRow(`/m/${id}`, state, this.joined.has(id)),
        ),
      ),
      all > shown.length &&
        h("p", {}, h("a", { href: "/look-back" }, `All ${all} matches`)),
    );
  }
}

function hero() {
  return [
    h(
      "h1",
      { key: "title", tabindex: -1 },
      h("span", {}, "One number."),
      " ",
      h("span", {}, "Two players. Multiply."),
    ),
    h(
      "p",
      { key: "about" },
      "Start at 1. Take turns to multiply by 2 to 9. Every move is a hop.",
    ),
  ];
}

/** The matches of this browser that are not over, the latest first. */
function beingPlayed() {
  return storage.matches().filter(({ state }) => state && !state.match_over);
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

/** One match in a list. @param {string} href @param {Standing} state @param {boolean} joined whether a friend has just joined @param {Child[]} more */
export function matchRow(href, state, joined = false, ...more) {
  const due = isDue(state) ? " due" : "";
  return h(
    "li",
    { key: href },
    h(
      "a",
      { href, class: `card row${joined ? " joined" : ""}` },
      h(
        "span",
        { class: "at" },
        state.total !== undefined && brief(String(state.total)),
      ),
      h(
        "span",
        { class: "about" },
        h("strong", {}, state.title),
        " ",
        h(
          "small",
          {},
          joined ? [named(opponentOf(state).name), " has joined"] : between(state),
          more,
        ),
      ),
      " ",
      h("span", { class: `standing${due}` }, standing(state)),
    ),
  );
}

/** @param {Standing} state */
function isFull({ seats }) {
  return seats.every(({ taken }) => taken);
}

/** Whether a match waits for this person. @param {Standing} [state] */
function isDue(state) {
  if (!state || state.is_shared || state.outcome || !isFull(state)) return false;
  return state.to_move === state.your_seat;
}

/** @param {Standing} state */
function opponentOf({ seats: [one, two], your_seat }) {
  return your_seat === 2 ? one : two;
}

/** @param {Standing} state @returns {Child[]} */
function between(state) {
  const { seats, is_shared, target } = state;
  const to = target !== undefined && `, to ${brief(String(target))}`;
  if (is_shared) return [named(seats[0].name), " and ", named(seats[1].name), to];
  const { name, taken } = opponentOf(state);
  return taken ? ["with ", named(name), to] : ["No friend yet"];
}

/** How a match stands, or how it ended. @param {Standing} state @returns {Child[]} */
function standing(state) {
  const { outcome, your_seat, to_move, seats, is_shared, match_over, score } = state;
  if (!isFull(state)) return ["Show the link"];
  const several = !isSingle(state.length);
  if (outcome) {
    const winner = match_over && several ? state.match_winner : outcome.winner;
    const mine = is_shared ? winner : your_seat;
    const counted = mine === 2 ? [...score].reverse() : score;
    const games = several ? `, ${counted.join(" to ")}` : "";
    if (!winner) return [`Level${games}`];
    const who = is_shared ? [named(seats[winner - 1]?.name ?? ""), " won"] : [];
    const won = winner === your_seat ? "You won" : "You lost";
    return [...(is_shared ? who : [won]), games, match_over ? "" : ", next game"];
  }
  if (is_shared) return [named(seats[(to_move ?? 1) - 1]?.name ?? ""), "'s turn"];
  return [to_move === your_seat ? "Your move" : "Their move"];
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
