"""What is asked and told at the table: in view, in its place, and for everybody."""

from __future__ import annotations

import re
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.people import LISTEN, SIZES, People, Person, Scheme

WIDE = (1280, 800)
ZOOMED = (195, 422)
"""A phone of 390 by 844 pixels, everything on it twice as large."""
_KEYS_AT = """async () => {
  const frame = () => new Promise(requestAnimationFrame);
  for (let frames = 0; frames < 3; frames += 1) await frame(); // the line is redrawn
  return document.querySelector(".place").getBoundingClientRect().top;
}"""


def start(person: Person, opponent: str, *moves: int, **body: object) -> str:
    """Make a match by the calls of the server, and sit at its table."""
    request = {
        "game": "multiplier-showdown",
        "opponent": opponent,
        "name": "Ada",
        "lessons": {"hints": True, "coach": False, "mental": False},
        "request_id": uuid4().hex,
    }
    made = person.page.request.post("/api/matches", data=request | body)
    assert made.ok, made.text()
    match_id = made.json()["id"]
    assert isinstance(match_id, str)
    for move in moves:
        ask(person, match_id, do="move", multiplier=move)
    return match_id


def ask(person: Person, match_id: str, **asked: object) -> None:
    """Ask for something by the calls of the server."""
    path = f"/api/matches/{match_id}"
    seq = person.page.request.get(path).json()["seq"]
    body = {"ask": asked, "seq": seq, "request_id": uuid4().hex}
    answered = person.page.request.post(f"{path}/log", data=body)
    assert answered.ok, answered.text()


def seat_two(
    people: People,
    size: tuple[int, int] = WIDE,
    scheme: Scheme = "light",
    *,
    examined: bool = False,
) -> tuple[Person, Person, str]:
    """Seat two people at a table, in the middle of a game."""
    ada, bo = (
        people.person("/look-back", size=size, scheme=scheme, examined=examined)
        for _ in range(2)
    )
    match_id = start(ada, "friend")
    body = {"name": "Bo", "request_id": uuid4().hex}
    assert bo.page.request.post(f"/api/matches/{match_id}/seat", data=body).ok
    for person, move in ((ada, 5), (bo, 2), (ada, 6), (bo, 4)):
        ask(person, match_id, do="move", multiplier=move)
    for person in (ada, bo):
        person.page.goto(f"/m/{match_id}")
        person.total_is(240)
    return ada, bo, match_id


def are_in_view(person: Person, *shown: Locator) -> None:
    for each in shown:
        assert person.has_in_view(each), each
    beyond = "document.documentElement.scrollWidth - innerWidth"
    assert person.page.evaluate(beyond) <= 0


def keys_at(person: Person) -> dict[tuple[int, int], float]:
    """Tell where the keys, or what takes their place, stand on each screen."""
    return {size: person.page.evaluate(_KEYS_AT) for size in person.sizes()}


def test_what_must_be_answered_and_what_is_to_be_known_is_in_view_and_moves_nothing(
    people: People,
) -> None:
    ada, bo, match_id = seat_two(people)
    place = keys_at(ada)

    ask(bo, match_id, do="take-back")
    request = ada.page.get_by_role("group", name="Bo asks to take back ×4.")
    expect(request).to_have_accessible_description("The total would be 60 again.")
    expect(ada.button("Allow")).to_be_focused()
    for size in ada.sizes():
        are_in_view(ada, request, ada.button("Allow"), ada.button("No, play on"))
        assert ada.page.evaluate(_KEYS_AT) == place[size]
    waits = bo.page.locator(".bar", has_text="Waiting for Ada to agree.")
    for _ in bo.sizes():
        are_in_view(bo, waits, bo.button("Cancel the request"))
    ada.press("No, play on")
    expect(request).to_have_count(0)

    ada.page.route("**/api/**", lambda route: route.abort())
    ada.key(2).click()
    lost = ada.page.locator(".bar", has_text="Connection lost. Your move is saved.")
    for size in ada.sizes():
        are_in_view(ada, lost, ada.button("Try again"), ada.page.locator(".keys"))
        assert ada.page.evaluate(_KEYS_AT) == place[size]
    ada.page.unroute("**/api/**")
    ada.press("Try again")
    ada.total_is(480)


def test_the_question_of_the_coach_is_in_view_and_goes_without_an_answer(
    people: People,
) -> None:
    ada = people.person("/look-back")
    coach = {"hints": True, "coach": True, "mental": False}
    match_id = start(ada, "careful", target=100, lessons=coach)
    ada.page.goto(f"/m/{match_id}")
    ada.must_move()
    place = keys_at(ada)
    ada.key(3).click()
    back, anyway = ada.button("Take it back (3 left)"), ada.button("Play ×3 anyway")
    expect(back).to_be_focused()
    text = ada.page.locator(".request", has_text="That gives the win away.")
    expect(ada.page.locator("#said")).to_contain_text("That gives the win away.")
    for size in ada.sizes():
        are_in_view(ada, text, back, anyway)
        assert ada.page.evaluate(_KEYS_AT) == place[size]
    ada.types("4")  # it is asked before a move, not played
    expect(back).to_be_visible()
    ada.types("Escape")
    expect(ada.page.locator(".request")).to_have_count(0)
    expect(ada.key(3)).to_be_focused()
    ada.total_is(1)


@pytest.mark.prove
def test_a_press_that_was_meant_for_a_key_answers_no_request(people: People) -> None:
    ada, bo, match_id = seat_two(people)
    ada.page.evaluate(
        """() => new MutationObserver(() => {
          const answer = document.querySelector(".request button");
          if (answer && !answer.dataset.pressed) {
            answer.dataset.pressed = true;
            answer.click();
            dispatchEvent(new KeyboardEvent("keydown", { key: "2" }));
          }
        }).observe(document.querySelector("main"), { subtree: true, childList: true })"""
    )
    ask(bo, match_id, do="take-back")
    allow = ada.page.locator(".request [data-pressed]")
    expect(allow).to_be_focused()
    ada.total_is(240)
    ada.types("2")  # which declines, and plays
    ada.total_is(480)


@pytest.mark.prove
def test_a_request_after_an_answer_names_both_moves(people: People) -> None:
    ada, bo, match_id = seat_two(people)
    ask(ada, match_id, do="take-back")
    bo.sees("Ada asks to take back ×6 and your ×4.")
    bo.sees("The total would be 10 again.")
    bo.press("Allow")
    ada.total_is(10)


def test_that_the_connection_is_lost_is_said_with_what_is_saved(people: People) -> None:
    ada = people.person("/look-back", without=LISTEN)
    match_id = start(ada, "careful")
    ada.page.goto(f"/m/{match_id}")
    ada.must_move()
    ada.page.route("**/api/**", lambda route: route.abort())
    ada.key(5).click()
    ada.sees("Your move is saved.")
    heard = ada.page.evaluate("heard")
    assert "Connection lost. Reconnecting …" in heard
    saved = "Your move is saved and will be sent when the connection is back."
    assert saved in heard


@pytest.mark.prove
def test_moves_stand_beside_the_line_where_there_is_room(people: People) -> None:
    ada, *_ = seat_two(people, size=WIDE)
    moves = ada.page.get_by_role("list", name="Moves")
    expect(moves.get_by_role("listitem").last).to_have_text("Bo ×4 makes 240")
    for width, height in ((900, 700), WIDE):
        ada.page.set_viewport_size({"width": width, "height": height})
        are_in_view(ada, moves.get_by_role("listitem").last, ada.page.locator(".keys"))
        side, line = moves.bounding_box(), ada.page.locator(".line").bounding_box()
        assert side is not None
        assert line is not None
        assert side["x"] > line["x"] + line["width"]
    ada.press("Hint")
    expect(ada.button("Tell me more")).to_be_in_viewport(ratio=1)
    are_in_view(ada, ada.page.locator(".keys"))


@pytest.mark.prove
def test_a_long_list_of_moves_shows_its_end_and_is_scrolled_by_keyboard(
    people: People,
) -> None:
    ada = people.person("/look-back", size=WIDE)
    moves = [2] * 19
    match_id = start(ada, "here", *moves, other_name="Bo", target=1_000_000)
    ada.page.goto(f"/m/{match_id}")
    ada.total_is(2**19)
    listed = ada.page.get_by_role("list", name="Moves")
    expect(listed.get_by_role("listitem").last).to_be_in_viewport(ratio=0.9)
    listed.focus()
    expect(listed).to_be_focused()
    ada.types("Home")
    expect(listed.get_by_role("listitem").first).to_be_in_viewport(ratio=0.9)
    are_in_view(ada, ada.page.locator(".keys"))


@pytest.mark.prove
def test_the_rest_is_under_more_and_resigning_is_away_from_taking_back(
    people: People,
) -> None:
    ada, *_ = seat_two(people, size=(320, 568))
    actions = ada.page.locator(".actions > *")
    expect(actions).to_have_text(["Hint", "Why?", "Take back", re.compile("^More")])
    more = ada.page.locator(".more > summary")
    more.focus()
    ada.types("Enter")
    for name in ("Rules", "Hide products", "Resign"):
        are_in_view(ada, ada.button(name))
    ada.types("Tab")
    expect(ada.button("Rules")).to_be_focused()
    ada.types("Escape")
    expect(ada.button("Resign")).to_have_count(0)
    expect(more).to_be_focused()
    more.click()
    ada.page.locator("h1").click()
    expect(ada.button("Resign")).to_have_count(0)
    ada.press_more("Resign")
    ada.press("Play on")
    expect(more).to_be_focused()


@pytest.mark.prove
def test_a_lost_game_is_tried_again_from_before_the_slip(people: People) -> None:
    ada = people.person("/look-back", size=(390, 844))
    match_id = start(ada, "careful", target=10)
    ada.page.goto(f"/m/{match_id}")
    ada.must_move()
    ada.key(2).click()  # 20 at most; any answer to 2 wins
    ada.sees("Careful wins")
    offers = ada.page.locator(".end .choices > *")
    names = offers.all_inner_texts()
    assert names.index("Try again") < names.index("New match")
    ada.press("Try again")
    ada.must_move()
    ada.total_is(1)
    assert match_id not in ada.page.url


@pytest.mark.prove
def test_requests_are_whole_enlarged_and_in_colours_of_the_reader_s_own(
    people: People,
) -> None:
    ada, bo, match_id = seat_two(people, size=ZOOMED)
    ask(bo, match_id, do="take-back")
    expect(ada.button("Allow")).to_be_focused()
    beyond = "document.documentElement.scrollWidth - innerWidth"
    assert ada.page.evaluate(beyond) <= 0
    ada.page.emulate_media(forced_colors="active")
    expect(ada.page.locator(".request")).to_have_css("border-top-style", "solid")
    ada.page.emulate_media(forced_colors="none")


@pytest.mark.prove
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_what_is_asked_and_told(
    people: People, axe: Path, scheme: Scheme
) -> None:
    def search(person: Person, place: str) -> None:
        person.page.add_script_tag(path=axe)
        found = person.page.evaluate(
            "async () => (await axe.run()).violations.map("
            "({ id, nodes }) => `${id}: ${nodes.map((n) => n.html).join(' ')}`)"
        )
        assert found == [], place

    ada, bo, match_id = seat_two(people, scheme=scheme, examined=True)
    search(ada, "with moves")
    ada.page.locator(".more > summary").click()
    search(ada, "more")
    ask(bo, match_id, do="take-back")
    expect(ada.button("Allow")).to_be_focused()
    search(ada, "request")
    bo.page.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})
    search(bo, "waiting")
    bo.page.route("**/api/**", lambda route: route.abort())
    bo.page.context.set_offline(offline=True)
    bo.sees("Connection lost.")
    search(bo, "lost")
