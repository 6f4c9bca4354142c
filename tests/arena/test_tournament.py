"""What is played in a tournament, and how it stands."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from ninefold import Ending, Oracle, Rules
from ninefold.arena.tournament import Chunk, Plan, Score, play_chunk
from ninefold.arena.tournament_standings import standings
from ninefold.levels import LEVELS
from tests.arena.tournaments import GAMES, LOWEST, bot, play

PLAN = Plan(tuple(LEVELS), GAMES, 100, seed=1)
PLANS = st.builds(
    Plan,
    contestants=st.lists(
        st.sampled_from([*LEVELS, "bot:a", "bot:b"]), min_size=2, unique=True
    ).map(tuple),
    games=st.just(GAMES),
    rounds=st.integers(1, 2000),
    seed=st.integers(),
    gauntlet=st.booleans(),
)


@given(PLANS)
def test_each_pair_plays_each_round_in_one_chunk(plan: Plan) -> None:
    played = Counter(
        (chunk.one, chunk.two, number)
        for chunk in plan.chunks
        for number in chunk.rounds
    )
    count = len(plan.contestants)
    wanted = [(i, j) for i in range(count) for j in range(i + 1, count)]
    if plan.gauntlet:
        wanted = [(0, j) for j in range(1, count)]
    assert played == Counter(
        (one, two, number) for one, two in wanted for number in range(plan.rounds)
    )
    assert [chunk.number for chunk in plan.chunks] == [*range(len(plan.chunks))]


def test_openings_vary_and_both_seats_can_have_the_better_one() -> None:
    openings = [PLAN.opening(number) for number in range(100)]
    assert len(set(openings)) > 90
    assert {rules.start for rules in openings} == {*range(1, 10)}
    for game in range(5):
        of_game = openings[game::5]
        assert {(rules.ending, rules.multipliers) for rules in of_game} == {
            (GAMES[game].ending, GAMES[game].multipliers)
        }
        assert {Oracle(rules).wins(rules.start) for rules in of_game} == {True, False}
    assert [PLAN.opening(number) for number in range(100, 200)] == openings
    other = replace(PLAN, seed=2)
    assert [other.opening(number) for number in range(100)] != openings


@given(
    st.builds(
        lambda ending, start, more, multipliers: Rules(
            ending, start + more, multipliers, start
        ),
        st.sampled_from(Ending),
        st.integers(1, 10**30),
        st.integers(1, 10**30),
        st.sets(st.integers(2, 10**6), min_size=1, max_size=10),
    ),
    st.integers(),
)
def test_the_target_of_an_opening_can_be_hit_from_its_start(
    rules: Rules, seed: int
) -> None:
    opening = Plan(("planner", "expert"), (rules,), 1, seed).opening(0)
    assert opening.target >= rules.target
    assert opening.start in {rules.start * times for times in range(1, 10)}
    left, rest = divmod(opening.target, opening.start)
    assert rest == 0
    reached = {1}
    while left not in reached:
        further = {each * m for each in reached for m in rules.multipliers}
        reached = {each for each in further if left % each == 0}
        assert reached


def test_a_chunk_has_the_same_score_whenever_it_is_played() -> None:
    chunks = PLAN.chunks
    scores = [play_chunk(PLAN, chunk) for chunk in chunks]
    assert [play_chunk(PLAN, chunk) for chunk in reversed(chunks)] == scores[::-1]
    other = replace(PLAN, seed=2)
    assert [play_chunk(other, chunk) for chunk in chunks] != scores


def test_a_score_counts_games() -> None:
    plan = Plan(("perfect", "beginner"), GAMES, 50, seed=1)
    (score,) = play(plan).values()
    assert 40 < score.began <= 50
    assert 40 < score.second <= 50


def test_levels_are_rated_in_their_order() -> None:
    view = standings(PLAN, play(PLAN))
    assert [row.who for row in view.contestants] == [*LEVELS][::-1]
    assert view.games == 2000
    assert sum(row.won for row in view.contestants) == 2000
    assert {row.played for row in view.contestants} == {800}
    assert sum(row.rating.elo for row in view.contestants) == pytest.approx(0, abs=1e-6)
    for row in view.contestants:
        assert row.rating.low < row.rating.elo < row.rating.high


def test_in_a_gauntlet_the_first_plays_all_the_others() -> None:
    plan = replace(PLAN, gauntlet=True, rounds=10)
    view = standings(plan, play(plan))
    pairs = {(pair.one, pair.two) for pair in view.pairs}
    assert pairs == {("beginner", other) for other in [*LEVELS][1:]}


def test_games_of_bots_against_levels_are_repeatable() -> None:
    plan = Plan((bot(LOWEST), "careful", "perfect"), GAMES, 5, seed=1)
    view = standings(plan, play(plan))
    assert view == standings(plan, play(plan))
    assert view.contestants[0].who == "perfect"
    assert not view.failures


def test_a_bot_that_fails_loses_that_game_with_the_reason_and_plays_the_next() -> None:
    crashing = LOWEST.replace(
        'print("move", lowest, flush=True)', "raise SystemExit(7)"
    )
    plan = Plan(("beginner", bot(crashing)), GAMES[:1], 2, seed=1)
    (score,) = play(plan).values()
    assert (score.began, score.second) == (2, 2)
    assert [(failure.who, failure.round) for failure in score.failures] == [
        *[(1, 0)] * 2,
        *[(1, 1)] * 2,
    ]
    assert {failure.reason for failure in score.failures} == {
        "exited before answering (exit code 7)"
    }
    view = standings(plan, {0: score})
    assert [(row.who, row.games) for row in view.failures] == [(bot(crashing), 4)]


def test_a_tournament_without_games_has_empty_standings() -> None:
    view = standings(PLAN, {}, [Chunk(0, 0, 1, 0, 500)])
    assert view.games == 0
    assert view.contestants == ()
    assert view.set_aside[0].last == 500


def test_openings_that_together_have_too_many_positions_have_no_exact_share(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plan = Plan(("beginner", "careful"), GAMES[:1], 20, seed=1)
    scores = {0: Score(0, 10, 10)}
    assert standings(plan, scores).pairs[0].exact is not None
    monkeypatch.setattr("ninefold.arena.tournament_standings.MOST_POSITIONS", 100)
    assert standings(plan, scores).pairs[0].exact is None


def test_a_plan_hides_the_commands_of_bots() -> None:
    plan = Plan(("planner", "bot:./secret --key 7", "bot:./b"), GAMES, 1, seed=1)
    hidden = plan.without_commands()
    assert hidden.contestants[0] == "planner"
    assert "secret" not in str(hidden)
    assert len(set(hidden.contestants)) == 3
