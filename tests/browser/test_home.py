"""Home: a first game in one tap, the matches being played, the header above it all."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Route, expect

from tests.browser.people import People, Person

OFFLINE = "No connection. You can play once it is back."
OWN = "/* a browser of its own, whose clock is turned */"
LARGE = "document.documentElement.style.fontSize = '200%'"
OVERFLOW = "document.documentElement.scrollWidth - innerWidth"


def rows(person: Person) -> list[str]:
    """Return what the list of matches shows, row by row."""
    return [
        row.inner_text().replace("\n", " ") for row in person.page.locator(".row").all()
    ]


def test_the_button_that_starts_the_first_game_is_in_view_on_every_screen(
    people: People,
) -> None:
    ada = people.person()
    for size in ada.sizes("/"):
        assert ada.has_in_view(ada.button("Play the computer")), size
        assert ada.page.evaluate(OVERFLOW) <= 0, size
    ada.page.set_viewport_size({"width": 195, "height": 422})  # a phone, twice as large
    assert ada.page.evaluate(OVERFLOW) <= 0
    ada.page.set_viewport_size({"width": 390, "height": 844})
    ada.page.evaluate(LARGE)
    assert ada.page.evaluate(OVERFLOW) <= 0
    ada.button("Play the computer").click()
    ada.must_move()


def test_matches_being_played_come_first_and_are_drawn_before_an_answer_comes(
    people: People,
) -> None:
    ada = people.host("Ada")
    bo = people.guest(ada, "Bo")
    address = ada.page.url
    ada.plays(5)
    bo.must_move()
    ada.page.goto("/")
    ada.starts("here")
    ada.hands_over_to("Ada")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    ada.page.route("**/api/matches/*", hold)
    ada.page.goto("/")
    ada.sees("Your matches")
    expect(ada.page.get_by_role("heading", level=1)).to_have_text("Your matches")
    ada.misses("One number.")
    shown = "5 Multiplier Showdown with Bo, to 1,000 Their move"
    here = "1 Multiplier Showdown Ada and Player 2, to 1,000 Ada's turn"
    assert rows(ada) == [here, shown]
    bo.plays(8)
    bo.total_is(40)
    assert len(held) == 2  # none waits for the answer to another
    for route in held:
        route.continue_()
    expect(ada.page.locator(".row").first).to_contain_text(
        "with Bo, to 1,000 Your move"
    )
    assert rows(ada) == [shown.replace("5 M", "40 M").replace("Their", "Your"), here]
    ada.follow("Your move")
    expect(ada.page).to_have_url(address)


@pytest.mark.prove
def test_three_matches_are_shown_and_the_others_are_a_link_away(people: People) -> None:
    ada = people.person()
    for _ in range(4):
        ada.page.goto("/")
        ada.starts("here")
        ada.hands_over_to("Player 1")
    ada.resigns()
    ada.sees("Player 2 wins")
    ada.page.goto("/")
    expect(ada.page.locator(".row")).to_have_count(3)
    ada.follow("All 4 matches")
    expect(ada.page.locator(".row")).to_have_count(4)


def test_a_friend_who_joins_is_told_of_at_home(people: People) -> None:
    ada = people.person(without=OWN)
    ada.page.clock.install()
    ada.page.goto("/")
    ada.starts("friend")
    ada.sees("Send this link to a friend")
    link = ada.page.url
    ada.page.goto("/")
    assert rows(ada) == ["1 Multiplier Showdown No friend yet Show the link"]
    bo = people.person(link)
    bo.page.get_by_label("Your name").fill("Bo")
    bo.press("Join the game")
    bo.sees("to move")
    ada.page.clock.run_for(5000)
    ada.sees("Bo has joined")
    expect(ada.page.locator("#said")).to_have_text("Bo has joined. Your move.")
    ada.follow("Your move")
    ada.must_move()


def test_without_a_connection_the_form_is_there_and_says_what_is_missing(
    people: People,
) -> None:
    ada = people.person()
    ada.starts("here")
    ada.hands_over_to("Player 1")
    ada.page.route("**/api/**", lambda route: route.abort())
    ada.page.goto("/")
    ada.sees(OFFLINE)
    ada.sees("Player 1's turn")
    ada.chooses("here")
    ada.page.get_by_label("Second player").fill("Bo")
    ada.page.get_by_label("Multiplication Duel").check()
    play = ada.button("Play here")
    expect(play).to_have_attribute("aria-disabled", "true")
    again = ada.button("Try again")
    again.press("Enter")
    expect(ada.page.locator("#said > p").last).to_have_text(OFFLINE)
    expect(again).to_be_focused()
    ada.page.unroute("**/api/**")
    again.press("Enter")
    ada.misses(OFFLINE)
    expect(ada.page.get_by_role("heading", level=1)).to_be_focused()
    play.click()
    ada.sees("Multiplication Duel")
    ada.hands_over_to("Player 1")


def test_a_first_visit_without_a_connection_is_more_than_an_error(
    people: People,
) -> None:
    ada = people.person("about:blank")
    ada.page.route("**/api/**", lambda route: route.abort())
    ada.page.goto("/")
    ada.sees(OFFLINE)
    ada.sees("One number.")
    expect(ada.page.get_by_role("link", name="Learn how to win")).to_be_visible()
    ada.page.unroute("**/api/**")
    ada.press("Try again")
    ada.starts()
    ada.must_move()


def test_a_game_of_one_more_rule_book_has_a_tile(people: People) -> None:
    def add(route: Route) -> None:
        choices = route.fetch().json()
        last = choices["games"][-1]
        rules = last["rules"] | {"ending": "avoid", "target": 12345678}
        more = {"key": "sixth", "title": "The Sixth Game", "rules": rules}
        choices["games"].append(last | more)
        route.fulfill(json=choices)

    ada = people.person("about:blank")
    ada.page.route("**/api/choices", add)
    ada.page.goto("/")
    tile = ada.page.get_by_role("radio", name="The Sixth Game")
    tile.check()
    expect(ada.page.locator(".tiles label").last).to_have_text(
        "1.2×10⁷ Game", use_inner_text=True
    )
    expect(tile).to_have_accessible_description(re.compile("Hit exactly 100"))
    ada.sees("The Sixth Game")
    ada.opens_options()
    ada.page.get_by_label("Target").fill("500")
    expect(ada.page.locator(".tiles label").last).to_have_text(
        "500 Game", use_inner_text=True
    )


@pytest.mark.prove
def test_chosen_tiles_are_told_apart_where_a_person_s_own_colours_hold(
    people: People,
) -> None:
    ada = people.person(size=(390, 844))
    ada.page.emulate_media(forced_colors="active")
    border = "(each) => getComputedStyle(each).borderTopColor"
    chosen = ada.page.locator(".with label:has(:checked)")
    other = ada.page.locator(".with label:not(:has(:checked))").first
    assert chosen.evaluate(border) != other.evaluate(border)


@pytest.mark.prove
def test_the_menu_is_worked_by_keyboard_and_gives_the_focus_back(
    people: People,
) -> None:
    ada = people.person(size=(390, 844))
    summary = ada.page.locator("#menu summary")
    expect(summary).to_have_text("Menu", use_inner_text=True)
    menu = ada.page.get_by_role("navigation", name="Menu")
    names = ["Learn", "Practise", "Puzzles", "Progress", "Explore", "Look back"]
    summary.press("Enter")
    expect(menu.get_by_role("link")).to_have_text(names)
    ada.types("Tab")
    expect(menu.get_by_role("link", name="Learn")).to_be_focused()
    ada.types("Escape")
    expect(menu).to_be_hidden()
    expect(summary).to_be_focused()
    summary.click()
    ada.page.get_by_role("heading", level=1).click(position={"x": 2, "y": 2})
    expect(menu).to_be_hidden()
    summary.press("Enter")
    menu.get_by_role("link", name="Progress").click()
    ada.sees("progress")
    summary.click()
    expect(menu.locator("[aria-current=page]")).to_have_text("Progress")
    ada.page.set_viewport_size({"width": 1280, "height": 800})
    expect(ada.page.get_by_role("navigation", name="Pages")).to_be_visible()
    expect(summary).to_have_text("Theme", use_inner_text=True)
    expect(menu).to_be_hidden()


def test_the_theme_is_the_system_s_until_another_is_chosen(people: People) -> None:
    ada = people.person()
    page = ada.page.locator("html")
    bars = ada.page.locator("meta[name=theme-color]")
    light, dark = "rgb(251, 248, 241)", "rgb(21, 23, 27)"
    expect(page).to_have_css("background-color", light)
    ada.page.emulate_media(color_scheme="dark")
    expect(page).to_have_css("background-color", dark)
    expect(bars).to_have_attribute("content", "#15171B")
    ada.page.locator("#menu summary").click()
    ada.page.get_by_role("radio", name="Light").check()
    expect(page).to_have_css("background-color", light)
    expect(page).to_have_css("color-scheme", "light")
    other = ada.another_tab()
    expect(other.page.locator("html")).to_have_css("background-color", light)
    ada.page.get_by_role("radio", name="Dark").check()
    expect(other.page.locator("html")).to_have_css("background-color", dark)
    ada.page.emulate_media(color_scheme="light")
    ada.page.route("**/main.js", lambda route: route.abort())
    ada.page.reload()
    expect(page).to_have_css("background-color", dark)
    expect(bars).to_have_attribute("content", "#15171B")
