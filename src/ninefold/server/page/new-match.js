/**
 * Before a match: the form for what it is made of, which is remembered; the link for a
 * friend; the seat for whoever opens it.
 * @module
 */

import { problemOf, Refused } from "./api.js";
import {
  checkbox,
  entryOf,
  field,
  folded,
  h,
  lostNotice,
  named,
  pick,
  tiles,
  WHOLE,
} from "./dom.js";
import * as storage from "./storage.js";
import { head } from "./table.js";
import {
  brief,
  capital,
  DISCONNECTED,
  group,
  isLoopback,
  isSingle,
  LESSONS,
  LINK_IS_LOCAL,
  plainDigits,
  shorten,
  writeLength,
  writeSet,
} from "./text.js";

/** @import { Match } from "./match.js" */
/** @import { Props } from "./dom.js" */
/** @import { Choices, Ending, GameRow, Length, Lessons, Model, State } from "./state.js" */

/**
 * @typedef {object} MatchForm an empty text means the rule book's own
 * @property {With} with whom one plays
 * @property {string} name
 * @property {string} other_name of the second person on this device
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

/** @typedef {"computer" | "friend" | "here"} With */
/** @typedef {(change: Partial<MatchForm>) => void} Change */
/** @typedef {{text: string, field?: keyof MatchForm}} Problem */

/** @type {MatchForm} */
const DEFAULTS = {
  with: "computer",
  name: "",
  other_name: "",
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
const COUNTS = [
  ["best_of", "Best of"],
  ["first_to", "First to"],
  ["games", "Number of games"],
];
const STARTS = [
  ["alternate", "Take turns"],
  ["loser", "Loser of the last game"],
  ["winner", "Winner of the last game"],
  ["same", "Always the same"],
  ["toss", "A coin decides"],
];
const NAMES = ["name", "other_name"];
/** What is typed: a problem is shown beside it. */
const TYPED = [...NAMES, "target", "multipliers", "start", "length"];
const MOST_DIGITS = 1100; // too many for any number, and few enough to be sent
const COPIED = 2000;
const WAITING = "Waiting for your friend …";
const OPPONENTS = /** @type {const} */ ([
  ["computer", "Computer", "five levels"],
  ["friend", "Friend", "by link"],
  ["here", "Two here", "one device"],
]);
const FIRST = { 1: "You start", 2: "The other player starts", toss: "A coin decides" };

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

/** The form as a request; null is the rule book's own, or a usual name. @param {MatchForm} form */
export function requestOf(form) {
  const { game, first, starts, lessons } = form;
  const opponent = form.with === "computer" ? form.level : form.with;
  const [count = "", number = ""] = form.length.split(" ");
  return {
    game,
    target: plainDigits(form.target).slice(0, MOST_DIGITS) || null,
    multipliers: form.multipliers.trim() || null,
    start: plainDigits(form.start).slice(0, MOST_DIGITS) || null,
    length: { count: count.replace("_", " "), number },
    first: first === "toss" ? first : Number(first),
    starts,
    lessons,
    opponent,
    name: form.name.trim() || null,
    other_name: (opponent === "here" && form.other_name.trim()) || null,
  };
}

/** Why no match is made, at the field that the server names. @param {unknown} error @returns {Problem} */
export function problemAt(error) {
  const text = problemOf(error);
  const about = error instanceof Refused ? (error.refusal.field ?? "") : "";
  if (!TYPED.includes(about)) return { text };
  const field = /** @type {keyof MatchForm} */ (about);
  return { field, text: NAMES.includes(field) ? text : group(text) };
}

/** @param {"name" | "other_name"} key @param {MatchForm} form @param {Change} change @param {Problem | null} problem */
function nameField(key, form, change, problem) {
  const mine = key === "name";
  return field(mine ? "Your name" : "Second player", {
    value: form[key],
    maxlength: 24,
    autocomplete: mine ? "nickname" : "off",
    placeholder: mine ? "Player 1" : "Player 2",
    oninput: follow(key, change),
    problem: at(key, problem),
  });
}

/** What is wrong with a field. @param {keyof MatchForm} name @param {Problem | null} problem */
function at(name, problem) {
  return problem?.field === name ? problem.text : "";
}

/** With whom one plays, and what that needs. @param {Choices} choices @param {MatchForm} form @param {Change} change @param {Problem | null} problem */
export function opponents({ levels }, form, change, problem) {
  const level = levels.find(({ key }) => key === form.level) ?? levels[0];
  const all = levels.map(({ key, title }) => [key, title]);
  const name = nameField("name", form, change, problem);
  const needs = {
    computer: [
      pick("Level", level?.key ?? "", all, follow("level", change)),
      h("p", { key: "character", class: "soft" }, level?.character),
    ],
    friend: [
      name,
      h(
        "p",
        { key: "link", class: "soft" },
        "You get a link. Anyone who opens it plays with you.",
      ),
    ],
    here: [name, nameField("other_name", form, change, problem)],
  };
  return [
    h(
      "fieldset",
      { class: "segments with" },
      h("legend", { class: "unseen" }, "Play with"),
      tiles("with", OPPONENTS, form.with, follow("with", change)),
    ),
    h("div", { key: form.with, class: `needs ${form.with}` }, needs[form.with]),
  ];
}

/** The games as tiles, and the one that is chosen in words. @param {Choices} choices @param {GameRow} game @param {Pick<MatchForm, "target">} form @param {(change: Pick<MatchForm, "game" | "target" | "multipliers" | "start">) => void} change */
export function games(choices, game, form, change) {
  const typed = plainDigits(form.target);
  return [
    h(
      "fieldset",
      { class: "segments tiles" },
      h("legend", { class: "unseen" }, "Game"),
      choices.games.map(({ key, title, summary, apart, rules }) => {
        const isChosen = key === game.key;
        const target = isChosen && /^\d+$/.test(typed) ? typed : String(rules.target);
        const choose = () =>
          change({ game: key, target: "", multipliers: "", start: "" });
        return h(
          "label",
          { key },
          h("span", { id: `${key}-about`, hidden: true }, group(`${summary} ${apart}`)),
          radio("game", key, isChosen, choose, {
            "aria-label": title,
            "aria-describedby": `${key}-about`,
          }),
          hopOver(rules.ending),
          h("strong", { "aria-hidden": "true" }, brief(target)),
          h("small", { "aria-hidden": "true" }, title.split(" ").at(-1)),
        );
      }),
    ),
    h(
      "p",
      { key: "about", class: "soft about" },
      h("strong", {}, game.title),
      group(` ${game.summary} ${game.apart}`),
    ),
  ];
}

/** A hop that passes its flag, meets it or stops short of it: how a game ends. @param {Ending} ending */
function hopOver(ending) {
  const flag = { reach: 34, exact: 39, avoid: 36 }[ending];
  const end = { reach: 44, exact: 39, avoid: 27 }[ending];
  return h(
    "svg",
    { viewBox: "0 0 50 26", "aria-hidden": "true" },
    h("path", { class: "axis", d: `M2 21H48M${flag} 21V4` }),
    h("path", { class: "flag", d: `M${flag} 3l8 3-8 3z` }),
    h("path", { class: "hop seat1", d: `M6 21Q${(6 + end) / 2} -7 ${end} 21` }),
    h("circle", { class: "ring", cx: end, cy: 21, r: 3.5 }),
  );
}

/** @param {string} name @param {string} value @param {boolean} checked @param {() => void} onchange @param {Props} props */
function radio(name, value, checked, onchange, props = {}) {
  return h("input", { type: "radio", name, value, checked, onchange, ...props });
}

/**
 * Everything else that can be chosen, folded; its line says what is set.
 * @param {MatchForm} form
 * @param {Change} change
 * @param {GameRow} game
 * @param {Problem | null} problem
 */
export function options(form, change, game, problem) {
  const [count = "best_of", number = ""] = form.length.split(" ");
  return folded("Options", settings(form), [
    h(
      "div",
      { class: "grid" },
      form.with === "computer" && nameField("name", form, change, problem),
      field("Target", {
        value: form.target,
        ...WHOLE,
        placeholder: group(String(game.rules.target)),
        oninput: follow("target", change),
        problem: at("target", problem),
      }),
      field("Multipliers", {
        value: form.multipliers,
        autocomplete: "off",
        placeholder: writeSet(game.rules.multipliers),
        oninput: follow("multipliers", change),
        problem: at("multipliers", problem),
      }),
      field("Starting total", {
        value: form.start,
        ...WHOLE,
        placeholder: group(String(game.rules.start)),
        oninput: follow("start", change),
        problem: at("start", problem),
      }),
      pick("Kind of match", count, COUNTS, (event) =>
        change({ length: `${entryOf(event)} ${number}` }),
      ),
      field("How many", {
        value: number,
        ...WHOLE,
        oninput: (/** @type {Event} */ event) =>
          change({ length: `${count} ${entryOf(event).trim()}` }),
        problem: at("length", problem),
      }),
      pick("Start", form.first, Object.entries(FIRST), follow("first", change)),
      pick("Who starts later games", form.starts, STARTS, follow("starts", change)),
    ),
    lessons(form, change),
  ]);
}

/** @param {MatchForm} form @param {Change} change */
function lessons({ lessons: wanted, with: opponent }, change) {
  return h(
    "fieldset",
    { class: "agree" },
    h("legend", {}, "Help"),
    lessonBoxes(wanted, (lessons) => change({ lessons })),
    opponent === "friend" &&
      h(
        "p",
        { key: "both", class: "soft" },
        "Your friend is asked too. You play with what you both choose.",
      ),
  );
}

/** @param {Lessons} wanted @param {(wanted: Lessons) => void} change */
export function lessonBoxes(wanted, change) {
  return LESSONS.map(([key, title, told]) =>
    checkbox(title, told, wanted[key], () =>
      change({ ...wanted, [key]: !wanted[key] }),
    ),
  );
}

/** @param {keyof MatchForm} key @param {Change} change */
function follow(key, change) {
  return (/** @type {Event} */ event) => change({ [key]: entryOf(event) });
}

/** @param {string} length @returns {Length | null} */
function readLength(length) {
  const [count = "best_of", number = ""] = length.split(" ");
  if (!/^[1-9]\d{0,3}$/.test(number)) return null;
  const counts = /** @type {Length["count"]} */ (count.replace("_", " "));
  return { count: counts, number: Number(number) };
}

/** What the options are set to, such as "To 500, best of 3, you start". @param {MatchForm} form */
function settings({ target, multipliers, start, length, first, lessons }) {
  const digits = plainDigits(target);
  const read = readLength(length);
  const parts = [
    digits && `to ${/^\d+$/.test(digits) ? shorten(digits) : "…"}`,
    multipliers.trim() && `×${multipliers.trim()}`,
    start.trim() && `from ${group(start.trim())}`,
    read ? writeLength(read).replace(/^a /, "") : "…",
    FIRST[first].toLowerCase(),
    !lessons.hints && "no hints",
    lessons.coach && "coach",
    lessons.mental && "mental arithmetic",
  ];
  return capital(parts.filter(Boolean).join(", "));
}

// The link, and the seat

/** @param {Model} model @param {State} state @param {Match} match */
export function waiting({ link, copied, lost }, state, match) {
  const mayShare = typeof navigator.share === "function";
  const mayCopy = navigator.clipboard !== undefined;
  const share = () =>
    navigator.share({ title: state.title, url: link }).catch(() => {});
  /** @param {string} copied */
  const tell = (copied) => {
    match.set({ copied });
    setTimeout(() => match.set({ copied: "" }), COPIED);
  };
  const copy = () =>
    navigator.clipboard.writeText(link).then(
      () => tell("Copied"),
      () => tell("Select the link instead"),
    );
  return h(
    "article",
    { key: "waiting", class: "table" },
    head(state, 0, lengthBefore(state)),
    h(
      "section",
      { class: "card invite" },
      h("h2", { tabindex: -1 }, "Send this link to a friend"),
      h("p", {}, "Anyone who opens it can play with you. The game starts by itself."),
      h("p", { class: "link" }, h("a", { href: link }, link)),
      isLoopback(link) && h("p", { key: "here", class: "notice" }, LINK_IS_LOCAL),
      h(
        "div",
        { class: "choices" },
        mayShare &&
          h("button", { type: "button", class: "primary", onclick: share }, "Share"),
        mayCopy &&
          h(
            "button",
            { type: "button", class: mayShare ? "" : "primary", onclick: copy },
            copied || "Copy the link",
          ),
      ),
      !mayCopy && h("p", { class: "soft" }, "Select the link to copy it."),
      !isLoopback(link) &&
        h("img", {
          key: "qr",
          class: "qr",
          src: `/m/${state.id}/qr.svg`,
          width: 200,
          height: 200,
          alt: "The link as a QR code",
        }),
      lost
        ? lostNotice(DISCONNECTED)
        : h("p", { key: "waits", class: "waits", role: "status" }, WAITING),
    ),
  );
}

/** @param {Model} model @param {State} state @param {Match} match */
export function invitation(model, state, match) {
  const { pending, notice } = model;
  const [host] = state.seats;
  const wanted = LESSONS.filter(([lesson]) => state.lessons[lesson]);
  /** @param {SubmitEvent} event */
  const sit = (event) => {
    event.preventDefault();
    const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
    const agreed = new Set(form.getAll("lesson"));
    /** @type {Lessons} */
    const lessons = {
      coach: agreed.has("coach"),
      hints: agreed.has("hints"),
      mental: agreed.has("mental"),
    };
    match.sit(String(form.get("name")).trim() || "Player 2", lessons);
  };
  return h(
    "article",
    { key: "invitation", class: "table" },
    head(state, 0, lengthBefore(state)),
    h(
      "form",
      { class: "card invite", onsubmit: sit },
      h("h2", { tabindex: -1 }, named(host.name), " invites you to play"),
      h(
        "p",
        {},
        `On your turn, you multiply the total by one of ${writeSet(state.rules.multipliers)}. `,
        h(
          "button",
          { type: "button", class: "action", onclick: () => match.rules() },
          "Rules",
        ),
      ),
      field("Your name", {
        name: "name",
        maxlength: 24,
        autocomplete: "nickname",
        required: true,
        value: guestName(host.name),
        oninput: () => match.set({ problem: "" }),
        problem: model.problem,
      }),
      wanted.length > 0 &&
        h(
          "fieldset",
          { class: "agree" },
          h("legend", {}, named(host.name), " asks for this. Do you agree?"),
          wanted.map(([lesson, title, told]) =>
            h(
              "label",
              { key: lesson, class: "check" },
              h("input", {
                type: "checkbox",
                name: "lesson",
                value: lesson,
                checked: true,
              }),
              h("span", {}, h("strong", {}, title), " ", h("small", {}, told)),
            ),
          ),
        ),
      model.lost && lostNotice(DISCONNECTED),
      notice && h("p", { key: "notice", class: "notice" }, notice),
      h(
        "div",
        { class: "choices" },
        h(
          "button",
          { class: "primary", "aria-disabled": pending !== null },
          "Join the game",
        ),
        h(
          "button",
          {
            type: "button",
            onclick: () => match.set({ watching: true, notice: "", problem: "" }),
          },
          "Watch",
        ),
      ),
      model.howToPlay && [h("h3", { key: "title" }, "How to play"), model.howToPlay()],
    ),
  );
}

/** How long a match will be; a single game says nothing. @param {State} state */
function lengthBefore({ length }) {
  return isSingle(length) ? "" : writeLength(length);
}

/** Both names must differ. @param {string} host */
function guestName(host) {
  const mine = storage.chosen("name", "Player 2");
  if (mine !== host) return mine;
  return host === "Player 2" ? "Player 1" : "Player 2";
}
