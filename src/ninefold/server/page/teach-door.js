/**
 * Before the lesson: the address, the code, and who has joined.
 * @module
 */

import { get, problemOf } from "./api.js";
import { h, named, pick } from "./dom.js";

/** @import { Address, Network, TeacherView } from "./class-messages.js" */
/** @import { Teach } from "./teach.js" */

const PATIENCE = 30_000; // a tablet that is asked to visit has come by then
const MOST_IN_FILE = 20_000;

const NO_NAMES =
  "This file holds no names. Save it as plain text, one first name a line.";

/** What helps a tablet that does not reach the laptop, the likeliest first. */
const REMEDIES = [
  "Allow ninefold when the firewall asks. On Windows that takes an administrator, once.",
  "Connect the tablet to the same Wi-Fi as this computer.",
  "Switch off the VPN of this computer.",
  "Many schools' Wi-Fi keeps devices apart. Ask for one that does not, or bring a small router.",
  "Or use a server on the Internet: start ninefold class with --server and its address.",
];

/** How pupils come in. */
export class Door {
  /** @param {Teach} teach */
  constructor(teach) {
    this.teach = teach;
    /** @type {Address[] | null} */
    this.addresses = null;
    this.chosen = "";
    this.checkedAt = 0;
    this.roster = "";
  }

  /** Ask for the addresses: a laptop may have joined another network. */
  async open() {
    try {
      /** @type {Network} */
      const { addresses } = await get("/api/class/network");
      this.addresses = addresses;
      this.teach.draw();
    } catch (error) {
      this.teach.set({ problem: problemOf(error) });
    }
  }

  /** @param {TeacherView} view */
  view(view) {
    const { addresses, teach } = this;
    const address = addresses?.find(({ url }) => url === this.chosen) ?? addresses?.[0];
    return [
      h(
        "div",
        { key: "way", class: "way-in card" },
        h(
          "h1",
          { tabindex: -1 },
          view.is_open ? "Join the class" : "The door is closed",
        ),
        address && [
          h("p", { key: "open" }, "Open"),
          h("p", { key: "address", class: "address" }, plain(address.url)),
        ],
        h("p", {}, "and type"),
        h(
          "p",
          { class: "code" },
          h("span", {}, view.code.slice(0, 3)),
          " ",
          h("span", {}, view.code.slice(3)),
        ),
        address &&
          h("img", {
            key: "qr",
            class: "qr",
            src: `data:image/svg+xml,${encodeURIComponent(address.qr)}`,
            width: 300,
            height: 300,
            alt: "A QR code of the address",
          }),
      ),
      this.present(view),
      h(
        "div",
        { key: "settings", class: "settings" },
        h(
          "button",
          {
            type: "button",
            onclick: () => teach.ask({ do: "door", is_open: !view.is_open }),
          },
          view.is_open ? "Close the door" : "Open the door",
        ),
        addresses &&
          addresses.length > 1 &&
          pick(
            "Address",
            address?.url ?? "",
            addresses.map(({ url }) => [url, plain(url)]),
            ({ target }) => {
              this.chosen = /** @type {HTMLSelectElement} */ (target).value;
              teach.draw();
            },
          ),
        this.check(view),
        this.names(view),
      ),
    ];
  }

  /** Who is here; a tap sends a name back. @param {TeacherView} view */
  present({ pupils, absent, has_roster }) {
    const here = pupils.filter(({ is_here }) => is_here);
    return h(
      "div",
      { key: "present", class: "present" },
      h("h2", {}, here.length === 0 ? "Nobody has joined yet" : `${here.length} here`),
      h(
        "ul",
        {},
        here.map(({ number, name }) =>
          h(
            "li",
            { key: number },
            named(name),
            h(
              "button",
              {
                type: "button",
                class: "quiet",
                "aria-label": `Send ${name} back`,
                title: "Send back for another name",
                onclick: () =>
                  this.teach.ask({ do: "leave", pupil: number, is_sent_back: true }),
              },
              "✕",
            ),
          ),
        ),
      ),
      has_roster &&
        absent.length > 0 && [
          h("h2", { key: "missing", class: "soft" }, `${absent.length} not here yet`),
          h(
            "ul",
            { key: "absent", class: "soft" },
            absent.map((name) => h("li", { key: name }, named(name))),
          ),
        ],
    );
  }

  /** @param {TeacherView} view */
  check({ reached_from }) {
    const waited = performance.now() - this.checkedAt;
    const isLate = this.checkedAt > 0 && waited >= PATIENCE && !reached_from;
    return h(
      "details",
      {
        key: "check",
        class: "options",
        ontoggle: (/** @type {Event} */ { currentTarget }) => {
          const { open } = /** @type {HTMLDetailsElement} */ (currentTarget);
          this.checkedAt = open ? performance.now() : 0;
          this.teach.draw();
        },
      },
      h("summary", {}, h("strong", {}, "Check the connection")),
      h(
        "div",
        {},
        h("p", {}, "Scan this with one tablet."),
        h(
          "p",
          { role: "status" },
          reached_from ? `Reached from ${reached_from}.` : "Nobody has come yet.",
        ),
        isLate && [
          h(
            "p",
            { key: "late" },
            "If the tablet does not get here, try these in turn:",
          ),
          h(
            "ol",
            { key: "remedies" },
            REMEDIES.map((each) => h("li", {}, each)),
          ),
        ],
      ),
    );
  }

  /** The names to tap, pasted or from a file. @param {TeacherView} view */
  names({ has_roster }) {
    return h(
      "details",
      { key: "roster", class: "options" },
      h(
        "summary",
        {},
        h("strong", {}, "Names to tap"),
        " ",
        h("span", {}, has_roster ? "from your list" : "off: pupils type their names"),
      ),
      h(
        "div",
        {},
        h(
          "p",
          {},
          "One first name a line. “Mia, Tom” on a line share a device; “Mia / Ben” never meet at a table.",
        ),
        h("textarea", {
          "aria-label": "Names",
          rows: 6,
          value: this.roster,
          oninput: (/** @type {Event} */ { target }) => {
            this.roster = /** @type {HTMLTextAreaElement} */ (target).value;
          },
        }),
        h(
          "div",
          { class: "choices" },
          h(
            "button",
            {
              type: "button",
              class: "primary",
              onclick: () => this.offer(this.roster),
            },
            "Use these names",
          ),
          h(
            "label",
            { class: "button file" },
            "Choose a file",
            h("input", {
              type: "file",
              accept: ".txt,.csv,text/plain",
              onchange: (/** @type {Event} */ { target }) =>
                this.read(/** @type {HTMLInputElement} */ (target)),
            }),
          ),
          has_roster &&
            h(
              "button",
              { key: "off", type: "button", onclick: () => this.offer("") },
              "Have names typed",
            ),
        ),
      ),
    );
  }

  /** @param {string} text */
  offer(text) {
    return this.teach.ask({ do: "roster", text });
  }

  /** @param {HTMLInputElement} input */
  async read(input) {
    const [file] = input.files ?? [];
    input.value = "";
    if (!file) return;
    const isSmall = file.size <= MOST_IN_FILE;
    const read = new TextDecoder("utf-8", { fatal: true });
    try {
      this.roster = isSmall ? read.decode(await file.arrayBuffer()) : "";
      this.teach.set({ problem: isSmall ? "" : NO_NAMES });
    } catch {
      this.teach.set({ problem: NO_NAMES });
    }
  }
}

/** Devices that knock, on every screen. @param {Teach} teach @param {TeacherView} view */
export function knocks(teach, { pupils }) {
  const knocking = pupils.filter((each) => each.knocks);
  if (knocking.length === 0) return null;
  return h(
    "div",
    { key: "knocks", class: "offers" },
    knocking.map(({ number, name, is_here }) => {
      /** @param {"let-in" | "leave"} what */
      const act = (what) => () =>
        what === "leave"
          ? teach.ask({ do: what, pupil: number, is_sent_back: true })
          : teach.ask({ do: what, pupil: number });
      const about = is_here ? " is here with another device." : " asks to come in.";
      return h(
        "div",
        { key: number, class: "offer" },
        h("p", {}, named(name), about),
        h(
          "button",
          { type: "button", class: "primary", onclick: act("let-in") },
          "Let in",
        ),
        !is_here &&
          h(
            "button",
            { key: "back", type: "button", onclick: act("leave") },
            "Send back",
          ),
      );
    }),
  );
}

/** An address as people type it. @param {string} url */
function plain(url) {
  return url.replace(/^https?:\/\//, "").replace(/\/$/, "");
}
