/**
 * A pupil in a class: who plays on this device, and what happens now. It writes nothing
 * on the device, which the next pupil uses.
 * @module
 */

import { announce } from "./announcements.js";
import { get, newRequestId, post, problemOf, Refused } from "./api.js";
import { ask, withdraw } from "./dialogs.js";
import { addStylesheet, h, lostNotice, named, render } from "./dom.js";
import { icon } from "./icons.js";
import { Match } from "./match.js";
import { Joining } from "./pupil-join.js";
import { questionView } from "./pupil-question.js";
import {
  elsewhereView,
  LOOK,
  lookAtBoard,
  stripView,
  teachersView,
  waitingView,
} from "./pupil-screens.js";
import { titleOf } from "./state.js";
import { Stream } from "./stream.js";
import { DISCONNECTED, RECONNECTED } from "./text.js";

/** @import { Child } from "./dom.js" */
/** @import { PupilAsk, PupilStatus, PupilView, TeacherView } from "./class-messages.js" */
/** @import { Feed, MatchListener } from "./stream.js" */
/** @import { Message, Presence } from "./state.js" */

/** The pupils who are in the class, or before its door. @type {PupilStatus[]} */
const IN = ["knocks", "waits", "plays"];
const SECOND = 1000;

/** The page of one device. */
export class Pupil {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.strip = document.createElement("p");
    this.strip.className = "strip";
    this.screen = document.createElement("div");
    this.screen.className = "screen";
    this.table = document.createElement("div");
    this.foot = document.createElement("div");
    /** @type {PupilView | null} */
    this.view = null;
    /** @type {Joining | null} */
    this.joining = null;
    /** The own table. @type {Match | null} */
    this.match = null;
    /** @type {MatchListener | null} */
    this.player = null;
    this.isTeachers = false;
    this.isFollowed = false;
    this.isElsewhere = false; // whether another window of this browser has the class
    this.lost = false;
    this.endsAt = 0; // of the round, on the clock of the page
    this.width = 0;
    /** The answer that is being sent. @type {string | null} */
    this.sending = null;
    this.problem = "";
    this.place = ""; // the table or question shown last: another begins at its top
    this.stream = new Stream({
      ask: async () => {
        this.accept(await get("/api/class"));
        return true;
      },
      events: () => "/api/class/events",
      hears: {
        class: (/** @type {PupilView} */ view) => this.accept(view),
        table: (/** @type {Message} */ message) => this.told(message),
        presence: (/** @type {Presence} */ presence) => this.player?.present(presence),
        replaced: () => this.rest(),
      },
      lost: (lost) => this.lose(lost),
      gone: () => this.leave(),
    });
  }

  async open() {
    await addStylesheet("pupil.css");
    document.querySelector(".brand")?.removeAttribute("href");
    document.querySelector(".brand")?.after(this.strip);
    this.root.replaceChildren(this.screen, this.table, this.foot);
    new ResizeObserver(([size]) => {
      this.width = Math.floor(size?.contentRect.width ?? 0);
      this.draw();
    }).observe(this.root);
    setInterval(() => this.drawStrip(), SECOND);
    if (await this.stream.ask()) this.follow();
  }

  /** Follow the class, from when there is one. */
  follow() {
    if (this.isFollowed) this.stream.restart();
    else this.stream.start();
    this.isFollowed = true;
  }

  // What the server says

  /** @param {PupilView | TeacherView} view */
  accept(view) {
    this.isTeachers = view.role === "teacher";
    this.isElsewhere = false;
    if (view.role === "teacher") {
      this.joining = null;
      this.draw();
      return;
    }
    const before = this.view;
    if (before && view.revision < before.revision) return;
    this.view = view;
    this.endsAt = performance.now() + (view.round?.seconds_left ?? 0) * SECOND;
    const { status } = view;
    if (IN.includes(status)) this.joining = null;
    else if (status === "sent-back" && !this.joining) this.join();
    this.sitAt(view.table?.match ?? null);
    this.match?.set({ mayLook: view.bands_are_open });
    const isPaused = Boolean(view.round?.is_paused);
    if (isPaused) withdraw("move", "game");
    const state = this.showsTable && this.match?.model.state;
    document.title = state ? titleOf(state) : "Class · ninefold";
    this.draw();
    this.say(before, view);
  }

  /** Announce changes, but for those of the table, which its match announces. @param {PupilView | null} before @param {PupilView} view */
  say(before, { status, text, poll, round }) {
    const paused = Boolean(round?.is_paused);
    if (poll && poll.text !== before?.poll?.text) announce(poll.text);
    if (poll && poll.position.text !== before?.poll?.position.text) {
      announce(poll.position.text);
    }
    if (poll?.truth && !before?.poll?.truth) announce(poll.truth.text);
    if (paused !== Boolean(before?.round?.is_paused)) {
      announce(paused ? LOOK : "Play on.");
    }
    if (!poll && status !== "plays" && text !== before?.text) announce(text);
  }

  /** @param {Message} message of a table */
  told(message) {
    if (message.state.id === this.match?.id) this.player?.told(message);
  }

  /** @param {boolean} lost */
  lose(lost) {
    this.player?.lost(lost);
    if (lost === this.lost) return;
    this.lost = lost;
    if (!this.showsTable) announce(lost ? DISCONNECTED : RECONNECTED);
    this.draw();
  }

  /** Another window of this browser goes on. */
  rest() {
    this.stream.stop();
    this.isElsewhere = true;
    this.sitAt(null);
    this.draw();
    this.focusHeading();
  }

  /** Sit down at the table of a match, or at none. @param {string | null} id */
  sitAt(id) {
    if (id === (this.match?.id ?? null)) return;
    this.match?.close();
    this.player = null;
    this.match = id === null ? null : new Match(this.table, id, this.feed.bind(this));
    this.match?.set({ inClass: true });
    this.match?.open();
  }

  /** The stream of the class is that of its tables, too. @param {string} _id @param {MatchListener} player @returns {Feed} */
  feed(_id, player) {
    this.player = player;
    const restart = () => this.stream.restart();
    return {
      restart,
      start: () => {
        if (!this.match?.model.state) restart();
      },
    };
  }

  // What this device does

  /** Ask for the code, and for a name. */
  join() {
    this.joining = new Joining({
      draw: () => this.draw(),
      joined: (view) => {
        this.joining = null;
        this.view = null;
        this.accept(view);
        this.follow();
      },
    });
    this.draw();
    this.joining.start();
  }

  /** Forget the pupil, and the code of a class that is gone. */
  leave() {
    if (this.joining) return;
    if (this.view) history.replaceState(null, "", location.pathname);
    this.sitAt(null);
    this.view = null;
    this.isTeachers = false;
    document.title = "Join a class · ninefold";
    this.join();
  }

  /** The device goes to the next pupil. */
  async handOver() {
    const { view } = this;
    if (view && IN.includes(view.status)) {
      const given = await ask({
        title: "Next pupil here?",
        body: [h("p", {}, named(view.name), " leaves the class on this device.")],
        answers: [
          { value: "stay", label: "Stay" },
          { value: "leave", label: "Leave the class" },
        ],
      });
      if (given?.value !== "leave") return;
    }
    if (await this.send({ do: "leave-class" })) {
      this.stream.stop();
      this.joining = null;
      this.leave();
    }
  }

  /** Send an ask; whether it was done. @param {PupilAsk} wanted */
  async send(wanted) {
    this.problem = "";
    try {
      const body = { ask: wanted, request_id: newRequestId() };
      /** @type {PupilView} */
      const view = await post(
        "/api/class/ask",
        body,
        (lost) => lost && this.lose(true),
      );
      if (wanted.do === "answer") this.accept(view);
      return true;
    } catch (error) {
      this.problem = problemOf(error);
      // Without a class there is nothing to leave.
      if (wanted.do === "leave-class" && error instanceof Refused) return true;
      announce(this.problem);
      return false;
    }
  }

  /** Answer the question, or change the answer: the last one counts. @param {string} key */
  async answer(key) {
    const isFirst = this.sending === null;
    this.sending = key;
    this.draw();
    if (!isFirst) return;
    for (let sent = null; sent !== this.sending; ) {
      sent = this.sending;
      if (!(await this.send({ do: "answer", answer: sent }))) break;
    }
    this.sending = null;
    this.draw();
  }

  // What is shown

  get showsTable() {
    const { view, match, joining } = this;
    return Boolean(view?.status === "plays" && !view.poll && match && !joining);
  }

  draw() {
    const { view, table, root } = this;
    const paused = Boolean(view?.round?.is_paused);
    const focused = document.activeElement;
    const hadFocus = root.contains(focused);
    table.hidden = !this.showsTable;
    table.inert = !this.showsTable || paused;
    document.documentElement.classList.toggle(
      "sent-back",
      view?.status === "sent-back",
    );
    root.classList.toggle("paused", this.showsTable && paused);
    this.drawStrip();
    render(this.screen, this.body(paused));
    render(this.foot, this.handOverButton());
    const isCovered = table.inert && table.contains(focused);
    if (hadFocus && (isCovered || !root.contains(document.activeElement))) {
      this.focusHeading();
    }
    const place = this.showsTable ? "table" : (view?.poll?.text ?? "");
    if (place !== this.place) scrollTo(0, 0);
    this.place = place;
  }

  focusHeading() {
    const shown = this.table.inert ? this.screen : this.table;
    /** @type {HTMLElement | null} */
    const heading = shown.querySelector("h1");
    heading?.focus({ preventScroll: true });
  }

  /** @param {boolean} paused @returns {Child} */
  body(paused) {
    const { view, joining } = this;
    if (this.isTeachers) return teachersView();
    if (this.isElsewhere) return elsewhereView(() => this.stream.restart());
    if (joining) {
      const refused = view?.status === "sent-back" ? view.text : "";
      return joining.view(refused);
    }
    const lost = this.lost && lostNotice("Connection lost.");
    if (!view) return lost || h("p", { class: "loading late" }, "Opening the class …");
    if (this.showsTable) return paused && lookAtBoard();
    if (view.poll) {
      const own = this.sending ?? view.poll.own;
      const { problem, width } = this;
      const give = (/** @type {string} */ key) => this.answer(key);
      return [lost, questionView(view.poll, { own, problem, width, give })];
    }
    if (paused && view.status === "waits") return [lost, lookAtBoard()];
    return [lost, waitingView(view, () => this.join())];
  }

  drawStrip() {
    const { view, joining, endsAt } = this;
    const isIn = view && !joining && IN.includes(view.status);
    render(this.strip, isIn && stripView(view, endsAt - performance.now()));
  }

  handOverButton() {
    if (!this.view || this.isTeachers || this.joining) return null;
    return h(
      "button",
      {
        key: "next",
        type: "button",
        class: "action",
        onclick: () => this.handOver(),
      },
      icon("another"),
      "Next pupil here",
    );
  }
}
