"""Values that others have published, or that were found by hand; each names its source.

The two tables by brute force come from the project's own first study of the games,
which played out 2,116,755 positions; the rest is older than this program.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from ninefold import Ending, Rules
from ninefold.theory import Oracle, odds, who_wins
from tests.theory.brute import reachable


def first_wins(ending: Ending, target: int, multipliers: range = range(2, 10)) -> bool:
    return Oracle(Rules(ending, target, tuple(multipliers))).wins(1)


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        # The sample of UVa 847, POJ 2505 and HDU 1517, "A Multiplication Game".
        (162, True),
        (17, False),
        (34012226, True),
        # The same game by hundreds.
        (100, True),
        (200, False),
        (300, False),
        *((target, True) for target in range(400, 1001, 100)),
    ],
)
def test_a_multiplication_game_of_the_programming_contests(
    target: int, *, expected: bool
) -> None:
    assert first_wins(Ending.REACH, target) is expected


@pytest.mark.parametrize(
    ("ending", "target", "expected"),
    [
        # 18^6 = 34012224, where the winner changes.
        (Ending.REACH, 34012224, False),
        (Ending.REACH, 34012225, True),
        (Ending.AVOID, 34012224, True),
        (Ending.AVOID, 34012225, False),
        (Ending.EXACT, 34012224, False),
        (Ending.EXACT, 34012225, False),
    ],
)
def test_the_winner_changes_at_the_sixth_power_of_18(
    ending: Ending, target: int, *, expected: bool
) -> None:
    assert first_wins(ending, target) is expected


def test_kvant_m731_first_to_exceed_a_thousand_and_a_million() -> None:
    assert first_wins(Ending.REACH, 1001)
    assert not first_wins(Ending.REACH, 1_000_001)


def test_with_2_and_9_alone_the_second_player_wins_from_37_to_72() -> None:
    # From the project's study: it catches a solver that only knows the extremes of 2-9.
    found = [
        (stretch.lowest, stretch.highest)
        for stretch in who_wins(Rules(Ending.REACH, 100, (2, 9)), 19, 100)
        if not stretch.first_wins
    ]
    assert found == [(37, 72)]


def test_with_2_to_5_the_endings_differ() -> None:
    # From the project's study.
    for target in (100, 1000):
        assert not first_wins(Ending.REACH, target, range(2, 6))
        avoid = Oracle(Rules(Ending.AVOID, target, tuple(range(2, 6))))
        assert avoid.winning_moves(1) == (5,)
        assert not first_wins(Ending.EXACT, target, range(2, 6))


@pytest.mark.parametrize(
    ("ending", "target", "moves", "lost", "plies", "chance"),
    [
        # The table of the six usual games in the project's study, by brute force.
        (Ending.REACH, 100, (6, 7, 8, 9), 5, 3, Fraction(169455, 262144)),
        (Ending.REACH, 1000, (4, 5, 6), 19, 5, Fraction(35747695, 67108864)),
        (Ending.AVOID, 100, (3, 4, 5), 18, 4, Fraction(92689, 262144)),
        (Ending.AVOID, 1000, (2, 3), 51, 6, Fraction(31361169, 67108864)),
        (Ending.EXACT, 100, (3, 4, 5), 17, 4, Fraction(93841, 262144)),
        (Ending.EXACT, 1000, (2, 3), 50, 6, Fraction(31331473, 67108864)),
    ],
)
def test_the_table_of_the_six_usual_games(
    ending: Ending,
    target: int,
    moves: tuple[int, ...],
    lost: int,
    plies: int,
    chance: Fraction,
) -> None:
    rules = Rules(ending, target)
    oracle = Oracle(rules)
    totals = reachable(target, rules.multipliers, start=1)
    assert oracle.winning_moves(1) == moves
    assert sum(not oracle.wins(total) for total in totals) == lost
    assert oracle.distance(1) == plies
    assert odds(rules).both_random == chance


@pytest.mark.parametrize(("target", "live"), [(100, 45), (1000, 140)])
def test_the_live_totals_are_the_7_smooth_numbers(target: int, live: int) -> None:
    # The project's study; OEIS A002473 has one more up to 100 and 1000, the target.
    oracle = Oracle(Rules(Ending.REACH, target))
    totals = reachable(target, oracle.rules.multipliers, start=1)
    assert len(totals) == live
    for total in totals:
        oracle.check(total)


@pytest.mark.parametrize(("target", "games"), [(100, 3487), (1000, 98519)])
def test_there_are_so_many_complete_games(target: int, games: int) -> None:
    # From the project's study; it holds for the brute force that the rest leans on.
    counts: dict[int, int] = {}
    for total in reversed(reachable(target, tuple(range(2, 10)), start=1)):
        counts[total] = sum(counts.get(total * m, 1) for m in range(2, 10))
    assert counts[1] == games


@pytest.mark.parametrize("power", [*range(1, 12), 100, 795])
def test_a_lost_band_in_each_power_of_18(power: int) -> None:
    # Known to every solution of "A Multiplication Game": times 9 and times 2 in turn.
    step = 18**power
    assert not first_wins(Ending.AVOID, step + 1)
    assert not first_wins(Ending.AVOID, 2 * step)
    assert first_wins(Ending.AVOID, 2 * step + 1)
    assert not first_wins(Ending.EXACT, step)
    assert not first_wins(Ending.EXACT, 2 * step - 1)
    assert first_wins(Ending.EXACT, 2 * step)
    assert first_wins(Ending.REACH, 9 * step)
    assert not first_wins(Ending.REACH, 9 * step + 1)
    assert not first_wins(Ending.REACH, 18 * step)
    assert first_wins(Ending.REACH, 18 * step + 1)


def test_multiplier_showdown_is_won_by_handing_over_56_to_111() -> None:
    # From the project's study: the whole secret of the game at 1000.
    *_, last = Oracle(Rules(Ending.REACH, 1000)).lost_bands()
    assert str(last) == "56 to 111"
