/**
 * The board: every table with its total, its line and whose turn it is. It is made to be
 * projected: names show only where the teacher switched them on, and results never.
 * @module
 */

import { h, named } from "./dom.js";
import { brief, group } from "./text.js";

/** @import { PupilRow, RoundView, Seating, TableRow, TeacherView } from "./class-messages.js" */
/** @import { LineView, Seat, Whole } from "./state.js" */
/** @import { Teach } from "./teach.js" */

/** @typedef {{label: string, table: Seating}} Way */
/** @typedef {{key: string, text: string, ways: Way[]}} Offer */

const COLUMNS = [2, 3, 4, 5, 6, 7, 8, 9];
const MOST_COLUMNS = 10;

/** A line is drawn in these units; its picture is as wide as its card. */
const PICTURE = { width: 240, height: 54, pad: 12, axis: 42, highest: 32 };

/** @param {Teach} teach @param {TeacherView} view @param {RoundView} round */
export function board(teach, view, round) {
  const { tables } = view;
  // A projector shows one row less than a row has tables.
  const fits = COLUMNS.find((each) => tables.length <= each * (each - 1));
  const columns = fits ?? MOST_COLUMNS;
  return [
    h(
      "header",
      { key: "head", class: "board-head" },
      h("h1", { tabindex: -1 }, round.title),
      h("p", {}, group(round.aim)),
      h(
        "div",
        { class: "choices" },
        h(
          "button",
          {
            type: "button",
            "aria-pressed": teach.showsNames,
            onclick: () => teach.set({ showsNames: !teach.showsNames }),
          },
          "Names",
        ),
        h(
          "button",
          { type: "button", onclick: () => teach.endRound() },
          "End the round",
        ),
      ),
    ),
    h(
      "div",
      { key: "offers", class: "offers" },
      offersOf(view, teach.showsNames).map((offer) => offered(teach, offer)),
    ),
    h(
      "ul",
      {
        key: "board",
        class: "board",
        "aria-label": "Tables",
        style: { "--columns": columns },
      },
      tables.map((table) => card(table, teach.showsNames)),
    ),
  ];
}

/** @param {Teach} teach @param {Offer} offer */
function offered(teach, { key, text, ways }) {
  return h(
    "div",
    { key, class: "offer" },
    h("p", {}, text),
    ways.map(({ label, table }) =>
      h(
        "button",
        {
          key: label,
          type: "button",
          onclick: () => teach.ask({ do: "open-table", table }),
        },
        label,
      ),
    ),
  );
}

/** The cards of the rows as they came: a row that has not changed is not drawn again. @type {[WeakMap<TableRow, ReturnType<typeof h>>, WeakMap<TableRow, ReturnType<typeof h>>]} */
const cards = [new WeakMap(), new WeakMap()];

/** @param {TableRow} row @param {boolean} hasNames */
function card(row, hasNames) {
  const known = cards[hasNames ? 1 : 0];
  const made = known.get(row) ?? makeCard(row, hasNames);
  known.set(row, made);
  return made;
}

/** @param {TableRow} row @param {boolean} hasNames */
function makeCard({ number, total, to_move, names, line }, hasNames) {
  return h(
    "li",
    { key: number, class: "card at-table" },
    h("p", { class: "which" }, h("span", { class: "unseen" }, "Table "), number),
    amountOf(total),
    hasNames
      ? h(
          "p",
          { class: "turn both" },
          seatName(names[0], 1, to_move),
          seatName(names[1], 2, to_move),
        )
      : h("p", { class: `turn seat${to_move}` }, turn(to_move)),
    smallLine(line),
  );
}

/** The total, as large as its card lets it be. @param {Whole} total */
function amountOf(total) {
  const text = brief(String(total));
  return h("p", { class: "amount", style: { "--length": text.length } }, text);
}

/** @param {Seat | null} seat */
function turn(seat) {
  if (!seat) return h("span", { class: "words" }, "game over");
  const unseen = h(
    "span",
    { class: "unseen" },
    seat === 1 ? "first player " : "second player ",
  );
  return [
    h("span", { class: "glyph", "aria-hidden": "true" }),
    unseen,
    h("span", { class: "words" }, "to move"),
  ];
}

/** @param {string} name @param {Seat} seat @param {Seat | null} mover */
function seatName(name, seat, mover) {
  return h(
    "span",
    { class: `seat${seat}${seat === mover ? " moves" : ""}` },
    h("span", { class: "glyph", "aria-hidden": "true" }),
    named(name),
    seat === mover && h("span", { class: "unseen" }, " to move"),
  );
}

/** A game as hops, without numbers: on a board there are many. @param {LineView} line */
export function smallLine({ hops, target, total }) {
  const { width, height, pad, axis, highest } = PICTURE;
  const length = width - 2 * pad;
  /** @param {number} place */
  const x = (place) => Number((pad + place * length).toFixed(1));
  const flies = target > 0.94 ? -9 : 9;
  return h(
    "svg",
    {
      class: "line small-line",
      viewBox: `0 0 ${width} ${height}`,
      "aria-hidden": "true",
    },
    h("path", { class: "axis", d: `M${x(0)} ${axis}H${x(1)}M${x(0)} ${axis - 5}v10` }),
    h("path", { class: "axis", d: `M${x(target)} ${axis + 5}V${axis - 20}` }),
    hops.map(({ left, right, seat }, index) => {
      const rise = Math.min(Math.max((right - left) * length * 0.42, 7), highest);
      const [from, to] = [x(left), x(right)];
      const d = `M${from} ${axis}Q${(from + to) / 2} ${axis - 2 * rise} ${to} ${axis}`;
      return h("path", { key: `hop${index}`, class: `hop seat${seat}`, d });
    }),
    hops.slice(0, -1).map(({ right, seat }, index) =>
      seat === 1
        ? h("circle", {
            key: `at${index}`,
            class: "mark seat1",
            cx: x(right),
            cy: axis,
            r: 3.5,
          })
        : h("rect", {
            key: `at${index}`,
            class: "mark seat2",
            x: x(right) - 3.5,
            y: axis - 3.5,
            width: 7,
            height: 7,
          }),
    ),
    h("path", {
      class: "flag",
      d: `M${x(target)} ${axis - 21}l${flies} 4l${-flies} 4z`,
    }),
    total !== null &&
      h("circle", { key: "ring", class: "ring", cx: x(total), cy: axis, r: 5.5 }),
  );
}

/**
 * Offer a game to pupils who wait, to each other if they may meet, and to those whose
 * partner is away.
 * @param {TeacherView} view
 * @param {boolean} hasNames
 * @returns {Offer[]}
 */
export function offersOf({ pupils, waiting, tables, round }, hasNames) {
  if (!round) return [];
  const byNumber = new Map(pupils.map((each) => [each.number, each]));
  /** @type {Offer[]} */
  const offers = [];
  let free = waiting.flatMap((each) => byNumber.get(each) ?? []);
  free = free.filter(({ is_away }) => !is_away);
  while (free.length > 0) {
    const [pupil, ...others] = /** @type {[PupilRow, ...PupilRow[]]} */ (free);
    const partner = others.find((each) => mayMeet(pupil, each));
    free = others.filter((each) => each !== partner);
    offers.push(partner ? pair(pupil, partner, hasNames) : alone(pupil));
  }
  /** @param {PupilRow} pupil */
  function alone(pupil) {
    const table = tables.find(({ level, pupils: [one = 0] }) => {
      const other = byNumber.get(one);
      return level && other && !other.is_away && mayMeet(pupil, other);
    });
    return single(pupil, table, hasNames);
  }
  for (const { number, is_away, table } of pupils) {
    const row = tables.find((each) => is_away && each.number === table);
    const left = row?.pupils.find((each) => each !== number);
    if (!row || !left || byNumber.get(left)?.is_away) continue;
    offers.push({
      key: `away ${number}`,
      text: `Table ${row.number}: ${hasNames ? nameOf(byNumber.get(number)) : "a pupil"} is away.`,
      ways: [{ label: "Free the partner", table: { pupils: [left] } }],
    });
  }
  return offers;
}

/** @param {PupilRow} one @param {PupilRow} other */
function mayMeet(one, other) {
  return !one.is_duel && !other.is_duel && !one.apart.includes(other.number);
}

/** @param {PupilRow | undefined} pupil */
function nameOf(pupil) {
  return pupil?.name ?? "a pupil";
}

/** @param {PupilRow} one @param {PupilRow} other @param {boolean} hasNames @returns {Offer} */
function pair(one, other, hasNames) {
  return {
    key: `wait ${one.number}`,
    text: hasNames ? `${one.name} and ${other.name} wait.` : "Two pupils wait.",
    ways: [{ label: "Let them play", table: { pupils: [one.number, other.number] } }],
  };
}

/** @param {PupilRow} pupil @param {TableRow | undefined} table of another who plays a level @param {boolean} hasNames @returns {Offer} */
function single({ number, name, is_duel }, table, hasNames) {
  const level = {
    label: is_duel ? "Let them play" : "Play a level",
    table: { pupils: [number] },
  };
  const [other] = table?.pupils ?? [];
  const meet = table &&
    other !== undefined && {
      label: `Play the pupil at table ${table.number}`,
      table: { pupils: [number, other] },
    };
  return {
    key: `wait ${number}`,
    text: hasNames ? `${name} waits.` : "A pupil waits.",
    ways: meet ? [meet, level] : [level],
  };
}
