/**
 * Who joins on a device: names to tap or to type, one or two.
 * @module
 */

import { field, h, named } from "./dom.js";
import { icon } from "./icons.js";

/** @import { Props } from "./dom.js" */
/** @import { Joining } from "./pupil-join.js" */

const LABELS = ["First name", "Your partner's first name"];

/** @param {Parameters<typeof icon>[0]} picture @param {string} text */
export function title(picture, text) {
  return h("h1", { key: "title", tabindex: -1 }, icon(picture), text);
}

/** @param {string} problem */
export function problemOfStep(problem) {
  const props = { key: "problem", id: "problem", class: "problem", role: "alert" };
  return problem && h("p", props, problem);
}

/** @param {() => unknown} act */
export function submit(act) {
  return (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    act();
  };
}

/** The names that the teacher has written down. @param {Joining} joining */
export function tapView(joining) {
  const { isTwo, names, roster, problem } = joining;
  const wanted = isTwo && names[0] ? "Tap the other name" : "Tap your name";
  const type = { key: "other", onclick: () => joining.goTo("type") };
  return [
    title(isTwo ? "two" : "one", wanted),
    problemOfStep(problem),
    h(
      "ul",
      { class: "names" },
      roster?.map((line) => {
        const pressed = isTwo ? names[0] === line[0] : null;
        const onclick = () => joining.tap(line);
        return h(
          "li",
          { key: line.join() },
          h(
            "button",
            { type: "button", "aria-pressed": pressed, onclick },
            line.map((name, index) => [index > 0 && " & ", named(name)]),
          ),
        );
      }),
    ),
    h(
      "div",
      { class: "ways" },
      twoButton(joining),
      h("button", { type: "button", ...type }, icon("question"), "My name is not here"),
    ),
  ];
}

/** @param {Joining} joining */
export function typeView(joining) {
  const { isTwo, names, roster, problem } = joining;
  const wrong = isTwo && names[0]?.trim() && !names[1]?.trim() ? 1 : 0;
  const tap = { key: "names", onclick: () => joining.goTo("tap") };
  return h(
    "form",
    { key: "type", onsubmit: submit(() => joining.join()) },
    title(isTwo ? "two" : "one", isTwo ? "Type your names" : "Type your first name"),
    LABELS.slice(0, isTwo ? 2 : 1).map((label, index) =>
      field(label, {
        value: names[index],
        problem: index === wrong ? problem : "",
        autocomplete: "off",
        autocapitalize: "words",
        spellcheck: "false",
        enterkeyhint: "go",
        oninput: (/** @type {InputEvent} */ { target }) =>
          joining.type(index, /** @type {HTMLInputElement} */ (target).value),
      }),
    ),
    isTwo ? ways(joining) : press(joining, "go", "Join"),
    h(
      "div",
      { key: "ways", class: "ways" },
      twoButton(joining),
      roster?.length &&
        h("button", { type: "button", ...tap }, icon("one"), "Show the names"),
    ),
  );
}

/** Two have tapped their names. @param {Joining} joining */
export function howView(joining) {
  const [one = "", two = ""] = joining.names;
  const onclick = () => joining.goTo("tap");
  return h(
    "form",
    { key: "how", onsubmit: submit(() => joining.join()) },
    title("two", "How do you play?"),
    h("p", { class: "who" }, named(one), " & ", named(two)),
    problemOfStep(joining.problem),
    ways(joining),
    h("button", { key: "back", type: "button", class: "wide", onclick }, "Back"),
  );
}

/** Somebody is here by this name. @param {Joining} joining */
export function takenView(joining) {
  const another = { key: "another", onclick: () => joining.goTo("type") };
  return h(
    "form",
    { key: "taken", onsubmit: submit(() => joining.join(true)) },
    title("question", "Is it you?"),
    h("p", { role: "alert" }, joining.problem),
    press(joining, "tick", "It is me"),
    h(
      "button",
      { type: "button", class: "wide", ...another },
      icon("one"),
      "Choose another name",
    ),
  );
}

/** @param {Joining} joining */
function twoButton(joining) {
  const { isTwo } = joining;
  return h(
    "button",
    { key: "two", type: "button", onclick: () => joining.be(!isTwo) },
    icon(isTwo ? "one" : "two"),
    isTwo ? "I am alone" : "We are two",
  );
}

/** Two who share a device play as one, or each other. @param {Joining} joining */
function ways(joining) {
  /** @param {boolean} isDuel */
  const choose = (isDuel) => ({
    onclick: () => {
      joining.isDuel = isDuel;
    },
  });
  return [
    press(joining, "two", "We play as one", choose(false)),
    press(joining, "versus", "We play each other", choose(true)),
  ];
}

/** @param {Joining} joining @param {Parameters<typeof icon>[0]} picture @param {string} label @param {Props} props */
function press({ isSending }, picture, label, props = {}) {
  return h(
    "button",
    { key: label, class: "primary wide", "aria-disabled": isSending, ...props },
    icon(picture),
    label,
  );
}
