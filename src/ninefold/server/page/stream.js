/**
 * What happens in a match or a class, as it happens. A browser allows six connections to
 * a host, so a hidden tab gives its stream up and asks now and then.
 * @module
 */

import { get, Refused } from "./api.js";

/** @import { Message, Presence, State } from "./state.js" */

/**
 * What is followed, and who hears of it.
 * @typedef {object} Listener
 * @property {() => Promise<boolean>} ask how it stands now; whether to go on following
 * @property {() => string} events the address of what happens
 * @property {Record<string, (data: any) => void>} hears of each event, by its name
 * @property {(lost: boolean) => void} lost
 * @property {(refused: Refused) => void} gone there is no such thing any more
 */

/**
 * Who hears of a match.
 * @typedef {object} MatchListener
 * @property {() => number} after the number of the last command that is known
 * @property {(message: Message) => void} told
 * @property {(state: State) => void} asked
 * @property {(presence: Presence) => void} present
 * @property {(words: string) => void} closed the host has left, and the server ends
 * @property {(lost: boolean) => void} lost
 * @property {(refused: Refused) => void} gone there is no such match any more
 */

/** @typedef {Pick<Stream, "start" | "restart">} Feed */

const HIDDEN_POLL = 15_000;
const POLL = 3_000; // of a window for which no stream is left
const TRY_AGAIN = 1_000;
const LONGEST_OPENING = 5_000;
const MOST_STREAMS = 4; // of all windows: two connections are left for requests

/** Follow a match. @param {string} id @param {MatchListener} match @returns {Feed} */
export function followMatch(id, match) {
  const path = `/api/matches/${id}`;
  return new Stream({
    ask: async () => {
      const known = match.after();
      /** @type {State} */
      const state = await get(path);
      const isLater = state.seq >= known;
      if (isLater) match.asked(state);
      else location.reload(); // the server was restored from a backup
      return isLater;
    },
    events: () => `${path}/events?after=${match.after()}`,
    hears: {
      message: match.told,
      presence: match.present,
      closed: ({ words }) => match.closed(words),
    },
    lost: match.lost,
    gone: match.gone,
  });
}

/** Follows something from `start` on. */
export class Stream {
  /** @param {Listener} listener */
  constructor(listener) {
    this.listener = listener;
    /** @type {EventSource | null} */
    this.source = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.turn = 0;
    this.isListening = false;
    this.release = () => {};
  }

  /** Follow, also anew after `stop`. */
  start() {
    if (!this.isListening) this.listen();
    this.open();
  }

  listen() {
    this.isListening = true;
    document.addEventListener("visibilitychange", () => this.restart());
    addEventListener("online", () => this.restart());
    addEventListener("offline", () => {
      this.listener.lost(true);
      this.stop(); // a stream would tell nothing any more, and not say so
      this.askIn(TRY_AGAIN); // a server on this machine is still reached
    });
    addEventListener("pagehide", () => this.stop());
    addEventListener("pageshow", (event) => event.persisted && this.restart());
  }

  /** Begin anew, with what was missed: another seat, or the network is back. */
  async restart() {
    this.stop();
    if (await this.ask()) this.open();
  }

  stop() {
    this.turn += 1;
    clearTimeout(this.timer);
    this.source?.close();
    this.source = null;
    this.release();
    this.release = () => {};
  }

  /** @param {number} wait */
  askIn(wait) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.restart(), wait);
  }

  async open() {
    this.stop();
    if (document.visibilityState === "hidden") {
      this.askIn(HIDDEN_POLL);
      return;
    }
    const { turn } = this;
    const release = await takeStream();
    if (turn !== this.turn) {
      release?.();
      return;
    }
    if (!release) {
      this.askIn(POLL);
      return;
    }
    this.release = release;
    this.follow(new EventSource(this.listener.events()));
  }

  /** @param {EventSource} source */
  follow(source) {
    this.source = source;
    this.timer = setTimeout(() => {
      this.stop(); // other windows have all connections
      this.askIn(POLL);
    }, LONGEST_OPENING);
    let failed = false;
    let opened = false;
    source.onopen = () => {
      opened = true;
      clearTimeout(this.timer);
      if (failed)
        this.restart(); // what was missed comes first
      else this.listener.lost(false);
    };
    for (const [name, hear] of Object.entries(this.listener.hears)) {
      source.addEventListener(name, ({ data }) => hear(JSON.parse(data)));
    }
    source.onerror = () => {
      failed = true;
      this.listener.lost(true);
      clearTimeout(this.timer);
      // The browser tries again by itself: as soon as it was told to, if it ever was, and
      // not after an answer such as 503.
      if (opened && source.readyState !== EventSource.CLOSED) return;
      this.stop();
      this.askIn(TRY_AGAIN);
    };
  }

  /** Ask how it stands; return whether it may still be there. */
  async ask() {
    try {
      if (!(await this.listener.ask())) return false;
      this.listener.lost(false);
    } catch (error) {
      if (isGone(error)) {
        this.listener.gone(error);
        return false;
      }
      this.listener.lost(true);
    }
    return true;
  }
}

/**
 * Whether the server has no such match or class, or cannot read it.
 * @param {unknown} error
 * @returns {error is Refused}
 */
export function isGone(error) {
  return error instanceof Refused && [401, 404, 410].includes(error.status);
}

/**
 * Take one of the streams that the windows of a browser share, and return what gives it
 * back; null where none is left. A browser that cannot count them takes what it wants.
 * @returns {Promise<(() => void) | null>}
 */
async function takeStream() {
  if (!navigator.locks) return () => {};
  for (let number = 1; number <= MOST_STREAMS; number += 1) {
    const release = await takeLock(`ninefold-stream-${number}`);
    if (release) return release;
  }
  return null;
}

/** @param {string} name @returns {Promise<(() => void) | null>} */
function takeLock(name) {
  return new Promise((resolve) => {
    navigator.locks
      .request(name, { ifAvailable: true }, (lock) => {
        if (!lock) {
          resolve(null);
          return undefined;
        }
        return new Promise((release) => resolve(() => release(undefined)));
      })
      .catch(() => resolve(() => {}));
  });
}
