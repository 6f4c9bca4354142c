/**
 * Loads the page. Where a part of it does not load, or fails as it starts, the card that
 * the HTML holds says so.
 * @module
 */

const MISSING = "Part of the page did not load. Check your connection and try again.";
const card = /** @type {HTMLElement} */ (document.getElementById("loading"));
const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const [title, text] = card.children;

/** A stylesheet that did not come has no rules, or none that may be read. */
async function checkStylesheets() {
  if (document.readyState !== "complete") {
    await new Promise((resolve) => addEventListener("load", resolve));
  }
  const links = document.querySelectorAll("link[rel=stylesheet][href^='/page/']");
  for (const link of /** @type {NodeListOf<HTMLLinkElement>} */ (links)) {
    if (!link.sheet?.cssRules.length) throw new Error(`${link.href} did not load`);
  }
}

function sayItFailed() {
  if (title) title.textContent = "The page did not load";
  if (text) text.textContent = MISSING;
  text?.setAttribute("role", "alert");
  card.classList.remove("late");
  const place = main.cloneNode();
  place.appendChild(card);
  main.replaceWith(place); // what has begun goes on drawing where nobody sees it
}

card.addEventListener("submit", (event) => {
  event.preventDefault();
  location.reload(); // unlike the form, it keeps the whole address
});
try {
  const { opened } = await import("./main.js");
  await Promise.all([opened, checkStylesheets()]);
} catch (error) {
  console.error(error);
  sayItFailed();
}

export {};
