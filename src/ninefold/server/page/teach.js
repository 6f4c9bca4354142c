/**
 * The teacher's page: joining, the round and its board, the talk, the results. A projector
 * may mirror it: nothing about one pupil shows until the teacher asks for it.
 * @module
 */

import { announce } from "./announcements.js";
import { get, newRequestId, post, problemOf, Refused } from "./api.js";
import { confirm, isAsking } from "./dialogs.js";
import { button, failed, h, link, lostNotice, messageCard, render } from "./dom.js";
import * as storage from "./storage.js";
import { Stream } from "./stream.js";
import { bar, isScreen } from "./teach-bar.js";
import { Door, knocks } from "./teach-door.js";
import { Results } from "./teach-results.js";
import { RoundForm } from "./teach-round.js";
import { Talk } from "./teach-talk.js";
import { DISCONNECTED, RECONNECTED } from "./text.js";

/** @import { BoardUpdate, PupilView, TeacherAsk, TeacherView } from "./class-messages.js" */
/** @import { Child } from "./dom.js" */
/** @import { Screen } from "./teach-bar.js" */

const SECOND = 1000;
const STEPS = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 };
const KEYS =
  "Keys: Space pauses, B blanks the screen, arrows and Page keys step, F is full screen.";

/** The page of a teacher. */
export class Teach {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    /** @type {TeacherView | null} */
    this.view = null;
    /** Why no class is open, once that is known. @type {"none" | "pupil" | null} */
    this.missing = null;
    /** @type {Screen} */
    this.screen = "join";
    this.problem = "";
    this.lost = false;
    this.isAsking = false;
    this.isBlank = false;
    this.showsNames = false;
    this.receivedAt = 0;
    this.frame = 0;
    /** Keeps the screen on. @type {WakeLockSentinel | undefined} */
    this.awake = undefined;
    this.screens = {
      join: new Door(this),
      round: new RoundForm(this),
      talk: new Talk(this),
      private: new Results(this),
    };
    this.stream = new Stream({
      ask: async () => {
        this.accept(await get("/api/class"));
        return true;
      },
      events: () => "/api/class/events",
      hears: {
        class: (/** @type {TeacherView} */ view) => this.accept(view),
        board: (/** @type {BoardUpdate} */ update) => this.updateBoard(update),
      },
      lost: (lost) => this.lose(lost),
      gone: (refused) => this.miss(refused),
    });
  }

  async open() {
    document.title = "Teach a class · ninefold";
    document.documentElement.classList.add("teaches");
    addEventListener("keydown", (event) => this.key(event));
    addEventListener("hashchange", () => this.followHash());
    document.addEventListener("visibilitychange", () => this.stayAwake());
    document.addEventListener("fullscreenchange", () => this.stayAwake());
    new ResizeObserver(() => this.draw()).observe(this.root);
    setInterval(() => this.tick(), SECOND);
    await this.begin();
  }

  /** Open the class of the link, whose end is the secret, or the one of the cookie. */
  async begin() {
    const secret = location.hash.slice(1);
    try {
      if (secret && !isScreen(secret)) {
        const body = { secret, request_id: newRequestId() };
        this.accept(await post("/api/class/teach", body, (lost) => this.lose(lost)));
        history.replaceState(null, "", location.pathname + location.search);
      } else this.accept(await get("/api/class"));
    } catch (error) {
      if (error instanceof Refused) this.miss(error);
      else this.lose(true);
    }
  }

  async start() {
    try {
      const body = { request_id: newRequestId() };
      await post("/api/class", body, (lost) => this.lose(lost));
      const made = await get("/api/class"); // by the cookie that came
      this.view = null;
      history.replaceState(null, "", "/teach");
      this.accept(made);
    } catch (error) {
      this.set({ problem: problemOf(error) });
    }
  }

  /** @param {TeacherView | PupilView} view */
  accept(view) {
    if (view.role !== "teacher") {
      this.missing = "pupil";
      this.draw();
      return;
    }
    const before = this.view;
    if (before && view.revision < before.revision) return;
    this.view = view;
    this.receivedAt = performance.now();
    if (before) sayWhoComes(before, view);
    else {
      this.missing = null;
      this.stream.start();
      this.followHash();
    }
    if (before?.round && !view.round) announce("The round is over.");
    this.screens.round.update(view);
    this.draw();
  }

  /** @param {BoardUpdate} update */
  updateBoard({ tables }) {
    if (!this.view) return;
    const changed = new Map(tables.map((each) => [each.number, each]));
    const kept = this.view.tables.map((each) => changed.get(each.number) ?? each);
    this.view = { ...this.view, tables: kept };
    this.draw();
  }

  /** @param {Refused} refused */
  miss(refused) {
    const isNew = refused.refusal.error === "no_class" && !this.view;
    this.leave(isNew ? "" : problemOf(refused));
  }

  /** Close the page of the class. @param {string} text what has happened */
  leave(text) {
    this.stream.stop();
    this.view = null;
    this.missing = "none";
    this.problem = text;
    this.focusHeading();
  }

  /** @param {boolean} lost */
  lose(lost) {
    if (lost !== this.lost) announce(lost ? DISCONNECTED : RECONNECTED);
    this.lost = lost;
    this.draw();
  }

  // Commands and keys

  /** Send a command; return whether the server accepted it. @param {TeacherAsk} asked @returns {Promise<boolean>} */
  async ask(asked) {
    if (this.isAsking) return false; // a second press means the same
    this.isAsking = true;
    this.problem = "";
    try {
      const body = { ask: asked, request_id: newRequestId() };
      this.accept(await post("/api/class/ask", body, (lost) => this.lose(lost)));
      return true;
    } catch (error) {
      this.problem = problemOf(error);
      scrollTo(0, 0); // to the notice
      return false;
    } finally {
      this.isAsking = false;
      this.draw();
    }
  }

  /**
   * Fetch something for a screen; null, and why, where that fails.
   * @template T
   * @param {string} path
   * @returns {Promise<T | null>}
   */
  async load(path) {
    try {
      return await get(path);
    } catch (error) {
      this.problem = problemOf(error);
      return null;
    } finally {
      this.draw();
    }
  }

  async endRound() {
    const text = "Unfinished games stay unfinished.";
    if (await confirm("End the round?", text, "Play on", "End the round")) {
      this.ask({ do: "end-round" });
    }
  }

  pause() {
    const { round } = this.view ?? {};
    if (round) this.ask({ do: "pause", is_on: !round.is_paused });
  }

  async fillScreen() {
    if (document.fullscreenElement) await document.exitFullscreen();
    else await document.documentElement.requestFullscreen().catch(() => {});
  }

  /** Keep the screen on while it is full, where a browser can. */
  async stayAwake() {
    if (document.visibilityState === "hidden") return;
    await this.awake?.release();
    this.awake = document.fullscreenElement
      ? await navigator.wakeLock?.request("screen").catch(() => undefined)
      : undefined;
  }

  /** Keys as slide programs have them. @param {KeyboardEvent} event */
  key(event) {
    const { key, target } = event;
    const at = /** @type {Element} */ (target);
    const isOurs = this.view && !isAsking() && storage.chosen("keys", true);
    if (!isOurs || event.ctrlKey || event.altKey || event.metaKey) return;
    if (at.closest("input:not([type=checkbox]), select, textarea")) return;
    if (this.isBlank && key === "Escape") this.set({ isBlank: false });
    else if (key.toLowerCase() === "b") this.set({ isBlank: !this.isBlank });
    else if (key.toLowerCase() === "f") this.fillScreen();
    else if (key === " " && !at.closest("button, summary, input")) this.pause();
    else if (key in STEPS && this.screen === "talk") {
      this.screens.talk.step(STEPS[/** @type {keyof typeof STEPS} */ (key)]);
    } else return;
    event.preventDefault();
  }

  /** @param {Partial<Pick<Teach, "isBlank" | "showsNames" | "problem">>} change */
  set(change) {
    Object.assign(this, change);
    this.draw();
  }

  followHash() {
    const named = location.hash.slice(1);
    const usual = this.view?.round ? "round" : "join";
    this.screen = isScreen(named) ? named : usual;
    this.problem = "";
    this.screens[this.screen].open();
    this.focusHeading();
  }

  focusHeading() {
    this.drawNow();
    /** @type {HTMLElement | null} */ (this.root.querySelector("h1"))?.focus();
  }

  // Drawing

  /** Keep the clock going between two messages. */
  tick() {
    if (this.view?.round && !this.view.round.is_paused) this.draw();
    else if (this.screen === "join") this.draw();
  }

  /** Draw before the next frame, once for all changes. */
  draw() {
    this.frame ||= requestAnimationFrame(() => this.drawNow());
  }

  drawNow() {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    const header = document.querySelector(".top");
    header?.toggleAttribute("inert", this.isBlank);
    const had = this.root.contains(document.activeElement);
    render(this.root, this.page());
    const hasLost = had && !isAsking() && document.activeElement === document.body;
    if (!hasLost && !this.isBlank) return;
    /** @type {HTMLElement | null} */ (this.root.querySelector(".blank, h1"))?.focus();
  }

  /** @returns {Child} */
  page() {
    const { view, missing, lost, screen } = this;
    if (missing) return this.entrance(missing);
    if (!view && lost) return failed(DISCONNECTED, () => this.begin());
    if (!view)
      return h("p", { key: "loading", class: "loading" }, "Opening the class …");
    if (this.isBlank) {
      const text = "The screen is blank. Press B to show the page.";
      return button(text, () => this.set({ isBlank: false }), { class: "blank" });
    }
    return h(
      "div",
      { key: "teach", class: "teach" },
      bar(this, view),
      lost && lostNotice(DISCONNECTED),
      this.notice(),
      knocks(this, view),
      h(
        "section",
        { key: screen, class: `screen ${screen}` },
        view.is_closed && screen !== "private"
          ? this.closed()
          : this.screens[screen].view(view),
      ),
      h(
        "footer",
        { key: "foot", class: "foot soft" },
        KEYS,
        button("Full screen", () => this.fillScreen(), { class: "quiet" }),
      ),
    );
  }

  notice() {
    const { problem } = this;
    return (
      problem && h("p", { key: "problem", class: "notice", role: "alert" }, problem)
    );
  }

  /** The page without a class, or on the device of a pupil. @param {"none" | "pupil"} missing */
  entrance(missing) {
    return [
      this.notice(),
      missing === "pupil"
        ? messageCard(
            "Teach a class",
            "This device has joined the class as a pupil.",
            link("To the class", "/class", "button primary"),
          )
        : messageCard(
            "Teach a class",
            "Pupils join with a code, play in pairs, and answer questions about a game. The class is removed after a day.",
            button("Start a class", () => this.start(), { class: "primary" }),
          ),
    ];
  }

  closed() {
    const isAlone = this.view?.keeps_bands; // another one is another run of the program
    const next = isAlone ? " For another class, run the program again." : "";
    return messageCard(
      "The class is over",
      `Its results stay for you until tomorrow.${next}`,
      link("Results", "#private", "button primary"),
      !isAlone && button("Start another class", () => this.start()),
    );
  }
}

/** @param {TeacherView} before @param {TeacherView} after */
function sayWhoComes({ pupils: known }, { pupils }) {
  const before = new Map(known.map((each) => [each.number, each]));
  for (const { number, name, knocks } of pupils) {
    if (knocks && !before.get(number)?.knocks) announce(`${name} asks to come in.`);
    else if (!knocks && !before.has(number)) announce(`${name} has joined.`);
  }
}
