"""Practise and Progress on every screen, for every kind of item, and after a game."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from tests.browser.people import People, Person

pytestmark = pytest.mark.prove

SMALL_PHONE, ON_ITS_SIDE, LAPTOP = (320, 568), (844, 390), (1280, 800)


def is_in_view(person: Person, *selectors: str) -> None:
    for selector in selectors:
        shown = person.page.locator("main").locator(selector).first
        expect(shown).to_be_in_viewport(ratio=1)
    beyond = "document.documentElement.scrollWidth - innerWidth"
    assert person.page.evaluate(beyond) <= 0


@pytest.mark.parametrize("size", [SMALL_PHONE, ON_ITS_SIDE, LAPTOP])
def test_leaving_a_drill_before_its_end_loses_nothing_that_was_answered(
    people: People, size: tuple[int, int]
) -> None:
    ada = people.person("/practise", size=size)
    ada.sees("1 of 12")
    answer = ada.button("Answer").locator("visible=true")
    expect(answer).to_be_in_viewport(ratio=1)
    is_in_view(ada, ".asked", "input", "form button[type=button]")
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
    ada.sees("Not connected. Your answer will be sent when the connection is back.")
    ada.page.context.set_offline(offline=False)
    ada.sees(re.compile("^(Not quite|Right)"))
    ada.misses("Not connected.")


def test_a_lost_game_is_practised_and_mental_arithmetic_feeds_the_same_learner(
    people: People,
) -> None:
    ada = people.person()
    ada.opens_options()
    ada.page.get_by_label("Mental arithmetic").check()
    ada.page.get_by_label("Target").fill("100")
    ada.starts("friend")
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
        "Prove it: win from 8. Perfect starts, and you have to win whatever it plays."
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
    ada.sees(re.compile("11 is not a position in this game"))
    ada.page.go_back()
    ada.page.get_by_label("Total").fill("8")
    ada.press("It is lost")
    ada.sees(
        "You say 8 is lost: every move from it loses."
        " Prove it: win 3 games from there against Perfect. Perfect starts."
    )
    ada.types("Enter")
    ada.plays(2)
    ada.sees("Perfect wins")
    ada.press("Continue")
    ada.sees("True, but you slipped at 16: there you win with ×7 to ×9.")
    ada.press("Again")
    ada.sees("Prove it: win 3 games from there")
    ada.types("Enter")
    ada.must_move()
    ada.total_is(16)


def test_learn_says_what_is_next_and_how_far_one_is_on_every_screen(
    people: People, axe: Path
) -> None:
    ada = people.person("/learn", examined=True)
    path = ada.page.request.get("/api/path").json()
    for step in path["chapters"][0]["steps"][:3]:
        step["is_done"] = True
    path["next_step"] = 4
    ada.page.route("**/api/path", lambda route: route.fulfill(json=path))
    ada.page.reload()
    ada.sees("Reach the target · step 4 of 8")
    going = ada.page.get_by_role("link", name="Continue")
    line = ada.page.get_by_role("img", name="3 of 8 steps done; step 4 is next.")
    for _ in ada.sizes():
        assert ada.has_in_view(going)
        expect(line).to_be_in_viewport(ratio=1)  # the words stand before its top
        rows = ada.page.locator(".chapter[open] a").all()
        assert min(box["height"] for row in rows if (box := row.bounding_box())) >= 44
        beyond = "document.documentElement.scrollWidth - innerWidth"
        assert ada.page.evaluate(beyond) <= 0
    expect(ada.page.locator(".played")).to_have_count(3)
    expect(ada.page.get_by_role("link", name=re.compile(" next$"))).to_have_attribute(
        "aria-current", "step"
    )
    expect(ada.page.get_by_label("Total")).to_be_hidden()
    ada.page.get_by_text("Make a claim").click()
    expect(ada.page.get_by_label("Total")).to_be_visible()
    ada.page.add_script_tag(path=axe)
    found = "async () => (await axe.run()).violations.map(({ id }) => id)"
    assert ada.page.evaluate(found) == []
    ada.page.unroute("**/api/path")
    going.click()
    ada.sees("which band of the numbers 1 to 20 is lost?")


def test_digits_are_pressed_where_a_keyboard_would_cover_the_page(
    people: People,
) -> None:
    def products(route: Route) -> None:
        if route.request.method == "POST":
            return route.continue_()
        drill = route.fetch().json()
        items = [{**drill["items"][0], "key": f"{a}x7"} for a in range(2, 14)]
        for a, item in enumerate(items, start=2):
            item |= {"text": f"{a} × 7 = ?", "kind": "number", "choices": []}
        return route.fulfill(json=drill | {"items": items})

    ada = people.person("about:blank", size=SMALL_PHONE)
    ada.page.route("**/api/practice", products)
    ada.page.goto("/practise")
    entry = ada.page.get_by_label("Your answer")
    expect(entry).to_be_focused()
    expect(entry).to_have_attribute("inputmode", "none")
    for digit in ("1", "0", "7", "Delete"):
        ada.button(re.compile(f"^{digit}$")).tap()
    expect(entry).to_have_value("10")
    entry.clear()
    ticks = ada.page.locator(".ticks > li")
    expect(ticks).to_have_count(12)
    ada.answers_item()
    expect(ticks.first).to_have_class("is-true")
    ada.types("Enter")
    ada.button("Help").tap()
    expect(ada.page.locator(".panel")).to_be_in_viewport(ratio=1)
    for digit in "9999":
        ada.button(digit).tap()
    ada.button("Answer").locator("visible=true").tap()
    expect(ticks.nth(1)).to_have_class("is-false")


def answers_once(person: Person) -> None:
    """Answer an item, by the call that the page makes."""
    asked = {"item": "7x8", "entries": ["56"], "request_id": "r" * 22}
    assert person.page.request.post("/api/practice", data=asked).ok


def test_progress_is_brought_to_another_device_by_a_link_that_works_once(
    people: People,
) -> None:
    ada = people.person("/progress")
    ada.sees("Skills")
    expect(ada.button("Get a link")).to_have_count(0)
    answers_once(ada)
    ada.page.reload()
    ada.press("Get a link")
    ada.sees("It works once, for 10 minutes.")
    ada.sees("Only this machine can open this link.")
    link = ada.page.locator(".moving .link a").get_attribute("href")
    assert link is not None
    phone = people.person(link, size=(390, 844))
    phone.sees("Bring your progress here?")
    phone.press("Bring it here")
    phone.sees("Your progress is here now, and on your other device.")
    phone.sees("1 of 36")
    assert phone.page.url.endswith("/progress")
    eve = people.person("/progress")
    eve.sees("Skills")
    eve.page.goto(link)  # in the same tab: only the hash changes
    eve.sees("It replaces any progress that this device has of its own.")
    eve.press("Bring it here")
    eve.sees(re.compile("^This link has been used, has expired"))
    expect(eve.button("Get a link")).to_have_count(0)


def test_lost_answers_are_mentioned_once(people: People) -> None:
    ada = people.person("about:blank")
    ada.page.goto("/progress")
    ada.sees("Skills")
    answers_once(ada)
    ada.page.reload()
    expect(ada.button("Get a link")).to_be_visible()
    ada.page.context.clear_cookies()
    ada.page.goto("/practise")
    lost = "Your earlier answers are not known here any more."
    ada.sees(lost)
    ada.page.goto("/progress")
    ada.sees("Skills")
    ada.misses(lost)
