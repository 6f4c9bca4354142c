"""The page is for everybody: by keyboard, by ear, on small and enlarged screens."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import FloatRect, expect

from tests.browser.people import People, Person, Scheme

pytestmark = pytest.mark.prove

Examine = Callable[[Person, str], None]

SCHEMES = ("light", "dark")
ZOOMED = (180, 370)
"""A phone of 360 by 740 pixels, everything on it twice as large."""
AIR = 7
"""What a browser counts to a text below its digits: descenders and a halo."""


@pytest.fixture
def examine(axe: Path) -> Examine:
    """Return a search for what shuts people out."""

    def search(person: Person, place: str) -> None:
        page = person.page
        page.add_script_tag(path=axe)
        found = page.evaluate(
            "async () => (await axe.run()).violations.map("
            "({ id, nodes }) => `${id}: ${nodes.map((n) => n.html).join(' ')}`)"
        )
        assert found == [], place

    return search


def width_beyond_the_screen(person: Person) -> int:
    found = person.page.evaluate(
        "() => document.documentElement.scrollWidth - innerWidth"
    )
    assert isinstance(found, int)
    return found


@pytest.mark.parametrize("scheme", SCHEMES)
def test_axe_finds_nothing_on_any_page_of_a_match(
    people: People, examine: Examine, scheme: Scheme
) -> None:
    ada = people.person(scheme=scheme, examined=True)
    examine(ada, "home")
    ada.opens_options()
    examine(ada, "options")
    ada.page.get_by_label("Target").fill("100")
    ada.starts("friend")
    ada.sees("Send this link")
    examine(ada, "waiting")
    bo = people.person(ada.page.url, scheme=scheme, examined=True)
    bo.sees("invites you")
    examine(bo, "invitation")
    bo.press("Join the game")
    ada.must_move()
    examine(ada, "to move")
    examine(bo, "not to move")
    ada.press("Hint")
    ada.sees("Tell me more")
    examine(ada, "hint")
    ada.press("Why?")
    ada.sees("Hide why")
    examine(ada, "why")
    ada.press_more("Rules")
    ada.sees("Close")
    examine(ada, "rules")
    ada.press("Close")
    ada.press_more("Resign")
    examine(ada, "question")
    ada.press("Play on")
    ada.page.set_viewport_size({"width": 320, "height": 568})
    examine(ada, "small phone")
    ada.page.set_viewport_size({"width": 844, "height": 390})
    examine(ada, "phone on its side")
    ada.page.set_viewport_size({"width": 1920, "height": 1080})
    examine(ada, "projector")
    ada.page.set_viewport_size({"width": 1280, "height": 900})
    ada.plays(5)
    ada.press("Take back")
    bo.sees("Player 1 asks to take back ×5.")
    expect(bo.button("Allow")).to_be_focused()
    examine(bo, "asked for a move")
    bo.types("9")  # which declines
    ada.plays(3)
    ada.sees("You win!")
    examine(ada, "won")
    examine(bo, "lost")
    ada.follow("Review")
    ada.sees("Move 3 of 3")
    examine(ada, "review")


@pytest.mark.parametrize("scheme", SCHEMES)
def test_axe_finds_nothing_in_mental_arithmetic(
    people: People, examine: Examine, scheme: Scheme
) -> None:
    ada = people.person(scheme=scheme, examined=True)
    ada.opens_options()
    ada.page.get_by_label("Mental arithmetic").check()
    ada.starts()
    ada.plays(2)
    ada.must_move()
    examine(ada, "mental arithmetic")
    ada.plays(3)
    ada.page.get_by_label("Your answer").fill("1.5")
    examine(ada, "question for a product")
    ada.press("Play it")
    ada.sees("Type a whole number")
    examine(ada, "question, refused")
    ada.types("Escape")
    ada.press("How to play")
    ada.press("Turn single-key shortcuts off")
    expect(ada.page.locator("#said > p").last).to_have_text(
        "Single-key shortcuts are off."
    )
    ada.press("How to play")
    ada.sees("Turn single-key shortcuts on")
    examine(ada, "keyboard, switched off")


@pytest.mark.parametrize("scheme", SCHEMES)
def test_axe_finds_nothing_where_two_share_a_device(
    people: People, examine: Examine, scheme: Scheme
) -> None:
    ada = people.person(scheme=scheme, examined=True)
    ada.chooses("here")
    ada.page.get_by_label("Second player").fill("Player 1")
    ada.starts("here")
    ada.sees("choose another name")
    examine(ada, "a name refused")
    ada.page.get_by_label("Second player").fill("Bo")
    ada.starts("here")
    ada.hands_over_to("Player 1")
    examine(ada, "two on one device")
    ada.key(5).click()
    ada.hands_over_to("Bo")
    expect(ada.page.locator("#said")).to_contain_text("Bo, it is your turn.")
    examine(ada, "handed over")
    ada.page.goto("/look-back")
    ada.sees("Bo's turn")
    examine(ada, "look back")
    ada.page.goto("/")
    ada.sees("Your matches")
    examine(ada, "home with matches")
    ada.page.locator("#menu summary").click()
    examine(ada, "theme")
    ada.page.set_viewport_size({"width": 320, "height": 568})
    examine(ada, "menu")
    ada.types("Escape")
    ada.page.route("**/api/**", lambda route: route.abort())
    ada.page.reload()
    ada.sees("No connection. You can play once it is back.")
    examine(ada, "home without a connection")
    ada.page.evaluate("localStorage.clear()")
    ada.page.reload()
    ada.sees("One number.")
    ada.sees("No connection. You can play once it is back.")
    examine(ada, "first visit without a connection")


@pytest.mark.parametrize("scheme", SCHEMES)
def test_axe_finds_nothing_on_the_other_pages(
    people: People, examine: Examine, scheme: Scheme
) -> None:
    ada = people.person("/explore", scheme=scheme, examined=True)
    ada.sees("You can win from 1")
    examine(ada, "explore")
    ada.page.get_by_label("Current total").fill("7x")
    expect(ada.page.get_by_role("alert")).to_be_visible()
    examine(ada, "explore, refused")
    ada.page.goto("/puzzles/2026-11-18")
    ada.sees("Puzzle of the day")
    examine(ada, "puzzle of a day")
    ada.page.goto("/puzzles")
    ada.key(2).click()
    expect(ada.page.locator(".panel")).to_be_visible()
    examine(ada, "puzzle")
    ada.page.goto("/practise")
    ada.sees("1 of 12")
    examine(ada, "practice")
    ada.answers_item()
    examine(ada, "an answer")
    ada.page.goto("/progress")
    ada.sees("Skills")
    examine(ada, "progress")
    ada.press("Forget me")
    examine(ada, "asked before being forgotten")
    ada.press("Keep them")
    ada.types("?")
    ada.sees("Close")
    examine(ada, "keyboard")
    ada.page.goto(f"/m/{'x' * 22}")
    ada.sees("No match here")
    examine(ada, "nothing")
    ada.page.route("**/table.js", lambda route: route.abort())
    ada.page.goto("/")
    ada.sees("The page did not load")
    examine(ada, "not loaded")


def test_each_step_is_told_to_those_who_listen(people: People) -> None:
    ada = people.host("Ada")
    bo = people.guest(ada, "Bo")
    ada.plays(5)
    expect(bo.page.locator("#said")).to_contain_text("Ada plays ×5")


@pytest.mark.parametrize("path", ["/", "/explore", "/puzzles", "/puzzles/2026-11-18"])
def test_nothing_is_lost_when_everything_is_twice_as_large(
    people: People, path: str
) -> None:
    ada = people.person(path, size=ZOOMED, examined=True)
    expect(ada.page.get_by_role("button").last).to_be_visible()
    expect(ada.page.locator(".line")).to_be_visible()
    assert width_beyond_the_screen(ada) <= 0


@pytest.mark.parametrize("path", ["/practise", "/progress", "/learn"])
def test_practice_is_whole_when_everything_is_twice_as_large(
    people: People, path: str
) -> None:
    ada = people.person(path, size=ZOOMED, examined=True)
    expect(ada.page.locator("main :is(form, .chapter)").first).to_be_visible()
    assert width_beyond_the_screen(ada) <= 0


def test_a_table_twice_as_large_is_whole(people: People) -> None:
    ada = people.host("Ada", size=ZOOMED, examined=True)
    assert width_beyond_the_screen(ada) <= 0
    bo = people.guest(ada, "Bo", size=ZOOMED, examined=True)
    for person, multiplier in ((ada, 9), (bo, 9), (ada, 9)):
        person.plays(multiplier)
    bo.total_is(729)
    assert width_beyond_the_screen(bo) <= 0
    bo.plays(9)
    bo.sees("You win!")
    assert width_beyond_the_screen(bo) <= 0
    bo.follow("Review")
    bo.sees("Move 4 of 4")
    assert width_beyond_the_screen(bo) <= 0


def test_numbers_of_sixty_digits_fit_a_phone(people: People) -> None:
    ada = people.person(size=(360, 740), examined=True)
    ada.opens_options()
    ada.page.get_by_label("Target").fill("9" * 60)
    assert width_beyond_the_screen(ada) <= 0
    ada.page.get_by_label("Multipliers").fill("2, 999999999999999999999999999999")
    ada.starts()
    ada.must_move()
    entry = ada.page.get_by_label("Multiply by")
    entry.fill("9" * 30)
    entry.press("Enter")
    ada.must_move()
    assert width_beyond_the_screen(ada) <= 0


def test_labels_on_the_line_never_overlap_on_a_phone(people: People) -> None:
    ada = people.person("/explore?game=multiplier&target=1000000", size=(360, 740))
    expect(ada.page.locator(".line .label").nth(3)).to_be_visible()
    boxes = [label.bounding_box() for label in ada.page.locator(".line .label").all()]
    for index, one in enumerate(boxes):
        for other in boxes[index + 1 :]:
            assert one is not None
            assert other is not None
            apart = (
                one["x"] + one["width"] <= other["x"]
                or other["x"] + other["width"] <= one["x"]
                or abs(one["y"] - other["y"]) >= min(one["height"], other["height"]) - 2
            )
            assert apart, (one, other)


def test_the_start_the_target_and_the_total_are_named_where_they_are(
    people: People,
) -> None:
    ada = people.person("/explore?game=multiplier&total=2", size=(360, 740))
    for total in ("2", "4", "36", "729", "900"):
        ada.page.get_by_label("Current total").fill(total)
        label = ada.page.locator(".total-label")
        expect(label).to_have_text(total)
        expect(ada.page.locator(".end-label")).to_have_text(["1,000", "1"])
        ring = box_of(ada, ".ring")
        named = box_of(ada, ".total-label")
        middle = ring["x"] + ring["width"] / 2
        assert named["x"] <= middle <= named["x"] + named["width"], total


def test_the_flag_covers_no_multiplier(people: People) -> None:
    ada = people.host("Ada", size=(360, 740))
    bo = people.guest(ada, "Bo", size=(360, 740))
    for person, multiplier in ((ada, 9), (bo, 9), (ada, 4), (bo, 4)):
        person.plays(multiplier)
    bo.sees("You win!")
    flag = box_of(bo, ".flag")
    names = [name.bounding_box() for name in bo.page.locator(".name").all()]
    assert len(names) > 1
    for name in names:
        assert name is not None
        assert (
            name["x"] + name["width"] <= flag["x"]
            or name["y"] + name["height"] <= flag["y"] + AIR
        )


def box_of(person: Person, selector: str) -> FloatRect:
    box = person.page.locator(selector).bounding_box()
    assert box is not None
    return box
