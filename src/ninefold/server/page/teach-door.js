/**
 * How pupils come in: the address, the code, the names, and who has joined.
 * @module
 */

import { button, entryOf, folded, h, named, pick } from "./dom.js";
import { spaced } from "./teach-bar.js";

/** @import { Address, Network, PupilRow, TeacherView } from "./class-messages.js" */
/** @import { Teach } from "./teach.js" */

const PATIENCE = 30_000; // a tablet that is asked to visit has come by then

/** What helps a tablet that does not reach the laptop, the likeliest first. */
const REMEDIES = [
  "Allow ninefold when the firewall asks. On Windows that takes an administrator, once.",
  "Connect the tablet to the same Wi-Fi as this computer.",
  "Switch off the VPN of this computer.",
  "Many schools' Wi-Fi keeps devices apart. Ask for one that does not, or bring a small router.",
  "Or use a server on the Internet: start ninefold class with --server and its address.",
];

/** The screen before the lesson. */
export class Door {
  /** @param {Teach} teach */
  constructor(teach) {
    this.teach = teach;
    /** @type {Address[]} */
    this.addresses = [];
    this.chosen = "";
    this.checkedAt = 0;
    this.roster = "";
  }

  /** Ask for the addresses: a laptop may have joined another network. */
  async open() {
    /** @type {Network | null} */
    const network = await this.teach.load("/api/class/network");
    this.addresses = network?.addresses ?? [];
  }

  /** @param {TeacherView} view */
  view(view) {
    const { addresses, teach } = this;
    const { is_open, has_roster, absent } = view;
    const here = view.pupils.filter((each) => each.is_here);
    const address = addresses.find(({ url }) => url === this.chosen) ?? addresses[0];
    return [
      h(
        "div",
        { key: "way", class: "way-in card" },
        h("h1", { tabindex: -1 }, is_open ? "Join the class" : "The door is closed"),
        address && [
          h("p", { key: "open" }, "Open"),
          h("p", { key: "address", class: "address" }, plain(address.url)),
        ],
        h("p", {}, "and type"),
        h("p", { class: "code" }, spaced(view.code)),
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
      h(
        "div",
        { key: "present", class: "present" },
        h("h2", {}, here.length > 0 ? `${heads(here)} here` : "Nobody has joined yet"),
        h(
          "ul",
          {},
          here.map((each) => this.pupil(each)),
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
      ),
      h(
        "div",
        { key: "settings", class: "settings" },
        button(is_open ? "Close the door" : "Open the door", () =>
          teach.ask({ do: "door", is_open: !is_open }),
        ),
        address &&
          addresses.length > 1 &&
          pick(
            "Address",
            address.url,
            addresses.map(({ url }) => [url, plain(url)]),
            (event) => {
              this.chosen = entryOf(event);
              teach.draw();
            },
          ),
        this.check(view),
        this.names(view),
      ),
    ];
  }

  /** Who is here; a tap sends the name back. @param {PupilRow} pupil */
  pupil({ number, name }) {
    const send = () =>
      this.teach.ask({ do: "leave", pupil: number, is_sent_back: true });
    const about = { "aria-label": `Send ${name} back`, title: "Ask for another name" };
    return h(
      "li",
      { key: number },
      named(name),
      button("✕", send, { class: "quiet", ...about }),
    );
  }

  /** @param {TeacherView} view */
  check({ reached_from }) {
    const waited = performance.now() - this.checkedAt;
    const isLate = this.checkedAt > 0 && waited >= PATIENCE && !reached_from;
    const late = "If the tablet does not get here, try these in turn:";
    const body = h(
      "div",
      { class: "settings" },
      h("p", {}, "Scan this with one tablet."),
      h(
        "p",
        { role: "status" },
        reached_from ? `Reached from ${reached_from}.` : "Nobody has come yet.",
      ),
      isLate && [
        h("p", { key: "late" }, late),
        h(
          "ol",
          { key: "remedies" },
          REMEDIES.map((each) => h("li", {}, each)),
        ),
      ],
    );
    return folded("Check the connection", "", body, {
      ontoggle: (/** @type {Event} */ { currentTarget }) => {
        const { open } = /** @type {HTMLDetailsElement} */ (currentTarget);
        this.checkedAt = open ? performance.now() : 0;
        this.teach.draw();
      },
    });
  }

  /** The names to tap. @param {TeacherView} view */
  names({ has_roster }) {
    /** @param {string} text */
    const offer = (text) => this.teach.ask({ do: "roster", text });
    return folded(
      "Names to tap",
      has_roster ? "from your list" : "off: pupils type their names",
      h(
        "div",
        { class: "settings" },
        h(
          "p",
          {},
          "Paste one first name a line. “Mia, Tom” on a line share a device; “Mia / Ben” never meet at a table.",
        ),
        h("textarea", {
          "aria-label": "Names",
          rows: 6,
          value: this.roster,
          oninput: (/** @type {Event} */ event) => {
            this.roster = entryOf(event);
          },
        }),
        h(
          "div",
          { class: "choices" },
          button("Use these names", () => offer(this.roster), { class: "primary" }),
          has_roster && button("Have names typed", () => offer("")),
        ),
      ),
    );
  }
}

/** Show who asks to come in, on every screen. @param {Teach} teach @param {TeacherView} view */
export function knocks(teach, { pupils }) {
  const knocking = pupils.filter((each) => each.knocks);
  if (knocking.length === 0) return null;
  return h(
    "div",
    { key: "knocks", class: "offers" },
    knocking.map(({ number: pupil, name, is_here }) => {
      const about = is_here ? " is here with another device." : " asks to come in.";
      const letIn = () => teach.ask({ do: "let-in", pupil });
      const refuse = () => teach.ask({ do: "leave", pupil, is_sent_back: true });
      return h(
        "div",
        { key: pupil, class: "offer" },
        h("p", {}, named(name), about),
        button("Let in", letIn, { class: "primary" }),
        !is_here && button("Send back", refuse),
      );
    }),
  );
}

/** An address as people type it. @param {string} url */
function plain(url) {
  return url.replace(/^https?:\/\//, "").replace(/\/$/, "");
}

/** How many have joined: two may share a device. @param {PupilRow[]} pupils */
function heads(pupils) {
  return pupils.reduce((sum, { names }) => sum + names.length, 0);
}
