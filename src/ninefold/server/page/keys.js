/**
 * The multipliers: keys to press, or a field where they are many or long.
 * @module
 */

import { h } from "./dom.js";
import { brief, shorten } from "./words.js";

/** @typedef {import("./known.js").Known} Known */
/** @typedef {import("./match.js").Match} Match */
/** @typedef {import("./wire.js").State} State */
/** @typedef {import("./wire.js").KeyView} KeyView */

const MOST_KEYS = 16;
const LONGEST_KEY = 3;

/** The multiplier that a hint has named. @param {Known["panel"]} panel */
export function hinted(panel) {
  return panel?.kind === "hint"
    ? (panel.steps[panel.shown - 1]?.multiplier ?? null)
    : null;
}

/** @param {Known} known @param {State} state @param {Match} match */
export function keys(known, state, match) {
  if (!state.your_seat) {
    return h("p", { key: "watching", class: "watching" }, "You are watching.");
  }
  const long = state.keys.some(
    ({ multiplier }) => String(multiplier).length > LONGEST_KEY,
  );
  if (state.keys.length > MOST_KEYS || long) return typed(known, state, match);
  return h(
    "div",
    {
      key: "keys",
      class: "keys",
      role: "group",
      "aria-label": "Multipliers",
      "data-count": state.keys.length,
    },
    state.keys.map((key) => keyOf(key, known, state, match)),
  );
}

/** @param {KeyView} key @param {Known} known @param {State} state @param {Match} match */
function keyOf({ multiplier, makes, ends }, known, state, match) {
  const { panel, pending, products } = known;
  const hint = hinted(panel);
  const shows = products && makes !== null;
  const sending = pending?.multiplier === multiplier;
  const point = () => match.set({ pointed: multiplier });
  const leave = () => match.set({ pointed: null });
  return h(
    "button",
    {
      key: multiplier,
      type: "button",
      class: `key seat${state.your_seat}${hint === multiplier ? " hinted" : ""}${sending ? " sending" : ""}`,
      "aria-disabled": !match.mayMove,
      onclick: () => match.play(multiplier),
      onpointerenter: point,
      onpointerleave: leave,
      onfocus: (/** @type {FocusEvent} */ { target }) =>
        /** @type {Element} */ (target).matches(":focus-visible") && point(),
      onblur: leave,
    },
    h("span", { class: "unseen" }, "times "),
    h("span", { class: "times" }, multiplier),
    h(
      "span",
      { class: "makes" },
      sending && known.lost
        ? "kept"
        : [
            shows && h("span", { class: "unseen" }, " makes "),
            shows && h("span", { class: ends ? "made" : "" }, brief(makes)),
            ends && h("span", { class: "ends" }, shows ? ` ${ends}` : ends),
          ],
    ),
  );
}

/** @param {Known} known @param {State} state @param {Match} match */
function typed({ pointed }, state, match) {
  const key = state.keys.find(({ multiplier }) => multiplier === pointed);
  const lowest = shorten(state.keys[0]?.multiplier ?? 0);
  const highest = shorten(state.keys.at(-1)?.multiplier ?? 0);
  /** @param {Event} event */
  const entryOf = (event) =>
    /** @type {HTMLInputElement} */ (document.getElementById("multiplier")) ??
    event.target;
  /** @param {string} text */
  const find = (text) =>
    state.keys.find(({ multiplier }) => String(multiplier) === text.trim());
  return h(
    "form",
    {
      key: "typed",
      class: "typed",
      onsubmit: (/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        const entry = entryOf(event);
        const found = find(entry.value);
        if (!found) return match.notify(`Choose one of ${lowest} to ${highest}.`);
        entry.value = "";
        return match.play(found.multiplier);
      },
    },
    h("label", { for: "multiplier" }, "Multiply by"),
    h("input", {
      id: "multiplier",
      inputmode: "numeric",
      autocomplete: "off",
      list: "multipliers",
      placeholder: `${lowest} to ${highest}`,
      oninput: (/** @type {Event} */ event) =>
        match.set({ pointed: find(entryOf(event).value)?.multiplier ?? null }),
    }),
    h(
      "datalist",
      { id: "multipliers" },
      state.keys.map(({ multiplier }) =>
        h("option", { key: multiplier, value: multiplier }),
      ),
    ),
    h("button", { class: "primary", "aria-disabled": !match.mayMove }, "Play"),
    h("p", {}, key?.makes ? `makes ${key.makes}` : "", key?.ends ? ` ${key.ends}` : ""),
  );
}
