from __future__ import annotations

import pytest

from ninefold.app.screens.explore import PointedLine, find
from ninefold.app.widgets.footer import Panel
from ninefold.app.widgets.form_fields import TextField
from ninefold.app.widgets.number_line import nearest, neighbour
from ninefold.rules import Ending, Rules
from ninefold.theory import Oracle
from ninefold.views.number_line import lost_bands, positions_of
from tests.app.rooms import FAR, SMALL, Opened, Room

CLASSIC = Rules(Ending.REACH, 1000)


def write(at: Opened, key: str, text: str) -> None:
    field = at.app.screen.query_one(f"#{key}", TextField)
    field.focus()
    field.value = text
    at.wait()


def test_explore_shows_the_default_game_solved(room: Room) -> None:
    with room.open("e") as at:
        assert at.said.startswith("You can win from 1: play ×4 to ×6.")
        assert "56 to 111" in at.text
        assert "▒" in at.text


def test_explore_solves_the_rules_as_they_are_typed(room: Room) -> None:
    with room.open("e") as at:
        write(at, "target", "200")
        assert at.said.startswith("From 1 every move loses")
        write(at, "set", "2-5")
        assert "200" in at.text
        at.press("up", "right")
        assert "reach it and lose" in at.text
        at.press("right")
        assert "hit it exactly to win" in at.text


def test_explore_shows_what_is_wrong_with_the_rules(room: Room) -> None:
    with room.open("e") as at:
        write(at, "target", "1")
        assert "The target must be greater than the start" in at.said
        write(at, "target", "1000")
        write(at, "at", "11")
        assert "11 is not a position" in at.said
        assert "▒" in at.text
        assert "◉" not in at.text


def test_arrows_on_the_line_point_at_totals(room: Room) -> None:
    with room.open("e") as at:
        at.one(PointedLine).focus()
        at.press("right", "right", "right", "left")
        assert at.said.startswith("You can win from 3")
        at.press("end")
        assert "from 980" in at.said
        at.press("home")
        assert "from 1:" in at.said
        write(at, "at", "5000")  # beyond the target
        at.one(PointedLine).focus()
        at.press("left")
        assert "from 980" in at.said
        write(at, "at", "1")
        write(at, "target", "0")
        at.one(PointedLine).focus()
        at.press("right")
        assert "The target must be" in at.said
        assert at.app.screen.query_one("#at", TextField).value == "1"


def test_the_pointer_moves_along_the_line_of_any_target(room: Room) -> None:
    with room.open("e") as at:
        write(at, "target", str(10**999))
        at.one(PointedLine).focus()
        at.press("right", "right", "right")
        assert "▾" in at.text
        assert at.said.startswith(("You can win from ", "From "))
        assert int(at.app.screen.query_one("#at", TextField).value) > 10**25
        at.press("end")
        assert int(at.app.screen.query_one("#at", TextField).value) > 10**997


def test_a_target_that_is_not_typed_yet_is_asked_for(room: Room) -> None:
    with room.open("e") as at:
        write(at, "target", "")
        assert at.said == "Not yet. Type a target, such as 1,000."
        assert "▒" not in at.text
        write(at, "target", "1000")
        assert "▒" in at.text
        write(at, "set", "")
        assert at.said == "Not yet. Type the multipliers, such as 2-9."
        assert "▒" not in at.text


def test_an_empty_total_means_the_start(room: Room) -> None:
    with room.open("e") as at:
        write(at, "at", "")
        assert at.said.startswith("You can win from 1: play")
        at.one(PointedLine).focus()
        at.press("right")
        assert at.said.startswith("You can win from 2")


def test_the_answer_is_scrolled_with_the_keyboard(room: Room) -> None:
    with room.open("e", size=SMALL) as at:
        write(at, "target", str(10**60))
        before = at.text
        assert "PgDn PgUp scroll" in before
        at.press("pagedown")
        assert at.one(Panel).scroll_y > 0
        assert at.text != before
        at.press("pageup")
        assert at.text == before


def test_a_click_on_the_line_points_at_the_nearest_total(room: Room) -> None:
    with room.open("e") as at:
        at.click(PointedLine, (50, 1))
        assert at.said.startswith("From 90 every move loses,")


def test_positions_are_neighbours_on_the_line() -> None:
    assert positions_of(Rules(Ending.REACH, 12, (2, 3))) == (1, 2, 3, 4, 6, 8, 9)
    assert neighbour(CLASSIC, 10, 1) == 12
    assert neighbour(CLASSIC, 11, 1) == 12
    assert neighbour(CLASSIC, 11, -1) == 10
    assert neighbour(CLASSIC, 1, -1) == 1
    assert neighbour(CLASSIC, 999, 1) == 980
    assert neighbour(CLASSIC, 5000, -1) == 980
    assert neighbour(CLASSIC, 5000, 1) == 980
    assert nearest(CLASSIC, 0.5) == 32


@pytest.mark.parametrize(
    "multipliers", [tuple(range(2, 10)), (2,), (6, 2**100), (2**60, 2**61 - 1)]
)
@pytest.mark.parametrize("target", [10**60, 10**999, 2**3000], ids=range(3))
def test_where_positions_are_many_the_pointer_goes_along_the_line_evenly(
    target: int, multipliers: tuple[int, ...]
) -> None:
    rules = Rules(Ending.REACH, target, multipliers)
    oracle, totals = Oracle(rules), [1]
    while (after := neighbour(rules, totals[-1], 1)) != totals[-1]:
        totals.append(after)
        oracle.check(after)
    assert 40 <= len(totals) <= 101 or positions_of(rules)
    assert totals[-1] == nearest(rules, 1.0)
    assert totals[-1] >= target // max(multipliers)
    back = totals[-1]
    while (before := neighbour(rules, back, -1)) != back:
        back = before
    assert back == nearest(rules, 0.0) == 1


def test_a_line_without_bands_where_they_are_too_far_to_be_seen() -> None:
    assert lost_bands(FAR, Oracle(FAR, most_steps=10)) is None


def test_a_long_chain_of_reasons_is_cut() -> None:
    found = find(Rules(Ending.REACH, 10**100), 1)
    assert len(found.reasons) == 13
    assert found.reasons[-1] == "And so on, from band to band, up to the target."


def test_two_moves_that_win_are_joined_by_or() -> None:
    found = find(Rules(Ending.REACH, 1000), 27)
    assert found.headline == "You can win from 27: play ×3 or ×4."
