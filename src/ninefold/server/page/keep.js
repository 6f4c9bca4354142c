/**
 * What this browser remembers: choices, and the matches to return to. Where a browser
 * forbids that, everything works and is forgotten.
 * @module
 */

/** @typedef {{id: string, link: string, at: number}} KeptMatch */

const MOST_MATCHES = 12;

/** @param {string} name @param {Storage} [place] @returns {unknown} */
function read(name, place) {
  try {
    return JSON.parse((place ?? localStorage).getItem(`ninefold.${name}`) ?? "null");
  } catch {
    return null;
  }
}

/** @param {string} name @param {unknown} value @param {Storage} [place] */
function write(name, value, place) {
  try {
    (place ?? localStorage).setItem(`ninefold.${name}`, JSON.stringify(value));
  } catch {
    // It is full or forbidden; what is remembered is a comfort.
  }
}

/**
 * Read a choice; what was never chosen has a default.
 * @template T
 * @param {string} name
 * @param {T} otherwise
 * @returns {T}
 */
export function chosen(name, otherwise) {
  const kept = read(name);
  return typeof kept === typeof otherwise && kept !== null
    ? /** @type {T} */ (kept)
    : otherwise;
}

/** @param {string} name @param {unknown} value */
export function choose(name, value) {
  write(name, value);
}

/** The matches of this browser, the latest first. @returns {KeptMatch[]} */
export function matches() {
  const kept = read("matches");
  return Array.isArray(kept) ? kept.filter((each) => typeof each?.id === "string") : [];
}

/** @param {string} id @param {string} link */
export function keepMatch(id, link) {
  const others = matches().filter((each) => each.id !== id);
  const latest = { id, link, at: Date.now() };
  write("matches", [latest, ...others].slice(0, MOST_MATCHES));
}

/** @param {string} id */
export function forgetMatch(id) {
  write(
    "matches",
    matches().filter((each) => each.id !== id),
  );
}

/**
 * A request without an answer yet, which a reload of the tab must not lose.
 * @param {string} id
 * @returns {{what: string, body: Record<string, unknown>} | null}
 */
export function unanswered(id) {
  const kept = readTab(`pending.${id}`);
  return /** @type {{what: string, body: Record<string, unknown>} | null} */ (kept);
}

/** @param {string} id @param {{what: string, body: object} | null} request */
export function keepUnanswered(id, request) {
  try {
    write(`pending.${id}`, request, sessionStorage);
  } catch {
    // sessionStorage itself may be forbidden.
  }
}

/** @param {string} name */
function readTab(name) {
  try {
    return read(name, sessionStorage);
  } catch {
    return null;
  }
}
