"""Two people play a match, each in a browser of their own."""

from __future__ import annotations

import re
from contextlib import closing
from sqlite3 import connect

import pytest
from playwright.sync_api import APIResponse, Route, expect

from tests.browser.people import People, Person
from tests.servers import Served

pytestmark = pytest.mark.prove


def test_who_reviews_hears_of_the_rematch_and_of_its_beginning(people: People) -> None:
    ada = people.host("Ada")
    bo = people.guest(ada, "Bo")
    ada.resigns()
    bo.follow("Review")
    ada.press("Rematch")
    bo.sees("Ada wants a rematch.")
    bo.press("Accept the rematch")
    bo.must_move()
    bo.page.go_back()
    bo.sees("The next game has started.")


def test_looking_back_shows_what_happened_meanwhile_and_what_came_before_a_rematch(
    people: People,
) -> None:
    ada = people.host("Ada")
    bo = people.guest(ada, "Bo")
    ada.must_move()
    ada.page.goto("/look-back")
    ada.sees("your move")
    bo.resigns()
    bo.sees("Ada wins")
    ada.page.reload()
    ada.sees("you won")
    ada.sees("You won 1 of 1 on this device")
    ada.follow("you won")
    ada.press("Rematch")
    ada.page.goto("/look-back")
    bo.press("Accept the rematch")
    bo.must_move()
    for _ in range(2):
        ada.page.reload()
        ada.sees("their move")
        ada.sees("You won 1 of 1 on this device")
        expect(ada.page.locator(".row")).to_have_count(2)
    bo.page.goto("/look-back")
    bo.sees("You won 0 of 1 on this device")
    expect(bo.page.locator(".row")).to_have_count(2)
    ada.follow("you won")
    ada.sees("Bo resigned")
    ada.page.goto("/")
    expect(ada.page.locator(".row")).to_have_count(1)
    ada.follow("their move")
    ada.sees("match 2")


def test_somebody_who_watches_sees_every_move_and_has_no_keys(people: People) -> None:
    ada = people.host("Ada")
    eve = people.person(ada.page.url)
    eve.press("Watch")
    eve.sees("You are watching")
    bo = people.guest(ada)
    ada.plays(4)
    bo.plays(9)
    eve.total_is(36)
    expect(eve.page.locator(".key")).to_have_count(0)


def test_both_names_are_kept_apart_from_what_surrounds_them(people: People) -> None:
    ada = people.host("<b>Ada</b>")
    bo = people.guest(ada)
    expect(bo.page.locator("bdi", has_text="<b>Ada</b>").first).to_be_visible()


def test_resigning_is_asked_once(people: People) -> None:
    ada = people.host("Ada")
    bo = people.guest(ada, "Bo")
    ada.press_more("Resign")
    ada.press("Play on")
    ada.must_move()
    ada.resigns()
    bo.sees("You win!")
    ada.sees("Bo wins")


def test_the_other_side_has_the_next_game_too(people: People) -> None:
    ada = people.person()
    ada.opens_options()
    ada.page.get_by_label("How many").fill("3")
    ada.page.get_by_label("Target").fill("10")
    ada.starts("friend")
    ada.sees("Send this link")
    bo = people.guest(ada, "Bo")
    ada.plays(5)
    bo.plays(2)
    bo.sees("You win!")
    expect(ada.page.locator(".score")).to_have_text(
        [re.compile("0$"), re.compile("1$")]
    )
    ada.press("Next game")
    bo.sees("game 2 of 3")
    bo.must_move()


def test_who_is_away_is_told(people: People) -> None:
    ada = people.host("Ada")
    bo = people.guest(ada, "Bo")
    ada.must_move()
    ada.misses("away")
    bo.page.close()
    ada.sees("away")


def test_two_tabs_of_a_seat_agree(people: People) -> None:
    ada = people.host("Ada")
    bo = people.guest(ada, "Bo")
    tab = ada.another_tab()
    tab.must_move()
    ada.plays(5)
    tab.total_is(5)
    bo.plays(2)
    tab.plays(3)
    ada.total_is(30)


def test_a_tab_that_was_open_before_the_seat_was_taken_has_it_too(
    people: People,
) -> None:
    ada = people.host("Ada")
    bo = people.person(ada.page.url)
    tab = bo.another_tab()
    tab.sees("Ada invites you to play")
    bo.press("Join the game")
    ada.plays(5)
    tab.must_move()


def test_leaving_the_coach_without_an_answer_spends_nothing(people: People) -> None:
    ada = people.person()
    sent: list[str] = []
    ada.page.on("request", lambda request: sent.append(request.post_data or ""))
    ada.opens_options()
    ada.page.get_by_label("Coach").check()
    ada.starts()
    ada.plays(7)
    ada.sees("That gives the win away.")
    ada.types("Escape")
    expect(ada.page.get_by_role("dialog")).to_have_count(0)
    ada.must_move()
    ada.total_is(1)
    assert any('"move"' in body for body in sent)
    assert not any('"give-back"' in body for body in sent)


def test_a_question_about_a_game_that_is_over_is_asked_no_more(
    people: People,
) -> None:
    ada = people.host("Ada")
    bo = people.guest(ada, "Bo")
    ada.press_more("Resign")
    ada.sees("Resign this game?")
    bo.resigns()
    ada.sees("You win!")
    expect(ada.page.get_by_role("dialog")).to_have_count(0)


def test_who_is_slower_to_the_seat_is_told_so(people: People) -> None:
    ada = people.host("Ada")
    eve = people.person(ada.page.url)
    eve.sees("Ada invites you to play")
    people.guest(ada, "Bo")
    eve.sees("Bo has joined.")


def test_a_won_game_that_is_given_up_is_told_once(people: People) -> None:
    ada = people.host("Ada")
    people.guest(ada, "Bo")
    ada.resigns()
    ada.follow("Review")
    expect(ada.page.locator(".story")).to_have_text(
        re.compile(r"^(?!.*resigned.*resigned).*resigned")
    )


def test_products_can_be_hidden_and_stay_so(people: People) -> None:
    ada = people.person()
    ada.starts()
    ada.must_move()
    expect(ada.key(9)).to_contain_text("makes")
    ada.press_more("Hide products")
    expect(ada.key(9)).not_to_contain_text("makes")
    ada.page.reload()
    ada.must_move()
    expect(ada.key(9)).not_to_contain_text("makes")


def test_many_multipliers_are_typed(people: People) -> None:
    ada = people.person()
    ada.opens_options()
    ada.page.get_by_label("Multipliers").fill("2-30")
    ada.starts()
    ada.must_move()
    entry = ada.page.get_by_label("Multiply by")
    entry.fill("31")
    entry.press("Enter")
    ada.sees("×31 is not allowed: choose one of 2-30.")
    entry.fill("17")
    ada.sees("makes 17")
    ada.press_more("Hide products")
    ada.misses("makes 17")
    entry.press("Enter")
    expect(ada.page.locator(".played").first).to_be_visible()


def test_the_multipliers_to_type_are_told_before_one_is_typed(people: People) -> None:
    ada = people.person()
    ada.opens_options()
    ada.page.get_by_label("Multipliers").fill("2, 3, 5, 7, 1000")
    ada.starts()
    ada.sees("one of 2, 3, 5, 7, 1000")
    ada.must_move()
    ada.page.locator("h1").click()
    ada.types("5")
    expect(ada.page.get_by_label("Multiply by")).to_have_value("5")


def test_digits_choose_among_keys_of_several(people: People) -> None:
    ada = people.person()
    ada.opens_options()
    ada.page.get_by_label("Multipliers").fill("2, 3, 25")
    ada.starts()
    ada.must_move()
    ada.types("2")
    ada.sees("×2 or ×25? Enter plays the one in focus")
    expect(ada.key(2)).to_be_focused()
    ada.types("5")
    expect(ada.page.locator(".played").first).to_contain_text("×25")


def test_a_digit_is_forgotten_with_the_notice_that_asks_for_the_next(
    people: People,
) -> None:
    ada = people.person()
    ada.opens_options()
    ada.page.get_by_label("Multipliers").fill("2-12")
    ada.starts("here")
    ada.hands_over_to("Player 1")
    question = "×10 or ×11 or ×12? Enter plays the one in focus"
    ada.types("1")
    ada.sees(question)
    ada.types("Escape")
    ada.misses(question)
    ada.types("2")
    ada.total_is(2)
    ada.types("1")
    ada.sees(question)
    ada.types("Shift+Tab")  # to ×9, a key too
    ada.sees(question)
    ada.button("Hint").focus()
    ada.misses(question)
    ada.types("3")
    ada.total_is(6)
    tab = ada.another_tab()
    ada.types("1")
    ada.sees(question)
    tab.press("Take back")
    ada.total_is(2)
    ada.misses(question)
    ada.types("2")
    ada.total_is(4)


def test_a_finger_on_a_key_draws_no_hop_that_is_not_made(people: People) -> None:
    ada = people.host("Ada", size=(360, 740))
    bo = people.guest(ada, "Bo")
    ada.must_move()
    ada.key(5).tap()
    bo.must_move()
    expect(ada.page.locator(".played")).to_have_count(1)
    bo.plays(2)
    ada.must_move()
    expect(ada.page.locator(".preview")).to_have_count(0)


def test_a_key_that_wins_says_so_on_a_phone_too(people: People) -> None:
    ada = people.host("Ada", size=(360, 740))
    bo = people.guest(ada, "Bo", size=(360, 740))
    for person, multiplier in ((ada, 9), (bo, 9), (ada, 9)):
        person.plays(multiplier)
    bo.must_move()
    expect(bo.key(2)).to_have_accessible_name("times 2 wins")


def test_a_match_that_is_not_there_says_so(people: People) -> None:
    ada = people.person(f"/m/{'x' * 22}")
    ada.sees("No match here")
    ada.sees("There is no such match. Perhaps the link is incomplete.")
    ada.follow("Play a game")
    expect(ada.button("Play the computer")).to_be_visible()


def test_a_match_that_is_damaged_says_so(people: People, server: Served) -> None:
    people.host("Ada")
    with closing(connect(server.home / "server.db")) as database, database:
        database.execute(
            "INSERT INTO matches SELECT max(key) + 1, ?, setup, origin, 9, begun_at,"
            " changed_at, set_aside_at, is_open, listed, class FROM matches",
            ("d" * 22,),
        )
    bo = people.person(f"/m/{'d' * 22}")
    bo.sees("This match is damaged and cannot be opened; start another.")


def test_a_link_with_the_full_stop_of_its_sentence_leads_to_the_match(
    people: People, server: Served
) -> None:
    ada = people.host("Ada")
    bo = people.person()
    # Whatever the address, the server answers with the same shell.
    bo.page.route("**/m/*.", lambda route: route.fulfill(response=shell(bo, server)))
    bo.page.goto(f"{ada.page.url}.")
    bo.sees("Ada invites you to play")
    expect(bo.page).to_have_url(ada.page.url)


def test_an_address_that_leads_nowhere_says_so(people: People, server: Served) -> None:
    ada = people.person()
    ada.page.route(
        "**/nothing", lambda route: route.fulfill(response=shell(ada, server))
    )
    ada.page.goto("/nothing")
    ada.sees("No such page")
    ada.follow("Play a game")
    expect(ada.button("Play the computer")).to_be_visible()


def shell(person: Person, server: Served) -> APIResponse:
    return person.page.request.get(server.url)


def test_a_long_name_is_whole_for_whoever_asks(people: People) -> None:
    name = "Bartholomew Featherstone"
    ada = people.host("Ada", size=(360, 740))
    people.guest(ada, name)
    who = ada.page.locator(".seat2 .who")
    expect(who).to_have_attribute("title", name)
    box = who.bounding_box()
    assert box is not None
    assert box["height"] < 30


def test_a_race_that_the_match_itself_answers_says_nothing(people: People) -> None:
    ada = people.person()
    ada.opens_options()
    ada.page.get_by_label("How many").fill("3")
    ada.starts("friend")
    ada.sees("Send this link")
    bo = people.guest(ada, "Bo")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    def races(slow: Person, press: str, quick: Person, wins: str) -> None:
        """Press a button whose request arrives after that of the other player."""
        expect(slow.button(press)).to_be_visible()  # what led here is answered
        slow.page.route("**/log", hold)
        with slow.page.expect_request("**/log"):
            slow.press(press)
        quick.press(wins)
        expect(quick.button(wins)).to_have_count(0)
        with slow.page.expect_response("**/log") as answered:
            held.pop().continue_()
        assert answered.value.status == 409
        slow.page.unroute("**/log")
        expect(slow.button(press)).to_have_count(0)
        expect(slow.page.locator(".notice")).to_have_count(0)

    ada.plays(5)
    bo.must_move()
    ada.press("Take back")
    races(bo, "Allow", ada, "Cancel the request")
    ada.press("Take back")
    races(ada, "Cancel the request", bo, "Allow")
    ada.resigns()
    bo.sees("game 1 of 3")
    races(ada, "Next game", bo, "Next game")
    ada.sees("game 2 of 3")
