/**
 * What concerns one pupil: results, who sits where, and the end of the class. It is shown
 * once the teacher says that no projector shows it.
 * @module
 */

import { newRequestId, post, problemOf } from "./api.js";
import { confirm } from "./dialogs.js";
import { button, field, folded, h, link, messageCard, named, pick } from "./dom.js";
import { typedInto } from "./walk.js";

/** @import { ClassResults, PupilRow, ResultRow, Share, TeacherView } from "./class-messages.js" */
/** @import { Child } from "./dom.js" */
/** @import { Teach } from "./teach.js" */

/** @type {[string, (row: ResultRow) => Child][]} */
const COLUMNS = [
  ["Games", ({ games }) => games],
  ["Unfinished", ({ unfinished }) => unfinished],
  ["Won, start was won", ({ won_from_won }) => share(won_from_won)],
  ["Won, start was lost", ({ won_from_lost }) => share(won_from_lost)],
  ["Won positions kept", ({ kept }) => share(kept)],
  ["Products right", ({ right, shaky }) => (right + shaky.length > 0 ? right : "–")],
  ["Shaky", ({ shaky }) => shaky.join(", ") || "–"],
  ["Next step", ({ next_step }) => next_step],
];

/** The screen for the teacher alone. */
export class Results {
  /** @param {Teach} teach */
  constructor(teach) {
    this.teach = teach;
    this.isPrivate = false;
    /** @type {ClassResults | null} */
    this.results = null;
    /** The pupil who is being renamed. @type {number | null} */
    this.renaming = null;
  }

  open() {
    this.isPrivate = false;
    this.results = null;
  }

  async show() {
    this.isPrivate = true;
    this.teach.draw();
    this.results = await this.teach.load("/api/class/results");
  }

  async close() {
    const text = "The games and the door end. The results stay for you until tomorrow.";
    if (await confirm("Close the class?", text, "Go on", "Close the class")) {
      this.teach.ask({ do: "close" });
    }
  }

  async remove() {
    const text =
      "This removes the class, its games and its results. Nobody can bring them back.";
    const [keep, remove] = ["Keep it", "Remove everything"];
    if (!(await confirm("Remove everything?", text, keep, remove))) return;
    try {
      await post("/api/class/remove", { request_id: newRequestId() });
      this.teach.leave("The class and its results are removed.");
    } catch (error) {
      this.teach.set({ problem: problemOf(error) });
    }
  }

  /** @param {TeacherView} view */
  view({ pupils, is_closed }) {
    if (!this.isPrivate) {
      return messageCard(
        "Is the projector frozen?",
        "This page names pupils and shows their results. Freeze the projector’s picture, or switch it off, before you go on.",
        button("Nobody else sees this screen", () => this.show(), { class: "primary" }),
        link("Back", "#round"),
      );
    }
    const file = { class: "button", href: "/api/class/results?as=csv", download: "" };
    return [
      h("h1", { key: "title", tabindex: -1 }, "Results"),
      h(
        "div",
        { key: "take", class: "choices" },
        h("a", file, "Save as a table (CSV)"),
        button("Print", () => print()),
      ),
      this.results
        ? table(this.results.rows)
        : h("p", { key: "loading", class: "loading" }, "…"),
      h(
        "p",
        { key: "about", class: "soft" },
        "Few games say little: read these as counts, not as a mark.",
      ),
      !is_closed && [
        folded(
          "Pupils",
          String(pupils.length),
          h(
            "ul",
            { class: "pupils" },
            pupils.map((pupil) => h("li", { key: pupil.number }, this.pupil(pupil))),
          ),
        ),
        this.apart(pupils.filter(({ is_here }) => is_here)),
      ],
      h(
        "div",
        { key: "end", class: "choices class-end" },
        !is_closed && button("Close the class", () => this.close()),
        button("Remove everything", () => this.remove()),
      ),
    ];
  }

  /** @param {PupilRow} pupil */
  pupil(pupil) {
    const { number, names, name, is_here } = pupil;
    /** @param {number | null} renaming */
    const rename = (renaming) => {
      this.renaming = renaming;
      this.teach.draw();
    };
    if (this.renaming === number) {
      return h(
        "form",
        {
          key: "renaming",
          class: "choices",
          onsubmit: async (/** @type {SubmitEvent} */ event) => {
            const typed = typedInto(event);
            const asked = { do: /** @type {const} */ ("rename"), pupil: number };
            if (await this.teach.ask({ ...asked, names: typed })) rename(null);
          },
        },
        names.map((value, index) =>
          field(names.length > 1 ? `Name ${index + 1}` : "Name", {
            value,
            autocomplete: "off",
            autofocus: index === 0,
          }),
        ),
        h("button", { class: "primary" }, "Save"),
      );
    }
    return [
      named(name),
      h("span", { class: "soft" }, placeOf(pupil)),
      is_here && [
        button("Rename", () => rename(number)),
        button("Has left", () => this.teach.ask({ do: "leave", pupil: number })),
      ],
    ];
  }

  /** Two pupils who must not meet. @param {PupilRow[]} here */
  apart(here) {
    const all = [["", "…"], ...here.map(({ number, name }) => [String(number), name])];
    const pairs = here.flatMap((one) =>
      here.flatMap((two) =>
        one.number < two.number && one.apart.includes(two.number) ? [{ one, two }] : [],
      ),
    );
    /** @param {[number, number]} pupils @param {boolean} is_on */
    const keep = (pupils, is_on) => this.teach.ask({ do: "apart", pupils, is_on });
    /** @param {SubmitEvent} event */
    const onsubmit = (event) => {
      event.preventDefault();
      const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
      keep([Number(form.get("one")), Number(form.get("two"))], true);
    };
    return folded("Who must not meet", String(pairs.length), [
      h(
        "ul",
        { class: "pupils" },
        pairs.map(({ one, two }) =>
          h(
            "li",
            { key: `${one.number} ${two.number}` },
            h("span", {}, named(one.name), " and ", named(two.name)),
            button("May meet again", () => keep([one.number, two.number], false)),
          ),
        ),
      ),
      h(
        "form",
        { class: "choices", onsubmit },
        pick("One", "", all, null, { name: "one", required: true }),
        pick("The other", "", all, null, { name: "two", required: true }),
        h("button", {}, "Keep apart"),
      ),
    ]);
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
  const titles = ["Name", ...COLUMNS.map(([title]) => title)];
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
          titles.map((title) => h("th", { key: title, scope: "col" }, title)),
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
            COLUMNS.map(([, cell]) => h("td", {}, cell(row))),
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
