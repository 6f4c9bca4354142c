/**
 * The end of a game: who won, in the rule book's words, and what comes next.
 * @module
 */

import { h, named } from "./dom.js";
import { nameOf } from "./state.js";
import { isSingle, other, plainly } from "./words.js";

/** @typedef {import("./match.js").Match} Match */
/** @typedef {import("./messages.js").State} State */

/** @param {State} state @param {Match} match */
export function end(state, match) {
  const winner = state.outcome?.winner ?? 1;
  const mine = state.your_seat;
  const rematch = () => match.send("rematch");
  const wanted = mine !== null && state.rematch === other(mine);
  return h(
    "section",
    { key: "end", class: `end seat${winner}` },
    h("h2", { tabindex: -1 }, headline(state)),
    h("p", { class: "outcome" }, plainly(state.said)),
    h(
      "div",
      { class: "choices" },
      state.may.includes("next-game") &&
        h(
          "button",
          {
            key: "next",
            type: "button",
            class: "primary",
            onclick: () => match.send("next-game"),
          },
          "Next game",
        ),
      state.may.includes("rematch") &&
        h(
          "button",
          { key: "rematch", type: "button", class: "primary", onclick: rematch },
          wanted ? "Accept the rematch" : "Rematch",
        ),
      state.may.includes("withdraw") &&
        h(
          "button",
          { key: "withdraw", type: "button", onclick: () => match.send("withdraw") },
          "Withdraw",
        ),
      h("a", { key: "review", class: "button", href: "#review" }, "Review"),
      h("a", { key: "home", class: "button plain", href: "/" }, "New match"),
    ),
  );
}

/** Who has won the game, or with it the match. @param {State} state */
function headline(state) {
  const { outcome, match_over, match_winner, length, your_seat, score } = state;
  const several = match_over && !isSingle(length);
  const winner = several ? match_winner : outcome?.winner;
  if (!winner) return `The match ends level, ${score.join(" to ")}`;
  const what = several ? " the match" : "";
  if (winner === your_seat) return `You win${what}!`;
  return [named(nameOf(state, winner)), ` wins${what}`];
}
