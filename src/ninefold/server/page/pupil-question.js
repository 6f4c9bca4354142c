/**
 * A question to the class, on a pupil's device: the position, the answers, and in the end
 * how many gave each, and which is right.
 * @module
 */

import { h } from "./dom.js";
import { icon } from "./icons.js";
import { bandsLeftOut, drawLine } from "./number-line.js";
import { describe } from "./table.js";
import { group, large } from "./text.js";

/** @import { ChoiceView, PollView } from "./class-messages.js" */

/**
 * @typedef {object} Answering
 * @property {string | null} own the answer of this device
 * @property {string} problem why it was refused
 * @property {number} width
 * @property {(key: string) => void} give
 */

/** @param {PollView} poll @param {Answering} answering */
export function questionView(poll, answering) {
  const { position, bar, truth } = poll;
  const { text } = large(position.total);
  const isOver = poll.choices.length === 0;
  return h(
    "article",
    { key: "question", class: "poll" },
    h("h1", { tabindex: -1 }, icon(isOver ? "flag" : "question"), poll.text),
    h(
      "p",
      { class: "aim-line" },
      `${position.title} · ${group(position.aim).replace(/\.$/, "")}`,
    ),
    h(
      "section",
      { class: "total", "aria-label": "Total" },
      h(
        "p",
        { class: "number", style: { "--digits": Math.max(text.length, 2) } },
        text,
      ),
      h("p", { class: "product" }, group(position.text)),
    ),
    picture(poll, answering.width),
    truth && truthView(poll, truth.text),
    h(
      "div",
      {
        class: "answers",
        role: "group",
        "aria-label": poll.text,
        "data-asks": poll.asks,
      },
      poll.choices.map((choice) => answerView(choice, poll, answering)),
    ),
    answering.problem &&
      h("p", { key: "problem", class: "problem" }, answering.problem),
    !bar &&
      h(
        "p",
        { key: "told", class: "told" },
        answering.own ? "You can still change it." : "Tap your answer.",
      ),
  );
}

/** @param {PollView} poll @param {number} width */
function picture({ position, truth }, width) {
  const line = truth?.line ?? position.line;
  const leftOut = bandsLeftOut(line, width);
  return h(
    "div",
    { key: "line", class: "picture" },
    drawLine(line, { width, label: describe(position, line) }),
    leftOut && h("p", { key: "left out", class: "caption" }, leftOut),
  );
}

/** @param {PollView} poll @param {string} reason */
function truthView({ choices, truth }, reason) {
  const right = choices.filter(({ key }) => truth?.right.includes(key));
  return h(
    "section",
    { key: "truth", class: "panel right" },
    right.length > 0 &&
      h(
        "h2",
        {},
        icon("tick"),
        h("span", { class: "unseen" }, "Right: "),
        right.map(({ label }) => label).join(" · "),
      ),
    h("p", {}, group(reason)),
  );
}

/** An answer to choose; once the answers are shown, how many gave it. @param {ChoiceView} choice @param {PollView} poll @param {Answering} answering */
function answerView({ key, label }, poll, { own, give }) {
  const isOwn = own === key;
  const isRight = poll.truth?.right.includes(key);
  const look = ["reply", isOwn && "own", isRight && "right"].filter(Boolean).join(" ");
  if (!poll.bar) {
    const onclick = () => give(key);
    return h(
      "button",
      { key, type: "button", class: look, "aria-pressed": isOwn, onclick },
      isOwn && icon("tick"),
      label,
    );
  }
  const count = poll.bar.find((each) => each.key === key)?.count ?? 0;
  const most = Math.max(...poll.bar.map((each) => each.count), 1);
  return h(
    "div",
    { key: `bar ${key}`, class: `${look} counted` },
    h(
      "span",
      { class: "label" },
      isRight && icon("tick"),
      label,
      isOwn && h("small", {}, " your answer"),
      isRight && h("span", { class: "unseen" }, " right"),
    ),
    h(
      "span",
      { class: "bar-of", "aria-hidden": "true" },
      h("span", { style: { width: `${(100 * count) / most}%` } }),
    ),
    h("strong", {}, count),
  );
}
