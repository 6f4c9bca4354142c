/**
 * The header: the page that is open, the menu, and the theme.
 * @module
 */

import * as storage from "./storage.js";

const menu = /** @type {HTMLDetailsElement} */ (document.getElementById("menu"));
const summary = /** @type {HTMLElement} */ (menu.firstElementChild);

/** Close the menu, as Esc and a click elsewhere do; the focus is not lost in it. */
function close() {
  const hadFocus = menu.contains(document.activeElement);
  menu.open = false;
  if (hadFocus) summary.focus();
}

/** Make the header work. */
export function openHeader() {
  for (const link of document.querySelectorAll("header nav a")) {
    if (link.getAttribute("href") === location.pathname) {
      link.setAttribute("aria-current", "page");
    }
  }
  addEventListener("keydown", ({ key }) => {
    if (key === "Escape" && menu.open) close();
  });
  addEventListener("click", ({ target }) => {
    if (menu.open && !menu.contains(/** @type {Node} */ (target))) close();
  });
  menu.addEventListener("focusout", ({ relatedTarget: to }) => {
    if (to instanceof Node && !menu.contains(to)) menu.open = false;
  });
  const theme = storage.chosen("theme", "system");
  /** @type {NodeListOf<HTMLInputElement>} */
  const choices = menu.querySelectorAll("input");
  for (const choice of choices) {
    choice.checked = choice.value === theme;
    choice.addEventListener("change", () => {
      storage.choose("theme", choice.value);
      showTheme(choice.value); // also where nothing can be stored
    });
  }
}
