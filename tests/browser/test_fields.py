"""Every field says what to write instead, next to the field, and keeps what was typed."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.people import People

pytestmark = pytest.mark.prove

LOW = (844, 390)
SMALL_PHONE = (320, 568)


def is_refused(field: Locator, sentence: str, *, keeps: str) -> None:
    """Ask for a sentence that belongs to the field, and is seen with it."""
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_accessible_description(sentence)
    expect(field).to_be_focused()
    expect(field).to_have_value(keeps)
    alert = field.page.get_by_role("alert")
    expect(alert).to_have_text(sentence)
    expect(alert).to_be_in_viewport(ratio=1)


def test_a_guest_with_the_host_s_name_is_told_so_at_the_field(people: People) -> None:
    ada = people.host("Ada")
    bo = people.person(ada.page.url, size=SMALL_PHONE)
    name = bo.page.get_by_label("Your name", exact=True)
    name.fill("Ada")
    bo.press("Join the game")
    sentence = "The other player is called Ada too; choose another name."
    is_refused(name, sentence, keeps="Ada")
    expect(bo.page.get_by_role("textbox", name="Your name", exact=True)).to_be_visible()
    bo.press("Watch")
    bo.press("Join the game")
    bo.sees("Ada invites you to play")
    bo.misses(sentence)
    name.fill("Ada")
    bo.press("Join the game")
    is_refused(name, sentence, keeps="Ada")
    name.fill("Bo")
    bo.misses(sentence)
    bo.press("Join the game")
    bo.sees("to move")


def test_enter_in_a_name_starts_the_match(people: People) -> None:
    ada = people.person()
    ada.chooses("here")
    ada.page.get_by_label("Your name").fill("Ada")
    other = ada.page.get_by_label("Second player")
    other.fill("Ada")
    other.press("Enter")
    sentence = "The other player is called Ada too; choose another name."
    is_refused(other, sentence, keeps="Ada")
    other.fill("Bo")
    other.press("Enter")
    ada.hands_over_to("Ada")
    ada.page.goto("/")
    ada.chooses("friend")
    ada.page.get_by_label("Your name").press("Enter")
    ada.sees("Send this link to a friend")


@pytest.mark.parametrize("size", [SMALL_PHONE, LOW, (1280, 900)])
def test_a_multiplier_that_is_none_is_refused_at_its_field(
    people: People, size: tuple[int, int]
) -> None:
    ada = people.person(size=size)
    ada.opens_options()
    ada.page.get_by_label("Target").fill("99999999999")
    ada.page.get_by_label("Multipliers").fill("2-9, 99999999")
    ada.starts()
    ada.must_move()
    entry = ada.page.get_by_label("Multiply by")
    entry.fill("77")
    entry.press("Enter")
    allowed = "choose one of 2-9, 99999999."
    is_refused(entry, f"×77 is not allowed: {allowed}", keeps="77")
    ada.page.keyboard.press("7")  # the next digit replaces it
    expect(entry).to_have_value("7")
    ada.misses("is not allowed")
    ada.sees("makes 7")
    expect(entry).to_have_accessible_description("makes 7")
    entry.fill("")
    entry.press("Enter")
    is_refused(entry, f"Type {allowed.removeprefix('choose ')}", keeps="")
    entry.fill("7")
    entry.press("Enter")
    ada.must_move()
    expect(entry).to_have_attribute("aria-invalid", "false")


@pytest.mark.parametrize(
    ("label", "typed", "sentence"),
    [
        (
            "How many",
            "x",
            "The number of games must be a whole number in plain digits, such as 3; 'x' is not.",
        ),
        (
            "Target",
            "9" * 3000,
            "The target has more than 1,000 digits; use a shorter number.",
        ),
        (
            "Starting total",
            "1000",
            "The target must be greater than the start (1,000); use 1,001 or more instead of 1,000.",
        ),
        (
            "Multipliers",
            "2, seven",
            "Write multipliers like 2-5 or 2,3,5,7; 'seven' is neither.",
        ),
        (
            "Your name",
            "A\u0336\u0489\u0488\u0301",
            "A name needs 1 to 24 visible characters; choose another.",
        ),
    ],
)
def test_what_a_match_cannot_be_is_refused_at_its_field(
    people: People, label: str, typed: str, sentence: str
) -> None:
    ada = people.person(size=(390, 844))
    ada.opens_options()
    field = ada.page.get_by_label(label, exact=True)
    field.fill(typed)
    ada.starts()
    is_refused(field, sentence, keeps=typed)


def test_a_product_that_is_no_number_is_refused_at_its_field(people: People) -> None:
    ada = people.person()
    ada.opens_options()
    ada.page.get_by_label("Mental arithmetic").check()
    ada.starts()
    ada.plays(2, 3)
    answer = ada.page.get_by_role("textbox", name="Your answer", exact=True)
    answer.fill("many")
    ada.press("Play it")
    is_refused(answer, "Type a whole number, such as 45.", keeps="many")
    ada.page.keyboard.press("7")  # the next digit replaces it
    expect(answer).to_have_value("7")
    ada.misses("Type a whole number")
