"""People before browsers: what they see, press and type."""

from __future__ import annotations

import io
import os
import re
import shutil
from collections import defaultdict
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
LOST = "Connection lost. Trying again … Your move is saved and sent when the connection is back."
Scheme = Literal["light", "dark"]
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

    def follow(self, name: str) -> None:
        """Follow a link."""
        self.page.get_by_role("link", name=name).click()

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

    def must_move(self) -> None:
        """Wait for one's turn."""
        expect(self.page.locator(".seat.moves")).to_contain_text("your move")

    def plays(self, *multipliers: int) -> None:
        """Play, each time that it is one's turn."""
        for multiplier in multipliers:
            self.must_move()
            self.key(multiplier).click()

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
        host.page.get_by_label("Your name").fill(name)
        host.press("Play a friend")
        host.sees("Send this link to a friend")
        return host

    def guest(self, host: Person, name: str = "Bo", **seating: object) -> Person:
        """Seat somebody who has opened the link and taken the seat."""
        guest = self.person(host.page.url, **seating)  # type: ignore[arg-type]
        guest.page.get_by_label("Your name").fill(name)
        guest.press("Take the seat")
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
