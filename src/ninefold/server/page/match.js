/**
 * One match: what is known of it, and what can be done. `table.js` shows it.
 * @module
 */

import { announce } from "./announcements.js";
import { get, newRequestId, post, Refused } from "./api.js";
import {
  askForProduct,
  askToResign,
  isAsking,
  tellRules,
  withdraw,
} from "./dialogs.js";
import { addStylesheet, failed, focusProblem, h, render } from "./dom.js";
import { typeDigit } from "./multiplier-keys.js";
import { invitation, waiting } from "./new-match.js";
import {
  isAskedForTakeBack,
  isMoveOfLevel,
  isNextMove,
  isSeatGone,
  nameOf,
  newTurn,
  nothingYet,
  saidOf,
  seatIsGone,
  seatOf,
  titleOf,
} from "./state.js";
import * as storage from "./storage.js";
import { isGone } from "./stream.js";
import { nothing, tableView } from "./table.js";
import {
  DISCONNECTED,
  group,
  IS_AWAY,
  IS_BACK,
  ONE_AT_A_TIME,
  other,
  RECONNECTED,
  SAVED,
  sentence,
  shorten,
} from "./text.js";

/** @import { AnswerView, Ask, GameReview, HintStep, Lessons, MatchEvent, Model, Presence, Question, Refusal, State, Whole, WhyView } from "./state.js" */
/** @import { Feed, MatchListener } from "./stream.js" */

const HOP = 250;
const RELOAD = 1000; // an absence as short as this is a page that is loaded again
const PAUSE = 600; // a level answers at once; its hop follows the other
const GUARD = 400; // a press that was under way when a question came
const LATER = "Try again when the connection is back.";
const REVIEW = "#review";

/** The match of a page, from `open` to `close`. */
export class Match {
  /** @param {HTMLElement} root @param {string} id @param {(id: string, match: MatchListener) => Feed} follow */
  constructor(root, id, follow) {
    this.root = root;
    this.id = id;
    this.path = `/api/matches/${id}`;
    this.closing = new AbortController();
    this.hopAt = 0;
    this.isExplained = false;
    this.typed = ""; // the first digits of a multiplier, while the notice asks for more
    this.passing = false; // whether the notice holds no longer than the state does
    this.isMark = false; // whether the notice says if a product was right
    this.told = ""; // what is said of the product that is being sent, where it was told
    this.expected = false; // whether the other was here, and was not said to be away
    this.missed = false;
    this.absence = 0; // the timer of an absence that nothing was said about
    this.lostBy = { stream: false, request: false };
    this.guard = 0; // the timer of a question that cannot be answered yet
    /** Takes the answer to the question at the table. @type {(answer: AnswerView | null) => void} */
    this.answered = () => {};
    this.model = nothingYet(id, root.clientWidth);
    /** @type {Partial<Model>} */
    this.drawn = {};
    /** @type {Element | null} */
    this.measured = null;
    this.sizes = new ResizeObserver(([size]) => {
      const width = Math.floor(size?.contentRect.width ?? 0);
      if (width && width !== this.model.width) this.set({ width });
    });
    this.stream = follow(id, {
      after: () => this.model.state?.seq ?? 0,
      told: ({ state, events }) => this.accept(state, events),
      asked: (state) => this.accept(state, []),
      present: (presence) => this.present(presence),
      closed: (words) => this.set({ closed: words }),
      lost: (lost) => this.lose("stream", lost),
      gone: (refused) => this.miss(refused),
    });
  }

  async open() {
    const { signal } = this.closing;
    addEventListener("keydown", (event) => this.key(event), { signal });
    addEventListener(
      "click",
      ({ target }) => {
        if (target instanceof Element && !target.closest(".more > summary"))
          this.fold();
      },
      { capture: true, signal }, // before a dialog opens, which returns the focus in the end
    );
    addEventListener(
      "focusout",
      ({ relatedTarget: to }) => {
        const stays = to instanceof Element && to.matches(".key");
        if (this.typed && !stays) this.set({ notice: "" });
      },
      { signal },
    );
    addEventListener("hashchange", () => this.followHash(), { signal });
    try {
      this.accept(storage.takeOver(this.id) ?? (await get(this.path)), []);
    } catch (error) {
      if (isGone(error)) {
        this.miss(error);
        return;
      }
      this.lose("stream", true); // nobody answers, or not now: the stream tries again
    }
    this.stream.start();
    this.followHash();
    const unanswered = storage.unanswered(this.id);
    if (unanswered) await this.repeat(unanswered);
  }

  /** Say that the match is gone. @param {Refused} refused */
  miss({ status, refusal }) {
    const isKnown =
      this.model.state || storage.matches().some(({ id }) => id === this.id);
    const isUnknown = status === 404 && !isKnown; // 410 is a damaged one
    if (status === 404) storage.forgetMatch(this.id);
    withdraw("move", "game");
    const hint = isUnknown ? " Perhaps the link is incomplete." : "";
    const missing = sentence(refusal.detail) + hint;
    if (!this.model.missing) announce(missing);
    document.title = "No match here · ninefold";
    this.set({ missing, state: null, review: null });
  }

  /** Leave the match: what is still under way changes nothing any more. */
  close() {
    withdraw("move", "game");
    this.settle(null);
    this.closing.abort();
    this.sizes.disconnect();
    clearTimeout(this.absence);
    clearTimeout(this.guard);
    if (location.hash.startsWith(REVIEW)) {
      history.replaceState(null, "", location.pathname);
    }
    render(this.root);
  }

  /** Whether it was left. */
  get isClosed() {
    return this.closing.signal.aborted;
  }

  /** Send again what had no answer before the page was loaded. @param {storage.Unanswered} request */
  async repeat({ what, body }) {
    const refused = await this.deliver(what, body);
    const question = refused?.refusal.question;
    if (question && body.seq === this.model.state?.seq) await this.answer(question);
  }

  // What is shown

  /** @param {Partial<Model>} change */
  set(change) {
    if (this.isClosed) return;
    Object.assign(this.model, change);
    if (change.notice !== undefined) this.typed = "";
    announce(change.copied ?? "");
    if (isSame(this.model, this.drawn)) return;
    const moves = this.drawn.state?.moves.length;
    this.drawn = { ...this.model };
    const focused = document.activeElement;
    const around = focused?.parentElement;
    render(this.root, this.view());
    const lostFocus =
      focused !== document.body && document.activeElement === document.body;
    if (lostFocus && !isAsking()) this.focusNear(around?.closest("[tabindex]"));
    const record = this.root.querySelector(".record");
    if (record && moves !== this.model.state?.moves.length) scrollToEnd(record);
    const picture = this.root.querySelector(".picture") ?? this.root;
    if (picture === this.measured) return;
    this.sizes.disconnect();
    this.sizes.observe(picture);
    this.measured = picture;
  }

  /** The focus stays where its element was, or goes on with the game. @param {Element | null} [around] */
  focusNear(around) {
    const place =
      around?.isConnected && this.root !== around && this.root.contains(around)
        ? around
        : this.root.querySelector(
            ".request button, .end h2, .key, #multiplier, .action",
          );
    if (place) /** @type {HTMLElement} */ (place).focus();
    else this.focusHeading();
  }

  view() {
    const { model } = this;
    const { state, missing, review } = model;
    if (missing) return nothing("No match here", missing);
    if (!state && model.lost) return failed(DISCONNECTED, () => this.stream.restart());
    if (!state)
      return h("p", { key: "loading", class: "loading" }, "Opening the match …");
    if (review) return review.view(model, state, review, this);
    const free = state.seats.some(({ taken }) => !taken);
    if (free && state.your_seat) return waiting(model, state, this);
    if (free && !model.watching) {
      if (!this.isExplained) this.explain();
      return invitation(model, state, this);
    }
    return tableView(model, state, this);
  }

  /** Fetch the pictures for an invitation; it has the rules without them, too. */
  async explain() {
    this.isExplained = true;
    const found = await import("./how-to-play.js").catch(() => null);
    if (found) this.set(found);
  }

  focusHeading() {
    const headings = this.root.querySelectorAll("h1, h2");
    const last = /** @type {HTMLElement | undefined} */ ([...headings].at(-1));
    (last ?? this.root).focus();
  }

  /** @param {"stream" | "request"} by @param {boolean} lost */
  lose(by, lost) {
    if (this.isClosed) return;
    this.lostBy[by] = lost;
    const now = this.lostBy.stream || this.lostBy.request;
    if (now === this.model.lost) return;
    const { closed, pending } = this.model;
    announce(
      now ? closed || DISCONNECTED : RECONNECTED,
      now && pending?.multiplier ? SAVED : "",
    );
    const passed = this.passing ? { notice: "" } : {};
    this.set({ lost: now, closed: now ? closed : "", ...passed });
  }

  /**
   * Take what the server says, unless something later is known.
   * @param {State} state
   * @param {MatchEvent[]} events
   */
  accept(state, events) {
    const before = this.model.state;
    if (this.isClosed || (before && state.seq < before.seq)) return;
    const early = before ? this.hopAt + PAUSE - performance.now() : 0;
    if (before && early > 0 && isMoveOfLevel(before, state)) {
      setTimeout(() => this.accept(state, events), early);
      return;
    }
    if (state.your_seat) storage.keepMatch(state, state.link ?? this.model.link);
    if (state.link) this.model.link = state.link;
    if (before?.seq === state.seq && before.your_seat === state.your_seat) {
      this.set(JSON.stringify(before) === JSON.stringify(state) ? {} : { state });
      return;
    }
    if (before && events.length > 0 && !state.said) {
      this.set({ state }); // the coach spoke to the other player alone
      return;
    }
    if (before) this.closeQuestions(before, state);
    const moved = before !== null && isNextMove(before, state);
    const declined = events.find(({ type }) => type === "takeback_declined");
    const goes = this.passing || (state.outcome && !this.isMark);
    const stays =
      before && isMoveOfLevel(before, state) && !goes ? this.model.notice : "";
    const late =
      before &&
      isSeatGone(before, state) &&
      !this.model.watching &&
      !this.model.pending;
    const news = declined?.seat === state.your_seat ? saidOf(state) : stays;
    const mark = state.marked && (this.told || state.marked);
    const marked = group([mark, state.warning].filter(Boolean).join(" "));
    const told = marked || news;
    const notice = late ? seatIsGone(state) : told;
    this.passing = false;
    this.isMark = Boolean(marked) || (this.isMark && notice !== "");
    this.set({ state, missing: "", panel: null, notice, fresh: moved });
    if (isAskedForTakeBack(state) && !(before && isAskedForTakeBack(before))) {
      this.waitForPress();
    }
    announce(marked);
    if (before?.said !== state.said || moved) {
      const full = state.seats.every(({ taken }) => taken);
      announce(
        !before && full
          ? `${group(state.aim)} The total is ${shorten(state.total)}.`
          : "",
        before || state.moves.length > 0 ? saidOf(state) : "",
        ...newTurn(before, state),
      );
    }
    if (moved) {
      this.hopAt = performance.now();
      this.count(before.total, state.total);
    }
    if (before && !before.outcome && state.outcome) this.focusHeading();
    if (state.outcome) import("./review.js").catch(() => {}); // it is wanted next
    document.title = titleOf(state);
    const seated = events.some(({ type }) => type === "seated");
    if (seated && !state.your_seat) this.stream.restart(); // perhaps another tab sat down
  }

  /** Count the total up while the hop draws itself: nothing else is drawn for it. @param {Whole} from @param {Whole} to */
  count(from, to) {
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (still || typeof from === "string" || typeof to === "string") return;
    const began = performance.now();
    /** @param {number} now */
    const step = (now) => {
      const text = this.root.querySelector(".number")?.firstChild;
      if (!text || this.model.state?.total !== to || this.model.review) return;
      const done = Math.min(Math.max(now - began, 0) / HOP, 1);
      const shown = shorten(Math.round(from * (to / from) ** done));
      if (text.nodeValue !== shown) text.nodeValue = shown;
      if (done < 1) requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  /** Show who is here; say that the other is away, once that lasts, or back. @param {Presence} presence */
  present(presence) {
    this.set({ presence });
    const { state } = this.model;
    if (!state?.your_seat || state.is_shared) return;
    const seat = other(state.your_seat);
    const { name, kind, taken } = seatOf(state, seat);
    if (!taken || kind !== "human") return;
    clearTimeout(this.absence);
    if (presence.connected[seat - 1]) {
      if (this.missed) this.notify(IS_BACK.replace("{name}", name), true);
      this.missed = false;
      this.expected = true;
    } else if (this.expected) {
      this.absence = window.setTimeout(() => {
        this.missed = true;
        this.expected = false;
        this.notify(IS_AWAY.replace("{name}", name), true);
      }, RELOAD);
    }
  }

  // What can be done

  /** @returns {boolean} */
  get mayMove() {
    const { state, pending } = this.model;
    return Boolean(state?.your_seat && state.to_move === state.your_seat && !pending);
  }

  /** Play a multiplier. @param {Whole} multiplier */
  async play(multiplier) {
    const { state } = this.model;
    if (this.mayMove) await this.ask({ do: "move", multiplier });
    else if (this.model.pending) this.notify(ONE_AT_A_TIME, true);
    else if (state?.your_seat) this.notify(state.turn, true);
  }

  /** Ask for something, which says something, and have answered what the server asks about it. @param {Ask} ask @param {string} says */
  async ask(ask, says = "") {
    const before = this.model.state;
    this.told = says;
    const refused = await this.send(ask);
    this.told = "";
    const question = refused?.refusal.question;
    const after = this.model.state;
    if (question && before && after && isSamePosition(before, after)) {
      await this.answer({ ...question, marked: says || question.marked });
    } else if (!refused && says) this.notify(says);
  }

  /** @param {Question} question */
  async answer(question) {
    if (question.kind === "product") {
      const given = await askForProduct(question, this.model.state?.total ?? 0);
      if (given) await this.ask(given.ask, given.says);
      return;
    }
    const answer = await this.askAtTable(question);
    if (answer?.ask) await this.ask(answer.ask, answer.says);
  }

  /** Ask in the place of the keys; null where the question is left without an answer. @param {Question} question @returns {Promise<AnswerView | null>} */
  askAtTable(question) {
    this.settle(null);
    return new Promise((resolve) => {
      this.answered = resolve;
      this.set({ question });
      announce(group(question.marked), group(question.text));
      this.waitForPress();
    });
  }

  /** Answer the question at the table, or leave it; the focus returns to its key. @param {AnswerView | null} answer */
  settle(answer) {
    const { question } = this.model;
    if (!question) return;
    this.set({ question: null });
    const key = `.key[data-multiplier="${question.multiplier}"]`;
    const focused = document.activeElement;
    if (focused === document.body || focused?.matches(".key")) {
      /** @type {HTMLElement | null} */ (this.root.querySelector(key))?.focus();
    }
    this.answered(answer);
  }

  /** Close the menu below the board. */
  fold() {
    /** @type {HTMLDetailsElement | null} */
    const menu = this.root.querySelector(".more[open]");
    if (!menu) return;
    const had = menu.contains(document.activeElement);
    menu.open = false;
    if (had) menu.querySelector("summary")?.focus();
  }

  /** Let a press that is under way pass; then what is asked can be answered, and has the focus. */
  waitForPress() {
    clearTimeout(this.guard);
    this.set({ ready: false });
    this.guard = window.setTimeout(() => {
      this.set({ ready: true });
      if (isAsking()) return;
      /** @type {HTMLElement | null} */ (
        this.root.querySelector(".request button")
      )?.focus();
    }, GUARD);
  }

  /** What is asked about a move or a game that is past is asked no more. @param {State} before @param {State} after */
  closeQuestions(before, after) {
    const isNew =
      after.number !== before.number || after.match_number !== before.match_number;
    if (isNew || (after.outcome && !before.outcome)) withdraw("move", "game");
    else if (!isSamePosition(before, after)) withdraw("move");
    else return;
    this.settle(null);
  }

  /**
   * Send an ask of the seat; show a refusal as a sentence.
   * @param {Ask} ask
   * @returns {Promise<Refused | null>}
   */
  async send(ask) {
    const { state, pending } = this.model;
    if (!state) return null;
    if (pending) {
      this.notify(ONE_AT_A_TIME, true);
      return null;
    }
    return this.deliver("log", { ask, seq: state.seq, request_id: newRequestId() });
  }

  /** @param {"log" | "seat"} what @param {storage.Body} body @returns {Promise<Refused | null>} */
  async deliver(what, body) {
    const multiplier = body.ask?.multiplier;
    this.set({ pending: { what, multiplier }, notice: "", problem: "" });
    storage.keepUnanswered(this.id, { what, body });
    try {
      const path = `${this.path}/${what}`;
      /** @type {State} */
      const state = await post(path, body, (lost) => {
        if (lost) this.lose("request", true);
      });
      this.model.pending = null;
      this.accept(state, []);
      return null;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const { state, question, detail } = error.refusal;
      this.model.pending = null;
      if (state) this.accept(state, []);
      if (what === "seat" && state) this.notify(seatIsGone(state));
      else if (what === "seat" && error.refusal.error === "refused") {
        this.set({ problem: sentence(detail) });
        focusProblem(this.root);
      } else if (!question && !isExplained(error.refusal, body))
        this.notify(state ? `${sentence(detail)} Here is the match now.` : detail);
      return error;
    } finally {
      storage.keepUnanswered(this.id, null);
      this.lose("request", false); // after what happened meanwhile
      this.set({ pending: null });
    }
  }

  /** @param {string} text @param {boolean} passing whether it holds only for now */
  notify(text, passing = false) {
    if (this.isClosed) return;
    const notice = sentence(text);
    announce(notice);
    this.passing = passing;
    this.set({ notice });
  }

  /** @param {string} name @param {Lessons} lessons */
  async sit(name, lessons) {
    const refused = await this.deliver("seat", {
      name,
      lessons,
      request_id: newRequestId(),
    });
    if (refused) return;
    storage.choose("name", name);
    await this.stream.restart();
  }

  async resign() {
    if (this.model.pending) this.notify(ONE_AT_A_TIME, true);
    else if (await askToResign()) await this.send({ do: "resign" });
  }

  async hint() {
    const { panel, state } = this.model;
    if (state?.no_hint) {
      this.notify(state.no_hint, true);
      return;
    }
    if (panel?.kind === "hint") {
      this.set({
        panel: { ...panel, shown: Math.min(panel.shown + 1, panel.steps.length) },
      });
    } else {
      /** @type {{steps: HintStep[]} | null} */
      const found = await this.lookUp("hint");
      if (found) {
        const panel = { steps: found.steps, shown: 1, line: null };
        this.set({ panel: { kind: "hint", ...panel } });
      }
    }
    const now = this.model.panel;
    if (now?.kind !== "hint") return;
    announce(group(now.steps[now.shown - 1]?.text ?? ""));
    this.showPanel();
    if (now.shown > 1 && !now.line) await this.drawHint(now.steps);
  }

  /** Fetch the line that the bands of a hint are drawn on. @param {HintStep[]} steps */
  async drawHint(steps) {
    /** @type {WhyView | null} */
    const found = await this.lookUp("why");
    const { panel } = this.model;
    if (!found || panel?.kind !== "hint" || panel.steps !== steps) return;
    this.set({ panel: { ...panel, line: found.line } });
  }

  async why() {
    if (this.model.panel?.kind === "why") {
      this.set({ panel: null });
      return;
    }
    /** @type {WhyView | null} */
    const found = await this.lookUp("why");
    if (!found) return;
    this.set({ panel: { kind: "why", ...found } });
    announce(group(found.why));
    this.showPanel();
  }

  showPanel() {
    this.root.querySelector(".panel")?.scrollIntoView({ block: "nearest" });
  }

  async rules() {
    /** @type {{title: string, text: string} | null} */
    const found = await this.lookUp("rules");
    if (found) await tellRules(found.title, found.text);
  }

  toggleProducts() {
    const products = !this.model.products;
    storage.choose("products", products);
    this.set({ products });
  }

  // Looking back

  /** Try the last game again, from the move before its slip. */
  async tryAgain() {
    const { state } = this.model;
    const found = await this.lookUpReview("");
    if (state && found) await found.reviews.tryAgain(state, found.game, this);
  }

  /** A review, and what draws it: no game needs that before its end. @param {string} which */
  async lookUpReview(which) {
    const [reviews] = await Promise.all([
      import("./review.js").catch(() => null),
      addStylesheet("review.css"),
    ]);
    if (!reviews) this.notify(LATER, true);
    /** @type {GameReview | null} */
    const game = reviews && (await this.lookUp(`review${which}`));
    return reviews && game && { reviews, game };
  }

  async followHash() {
    if (!location.hash.startsWith(REVIEW)) {
      this.set({ review: null });
      return;
    }
    const [, number, game_number] = /^#review-(\d+)-(\d+)$/.exec(location.hash) ?? [];
    const asked = number ? `?match_number=${number}&number=${game_number}` : "";
    const found = await this.lookUpReview(asked);
    if (!found) location.hash = "";
    else {
      const { game, reviews } = found;
      const step = game.review.moves.length;
      this.set({ review: { view: reviews.reviewView, game, step }, notice: "" });
      const { state } = this.model;
      if (state) announce(saidOf(state, game.review.story));
    }
  }

  /** @param {number} step */
  goTo(step) {
    const { review, state } = this.model;
    if (!review || !state) return;
    const { moves } = review.game.review;
    const within = Math.min(Math.max(step, 0), moves.length);
    this.set({ review: { ...review, step: within } });
    const move = moves[within - 1];
    announce(
      move
        ? `Move ${within} of ${moves.length}. ${nameOf(state, move.player)} plays ×${shorten(move.multiplier)}. ${group(move.comment)}`
        : "The start.",
    );
  }

  /**
   * @template T
   * @param {string} what
   * @returns {Promise<T | null>}
   */
  async lookUp(what) {
    try {
      const found = await get(`${this.path}/${what}`);
      if (this.passing) this.set({ notice: "" });
      return /** @type {T} */ (found);
    } catch (error) {
      if (error instanceof Refused) this.notify(error.refusal.detail);
      else this.notify(LATER, true);
      return null;
    }
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { target, key } = event;
    const typing =
      target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
    if (typing || isAsking() || event.repeat || this.root.inert) return;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const { state, review } = this.model;
    if (review) {
      const step = { ArrowLeft: review.step - 1, ArrowRight: review.step + 1 }[key];
      if (step === undefined) return;
      event.preventDefault();
      this.goTo(step);
      return;
    }
    if (key === "Escape") {
      if (this.typed) this.set({ notice: "" });
      this.settle(null);
      this.fold();
    }
    if (!/^\d$/.test(key) || !storage.chosen("keys", true)) return;
    if (this.model.question || !this.model.ready) return;
    if (state?.your_seat && !state.outcome) typeDigit(key, this);
  }
}

/** @param {Model} one @param {Partial<Model>} other */
function isSame(one, other) {
  const names = /** @type {(keyof Model)[]} */ (Object.keys(one));
  return names.every((name) => one[name] === other[name]);
}

/** Whether a refusal needs no words beside the state that came with it. @param {Refusal} refusal @param {storage.Body} body */
function isExplained({ error, state }, { seq }) {
  return error === "out_of_step" && seq !== undefined && (state?.seq ?? seq) > seq;
}

/** The last lines of a list; who has a keyboard alone can scroll it, where there is more. @param {Element} list */
function scrollToEnd(list) {
  list.scrollTop = list.scrollHeight;
  if (list.scrollTop > 0) list.setAttribute("tabindex", "0");
  else list.removeAttribute("tabindex");
}

/** Whether a question about the one is one about the other. @param {State} before @param {State} after */
function isSamePosition(before, after) {
  return (
    after.match_number === before.match_number &&
    after.number === before.number &&
    `${after.moves}` === `${before.moves}` &&
    !after.outcome === !before.outcome
  );
}
