/**
 * Requests. One that must arrive is repeated, with the same body, until an answer comes:
 * the server gives the first answer again.
 * @module
 */

import { sentence } from "./text.js";

/** @import { Refusal } from "./state.js" */

const FIRST_WAIT = 500;
const LONGEST_WAIT = 8000;
const LONGEST_ANSWER = 10_000; // a server that hangs is as good as away
const GATEWAY_ERRORS = [502, 504];

/** The server has answered, and refuses. */
export class Refused extends Error {
  /** @param {number} status @param {Refusal} refusal */
  constructor(status, refusal) {
    super(refusal.detail);
    this.status = status;
    this.refusal = refusal;
  }
}

/** What went wrong, as a sentence. @param {unknown} error */
export function problemOf(error) {
  if (error instanceof Refused) return sentence(error.refusal.detail);
  if (error instanceof Unreachable) return "There is no connection right now.";
  throw error;
}

/** Nobody has answered. */
export class Unreachable extends Error {}

/** An id that nobody guesses. @returns {string} */
export function newRequestId() {
  const bytes = crypto.getRandomValues(new Uint8Array(18));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}

/**
 * Ask for something.
 * @template T
 * @param {string} path
 * @param {AbortSignal} [signal]
 * @returns {Promise<T>}
 */
export async function get(path, signal) {
  return answer(path, { headers: { accept: "application/json" }, signal });
}

/**
 * Send something until an answer comes; `lost` hears whether the connection is.
 * @template T
 * @param {string} path
 * @param {object} body
 * @param {(lost: boolean) => void} [lost]
 * @returns {Promise<T>}
 */
export async function post(path, body, lost = () => {}) {
  const request = {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify(body),
  };
  for (let wait = FIRST_WAIT; ; wait = Math.min(2 * wait, LONGEST_WAIT)) {
    try {
      /** @type {T} */
      const answered = await answer(path, request);
      lost(false);
      return answered;
    } catch (error) {
      lost(error instanceof Unreachable);
      if (!(error instanceof Unreachable)) throw error;
      await pause(wait);
    }
  }
}

/**
 * @template T
 * @param {string} path
 * @param {RequestInit} request
 * @returns {Promise<T>}
 */
async function answer(path, request) {
  const signal = request.signal ?? AbortSignal.timeout(LONGEST_ANSWER);
  let response;
  try {
    response = await fetch(path, { ...request, signal, cache: "no-store" });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Unreachable();
  }
  if (GATEWAY_ERRORS.includes(response.status)) throw new Unreachable();
  /** @type {unknown} */
  const read = await response.json().catch(() => null);
  if (response.ok && read !== null) return /** @type {T} */ (read);
  if (response.ok) throw new Unreachable(); // it was cut off
  const unread = {
    error: "unknown",
    detail: `The server answered ${response.status}.`,
  };
  throw new Refused(response.status, /** @type {Refusal} */ (read ?? unread));
}

/** Repeat every request that waits, as when the network is back. */
export function tryAgain() {
  dispatchEvent(new Event("online"));
}

/** Wait; less where the network comes back meanwhile. @param {number} milliseconds */
function pause(milliseconds) {
  return new Promise((resolve) => {
    const stop = new AbortController();
    const done = () => {
      stop.abort();
      resolve(undefined);
    };
    const timer = setTimeout(done, milliseconds);
    stop.signal.addEventListener("abort", () => clearTimeout(timer));
    addEventListener("online", done, { signal: stop.signal });
  });
}
