from __future__ import annotations

from ninefold.app.lines import bands_of, nearest, neighbour, positions_of
from ninefold.app.screens.explore import PointedLine, find
from ninefold.app.widgets.fields import TextField
from ninefold.rules import Ending, Rules
from ninefold.theory import Oracle
from tests.app.rooms import FAR, Opened, Room

CLASSIC = Rules(Ending.REACH, 1000)


def write(at: Opened, key: str, text: str) -> None:
    field = at.app.screen.query_one(f"#{key}", TextField)
    field.focus()
    field.value = text
    at.wait()


def test_it_begins_with_an_answer(room: Room) -> None:
    with room.open("e") as at:
        assert at.said.startswith("Won: from 1 play ×4 to ×6.")
        assert "56 to 111" in at.text
        assert "▒" in at.text


def test_it_answers_as_one_types(room: Room) -> None:
    with room.open("e") as at:
        write(at, "target", "200")
        assert at.said.startswith("Lost: from 1 every move fails")
        write(at, "set", "2-5")
        assert "200" in at.text
        at.press("up", "right")
        assert "reach it and lose" in at.text
        at.press("right")
        assert "make it exactly to win" in at.text


def test_it_says_what_is_wrong(room: Room) -> None:
    with room.open("e") as at:
        write(at, "target", "1")
        assert "The target must be above the start" in at.said
        write(at, "target", "1000")
        write(at, "at", "11")
        assert "11 is no position" in at.said


def test_arrows_on_the_line_point_at_totals(room: Room) -> None:
    with room.open("e") as at:
        at.one(PointedLine).focus()
        at.press("right", "right", "right", "left")
        assert at.said.startswith("Won: from 3")
        write(at, "target", "0")
        at.one(PointedLine).focus()
        at.press("right")
        assert "The target must be" in at.said


def test_a_click_on_the_line_points_at_the_nearest_total(room: Room) -> None:
    with room.open("e") as at:
        at.click(PointedLine, (50, 1))
        assert at.said.startswith("Lost: from 9")


def test_positions_are_neighbours_on_the_line() -> None:
    assert positions_of(Rules(Ending.REACH, 12, (2, 3))) == (1, 2, 3, 4, 6, 8, 9)
    assert neighbour(CLASSIC, 10, 1) == 12
    assert neighbour(CLASSIC, 1, -1) == 1
    assert nearest(CLASSIC, 0.5) == 32


def test_where_positions_are_too_many_the_pointer_stays() -> None:
    huge = Rules(Ending.REACH, 10**60)
    assert positions_of(huge) == ()
    assert neighbour(huge, 10, 1) == 10
    assert nearest(huge, 0.5) is None


def test_a_line_without_bands_where_they_are_too_far_to_be_seen() -> None:
    assert bands_of(FAR, Oracle(FAR, most_steps=10)) == ()


def test_a_long_chain_of_reasons_is_cut() -> None:
    found = find(Rules(Ending.REACH, 10**100), 1)
    assert len(found.reasons) == 12
