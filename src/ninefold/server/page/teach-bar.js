/**
 * The bar above every screen of the teacher: the screens, the code, the round's time.
 * @module
 */

import { button, h } from "./dom.js";

/** @import { RoundView, TeacherView } from "./class-messages.js" */
/** @import { Teach } from "./teach.js" */

/** @typedef {"join" | "round" | "talk" | "private"} Screen */

/** @type {[Screen, string][]} */
const SCREENS = [
  ["join", "Join"],
  ["round", "Round"],
  ["talk", "Talk"],
  ["private", "Only for you"],
];
const SECOND = 1000;

/** @param {Teach} teach @param {TeacherView} view */
export function bar(teach, { code, is_open, round }) {
  return h(
    "header",
    { key: "bar", class: "class-bar" },
    h(
      "nav",
      { class: "tabs", "aria-label": "Class" },
      SCREENS.map(([key, title]) => {
        const current = key === teach.screen ? "page" : null;
        const props = { class: "button", href: `#${key}`, "aria-current": current };
        return h("a", { key, ...props }, title);
      }),
    ),
    is_open &&
      teach.screen !== "join" &&
      h(
        "p",
        { key: "code", class: "late-code" },
        "Code ",
        h("strong", {}, spaced(code)),
      ),
    round && clock(teach, round),
  );
}

/** @param {Teach} teach @param {RoundView} round */
function clock(teach, round) {
  const { is_paused } = round;
  const label = is_paused ? "Go on" : "Pause";
  const look = { key: "pause", class: is_paused ? "primary" : null };
  return h(
    "div",
    { key: "clock", class: "clock" },
    h(
      "p",
      {},
      h(
        "small",
        {},
        `${is_paused ? "Now pupils" : "Pupils then"} see their table, grey, and “Look at the board.”`,
      ),
    ),
    button(label, () => teach.pause(), look),
    h("strong", { role: "timer", "aria-label": "Time left" }, timeLeft(teach, round)),
  );
}

/** @param {Teach} teach @param {RoundView} round */
function timeLeft({ receivedAt }, { seconds_left, is_paused }) {
  const passed = is_paused ? 0 : (performance.now() - receivedAt) / SECOND;
  const left = Math.max(Math.ceil(seconds_left - passed), 0);
  return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
}

/** @param {string} name @returns {name is Screen} */
export function isScreen(name) {
  return SCREENS.some(([key]) => key === name);
}

/** Write the code in two groups, as it is read aloud. @param {string} code */
export function spaced(code) {
  return `${code.slice(0, 3)} ${code.slice(3)}`;
}
