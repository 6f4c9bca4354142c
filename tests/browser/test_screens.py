"""The table is whole on every screen, from a small phone to a projector."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.people import People, Person

SMALL_PHONE = (320, 568)
LOW = {"a phone on its side": (844, 390), "a laptop at 200 %": (640, 400)}
PROJECTOR = (1920, 1080)
LEAST_TARGET = 44
KEYBOARD = 260
"""What the keyboard of a small phone covers."""

_SMALL_TARGETS = """least => [...document.querySelectorAll(
    "button, .button, nav a, .brand, input, select, summary, .check, .choice"
  )].filter((each) => {
    const { width, height } = each.getBoundingClientRect();
    const within = each.closest(".check, .choice");
    const hidden = !each.checkVisibility() || (within && within !== each);
    return !hidden && (height < least || width < least);
  }).map((each) => each.outerHTML)"""


def is_whole(person: Person) -> None:
    """Ask for total, line and keys to be in view together, without scrolling."""
    expect(person.page.locator('.key[aria-disabled="false"]').first).to_be_visible()
    person.page.evaluate("scrollTo(0, 0)")
    for selector in (".number", ".line", ".keys"):
        expect(person.page.locator(selector)).to_be_in_viewport(ratio=1)
    assert person.page.evaluate(_SMALL_TARGETS, LEAST_TARGET) == []


def test_a_small_phone_shows_total_line_and_keys_without_scrolling(
    people: People,
) -> None:
    ada = people.host("Ada", size=SMALL_PHONE)
    bo = people.guest(ada, "Bo", size=LOW["a laptop at 200 %"])
    is_whole(ada)
    card = ada.page.locator(".seat.seat1").bounding_box()
    key = ada.key(5).bounding_box()
    assert key is not None
    assert key["height"] >= 64
    ada.plays(5)
    is_whole(bo)
    for name in (bo.page.get_by_text("Bo", exact=True), bo.page.get_by_text("Ada")):
        expect(name.first).to_be_visible()
    assert ada.page.locator(".seat.seat1").bounding_box() == card, (
        "the card has shifted"
    )
    bo.page.set_viewport_size({"width": 844, "height": 390})
    is_whole(bo)
    bo.plays(3)
    ada.page.set_viewport_size({"width": 1920, "height": 1080})
    is_whole(ada)
    board = ada.page.locator(".table").bounding_box()
    assert board is not None
    assert board["width"] > 0.9 * 1920
    assert board["y"] + board["height"] > 0.9 * 1080


@pytest.mark.prove
@pytest.mark.parametrize("size", [SMALL_PHONE, *LOW.values()])
def test_every_game_is_whole_on_a_small_screen(
    people: People, size: tuple[int, int]
) -> None:
    ada = people.person(size=size)
    for index in range(5):
        ada.page.goto("/")
        ada.opens_options()
        ada.page.get_by_label("How many").fill("3")
        ada.page.locator("input[name=game]").nth(index).check()
        assert ada.page.evaluate(_SMALL_TARGETS, LEAST_TARGET) == []
        ada.starts()
        is_whole(ada)


@pytest.mark.prove
@pytest.mark.parametrize("size", [SMALL_PHONE, *LOW.values()])
def test_puzzles_are_whole_on_a_small_screen(
    people: People, size: tuple[int, int]
) -> None:
    ada = people.person("/puzzles", size=size)
    is_whole(ada)
    ada.page.goto("/puzzles/2026-11-18")
    is_whole(ada)


@pytest.mark.prove
def test_two_on_one_device_see_the_whole_table_on_every_screen(people: People) -> None:
    ada = people.person(size=SMALL_PHONE)
    ada.chooses("here")
    ada.page.get_by_label("Your name").fill("Wilhelmina Ottokar Smith")
    ada.opens_options()
    ada.page.get_by_label("How many").fill("3")
    ada.starts("here")
    for name in ("Wilhelmina Ottokar Smith", "Player 2"):
        ada.hands_over_to(name)
        for width, height in (SMALL_PHONE, *LOW.values(), PROJECTOR):
            ada.page.set_viewport_size({"width": width, "height": height})
            is_whole(ada)
            for shown in (".seat.filled", ".product"):
                expect(ada.page.locator(shown)).to_be_in_viewport(ratio=1)
        expect(ada.page.locator(".actions")).to_be_in_viewport(ratio=1)
        ada.key(5).click()


@pytest.mark.prove
@pytest.mark.parametrize("size", [SMALL_PHONE, *LOW.values()])
def test_levels_are_named_whole_and_nothing_begins_with_a_dot(
    people: People, size: tuple[int, int]
) -> None:
    ada = people.person(size=size)
    ada.page.get_by_role("combobox", name="Level").select_option("Beginner")
    ada.opens_options()
    ada.page.get_by_label("How many").fill("3")
    ada.starts()
    ada.must_move()
    for name in ada.page.locator(".who").all():
        assert name.evaluate("each => each.scrollWidth <= each.clientWidth")
    dot = "each => getComputedStyle(each, '::before').content"
    assert ada.page.locator(".which").evaluate(dot) == "none"


@pytest.mark.prove
def test_the_arrows_of_a_review_stand_in_one_row(people: People) -> None:
    ada = people.person(size=SMALL_PHONE)
    ada.opens_options()
    ada.page.get_by_label("Target").fill("2000")
    ada.starts("here")
    for _ in range(11):
        ada.key(2).click()
    ada.follow("Review")
    ada.sees("Move 11 of 11")
    arrows = [each.bounding_box() for each in ada.page.locator(".step").all()]
    assert len({box["y"] for box in arrows if box}) == 1
    assert min(box["width"] for box in arrows if box) >= LEAST_TARGET
    ada.press("Try again from move")
    ada.sees("your turn")


def test_mental_arithmetic_keeps_the_question_above_a_phone_s_keyboard(
    people: People,
) -> None:
    ada = people.person(size=SMALL_PHONE)
    ada.opens_options()
    ada.page.get_by_label("Mental arithmetic").check()
    ada.starts()
    ada.plays(2, 3)
    dialog = ada.page.get_by_role("dialog", name=re.compile(r"What is \d+ × 3\?"))
    expect(dialog).to_have_accessible_description(re.compile(r"The total is \d+\."))
    entry = ada.page.get_by_label("Your answer")
    expect(entry).to_be_focused()
    width, height = SMALL_PHONE
    ada.page.set_viewport_size({"width": width, "height": height - KEYBOARD})
    for shown in (
        dialog.get_by_role("heading"),
        dialog.get_by_text("The total"),
        entry,
    ):
        expect(shown).to_be_in_viewport(ratio=1)
    entry.fill("1.5")
    entry.press("Enter")
    expect(dialog.get_by_role("alert")).to_have_text("Type a whole number, such as 45.")
    expect(entry).to_have_value("1.5")
    expect(entry).to_be_focused()


@pytest.mark.prove
def test_mental_arithmetic_gives_no_product_away(people: People) -> None:
    ada = people.person()
    ada.opens_options()
    ada.page.get_by_label("Mental arithmetic").check()
    ada.page.get_by_label("Target").fill("9")
    ada.starts()
    ada.must_move()
    expect(ada.page.locator(".makes")).to_have_text([""] * 8)
    ada.press("Why?")
    ada.sees("×9 wins now.")
    state = ada.page.request.get(
        f"/api{urlsplit(ada.page.url).path}".replace("/m/", "/matches/")
    )
    assert {
        (key["makes"], key["place"], key["ends"]) for key in state.json()["keys"]
    } == {(None, None, None)}
    ada.key(9).hover()
    expect(ada.page.locator(".preview")).to_have_count(0)


@pytest.mark.prove
def test_forced_colours_tell_a_key_that_can_be_pressed_from_one_that_cannot(
    people: People,
) -> None:
    ada = people.person("/puzzles/2026-11-18")
    ada.page.emulate_media(forced_colors="active")
    look = """key => {
      const { borderTopColor, borderTopWidth, color } = getComputedStyle(key);
      return [borderTopColor, borderTopWidth, color];
    }"""
    key = ada.page.locator(".key").first
    border, width, text = key.evaluate(look)
    assert width == "2px"
    key.click()  # right or wrong, it cannot be pressed again
    expect(key).to_have_attribute("aria-disabled", "true")
    gray_border, _, gray_text = key.evaluate(look)
    assert gray_border != border
    assert gray_text != text
    ada.page.emulate_media(forced_colors="none")


@pytest.mark.prove
def test_a_number_of_24_digits_stays_on_one_line(people: People) -> None:
    start = "123456789012345678901234"
    for size in ((390, 844), SMALL_PHONE):
        ada = people.person(size=size)
        ada.opens_options()
        ada.page.get_by_label("Target").fill("9" * 30)
        ada.page.get_by_label("Starting total").fill(start)
        ada.starts()
        ada.must_move()
        number = ada.page.locator(".number")
        expect(number).to_have_text(f"{int(start):,}")
        assert number.evaluate("each => each.scrollWidth <= each.clientWidth")
        assert number.evaluate(
            "each => each.clientHeight < 2 * parseFloat(getComputedStyle(each).fontSize)"
        )


@pytest.mark.prove
def test_labels_of_the_line_follow_the_size_of_the_text(people: People) -> None:
    ada = people.person("/explore")
    label = ada.page.locator(".end-label").first
    small = label.bounding_box()
    ada.page.evaluate("document.documentElement.style.fontSize = '32px'")
    ada.page.set_viewport_size({"width": 1270, "height": 900})
    ada.page.get_by_label("Current total").fill("2")
    expect(ada.page.locator(".total-label")).to_have_text("2")
    large = label.bounding_box()
    assert small is not None
    assert large is not None
    assert large["height"] == pytest.approx(2 * small["height"], rel=0.1)
    expect(label).to_have_text(re.compile("1,000"))


@pytest.mark.prove
@pytest.mark.parametrize("size", [SMALL_PHONE, *LOW.values(), (1280, 800)])
def test_how_to_play_can_be_closed_at_once_and_shows_that_it_goes_on(
    people: People, size: tuple[int, int]
) -> None:
    ada = people.person(size=size)
    ada.press("How to play")
    ada.sees("On your turn, choose a number:")
    close = ada.button("Close")
    expect(close).to_be_in_viewport(ratio=1)
    dialog = ada.page.get_by_role("dialog")
    assert dialog.evaluate("each => each.scrollWidth <= each.clientWidth")
    choices = dialog.locator(".choices")
    edge = "each => getComputedStyle(each).borderTopColor"
    nothing = "rgba(0, 0, 0, 0)"
    assert choices.evaluate(edge) != nothing
    dialog.evaluate("each => { each.scrollTop = each.scrollHeight; }")
    expect(choices).to_have_css("border-top-color", nothing)
    expect(dialog.get_by_text("show this page")).to_be_in_viewport(ratio=1)
    expect(close).to_be_in_viewport(ratio=1)
