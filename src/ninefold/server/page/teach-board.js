/**
 * The board: every table with its total, its line and whose turn it is. It is made to be
 * projected: names show only where the teacher switched them on, and results never.
 * @module
 */

import { button, h, named } from "./dom.js";
import { smallLine } from "./number-line.js";
import { brief, group } from "./text.js";

/** @import { PupilRow, RoundView, Seating, TableRow, TeacherView } from "./class-messages.js" */
/** @import { Description } from "./dom.js" */
/** @import { Seat } from "./state.js" */
/** @import { Teach } from "./teach.js" */

/** @typedef {{key: string, text: string, ways: [string, Seating][]}} Offer */

/** @param {Teach} teach @param {TeacherView} view @param {RoundView} round */
export function board(teach, view, round) {
  const { tables } = view;
  const { showsNames } = teach;
  // A projector shows one row less than a row has tables.
  const columns = Math.ceil((1 + Math.sqrt(1 + 4 * tables.length)) / 2);
  const names = () => teach.set({ showsNames: !showsNames });
  return [
    h(
      "header",
      { key: "head", class: "board-head" },
      h("h1", { tabindex: -1 }, round.title),
      h("p", {}, group(round.aim)),
      button("Names", names, { "aria-pressed": showsNames }),
      button("End the round", () => teach.endRound()),
    ),
    h(
      "div",
      { key: "offers", class: "offers" },
      offersOf(view, showsNames).map((offer) => offered(teach, offer)),
    ),
    h(
      "ul",
      {
        key: "board",
        class: "board",
        "aria-label": "Tables",
        style: { "--columns": columns },
      },
      tables.map((table) => card(table, showsNames)),
    ),
  ];
}

/** @param {Teach} teach @param {Offer} offer */
function offered(teach, { key, text, ways }) {
  return h(
    "div",
    { key, class: "offer" },
    h("p", {}, text),
    ways.map(([label, table]) =>
      button(label, () => teach.ask({ do: "open-table", table })),
    ),
  );
}

/** The last card of each row. @type {WeakMap<TableRow, {showsNames: boolean, made: Description}>} */
const cards = new WeakMap();

/** Describe a table; a row that has not changed is not drawn again. @param {TableRow} row @param {boolean} showsNames */
function card(row, showsNames) {
  const last = cards.get(row);
  if (last?.showsNames === showsNames) return last.made;
  const made = makeCard(row, showsNames);
  cards.set(row, { showsNames, made });
  return made;
}

/** @param {TableRow} row @param {boolean} showsNames */
function makeCard({ number, total, to_move, names, line }, showsNames) {
  const amount = brief(String(total));
  const turn = showsNames
    ? [player(names[0], 1, to_move), player(names[1], 2, to_move)]
    : to_move
      ? player("", to_move, to_move)
      : "game over";
  return h(
    "li",
    { key: number, class: "card at-table" },
    h("p", { class: "table-number" }, h("span", { class: "unseen" }, "Table "), number),
    h("p", { class: "turn" }, turn),
    h("p", { class: "amount", style: { "--length": amount.length } }, amount),
    smallLine(line),
  );
}

/** Who plays at a seat, or without a name which seat it is. @param {string} name @param {Seat} seat @param {Seat | null} mover */
function player(name, seat, mover) {
  const isMover = seat === mover;
  const which = seat === 1 ? "first player" : "second player";
  return h(
    "span",
    { key: seat, class: `seat${seat}${name && isMover ? " moves" : ""}` },
    h("span", { class: "glyph", "aria-hidden": "true" }),
    name ? named(name) : h("span", { class: "unseen" }, which),
    isMover && h("span", { class: name ? "unseen" : "words" }, " to move"),
  );
}

/**
 * Offer a game to pupils who wait, to each other if they may meet, and to those whose
 * partner is away.
 * @param {TeacherView} view
 * @param {boolean} showsNames
 * @returns {Offer[]}
 */
function offersOf({ pupils, waiting, tables }, showsNames) {
  const byNumber = new Map(pupils.map((each) => [each.number, each]));
  /** @param {number | undefined} number */
  const present = (number) => {
    const pupil = byNumber.get(number ?? 0);
    return pupil?.is_away ? undefined : pupil;
  };
  /** @type {Offer[]} */
  const offers = [];
  const free = waiting.flatMap((number) => present(number) ?? []);
  for (let one = free.shift(); one; one = free.shift()) {
    const { number, name, is_duel } = one;
    const index = free.findIndex((other) => mayMeet(one, other));
    const [partner] = index < 0 ? [] : free.splice(index, 1);
    if (partner) {
      offers.push({
        key: `wait ${number}`,
        text: showsNames ? `${name} and ${partner.name} wait.` : "Two pupils wait.",
        ways: [["Let them play", { pupils: [number, partner.number] }]],
      });
      continue;
    }
    /** @type {[string, Seating][]} */
    const ways = [[is_duel ? "Let them play" : "Play a level", { pupils: [number] }]];
    const alone = tables.find(({ level, pupils: [first] }) => {
      const other = level ? present(first) : undefined;
      return other && mayMeet(one, other);
    });
    if (alone) {
      const seats = { pupils: [number, ...alone.pupils] };
      ways.unshift([`Play the pupil at table ${alone.number}`, seats]);
    }
    const text = showsNames ? `${name} waits.` : "A pupil waits.";
    offers.push({ key: `wait ${number}`, text, ways });
  }
  for (const { number, name, is_away, table } of pupils) {
    const row = tables.find((each) => is_away && each.number === table);
    const partner = present(row?.pupils.find((each) => each !== number));
    if (!row || !partner) continue;
    offers.push({
      key: `away ${number}`,
      text: `Table ${row.number}: ${showsNames ? name : "a pupil"} is away.`,
      ways: [["Free the partner", { pupils: [partner.number] }]],
    });
  }
  return offers;
}

/** @param {PupilRow} one @param {PupilRow} other */
function mayMeet(one, other) {
  return !one.is_duel && !other.is_duel && !one.apart.includes(other.number);
}
