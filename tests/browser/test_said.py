"""What the page says is true, and said to everybody: eyes, ears and keyboards."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.people import LOST, SAVED, People, Person

pytestmark = pytest.mark.prove

CLICK_TWICE = """() => {
  const click = (each) => document.querySelector(`[data-multiplier="${each}"]`).click();
  const said = document.getElementById("said");
  const again = () => {
    if (document.querySelector(".seat2.moves")) click(6); // once the first is answered
    if (!said.textContent.includes("turn.")) requestAnimationFrame(again);
  };
  click(5);
  again();
}"""
JOINED = ("👨‍🚀", "مي‌خواهم", "ශ්‍රී")


def test_a_notice_goes_when_it_is_no_longer_true(people: People) -> None:
    ada = people.person()
    ada.starts()
    ada.must_move()
    ada.page.evaluate(CLICK_TWICE)
    expect(ada.page.locator("#said")).to_contain_text("Careful is thinking …")
    ada.must_move()
    ada.misses("is thinking")
    ada.page.route("**/hint", lambda route: route.abort())
    ada.press("Hint")
    ada.sees("Try again when the connection is back.")
    ada.page.unroute("**/hint")
    ada.press("Hint")
    expect(ada.page.locator(".panel")).to_be_visible()
    ada.misses("Try again when")
    ada.page.context.set_offline(offline=True)
    ada.sees(LOST)
    ada.press("Why?")
    ada.sees("Try again when the connection is back.")
    ada.misses(SAVED)
    ada.page.context.set_offline(offline=False)
    ada.misses(LOST)
    ada.misses("Try again when")


def test_a_question_with_buttons_asks_for_no_letter(people: People) -> None:
    ada = people.person()
    ada.opens_options()
    ada.page.get_by_label("Multiplication Showdown").check()
    ada.page.get_by_label("Target").fill("3")
    ada.starts()
    ada.plays(9)
    asked = ada.page.get_by_role("group", name="This move loses")
    expect(asked).to_have_accessible_description(re.compile("you would lose"))
    expect(asked).not_to_contain_text("y/N")


def test_a_field_that_is_empty_makes_nothing_and_1_5_is_no_15(people: People) -> None:
    ada = people.person()
    ada.opens_options()
    ada.page.get_by_label("Target").fill("99999999")
    ada.page.get_by_label("Multipliers").fill("2, 15, 1000")
    ada.starts()
    ada.must_move()
    entry = ada.page.get_by_label("Multiply by")
    entry.fill("1.5")
    entry.press("Enter")
    ada.sees("×1.5 is not allowed: choose one of 2, 15, 1000.")
    expect(entry).to_have_value("1.5")
    entry.fill("1,000")
    ada.sees("makes 1,000")
    entry.press("Enter")
    ada.must_move()
    expect(entry).to_have_value("")
    expect(ada.page.locator(".typed p")).to_have_text("")


def test_back_shows_the_match_just_made(people: People) -> None:
    ada = people.person()
    ada.starts()
    ada.must_move()
    ada.page.go_back()
    ada.sees("Your matches")
    expect(ada.page.get_by_role("link", name="your move")).to_be_visible()


def test_everything_is_announced_in_the_order_it_happened(people: People) -> None:
    ada = people.host("Ada")
    bo = people.guest(ada, "Bo")
    said = bo.page.locator("#said > p")
    ada.plays(5)
    bo.must_move()
    expect(said.last).to_have_text("Your move.")
    bo.plays(2)
    ada.must_move()
    bo.page.context.set_offline(offline=True)
    bo.sees(LOST)
    ada.plays(3)
    ada.total_is(30)
    bo.page.context.set_offline(offline=False)
    bo.must_move()
    bo.misses(LOST)
    expect(said.last).to_have_text("Connected again.")
    heard = said.all_text_contents()
    missed = next(i for i, text in enumerate(heard) if "Ada plays ×3" in text)
    lost = next(i for i, text in enumerate(heard) if text.startswith("Connection lost"))
    assert lost < missed < len(heard) - 1
    moves = bo.page.get_by_role("list", name="Moves").get_by_role("listitem")
    expect(moves).to_have_text(["Ada ×5 makes 5", "Bo ×2 makes 10", "Ada ×3 makes 30"])


def test_a_move_that_the_coach_gave_back_changes_nothing_for_the_other(
    people: People,
) -> None:
    ada = people.person()
    ada.opens_options()
    ada.page.get_by_label("Coach").check()
    ada.page.get_by_label("Your name").fill("Ada")
    ada.starts("friend")
    ada.sees("Send this link to a friend")
    bo = people.guest(ada, "Bo")
    bo.press("Why?")
    bo.sees("For Ada, whose turn it is:")
    for left in ("2 left in this game", "1 left in this game"):
        ada.plays(7)
        ada.press(re.compile("^Take it back"))
        expect(ada.page.locator("#said > p").last).to_contain_text(left)
        bo.sees("For Ada, whose turn it is:")
    ada.plays(7)
    ada.press(re.compile("^Take it back"))
    said = bo.page.locator("#said > p")
    expect(said.last).to_contain_text("No second chances left in this game.")
    heard = said.all_text_contents()
    assert [each for each in heard if "coach" in each] == heard[-1:]


def test_a_turn_and_a_slip_are_announced_once(people: People) -> None:
    ada = people.person()
    ada.opens_options()
    ada.page.get_by_label("Coach").check()
    ada.page.get_by_label("Your name").fill("Ada")
    ada.starts("friend")
    ada.sees("Send this link to a friend")
    bo = people.guest(ada, "Bo")
    ada.plays(7)
    ada.press("Play ×7 anyway")
    bo.must_move()
    ada.press("Take back")
    bo.press("No, play on")
    ada.press("Take back")
    ada.press("Cancel the request")
    said = bo.page.locator("#said > p")
    expect(said.last).to_have_text("Ada no longer wants a move back.")
    heard = said.all_text_contents()
    slipped = heard.index("Ada slipped. You can win from here.")
    assert heard[slipped - 1 :] == [
        "Ada plays ×7: 1 × 7 makes 7.",
        "Ada slipped. You can win from here.",
        "Your move.",
        "Ada asks to take a move back.",
        "You said no; the move stays.",
        "Ada asks to take a move back.",
        "Ada no longer wants a move back.",
    ]
    bo.plays(8)
    expect(ada.page.locator("#said > p").last).to_have_text("Your move.")


def test_a_move_that_the_rule_book_tells_others_nothing_of_has_its_numbers_grouped(
    people: People,
) -> None:
    ada = people.person()
    ada.opens_options()
    ada.page.get_by_label("Multiplication Madness").check()
    ada.page.get_by_label("Target").fill("2000")
    ada.page.get_by_label("Multipliers").fill("50")
    ada.starts("friend")
    ada.sees("Send this link to a friend")
    bo = people.guest(ada, "Bo")
    ada.plays(50)
    bo.plays(50)
    told = "Bo plays ×50: 50 × 50 makes 2,500. Bo has reached or exceeded"
    expect(ada.page.locator(".outcome")).to_contain_text(told)
    expect(ada.page.locator("#said")).to_contain_text(told)


def test_a_notice_about_a_product_outlasts_the_game_and_names_who_answered(
    people: People,
) -> None:
    ada = people.person()
    ada.opens_options()
    ada.page.get_by_label("Mental arithmetic").check()
    ada.page.get_by_label("Target").fill("50")
    ada.page.get_by_label("Multipliers").fill("3")
    address = ada.page.url
    ada.starts()
    ada.plays(3)
    ada.total_is(9)
    ada.must_move()
    answers(ada, 3, "8")
    expect(ada.page.locator("#said")).to_contain_text("Not quite: 9 × 3 is 27.")
    ada.sees("Careful wins")
    ada.sees("Not quite: 9 × 3 is 27.")

    ada.page.goto(address)
    ada.chooses("here")
    ada.page.get_by_label("Second player").fill("Bo")
    ada.page.get_by_label("Your name").fill("Ada")
    ada.starts("here")
    ada.hands_over_to("Ada")
    ada.key(3).click()
    ada.hands_over_to("Bo")
    answers(ada, 3, "8")
    ada.hands_over_to("Ada")
    ada.sees("Not quite, Bo: 3 × 3 is 9.")
    answers(ada, 3, "27")
    ada.sees("Right, Ada.")
    answers(ada, 3, "8")
    ada.sees("Bo wins")
    ada.sees("Not quite, Bo: 27 × 3 is 81, because 20 × 3 is 60 and 7 × 3 is 21.")
    ada.follow("Review")
    ada.sees("Move 4 of 4")
    ada.misses("Not quite")
    ada.follow("Back to the table")
    ada.sees("Bo wins")
    ada.misses("Not quite")


def answers(person: Person, multiplier: int, product: str) -> None:
    """Play a multiplier, and say what it makes."""
    person.key(multiplier).click()
    person.page.get_by_label("Your answer").fill(product)
    person.press("Play it")


def test_copying_the_link_is_announced(people: People) -> None:
    ada = people.host("Ada")
    ada.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ada.press("Copy the link")
    expect(ada.page.locator("#said > p").last).to_have_text("Copied")


def test_the_focus_stays_at_the_table_when_its_button_goes(people: People) -> None:
    ada = people.host("Ada")
    bo = people.guest(ada, "Bo")
    ada.plays(2)
    ada.press("Take back")
    ada.button("Cancel the request").press("Enter")
    expect(ada.button("Cancel the request")).to_have_count(0)
    expect(ada.page.locator(".table :focus")).to_have_count(1)
    expect(ada.page.locator("h1:focus")).to_have_count(0)
    bo.must_move()
    bo.button("Hint").press("Enter")
    more = bo.button("Tell me more")
    more.press("Enter")
    more.press("Enter")
    expect(more).to_have_count(0)
    expect(bo.page.locator(".panel")).to_be_focused()


def test_single_keys_can_be_switched_off(people: People) -> None:
    ada = people.person()
    ada.starts()
    ada.must_move()
    ada.types("?")
    ada.press("Turn single-key shortcuts off")
    said = ada.page.locator("#said > p").last
    expect(said).to_have_text("Single-key shortcuts are off.")
    ada.types("?")
    ada.types("5")
    expect(ada.page.get_by_role("dialog")).to_have_count(0)
    ada.total_is(1)
    ada.press("How to play")
    ada.press("Turn single-key shortcuts on")
    expect(said).to_have_text("Single-key shortcuts are on.")
    ada.types("5")
    expect(ada.page.locator(".played").first).to_contain_text("×5")


@pytest.mark.parametrize("name", JOINED)
def test_a_name_with_joiners_is_a_name(people: People, name: str) -> None:
    ada = people.host(name)
    bo = people.guest(ada, "Bo")
    expect(bo.page.locator(".seat1 bdi")).to_have_text(name)


def test_single_keys_that_are_off_answer_no_puzzle(people: People) -> None:
    ada = people.person("/puzzles/2026-11-18")
    expect(ada.page.locator(".key").first).to_be_visible()
    ada.types("?")
    ada.press("Turn single-key shortcuts off")
    told = ada.page.locator("#said")
    expect(told).to_contain_text("Single-key shortcuts are off.")
    ada.types("2")
    ada.press("How to play")
    ada.press("Turn single-key shortcuts on")
    expect(told).to_contain_text("Single-key shortcuts are on.")
    expect(ada.page.locator(".panel, .key.wrong, .key.right")).to_have_count(0)
    ada.types("2")
    expect(ada.page.locator(".panel")).to_be_visible()


def test_an_invitation_says_each_thing_once_and_nothing_false(people: People) -> None:
    ada = people.person()
    ada.page.get_by_label("Multiplier", exact=True).check()
    ada.opens_options()
    ada.page.get_by_label("How many").fill("3")
    ada.starts("friend")
    ada.sees("Send this link to a friend")
    bo = people.person(ada.page.url)
    bo.sees("In Multiplier Showdown, whoever gets to 1,000 or more wins.")
    expect(bo.page.get_by_text("Reach 1,000 or more and you lose")).to_have_count(1)
    expect(bo.page.get_by_text(re.compile("best of 3", re.IGNORECASE))).to_have_count(1)
    bo.misses("game 1 of 3")
    bo.press("Watch")
    people.guest(ada, "Eve")
    bo.sees("You are watching.")
    bo.misses("you can watch")


def test_pictures_that_do_not_come_are_said_to_be_missing(people: People) -> None:
    ada = people.person("about:blank")
    ada.page.route("**/how-to-play*", lambda route: route.abort())
    ada.page.goto("/")
    ada.press("How to play")
    missing = "The pictures did not load."
    ada.sees(missing)
    ada.press("Close")
    ada.page.unroute("**/how-to-play*")
    ada.press("How to play")
    expect(ada.page.locator(".how svg")).to_have_count(3)
    ada.misses(missing)


def test_a_product_that_is_told_is_said_and_not_marked(people: People) -> None:
    ada = people.person()
    ada.opens_options()
    ada.page.get_by_label("Mental arithmetic").check()
    ada.starts("here")
    ada.key(3).click()
    ada.total_is(3)
    ada.key(3).click()
    ada.sees("What is 3 × 3?")
    ada.press("I don't know")
    ada.press("I don't know")
    ada.press("I don't know")
    ada.sees("3 × 3 is 9.")
    ada.total_is(9)
    expect(ada.page.locator("#said")).not_to_contain_text("Right")


def test_a_friend_who_leaves_is_said_to_be_away_and_back(people: People) -> None:
    ada = people.host("Ada")
    bo = people.guest(ada, "Bo")
    ada.sees("you")
    address = bo.page.url
    bo.page.goto("/")
    ada.sees("Bo is away. The match will wait.")
    bo.page.goto(address)
    ada.sees("Bo is back.")


def test_a_request_after_a_game_leaves_how_it_ended(people: People) -> None:
    ada = people.host("Ada")
    people.guest(ada, "Bo")
    ada.resigns()
    ada.sees("Ada has resigned")
    ada.press("Ask Bo for a rematch")
    ada.sees("You asked for a rematch. Waiting for Bo to agree.")
    ada.sees("Ada has resigned")
