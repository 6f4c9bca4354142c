from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from hypothesis import given
from hypothesis import strategies as st

from ninefold import (
    LEVELS,
    Ending,
    Game,
    MoveError,
    NinefoldError,
    PositionError,
    Rules,
    Seat,
    TooLarge,
)
from ninefold.matchups import matchup
from ninefold.rl.vector_env import NinefoldVectorEnv, alias_table
from tests.rl.games import (
    ARGUMENTS,
    Scripted,
    arguments_of,
    numbers,
    reward_of,
    small_rules,
)

NAME = "ninefold.rl.gymnasium_env:ninefold/Ninefold-v0"
PLACES = 5


@given(rules=small_rules, seat=st.sampled_from([1, 2, "drawn"]), draw=st.data())
def test_it_plays_move_for_move_as_games_do(
    rules: Rules, seat: int | str, draw: st.DataObject
) -> None:
    opponent = Scripted()
    env = NinefoldVectorEnv(
        **arguments_of(rules), opponent=opponent, seat=seat, num_envs=PLACES
    )
    observations, _ = env.reset(seed=draw.draw(st.integers(0, 9)))
    games = [begun(rules, seat, seen) for seen in observations]
    for _ in range(20):
        action = st.integers(0, len(rules.multipliers) - 1)
        actions = draw.draw(st.lists(action, min_size=PLACES, max_size=PLACES))
        observations, rewards, ended, truncated, infos = env.step(np.array(actions))
        for place, before in enumerate(games):
            if before.outcome is not None:
                game = begun(rules, seat, observations[place])
            else:
                game = before.play(rules.multipliers[actions[place]])
                if game.outcome is None:
                    game = game.play(opponent.move(rules, game.total))
            games[place] = game
            assert numbers(observations[place]) == [game.total, rules.target]
            assert rewards[place] == reward_of(game)
            assert ended[place] == (game.outcome is not None)
        assert not truncated.any()
        assert infos == {}


def begun(rules: Rules, seat: int | str, seen: np.ndarray) -> Game:
    """Return the new game that shows this; the learner has seat ONE."""
    total, _ = numbers(seen)
    moves = [] if total == rules.start else [Scripted().move(rules, rules.start)]
    game = Game.replay(rules, moves, Seat.TWO if moves else Seat.ONE)
    assert game.total == total
    assert seat in ("drawn", 2 if moves else 1)
    return game


@pytest.mark.parametrize("arguments", ARGUMENTS.values(), ids=ARGUMENTS)
def test_it_is_like_many_single_ones(arguments: dict[str, Any]) -> None:
    made = [
        gymnasium.make_vec(NAME, 3, vectorization_mode=mode, **arguments)
        for mode in ("sync", "vector_entry_point")
    ]
    for space in ("observation_space", "action_space", "single_observation_space"):
        sync, vector = (getattr(each, space) for each in made)
        assert sync == vector
    for env in map(RecordEpisodeStatistics, made):
        seen, _ = env.reset(seed=1)
        assert seen in env.observation_space
        for _ in range(30):
            seen, rewards, ended, _, infos = env.step(env.action_space.sample())
            assert seen in env.observation_space
            assert (rewards.dtype, ended.dtype) == (np.float64, np.bool_)
            assert (rewards != 0).tolist() == ended.tolist()
            if ended.any():
                assert (infos["episode"]["r"] == rewards).all()


@given(weights=st.lists(st.fractions(0, 1), min_size=1, max_size=12).filter(any))
def test_alias_tables_equal_the_weights(weights: list[Any]) -> None:
    thresholds, others = alias_table(tuple(map(float, weights)))
    size, found = len(weights), [0.0] * len(weights)
    for index, (threshold, other) in enumerate(zip(thresholds, others, strict=True)):
        found[index] += threshold / size
        found[other] += (1 - threshold) / size
    for chance, weight in zip(found, weights, strict=True):
        assert abs(chance - weight / sum(weights)) < 2**-40


@pytest.mark.parametrize("seat", [1, 2, "drawn"])
@pytest.mark.parametrize("ending", Ending)
def test_as_many_games_are_won_as_the_exact_chance_says(
    seat: int | str, ending: Ending
) -> None:
    count = 200_000
    rules = Rules(ending, 1000)
    env = NinefoldVectorEnv(ending, num_envs=count, opponent="expert", seat=seat)
    env.reset(seed=1)
    results = np.zeros(count)
    rng = np.random.default_rng(2)
    while not results.all():
        _, rewards, *_ = env.step(rng.integers(8, size=count))
        # The first game of each place: in a fixed time, more short ones would end.
        results = np.where(results == 0, rewards, results)
    learner, expert = (
        LEVELS[name].player(Random(1)) for name in ("beginner", "expert")
    )
    first, second = matchup(rules, learner, expert), 1 - matchup(rules, expert, learner)
    both = (first + second) / 2
    chance = float(first if seat == 1 else second if seat == 2 else both)
    error = (chance * (1 - chance) / count) ** 0.5
    assert abs((results > 0).mean() - chance) < 4 * error


def played(env: NinefoldVectorEnv, seed: int | None = None) -> str:
    rng = np.random.default_rng(1)
    steps = [env.step(rng.integers(8, size=env.num_envs)) for _ in range(30)]
    return str([*steps, env.reset(seed=seed)])


@pytest.mark.parametrize("clone", [copy.deepcopy, lambda e: pickle.loads(pickle.dumps(e))])  # fmt: skip
def test_same_seed_same_games_and_a_copy_continues_alike(
    clone: Callable[[Any], Any],
) -> None:
    one, other = (
        NinefoldVectorEnv(target=range(100, 200, 9), num_envs=9) for _ in "12"
    )
    assert str(one.reset(seed=1)) == str(other.reset(seed=1))
    assert played(one) == played(other)
    assert played(clone(one)) == played(one)


def test_each_new_game_draws_a_target() -> None:
    env = NinefoldVectorEnv(target=[100, 1000, 10_000], num_envs=300)
    observations, _ = env.reset(seed=1)
    new, waiting = np.ones(300, np.bool_), np.zeros(300, np.bool_)
    drawn: list[int] = []
    for _ in range(100):
        drawn += [numbers(seen)[1] for seen in observations[new]]
        observations, _, ended, *_ = env.step(env.action_space.sample())
        # Those that have ended start anew at the next step.
        new, waiting = waiting, ended
    for target in (100, 1000, 10_000):
        assert abs(drawn.count(target) / len(drawn) - 1 / 3) < 2 / len(drawn) ** 0.5


def test_index_numbers_the_positions_and_one_end() -> None:
    env = NinefoldVectorEnv(target=20, multipliers="2,3", seat=1, observation="index")
    assert env.totals == (1, 2, 3, 4, 6, 8, 9, 12, 16, 18)
    for place, total in enumerate(env.totals):
        assert env.reset(options={"total": total})[0].tolist() == [place]
    assert env.step(np.array([1]))[0].tolist() == [10]


@pytest.mark.parametrize("target", [1000, [1000, 2000]])
def test_games_can_start_at_any_position_and_only_some_of_them(
    target: int | list[int],
) -> None:
    env = NinefoldVectorEnv(target=target, num_envs=3, seat=1)
    env.reset(seed=1)
    observations, _ = env.reset(
        options={"total": 45, "reset_mask": np.array([True, False, True]), "other": 1}
    )
    assert [numbers(seen)[0] for seen in observations] == [45, 1, 45]
    with pytest.raises(PositionError):
        env.reset(options={"total": 11})


@pytest.mark.parametrize("mask", [True, [1, 0], [True], [[True, True]], "x"])
def test_a_bad_reset_mask_is_rejected(mask: object) -> None:
    env = NinefoldVectorEnv(num_envs=2)
    env.reset()
    with pytest.raises(NinefoldError, match=r"^reset_mask must be an array of 2 booleans, one for each game;"):  # fmt: skip
        env.reset(options={"reset_mask": mask})


@pytest.mark.parametrize("bad", [-1, 8])
def test_one_illegal_action_moves_no_game(bad: int) -> None:
    env = NinefoldVectorEnv(num_envs=10_000, seat=1)
    env.reset(seed=1)
    actions = np.zeros(10_000, np.int64)
    actions[77] = bad
    before = pickle.dumps(env)
    with pytest.raises(MoveError, match=rf"^an action is a whole number from 0 to 7; not {bad}, the action in game 77$"):  # fmt: skip
        env.step(actions)
    assert pickle.dumps(env) == before


@pytest.mark.parametrize("actions", [[0], [0, 0, 0], 0, None, [0.0, 1.0], [True, True], ["1", "1"], [[0], [0]]])  # fmt: skip
def test_actions_of_another_shape_or_type_are_rejected(actions: np.ndarray) -> None:
    env = NinefoldVectorEnv(num_envs=2)
    env.reset()
    with pytest.raises(MoveError, match=r"^the actions must be an array of 2 integers, one for each game; not one of shape "):  # fmt: skip
        env.step(actions)


def test_a_first_step_or_mask_before_a_reset_is_rejected() -> None:
    env = NinefoldVectorEnv(num_envs=2)
    for early in (
        lambda: env.step(np.array([0, 0])),
        lambda: env.reset(options={"reset_mask": np.array([True, False])}),
    ):
        with pytest.raises(MoveError, match=r"^there are no games yet; call reset to start them$"):  # fmt: skip
            early()


@pytest.mark.parametrize("number", [0, -1, 1.5, True, "3"])
def test_a_bad_number_of_games_is_rejected(number: int) -> None:
    with pytest.raises(NinefoldError, match=r"^num_envs must be a whole number from 1; not "):  # fmt: skip
        NinefoldVectorEnv(num_envs=number)


def test_games_that_do_not_fit_into_a_table_are_too_large() -> None:
    with pytest.raises(TooLarge, match=r"choose smaller or fewer targets or multipliers, or vectorization_mode='sync'$"):  # fmt: skip
        gymnasium.make_vec(NAME, 2, target=10**999)
    gymnasium.make_vec(NAME, 2, target=10**999, multipliers=[7])
