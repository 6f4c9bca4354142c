"""The page on a slow network and a slow machine: what it fetches, how soon one plays.

``python -m benchmarks.page`` starts a server on this machine and opens the page in the
system's own chromium. The network has a latency of 400 ms and takes 50,000 bytes a
second each way, the processor is four times slower, and the browser has never been
here. The clock runs from the navigation until the form can be seen, and on until the
first key accepts a click, *Play the computer* being pressed at once. Then the page is
opened a second time. Last, at full speed, the main thread is timed while one move is
made: from the click until the hop is drawn and the total has counted up, and in its
longest frame. The former counts what the thread itself works, the latter passes on a
machine that does nothing else.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

from msgspec import Struct
from playwright.sync_api import Browser, CDPSession, Page, expect, sync_playwright

from benchmarks.timing import Promise, print_promises, within
from tests.browser.people import Traffic, find_browser, launch
from tests.servers import Served

ROUNDS = 3
SLOW = {
    "offline": False,
    "latency": 400,
    "downloadThroughput": 50_000,
    "uploadThroughput": 50_000,
}
SLOWER = 4
SIZE = (1280, 900)
MOST_BYTES = 60_000
MOST_FILES_AGAIN = 3
FIRST_MOVE_PROMISE = 5.5
MOVE_PROMISE = 0.040
FRAME_PROMISE = 0.016
MOVES = (5, 2, 3, 2)
MOVES_IN_FRAMES = (5, 3)
REST = 1_000
"""Milliseconds after which a move is drawn, whatever it shows."""
TIME_FRAMES = """() => {
  const { port1, port2 } = new MessageChannel();
  let began = 0;
  port2.onmessage = () => frames.push(performance.now() - began);
  const frame = () => {
    began = performance.now();
    port1.postMessage(null); // arrives when the frame is drawn
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}"""


class Visit(Struct, frozen=True):
    """What a first visit and a second one took."""

    requests: int
    size: int
    has_review: bool
    """Whether it fetched how a game is reviewed, which has not ended."""
    form: float
    first_move: float
    files_again: int


def visit(browser: Browser, url: str) -> Visit:
    """Open the page as somebody who has never been here, play, and come again."""
    page = open_page(browser)
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", SLOW)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    traffic = Traffic(page)
    began = perf_counter()
    page.goto(url, wait_until="commit")
    play = page.get_by_role("button", name="Play the computer")
    play.wait_for()
    form = perf_counter() - began
    cold = traffic.count, traffic.size
    play.click(no_wait_after=True)
    page.locator('.key[aria-disabled="false"]').first.wait_for()
    first_move = perf_counter() - began
    has_review = any(path.endswith("review.js") for path in traffic.files)
    again = Traffic(page)
    page.goto(url)
    play.wait_for()
    files = len(again.files)
    page.context.close()
    return Visit(*cold, has_review, form, first_move, files)


def time_moves(browser: Browser, url: str) -> tuple[list[float], list[float]]:
    """Time the main thread of somebody's browser for each move that two people make.

    Return how long it worked, and the longest frame, while each was drawn.
    """
    ada, bo = open_page(browser), open_page(browser)
    ada.goto(url)
    ada.get_by_role("radio", name="Friend").check()
    ada.get_by_role("button", name="Play a friend").click()
    ada.get_by_text("Send this link").wait_for()
    bo.goto(ada.url)
    bo.get_by_role("button", name="Join the game").click()
    session = ada.context.new_cdp_session(ada)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    taken, longest = [], []
    for index, multiplier in enumerate(MOVES + MOVES_IN_FRAMES):
        if index == len(MOVES):
            ada.evaluate(TIME_FRAMES)
        mover = (ada, bo)[index % 2]
        key = mover.locator(f'.key[data-multiplier="{multiplier}"]')
        expect(key).to_have_attribute("aria-disabled", "false")
        key.hover()
        ada.wait_for_timeout(REST)
        before = busy(session)
        ada.evaluate("window.frames = []")
        key.click()
        ada.wait_for_timeout(REST)
        if index < len(MOVES):
            taken.append(busy(session) - before)
        else:
            longest.append(ada.evaluate("Math.max(...frames)") / 1000)
    ada.context.close()
    bo.context.close()
    return taken, longest


def open_page(browser: Browser) -> Page:
    """Open a tab of a browser that knows nothing."""
    width, height = SIZE
    return browser.new_context(viewport={"width": width, "height": height}).new_page()


def busy(session: CDPSession) -> float:
    """Return how long the main thread of a page has worked, in seconds."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    found = {each["name"]: each["value"] for each in metrics}
    return float(found["TaskDuration"])


def at_most(what: str, measured: int, promised: int) -> Promise:
    """Promise a number, or less."""
    return Promise(
        what, f"{measured:,}", f"at most {promised:,}", kept=measured <= promised
    )


def main() -> None:
    """Print each figure beside what was promised; the median of a few rounds."""
    path = find_browser()
    if path is None:
        print("Not measured: the page. To measure it, install chromium.")
        return
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        served = Served(Path(home))
        browser = launch(playwright, path)
        try:
            visits = [visit(browser, served.url) for _ in range(ROUNDS)]
            moves, frames = time_moves(browser, served.url)
        finally:
            browser.close()
            served.stop()
    first, *_ = visits
    form = median(each.form for each in visits)
    first_move = median(each.first_move for each in visits)
    print(f"  Cold: {first.requests} requests; the form shows after {form:.1f} s.\n")
    print_promises(
        [
            at_most("bytes on the wire, cold", first.size, MOST_BYTES),
            within("first playable move", first_move, FIRST_MOVE_PROMISE),
            at_most("files, second visit", first.files_again, MOST_FILES_AGAIN),
            within("main thread, a move", median(moves), MOVE_PROMISE),
            within("main thread, longest frame", median(frames), FRAME_PROMISE),
            at_most("reviews fetched before a game ends", first.has_review, 0),
        ]
    )


if __name__ == "__main__":
    main()
