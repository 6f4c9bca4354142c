"""The pictures that show the page; ``PICTURES=write`` draws them anew."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.people import PICTURES, People

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


def test_explore_as_it_looks(people: People) -> None:
    ada = people.person("/explore?game=multiplier-showdown&target=5000&total=24")
    ada.sees("from 24")
    ada.picture("explore")


def test_every_picture_is_there_and_small() -> None:
    sizes = {path.stem: path.stat().st_size for path in PICTURES.glob("*.png")}
    assert sizes.keys() == NAMES
    assert max(sizes.values()) < LARGEST
