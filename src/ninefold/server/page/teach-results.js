/**
 * What concerns one pupil: results, who sits where, and the end of the class. It is shown
 * once the teacher says that no projector shows it.
 * @module
 */

import { get, newRequestId, post, problemOf } from "./api.js";
import { ask } from "./dialogs.js";
import { field, h, named, pick } from "./dom.js";

/** @import { ClassResults, PupilRow, ResultRow, Share, TeacherView } from "./class-messages.js" */
/** @import { Teach } from "./teach.js" */

/** @typedef {{pupil: number, names: string[]}} Renamed */

/** The private page. */
export class Results {
  /** @param {Teach} teach */
  constructor(teach) {
    this.teach = teach;
    this.isPrivate = false;
    /** @type {ClassResults | null} */
    this.results = null;
    /** Who is being renamed. @type {Renamed | null} */
    this.renamed = null;
    /** @type {[string, string]} */
    this.pair = ["", ""];
  }

  open() {
    this.isPrivate = false;
    this.results = null;
  }

  async show() {
    this.isPrivate = true;
    this.teach.focusHeading();
    try {
      this.results = await get("/api/class/results");
    } catch (error) {
      this.teach.set({ problem: problemOf(error) });
    }
    this.teach.draw();
  }

  /** End the class, after a question. */
  async close() {
    const given = await ask({
      title: "Close the class?",
      body: [
        h(
          "p",
          {},
          "The games and the door end. The results stay for you until tomorrow.",
        ),
      ],
      answers: [
        { value: "stay", label: "Go on" },
        { value: "close", label: "Close the class" },
      ],
    });
    if (given?.value === "close" && (await this.teach.ask({ do: "close" }))) {
      this.teach.focusHeading();
    }
  }

  /** Remove everything, after two questions. */
  async remove() {
    const first = await ask({
      title: "Remove everything?",
      body: [h("p", {}, "This removes the class, its games and its results.")],
      answers: [
        { value: "stay", label: "Keep it" },
        { value: "remove", label: "Remove everything" },
      ],
    });
    if (first?.value !== "remove") return;
    const second = await ask({
      title: "Are you sure?",
      body: [h("p", {}, "Nobody can bring the class back.")],
      answers: [
        { value: "stay", label: "Keep it" },
        { value: "remove", label: "Yes, remove everything" },
      ],
    });
    if (second?.value !== "remove") return;
    try {
      await post("/api/class/remove", { request_id: newRequestId() });
      this.teach.leave("The class and its results are removed.");
    } catch (error) {
      this.teach.set({ problem: problemOf(error) });
    }
  }

  /** @param {TeacherView} view */
  view(view) {
    if (!this.isPrivate) return this.question();
    return [
      h("h1", { key: "title", tabindex: -1 }, "Results"),
      h(
        "div",
        { key: "take", class: "choices" },
        h(
          "a",
          { class: "button", href: "/api/class/results?as=csv", download: "" },
          "Save as a table (CSV)",
        ),
        h("button", { type: "button", onclick: () => print() }, "Print"),
      ),
      this.results
        ? table(this.results.rows)
        : h("p", { key: "loading", class: "loading" }, "…"),
      h(
        "p",
        { key: "about", class: "soft" },
        "Few games say little: read these as counts, not as a mark.",
      ),
      !view.is_closed && [this.pupils(view), this.apart(view)],
      h(
        "div",
        { key: "end", class: "choices class-end" },
        !view.is_closed &&
          h(
            "button",
            { key: "close", type: "button", onclick: () => this.close() },
            "Close the class",
          ),
        h(
          "button",
          { key: "remove", type: "button", onclick: () => this.remove() },
          "Remove everything",
        ),
      ),
    ];
  }

  question() {
    return h(
      "div",
      { key: "question", class: "card nothing" },
      h("h1", { tabindex: -1 }, "Is the projector frozen?"),
      h(
        "p",
        {},
        "This page names pupils and shows their results. Freeze the projector’s picture, or switch it off, before you go on.",
      ),
      h(
        "div",
        { class: "choices" },
        h(
          "button",
          { type: "button", class: "primary", onclick: () => this.show() },
          "Nobody else sees this screen",
        ),
        h("a", { class: "button", href: "#round" }, "Back"),
      ),
    );
  }

  /** Who is where. @param {TeacherView} view */
  pupils({ pupils }) {
    return h(
      "details",
      { key: "pupils", class: "options" },
      h(
        "summary",
        {},
        h("strong", {}, "Pupils"),
        " ",
        h("span", {}, `${pupils.length}`),
      ),
      h(
        "ul",
        { class: "pupils" },
        pupils.map((pupil) => h("li", { key: pupil.number }, this.pupil(pupil))),
      ),
    );
  }

  /** @param {PupilRow} pupil */
  pupil(pupil) {
    const { number, names, name, is_here } = pupil;
    if (this.renamed?.pupil === number) return this.renaming(this.renamed);
    const rename = () => {
      this.renamed = { pupil: number, names: [...names] };
      this.teach.draw();
    };
    const leave = () => this.teach.ask({ do: "leave", pupil: number });
    return [
      named(name),
      h("span", { class: "soft" }, placeOf(pupil)),
      is_here && [
        h("button", { key: "rename", type: "button", onclick: rename }, "Rename"),
        h("button", { key: "leave", type: "button", onclick: leave }, "Has left"),
      ],
    ];
  }

  /** @param {Renamed} renamed */
  renaming({ pupil, names }) {
    return h(
      "form",
      {
        key: "renaming",
        class: "choices",
        onsubmit: async (/** @type {Event} */ event) => {
          event.preventDefault();
          if (!(await this.teach.ask({ do: "rename", pupil, names }))) return;
          this.renamed = null;
          this.teach.draw();
        },
      },
      names.map((name, index) =>
        field(names.length > 1 ? `Name ${index + 1}` : "Name", {
          value: name,
          autocomplete: "off",
          autofocus: index === 0,
          oninput: (/** @type {Event} */ { target }) => {
            names[index] = /** @type {HTMLInputElement} */ (target).value;
            this.teach.draw();
          },
        }),
      ),
      h("button", { class: "primary" }, "Save"),
    );
  }

  /** Two pupils who must not meet. @param {TeacherView} view */
  apart({ pupils }) {
    const here = pupils.filter(({ is_here }) => is_here);
    const all = [["", "…"], ...here.map(({ number, name }) => [String(number), name])];
    const names = new Map(here.map((each) => [each.number, each.name]));
    const pairs = here.flatMap(({ number, name, apart }) =>
      apart
        .filter((each) => each > number && names.has(each))
        .map((each) => ({
          pupils: /** @type {[number, number]} */ ([number, each]),
          text: [named(name), " and ", named(names.get(each) ?? "")],
        })),
    );
    const [one, two] = this.pair;
    /** @param {0 | 1} index */
    const follow =
      (index) =>
      (/** @type {Event} */ { target }) => {
        this.pair[index] = /** @type {HTMLSelectElement} */ (target).value;
        this.teach.draw();
      };
    return h(
      "details",
      { key: "apart", class: "options" },
      h(
        "summary",
        {},
        h("strong", {}, "Who must not meet"),
        " ",
        h("span", {}, `${pairs.length}`),
      ),
      h(
        "ul",
        { class: "pupils" },
        pairs.map(({ pupils: pair, text }) =>
          h(
            "li",
            { key: `${pair}` },
            text,
            h(
              "button",
              {
                type: "button",
                onclick: () =>
                  this.teach.ask({ do: "apart", pupils: pair, is_on: false }),
              },
              "May meet again",
            ),
          ),
        ),
      ),
      h(
        "div",
        { class: "choices" },
        pick("One", one, all, follow(0)),
        pick("The other", two, all, follow(1)),
        h(
          "button",
          {
            type: "button",
            "aria-disabled": !one || !two,
            onclick: () =>
              one &&
              two &&
              this.teach.ask({ do: "apart", pupils: [Number(one), Number(two)] }),
          },
          "Keep apart",
        ),
      ),
    );
  }
}

/** @param {PupilRow} pupil */
function placeOf({ has_left, knocks, is_away, table }) {
  if (has_left) return "has left";
  if (knocks) return "knocks";
  const place = table === null ? "waits" : `table ${table}`;
  return is_away ? `${place}, away` : place;
}

/** @param {ResultRow[]} rows */
function table(rows) {
  return h(
    "div",
    {
      key: "results",
      class: "results",
      tabindex: 0,
      role: "group",
      "aria-label": "Results",
    },
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          [
            "Name",
            "Games",
            "Won, start was won",
            "Won, start was lost",
            "Won positions kept",
            "Products right",
            "Shaky",
            "Next step",
          ].map((title) => h("th", { key: title, scope: "col" }, title)),
        ),
      ),
      h(
        "tbody",
        {},
        rows.map((row) =>
          h(
            "tr",
            { key: row.pupil },
            h("th", { scope: "row" }, named(row.name)),
            h(
              "td",
              {},
              row.unfinished > 0
                ? `${row.games} (+${row.unfinished} unfinished)`
                : row.games,
            ),
            h("td", {}, share(row.won_from_won)),
            h("td", {}, share(row.won_from_lost)),
            h("td", {}, share(row.kept)),
            h("td", {}, row.right + row.shaky.length > 0 ? row.right : "–"),
            h("td", {}, row.shaky.join(", ") || "–"),
            h("td", {}, row.next_step),
          ),
        ),
      ),
    ),
  );
}

/** @param {Share} share */
function share({ count, of }) {
  return of > 0 ? `${count} of ${of}` : "–";
}
