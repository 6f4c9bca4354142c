"""Practise and Progress on every screen, for every kind of item, and after a game."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import expect

from tests.browser.people import People, Person

pytestmark = pytest.mark.prove

SMALL_PHONE, ON_ITS_SIDE, LAPTOP = (320, 568), (844, 390), (1280, 800)


def is_in_view(person: Person, *selectors: str) -> None:
    for selector in selectors:
        expect(person.page.locator(selector).first).to_be_in_viewport(ratio=1)
    beyond = "document.documentElement.scrollWidth - innerWidth"
    assert person.page.evaluate(beyond) <= 0


@pytest.mark.parametrize("size", [SMALL_PHONE, ON_ITS_SIDE, LAPTOP])
def test_leaving_a_drill_before_its_end_loses_nothing_that_was_answered(
    people: People, size: tuple[int, int]
) -> None:
    ada = people.person("/practise", size=size)
    ada.sees("1 of 12")
    is_in_view(ada, ".asked", "input", "form .primary", "form button[type=button]")
    ada.answers_item()
    is_in_view(ada, ".asked", ".panel", "#next")
    for number in range(2, 13):
        ada.types("Enter")
        ada.sees(f"{number} of 12")
        if number < 12:
            ada.answers_item()
    ada.page.goto("/progress")
    ada.sees(re.compile("Next practice: |You can practise more|Practise"))
    asked = ada.page.request.get("/api/learner").json()
    assert asked["answered"] == 11
    beyond = "document.documentElement.scrollWidth - innerWidth"
    assert ada.page.evaluate(beyond) <= 0


def test_words_are_chosen_by_buttons_and_a_band_is_two_numbers(people: People) -> None:
    ada = people.person()
    items = [
        {"key": "a", "text": "Who wins?", "kind": "choice", "choices": ["you", "they"]},
        {
            "key": "band:reach 100",
            "text": "Which band?",
            "kind": "band",
            "choices": [],
        },
    ]
    told = {
        "shown": ["Right. You do."],
        "right": True,
        "item": None,
        "line": None,
        "caption": "",
        "closing": "",
        "is_over": True,
        "is_done": True,
    }
    ada.page.route(
        "**/api/practice",
        lambda route: route.fulfill(
            json=told
            if route.request.method == "POST"
            else {"items": items, "answered": 0}
        ),
        times=2,
    )
    ada.page.goto("/practise")
    ada.press("they")
    ada.sees("Right. You do.")
    ada.types("Enter")
    ada.page.get_by_label("From").fill("6")
    ada.page.get_by_label("To", exact=True).fill("11")
    ada.types("Enter")
    ada.sees(re.compile("^Right. The highest lost band is 6 to 11"))


def test_an_answer_without_a_connection_is_sent_when_it_is_back(people: People) -> None:
    ada = people.person("/practise")
    ada.sees("1 of 12")
    ada.page.context.set_offline(offline=True)
    ada.page.get_by_label("Your answer").fill("1")
    ada.types("Enter")
    ada.sees("Not connected. Your answer is sent when the connection is back.")
    ada.page.context.set_offline(offline=False)
    ada.sees(re.compile("^(Not quite|Right)"))
    ada.misses("Not connected.")


def test_a_lost_game_is_practised_and_mental_arithmetic_feeds_the_same_learner(
    people: People,
) -> None:
    ada = people.person()
    ada.page.get_by_text("Change").click()
    ada.page.get_by_label("Mental arithmetic").check()
    ada.page.get_by_label("Target").fill("100")
    ada.press("Play a friend")
    ada.sees("Send this link to a friend")
    bo = people.guest(ada, "Bo")
    ada.plays(4)
    bo.plays(4)
    bo.page.get_by_label("Your answer").fill("16")
    bo.types("Enter")
    ada.plays(7)
    ada.page.get_by_label("Your answer").fill("112")
    ada.types("Enter")
    bo.sees("Practise this")
    ada.misses("Practise this")
    bo.follow("Practise this")
    bo.sees("1 of 2")
    bo.sees("Exactly one of 2-9 wins.")
    bo.page.get_by_label("Your answer").fill("2")
    bo.types("Enter")
    bo.sees(re.compile("^Right"))
    learner = bo.page.request.get("/api/learner")
    assert learner.json()["answered"] == 2, json.dumps(learner.json())


@pytest.mark.parametrize("size", [SMALL_PHONE, ON_ITS_SIDE, LAPTOP])
def test_a_step_is_walked_by_keyboard_and_a_reload_loses_nothing(
    people: People, size: tuple[int, int]
) -> None:
    ada = people.person("/learn?chapter=reach&step=3", size=size, examined=True)
    ada.sees("With target 100, name a total below 12")
    ada.page.keyboard.type("8")
    ada.types("Enter")
    ada.sees(
        "Show it: win from 8, when I begin, whatever I answer."
        " If you do, 8 is called lost: every move from it loses."
    )
    ada.types("Enter")
    for game in (1, 2, 3):
        ada.sees(re.compile(f"Game {game} of 3$"))
        ada.must_move()
        if game == 2:
            ada.page.reload()
            ada.sees("You win!")  # the end of the game before
            ada.types("Enter")
            ada.must_move()
        is_in_view(ada, ".number", ".key")
        ada.types("9")
        ada.sees("You win!")
        ada.types("Enter")
    ada.sees("Proved: 8 is lost. You won all three games.")
    ada.sees("Step 3 is done.")
    assert ada.page.request.get("/api/learner").json()["answered"] == 2
    ada.follow("Next step")
    ada.sees("Play three games")


def test_a_band_is_shaded_along_the_line(people: People) -> None:
    ada = people.person("/learn?chapter=reach&step=4", size=LAPTOP)
    line = ada.page.locator("svg.line").bounding_box()
    assert line is not None
    height = line["y"] + line["height"] / 2
    places = [line["x"] + 18 + (line["width"] - 36) * at for at in (0.4, 0.52)]
    ada.page.mouse.move(places[0], height)
    ada.page.mouse.down()
    ada.page.mouse.move(places[1], height)
    ada.page.mouse.up()
    expect(ada.page.get_by_label("From", exact=True)).to_have_value("6")
    expect(ada.page.get_by_label("To", exact=True)).to_have_value("11")
    ada.press("Answer")
    ada.sees("6 to 11 is lost: from there every move loses.")


def test_a_claim_is_made_from_a_game_and_settled_by_playing(people: People) -> None:
    ada = people.person(
        "/learn?game=multiplication-madness&target=100#claim", examined=True
    )
    ada.page.get_by_label("Total").fill("11")
    ada.press("It is lost")
    ada.sees(re.compile("11 is no position of this game"))
    ada.page.go_back()
    ada.page.get_by_label("Total").fill("8")
    ada.press("It is lost")
    ada.sees(
        "You say: 8 is lost. That is, every move from it loses."
        " Then win from there 3 times, against my best. I begin."
    )
    ada.types("Enter")
    ada.plays(2)
    ada.sees("Perfect wins")
    ada.press("Go on")
    ada.sees("True, but you slipped at 16: there you win with ×7 to ×9.")
    ada.press("Again")
    ada.sees("Then win from there 3 times")
    ada.types("Enter")
    ada.must_move()
    ada.total_is(16)
