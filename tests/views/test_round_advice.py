"""Advice about a round: exact, and in agreement with games that were played."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations
from math import isclose, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ninefold import Ending, Rules
from ninefold.rulebooks import load
from ninefold.views.round_advice import Course, advise, course_of
from tests.theory.brute import mover_has_won

REACH, AVOID, EXACT = Ending.REACH, Ending.AVOID, Ending.EXACT
small_rules = st.builds(
    Rules,
    st.sampled_from(Ending),
    st.integers(6, 300),
    st.sets(st.integers(2, 12), min_size=1, max_size=5),
    st.integers(1, 5),
)


def played_out(rules: Rules) -> tuple[Fraction, Fraction]:
    """Return the mean number of moves, and the chance that the first player wins."""

    def ends(total: int) -> bool | None:
        return mover_has_won(rules.ending.value, rules.target, total)

    @cache
    def at(total: int) -> tuple[Fraction, Fraction]:
        made = [total * move for move in rules.multipliers]
        wins = [each for each in made if ends(each)]
        chosen = wins or [each for each in made if ends(each) is not False] or made
        length = chance = Fraction()
        for each in chosen:
            if ends(each) is None:
                moves_left, other_wins = at(each)
            else:
                moves_left, other_wins = Fraction(), Fraction(not ends(each))
            length += (1 + moves_left) / len(chosen)
            chance += (1 - other_wins) / len(chosen)
        return length, chance

    return at(rules.start)


@given(small_rules)
def test_the_course_of_a_game_is_what_playing_everything_out_gives(
    rules: Rules,
) -> None:
    length, chance = played_out(rules)
    course = course_of(rules)
    assert course is not None
    assert isclose(course.moves, length)
    assert isclose(course.first_wins, chance)


@pytest.mark.parametrize(
    ("book", "moves", "per_cent"),
    [
        ("multiplication-madness", 3.1, 88),
        ("multiplication-showdown", 4.0, 66),
        ("multiplication-duel", 4.0, 66),
        ("multiplier", 5.5, 41),
        ("multiplier-showdown", 4.5, 41),
    ],
)
def test_the_course_agrees_with_simulated_games(
    book: str, moves: float, per_cent: int
) -> None:
    """The figures are from 1,500 games, which may be off by three per cent."""
    course = course_of(load(book).rules)
    assert course is not None
    assert isclose(course.moves, moves, abs_tol=0.1)
    assert isclose(100 * course.first_wins, per_cent, abs_tol=3)


@pytest.mark.parametrize(
    ("rules", "advice"),
    [
        (Rules(REACH, 100), "About 3 moves; whoever begins usually wins."),
        (Rules(REACH, 20), "About 2 moves; whoever begins usually loses."),
        (Rules(REACH, 50), "About 3 moves."),
        (Rules(REACH, 5), "One move; whoever begins always wins."),
        (Rules(AVOID, 2), "One move; whoever begins always loses."),
        (Rules(REACH, 3, (2,)), "About 2 moves; whoever begins always loses."),
        (Rules(REACH, 1000, (2,)), "Whoever begins always loses."),
        (Rules(REACH, 196, (2, 3)), "Whoever begins usually loses."),
        (Rules(AVOID, 24, (2, 3)), "Whoever begins usually wins."),
        (Rules(REACH, 1000), ""),
        (Rules(AVOID, 1000), ""),
        (Rules(EXACT, 1000), ""),
        (
            Rules(EXACT, 1001),
            "Nobody can make 1,001 from 1 with 2-9; whoever passes it loses.",
        ),
        (
            Rules(EXACT, 11),
            "Nobody can make 11 from 1 with 2-9; whoever passes it loses. About 3 moves.",
        ),
    ],
)
def test_a_teacher_is_warned_of_short_and_one_sided_games(
    rules: Rules, advice: str
) -> None:
    assert advise(rules) == advice


def test_a_target_must_be_made_from_the_start() -> None:
    assert advise(Rules(EXACT, 45, start=2)).startswith("Nobody can make 45 from 2")
    assert not advise(Rules(EXACT, 90, start=2)).startswith("Nobody")


CROSSED = tuple(prod(some) for some in combinations((2, 3, 5, 7, 11, 13, 17, 19), 3))


@pytest.mark.parametrize(
    "rules",
    [
        *(Rules(ending, 10**30) for ending in Ending),
        *(Rules(ending, 10**900) for ending in Ending),
        # Few positions, but long numbers:
        Rules(REACH, 2**1000, (2, *range(2**1001, 2**1001 + 99))),
        # Whether the target can be made takes too long to find out:
        Rules(EXACT, 4 * prod(CROSSED) ** 3, CROSSED),
    ],
)
def test_nothing_is_said_of_a_game_that_is_too_large(rules: Rules) -> None:
    assert course_of(rules) is None
    assert advise(rules) == ""


@given(small_rules)
def test_advice_is_one_or_two_short_sentences(rules: Rules) -> None:
    advice = advise(rules)
    assert advice == advice.strip()
    assert len(advice) < 140
    assert not advice or (advice[0].isupper() and advice.endswith("."))


def test_a_course_is_a_value() -> None:
    assert course_of(Rules(REACH, 5)) == Course(1, 1)
