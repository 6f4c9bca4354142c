"""People before browsers: what they see, press and type."""

from __future__ import annotations

import io
import os
import re
import shutil
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from PIL import Image
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Locator,
    Page,
    Playwright,
    expect,
)

PICTURES = Path(__file__).parent / "pictures"
LOST = "Connection lost."
SAVED = "Your move is saved."
Scheme = Literal["light", "dark"]
Opponent = Literal["computer", "friend", "here"]
Size = tuple[int, int]
SIZES: tuple[Size, ...] = (
    *((320, 568), (360, 640), (390, 664), (390, 844)),
    *((640, 400), (1280, 800)),
)
"""Phones, one with the bars of its browser; a laptop enlarged twice, and a laptop."""
_OPPONENTS: dict[Opponent, tuple[str, str]] = {
    "computer": ("Computer", "Play the computer"),
    "friend": ("Friend", "Play a friend"),
    "here": ("Two here", "Play here"),
}
_Kind = tuple[tuple[int, int], Scheme, bool]
_BROWSERS = ("chromium", "google-chrome")
_WIDEST_PHONE = 500
_WAIT = 20_000  # long: a busy machine is no failure
_COLOURS = 96

# F9 hides the tab, and shows it again. A browser without a screen hides none.
_HIDE = """
let hidden = false;
Object.defineProperty(document, "visibilityState", {
  get: () => (hidden ? "hidden" : "visible"),
});
addEventListener("keydown", ({ key }) => {
  if (key !== "F9") return;
  hidden = !hidden;
  document.dispatchEvent(new Event("visibilitychange"));
});
"""

_IN_VIEW = """
(shown) => {
  const { left, top, right, bottom } = shown.getBoundingClientRect();
  const within = [left, top, innerWidth - right, innerHeight - bottom];
  const uncovered = (y) =>
    shown.contains(document.elementFromPoint((left + right) / 2, y));
  return (
    within.every((each) => each > -1) && [top + 4, bottom - 4].every(uncovered)
  );
}
"""


def find_browser() -> str | None:
    """Return where a browser is, if there is one."""
    named = os.environ.get("NINEFOLD_BROWSER")
    found = [named] if named else filter(None, map(shutil.which, _BROWSERS))
    return next(iter(found), None)


def launch(playwright: Playwright, path: str) -> Browser:
    """Start a browser."""
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    return playwright.chromium.launch(executable_path=path, args=arguments)


def keep_picture(page: Page, path: Path) -> None:
    """Write a picture of a page with few colours, where ``PICTURES=write`` asks so."""
    if os.environ.get("PICTURES") == "write":
        shown = Image.open(io.BytesIO(page.screenshot(animations="disabled")))
        drawn = shown.convert("RGB").quantize(_COLOURS, dither=Image.Dither.NONE)
        drawn.save(path, optimize=True)


# Keeps what is put into a live region: a log says what is added, others all they hold.
LISTEN = """
const LIVE = "[role=log], [role=alert], [role=status], [aria-live]";
window.heard = [];
const hear = (text) => text.trim() && heard.push(text.trim().replace(/\\s+/g, " "));
const elementOf = (node) => (node instanceof Element ? node : node.parentElement);
new MutationObserver((changes) => {
  const changed = new Set();
  for (const { target, addedNodes } of changes) {
    const region = elementOf(target)?.closest(LIVE);
    if (region?.role === "log") for (const node of addedNodes) hear(node.textContent);
    else if (region) changed.add(region);
    for (const node of addedNodes) {
      if (!(node instanceof Element) || region) continue;
      if (node.matches(LIVE)) changed.add(node);
      for (const inner of node.querySelectorAll(LIVE)) changed.add(inner);
    }
  }
  for (const region of changed) hear(region.textContent);
}).observe(document, { subtree: true, childList: true, characterData: true });
"""
_ROLES = {"textbox": "edit", "radio": "radio button", "combobox": "combo box"}
_TOLD = ("name", "role", "value", "description")
_STATES = ("checked", "disabled", "expanded", "invalid", "required")


class ScreenReader:
    """What a screen reader says to somebody who has a keyboard alone, line by line."""

    def __init__(self, page: Page) -> None:
        """Take a page whose context has the script ``LISTEN``."""
        self.lines: list[str] = []
        self._page = page
        self._title = ""
        self._focus = self._dialog = ""
        self._tree = page.context.new_cdp_session(page)

    def press(self, *keys: str, until: str = "", shows: str = "") -> None:
        """Press keys; wait until something is said or shown, if that takes time."""
        for key in keys:
            self.lines.append(f"[{key}]")
            self._page.keyboard.press(key)
            if shows:
                expect(self._page.get_by_text(shows)).to_be_visible()
            self.listen(until)

    def type(self, text: str) -> None:
        """Type a text into a field."""
        self.lines.append(f"[{text}]")
        self._page.keyboard.type(text)

    def listen(self, until: str = "") -> None:
        """Write down what is said and what has the focus, where it has changed."""
        begins = "(text) => !text || heard.some((each) => each.startsWith(text))"
        self._page.wait_for_function(begins, arg=until)
        if self._page.title() != self._title:
            self._title = self._page.title()
            self.lines.append(f"page: {self._title}")
        heard = self._page.evaluate("heard.splice(0)")
        self.lines += [f"said: {text}" for text in heard]
        dialog = self._read("document.activeElement.closest('dialog')")
        if dialog != self._dialog:
            self._dialog = dialog
            self.lines.append(f"in: {dialog or 'the page again'}")
        focus = self._read("document.querySelector(':focus')")
        if focus != self._focus:
            self._focus = focus
            self.lines.append(f"focus: {focus or 'the page'}")

    def _read(self, expression: str) -> str:
        """Return the name of an element, its role, value, description and state."""
        found = self._tree.send("Runtime.evaluate", {"expression": expression})
        if found["result"].get("subtype") != "node":
            return ""
        asked = {"objectId": found["result"]["objectId"], "fetchRelatives": False}
        [node] = self._tree.send("Accessibility.getPartialAXTree", asked)["nodes"]
        told = {key: node.get(key, {}).get("value", "") for key in _TOLD}
        told["role"] = _ROLES.get(told["role"], told["role"])
        states = [
            each["name"]
            for each in node["properties"]
            if each["name"] in _STATES and each["value"]["value"] in (True, "true")
        ]
        return ", ".join(filter(None, (*told.values(), *states)))


class Traffic:
    """What a page fetches over the network, from now on; its own cache is none."""

    def __init__(self, page: Page) -> None:
        self.paths: dict[str, str] = {}
        self.sizes: dict[str, int] = {}
        session = page.context.new_cdp_session(page)
        session.on("Network.requestWillBeSent", self._sent)
        session.on("Network.requestServedFromCache", self._cached)
        session.on("Network.responseReceived", self._received)
        session.on("Network.loadingFinished", self._finished)
        session.send("Network.enable")

    @property
    def count(self) -> int:
        """How many requests were answered."""
        return len(self.sizes)

    @property
    def size(self) -> int:
        """How many bytes the answers had, heads included."""
        return sum(self.sizes.values())

    @property
    def files(self) -> list[str]:
        """The paths of the files, the page itself included."""
        paths = (self.paths[each] for each in self.sizes)
        return [path for path in paths if not path.startswith("/api/")]

    def _sent(self, event: dict[str, Any]) -> None:
        url = urlsplit(event["request"]["url"])
        if url.scheme.startswith("http"):
            self.paths[event["requestId"]] = url.path

    def _cached(self, event: dict[str, Any]) -> None:
        self.paths.pop(event["requestId"], None)

    def _received(self, event: dict[str, Any]) -> None:
        if event["response"].get("fromDiskCache"):
            self._cached(event)

    def _finished(self, event: dict[str, Any]) -> None:
        if event["requestId"] in self.paths:
            self.sizes[event["requestId"]] = round(event["encodedDataLength"])


class Person:
    """Somebody with a browser of their own, or with one more tab of it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._hear)

    def _hear(self, message: ConsoleMessage) -> None:
        """Keep what the browser was not allowed to do."""
        if "Content Security Policy" in message.text:
            self.errors.append(message.text)

    def sees(self, text: str | re.Pattern[str]) -> None:
        """Wait for a text that shows; what is told to those who listen does not."""
        shown = self.page.locator("main, dialog").get_by_text(text)
        expect(shown.first).to_be_visible()

    def misses(self, text: str) -> None:
        """Wait until a text is gone."""
        shown = self.page.locator("main, dialog").get_by_text(text)
        expect(shown).to_have_count(0)

    def button(self, name: str | re.Pattern[str]) -> Locator:
        """Find a button."""
        return self.page.get_by_role("button", name=name)

    def press(self, name: str | re.Pattern[str]) -> None:
        """Press a button."""
        self.button(name).click()

    def chooses(self, opponent: Opponent) -> None:
        """Choose on the first page with whom to play."""
        name, _ = _OPPONENTS[opponent]
        self.page.get_by_role("radio", name=name).check()

    def starts(self, opponent: Opponent = "computer") -> None:
        """Start a match from the first page, with what else is chosen there."""
        self.chooses(opponent)
        self.press(_OPPONENTS[opponent][1])

    def opens_options(self) -> None:
        """Unfold the options of a new match."""
        self.page.locator("summary").filter(has_text="Options").click()

    def sizes(self, path: str = "") -> Iterator[Size]:
        """Give the screen each of ``SIZES`` in turn, scrolled to its top.

        With a path, open it anew at each of them.
        """
        for width, height in SIZES:
            self.page.set_viewport_size({"width": width, "height": height})
            if path:
                self.page.goto(path)
            self.page.evaluate("scrollTo(0, 0)")
            yield width, height

    def has_in_view(self, shown: Locator) -> bool:
        """Tell whether an element can be seen whole, without scrolling, uncovered."""
        expect(shown).to_be_visible()
        in_view = shown.evaluate(_IN_VIEW)
        assert isinstance(in_view, bool)
        return in_view

    def press_more(self, name: str) -> None:
        """Press what stands under *More* below the board."""
        self.page.locator(".more > summary").click()
        self.page.locator(".more").get_by_role("button", name=name).click()

    def resigns(self) -> None:
        """Resign the game."""
        self.press_more("Resign")
        self.page.get_by_role("dialog").get_by_role("button", name="Resign").click()

    def follow(self, name: str) -> None:
        """Follow a link below the header."""
        self.page.locator("main").get_by_role("link", name=name).click()

    def types(self, key: str) -> None:
        """Press a key of the keyboard."""
        self.page.keyboard.press(key)

    def key(self, multiplier: int) -> Locator:
        """Find the key of a multiplier."""
        return self.page.locator(".key").filter(
            has=self.page.locator(".times", has_text=re.compile(f"^{multiplier}$"))
        )

    def total_is(self, total: int) -> None:
        """Wait for the total."""
        expect(self.page.locator(".number")).to_have_text(f"{total:,}")

    def hands_over_to(self, name: str) -> None:
        """Ask whose turn the one device shows."""
        turn = self.page.locator(".seat.filled")
        expect(turn).to_have_text(re.compile(rf"^{name}your turn"))

    def must_move(self) -> None:
        """Wait for one's turn."""
        expect(self.page.locator(".seat.moves")).to_contain_text("your move")

    def plays(self, *multipliers: int) -> None:
        """Play, each time that it is one's turn."""
        for multiplier in multipliers:
            self.must_move()
            self.key(multiplier).click()

    def answers_item(self) -> None:
        """Answer what is practised, by keyboard: a product, a sum, or within a range."""
        question = self.page.locator(".asked").inner_text()
        numbers = [int(each) for each in re.findall(r"\d+", question.replace(",", ""))]
        a, b, *range_ = numbers
        answer = a + b if "+" in question else a * b
        if range_:
            factor, least, most = range_
            answer = next(n for n in range(a, b + 1) if least <= factor * n <= most)
        expect(self.page.get_by_label("Your answer")).to_be_focused()
        self.page.keyboard.type(str(answer))
        self.types("Enter")
        expect(self.button("Next")).to_be_focused()

    def another_tab(self) -> Person:
        """Open one more tab of the same browser, at the same place."""
        page = self.page.context.new_page()
        page.goto(self.page.url)
        return Person(page)

    def picture(self, name: str) -> None:
        """Keep a picture of the screen, where that is asked for."""
        keep_picture(self.page, PICTURES / f"{name}.png")


class People:
    """Seats people before browsers that know nothing of each other."""

    def __init__(self, browser: Browser, url: str) -> None:
        self._browser = browser
        self._url = url
        self._contexts: list[BrowserContext] = []
        self._people: list[Person] = []
        self._used: dict[BrowserContext, _Kind] = {}
        self._free: dict[_Kind, list[Page]] = defaultdict(list)
        expect.set_options(timeout=_WAIT)

    def person(
        self,
        path: str = "/",
        *,
        size: tuple[int, int] = (1280, 900),
        scheme: Scheme = "light",
        examined: bool = False,
        without: str = "",
    ) -> Person:
        """Seat somebody; one who is examined has a browser that runs our scripts.

        ``without`` is a script that takes something away from the browser.
        """
        kind = (size, scheme, examined)
        if self._free[kind] and not without:
            page = self._free[kind].pop()
            page.set_viewport_size({"width": size[0], "height": size[1]})
            context = page.context
        else:
            width, height = size
            context = self._browser.new_context(
                base_url=self._url,
                viewport={"width": width, "height": height},
                color_scheme=scheme,
                has_touch=width < _WIDEST_PHONE,
                bypass_csp=examined,
                reduced_motion="reduce",
            )
            context.set_default_timeout(_WAIT)
            context.add_init_script(_HIDE + without)
            page = context.new_page()
        if not without:
            self._used[context] = kind
        self._contexts.append(context)
        seated = Person(page)
        page.goto(path)
        self._people.append(seated)
        return seated

    def host(self, name: str = "Ada", **seating: object) -> Person:
        """Seat somebody who has made a match for a friend."""
        host = self.person(**seating)  # type: ignore[arg-type]  # as person takes them
        host.chooses("friend")
        host.page.get_by_label("Your name").fill(name)
        host.starts("friend")
        host.sees("Send this link to a friend")
        return host

    def guest(self, host: Person, name: str = "Bo", **seating: object) -> Person:
        """Seat somebody who has opened the link and taken the seat."""
        guest = self.person(host.page.url, **seating)  # type: ignore[arg-type]
        guest.page.get_by_label("Your name").fill(name)
        guest.press("Join the game")
        guest.sees(re.compile("to move|your move"))
        return guest

    def leave(self) -> None:
        """Empty every browser for the next one, or close it; tell what went wrong."""
        errors = [error for person in self._people for error in person.errors]
        left, self._contexts = self._contexts, []
        self._people.clear()
        for context in left:
            kind = self._used.pop(context, None)
            if kind is not None and len(context.pages) == 1:
                self._free[kind].append(_emptied(context.pages[0]))
            else:
                context.close()
        assert not errors, errors


def _emptied(page: Page) -> Page:
    """Make a browser forget everything: to start one takes longer than a test."""
    page.context.set_offline(offline=False)
    page.context.clear_permissions()
    page.context.clear_cookies()
    page.unroute_all()
    page.emulate_media(media="null")
    page.evaluate("localStorage.clear(); sessionStorage.clear()")
    page.goto("about:blank")
    return page
