"""What people do on the page every day; ``make prove`` has all the rest."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urlsplit

from playwright.sync_api import Route, expect

from tests.browser.people import LISTEN, LOST, SAVED, People, ScreenReader, Traffic
from tests.program import assert_golden
from tests.servers import Served

HEARD = """\
What a screen reader says in one game on the page: Ada plays Multiplier Showdown against
the level Perfect, by keyboard alone. [Tab] is a key that she presses; "focus" is what
she is led to and "in" the dialog around it, "said" what the page tells her by itself,
and "page" its title.
"""


def test_two_people_play_a_match_to_its_end_review_it_and_play_again(
    people: People,
) -> None:
    ada = people.host("Ada")
    expect(ada.page.locator(".link")).to_have_text(ada.page.url)
    bo = people.guest(ada, "Bo", size=(360, 740), scheme="dark")

    ada.plays(5)
    bo.sees("1 × 5 = 5")
    bo.plays(3)
    ada.total_is(15)
    ada.plays(2)
    bo.plays(6)
    ada.plays(7)

    ada.sees("You win!")
    bo.sees("Ada wins")
    expect(bo.page.locator(".seat.filled")).to_contain_text("Ada")
    expect(bo.page.locator(".outcome")).to_have_text(
        "Ada multiplies 180 by 7 to get 1,260."
        " Ada has reached the target number and wins the game!"
    )

    bo.follow("Review")
    bo.sees("Move 5 of 5")
    expect(bo.page.locator("rect.band")).not_to_have_count(0)
    expect(bo.page.locator(".moves")).to_contain_text("slip, turning point")
    bo.types("ArrowLeft")
    bo.sees("Move 4 of 5")
    bo.total_is(180)
    bo.follow("Back to the table")

    ada.press("Rematch")
    ada.sees("You asked for a rematch")
    expect(bo.button("Accept the rematch")).to_be_visible()
    ada.press("Cancel the request")
    expect(bo.button("Accept the rematch")).to_have_count(0)
    ada.press("Rematch")
    bo.press("Accept the rematch")
    bo.must_move()
    ada.sees("match 2")


def test_a_first_visit_is_small_and_a_second_one_fetches_the_page_alone(
    people: People,
) -> None:
    ada = people.person("about:blank", without="/* a browser that was never here */")
    first = Traffic(ada.page)
    ada.page.goto("/")
    expect(ada.button("Play the computer")).to_be_visible()
    assert len(first.files) <= 25
    assert not any(path.endswith("/review.js") for path in first.files)
    assert 20_000 < first.size <= 60_000
    played = Traffic(ada.page)
    ada.starts()
    ada.must_move()
    assert played.files == [urlsplit(ada.page.url).path]
    again = Traffic(ada.page)
    ada.page.goto("/")
    expect(ada.button("Play the computer")).to_be_visible()
    assert again.files == ["/"]


def test_a_page_that_does_not_load_says_so_and_tries_again(people: People) -> None:
    ada = people.person("about:blank")
    failures: dict[str, Callable[[Route], None]] = {
        "number-line.js": lambda route: route.abort(),
        "text.js": lambda route: route.fulfill(status=404, body="{}"),
        "table.css": lambda route: route.abort(),
        "pages.css": lambda route: route.fulfill(status=404, body="{}"),
        "main.js": lambda route: route.fulfill(
            body="throw new Error()", content_type="text/javascript"
        ),
    }
    for name, failure in failures.items():
        ada.page.route(f"**/{name}", failure)
        ada.page.goto("/explore?target=2000")
        ada.sees("The page did not load")
        ada.page.unroute(f"**/{name}")
        ada.press("Try again")
        expect(ada.page.get_by_label("Target")).to_have_value("2000")
    ada.page.route("**/start.js", lambda route: route.abort())
    ada.page.goto("/puzzles")
    expect(ada.button("Try again")).to_be_hidden()
    ada.page.evaluate("document.getAnimations().forEach((each) => each.finish())")
    ada.sees("Still loading")
    ada.page.unroute("**/start.js")
    ada.press("Try again")
    ada.sees(re.compile("Exactly one of"))


def test_whoever_opens_the_link_is_asked_before_a_seat_is_taken(people: People) -> None:
    ada = people.host("Ada")
    bo = people.person(ada.page.url)
    bo.sees("Ada invites you to play")
    bo.sees("On your turn, you multiply the total by one of 2-9.")
    expect(bo.page.locator(".how svg")).to_have_count(3)
    bo.press("Rules")
    expect(bo.page.get_by_role("dialog")).to_contain_text("Nobody may pass")
    bo.press("Close")
    bo.sees("Ada asks for this. Do you agree?")
    ada.sees("Waiting for your friend")
    bo.page.get_by_label("Hints").uncheck()
    bo.press("Join the game")
    ada.must_move()
    expect(ada.button("Hint")).to_have_count(0)


def test_a_move_is_taken_back_only_if_the_other_agrees(people: People) -> None:
    ada = people.host("Ada")
    bo = people.guest(ada, "Bo")
    ada.plays(5)
    ada.press("Take back")
    ada.sees("Waiting for")
    bo.press("No, play on")
    ada.sees("Bo said no")
    ada.press("Take back")
    expect(bo.button("Allow")).to_be_visible()
    ada.press("Cancel the request")
    expect(bo.button("Allow")).to_have_count(0)
    ada.press("Take back")
    bo.press("Allow")
    ada.total_is(1)
    ada.must_move()


def test_two_on_one_device_hand_it_over_and_look_back(people: People) -> None:
    ada = people.person(size=(390, 844))
    ada.chooses("here")
    ada.page.get_by_label("Your name").fill("Ada")
    other = ada.page.get_by_label("Second player")
    other.fill("Ada")
    ada.starts("here")
    ada.sees("The other player is called Ada too; choose another name.")
    expect(other).to_be_focused()
    expect(other).to_have_value("Ada")
    expect(other).to_have_accessible_name("Second player")
    expect(other).to_have_accessible_description(re.compile("choose another name"))
    other.fill("Bo")
    ada.opens_options()
    ada.page.get_by_label("Target").fill("40")
    ada.page.get_by_label("How many").fill("3")
    ada.starts("here")
    ada.hands_over_to("Ada")
    ada.key(5).click()
    ada.hands_over_to("Bo")
    eve = people.person(ada.page.url)
    eve.total_is(5)
    eve.misses("away")
    expect(eve.page.locator(".key, .seat.filled")).to_have_count(0)
    ada.press("Take back")
    ada.hands_over_to("Ada")
    ada.total_is(1)
    ada.key(5).click()
    ada.key(9).click()
    ada.sees("Bo wins")
    ada.press("Next game")
    ada.hands_over_to("Bo")
    ada.resigns()
    ada.sees("Ada wins")

    ada.follow("Review")
    ada.page.get_by_label("Game").select_option("Game 1: Bo won")
    ada.sees("Move 2 of 2")
    ada.press("Try again from move 1")
    ada.hands_over_to("Ada")
    ada.total_is(1)
    ada.page.goto("/look-back")
    ada.sees("Ada won, 1 to 1, next game")
    ada.page.get_by_role("link", name="Ada's turn").click()
    ada.total_is(1)


def test_no_other_try_is_offered_where_nobody_slipped(people: People) -> None:
    ada = people.person()
    ada.opens_options()
    ada.page.get_by_label("Target").fill("40")
    ada.starts("here")
    for multiplier in (3, 2, 9):
        ada.key(multiplier).click()
    ada.follow("Review")
    ada.sees("could win from the start, and did")
    expect(ada.button(re.compile("Try again"))).to_have_count(0)


def test_the_computer_answers_and_the_match_is_there_to_return_to(
    people: People,
) -> None:
    ada = people.person()
    ada.page.get_by_role("combobox", name="Level").select_option("Perfect")
    ada.starts()
    ada.plays(7)
    ada.must_move()
    expect(ada.page.locator(".played")).to_have_count(2)
    ada.page.goto("/")
    ada.sees("Your matches")
    ada.follow("Your move")
    ada.must_move()


def test_mental_arithmetic_asks_for_the_product_before_it_counts(
    people: People,
) -> None:
    ada = people.person()
    ada.opens_options()
    ada.page.get_by_label("Mental arithmetic").check()
    ada.starts()
    ada.plays(2)
    ada.must_move()
    expect(ada.key(3)).not_to_contain_text("makes")
    ada.plays(3)
    ada.page.get_by_label("Your answer").fill("1")
    ada.press("Play it")
    ada.sees("Not quite")


def test_the_coach_warns_and_gives_the_move_back(people: People) -> None:
    ada = people.person()
    ada.opens_options()
    ada.page.get_by_label("Coach").check()
    ada.starts()
    ada.plays(7)
    ada.sees("That gives the win away.")
    ada.press("Take it back (3 left)")
    ada.total_is(1)
    ada.plays(7)
    ada.press("Play ×7 anyway")
    expect(ada.page.locator(".played").first).to_be_visible()


def test_the_coach_warns_once_no_move_is_given_back_any_more(people: People) -> None:
    ada = people.person()
    ada.opens_options()
    ada.page.get_by_label("Coach").check()
    ada.starts()
    for _ in range(3):
        ada.plays(7)
        ada.press(re.compile("^Take it back"))
    ada.plays(7)
    ada.sees("That gives the win away. ×7 makes 7.")
    ada.sees("No second chances left in this game.")
    ada.must_move()  # the level has answered, and the warning is still there
    ada.sees("That gives the win away. ×7 makes 7.")


def test_a_hint_comes_in_steps_and_why_draws_the_bands(people: People) -> None:
    ada = people.person()
    ada.starts()
    ada.must_move()
    ada.press("Hint")
    ada.sees("You can win from here")
    expect(ada.page.locator("rect.band")).to_have_count(0)
    ada.press("Tell me more")
    ada.sees("Leave 4 to 6")
    expect(ada.page.locator("rect.band")).to_have_count(1)
    ada.press("Tell me more")
    expect(ada.page.locator(".key.hinted")).to_have_count(1)
    expect(ada.page.locator(".preview")).to_have_count(1)
    ada.press("Why?")
    expect(ada.page.locator("rect.band")).to_have_count(2)
    ada.press("Hide why")
    expect(ada.page.locator("rect.band")).to_have_count(0)


def test_a_move_made_without_a_network_is_sent_when_it_is_back(people: People) -> None:
    ada = people.host("Ada")
    bo = people.guest(ada, "Bo")
    ada.must_move()
    ada.page.context.set_offline(offline=True)
    ada.sees(LOST)
    ada.misses(SAVED)
    ada.plays(5)
    expect(ada.key(5)).to_contain_text("saved")
    ada.sees(SAVED)
    ada.types("3")
    ada.sees("One thing at a time: please finish this first.")
    ada.total_is(1)
    ada.page.context.set_offline(offline=False)
    bo.total_is(5)
    ada.total_is(5)
    ada.misses(LOST)


def test_a_server_that_is_killed_and_started_again_goes_on(
    people: People, server: Served
) -> None:
    ada = people.host("Ada")
    bo = people.guest(ada, "Bo")
    ada.plays(5)
    bo.must_move()
    server.kill()
    ada.sees(LOST)
    bo.sees(LOST)
    bo.plays(3)
    expect(bo.key(3)).to_contain_text("saved")
    server.start()
    bo.total_is(15)
    ada.total_is(15)
    ada.misses(LOST)
    ada.plays(2)
    bo.total_is(30)


def test_a_match_is_played_by_keyboard_alone_and_by_ear_as_the_transcript_says(
    people: People,
) -> None:
    ada = people.person(without=LISTEN)
    expect(ada.button("Play the computer")).to_be_visible()
    reader = ScreenReader(ada.page)
    reader.listen()
    reader.press(*["Tab"] * 12, "End", "Tab", "Tab")
    reader.press("Enter", "Tab")
    reader.type("Ada")
    reader.press("Enter", until="Your move.")
    reader.press("Tab", "Enter", *["Tab"] * 4)
    expect(ada.page.locator(".preview")).to_contain_text("×5")
    reader.press("Enter", until="Your move.")
    reader.press("?", shows="play that multiplier")
    reader.press("Escape", *["Tab"] * 5)
    reader.press("Enter", until="You can win")
    reader.press("2", until="Your move.")
    reader.press("Shift+Tab")
    reader.press("Enter", until="Ada multiplies")
    reader.press("Tab", "Tab")
    reader.press("Enter", until="Ada could win")
    reader.press("ArrowLeft")
    expect(ada.page.locator(".moves [aria-current]")).to_have_count(1)
    assert_golden("screen-reader.txt", "\n".join((HEARD, *reader.lines, "")))


def test_explore_answers_as_one_types_and_points(people: People) -> None:
    ada = people.person("/explore")
    ada.sees("This page is public")
    ada.sees("You can win from 1: play ×4 to ×6.")
    expect(ada.page.locator("rect.band")).to_have_count(2)
    ada.page.get_by_label("Target").fill("2,000")
    ada.sees(re.compile("You can win from 1|From 1 every move"))
    expect(ada.page).to_have_url(re.compile("target=2000"))
    line = ada.page.get_by_role("slider")
    line.press("ArrowRight")
    expect(ada.page.get_by_label("Current total")).to_have_value("2")
    expect(line).to_be_focused()
    line.press("End")
    line.click(position={"x": 20, "y": 60})
    expect(ada.page.get_by_label("Current total")).to_have_value("1")


def test_a_puzzle_says_why_an_answer_is_wrong_and_why_one_is_right(
    people: People,
) -> None:
    ada = people.person("/puzzles", size=(360, 740), scheme="dark")
    right = ada.page.locator(".key.right")
    keys = ada.page.locator(".key")
    expect(keys.first).to_be_visible()
    expect(ada.page.locator("rect.band")).to_have_count(0)
    for index in range(keys.count()):
        keys.nth(index).click()
        marked = ada.page.locator(".key.right, .key.wrong")
        expect(marked).to_have_count(index + 1)
        if right.count():
            break
        expect(ada.page.locator(".panel.wrong")).to_contain_text("Not that one.")
    expect(ada.page.locator(".panel.right")).to_contain_text("Right.")
    expect(ada.button("Next puzzle")).to_be_focused()
    ada.press("Next puzzle")
    expect(ada.button("Another one")).to_be_visible()
    expect(right).to_have_count(0)


def test_a_drill_is_answered_by_keyboard_and_kept_until_one_is_forgotten(
    people: People,
) -> None:
    def shorten(route: Route) -> None:
        if route.request.method == "GET":
            drill = route.fetch().json()
            route.fulfill(json=drill | {"items": drill["items"][:3]})
        else:
            route.continue_()

    ada = people.person(size=(360, 740), scheme="dark")
    ada.page.route("**/api/practice", shorten)
    ada.page.goto("/practise")
    ada.sees("1 of 3")
    ada.page.keyboard.type("many")
    ada.types("Enter")
    ada.sees(re.compile("^Type (a whole number|one of)"))
    ada.press("Help")
    expect(ada.page.locator(".panel")).not_to_contain_text("Type")
    ada.page.get_by_label("Your answer").clear()
    for number in (1, 2, 3):
        ada.sees(f"{number} of 3")
        ada.answers_item()
        ada.types("Enter")
    ada.sees("Round finished!")
    ada.sees(re.compile("^Improved: .* Next practice: "))
    ada.follow("Progress")
    ada.sees("Skills")
    expect(ada.page.locator(".known span", has_text="○").first).to_be_visible()
    expect(ada.page.locator(".unseen", has_text="Of the 36 facts")).to_have_count(1)
    ada.page.get_by_label("Your name").fill("Ada")
    ada.types("Enter")
    ada.sees("Ada's progress")
    ada.press("Forget me")
    ada.page.get_by_role("dialog").get_by_role("button", name="Forget me").click()
    ada.misses("Ada's progress")
    expect(ada.button("Forget me")).to_have_count(0)
