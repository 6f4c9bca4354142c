/**
 * Fields of forms, each with its label.
 * @module
 */

import { h } from "./dom.js";

/** @param {string} label @param {import("./dom.js").Props} props */
export function field(label, props) {
  return h(
    "label",
    { key: label, class: "field" },
    h("span", {}, label),
    h("input", props),
  );
}

/** @param {string} label @param {string} value @param {string[][]} options @param {(event: Event) => void} onchange */
export function pick(label, value, options, onchange) {
  return h(
    "label",
    { key: label, class: "field" },
    h("span", {}, label),
    h(
      "select",
      { value, onchange },
      options.map(([key, text]) => h("option", { key, value: key }, text)),
    ),
  );
}
