"""Home, Explore and Puzzles."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Route, expect

from tests.browser.people import People

pytestmark = pytest.mark.prove

FORBIDDEN = """
for (const name of ["localStorage", "sessionStorage"]) {
  Object.defineProperty(window, name, {
    get: () => { throw new DOMException("forbidden", "SecurityError"); },
  });
}
"""
PLAIN_HTTP = """
Object.defineProperty(navigator, "clipboard", { value: undefined });
Object.defineProperty(navigator, "share", { value: undefined });
Object.defineProperty(crypto, "randomUUID", { value: undefined });
"""
SHARES = """
Object.defineProperty(navigator, "share", {
  value: async ({ url }) => { document.title = `shared ${url}`; },
});
"""


def test_a_browser_that_remembers_nothing_plays_all_the_same(people: People) -> None:
    ada = people.host("Ada", without=FORBIDDEN)
    bo = people.guest(ada, "Bo", without=FORBIDDEN)
    ada.plays(5)
    bo.plays(2)
    ada.total_is(10)
    ada.press_more("Hide products")
    ada.page.goto("/")
    expect(ada.button("Play the computer")).to_be_visible()


def test_a_link_that_only_this_machine_can_open_says_so(people: People) -> None:
    ada = people.host("Ada")
    ada.sees("Only this machine can open this link.")
    expect(ada.page.get_by_alt_text("The link as a QR code")).to_have_count(0)


def test_a_link_that_others_can_open_is_a_qr_code_too(people: People) -> None:
    def elsewhere(route: Route) -> None:
        made = route.fetch()
        link = f"https://play.example.org/m/{made.json()['id']}"
        route.fulfill(response=made, json=made.json() | {"link": link})

    ada = people.person()
    ada.page.route("**/api/matches", elsewhere)
    ada.starts("friend")
    ada.sees("https://play.example.org/m/")
    expect(ada.page.get_by_alt_text("The link as a QR code")).to_be_visible()
    ada.misses("Only this machine can open this link.")


def test_the_link_is_copied_with_one_press(people: People) -> None:
    ada = people.host("Ada")
    ada.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ada.press("Copy the link")
    expect(ada.button("Copied")).to_be_visible()


def test_the_link_is_shared_where_the_browser_shares(people: People) -> None:
    ada = people.host("Ada", without=SHARES)
    ada.press("Share")
    expect(ada.page).to_have_title(f"shared {ada.page.url}")


def test_over_plain_http_the_link_is_text_to_be_selected(people: People) -> None:
    ada = people.host("Ada", without=PLAIN_HTTP)
    ada.sees("Select the link to copy it.")
    expect(ada.button("Copy the link")).to_have_count(0)
    people.guest(ada, without=PLAIN_HTTP)


def test_on_paper_a_game_is_its_line_and_its_moves(people: People) -> None:
    ada = people.host("Ada")
    bo = people.guest(ada, "Bo")
    ada.plays(5)
    bo.plays(3)
    ada.must_move()
    ada.page.emulate_media(media="print")
    expect(ada.page.locator(".record li")).to_have_text(
        ["Ada ×5 makes 5", "Bo ×3 makes 15"]
    )
    expect(ada.page.locator(".record")).to_be_visible()
    expect(ada.page.locator(".line")).to_be_visible()
    expect(ada.page.locator(".keys")).to_be_hidden()


def test_choices_are_remembered_and_told(people: People) -> None:
    ada = people.person()
    ada.opens_options()
    ada.page.get_by_label("Multiplier", exact=True).check()
    ada.page.get_by_label("Target").fill("500")
    ada.page.get_by_label("Kind of match").select_option("First to")
    ada.page.get_by_label("How many").fill("3")
    ada.page.get_by_role("combobox", name="Start", exact=True).select_option(
        "A coin decides"
    )
    ada.page.get_by_label("Coach").check()
    ada.sees("To 500, first to 3, a coin decides, coach")
    ada.page.reload()
    ada.sees("To 500, first to 3, a coin decides, coach")
    expect(ada.page.get_by_label("Multiplier", exact=True)).to_be_checked()


def test_any_length_start_and_order_can_be_chosen(people: People) -> None:
    ada = people.person()
    ada.opens_options()
    ada.page.get_by_label("Kind of match").select_option("First to")
    ada.page.get_by_label("How many").fill("7")
    ada.page.get_by_label("Who starts later games").select_option(
        "Loser of the last game"
    )
    ada.page.get_by_label("Starting total").fill("3")
    ada.sees("From 3, first to 7, you start")
    ada.starts()
    ada.sees("game 1, first to 7")
    ada.total_is(3)


def test_what_cannot_be_played_is_refused_with_a_sentence(people: People) -> None:
    ada = people.person()
    ada.opens_options()
    ada.page.get_by_label("Multipliers").fill("two")
    ada.starts("friend")
    expect(ada.page.get_by_role("alert")).to_contain_text("'two' is neither.")
    wrong = ada.page.get_by_label("Multipliers", exact=True)
    expect(wrong).to_be_focused()
    expect(wrong).to_have_accessible_description(re.compile("like 2-5 or 2,3"))
    ada.page.get_by_label("Multipliers").fill("1")
    ada.starts("friend")
    expect(ada.page.get_by_role("alert")).to_contain_text(re.compile(r"\.$"))
    ada.page.get_by_label("Multipliers").fill("")
    many = ada.page.get_by_label("How many")
    settings = ada.page.locator(".options summary span")
    for number, told, why in (
        ("1.5", "…", "The number of games must be a whole number"),
        ("", "…", "Type a number of games, such as 3."),
        ("2", "Best of 2", "Best of takes an odd number"),
    ):
        many.fill(number)
        expect(settings).to_have_text(f"{told}, you start")
        ada.starts("friend")
        expect(many).to_be_focused()
        expect(many).to_have_value(number)
        expect(many).to_have_accessible_description(re.compile(why))
    ada.page.get_by_label("Target").fill("1.5")
    expect(settings).to_have_text("To …, best of 2, you start")


def test_explore_refuses_with_a_sentence(people: People) -> None:
    ada = people.person("/explore")
    ada.sees("You can win from 1")
    ada.page.get_by_label("Current total").fill("17")
    expect(ada.page.get_by_label("Current total")).to_have_accessible_description(
        re.compile("17 is not a position")
    )
    expect(ada.page.locator(".picture.stale")).to_contain_text("the last answer")


def test_a_total_too_long_for_the_line_is_written_by_its_size(people: People) -> None:
    ada = people.person(f"/explore?game=multiplier&target=3{'0' * 60}")
    expect(ada.page.locator(".end-label").get_by_text("~3×10⁶⁰")).to_have_count(1)


def test_explore_can_be_pointed_at_whatever_the_target_is(people: People) -> None:
    target = "1" + "0" * 60
    ada = people.person(f"/explore?game=multiplier&target={target}", size=(360, 740))
    ada.sees("The lost totals are too close together to draw.")
    expect(ada.page.locator("rect.band")).to_have_count(0)
    expect(ada.page.locator(".end-label").get_by_text("10⁶⁰")).to_have_count(1)
    line = ada.page.get_by_role("slider")
    line.click(position={"x": 168, "y": 50})
    ada.sees(re.compile(r"(You can win from|From) \d{6}"))
    expect(ada.page.locator(".total-label")).to_have_text(
        re.compile("10[⁰¹²³⁴⁵⁶⁷⁸⁹]{2}$")
    )
    line.press("Home")
    expect(ada.page.get_by_label("Current total")).to_have_value("1")


def test_a_target_is_one_press_away(people: People) -> None:
    ada = people.person("/explore", size=(390, 844))
    ada.page.get_by_role("radio", name="100", exact=True).check()
    expect(ada.page).to_have_url(re.compile("target=100$"))
    expect(
        ada.page.locator(".end-label").get_by_text("100", exact=True)
    ).to_be_visible()
    ada.page.get_by_label("Target", exact=True).fill("120")
    expect(ada.page.get_by_role("radio", checked=True)).to_have_count(0)


def test_explore_says_that_there_is_no_such_game(people: People) -> None:
    ada = people.person("/explore?game=nonsense")
    ada.sees("There is no game “nonsense”. This is Multiplier Showdown.")
    ada.sees("You can win from 1")


def test_the_level_of_puzzles_is_remembered(people: People) -> None:
    ada = people.person("/puzzles")
    level = ada.page.get_by_label("Level")
    level.focus()
    level.select_option("1 · win now")
    expect(level).to_be_focused()
    ada.page.reload()
    expect(ada.page.get_by_label("Level")).to_have_value("1")


def test_a_day_has_a_puzzle_that_is_the_same_for_everybody(people: People) -> None:
    ada = people.person("/puzzles")
    ada.follow("Today's puzzle")
    ada.sees(re.compile(r" \d{1,2}, \d{4} · "))  # which day it is
    today = ada.page.url
    assert re.search(r"/puzzles/\d{4}-\d\d-\d\d$", today)
    ada.page.goto("/")
    ada.follow("Puzzles one a day")
    ada.follow("Today's puzzle")
    expect(ada.page).to_have_url(today)
    ada.page.goto("/puzzles/2026-11-18")
    ada.sees("November 18, 2026 · ")  # as the browser's locale writes it
    expect(ada.page).to_have_title("Puzzle of the day · ninefold")
    total = ada.page.locator(".number").inner_text()
    ada.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ada.press("Send it to a friend")
    ada.sees("The link is copied.")
    bo = people.person("/puzzles/2026-11-18", size=(390, 844))
    bo.sees("November 18, 2026 · ")
    bo.total_is(int(total))
    for end in (".", ").", "/", "%E2%80%9D"):  # as in a sentence
        bo.page.goto(f"/puzzles/2026-11-18{end}")
        bo.total_is(int(total))
        assert bo.page.url.endswith("/puzzles/2026-11-18")
    for day in ("2026-13-45", "2026-02-30", "tomorrow", "😀"):
        bo.page.goto(f"/puzzles/{day}")
        bo.sees("The address of a puzzle ends with its date, such as 2026-11-18.")


def test_how_many_puzzles_of_a_day_were_solved_is_told(people: People) -> None:
    ada = people.person("/puzzles/2026-11-18")
    here = ada.page.get_by_role("navigation", name="Puzzles")
    for number, day in enumerate(("2026-11-17", "2026-11-18"), start=1):
        ada.page.goto(f"/puzzles/{day}")
        expect(ada.page.locator(".key").first).to_be_visible()
        for key in ada.page.locator(".key").all():
            key.click()
            expect(key).to_have_class(re.compile("right|wrong"))
            if "right" in (key.get_attribute("class") or ""):
                break
        next_one = ada.page.get_by_role("link", name="Next puzzle")
        expect(next_one).to_be_focused()
        solved = "1 puzzle" if number == 1 else "2 puzzles"
        ada.sees(f"{solved} of the day solved")
    expect(here.get_by_role("link")).to_have_text(["Today's puzzle", "More puzzles"])
    next_one.click()
    expect(here.locator("[aria-current]")).to_have_text("More puzzles")


def test_look_back_draws_each_game_in_small(people: People) -> None:
    ada = people.person()
    ada.starts("here")
    ada.hands_over_to("Player 1")
    for multiplier, total in ((5, 5), (3, 15)):
        ada.key(multiplier).click()
        ada.total_is(total)
    ada.page.goto("/look-back")
    expect(ada.page.locator(".shape .hop")).to_have_count(2)


def test_who_has_played_nothing_looks_back_on_nothing(people: People) -> None:
    ada = people.person()
    ada.follow("Look back past matches")
    ada.sees("You have not played a game on this device yet.")
    ada.follow("Play a game")
    ada.starts("here")
    ada.hands_over_to("Player 1")
    ada.page.goto("/look-back")
    ada.sees(re.compile(r"· [A-Z][a-z]+ \d{1,2}, \d{4}$"))  # as the locale writes it


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("/explore", "You can win from 1"),
        ("/puzzles", "Exactly one of"),
        ("/puzzles/2026-11-18", "Exactly one of"),
    ],
)
def test_a_page_without_its_server_says_so_and_tries_again(
    people: People, path: str, shown: str
) -> None:
    ada = people.person("about:blank")
    ada.page.route("**/api/**", lambda route: route.abort())
    ada.page.goto(path)
    ada.sees("There is no connection right now.")
    again = ada.button("Try again")
    again.press("Enter")
    expect(ada.page.locator("#said > p").last).to_have_text(
        "There is no connection right now."
    )
    expect(again).to_be_focused()
    ada.page.unroute("**/api/**")
    again.press("Enter")
    ada.sees(shown)
    ada.misses("There is no connection right now.")
    expect(ada.page.get_by_role("heading", level=1)).to_be_focused()


def test_an_answer_to_a_puzzle_is_sent_when_the_connection_is_back(
    people: People,
) -> None:
    ada = people.person("/puzzles/2026-11-18")
    ada.sees(re.compile("Exactly one of"))
    ada.page.route("**/api/practice", lambda route: route.abort())
    ada.key(2).click()
    lost = "Not connected. Your answer will be sent when the connection is back."
    ada.sees(lost)
    ada.page.unroute("**/api/practice")
    ada.press("Try again")
    ada.misses(lost)
    expect(ada.page.get_by_label("Messages")).to_be_visible()


def test_an_answer_and_a_puzzle_that_come_too_late_are_dropped(people: People) -> None:
    ada = people.person("/puzzles")
    ada.sees(re.compile("Exactly one of"))
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    ada.page.route("**/api/practice", hold)
    keys = ada.page.locator(".key")
    marked = ada.page.locator(".key.right, .key.wrong")
    keys.nth(0).click()
    expect(keys.nth(1)).to_have_attribute("aria-disabled", "true")  # one at a time
    with ada.page.expect_response("**/api/puzzles*"):
        ada.press("Another one")
    expect(ada.page.get_by_role("heading", level=1)).to_be_focused()
    [late] = held
    with ada.page.expect_response("**/api/practice"):
        late.continue_()
    ada.page.unroute("**/api/practice")
    keys.last.click()
    expect(keys.last).to_have_class(re.compile("right|wrong"))
    expect(marked).to_have_count(1)

    ada.page.route("**/api/puzzles*level=1*", hold)
    level = ada.page.get_by_label("Level")
    with ada.page.expect_request("**/api/puzzles*level=1*"):
        level.select_option("1 · win now")
    with ada.page.expect_response("**/api/puzzles*level=2*"):
        level.select_option("2 · one move ahead")
    expect(marked).to_have_count(0)
    posed = [ada.page.locator(each) for each in (".question", ".number")]
    texts = [each.inner_text() for each in posed]
    with ada.page.expect_response("**/api/puzzles*level=1*"):
        held[-1].continue_()
    assert [each.inner_text() for each in posed] == texts
    keys.last.click()  # which may change the total
    expect(keys.last).to_have_class(re.compile("right|wrong"))
    expect(posed[0]).to_have_text(texts[0])
    expect(level).to_have_value("2")


def test_numbers_are_grouped_in_every_comment_but_not_in_names(people: People) -> None:
    ada = people.person("/explore?game=multiplier&target=1000000&total=7776")
    expect(ada.page.locator(".answer p")).to_contain_text(re.compile(r"\d,\d{3}"))
    expect(ada.page.locator(".answer p")).not_to_contain_text(re.compile(r"\d{4}"))
    ada.page.goto("/")
    ada.opens_options()
    ada.page.get_by_label("Your name").fill("Ada 2026")
    ada.page.get_by_label("Target").fill("1000000")
    ada.starts("here")
    for _ in range(6):
        ada.key(9).click()
    ada.total_is(9**6)
    ada.resigns()
    ada.follow("Review")
    expect(ada.page.locator(".story")).to_contain_text("Ada 2026 resigned at 531,441")
    ada.press("Back")
    expect(ada.page.get_by_label("Comment")).not_to_contain_text(re.compile(r"\d{4}"))


def test_how_to_play_is_told_in_three_pictures(people: People) -> None:
    ada = people.person(size=(390, 844))
    ada.press("How to play")
    ada.sees("On your turn, choose a number:")
    expect(ada.page.locator(".how svg")).to_have_count(3)
    expect(ada.page.get_by_role("dialog")).to_contain_text("play that multiplier")
