/**
 * Opens the page that the address names.
 *
 * first-paint     the theme and the width, before anything is drawn
 * start           loads all of this, and says so where a part fails
 * menu            the header: links, menu, theme
 * home            the first page: the matches being played, and a new one
 * new-match       the form for a new match, its link for a friend, the invitation
 * match           one match: what is known of it, and what can be done
 * table           a match as a screen: players, total, notices, end of a game
 * requests        what the table tells, and what must be answered
 * multiplier-keys the keys of the table, or a field where they are many
 * number-line     every move a hop; used by the pages too
 * dialogs         questions for a product, resigning, the rules
 * review          looking back at a game
 * explore         who wins any game, and why
 * walk            what is asked and played one after another; used by the next three
 * puzzles         positions with exactly one winning move, one for each day
 * practice        practice that fits a learner, and what they know
 * learner         their progress on another device, or lost
 * learn           the path to the lost bands, step by step; claims
 * past-matches    the matches of this browser, and how they ended
 * pupil           a class, on the device of a pupil; uses the next five
 * pupil-join      from the code to the class
 * pupil-names     names to tap or to type
 * pupil-screens   what a pupil sees beside the table
 * pupil-question  a question to the class
 * icons           pictures beside sentences
 * how-to-play     a game in three pictures
 * state           the messages of the server, and what a page knows of its match
 * teach           the page of a class's teacher, and the way from screen to screen
 * teach-bar       what stands above every screen of the teacher
 * teach-door      how pupils come in: address, code, names
 * teach-round     the form of a round
 * teach-board     the tables of a round, for a projector
 * teach-talk      a game step by step, and questions about it
 * teach-question  a question to the class, and its answer
 * teach-results   what concerns one pupil, and the end of a class
 * class-messages  the messages of a class
 * announcements   what a screen reader says
 * api             requests to the server
 * stream          events from the server
 * storage         what this browser remembers
 * text            numbers, sets and lengths in words
 * dom             draws elements and fields
 * @module
 */

import { announce } from "./announcements.js";
import { ask, isAsking } from "./dialogs.js";
import { addStylesheet, h, render } from "./dom.js";
import { Home } from "./home.js";
import { Match } from "./match.js";
import { openHeader } from "./menu.js";
import * as storage from "./storage.js";
import { followMatch } from "./stream.js";
import { nothing } from "./table.js";

const KEYS = [
  ["2 to 9", "play that multiplier"],
  ["Digits, Enter", "choose a longer multiplier, and play it"],
  ["Tab, Shift Tab", "next or previous control"],
  ["Enter, Space", "press it"],
  ["← →", "step through a review, or along the line in Explore"],
  ["Esc", "close a question without answering"],
  ["?", "show this page"],
];

/** @param {HTMLElement} root */
async function open(root) {
  const path = location.pathname.replace(/\/+$/, "") || "/";
  const id = /^\/m\/([\w-]+)[^\w/-]*$/.exec(decoded(path))?.[1];
  if (id) {
    history.replaceState(history.state, "", `/m/${id}${location.hash}`);
    return new Match(root, id, followMatch).open();
  }
  if (path !== "/") await addStylesheet("pages.css");
  if (path.startsWith("/puzzles/")) return openDay(root, path);
  switch (path) {
    case "/":
      return new Home(root).open();
    case "/class":
      return new (await import("./pupil.js")).Pupil(root).open();
    case "/teach":
      await addStylesheet("class.css");
      return new (await import("./teach.js")).Teach(root).open();
    case "/explore":
      return new (await import("./explore.js")).Explore(root).open();
    case "/puzzles":
      return new (await import("./puzzles.js")).Puzzles(root).open();
    case "/practise":
    case "/progress":
    case "/learn":
      return (await import("./practice.js")).openLearning(root);
    case "/look-back":
      return (await import("./past-matches.js")).lookBack(root);
  }
  return showNothing(root, "There is no page at this address.");
}

/** Open the puzzle of today, or of a day such as 2026-11-18. @param {HTMLElement} root @param {string} path */
async function openDay(root, path) {
  const today = new Date().toLocaleDateString("sv"); // as 2026-11-18
  const given = decoded(path).replace(/(?<=^\/puzzles\/)today\b/, today);
  const day = /^\/puzzles\/([12]\d{3}-\d\d-\d\d)[^\w/-]*$/.exec(given)?.[1];
  const date = new Date(day ?? "");
  // A browser takes 30 February for 2 March.
  if (!day || Number.isNaN(+date) || !date.toISOString().startsWith(day)) {
    return showNothing(
      root,
      "The address of a puzzle ends with its date, such as 2026-11-18.",
    );
  }
  history.replaceState(history.state, "", `/puzzles/${day}`);
  return new (await import("./puzzles.js")).Puzzles(root, day).open();
}

/** A link from a sentence may end with its full stop, or stranger. @param {string} path */
function decoded(path) {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** @param {HTMLElement} root @param {string} why */
function showNothing(root, why) {
  document.title = "No such page · ninefold";
  render(root, nothing("No such page", why));
}

async function showHelp() {
  const rows = KEYS.map(([key, text]) =>
    h("div", { key }, h("dt", {}, key), h("dd", {}, text)),
  );
  const pictures = await import("./how-to-play.js").catch(() => null);
  const on = storage.chosen("keys", true);
  const off = "Single-key shortcuts are off. Tab, Enter and the arrows still work.";
  const given = await ask({
    title: "How to play",
    body: [
      pictures?.howToPlay() ??
        h(
          "p",
          { class: "notice" },
          "The pictures did not load. Check your connection, and open this again.",
        ),
    ],
    more: [
      h("h3", {}, "Keyboard"),
      on ? h("dl", { class: "keyboard" }, rows) : h("p", {}, off),
    ],
    answers: [
      { value: "close", label: "Close" },
      {
        value: "switch",
        label: `Turn single-key shortcuts ${on ? "off" : "on"}`,
      },
    ],
  });
  if (given?.value !== "switch") return;
  storage.choose("keys", !on);
  announce(`Single-key shortcuts are ${on ? "off" : "on"}.`);
}

document.getElementById("keys-help")?.addEventListener("click", showHelp);
addEventListener("keydown", ({ key, target }) => {
  const typing = target instanceof HTMLInputElement;
  if (key === "?" && !isAsking() && !typing && storage.chosen("keys", true)) showHelp();
});
openHeader();
const main = document.getElementById("main");
export const opened = main && open(main);
