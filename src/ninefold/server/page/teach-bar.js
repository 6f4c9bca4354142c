/**
 * What stands above every screen of the teacher: the ways, the code, the round's time.
 * @module
 */

import { h } from "./dom.js";

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
const IN_PAUSE = "their table, grey, and “Look at the board.”";

/** The screens, the code for those who come late, and the round's time. @param {Teach} teach @param {TeacherView} view */
export function bar(teach, { code, is_open, round }) {
  return h(
    "header",
    { key: "bar", class: "class-bar" },
    h(
      "nav",
      { "aria-label": "Class" },
      SCREENS.map(([key, title]) =>
        h(
          "a",
          {
            key,
            href: `#${key}`,
            "aria-current": key === teach.screen ? "page" : null,
          },
          title,
        ),
      ),
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
  return h(
    "div",
    { key: "clock", class: "clock" },
    h(
      "p",
      {},
      h("small", {}, `${is_paused ? "Now pupils" : "Pupils then"} see `, IN_PAUSE),
    ),
    h(
      "button",
      {
        type: "button",
        class: is_paused ? "primary" : null,
        onclick: () => teach.pause(),
      },
      is_paused ? "Go on" : "Pause",
    ),
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

/** The code in two groups, as it is read aloud. @param {string} code */
function spaced(code) {
  return `${code.slice(0, 3)} ${code.slice(3)}`;
}
