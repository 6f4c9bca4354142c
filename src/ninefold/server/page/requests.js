/**
 * What the table tells, and what it asks: each in a place that is there already, so that
 * nothing moves for it.
 * @module
 */

import { tryAgain } from "./api.js";
import { h, named } from "./dom.js";
import { isAskedForTakeBack, lastMover, nameOf, totals } from "./state.js";
import { group, other, shorten } from "./text.js";

/** @import { Child, Props } from "./dom.js" */
/** @import { Match } from "./match.js" */
/** @import { Model, Question, Seat, State } from "./state.js" */

/** What is to be known, in the room for a second row of numbers. @param {Model} model @param {State} state @param {Match} match */
export function news({ lost, closed, pending, notice }, state, match) {
  if (lost) {
    const more = notice || (pending?.multiplier ? "Your move is saved." : "");
    const text = closed || `Connection lost. ${more}`;
    return bar("lost", text, { onclick: tryAgain }, "Try again");
  }
  if (notice) return bar("notice", notice);
  const { your_seat: mine, takeback } = state;
  if (!mine || takeback !== mine) return null;
  const text = ["Waiting for ", named(nameOf(state, other(mine))), " to agree."];
  const onclick = () => match.send({ do: "withdraw" });
  return bar("waits", text, { onclick, "aria-label": "Cancel the request" }, "Cancel");
}

/** @param {string} kind @param {Child} text @param {Props} props of its button @param {string} label */
function bar(kind, text, props = {}, label = "") {
  const act = label && h("button", { type: "button", ...props }, label);
  return h("div", { key: "news", class: `bar ${kind}` }, h("p", {}, text), act);
}

/** What must be answered, in the place of the keys. @param {Model} model @param {State} state @param {Match} match */
export function request(model, state, match) {
  if (model.question) return coachAsks(model.question, model, match);
  return isAskedForTakeBack(state) && takeBackAsked(model, state, match);
}

/** A question and its answers; a press that was meant for a key answers nothing. @param {string} look @param {Model} model @param {{title: Child, text: Child, answers: [string, () => void][]}} asked */
function box(look, { ready }, { title, text, answers }) {
  return h(
    "section",
    {
      key: "request",
      class: `request ${look}`,
      role: "group",
      "aria-labelledby": "request-title",
      "aria-describedby": "request-text",
    },
    h(
      "div",
      {},
      h("h2", { id: "request-title" }, title),
      h("p", { id: "request-text" }, text),
    ),
    h(
      "div",
      { class: "choices" },
      answers.map(([label, act], index) =>
        h(
          "button",
          {
            key: label,
            type: "button",
            class: index === 0 ? "primary" : null,
            "aria-disabled": !ready,
            onclick: ready ? act : null,
          },
          label,
        ),
      ),
    ),
  );
}

/** The other player asks for moves back: their last one, and what came after it. @param {Model} model @param {State} state @param {Match} match */
function takeBackAsked(model, state, match) {
  const seat = other(/** @type {Seat} */ (state.your_seat));
  const theirs = lastMover(state) === seat ? state.moves.at(-1) : state.moves.at(-2);
  const yours = lastMover(state) === seat ? null : state.moves.at(-1);
  const left = totals(state).at(yours === null ? -2 : -3) ?? state.rules.start;
  return box(`seat${seat}`, model, {
    title: [
      named(nameOf(state, seat)),
      ` asks to take back ×${shorten(theirs ?? 1)}${yours ? ` and your ×${shorten(yours)}` : ""}.`,
    ],
    text: `The total would be ${shorten(left)} again.`,
    answers: [
      ["Allow", () => match.send({ do: "allow-take-back" })],
      ["No, play on", () => match.send({ do: "decline-take-back" })],
    ],
  });
}

/** @param {Question} question @param {Model} model @param {Match} match */
function coachAsks({ title, text, marked, answers }, model, match) {
  return box("coach", model, {
    title: `${title}. `,
    text: [marked && `${group(marked)} `, group(text)],
    answers: answers.map((each) => [each.label, () => match.settle(each)]),
  });
}
