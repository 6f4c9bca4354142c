/**
 * Questions in a dialog: what is asked waits for an answer, and the focus returns.
 * @module
 */

import { h, render } from "./dom.js";

/** @typedef {import("./dom.js").Child} Child */
/** @typedef {{value: string, label: string}} Answer */

/**
 * @typedef {object} Asked
 * @property {string} title
 * @property {Child[]} body
 * @property {string} [field] the label of a field for a whole number
 * @property {Answer[]} answers the first one is what Enter means
 * @property {"move" | "game"} [about] without it there is no more to ask
 */

const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("dialog"));

/** What the open question is about. @type {Asked["about"]} */
let open;

/**
 * Ask; null where the question is left without an answer.
 * @param {Asked} asked
 * @returns {Promise<{value: string, entry: string} | null>}
 */
export function ask({ title, body, field, answers, about }) {
  if (dialog.open) return Promise.resolve(null);
  return new Promise((resolve) => {
    let entry = "";
    /** @type {{value: string, entry: string} | null} */
    let given = null;
    /** @param {string} value */
    const give = (value) => {
      given = { value, entry };
      dialog.close();
    };
    const first = answers[0]?.value ?? "";
    render(
      dialog,
      h(
        "form",
        {
          method: "dialog",
          onsubmit: (/** @type {SubmitEvent} */ event) => {
            event.preventDefault();
            if (field === undefined || /^\d+$/.test(entry)) give(first);
          },
        },
        h("h2", { id: "dialog-title" }, title),
        body,
        field !== undefined &&
          h(
            "label",
            { class: "field" },
            h("span", {}, field),
            h("input", {
              id: "entry",
              inputmode: "numeric",
              autocomplete: "off",
              pattern: "[0-9,]+",
              required: true,
              autofocus: true,
              value: "",
              oninput: (/** @type {InputEvent} */ event) => {
                entry = /** @type {HTMLInputElement} */ (event.target).value.replace(
                  /[\s,]/g,
                  "",
                );
              },
            }),
          ),
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
    dialog.showModal();
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

/** Close a question that has lost its reason. @param {("move" | "game")[]} about */
export function withdraw(...about) {
  if (open && about.includes(open)) dialog.close();
}

/** Whether a question is open. */
export function isAsking() {
  return dialog.open;
}
