/**
 * Looking back at a game: move by move, with what each was worth.
 * @module
 */

import { h, named } from "./dom.js";
import { bandsLeftOut, drawLine, withTotal } from "./number-line.js";
import { nameOf } from "./state.js";
import { large, shorten } from "./text.js";

/** @import { Match } from "./match.js" */
/** @import { LineView, Model, State } from "./state.js" */

/** @type {Record<string, string>} */
const GRADES = {
  only: "the only move",
  good: "a good move",
  slip: "a slip",
  lost: "lost anyway",
};

/** @param {Model} model @param {State} state @param {NonNullable<Model["review"]>} review @param {Match} match */
export function reviewView({ width }, state, { game, step }, match) {
  const { moves, story, turning_point } = game.review;
  const move = moves[step - 1];
  const shown = move ? move.makes : (moves[0]?.total ?? state.total);
  const { text } = large(shown);
  const leftOut = bandsLeftOut(game.line, width);
  return h(
    "article",
    { key: "review", class: "table review" },
    h(
      "header",
      { class: "head" },
      h("h1", { tabindex: -1 }, "Review"),
      h("p", { class: "aim-line" }, `${state.title} · ${state.aim.replace(/\.$/, "")}`),
    ),
    news(state),
    h("p", { class: "story" }, story),
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
        label: `Number line after move ${step} of ${moves.length}; the total is ${shorten(shown)}. Lost for the player to move: ${game.line.bands.map((band) => band.text).join(", ") || "none"}.`,
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
        ? [h("strong", {}, `×${shorten(move.multiplier)}. `), move.comment]
        : "From a striped band every move loses, against best play.",
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
            h(
              "span",
              { class: `grade ${each.grade}` },
              GRADES[each.grade] ?? each.grade,
              each.number === turning_point && ", turned the game",
            ),
          ),
        ),
      ),
    ),
    h(
      "div",
      { class: "choices" },
      h("a", { class: "button primary", href: "#" }, "Back to the table"),
    ),
  );
}

/** What happens at the table meanwhile. @param {State} state */
function news(state) {
  const { outcome, rematch, your_seat } = state;
  if (!outcome)
    return h("p", { key: "news", class: "notice" }, "The next game has begun.");
  if (!rematch || rematch === your_seat) return null;
  const asks = named(nameOf(state, rematch));
  return h("p", { key: "news", class: "notice" }, asks, " wants a rematch.");
}

/** The line before the last so many moves. Of a very long game it has the last hops only. @param {LineView} line @param {number} left @returns {LineView} */
function lineBefore(line, left) {
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
