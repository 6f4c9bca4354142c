/**
 * The table: a match as a screen, with its players, its total and its end.
 * @module
 */

import { h, link, messageCard, named } from "./dom.js";
import { hinted, keys } from "./multiplier-keys.js";
import { bandsLeftOut, drawLine } from "./number-line.js";
import { news, request } from "./requests.js";
import { allows, lastMover, nameOf, saidOf, seatOf, totals } from "./state.js";
import { brief, group, isSingle, large, other, shorten, whichGame } from "./text.js";

/** @import { Child, Props } from "./dom.js" */
/** @import { Match } from "./match.js" */
/** @import { Label, LineView, Model, Offer, Player, Seat, State } from "./state.js" */

/** @param {Model} model @param {State} state @param {Match} match */
export function tableView(model, state, match) {
  return h(
    "article",
    { key: "table", class: "table" },
    model.inClass
      ? head(state, 0, `game ${state.number}`)
      : head(state, model.presence?.watching),
    board(model, state, match, news(model, state, match)),
    place(model, state, match),
    h("div", { key: "side", class: "side" }, panel(model, state, match), record(state)),
    actions(model, state, match),
  );
}

/** Who plays, the total and its line: the board of any game. @param {Model} model @param {State} state @param {Player} player @param {Child} news */
export function board(model, state, player, news = null) {
  return [seats(model, state), position(model, state, player, news)];
}

/** The total and its line. @param {Model} model @param {State} state @param {Player} player @param {Child} news what is told on it */
export function position(model, state, player, news = null) {
  return [total(state), line(model, state, player, news)];
}

/** @param {State} state */
function total(state) {
  const { text, note } = large(state.total);
  const digits = text.length - 0.45 * (text.split(",").length - 1); // a comma is narrow
  const mover = state.moves.length > 0 ? lastMover(state) : null;
  return h(
    "section",
    { key: "total", class: "total", "aria-label": "Total" },
    h("p", { class: "number", style: { "--digits": Math.max(digits, 2) } }, text),
    h(
      "p",
      { class: "product" },
      state.product ? product(group(state.product), mover) : "The total starts here.",
      !state.product && note && h("small", {}, ` ${note}`),
    ),
  );
}

/** The move of a product stands out in the mover's colour. @param {string} text @param {Seat | null} seat */
function product(text, seat) {
  const parts = /^(.*?)( × .*?)( = .*)$/.exec(text);
  if (!parts || !seat) return text;
  return [parts[1], h("strong", { class: `seat${seat}` }, parts[2]), parts[3]];
}

/** @param {Model} model @param {State} state @param {Player} match @param {Child} news */
function line({ panel, pointed, pending, fresh, width }, state, match, news) {
  const wanted = match.mayMove ? (pointed ?? hinted(panel)) : null;
  const aimed = pending?.multiplier ?? (state.lessons.mental ? null : wanted);
  const key = state.keys.find(({ multiplier }) => multiplier === aimed);
  const seat = state.to_move;
  const preview =
    key?.place && seat ? { place: key.place, multiplier: key.multiplier, seat } : null;
  const shown = lineOf(panel) ?? state.line;
  const label = describe(state, shown);
  const leftOut = bandsLeftOut(shown, width);
  return h(
    "div",
    { key: "line", class: "picture" },
    drawLine(shown, { width, label, preview, fresh, final: state.outcome !== null }),
    leftOut && h("p", { key: "left out", class: "caption" }, leftOut),
    news,
  );
}

/** The line that a panel draws: with every band, or with those that a hint has named. @param {Model["panel"]} panel */
function lineOf(panel) {
  if (!panel?.line || panel.kind === "why") return panel?.line;
  const { line, steps, shown } = panel;
  const told = steps.slice(0, shown).filter(({ multiplier }) => multiplier === null);
  const named = line.bands.filter((band) => {
    const whole = new RegExp(`\\b${band.text.replace(/[^\w ]/g, "\\$&")}\\b`);
    return told.some(({ text }) => whole.test(text));
  });
  return { ...line, bands: named };
}

/** The line in words. @param {Pick<State, "rules" | "total">} state @param {LineView} line */
export function describe({ rules, total: at }, { bands }) {
  const ends = `from ${shorten(rules.start)} to ${shorten(rules.target)}`;
  const lost = bands.map(({ text }) => group(text)).join(", ");
  const told = lost ? ` Lost totals: ${lost}.` : "";
  return `Number line ${ends}; the total is ${shorten(at)}.${told}`;
}

/** The keys, or what takes their place: the end, or what must be answered. @param {Model} model @param {State} state @param {Match} match */
function place(model, state, match) {
  if (state.outcome) return end(model, state, match);
  return h(
    "div",
    { key: "place", class: "place" },
    keys(model, state, match),
    request(model, state, match) || freeSeat(state, match),
  );
}

/** @param {State} state @param {Match} match */
function freeSeat({ seats, your_seat }, match) {
  if (your_seat || seats.every(({ taken }) => taken)) return null;
  const onclick = () => match.set({ watching: false });
  return h(
    "div",
    { key: "free", class: "choices" },
    h("button", { type: "button", class: "primary", onclick }, "Join the game"),
  );
}

/** @param {Model} model @param {State} state @param {Match} match */
function actions({ panel, mayLook }, state, match) {
  const playing = state.your_seat !== null && !state.outcome;
  const learns = mayLook && (state.lessons.hints || state.outcome !== null);
  const why = panel?.kind === "why";
  return h(
    "div",
    { key: "actions", class: "actions", role: "group", "aria-label": "Actions" },
    playing && learns && action("hint", "Hint", () => match.hint()),
    learns &&
      action("why", why ? "Hide why" : "Why?", () => match.why(), {
        "aria-expanded": why,
      }),
    playing &&
      state.may_take_back &&
      action("back", "Take back", () => match.send({ do: "take-back" }), {
        "aria-disabled": !allows(state, "take-back"),
      }),
    playing ? more(state, match) : action("rules", "Rules", () => match.rules()),
  );
}

/** What is needed less, and what should not be pressed by mistake. @param {State} state @param {Match} match */
function more(state, match) {
  const { products, inClass } = match.model;
  const level = state.seats.some(({ kind }) => kind !== "human");
  return h(
    "details",
    { key: "more", class: "more" },
    h("summary", { class: "action" }, "More"),
    h(
      "div",
      { class: "card" },
      action("rules", "Rules", () => match.rules()),
      !state.lessons.mental &&
        action("products", products ? "Hide products" : "Show products", () =>
          match.toggleProducts(),
        ),
      level &&
        !inClass &&
        h("a", { key: "claim", class: "action button", href: claimOf(state) }, "Claim"),
      action("resign", "Resign", () => match.resign()),
    ),
  );
}

/** Where a claim about a game is made. @param {State} state */
function claimOf({ game, rules }) {
  const { target, multipliers, start } = rules;
  const asked = { game, target, multipliers: multipliers.join(","), start };
  const query = Object.entries(asked).map(([name, value]) => [name, String(value)]);
  return `/learn?${new URLSearchParams(query)}#claim`;
}

/** @param {string} key @param {string} label @param {() => void} act @param {Props} props */
function action(key, label, act, props = {}) {
  const onclick = props["aria-disabled"] ? null : act;
  return h(
    "button",
    { key, type: "button", class: "action", ...props, onclick },
    label,
  );
}

/** @param {Model} model @param {State} state @param {Match} match */
function panel(model, state, match) {
  const { panel: asked } = model;
  /** @param {string} title @param {Child[]} body */
  const show = (title, ...body) =>
    h(
      "aside",
      {
        key: "panel",
        class: `panel${state.your_seat ? ` seat${state.your_seat}` : ""}`,
        tabindex: -1,
        "aria-label": "Coach",
      },
      h("strong", {}, title),
      body,
    );
  if (asked?.kind === "why") return show("Why. ", group(asked.why));
  if (asked?.kind === "hint") {
    const shown = asked.steps.slice(0, asked.shown);
    return show(
      "Hint. ",
      shown.map(({ text }) => h("p", {}, group(text))),
      asked.shown < asked.steps.length &&
        h(
          "button",
          { type: "button", class: "action", onclick: () => match.hint() },
          "Tell me more",
        ),
    );
  }
  return state.coach !== null && show("Coach. ", state.coach);
}

/** The moves as a list: beside the line where there is room, for those who listen, and for paper. @param {State} state */
function record(state) {
  const made = totals(state);
  let mover = other(state.first);
  return h(
    "ol",
    { key: "record", class: "record", "aria-label": "Moves" },
    state.moves.map((move, index) => {
      mover = other(mover);
      return h(
        "li",
        { key: index, class: `seat${mover}` },
        h("span", { class: "glyph", "aria-hidden": "true" }),
        h("span", { class: "by" }, named(nameOf(state, mover)), " "),
        h("strong", {}, `×${shorten(move)}`),
        h("span", { class: "unseen" }, " makes "),
        h("span", { class: "made" }, brief(made[index] ?? "")),
      );
    }),
  );
}

// Which game it is, and who plays it

/** @param {State} state @param {number} watching */
export function head(state, watching = 0, which = whichGame(state)) {
  const game = [which, watching > 0 && `${watching} watching`]
    .filter(Boolean)
    .join(" · ");
  return h(
    "header",
    { key: "head", class: "head" },
    h("h1", { tabindex: -1 }, state.title),
    h("p", { class: "aim-line" }, group(state.aim).replace(/\.$/, "")),
    game && h("p", { class: "which" }, game),
  );
}

/** @param {Model} model @param {State} state */
function seats(model, state) {
  return h(
    "ul",
    { key: "seats", class: "seats", "aria-label": "Players" },
    seatCard(model, state, 1),
    seatCard(model, state, 2),
  );
}

/** @param {Model} model @param {State} state @param {Seat} seat */
function seatCard({ presence }, state, seat) {
  const { name, kind, taken } = seatOf(state, seat);
  const moves = state.to_move === seat;
  const handed = moves && state.is_shared && state.your_seat !== null;
  const won = state.outcome?.winner === seat;
  const mine = state.your_seat === seat && !state.is_shared;
  const watched = taken && kind === "human" && !mine;
  const away = watched && presence !== null && !presence.connected[seat - 1];
  const notes = [taken && state.notes[seat - 1], away && "away"].filter(Boolean);
  const several = !isSingle(state.length);
  return h(
    "li",
    {
      key: seat,
      class: `seat seat${seat}${moves ? " moves" : ""}${won || handed ? " filled" : ""}`,
      "aria-current": moves ? "true" : null,
    },
    h("span", { class: "glyph", "aria-hidden": "true" }),
    h("span", { class: "who", title: taken && name }, taken ? named(name) : "free"),
    h("span", { class: "note" }, notes.join(" · ")),
    several &&
      h(
        "span",
        { class: "score" },
        h("span", { class: "unseen" }, "games won: "),
        state.score[seat - 1],
      ),
  );
}

/** What an address shows that leads nowhere. @param {string} title @param {string} why */
export function nothing(title, why) {
  return messageCard(title, why, link("Play a game", "/", "button primary"));
}

/** Who won, in the rule book's words, and what comes next. @param {Model} model @param {State} state @param {Match} match */
function end({ inClass, mayLook }, state, match) {
  const offers = state.offers.filter(({ kind }) => {
    if (kind === "practise") return !inClass;
    return kind === "review" ? mayLook : true;
  });
  const [next, ...others] = offers.map((offer) => choice(offer, state, match));
  return h(
    "section",
    { key: "end", class: `end seat${state.outcome?.winner ?? 1}` },
    h("h2", { tabindex: -1 }, labelled(state.headline)),
    h("p", { class: "outcome" }, saidOf(state, state.ending || state.said)),
    state.ending && h("p", { key: "since", class: "outcome" }, state.said),
    h(
      "div",
      { class: "choices" },
      next,
      !inClass && isLostToLevel(state) && tryAgainButton(match),
      others,
      !inClass &&
        h("a", { key: "home", class: "button plain", href: "/" }, "New match"),
    ),
  );
}

/** @param {Match} match */
function tryAgainButton(match) {
  const onclick = () => match.tryAgain();
  return h("button", { key: "again", type: "button", onclick }, "Try again");
}

/** @param {State} state */
function isLostToLevel({ outcome, your_seat, is_shared, seats }) {
  const played = your_seat !== null && !is_shared;
  const level = seats.some(({ kind }) => kind !== "human");
  return played && level && outcome !== null && outcome.winner !== your_seat;
}

/** @param {Offer} offer @param {State} state @param {Match} match */
function choice({ kind, label, ask }, state, match) {
  const text = h("span", {}, labelled(label));
  const key = kind;
  if (kind === "review") return h("a", { key, class: "button", href: "#review" }, text);
  const href = `/practise?match=${state.id}`;
  if (kind === "practise") return h("a", { key, class: "button", href }, text);
  if (!ask) return null; // what was said tells for whom one waits
  const onclick = () => match.send(ask);
  const primary = kind === "next" ? "primary" : null;
  return h("button", { key, type: "button", class: primary, onclick }, text);
}

/** A label as a sentence begins, with its name marked as one. @param {Label} label @returns {Child[]} */
export function labelled({ text, name }) {
  const [before = "", after] = text.split("{name}");
  const first = before.charAt(0).toUpperCase() + before.slice(1);
  return after === undefined ? [first] : [first, named(name), after];
}
