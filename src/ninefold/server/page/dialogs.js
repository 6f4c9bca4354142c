/**
 * Questions in a dialog: what is asked waits for an answer, and the focus returns. For a
 * product, and before a game is resigned.
 * @module
 */

import { entryOf, field as fieldFor, h, render, WHOLE } from "./dom.js";
import { group, plainDigits, shorten } from "./text.js";

/** @import { Child } from "./dom.js" */
/** @import { Ask, Question, Whole } from "./state.js" */

/** @typedef {{value: string, label: string}} Answer */

/**
 * @typedef {object} Asked
 * @property {string} title
 * @property {Child[]} body what a screen reader says at once
 * @property {Child[]} [more] what it goes to
 * @property {string} [field] the label of a field for a whole number
 * @property {Answer[]} answers the first one is what Enter means
 * @property {"move" | "game"} [about] without it there is no more to ask
 */

const HELP_ME = "I don't know";

const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("dialog"));

/** What the open question is about. @type {Asked["about"]} */
let open;

/**
 * Ask; null where the question is left without an answer.
 * @param {Asked} asked
 * @returns {Promise<{value: string, entry: string} | null>}
 */
export function ask({ title, body, more = [], field, answers, about }) {
  if (dialog.open) return Promise.resolve(null);
  return new Promise((resolve) => {
    let entry = "";
    let problem = "";
    /** @type {{value: string, entry: string} | null} */
    let given = null;
    /** @param {string} value */
    const give = (value) => {
      given = { value, entry };
      dialog.close();
    };
    const first = answers[0]?.value ?? "";
    const draw = () =>
      render(
        dialog,
        h(
          "form",
          {
            method: "dialog",
            onsubmit: (/** @type {SubmitEvent} */ event) => {
              event.preventDefault();
              if (field === undefined || /^\d+$/.test(entry)) return give(first);
              problem = "Type a whole number, such as 45.";
              draw();
              const refused = document.getElementById("entry");
              /** @type {HTMLInputElement | null} */ (refused)?.select();
            },
          },
          h("h2", { id: "dialog-title" }, title),
          h("div", { id: "dialog-text" }, body),
          more,
          field !== undefined &&
            fieldFor(field, {
              id: "entry",
              ...WHOLE,
              autofocus: true,
              oninput: (/** @type {InputEvent} */ event) => {
                entry = plainDigits(entryOf(event));
                problem = "";
                draw();
              },
              problem,
            }),
          h(
            "div",
            { class: "choices" },
            answers.map(({ value, label }, index) =>
              h(
                "button",
                index === 0
                  ? { key: value, class: "primary", autofocus: field === undefined }
                  : { key: value, type: "button", onclick: () => give(value) },
                label,
              ),
            ),
          ),
        ),
      );
    dialog.onclose = () => {
      dialog.onclose = null;
      open = undefined;
      render(dialog);
      resolve(given);
    };
    open = about;
    draw();
    dialog.showModal();
    dialog.scrollTop = 0; // what is long begins at its beginning
  });
}

/**
 * Tell something, until it is closed.
 * @param {string} title
 * @param {Child[]} body
 */
export function tell(title, body) {
  return ask({ title, body, answers: [{ value: "close", label: "Close" }] });
}

/**
 * Ask before something that cannot be undone; return whether to do it.
 * @param {string} title
 * @param {string} text
 * @param {string} no what Enter means
 * @param {string} yes
 * @param {Asked["about"]} [about]
 */
export async function confirm(title, text, no, yes, about) {
  const answers = [
    { value: "no", label: no },
    { value: "yes", label: yes },
  ];
  const given = await ask({ title, body: [h("p", {}, text)], answers, about });
  return given?.value === "yes";
}

/** Close a question that has lost its reason. @param {("move" | "game")[]} about */
export function withdraw(...about) {
  if (open && about.includes(open)) dialog.close();
}

/** Whether a question is open. */
export function isAsking() {
  return dialog.open;
}

/**
 * Ask for a product, with help in steps; null where the question is left, which asks for
 * nothing.
 * @param {Question} question
 * @param {Whole} total
 * @returns {Promise<{ask: Ask, says: string} | null>}
 */
export async function askForProduct({ title, answers, help, told, marked }, total) {
  /** @type {string[]} */
  const given = [];
  const [answer] = answers;
  for (;;) {
    const lines = [marked, `The total is ${shorten(total)}.`, ...given].filter(Boolean);
    const found = await ask({
      about: "move",
      title: group(title),
      body: lines.map((line) => h("p", {}, group(line))),
      field: "Your answer",
      answers: [
        { value: "play", label: answer?.label ?? "" },
        { value: "help", label: HELP_ME },
      ],
    });
    if (!found || !answer?.ask) return null;
    if (found.value === "play") {
      const product = { answer: found.entry, helped: given.length > 0 };
      return { ask: { ...answer.ask, ...product }, says: answer.says };
    }
    const step = help[given.length];
    if (step) given.push(step);
    else return told?.ask ? { ask: told.ask, says: told.says } : null;
  }
}

export function askToResign() {
  const text = "If you resign, the other player wins this game.";
  return confirm("Resign this game?", text, "Play on", "Resign", "game");
}

/**
 * Show the rules: plain text, in paragraphs and lists.
 * @param {string} title
 * @param {string} text
 */
export function tellRules(title, text) {
  const parts = group(text)
    .split(/\n\s*\n/)
    .flatMap((part) => {
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
