"""Exact chances, against a brute force, the theory's own odds, and real games."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from math import sqrt
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ninefold import LEVELS, Ending, Game, Rules, Seat, TheoryError, TooLarge
from ninefold.matchups import Matchups, Policy, best_response, matchup, regret
from ninefold.rulebooks import KEYS, load
from ninefold.theory import Oracle, all_positions, odds
from tests.theory.brute import mover_has_won

BEGINNER, CAREFUL, PLANNER, EXPERT, PERFECT = (
    level.player(Random(1)) for level in LEVELS.values()
)
small_rules = st.builds(
    Rules,
    st.sampled_from(Ending),
    st.integers(6, 300),
    st.sets(st.integers(2, 12), min_size=1, max_size=5),
    st.integers(1, 5),
)


class Drawn:
    """Plays anything, with chances that a seed decides."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def distribution(self, rules: Rules, total: int) -> Mapping[int, Fraction]:
        rng = Random(f"{self.seed} {total}")
        parts = [rng.randint(0, 3) for _ in rules.multipliers]
        parts[rng.randrange(len(parts))] += 1
        return {
            m: Fraction(part, sum(parts))
            for m, part in zip(rules.multipliers, parts, strict=True)
        }


policies = st.one_of(
    st.builds(Drawn, st.integers(0, 999)),
    st.sampled_from([BEGINNER, CAREFUL, PLANNER, EXPERT, PERFECT]),
)


def brute_chance(rules: Rules, one: Policy, two: Policy | None) -> Fraction:
    """Play everything out; None for a policy is one that plays as well as can be."""
    policies = one, two

    @cache
    def chance_of_one(total: int, to_move: int) -> Fraction:
        def after(multiplier: int) -> Fraction:
            made = total * multiplier
            won = mover_has_won(rules.ending.value, rules.target, made)
            if won is None:
                return chance_of_one(made, 1 - to_move)
            return Fraction(won is (to_move == 0))

        policy = policies[to_move]
        if policy is None:
            return min(after(m) for m in rules.multipliers)
        chances = policy.distribution(rules, total)
        return sum((c * after(m) for m, c in chances.items()), Fraction())

    return chance_of_one(rules.start, 0)


@given(small_rules, policies, policies)
def test_a_matchup_is_what_playing_everything_out_gives(
    rules: Rules, one: Policy, two: Policy
) -> None:
    assert matchup(rules, one, two) == brute_chance(rules, one, two)


@given(small_rules, policies, policies)
def test_a_best_response_wins_what_it_says_and_nothing_wins_more(
    rules: Rules, policy: Policy, other: Policy
) -> None:
    found = Matchups(rules)
    response = found.best_response(policy)
    assert found.matchup(response, policy) == response.first
    assert found.matchup(policy, response) == 1 - response.second
    assert response.second == 1 - brute_chance(rules, policy, None)
    assert response.first >= found.matchup(other, policy)


@given(small_rules)
def test_chances_are_the_odds_where_both_are_known(rules: Rules) -> None:
    known = odds(rules)
    response = best_response(rules, BEGINNER)
    assert matchup(rules, BEGINNER, BEGINNER) == known.both_random
    assert response.first == known.first_perfect
    assert 1 - response.second == known.second_perfect


def test_a_random_player_is_as_exploitable_as_openspiel_says() -> None:
    # OpenSpiel 2.0.2, exploitability of the uniform policy to 100: 0.84375.
    response = best_response(Rules(Ending.REACH, 100), BEGINNER)
    assert response.exploitability == Fraction(27, 32)


@given(small_rules, policies)
def test_a_policy_without_mistakes_cannot_be_exploited(
    rules: Rules, policy: Policy
) -> None:
    exploitability = best_response(rules, policy).exploitability
    assert 0 <= exploitability <= 1
    if not regret(rules, policy).mistakes:
        assert exploitability == 0


@pytest.mark.parametrize("key", KEYS)
def test_real_games_are_won_as_often_as_the_chance_says(key: str) -> None:
    rules = load(key).rules
    exact = matchup(rules, PLANNER, EXPERT)
    seats = {
        Seat.ONE: LEVELS["planner"].player(Random(5)),
        Seat.TWO: LEVELS["expert"].player(Random(6)),
    }
    won = 0
    for _ in range(2000):
        game = Game.start(rules)
        while game.outcome is None:
            game = game.play(seats[game.to_move].choose(game))
        won += game.outcome.winner is Seat.ONE
    assert abs(won / 2000 - exact) < 3 * sqrt(exact * (1 - exact) / 2000)


@given(small_rules, policies)
def test_regret_is_the_chance_of_a_losing_move_where_one_wins(
    rules: Rules, policy: Policy
) -> None:
    oracle = Oracle(rules)
    found = regret(rules, policy)
    positions = all_positions(rules, 10_000) or ()
    won = [total for total in positions if oracle.wins(total)]
    assert found.won == len(won)
    chances = {mistake.total: mistake.chance for mistake in found.mistakes}
    assert list(chances) == sorted(chances)
    for total in won:
        kept = {*oracle.winning_moves(total)}
        played = policy.distribution(rules, total)
        assert chances.get(total, 0) == sum(
            c for m, c in played.items() if m not in kept
        )
    if oracle.wins(rules.start):
        assert found.cost == 1 - brute_chance(rules, policy, PERFECT)
    else:
        assert found.cost == brute_chance(rules, PERFECT, policy)


def test_a_mistake_names_the_moves_that_lose_and_those_that_win() -> None:
    first = regret(Rules(Ending.REACH, 100), BEGINNER).mistakes[0]
    assert (first.total, first.chance) == (1, Fraction(1, 2))
    assert (first.moves, first.winning_moves) == ((2, 3, 4, 5), (6, 7, 8, 9))


@given(small_rules)
def test_perfect_has_nothing_to_regret(rules: Rules) -> None:
    found = regret(rules, PERFECT)
    assert not found.mistakes
    assert found.cost == 0


def test_a_game_of_100_000_positions_is_counted_and_one_of_more_is_refused() -> None:
    multipliers = (2, 3)
    counted = all_positions(Rules(Ending.AVOID, 10**170, multipliers), 200_000)
    assert counted is not None
    most = Rules(Ending.AVOID, counted[100_000], multipliers)
    assert len(Matchups(most).positions) == 100_000
    with pytest.raises(TooLarge, match="too many positions"):
        Matchups(Rules(Ending.AVOID, most.target + 1, multipliers))


def test_a_game_with_too_many_positions_is_refused_with_a_way_out() -> None:
    rules = Rules(Ending.REACH, 10**5, tuple(range(2, 102)))
    sentence = (
        "this game has too many positions for exact chances; choose a smaller target"
        " or fewer multipliers"
    )
    for ask in (
        lambda: matchup(rules, BEGINNER, CAREFUL),
        lambda: best_response(rules, BEGINNER),
        lambda: regret(rules, BEGINNER),
    ):
        with pytest.raises(TooLarge) as refused:
            ask()
        assert str(refused.value) == sentence


def test_a_best_response_rejects_other_rules() -> None:
    response = best_response(Rules(Ending.REACH, 100), BEGINNER)
    with pytest.raises(TheoryError, match="compute one for these"):
        matchup(Rules(Ending.REACH, 1000), response, BEGINNER)


class Fixed:
    """Plays by the same chances everywhere."""

    def __init__(self, chances: Mapping[int, Fraction]) -> None:
        self.chances = chances

    def distribution(self, rules: Rules, total: int) -> Mapping[int, Fraction]:
        return self.chances


@pytest.mark.parametrize(
    "chances",
    [
        {},
        {2: Fraction(1, 2)},
        {12: Fraction(1)},
        {2: Fraction(3, 2), 3: Fraction(-1, 2)},
    ],
)
def test_invalid_chances_of_a_policy_are_rejected(
    chances: Mapping[int, Fraction],
) -> None:
    with pytest.raises(TheoryError, match="must cover legal multipliers only"):
        matchup(Rules(Ending.REACH, 100), BEGINNER, Fixed(chances))
