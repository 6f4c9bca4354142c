/**
 * A device joins a class: the code, then one name or two.
 * @module
 */

import { newRequestId, post, problemOf, Refused } from "./api.js";
import { h, lostNotice } from "./dom.js";
import { icon } from "./icons.js";
import {
  howView,
  problemOfStep,
  submit,
  takenView,
  tapView,
  title,
  typeView,
} from "./pupil-names.js";

/** @import { Child } from "./dom.js" */
/** @import { Entrance, PupilView } from "./class-messages.js" */

/** @typedef {"code" | "tap" | "type" | "how" | "taken"} Step */

const DIGITS = 6;
const GROUP = 3;

/** From the code to the class. */
export class Joining {
  /** @param {{draw: () => void, joined: (view: PupilView) => void}} page */
  constructor({ draw, joined }) {
    this.draw = draw;
    this.joined = joined;
    /** @type {Step} */
    this.step = "code";
    this.code = location.hash.replace(/\D/g, "").slice(0, DIGITS);
    this.isOver = false; // whether the next digit begins a new code
    /** What can be tapped. @type {string[][] | null} */
    this.roster = null;
    /** @type {string[]} */
    this.names = ["", ""];
    this.isTwo = false;
    this.isDuel = false;
    this.problem = "";
    this.isSending = false;
    this.lost = false;
  }

  /** Enter the code of the address, if it has one. */
  async start() {
    if (this.code.length === DIGITS) await this.enter();
    else this.goTo("code");
  }

  // What is sent

  async enter() {
    if (this.code.length < DIGITS) {
      this.refuse("The code has six digits.");
      return;
    }
    /** @type {Entrance | null} */
    const entrance = await this.send("/api/class/code", { code: this.code });
    if (!entrance) {
      this.isOver = true;
      return;
    }
    history.replaceState(null, "", `#${this.code}`); // a reload does not ask again
    this.roster = entrance.names;
    this.goTo(this.roster?.length ? "tap" : "type");
  }

  /** Join by the names that were given. @param {boolean} isBack */
  async join(isBack = false) {
    const given = this.names.slice(0, this.isTwo ? 2 : 1).map((name) => name.trim());
    const missing = given.indexOf("");
    if (missing >= 0) {
      this.refuse(missing ? "Type both names." : "Type your first name.");
      return;
    }
    /** @type {PupilView | null} */
    const view = await this.send("/api/class/join", {
      code: this.code,
      names: given,
      is_duel: this.isTwo && this.isDuel,
      is_back: isBack,
      request_id: newRequestId(),
    });
    if (view) this.joined(view);
  }

  /**
   * @template T
   * @param {string} path
   * @param {object} body
   * @returns {Promise<T | null>}
   */
  async send(path, body) {
    if (this.isSending) return null;
    this.isSending = true;
    this.problem = "";
    this.draw();
    try {
      return await post(path, body, (lost) => {
        this.lost = lost;
        this.draw();
      });
    } catch (error) {
      const why = error instanceof Refused ? error.refusal.error : "";
      this.problem = problemOf(error);
      if (why === "name_in_use") this.goTo("taken", this.problem);
      else if (why === "wrong_code") this.goTo("code", this.problem);
      return null;
    } finally {
      this.isSending = false;
      this.refuse(this.problem);
    }
  }

  /** @param {string} problem */
  refuse(problem) {
    this.problem = problem;
    this.draw();
    /** @type {HTMLElement | null} */ (
      document.querySelector("main [aria-invalid=true]")
    )?.focus();
  }

  /** @param {Step} step */
  goTo(step, problem = "") {
    this.step = step;
    this.problem = problem;
    this.draw();
    /** @type {HTMLElement | null} */ (
      document.querySelector("main .join input") ??
        document.querySelector("main .join h1")
    )?.focus();
  }

  // What is chosen

  /** @param {string[]} line a name, or two who share a device */
  tap(line) {
    const [first = "", second = ""] = line;
    if (second) {
      this.isTwo = true;
      this.names = [first, second];
    } else if (!this.isTwo) {
      this.names = [first, ""];
      this.join();
      return;
    } else if (!this.names[0] || this.names[0] === first) {
      this.names = [this.names[0] ? "" : first, ""];
      this.draw();
      return;
    } else this.names[1] = first;
    this.goTo("how");
  }

  /** Type a name. @param {number} index @param {string} name */
  type(index, name) {
    this.names[index] = name;
    this.problem = "";
    this.draw();
  }

  /** @param {boolean} isTwo whether two share this device */
  be(isTwo) {
    this.isTwo = isTwo;
    this.names[1] = "";
    this.goTo(this.step);
  }

  // What is shown

  /** @param {string} refused why the name before is not wanted @returns {Child} */
  view(refused) {
    const views = {
      code: () => this.codeView(),
      tap: () => tapView(this),
      type: () => typeView(this),
      how: () => howView(this),
      taken: () => takenView(this),
    };
    return h(
      "section",
      { key: `join ${this.step}`, class: `join ${this.step}` },
      this.lost && lostNotice("Connection lost."),
      refused &&
        h(
          "p",
          { key: "refused", class: "refused", role: "alert" },
          icon("one"),
          refused,
        ),
      views[this.step](),
    );
  }

  codeView() {
    const shown = [this.code.slice(0, GROUP), this.code.slice(GROUP)];
    return h(
      "form",
      { key: "code", onsubmit: submit(() => this.enter()) },
      title("keypad", "Type the code"),
      h("input", {
        class: "code",
        "aria-label": "Code, six digits",
        "aria-invalid": this.problem !== "",
        "aria-describedby": "problem",
        inputmode: "none", // the page has a number pad
        autocomplete: "off",
        placeholder: "000 000",
        value: shown.filter(Boolean).join(" "),
        oninput: (/** @type {InputEvent} */ { target }) => {
          this.write(/** @type {HTMLInputElement} */ (target).value);
        },
      }),
      problemOfStep(this.problem),
      h(
        "div",
        { class: "pad", role: "group", "aria-label": "Number pad" },
        [..."123456789"].map((digit) => this.digit(digit)),
        h(
          "button",
          {
            key: "delete",
            type: "button",
            "aria-label": "Delete",
            onclick: () => this.write(this.code.slice(0, -1)),
          },
          icon("delete"),
        ),
        this.digit("0"),
        h(
          "button",
          {
            key: "go",
            class: "primary",
            "aria-label": "Go on",
            "aria-disabled": this.isSending,
          },
          icon("go"),
        ),
      ),
    );
  }

  /** @param {string} digit */
  digit(digit) {
    const onclick = () => this.write((this.isOver ? "" : this.code) + digit);
    return h("button", { key: digit, type: "button", onclick }, digit);
  }

  /** Take what was typed; six digits are a code. @param {string} text */
  write(text) {
    const digits = text.replace(/\D/g, "");
    const isNew = this.isOver && digits.length > DIGITS;
    this.code = isNew ? digits.slice(DIGITS) : digits.slice(0, DIGITS);
    this.isOver = false;
    this.problem = "";
    this.draw();
    if (this.code.length === DIGITS) this.enter();
  }
}
