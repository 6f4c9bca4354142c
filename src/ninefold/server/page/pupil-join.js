/**
 * A device joins a class: the code, then one name or two.
 * @module
 */

import { newRequestId, post, problemOf, Refused } from "./api.js";
import { field, h, lostNotice, named } from "./dom.js";
import { icon } from "./icons.js";

/** @import { Child } from "./dom.js" */
/** @import { Entrance, PupilView } from "./class-messages.js" */

/** @typedef {"code" | "tap" | "type" | "how" | "taken"} Step */

const DIGITS = 6;
const GROUP = 3;
const LABELS = ["First name", "Your partner's first name"];

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

  // What is shown

  /** @param {string} refused why the name before is not wanted @returns {Child} */
  view(refused) {
    const views = {
      code: () => this.codeView(),
      tap: () => this.tapView(),
      type: () => this.typeView(),
      how: () => this.howView(),
      taken: () => this.takenView(),
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
      { key: "code", onsubmit: this.submit(() => this.enter()) },
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

  tapView() {
    const wanted = this.isTwo && this.names[0] ? "Tap the other name" : "Tap your name";
    return [
      title(this.isTwo ? "two" : "one", this.isTwo ? wanted : "Tap your name"),
      problemOfStep(this.problem),
      h(
        "ul",
        { class: "names" },
        this.roster?.map((line) =>
          h(
            "li",
            { key: line.join() },
            h(
              "button",
              {
                type: "button",
                "aria-pressed": this.isTwo ? this.names[0] === line[0] : null,
                onclick: () => this.tap(line),
              },
              line.map((name, index) => [index > 0 && " & ", named(name)]),
            ),
          ),
        ),
      ),
      h(
        "div",
        { class: "ways" },
        this.twoButton(),
        h(
          "button",
          { key: "other", type: "button", onclick: () => this.goTo("type") },
          icon("question"),
          "My name is not here",
        ),
      ),
    ];
  }

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

  typeView() {
    const asked = this.isTwo ? LABELS : LABELS.slice(0, 1);
    const wrong = this.names[0]?.trim() && !this.names[1]?.trim() && this.isTwo ? 1 : 0;
    return h(
      "form",
      { key: "type", onsubmit: this.submit(() => this.join()) },
      title(
        this.isTwo ? "two" : "one",
        this.isTwo ? "Type your names" : "Type your first name",
      ),
      asked.map((label, index) =>
        field(label, {
          value: this.names[index],
          problem: index === wrong ? this.problem : "",
          autocomplete: "off",
          autocapitalize: "words",
          spellcheck: "false",
          enterkeyhint: "go",
          oninput: (/** @type {InputEvent} */ { target }) => {
            this.names[index] = /** @type {HTMLInputElement} */ (target).value;
            this.problem = "";
            this.draw();
          },
        }),
      ),
      this.isTwo ? this.ways() : this.joinButton("Join"),
      h(
        "div",
        { key: "ways", class: "ways" },
        this.twoButton(),
        this.roster?.length &&
          h(
            "button",
            { key: "names", type: "button", onclick: () => this.goTo("tap") },
            icon("one"),
            "Show the names",
          ),
      ),
    );
  }

  /** @param {string} label */
  joinButton(label) {
    return h(
      "button",
      { key: "join", class: "primary wide", "aria-disabled": this.isSending },
      icon("go"),
      label,
    );
  }

  twoButton() {
    const onclick = () => {
      this.isTwo = !this.isTwo;
      this.names[1] = "";
      this.problem = "";
      this.goTo(this.step);
    };
    return h(
      "button",
      { key: "two", type: "button", onclick },
      icon(this.isTwo ? "one" : "two"),
      this.isTwo ? "I am alone" : "We are two",
    );
  }

  howView() {
    return h(
      "form",
      { key: "how", onsubmit: this.submit(() => this.join()) },
      title("two", "How do you play?"),
      h(
        "p",
        { class: "who" },
        named(this.names[0] ?? ""),
        " & ",
        named(this.names[1] ?? ""),
      ),
      problemOfStep(this.problem),
      this.ways(),
      h(
        "div",
        { class: "ways" },
        h(
          "button",
          { type: "button", onclick: () => this.goTo(this.roster ? "tap" : "type") },
          "Back",
        ),
      ),
    );
  }

  /** Two who share a device play as one, or each other. */
  ways() {
    const disabled = { "aria-disabled": this.isSending };
    return [
      h(
        "button",
        {
          key: "as one",
          class: "primary wide",
          ...disabled,
          onclick: () => {
            this.isDuel = false;
          },
        },
        icon("two"),
        "We play as one",
      ),
      h(
        "button",
        {
          key: "duel",
          class: "primary wide",
          ...disabled,
          onclick: () => {
            this.isDuel = true;
          },
        },
        icon("versus"),
        "We play each other",
      ),
    ];
  }

  takenView() {
    return h(
      "form",
      { key: "taken", onsubmit: this.submit(() => this.join(true)) },
      title("question", "Is it you?"),
      h("p", { role: "alert" }, this.problem),
      this.joinButton("It is me"),
      h(
        "button",
        {
          key: "another",
          type: "button",
          class: "wide",
          onclick: () => this.goTo("type"),
        },
        icon("another"),
        "Choose another name",
      ),
    );
  }

  /** @param {() => unknown} act */
  submit(act) {
    return (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      act();
    };
  }
}

/** @param {Parameters<typeof icon>[0]} picture @param {string} text */
function title(picture, text) {
  return h("h1", { key: "title", tabindex: -1 }, icon(picture), text);
}

/** @param {string} problem */
function problemOfStep(problem) {
  return (
    problem &&
    h("p", { key: "problem", id: "problem", class: "problem", role: "alert" }, problem)
  );
}
