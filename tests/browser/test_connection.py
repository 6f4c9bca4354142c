"""Networks fail, servers fall over, tabs are many: the match goes on."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.people import LOST, SAVED, People
from tests.servers import Served

pytestmark = pytest.mark.prove


def test_what_happened_meanwhile_is_caught_up_with(people: People) -> None:
    ada = people.host("Ada")
    bo = people.guest(ada, "Bo")
    bo.page.context.set_offline(offline=True)
    bo.sees(LOST)
    ada.plays(5)
    ada.total_is(5)
    bo.page.context.set_offline(offline=False)
    bo.must_move()
    bo.total_is(5)


def test_a_move_that_waits_outlives_a_reload_of_its_tab(
    people: People, server: Served
) -> None:
    ada = people.host("Ada")
    bo = people.guest(ada, "Bo")
    ada.must_move()
    # A page that reloads needs the server; one move of it gets no answer.
    ada.page.route("**/log", lambda route: route.abort())
    ada.plays(6)
    expect(ada.key(6)).to_contain_text("saved")
    ada.page.unroute("**/log")
    ada.page.reload()
    bo.total_is(6)
    ada.total_is(6)
    assert server.url in ada.page.url


def test_a_question_about_a_move_that_waited_is_asked_after_a_reload(
    people: People,
) -> None:
    ada = people.person()
    ada.opens_options()
    ada.page.get_by_label("Coach").check()
    ada.starts()
    ada.must_move()
    ada.page.route("**/log", lambda route: route.abort())
    ada.plays(7)
    expect(ada.key(7)).to_contain_text("saved")
    ada.page.unroute("**/log")
    ada.page.reload()
    ada.sees("That gives the win away.")


def test_a_server_that_is_restored_from_a_backup_is_shown_as_it_stands(
    people: People, server: Served
) -> None:
    ada = people.host("Ada")
    bo = people.guest(ada, "Bo")
    ada.plays(5)
    bo.must_move()
    server.back_up()
    bo.plays(3)
    ada.total_is(15)
    bo.total_is(15)
    server.restore()
    bo.total_is(5)
    ada.total_is(5)
    bo.must_move()
    bo.plays(2)
    ada.total_is(10)


def test_a_match_that_is_gone_while_its_page_is_open_says_so(
    people: People, server: Served
) -> None:
    server.back_up()
    ada = people.host("Ada")
    bo = people.guest(ada, "Bo")
    ada.must_move()
    ada.press_more("Resign")
    server.restore()
    for person in (ada, bo):
        person.sees("No match here")
        person.sees("There is no such match.")
        person.misses(LOST)
        expect(person.page.get_by_role("dialog")).to_have_count(0)
        expect(person.page).to_have_title("No match here · ninefold")
    ada.types("F9")
    ada.types("F9")
    ada.sees("No match here")
    said = ada.page.locator("#said > p", has_text="There is no such match.")
    expect(said).to_have_count(1)
    ada.follow("Play a game")
    expect(ada.button("Play a friend")).to_be_visible()
    expect(ada.page.locator(".mine")).to_have_count(0)


def test_a_match_that_is_opened_without_its_server_says_so_and_tries_again(
    people: People,
) -> None:
    ada = people.host("Ada")
    people.guest(ada, "Bo")
    ada.must_move()
    ada.page.route("**/api/**", lambda route: route.abort())
    ada.page.reload()
    ada.sees("Connection lost. Reconnecting …")
    ada.button("Try again").press("Enter")
    expect(ada.page.locator("#said > p").last).to_have_text(
        "Connection lost. Reconnecting …"
    )
    expect(ada.button("Try again")).to_be_focused()
    ada.page.unroute("**/api/**")
    ada.must_move()
    expect(ada.page.locator("main:focus, main :focus")).to_have_count(1)


def test_a_server_that_hangs_is_as_good_as_away(people: People) -> None:
    ada = people.host("Ada")
    ada.page.route("**/api/**", lambda _: None)
    ada.page.reload()
    ada.sees("Connection lost. Reconnecting …")
    expect(ada.button("Try again")).to_be_visible()
    ada.page.unroute("**/api/**")
    ada.sees("Send this link to a friend")


def test_whoever_has_lost_the_connection_can_try_again_at_once(people: People) -> None:
    ada = people.host("Ada")
    bo = people.guest(ada, "Bo")
    ada.must_move()
    ada.page.route("**/api/**", lambda route: route.abort())
    ada.plays(6)
    ada.sees(LOST)
    with ada.page.expect_request("**/log"):
        ada.press("Try again")
    ada.page.unroute("**/api/**")
    bo.total_is(6)
    ada.misses(LOST)


def test_a_server_that_goes_away_is_told_before_a_match_too_with_a_button(
    people: People,
) -> None:
    ada = people.host("Ada")
    bo = people.person(ada.page.url)
    bo.sees("Ada invites you to play")
    eve = people.person("/explore")
    eve.sees("You can win from 1")
    cleo = people.person()
    everyone = (bo, eve, cleo)
    for person in everyone:
        person.page.route("**/api/**", lambda route: route.abort())
    bo.press("Join the game")
    bo.sees("Connection lost. Reconnecting …")
    eve.page.get_by_label("Target").fill("500")
    eve.sees("There is no connection right now.")
    cleo.starts("here")
    cleo.sees("The match will start when the connection is back.")
    for person in everyone:
        person.press("Try again")
        expect(person.button("Try again")).to_be_visible()
        person.page.unroute("**/api/**")
    eve.press("Try again")
    ada.must_move()
    bo.sees("to move")
    eve.sees("then reach 500 with ×9")
    eve.misses("There is no connection right now.")
    cleo.sees("your turn")
    ada.page.context.set_offline(offline=True)
    ada.sees(LOST)
    expect(ada.button("Try again")).to_be_visible()


def test_a_server_that_is_busy_is_asked_again(people: People) -> None:
    ada = people.host("Ada")
    bo = people.guest(ada, "Bo")
    busy = '{"error": "store_unavailable", "detail": "try again"}'
    bo.page.route(
        "**/api/matches/**", lambda route: route.fulfill(status=503, body=busy)
    )
    bo.page.reload()
    bo.sees(LOST)
    ada.plays(5)
    bo.page.unroute("**/api/matches/**")
    bo.must_move()


def test_the_seventh_tab_works(people: People) -> None:
    ada = people.host("Ada")
    bo = people.guest(ada, "Bo")
    tabs = [ada]
    for _ in range(6):
        tabs[-1].types("F9")  # a tab that another one covers
        tabs.append(tabs[-1].another_tab())
        tabs[-1].must_move()
    tabs[-1].plays(5)
    bo.plays(2)
    tabs[-1].total_is(10)
    ada.types("F9")
    ada.total_is(10)


def test_a_seventh_window_beside_six_others_works_too(people: People) -> None:
    ada = people.host("Ada")
    bo = people.guest(ada, "Bo")
    windows = [ada, *(ada.another_tab() for _ in range(6))]
    windows[-1].plays(5)
    for window in windows:
        window.total_is(5)
    bo.plays(2)
    for window in windows:
        window.total_is(10)


def test_somebody_who_watches_hears_nothing_of_moves_that_are_kept(
    people: People,
) -> None:
    ada = people.host("Ada")
    people.guest(ada, "Bo")
    eve = people.person(ada.page.url)
    eve.sees("You are watching.")
    eve.page.context.set_offline(offline=True)
    eve.sees(LOST)
    eve.misses(SAVED)


def test_a_request_that_comes_too_late_shows_how_the_match_stands_without_a_word(
    people: People,
) -> None:
    ada = people.host("Ada")
    bo = people.guest(ada, "Bo")
    tab = ada.another_tab()
    tab.must_move()
    tab.types("F9")
    ada.plays(5)
    bo.plays(2)
    ada.plays(3)
    ada.total_is(30)
    tab.plays(4)
    tab.total_is(30)
    expect(tab.page.locator(".notice")).to_have_count(0)
