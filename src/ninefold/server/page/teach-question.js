/**
 * A question to the class; then how it was answered; then the truth.
 * @module
 */

import { button, h } from "./dom.js";
import { drawLine } from "./number-line.js";
import { group, large } from "./text.js";

/** @import { PollView } from "./class-messages.js" */
/** @import { LineView } from "./state.js" */
/** @import { Teach } from "./teach.js" */
/** @import { Talk } from "./teach-talk.js" */

/** @param {Talk} talk @param {PollView} poll */
export function question(talk, poll) {
  const { text, position, answered, of, bar, truth, shows_truth, asks } = poll;
  const { teach } = talk;
  const isOver = poll.choices.length === 0; // a vote has ended the game
  const next = isOver
    ? ""
    : !bar
      ? "Show the answers"
      : !shows_truth
        ? "Show the truth"
        : "";
  const reason = truth?.text ?? (shows_truth && "This game is too large to solve.");
  const reveal = () => teach.ask({ do: "reveal" });
  return [
    h(
      "header",
      { key: "head", class: "board-head" },
      h("h1", { tabindex: -1 }, group(text)),
      h("p", {}, `${position.title}. ${group(position.aim)}`),
      !isOver &&
        h("strong", { class: "answered" }, `${answered} of ${of} have answered`),
    ),
    h("p", { key: "total", class: "shown-total" }, large(position.total).text),
    h("p", { key: "told", class: "product" }, group(position.text)),
    picture(teach, truth?.line ?? position.line, group(position.text)),
    answers(poll),
    reason && h("p", { key: "reason", class: "card reason" }, group(reason)),
    h(
      "div",
      { key: "act", class: "choices" },
      next && button(next, reveal, { key: "next", class: "primary" }),
      bar &&
        asks === "move" &&
        !isOver &&
        button("Play the vote", () => teach.ask({ do: "play-vote" })),
      button(isOver ? "Another position" : "Take the question away", () =>
        teach.ask({ do: "ask", question: null }),
      ),
    ),
  ];
}

/** A line as wide as the page. @param {Teach} teach @param {LineView} line @param {string} label */
export function picture({ root }, line, label, final = false) {
  const width = root.clientWidth;
  return h(
    "div",
    { key: "picture", class: "picture" },
    drawLine(line, { width, label, final }),
  );
}

/** The answers, with the bar and the truth as far as they are shown. @param {PollView} poll */
function answers({ asks, choices, bar, truth }) {
  const counts = new Map(bar?.map(({ key, count }) => [key, count]));
  const most = Math.max(1, ...counts.values());
  return h(
    "ul",
    { key: "answers", class: `poll ${asks}`, "aria-label": "Answers" },
    choices.map(({ key, label }) => {
      const count = counts.get(key);
      const isRight = truth?.right.includes(key);
      return h(
        "li",
        { key, class: isRight ? "is-right" : null },
        h("span", {}, label, isRight && " ✓"),
        count !== undefined && [
          h(
            "span",
            { key: "part", class: "part", "aria-hidden": "true" },
            h("span", { style: { "--part": count / most } }),
          ),
          h("strong", { key: "count" }, count),
        ],
        isRight && h("span", { key: "right", class: "unseen" }, "right"),
      );
    }),
  );
}
