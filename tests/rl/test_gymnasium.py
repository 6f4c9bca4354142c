from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeAlias

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.utils.env_match import check_environments_match
from gymnasium.wrappers import RecordEpisodeStatistics
from hypothesis import given
from hypothesis import strategies as st

from ninefold import (
    Game,
    GameOver,
    MoveError,
    NinefoldError,
    PositionError,
    Rules,
    Seat,
    TheoryError,
    TooLarge,
)
from ninefold.rl.gymnasium_env import NinefoldEnv
from tests.rl.games import (
    ARGUMENTS,
    AT_ONCE,
    HUGE,
    Scripted,
    Weighted,
    arguments_of,
    numbers,
    reward_of,
    small_rules,
)

NAME = "ninefold.rl.gymnasium_env:ninefold/Ninefold-v0"
Target: TypeAlias = int | list[int]
WEIGHTS = (0.5, 0.25, 0.25)
GAMES = {
    **ARGUMENTS,
    **HUGE,
    **{name: {**each, "seat": 1} for name, each in AT_ONCE.items()},
    "index": {"observation": "index"},
    "any policy": {"opponent": Weighted(*WEIGHTS)},
    "perfect": {"opponent": "perfect", "seat": 2},
}


@pytest.mark.parametrize("arguments", GAMES.values(), ids=GAMES)
def test_gymnasium_finds_nothing_to_complain_about(arguments: dict[str, Any]) -> None:
    check_env(gymnasium.make(NAME, **arguments).unwrapped)
    one, other = (gymnasium.make(NAME, **arguments) for _ in range(2))
    check_environments_match(one, other, num_steps=100, seed=1)
    recorded = RecordEpisodeStatistics(gymnasium.make(NAME, **arguments))
    recorded.reset(seed=1)
    ended = False
    while not ended:
        _, reward, ended, _, info = recorded.step(recorded.action_space.sample())
    assert info["episode"]["r"] == reward


def begun(env: NinefoldEnv, rules: Rules) -> Game:
    """Return the game of a scripted opponent up to the learner's first move."""
    if env.total == rules.start:
        return Game.start(rules, Seat.ONE)
    return Game.start(rules, Seat.TWO).play(Scripted().move(rules, rules.start))


@given(rules=small_rules, seat=st.sampled_from([1, 2, "drawn"]), draw=st.data())
def test_it_plays_move_for_move_as_a_game_does(
    rules: Rules, seat: int | str, draw: st.DataObject
) -> None:
    env = NinefoldEnv(**arguments_of(rules), opponent=Scripted(), seat=seat)
    observation, _ = env.reset(seed=draw.draw(st.integers(0, 9)))
    game = begun(env, rules)
    assert seat in ("drawn", 1 if game.first is Seat.ONE else 2)
    while game.outcome is None:
        assert numbers(observation) == [game.total, rules.target]
        action = draw.draw(st.integers(0, len(rules.multipliers) - 1))
        observation, reward, ended, truncated, _ = env.step(action)
        game = game.play(rules.multipliers[action])
        if game.outcome is None:
            game = game.play(Scripted().move(rules, game.total))
        assert (ended, truncated) == (game.outcome is not None, False)
        assert reward == reward_of(game)
    assert numbers(observation) == [game.total, rules.target]


def test_the_opponent_draws_from_its_distribution() -> None:
    env = NinefoldEnv(seat=2, opponent=Weighted(*map(Fraction, WEIGHTS)))
    env.reset(seed=1)
    count = 10_000
    drawn = []
    for _ in range(count):
        env.reset()
        drawn.append(env.total)
    for total, weight in zip((2, 3, 4), WEIGHTS, strict=True):
        error = (weight * (1 - weight) / count) ** 0.5
        assert abs(drawn.count(total) / count - weight) < 4 * error


def test_a_seat_is_drawn_for_each_game() -> None:
    env = NinefoldEnv(opponent=Scripted())
    env.reset(seed=1)
    begins = [env.reset()[0][0].sum() == 1 for _ in range(1000)]
    assert 400 < sum(begins) < 600


def test_index_numbers_the_positions_and_one_end() -> None:
    env = NinefoldEnv(target=20, multipliers="2,3", seat=1, observation="index")
    assert env.totals == (1, 2, 3, 4, 6, 8, 9, 12, 16, 18)
    assert env.observation_space.n == 11
    for place, total in enumerate(env.totals):
        assert env.reset(options={"total": total})[0] == place
    assert env.step(1)[0] == 10


@pytest.mark.parametrize("target", [1000, [1000, 2000]])
def test_a_game_can_start_at_any_position(target: Target) -> None:
    env = NinefoldEnv(target=target, seat=2)
    observation, _ = env.reset(options={"total": np.int64(45), "unknown": 1})
    assert numbers(observation)[0] == 45


@pytest.mark.parametrize("total", [0, 11, 1000, 999, -5, 45.0, True, "45", 10**50])
@pytest.mark.parametrize("target", [1000, [1000, 2000]])
def test_a_game_starts_at_no_other_total(target: Target, total: object) -> None:
    env = NinefoldEnv(target=target)
    with pytest.raises(PositionError, match=r"choose a total below 1,000 that can be reached from 1 with 2-9$"):  # fmt: skip
        env.reset(options={"total": total})


@pytest.mark.parametrize("clone", [copy.deepcopy, lambda e: pickle.loads(pickle.dumps(e))])  # fmt: skip
def test_a_copy_made_in_mid_game_continues_alike(clone: Callable[[Any], Any]) -> None:
    env = gymnasium.make(NAME, target=range(10**6, 10**6 + 9), opponent="expert")
    env.reset(seed=1)
    env.step(2)
    other = clone(env)
    seen = [
        str([each.step(action) for action in (5, 7)] + [each.reset() for _ in range(9)])
        for each in (env, other)
    ]
    assert seen[0] == seen[1]


@pytest.mark.parametrize("action", [-1, 8, 2.7, True, "3", None, [3]])
def test_an_illegal_action_is_rejected_and_nothing_moves(action: object) -> None:
    env = NinefoldEnv(seat=1)
    env.reset()
    with pytest.raises(MoveError, match=r"^an action is a whole number from 0 to 7;"):
        env.step(action)
    assert env.total == 1


def test_moves_are_rejected_before_a_reset_and_after_the_end() -> None:
    env = NinefoldEnv(target=5, seat=1)
    with pytest.raises(MoveError, match=r"^there is no game yet; call reset to start one$"):  # fmt: skip
        env.step(0)
    env.reset()
    env.step(7)
    with pytest.raises(GameOver, match=r"^the game is over; call reset to start another$"):  # fmt: skip
        env.step(0)


BAD = [
    ({"opponent": "genius"}, "opponent must be one of beginner, careful, planner, expert, perfect, or have a distribution as a policy does; not 'genius'"),
    ({"opponent": 3}, "opponent must be one of beginner, careful, planner, expert, perfect, or have a distribution as a policy does; not 3"),
    ({"seat": 3}, "seat must be 1, 2 or 'drawn'; not 3"),
    ({"seat": True}, "seat must be 1, 2 or 'drawn'; not True"),
    ({"observation": "total"}, "observation must be 'digits', 'log' or 'index'; not 'total'"),
    ({"ending": "win"}, "the ending must be 'reach', 'avoid' or 'exact'; not 'win'"),
    ({"target": 5}, "the opponent could end this game before your first move; use seat=1, or a target above 9"),
    ({"target": [1000, 9], "seat": 2}, "the opponent could end this game before your first move; use seat=1, or a target above 9"),
]  # fmt: skip


@pytest.mark.parametrize("mode", ["sync", "vector_entry_point"])
@pytest.mark.parametrize(("arguments", "sentence"), BAD)
def test_bad_arguments_are_rejected(
    arguments: dict[str, Any], sentence: str, mode: str
) -> None:
    with pytest.raises(NinefoldError) as caught:
        gymnasium.make_vec(NAME, 2, vectorization_mode=mode, **arguments)
    assert str(caught.value) == sentence


def test_an_unknown_render_mode_is_rejected() -> None:
    with pytest.raises(NinefoldError, match=r"^render_mode must be None, 'ansi' or 'human'; not 'x'$"):  # fmt: skip
        NinefoldEnv(render_mode="x")


def test_index_is_for_games_that_fit_into_a_table() -> None:
    with pytest.raises(TooLarge, match=r"^a table holds at most 100,000 positions; .*, or observation='digits'$"):  # fmt: skip
        NinefoldEnv(target=10**24, observation="index")


@pytest.mark.parametrize(
    ("weights", "multipliers"),
    [
        ((), "2-9"),
        ((0.5,), "2-9"),
        ((0.5, 0.6), "2-9"),
        ((1.5, -0.5), "2-9"),
        ((float("nan"), 1), "2-9"),
        ((0.5, 0.5), "3-9"),
    ],
)
def test_an_opponent_whose_chances_make_no_sense_is_rejected(
    weights: tuple[float, ...], multipliers: str
) -> None:
    arguments: dict[str, Any] = {
        "opponent": Weighted(*weights),
        "multipliers": multipliers,
    }
    with pytest.raises(TheoryError, match=r"^at 1 the policy's chances must cover legal multipliers only and add up to 1; fix its distribution$"):  # fmt: skip
        NinefoldEnv(**arguments, seat=2).reset()
    with pytest.raises(TheoryError):
        gymnasium.make_vec(NAME, 2, **arguments)
