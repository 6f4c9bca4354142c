"""The oracle and the chances against games played out move by move."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.theory.brute import mover_has_won, play_out, reachable

from ninefold import Ending, Rules
from ninefold.theory.oracle import Oracle

SUBSETS = [
    subset for size in range(1, 9) for subset in combinations(range(2, 10), size)
]


def agree(rules: Rules) -> None:
    """Compare every reachable total of a game."""
    oracle = Oracle(rules)
    ending, target = rules.ending.value, rules.target
    totals = reachable(target, rules.multipliers, rules.start)
    found = play_out(ending, target, rules.multipliers, totals)
    for total, truth in found.items():
        assert oracle.winning_moves(total) == truth.moves
        assert oracle.wins(total) is bool(truth.moves)
        assert oracle.distance(total) == truth.distance
        assert oracle.grundy(total) == truth.grundy


@pytest.mark.parametrize(
    "multipliers", SUBSETS, ids=lambda subset: "".join(map(str, subset))
)
def test_every_position_agrees_for_every_subset_ending_and_target_to_300(
    multipliers: tuple[int, ...],
) -> None:
    for ending in Ending:
        for target in range(2, 301):
            agree(Rules(ending, target, multipliers))


some_rules = st.builds(
    lambda ending, multipliers, start, more: Rules(
        ending, start + more, multipliers, start
    ),
    st.sampled_from(Ending),
    st.sets(st.integers(2, 40), min_size=1, max_size=6),
    st.integers(1, 30),
    st.integers(1, 20_000),
)


@given(some_rules)
def test_every_position_agrees_for_larger_multipliers_and_other_starts(
    rules: Rules,
) -> None:
    agree(rules)


@given(
    st.sampled_from(Ending),
    st.sets(st.integers(2, 30), min_size=1, max_size=5),
    st.integers(1, 9),
    st.integers(1, 500),
)
def test_the_lost_bands_are_exactly_the_lost_totals(
    ending: Ending, multipliers: set[int], start: int, more: int
) -> None:
    rules = Rules(ending, start + more, multipliers, start)
    lost: dict[int, bool] = {}
    for total in range(rules.target - 1, 0, -1):
        lost[total] = not any(
            lost[total * m] if won is None else won
            for m in rules.multipliers
            for won in [mover_has_won(ending.value, rules.target, total * m)]
        )
    bands = list(Oracle(rules).lost_bands())
    inside = [t for band in bands for t in range(band.lowest, band.highest + 1)]
    assert inside == [t for t in range(start, rules.target) if lost[t]]
    ends = pairwise(bands)
    assert all(band.highest + 1 < after.lowest for band, after in ends)
