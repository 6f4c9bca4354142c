"""A browser, a server, and people who sit before the one and play on the other."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from tests.browser.people import People, find_browser, launch
from tests.servers import Served

_WITHOUT = (
    "the page was not tested in a browser: install chromium (on Debian: apt-get"
    " install chromium), or name a browser in NINEFOLD_BROWSER"
)


@pytest.fixture(scope="session")
def browser_path() -> str:
    """Return where a browser is."""
    path = find_browser()
    if path is not None:
        return path
    if "CI" in os.environ:
        pytest.fail(_WITHOUT)
    pytest.skip(_WITHOUT)


# A module is what a worker finishes before it runs anything else: Playwright keeps an
# event loop running, in which no other test could run one of its own.


@pytest.fixture(scope="module")
def people(browser_path: str, server: Served) -> Iterator[People]:
    """Return those who can be seated before browsers."""
    with sync_playwright() as playwright:
        browser = launch(playwright, browser_path)
        yield People(browser, server.url)
        browser.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Start a server on an empty folder."""
    served = Served(tmp_path_factory.mktemp("server"))
    yield served
    served.stop()


@pytest.fixture(autouse=True)
def everyone_leaves(people: People) -> Iterator[None]:
    """Close every page that a test has opened, and look for errors in them."""
    yield
    people.leave()


@pytest.fixture
def axe() -> Path:
    """Return the file of axe, which looks for what shuts people out."""
    path = Path(".node/node_modules/axe-core/axe.min.js").resolve()
    if path.exists():
        return path
    without = f"the page was not searched by axe: {path.name} is not in .node"
    if "CI" in os.environ:
        pytest.fail(without)
    pytest.skip(without)
