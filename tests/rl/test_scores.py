"""Scores of learners and the positions behind them, against a brute force."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from hashlib import sha256
from itertools import islice
from math import inf, nan
from random import Random
from statistics import fmean
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ninefold import LEVELS, Ending, Rules, SetupError, TheoryError, TooLarge
from ninefold.matchups import Matchups, Policy
from ninefold.rl.scores import Act, Report, Row, judge, policy_from
from ninefold.rl.splits import Sample, samples
from tests.test_matchups import BEGINNER, PERFECT, PLANNER, Drawn, Fixed, small_rules
from tests.theory.brute import play_out, reachable

RULES = Rules(Ending.REACH, 1000)
# Once a split is released, its SHA-256 stays.
PINNED = {
    "dev": "e32eade2caf3cdb1af01de12ba261082ba1de5ab154c0e18543ce108f0e89e98",
    "train": "701f25d14d82e2f0b486c5ddda74b7d26e0030e971218034c4963f547bd0901d",
    "train, seed 7": "a33ecffcb85cf6250de4fd73eaed9558f54c906fac7e4d4ee1e7b7bdc5a4c862",
    "test, the first of each kind": "98f963d70ccaa3c8c975350e5e71f288e39ca1ebc6818c6c22c7d0c83d70c6ab",
    "test": "605a75d3f51daa7b0c79f2cd4257fcc6d5a1a4da57fc16f45240593266e4ff9d",
}


def weights_of(policy: Policy, scale: float = 1.0) -> Act:
    """Return a learner that plays as a policy does."""

    def act(rules: Rules, totals: Sequence[int]) -> np.ndarray:
        chances = [policy.distribution(rules, total) for total in totals]
        rows = [[each.get(m, 0) for m in rules.multipliers] for each in chances]
        return scale * np.array(rows, dtype=float)

    return act


def always(rows: object) -> Act:
    return lambda *_: rows


def one_move(rules: Rules, totals: Sequence[int]) -> np.ndarray:
    """Play a move that is drawn at each position."""
    rng, choices = Random(f"{rules} {totals}"), len(rules.multipliers)
    return np.eye(choices)[[rng.randrange(choices) for _ in totals]]


def winning_moves(rules: Rules) -> dict[int, tuple[int, ...]]:
    """Play out every position of a small game."""
    totals = reachable(rules.target, rules.multipliers, rules.start)
    found = play_out("reach", rules.target, rules.multipliers, totals)
    return {total: each.moves for total, each in found.items()}


@pytest.mark.parametrize(
    ("drawn", "name"),
    [
        (samples("dev"), "dev"),
        (islice(samples("train"), 80), "train"),
        (islice(samples("train", seed=7), 80), "train, seed 7"),
        (islice(samples("test"), 10), "test, the first of each kind"),
        pytest.param(samples("test"), "test", marks=pytest.mark.prove),
    ],
)
def test_a_split_never_changes(drawn: Iterable[Sample], name: str) -> None:
    text = "".join(
        f"{each.rules.target} {each.rules.multipliers} {each.totals}\n"
        for each in drawn
    )
    assert sha256(text.encode()).hexdigest() == PINNED[name]


def test_at_every_position_of_a_split_some_moves_win_and_others_lose() -> None:
    for sample in [*samples("dev"), *islice(samples("train"), 80)]:
        brute = winning_moves(sample.rules)
        assert [*sample.winning_moves] == [brute[total] for total in sample.totals]
        for moves in sample.winning_moves:
            assert 0 < len(moves) < len(sample.rules.multipliers)


def test_an_unknown_split_is_rejected_and_only_train_takes_a_seed() -> None:
    for ask in (samples, lambda split: judge(one_move, split)):
        with pytest.raises(SetupError, match="must be 'train', 'dev' or 'test'; not 'x'"):  # fmt: skip
            ask("x")
    with pytest.raises(SetupError, match=r"^dev is the same for everyone; only train"):
        samples("dev", seed=7)


@given(small_rules, st.integers(0, 99), st.floats(1e-300, 1e300))
def test_a_learner_is_asked_once_and_its_policy_has_the_chances_of_its_weights(
    rules: Rules, seed: int, scale: float
) -> None:
    asked = []

    def act(rules: Rules, totals: Sequence[int]) -> object:
        asked.append(totals)
        return weights_of(Drawn(seed), scale)(rules, totals)

    policy = policy_from(rules, act)
    assert asked == [Matchups(rules).positions]
    for total in asked[0]:
        chances = policy.distribution(rules, total)
        assert sum(chances.values()) == 1
        for move, exact in Drawn(seed).distribution(rules, total).items():
            assert abs(chances.get(move, 0) - exact) < Fraction(1, 2**20)
            assert exact or move not in chances


@given(st.lists(st.just(0.0) | st.floats(0, 1.7e308), min_size=1).filter(any))
def test_weights_of_any_size_make_chances_that_add_up_to_1(row: list[float]) -> None:
    rules = Rules(Ending.REACH, 2, tuple(range(2, 2 + len(row))))
    chances = policy_from(rules, always([row])).distribution(rules, 1)
    assert sum(chances.values()) == 1
    assert all(row[move - 2] for move in chances)


def test_a_policy_is_for_its_own_rules_and_for_games_that_can_be_listed() -> None:
    with pytest.raises(TheoryError, match="made for other rules"):
        policy_from(RULES, one_move).distribution(Rules(Ending.AVOID, 1000), 1)
    with pytest.raises(TooLarge, match="too many positions for exact chances"):
        policy_from(Rules(Ending.REACH, 10**30), one_move)


def test_regret_is_the_weight_on_moves_that_lose_by_brute_force() -> None:
    regrets: dict[tuple[int, int], list[float]] = {}
    for sample in samples("dev"):
        brute, rules = winning_moves(sample.rules), sample.rules
        for total in sample.totals:
            chances = Drawn(2).distribution(rules, total)
            lost = sum(c for m, c in chances.items() if m not in brute[total])
            kind = len(rules.multipliers), len(str(rules.target))
            regrets.setdefault(kind, []).append(float(lost))
    assert [*regrets] == [(8, 3), (8, 4), (4, 3), (4, 4)]
    for learner in (Drawn(2), weights_of(Drawn(2))):
        for row in judge(learner, "dev").rows:
            expected = regrets[len(row.multipliers), row.digits]
            assert row.positions == len(expected) == 1000
            assert row.regret == pytest.approx(fmean(expected))


@pytest.mark.parametrize(
    ("split", "digits"),
    [
        ("train", [3, 4]),
        ("dev", [3, 4]),
        pytest.param("test", [6, 9, 18, 50, 100], marks=pytest.mark.prove),
    ],
)
def test_perfect_play_scores_1_and_random_play_0(split: str, digits: list[int]) -> None:
    perfect, random = judge(PERFECT, split), judge(BEGINNER, split)
    assert [row.digits for row in perfect.rows] == digits * 2
    assert (perfect.score, random.score) == (1, 0)
    assert 0 < judge(PLANNER, split).score < 1
    for row in judge(one_move, split).rows:
        assert abs(row.regret - row.random) < 4 * row.error


def test_the_score_and_its_error_are_those_of_1_minus_regret_over_random() -> None:
    near = Row((2, 3, 4, 5, 6, 7, 8, 9), 6, 1000, 0.25, 0.01, 0.625)
    far = Row((2, 5, 7, 9), 18, 1000, 0.4, 0.012, 0.5)
    report = Report("test", (near, far))
    assert report.score == pytest.approx((0.6 + 0.2) / 2)
    assert report.error == pytest.approx((0.016**2 + 0.024**2) ** 0.5 / 2)


@pytest.mark.parametrize(
    "rows",
    [None, "?", [1] * 8, [[1] * 8] * 139, [[1] * 7] * 140, [[1], []], [[10**400] * 8] * 140],
)  # fmt: skip
def test_weights_of_another_shape_are_rejected(rows: object) -> None:
    with pytest.raises(TheoryError) as rejected:
        policy_from(RULES, always(rows))
    assert str(rejected.value) == (
        "act must return an array of floats with 140 rows, one for each total, and 8"
        " columns, one for each multiplier"
    )


@pytest.mark.parametrize("learner", ["planner", None, LEVELS["planner"]])
def test_what_is_neither_a_function_nor_a_policy_is_rejected(learner: Any) -> None:  # noqa: ANN401
    for ask in (lambda: judge(learner, "dev"), lambda: policy_from(RULES, learner)):
        with pytest.raises(SetupError, match=r"^a learner is a function act\(rules, "):
            ask()


@pytest.mark.parametrize("weight", [-0.1, nan, inf, 0])
def test_weights_that_make_no_chances_are_rejected(weight: float) -> None:
    with pytest.raises(TheoryError) as rejected:
        policy_from(RULES, always([[1.0] * 8] * 139 + [[0.0] * 7 + [weight]]))
    assert str(rejected.value) == (
        "at 980 the weights must be finite numbers of 0 or more, and not all 0; fix"
        " what act returns"
    )


@pytest.mark.parametrize("chances", [{2: Fraction(1, 2)}, {12: Fraction(1)}])
def test_judge_rejects_invalid_chances(chances: Mapping[int, Fraction]) -> None:
    with pytest.raises(TheoryError, match="must cover legal multipliers only"):
        judge(Fixed(chances), "dev")
