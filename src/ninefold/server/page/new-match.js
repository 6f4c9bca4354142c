/**
 * What a match is to be made of: the choices, remembered, and the form for them.
 * @module
 */

import { h } from "./dom.js";
import { field, pick } from "./fields.js";
import * as storage from "./storage.js";
import {
  LESSONS,
  plainDigits,
  readSet,
  shorten,
  toWhole,
  writeLength,
  writeSet,
} from "./words.js";

/** @typedef {import("./messages.js").Choices} Choices */
/** @typedef {import("./messages.js").GameRow} GameRow */
/** @typedef {import("./messages.js").Length} Length */
/** @typedef {import("./messages.js").Lessons} Lessons */

/**
 * @typedef {object} MatchForm an empty text means the rule book's own
 * @property {string} name
 * @property {string} game
 * @property {string} target
 * @property {string} multipliers
 * @property {string} start
 * @property {string} length what is counted, and how many
 * @property {string} starts who starts the later games
 * @property {"1" | "2" | "toss"} first
 * @property {string} level
 * @property {Lessons} lessons
 */

/** @typedef {(change: Partial<MatchForm>) => void} Change */

/** @type {MatchForm} */
const DEFAULTS = {
  name: "",
  game: "multiplier-showdown",
  target: "",
  multipliers: "",
  start: "",
  length: "best_of 1",
  starts: "alternate",
  first: "1",
  level: "careful",
  lessons: { coach: false, hints: true, mental: false },
};
const NAMELESS = "Player 1";
const LENGTHS = [
  "best_of 1",
  "best_of 3",
  "best_of 5",
  "first_to 3",
  "games 2",
  "games 4",
];
const COUNTS = [
  ["best_of", "Best of"],
  ["first_to", "First to"],
  ["games", "Number of games"],
];
const STARTS = [
  ["alternate", "In turn"],
  ["loser", "Who lost the last one"],
  ["winner", "Who won the last one"],
  ["same", "Always the same"],
  ["toss", "A coin decides"],
];
const FIRST = { 1: "You start", 2: "The other side starts", toss: "A coin decides" };

/** @returns {MatchForm} */
export function remembered() {
  const name = storage.chosen("name", DEFAULTS.name);
  return { ...DEFAULTS, ...storage.chosen("form", {}), name };
}

/** @param {MatchForm} form */
export function remember({ name, ...rest }) {
  storage.choose("form", rest);
  storage.choose("name", name);
}

/**
 * The form as a request; a sentence where it cannot be one.
 * @param {MatchForm} form
 * @returns {Record<string, unknown> | string}
 */
export function requestOf(form) {
  const { name, game, target, multipliers, start, length, first } = form;
  const set = multipliers.trim() === "" ? null : readSet(multipliers);
  if (multipliers.trim() !== "" && set === null) {
    return `“${multipliers.trim()}” is no set of multipliers. Write it like 2-9, or like 2, 3, 5, 7.`;
  }
  const digits = plainDigits(target);
  if (!/^\d*$/.test(digits))
    return `“${target.trim()}” is no target. Write plain digits, like 1000.`;
  const begins = plainDigits(start);
  if (!/^\d*$/.test(begins)) {
    return `“${start.trim()}” is no first total. Write plain digits, like 1.`;
  }
  const [, number = ""] = length.split(" ");
  if (!/^[1-9]\d{0,3}$/.test(number)) {
    return `“${number}” is no number of games. Write one from 1 on.`;
  }
  return {
    game,
    target: digits === "" ? null : toWhole(digits),
    multipliers: set,
    start: begins === "" ? null : toWhole(begins),
    length: readLength(length),
    first: first === "toss" ? "toss" : Number(first),
    starts: form.starts,
    lessons: form.lessons,
    name: name.trim() || NAMELESS,
  };
}

/** @param {MatchForm} form @param {Change} change */
export function nameField({ name }, change) {
  return field("Your name", {
    value: name,
    maxlength: 24,
    autocomplete: "nickname",
    placeholder: NAMELESS,
    oninput: follow("name", change),
  });
}

/**
 * Everything else that can be chosen, folded.
 * @param {MatchForm} form
 * @param {Change} change
 * @param {Choices} choices
 * @param {GameRow} game
 */
export function options(form, change, choices, game) {
  const target = shorten(plainDigits(form.target) || game.rules.target);
  const first = FIRST[form.first].toLowerCase();
  return h(
    "details",
    { class: "card options" },
    h(
      "summary",
      {},
      h(
        "span",
        { class: "chosen" },
        h("strong", {}, game.title),
        ` to ${target}, ${lengthOf(form.length)}, ${first}`,
      ),
      h("span", { class: "change" }, "Change"),
    ),
    h(
      "fieldset",
      { class: "games" },
      h("legend", {}, "Game"),
      choices.games.map(({ key, title, summary }) =>
        h(
          "label",
          { key, class: "choice" },
          h("input", {
            type: "radio",
            name: "game",
            value: key,
            checked: key === game.key,
            onchange: () =>
              change({ game: key, target: "", multipliers: "", start: "" }),
          }),
          h("span", {}, h("strong", {}, title), " ", h("small", {}, summary)),
        ),
      ),
    ),
    h(
      "div",
      { class: "grid" },
      field("Target", {
        value: form.target,
        inputmode: "numeric",
        autocomplete: "off",
        placeholder: game.rules.target,
        oninput: follow("target", change),
      }),
      field("Multipliers", {
        value: form.multipliers,
        autocomplete: "off",
        placeholder: writeSet(game.rules.multipliers),
        oninput: follow("multipliers", change),
      }),
      pick(
        "Length",
        form.length,
        [...new Set([...LENGTHS, form.length])].map((each) => [each, lengthOf(each)]),
        follow("length", change),
      ),
      pick("Start", form.first, Object.entries(FIRST), follow("first", change)),
    ),
    lessons(form, change),
    more(form, change, game),
  );
}

/** What is seldom chosen, folded again. @param {MatchForm} form @param {Change} change @param {GameRow} game */
function more(form, change, game) {
  const [count = "best_of", number = ""] = form.length.split(" ");
  return h(
    "details",
    { class: "more" },
    h("summary", {}, "More"),
    h(
      "div",
      { class: "grid" },
      pick("Games are counted as", count, COUNTS, ({ target }) =>
        change({ length: `${entryOf(target)} ${number}` }),
      ),
      field("How many", {
        value: number,
        inputmode: "numeric",
        autocomplete: "off",
        oninput: (/** @type {Event} */ { target }) =>
          change({ length: `${count} ${entryOf(target).trim()}` }),
      }),
      pick("Later games begin with", form.starts, STARTS, follow("starts", change)),
      field("First total", {
        value: form.start,
        inputmode: "numeric",
        autocomplete: "off",
        placeholder: game.rules.start,
        oninput: follow("start", change),
      }),
    ),
  );
}

/** @param {MatchForm} form @param {Change} change */
function lessons({ lessons: wanted }, change) {
  return h(
    "fieldset",
    { class: "agree" },
    h("legend", {}, "Lessons"),
    LESSONS.map(([key, title, told]) =>
      h(
        "label",
        { key, class: "check" },
        h("input", {
          type: "checkbox",
          checked: wanted[key],
          onchange: () => change({ lessons: { ...wanted, [key]: !wanted[key] } }),
        }),
        h("span", {}, h("strong", {}, title), " ", h("small", {}, told)),
      ),
    ),
    h(
      "p",
      { class: "soft" },
      "Your friend is asked too; you play with what you both want.",
    ),
  );
}

/** @param {keyof MatchForm} key @param {Change} change */
export function follow(key, change) {
  return (/** @type {Event} */ { target }) => change({ [key]: entryOf(target) });
}

/** @param {EventTarget | null} field */
function entryOf(field) {
  return /** @type {HTMLInputElement} */ (field).value;
}

/** @param {string} length @returns {Length} */
function readLength(length) {
  const [count = "best_of", number = ""] = length.split(" ");
  const counts = /** @type {Length["count"]} */ (count.replace("_", " "));
  return { count: counts, number: Number(number) };
}

/** @param {string} length */
function lengthOf(length) {
  const read = readLength(length);
  return read.number > 0 ? writeLength(read) : "…";
}
