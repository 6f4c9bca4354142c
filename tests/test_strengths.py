"""The page about the levels is the measured one, and measuring repeats itself."""

from __future__ import annotations

import pytest

from benchmarks.strengths import (
    BEGIN,
    END,
    PAGE,
    Pairing,
    Score,
    overall,
    play_some,
    put_into,
    tables,
)
from ninefold.players import LEVELS
from ninefold.rulebooks import KEYS


def scores(won: int, played: int) -> dict[Pairing, Score]:
    names = list(LEVELS)
    return {
        Pairing(stronger, weaker, book, begins): Score(won, played)
        for above, stronger in enumerate(names)
        for weaker in names[:above]
        for book in KEYS
        for begins in (True, False)
    }


def test_the_same_games_are_played_again() -> None:
    pairing = Pairing("perfect", "expert", KEYS[2], stronger_begins=False)
    assert play_some(pairing, 0, 100) == play_some(pairing, 0, 100)
    assert play_some(pairing, 0, 100) != play_some(pairing, 500, 100)


def test_who_begins_makes_a_difference_to_perfect() -> None:
    begins = Pairing("perfect", "planner", KEYS[0], stronger_begins=True)
    assert play_some(begins, 0, 50) == 50


def test_the_page_shows_the_tables_that_are_measured() -> None:
    page = PAGE.read_text(encoding="utf-8")
    measured = page.partition(BEGIN)[2].partition(END)[0].strip().splitlines()
    expected = tables(scores(3000, 5000)).splitlines()
    for shown, line in zip(measured, expected, strict=True):
        assert shown.split("|")[:2] == line.split("|")[:2]
        assert shown.count("|") == line.count("|")
    assert "**beginner**" in page
    for level in LEVELS.values():
        assert f"**{level.name}**" in page


def test_both_seats_and_all_games_are_added_up() -> None:
    assert overall(scores(3, 5), "expert", "planner") == Score(30, 50)


def test_a_page_without_the_marks_is_refused() -> None:
    with pytest.raises(SystemExit, match="put them in"):
        put_into("# The levels\n", "measured")
