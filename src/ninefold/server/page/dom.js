/**
 * Screens as values: `h` describes an element, `render` makes a place look so.
 * An element that stays is kept, and with it the focus, the caret and its motion.
 * @module
 */

import { announce } from "./announcements.js";
import { tryAgain } from "./api.js";

/** @typedef {Record<string, unknown>} Props */
/** @typedef {{tag: string, key: string | null, props: Props, parts: Part[]}} Description */
/** @typedef {string | Description} Part */
/** @typedef {Part | number | null | undefined | false | Child[]} Child */
/** @typedef {{part: Part, node: Element | Text}} Drawn */

const LONG_NAME = 12;
const SVG = "http://www.w3.org/2000/svg";

/** What was drawn into each element the last time. @type {WeakMap<Node, Drawn[]>} */
const drawn = new WeakMap();

/**
 * Describe an element; who keeps a description may give it again, and it costs nothing
 * then. A prop is an attribute, a listener (`onclick`), or one of
 * `key` (which child of its parent it is), `value`, `checked`, `style` (an object).
 * @param {string} tag
 * @param {Props} props
 * @param {Child[]} children
 * @returns {Description}
 */
export function h(tag, props = {}, ...children) {
  const { key = null, ...rest } = props;
  return {
    tag,
    key: key === null ? null : String(key),
    props: rest,
    parts: flat(children),
  };
}

/**
 * Write a name that a person chose: it cannot turn the text around it.
 * @param {string} name
 */
export function named(name) {
  return h("bdi", name.length > LONG_NAME ? { class: "long" } : {}, name);
}

/**
 * Hear of a pointer that hovers, which a finger does not, and of the keyboard's focus.
 * @param {() => void} point
 * @param {() => void} leave
 * @returns {Props}
 */
export function pointing(point, leave) {
  return {
    onpointerenter: (/** @type {PointerEvent} */ { pointerType }) =>
      pointerType !== "touch" && point(),
    onpointerleave: leave,
    onfocus: (/** @type {FocusEvent} */ { target }) =>
      /** @type {Element} */ (target).matches(":focus-visible") && point(),
    onblur: leave,
  };
}

/** What is to be rendered, the last one last. @type {[Element, Part[]][]} */
const waiting = [];

/**
 * Make an element hold these children. An element that goes may lose the focus, and who
 * hears of that may render again: that waits until this is done.
 * @param {Element} place
 * @param {Child[]} children
 */
export function render(place, ...children) {
  waiting.push([place, flat(children)]);
  if (waiting.length > 1) return;
  try {
    for (const [each, parts] of waiting) {
      if (!drawn.has(each)) each.replaceChildren();
      fill(each, parts);
    }
  } finally {
    waiting.length = 0;
  }
}

/** @param {Child[]} children @returns {Part[]} */
function flat(children) {
  return children.flatMap((child) => {
    if (Array.isArray(child)) return flat(child);
    if (child === null || child === undefined || child === false) return [];
    return [typeof child === "number" ? String(child) : child];
  });
}

/** @param {Element} parent @param {Part[]} parts */
function fill(parent, parts) {
  const before = drawn.get(parent) ?? [];
  const taken = new Set();
  const matches = parts.map((part) => {
    const old = before.find((each) => !taken.has(each) && alike(each.part, part));
    if (old) taken.add(old);
    return old;
  });
  for (const each of before) if (!taken.has(each)) each.node.remove();
  const after = parts.map((part, index) => {
    const old = matches[index];
    const there = parent.childNodes[index];
    const isTranslated = there instanceof HTMLFontElement && old?.part === part;
    const node = isTranslated ? there : (old?.node ?? make(part, parent));
    if (there !== node) parent.insertBefore(node, there ?? null);
    update(node, part, old?.part);
    return { part, node };
  });
  // A browser that translates puts an element in the place of each text.
  while (parent.childNodes.length > parts.length) parent.lastChild?.remove();
  drawn.set(parent, after);
}

/** @param {Part} one @param {Part} other */
function alike(one, other) {
  if (typeof one === "string" || typeof other === "string") {
    return typeof one === typeof other;
  }
  return one.tag === other.tag && one.key === other.key;
}

/** @param {Part} part @param {Element} parent */
function make(part, parent) {
  if (typeof part === "string") return document.createTextNode("");
  const drawing = part.tag === "svg" || parent.namespaceURI === SVG;
  return drawing
    ? document.createElementNS(SVG, part.tag)
    : document.createElement(part.tag);
}

/** @param {Element | Text} node @param {Part} part @param {Part} [old] */
function update(node, part, old) {
  if (node instanceof Text || typeof part === "string") {
    const had = node instanceof Text ? node.textContent : old;
    if (had !== part) node.textContent = String(part);
    return;
  }
  if (part === old) return; // a description that is kept is not drawn again
  const had = old && typeof old !== "string" ? old.props : {};
  for (const name of Object.keys(had)) {
    if (!(name in part.props)) set(node, name, null, had[name]);
  }
  fill(node, part.parts); // a select takes its value once its options are there
  for (const [name, value] of Object.entries(part.props)) {
    if (value !== had[name]) set(node, name, value, had[name]);
  }
}

/** @param {Element} node @param {string} name @param {unknown} value @param {unknown} had */
function set(node, name, value, had) {
  if (name === "style") {
    const { style } = /** @type {HTMLElement} */ (node);
    const before = /** @type {Props} */ (had ?? {});
    const after = /** @type {Props} */ (value ?? {});
    for (const key of Object.keys(before))
      if (!(key in after)) style.removeProperty(key);
    for (const [key, text] of Object.entries(after)) {
      if (text !== before[key]) style.setProperty(key, String(text));
    }
  } else if (name.startsWith("on") || name === "value" || name === "checked") {
    const target = /** @type {Record<string, unknown>} */ (
      /** @type {unknown} */ (node)
    );
    if (target[name] !== value) target[name] = value;
  } else if (value === null || value === undefined || value === false) {
    if (name.startsWith("aria-") && value === false) node.setAttribute(name, "false");
    else node.removeAttribute(name);
  } else {
    const blank = value === true && !name.startsWith("aria-");
    node.setAttribute(name, blank ? "" : String(value));
  }
}

/** Fetch a stylesheet that most pages do without. @param {string} name */
export async function addStylesheet(name) {
  const { href } = new URL(name, import.meta.url);
  if (document.querySelector(`link[href="${href}"]`)) return;
  const style = document.createElement("link");
  style.rel = "stylesheet";
  style.href = href;
  await new Promise((resolve) => {
    style.onload = style.onerror = resolve;
    document.head.append(style);
  });
}

// Parts that many pages have

/** @param {Part} label @param {() => void} onclick @param {Props} props */
export function button(label, onclick, props = {}) {
  const key = typeof label === "string" ? label : null;
  return h("button", { key, type: "button", onclick, ...props }, label);
}

/** @param {string} label @param {string} href */
export function link(label, href, kind = "button") {
  return h("a", { key: label, class: kind, href }, label);
}

/** Fold a part of a page; its line says what is set in it. @param {string} title @param {string} set @param {Child} body @param {Props} props */
export function folded(title, set, body, props = {}) {
  return h(
    "details",
    { key: title, class: "options", ...props },
    h("summary", {}, h("strong", {}, title), " ", h("span", {}, set)),
    body,
  );
}

/** A page that is one message. @param {string} title @param {string} text @param {Child[]} choices */
export function messageCard(title, text, ...choices) {
  return h(
    "section",
    { key: title, class: "card nothing" },
    h("h1", { tabindex: -1 }, title),
    h("p", {}, text),
    h("div", { class: "choices" }, choices),
  );
}

/** That the connection is lost; what waits for it can be tried at once. @param {string} text @param {Props} props */
export function lostNotice(text, props = {}) {
  return h(
    "div",
    { key: "lost", class: "notice lost wanted", ...props },
    h("p", {}, text),
    h("button", { type: "button", onclick: tryAgain }, "Try again"),
  );
}

/**
 * What could not be fetched, with a button that tries again; the focus stays on it, or
 * goes to the top of what has come.
 * @param {string} text
 * @param {() => Promise<unknown>} again
 */
export function failed(text, again) {
  /** @param {PointerEvent} event */
  const onclick = async ({ currentTarget }) => {
    const button = /** @type {HTMLElement} */ (currentTarget);
    if (button.ariaDisabled) return;
    button.ariaDisabled = "true";
    await again();
    button.ariaDisabled = null;
    if (button.isConnected) announce(text);
    else if (document.activeElement === document.body) {
      /** @type {HTMLElement | null} */ (document.querySelector("main h1"))?.focus();
    }
  };
  return h(
    "section",
    { key: "failed", class: "card nothing" },
    h("p", { role: "alert" }, text),
    h(
      "div",
      { class: "choices" },
      h("button", { type: "button", class: "primary", onclick }, "Try again"),
    ),
  );
}

// Fields of forms, each with its label

/** Attributes of a field for a whole number. */
export const WHOLE = { inputmode: "numeric", autocomplete: "off" };

/** Return the value of the field that an event is about. @param {Event} event */
export function entryOf({ target }) {
  return /** @type {HTMLInputElement} */ (target).value;
}

/** A field, and next to it what to write instead. @param {string} label @param {Props} props */
export function field(label, { problem = "", ...props }) {
  const id = `problem-${label.replace(/\W/g, "-")}`;
  const wrong = problem !== "";
  return h(
    "label",
    { key: label, class: "field" },
    h("span", {}, label),
    h("input", {
      "aria-label": label, // what is wrong with it is no part of its name
      "aria-invalid": wrong,
      "aria-describedby": wrong ? id : null,
      ...props,
    }),
    wrong && h("strong", { id, class: "problem", role: "alert" }, String(problem)),
  );
}

/** Go to the field that is refused, and unfold what it is in. @param {HTMLElement} root */
export function focusProblem(root) {
  /** @type {HTMLElement | null} */
  const wrong = root.querySelector("[aria-invalid=true]");
  const folded = wrong?.closest("details");
  if (folded) folded.open = true;
  wrong?.focus();
  wrong?.parentElement?.scrollIntoView({ block: "nearest" }); // it may have had the focus
}

/** @param {string} label @param {string} value @param {string[][]} options @param {((event: Event) => void) | null} onchange @param {Props} props */
export function pick(label, value, options, onchange, props = {}) {
  return h(
    "label",
    { key: label, class: "field" },
    h("span", {}, label),
    h(
      "select",
      { value, onchange, ...props },
      options.map(([key, text]) => h("option", { key, value: key }, text)),
    ),
  );
}

/** @param {string} title @param {string} note @param {boolean} checked @param {() => void} onchange */
export function checkbox(title, note, checked, onchange) {
  return h(
    "label",
    { key: title, class: "check" },
    h("input", { type: "checkbox", checked, onchange }),
    h("span", {}, h("strong", {}, title), " ", h("small", {}, note)),
  );
}

/**
 * Radio buttons as tiles.
 * @param {string} name of the group
 * @param {readonly (readonly [string, string, string])[]} options each a value, its title and a note
 * @param {string} chosen
 * @param {(event: Event) => void} onchange
 */
export function tiles(name, options, chosen, onchange) {
  return options.map(([value, title, note]) =>
    h(
      "label",
      { key: value },
      h("input", { type: "radio", name, value, checked: value === chosen, onchange }),
      h("strong", {}, title),
      " ",
      h("small", {}, note),
    ),
  );
}
