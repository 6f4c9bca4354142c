"""The pictures that show the page; ``PICTURES=write`` draws them anew."""

from __future__ import annotations

import os

import pytest
from playwright.sync_api import expect

from tests.browser.people import PICTURES, People
from tests.online.pictures import IN_DOCS, draw_terminal
from tests.online.tables import Seated
from tests.servers import Served

pytestmark = pytest.mark.prove

LARGEST = 150 * 1024
NAMES = {"end", "explore", "home", "table-desktop-light", "table-phone-dark"}


def test_a_game_as_it_looks(people: People) -> None:
    ada = people.person()
    expect(ada.button("Play a friend")).to_be_visible()
    ada.picture("home")
    ada.page.get_by_text("Change").click()
    ada.page.get_by_label("Your name").fill("Ada")
    ada.page.get_by_label("Length").select_option("best of 3")
    ada.press("Play a friend")
    ada.sees("Send this link")
    bo = people.guest(ada, "Bo", size=(360, 740), scheme="dark")
    ada.plays(5)
    bo.plays(3)
    ada.must_move()
    ada.press("Why?")
    ada.sees("Hide why")
    ada.key(5).hover()
    expect(ada.page.locator(".preview")).to_have_count(1)
    ada.picture("table-desktop-light")
    ada.plays(6)
    bo.must_move()
    bo.press("Why?")
    bo.sees("Hide why")
    bo.page.locator(".brand").scroll_into_view_if_needed()
    expect(bo.page.locator(".brand")).to_be_in_viewport(ratio=1)
    bo.key(4).hover()
    expect(bo.page.locator(".preview")).to_have_count(1)
    bo.picture("table-phone-dark")
    bo.plays(7)
    ada.plays(9)
    ada.sees("You win!")
    ada.picture("end")


def test_a_game_between_a_terminal_and_a_browser(
    people: People, server: Served
) -> None:
    command = ("host", "multiplier-showdown", "--target", "1000", "--name", "Ada")
    ada = Seated(
        *(*command, "--hints", "--server", server.url),
        NO_COLOR="",
        COLORTERM="",
        TERM="xterm-256color",
    )
    ada.wait_for("Waiting for somebody to join")
    match_id = ada.text.partition("/m/")[2][:22]
    bo = people.person(f"/m/{match_id}", size=(360, 820), scheme="dark")
    bo.page.get_by_label("Your name").fill("Bo")
    bo.press("Take the seat")
    ada.wait_for("Bo sits down.")
    ada.wait_for("Choose a multiplier (2-9): ")
    ada.type("map")
    ada.wait_for("Choose a multiplier (2-9): ")
    ada.type("5")
    ada.wait_for("Bo's turn (? for help): ")
    bo.plays(3)
    ada.wait_for("Choose a multiplier (2-9): ")
    ada.type("6")
    ada.wait_for("Bo's turn (? for help): ")
    bo.must_move()
    bo.total_is(90)
    bo.press("Why?")
    bo.sees("Hide why")
    bo.page.locator(".brand").scroll_into_view_if_needed()
    expect(bo.page.locator(".brand")).to_be_in_viewport(ratio=1)
    bo.misses("away")
    screen = "Bo sits down." + ada.text.partition("Bo sits down.")[2]
    drawn = draw_terminal(screen, " ".join(("ninefold", *command)), "online")
    if os.environ.get("PICTURES") == "write":
        (IN_DOCS / "online-terminal.svg").write_text(drawn, encoding="utf-8")
        bo.page.screenshot(path=IN_DOCS / "online-browser.png", animations="disabled")
    ada.type("q")
    assert ada.end()[0] == 0
    kept = (IN_DOCS / "online-terminal.svg").read_text(encoding="utf-8")
    assert drawn == kept, "look at it, then draw it anew: PICTURES=write"
    page = (IN_DOCS.parent / "playing-online.md").read_text(encoding="utf-8")
    for picture in ("online-terminal.svg", "online-browser.png"):
        assert f"pictures/{picture}" in page
        assert (IN_DOCS / picture).stat().st_size < LARGEST


def test_explore_as_it_looks(people: People) -> None:
    ada = people.person("/explore?game=multiplier-showdown&target=5000&total=24")
    ada.sees("from 24")
    ada.picture("explore")


def test_every_picture_is_there_and_small() -> None:
    sizes = {path.stem: path.stat().st_size for path in PICTURES.glob("*.png")}
    assert sizes.keys() == NAMES
    assert max(sizes.values()) < LARGEST
