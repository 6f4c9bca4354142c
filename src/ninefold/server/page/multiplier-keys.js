/**
 * The multipliers: keys to press, or a field where they are many or long.
 * @module
 */

import { h, pointing } from "./dom.js";
import { brief, group, plainDigits, shorten, WATCHING, writeSet } from "./text.js";

/** @import { KeyView, Model, Player, State } from "./state.js" */

const MOST_KEYS = 16;
const LONGEST_KEY = 3;

/** The multiplier that a hint has named. @param {Model["panel"]} panel */
export function hinted(panel) {
  return panel?.kind === "hint"
    ? (panel.steps[panel.shown - 1]?.multiplier ?? null)
    : null;
}

/** @param {Model} model @param {State} state @param {Player} match */
export function keys(model, state, match) {
  if (!state.your_seat) {
    return h("p", { key: "watching", class: "watching" }, WATCHING);
  }
  if (isTyped(state)) return typed(model, state, match);
  return h(
    "div",
    {
      key: "keys",
      class: "keys",
      role: "group",
      "aria-label": "Multipliers",
      "data-count": state.keys.length,
    },
    state.keys.map((key) => keyOf(key, model, state, match)),
  );
}

/** Whether the multipliers are too many or too long for keys. @param {State} state */
function isTyped({ keys }) {
  return (
    keys.length > MOST_KEYS ||
    keys.some(({ multiplier }) => String(multiplier).length > LONGEST_KEY)
  );
}

/** @param {KeyView} key @param {Model} model @param {State} state @param {Player} match */
function keyOf({ multiplier, makes, ends }, model, state, match) {
  const { panel, pending, products } = model;
  const hint = hinted(panel);
  const shows = products && makes !== null;
  const sending = pending?.multiplier === multiplier;
  const tried = ends === "right" || ends === "no";
  const look = [
    hint === multiplier && "hinted",
    sending && "sending",
    tried && (ends === "right" ? "right" : "wrong"),
  ];
  const point = () => match.set({ pointed: multiplier });
  const leave = () => match.set({ pointed: null });
  return h(
    "button",
    {
      key: multiplier,
      type: "button",
      class: [`key seat${state.your_seat}`, ...look].filter(Boolean).join(" "),
      "data-multiplier": multiplier,
      "aria-disabled": !match.mayMove || tried,
      onclick: () => match.play(multiplier),
      ...pointing(point, leave),
    },
    h("span", { class: "unseen" }, "times "),
    h("span", { class: "times" }, multiplier),
    h(
      "span",
      { class: "makes" },
      sending && model.lost
        ? "saved"
        : [
            shows &&
              h(
                "span",
                { class: ends ? "made" : "" },
                h("span", { class: "unseen" }, " makes "),
                brief(makes),
                ends && h("span", { class: "unseen" }, " and "),
              ),
            ends && h("span", { class: "ends" }, shows ? ` ${ends}` : ends),
          ],
    ),
  );
}

/** @param {Model} model @param {State} state @param {Player} match */
function typed({ pointed, products, problem }, state, match) {
  const key = state.keys.find(({ multiplier }) => multiplier === pointed);
  const all = writeSet(state.keys.map(({ multiplier }) => multiplier));
  /** @param {Event} event */
  const entryOf = (event) =>
    /** @type {HTMLInputElement} */ (document.getElementById("multiplier")) ??
    event.target;
  /** @param {string} text */
  const find = (text) =>
    state.keys.find(({ multiplier }) => String(multiplier) === plainDigits(text));
  return h(
    "form",
    {
      key: "typed",
      class: "typed",
      onsubmit: (/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        const entry = entryOf(event);
        const found = find(entry.value);
        if (!found) {
          const given = entry.value.trim();
          const wrong = given ? `×${shorten(given)} is not allowed: choose` : "Type";
          match.set({ problem: `${wrong} one of ${all}.` });
          return entry.select(); // the next digit replaces it
        }
        if (match.mayMove) {
          entry.value = "";
          match.set({ pointed: null });
        }
        return match.play(found.multiplier);
      },
    },
    h("label", { for: "multiplier" }, "Multiply by ", h("small", {}, `one of ${all}`)),
    h("input", {
      id: "multiplier",
      inputmode: "numeric",
      autocomplete: "off",
      list: "multipliers",
      "aria-invalid": problem !== "",
      "aria-describedby": "makes",
      oninput: (/** @type {Event} */ event) =>
        match.set({
          pointed: find(entryOf(event).value)?.multiplier ?? null,
          problem: "",
        }),
    }),
    h(
      "datalist",
      { id: "multipliers" },
      state.keys.map(({ multiplier }) =>
        h("option", { key: multiplier, value: multiplier }),
      ),
    ),
    h("button", { class: "primary", "aria-disabled": !match.mayMove }, "Play"),
    problem
      ? h("p", { key: "wrong", id: "makes", class: "problem", role: "alert" }, problem)
      : h(
          "p",
          { key: "makes", id: "makes" },
          [products && key?.makes ? `makes ${group(key.makes)}` : "", key?.ends ?? ""]
            .filter(Boolean)
            .join(", "),
        ),
  );
}

/**
 * Play the multiplier that is typed once no other one begins so; until then the focus
 * goes to it. Where there is a field, the digit goes there.
 * @param {string} digit
 * @param {Player} match
 */
export function typeDigit(digit, match) {
  const field = document.getElementById("multiplier");
  if (field) {
    field.focus(); // the browser writes the digit there
    return;
  }
  const all = match.model.state?.keys.map(({ multiplier }) => multiplier) ?? [];
  /** @param {string} typed */
  const beginning = (typed) => all.filter((each) => String(each).startsWith(typed));
  const goesOn = beginning(match.typed + digit).length > 0;
  const typed = goesOn ? match.typed + digit : digit;
  const found = beginning(typed);
  const [first] = found;
  if (first === undefined) return;
  if (found.length === 1 && String(first) === typed) {
    match.play(first);
    return;
  }
  const wanted = found.find((each) => String(each) === typed) ?? first;
  /** @type {HTMLElement | null} */ (
    match.root.querySelector(`.key[data-multiplier="${wanted}"]`)
  )?.focus();
  const choice = found.map((each) => `×${each}`).join(" or ");
  match.notify(`${choice}? Enter plays the one in focus; digits choose another.`, true);
  match.typed = typed;
}
