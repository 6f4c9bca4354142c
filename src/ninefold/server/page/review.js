/**
 * Looking back at a game: move by move, with what each was worth.
 * @module
 */

import { newRequestId, post, problemOf } from "./api.js";
import { entryOf, h, named, pick } from "./dom.js";
import { remembered } from "./new-match.js";
import { bandsLeftOut, drawLine, withTotal } from "./number-line.js";
import { nameOf } from "./state.js";
import * as storage from "./storage.js";
import { labelled } from "./table.js";
import { group, groupBetween, large, shorten } from "./text.js";

/** @import { Match } from "./match.js" */
/** @import { GameReview, LineView, Model, State, Whole } from "./state.js" */

/** @param {Model} model @param {State} state @param {NonNullable<Model["review"]>} review @param {Match} match */
export function reviewView({ width, notice }, state, { game, step }, match) {
  const { retry, review } = game;
  const { moves, story } = review;
  const move = moves[step - 1];
  const shown = move ? move.makes : (moves[0]?.total ?? state.total);
  const { text } = large(shown);
  const leftOut = bandsLeftOut(game.line, width);
  const names = state.seats.map(({ name }) => name);
  return h(
    "article",
    { key: "review", class: "table review" },
    h(
      "header",
      { class: "head" },
      h("h1", { tabindex: -1 }, "Review"),
      h(
        "p",
        { class: "aim-line" },
        `${state.title} · ${group(state.aim).replace(/\.$/, "")}`,
      ),
    ),
    news(state, match),
    notice && h("p", { key: "notice", class: "notice", role: "alert" }, notice),
    choice(state, game),
    h("p", { class: "story" }, groupBetween(story, names)),
    products(game),
    h(
      "section",
      { class: "total", "aria-label": "Total" },
      h(
        "p",
        { class: "number small", style: { "--digits": Math.max(text.length, 2) } },
        text,
      ),
    ),
    h(
      "div",
      { class: "picture" },
      drawLine(withTotal(lineBefore(game.line, moves.length - step), shown), {
        width,
        label: `Number line after move ${step} of ${moves.length}; the total is ${shorten(shown)}. Lost totals: ${game.line.bands.map((band) => group(band.text)).join(", ") || "none"}.`,
      }),
      leftOut && h("p", { key: "left out", class: "caption" }, leftOut),
    ),
    h(
      "div",
      { class: "stepper", role: "group", "aria-label": "Moves" },
      stepTo("First", "⇤", 0, step === 0, match),
      stepTo("Back", "←", step - 1, step === 0, match),
      h("p", {}, step === 0 ? "The start" : `Move ${step} of ${moves.length}`),
      stepTo("Forward", "→", step + 1, step === moves.length, match),
      stepTo("Last", "⇥", moves.length, step === moves.length, match),
    ),
    h(
      "aside",
      { class: `panel${move ? ` seat${move.player}` : ""}`, "aria-label": "Comment" },
      move
        ? [h("strong", {}, `×${shorten(move.multiplier)}. `), group(move.comment)]
        : game.caption,
    ),
    h(
      "ol",
      { class: "moves" },
      moves.map((each) =>
        h(
          "li",
          { key: each.number },
          h(
            "button",
            {
              type: "button",
              class: `seat${each.player}`,
              "aria-current": each.number === step ? "step" : null,
              onclick: () => match.goTo(each.number),
            },
            h("span", { class: "glyph", "aria-hidden": "true" }),
            h("span", { class: "who" }, named(nameOf(state, each.player))),
            h(
              "span",
              {},
              `${shorten(each.total)} × ${shorten(each.multiplier)} = ${shorten(each.makes)}`,
            ),
            h("span", { class: `grade ${each.grade}` }, each.grade_text),
            answered(each.makes, game.answers[each.number - 1]),
          ),
        ),
      ),
    ),
    h(
      "div",
      { class: "choices" },
      retry &&
        h(
          "button",
          {
            type: "button",
            class: "primary",
            onclick: () => tryAgain(state, game, match),
          },
          labelled(retry.label),
        ),
      h("a", { class: "button", href: "#" }, "Back to the table"),
    ),
  );
}

/** Every game that has ended, to choose from. @param {State} state @param {GameReview} game */
function choice(state, { games, match_number, number }) {
  if (games.length < 2) return null;
  const rematches = games.some((each) => each.match_number > 1);
  const options = games.map((each) => {
    const match = rematches ? `Match ${each.match_number}, game ` : "Game ";
    const won = `${nameOf(state, each.winner)} won`;
    return [`${each.match_number}-${each.number}`, `${match}${each.number}: ${won}`];
  });
  return pick("Game", `${match_number}-${number}`, options, (event) => {
    location.hash = `#review-${entryOf(event)}`;
  });
}

/** How many products were right, in mental arithmetic. @param {GameReview} game */
function products({ answers, review }) {
  const asked = review.moves.filter((_, index) => answers[index] != null);
  const right = asked.filter((each) => isRight(each.makes, answers[each.number - 1]));
  if (asked.length === 0) return null;
  const told = `${right.length} of ${asked.length} products were right.`;
  return h("p", { key: "products", class: "soft" }, told);
}

/** @param {Whole} makes @param {Whole | null | undefined} answer */
function isRight(makes, answer) {
  return answer != null && BigInt(makes) === BigInt(answer);
}

/** @param {Whole} makes @param {Whole | null | undefined} answer */
function answered(makes, answer) {
  if (answer == null) return null;
  const right = isRight(makes, answer);
  const told = right ? "✓ product right" : `✗ answered ${shorten(answer)}`;
  return h("span", { key: "answer", class: `grade ${right ? "good" : "slip"}` }, told);
}

/** Start a new match from the move before the slip, or from the first one: against a level, or by both on this device. @param {State} state @param {GameReview} game @param {Match} match */
export async function tryAgain(state, game, match) {
  const moves = game.retry?.ask.moves ?? [];
  const { is_shared, seats, rules, lessons } = state;
  const level = seats.map(({ kind }) => kind).find((kind) => kind !== "human");
  const { name, level: usual } = remembered();
  const you = state.your_seat && nameOf(state, state.your_seat);
  const mover = moves.length % 2 === 0 ? 1 : 2; // against a person elsewhere, that is you
  const body = {
    game: state.game,
    target: rules.target,
    multipliers: rules.multipliers,
    start: rules.start,
    lessons,
    moves,
    first: is_shared || level ? game.first : mover,
    opponent: is_shared ? "here" : (level ?? usual),
    name: is_shared ? seats[0].name : (you ?? name) || null,
    other_name: is_shared ? seats[1].name : null,
    request_id: newRequestId(),
  };
  try {
    /** @type {State} */
    const made = await post("/api/matches", body, (lost) =>
      match.lose("request", lost),
    );
    storage.keepMatch(made, made.link ?? `${location.origin}/m/${made.id}`);
    storage.handOver(made);
    location.assign(`/m/${made.id}`);
  } catch (error) {
    match.notify(problemOf(error));
  }
}

/** What happens at the table meanwhile. @param {State} state @param {Match} match */
function news(state, match) {
  const { outcome, rematch, your_seat } = state;
  if (!outcome)
    return h("p", { key: "news", class: "notice" }, "The next game has started.");
  if (!rematch || rematch === your_seat) return null;
  const asks = named(nameOf(state, rematch));
  return h(
    "div",
    { key: "news", class: "notice wanted" },
    h("p", {}, asks, " wants a rematch."),
    h(
      "button",
      { type: "button", class: "primary", onclick: () => rematchAtTable(match) },
      "Accept the rematch",
    ),
  );
}

/** @param {Match} match */
async function rematchAtTable(match) {
  await match.send({ do: "rematch" });
  location.hash = "";
}

/** The line before the last so many moves. Of a very long game it has the last hops only. @param {LineView} line @param {number} left @returns {LineView} */
export function lineBefore(line, left) {
  const kept = line.hops.length - left;
  const hops = line.hops.slice(0, Math.max(kept, 0));
  const labels = line.labels.filter(({ kind }) => kind !== "total");
  const start = kept < 0 ? null : (line.hops[0]?.left ?? 0);
  return { ...line, hops, labels, total: hops.at(-1)?.right ?? start };
}

/** @param {string} label @param {string} sign @param {number} to @param {boolean} off @param {Match} match */
function stepTo(label, sign, to, off, match) {
  return h(
    "button",
    {
      key: label,
      type: "button",
      class: "step",
      "aria-label": label,
      "aria-disabled": off,
      onclick: () => match.goTo(to),
    },
    sign,
  );
}
