/**
 * What happens in a match, as it happens. A browser allows six connections to a host,
 * so a hidden tab gives its stream up and asks now and then.
 * @module
 */

import { get } from "./api.js";

/** @typedef {import("./wire.js").Message} Message */
/** @typedef {import("./wire.js").Presence} Presence */
/** @typedef {import("./wire.js").State} State */

/**
 * @typedef {object} Listener
 * @property {() => number} after the number of the last command that is known
 * @property {(message: Message) => void} told
 * @property {(state: State) => void} asked
 * @property {(presence: Presence) => void} present
 * @property {(lost: boolean) => void} lost
 */

const HIDDEN_POLL = 15_000;
const TRY_AGAIN = 1_000;

/** Follows one match from `start` on. */
export class Stream {
  /** @param {string} id @param {Listener} listener */
  constructor(id, listener) {
    this.path = `/api/matches/${id}`;
    this.listener = listener;
    /** @type {EventSource | null} */
    this.source = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  start() {
    document.addEventListener("visibilitychange", () => this.restart());
    addEventListener("online", () => this.restart());
    addEventListener("offline", () => this.listener.lost(true));
    addEventListener("pagehide", () => this.stop());
    addEventListener("pageshow", (event) => event.persisted && this.restart());
    this.open();
  }

  /** Begin anew, with what was missed: another seat, or the network is back. */
  async restart() {
    this.stop();
    await this.ask();
    this.open();
  }

  stop() {
    clearTimeout(this.timer);
    this.source?.close();
    this.source = null;
  }

  open() {
    this.stop();
    if (document.visibilityState === "hidden") {
      this.timer = setTimeout(() => this.restart(), HIDDEN_POLL);
      return;
    }
    const source = new EventSource(
      `${this.path}/events?after=${this.listener.after()}`,
    );
    this.source = source;
    source.onopen = () => this.listener.lost(false);
    source.onmessage = (event) => this.listener.told(JSON.parse(event.data));
    source.addEventListener("presence", (event) => {
      this.listener.present(JSON.parse(event.data));
    });
    source.onerror = () => {
      this.listener.lost(true);
      // The browser tries again by itself, but not after an answer such as 503.
      if (source.readyState !== EventSource.CLOSED) return;
      this.stop();
      this.timer = setTimeout(() => this.restart(), TRY_AGAIN);
    };
  }

  async ask() {
    try {
      this.listener.asked(await get(this.path));
      this.listener.lost(false);
    } catch {
      this.listener.lost(true);
    }
  }
}
