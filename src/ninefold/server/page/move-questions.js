/**
 * What is asked before a move counts, and before a game is given up.
 * @module
 */

import { ask, tell } from "./dialog.js";
import { h } from "./dom.js";
import { shorten } from "./words.js";

/** @typedef {import("./messages.js").Question} Question */
/** @typedef {import("./messages.js").Whole} Whole */
/** @typedef {{answer?: Whole, accepts_loss?: boolean, despite_coach?: boolean}} Answers */

/** What a question comes to: the move with this answer, the move given back, or nothing.
 * @typedef {Answers | "give back" | null} Decision */

/**
 * Ask what the server asks.
 * @param {Question} question
 * @returns {Promise<Decision>}
 */
export function decide(question) {
  if (question.kind === "product") return askProduct(question);
  return question.kind === "loss" ? askLoss(question) : askSlip(question);
}

/** @param {Question} question @returns {Promise<Decision>} */
async function askProduct({ text }) {
  const given = await ask({
    about: "move",
    title: text,
    body: [],
    field: "Your answer",
    answers: [{ value: "play", label: "Play it" }],
  });
  return given ? { answer: given.entry } : null;
}

/** @param {Question} question @returns {Promise<Decision>} */
async function askLoss({ text, multiplier }) {
  const given = await ask({
    about: "move",
    title: "This loses",
    body: [h("p", {}, text)],
    answers: [
      { value: "back", label: "Choose another" },
      { value: "play", label: `Play ×${shorten(multiplier)} and lose` },
    ],
  });
  return given?.value === "play" ? { accepts_loss: true } : null;
}

/** Leaving the question makes no move and spends no move given back. @param {Question} question @returns {Promise<Decision>} */
async function askSlip({ text, multiplier, give_backs }) {
  const goOn = { value: "play", label: `Play ×${shorten(multiplier)} all the same` };
  const back = { value: "back", label: `Take it back (${give_backs} left)` };
  const given = await ask({
    about: "move",
    title: "Coach",
    body: [h("p", {}, text)],
    answers: [back, goOn],
  });
  if (given?.value === "play") return { despite_coach: true };
  return given?.value === "back" ? "give back" : null;
}

/** @returns {Promise<boolean>} */
export async function askToResign() {
  const given = await ask({
    about: "game",
    title: "Resign this game?",
    body: [h("p", {}, "The other player wins it then.")],
    answers: [
      { value: "stay", label: "Play on" },
      { value: "resign", label: "Resign" },
    ],
  });
  return given?.value === "resign";
}

/**
 * Show the rules: plain text, in paragraphs and lists.
 * @param {string} title
 * @param {string} text
 */
export function tellRules(title, text) {
  const parts = text.split(/\n\s*\n/).flatMap((part) => {
    const [head, ...items] = part.trim().split(/(?:^|\n)- /);
    return [
      head ? h("p", {}, head.replace(/\s+/g, " ")) : null,
      items.length > 0 &&
        h(
          "ul",
          {},
          items.map((item) => h("li", {}, item.trim())),
        ),
    ];
  });
  return tell(title, parts);
}
