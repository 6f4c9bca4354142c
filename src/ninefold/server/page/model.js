/**
 * What a page knows of its match: all that `table.js` shows.
 * @module
 */

import * as storage from "./storage.js";

/** @typedef {import("./messages.js").State} State */
/** @typedef {import("./messages.js").Whole} Whole */
/** @typedef {{kind: "hint", steps: import("./messages.js").HintStep[], shown: number, line: import("./messages.js").LineView | null}} HintPanel */
/** @typedef {{kind: "why", why: string, line: import("./messages.js").LineView}} WhyPanel */

/**
 * @typedef {object} Model
 * @property {State | null} state
 * @property {string} missing why there is no match to show
 * @property {import("./messages.js").Presence | null} presence
 * @property {boolean} lost whether the connection is
 * @property {string} closed that the host has left, until the connection is back
 * @property {{what: string, multiplier?: Whole} | null} pending what waits for an answer
 * @property {string} notice
 * @property {HintPanel | WhyPanel | null} panel
 * @property {Whole | null} pointed the key that is hovered or focused
 * @property {boolean} products whether keys show what they make
 * @property {boolean} watching
 * @property {Whole | null} counting the total on its way to the new one
 * @property {boolean} fresh whether the last hop was just made
 * @property {{game: import("./messages.js").GameReview, step: number} | null} review
 * @property {string} link
 * @property {string} copied what became of copying the link
 * @property {number} width
 */

/**
 * Before the first answer of the server.
 * @param {string} id
 * @param {number} width
 * @returns {Model}
 */
export function nothingYet(id, width) {
  const kept = storage.matches().find((each) => each.id === id);
  return {
    state: null,
    missing: "",
    presence: null,
    lost: false,
    closed: "",
    pending: null,
    notice: "",
    panel: null,
    pointed: null,
    products: storage.chosen("products", true),
    watching: false,
    counting: null,
    fresh: false,
    review: null,
    link: kept?.link ?? location.origin + location.pathname,
    copied: "",
    width,
  };
}
