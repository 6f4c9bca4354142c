"""The oracle and the chances against games played out move by move."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ninefold import Ending, Rules
from ninefold.theory import Chances, Oracle
from tests.theory import games
from tests.theory.brute import Found, mover_has_won, play_out, reachable

SUBSETS = [
    subset for size in range(1, 9) for subset in combinations(range(2, 10), size)
]


def everything(rules: Rules, totals: list[int]) -> dict[int, Found]:
    return play_out(rules.ending.value, rules.target, rules.multipliers, totals)


def agree(rules: Rules, found: dict[int, Found], *, chances: bool = True) -> None:
    """Compare everything that is said of some totals with what was found there."""
    oracle = Oracle(rules)
    odds = Chances(oracle)
    for total, truth in found.items():
        assert oracle.winning_moves(total) == truth.moves
        assert oracle.wins(total) is bool(truth.moves)
        assert oracle.distance(total) == truth.distance
        if chances:
            whole = len(rules.multipliers) ** truth.depth
            said = odds.at(total)
            assert same(said.both_random, truth.both_random, whole)
            assert same(said.first_perfect, truth.first_perfect, whole)
            assert same(said.second_perfect, truth.second_perfect, whole)


def same(chance: Fraction, part: int, whole: int) -> bool:
    return chance.numerator * whole == part * chance.denominator


@pytest.mark.parametrize("ending", Ending)
@pytest.mark.parametrize("target", [2, 10, 64, 100, 144])
def test_every_position_agrees_for_every_subset(ending: Ending, target: int) -> None:
    for multipliers in SUBSETS:
        rules = Rules(ending, target, multipliers)
        agree(rules, everything(rules, reachable(target, multipliers, start=1)))


@pytest.mark.prove
@pytest.mark.parametrize(
    "multipliers", SUBSETS, ids=lambda subset: "".join(map(str, subset))
)
def test_every_position_agrees_for_every_subset_ending_and_target_to_300(
    multipliers: tuple[int, ...],
) -> None:
    for target in range(2, 301):
        totals = reachable(target, multipliers, start=1)
        for ending in Ending:
            rules = Rules(ending, target, multipliers)
            agree(rules, everything(rules, totals))


@games.unhurried
@given(games.rules(highest_multiplier=60, most_multipliers=6, longest=20_000))
def test_every_position_agrees_for_larger_multipliers_and_other_starts(
    rules: Rules,
) -> None:
    totals = reachable(rules.target, rules.multipliers, rules.start)
    agree(rules, everything(rules, totals))


@games.unhurried
@given(games.long_rules())
def test_every_position_agrees_far_beyond_the_first_period(rules: Rules) -> None:
    totals = reachable(rules.target, rules.multipliers, rules.start)
    agree(rules, everything(rules, totals), chances=False)


@games.unhurried
@given(games.rules(highest_multiplier=30, most_multipliers=5, longest=500))
def test_the_lost_bands_are_exactly_the_lost_totals(rules: Rules) -> None:
    lost: dict[int, bool] = {}
    for total in range(rules.target - 1, 0, -1):
        lost[total] = not any(
            lost[total * m] if won is None else won
            for m in rules.multipliers
            for won in [mover_has_won(rules.ending.value, rules.target, total * m)]
        )
    oracle = Oracle(rules)
    bands = list(oracle.lost_bands())
    inside = [t for band in bands for t in range(band.lowest, band.highest + 1)]
    assert inside == [t for t in range(rules.start, rules.target) if lost[t]]
    assert all(band.highest + 1 < after.lowest for band, after in pairwise(bands))
    for total in range(rules.start - 1, rules.target + 1):
        around = [band for band in bands if total in band]
        assert oracle.band_at(total) == (around[0] if around else None)


@games.unhurried
@given(games.rules(highest_multiplier=30, most_multipliers=5, longest=3000), st.data())
def test_the_best_move_is_the_quickest_win_or_the_longest_resistance(
    rules: Rules, data: st.DataObject
) -> None:
    totals = reachable(rules.target, rules.multipliers, rules.start)
    found = everything(rules, totals)
    total = data.draw(st.sampled_from(totals))
    oracle = Oracle(rules)
    move = oracle.best_move(total)
    after = found.get(total * move)
    assert found[total].distance == 1 + (after.distance if after else 0)
    assert not found[total].moves or move in found[total].moves
