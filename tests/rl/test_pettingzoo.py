from __future__ import annotations

import copy
import pickle
import warnings
from collections.abc import Callable
from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pettingzoo.test import api_test, render_test, seed_test

from ninefold import Game, GameOver, MoveError, NinefoldError, Rules, Seat
from ninefold.rl import ninefold_v0
from tests.rl.games import ARGUMENTS, AT_ONCE, HUGE, arguments_of, numbers, small_rules

Make: TypeAlias = Callable[..., Any]

AGENT_AT = dict(zip(Seat, ("player_0", "player_1"), strict=True))
BOTH = pytest.mark.parametrize("make", [ninefold_v0.env, ninefold_v0.raw_env])
every_game = pytest.mark.parametrize(
    "arguments",
    [*ARGUMENTS.values(), *HUGE.values(), *AT_ONCE.values()],
    ids=[*ARGUMENTS, *HUGE, *AT_ONCE],
)


@BOTH
@every_game
def test_pettingzoo_finds_nothing_to_complain_about(
    make: Make, arguments: dict[str, Any]
) -> None:
    api_test(make(**arguments))
    seed_test(lambda: make(**arguments))
    render_test(lambda render_mode: make(**arguments, render_mode=render_mode))


def test_pettingzoo_says_two_things_about_a_mask() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(ninefold_v0.env(mask=True))
        seed_test(lambda: ninefold_v0.env(mask=True))
    assert {str(each.message) for each in caught} == {
        "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
        "Observation is not a NumPy array",
    }


@given(rules=small_rules, draw=st.data())
def test_it_plays_move_for_move_as_a_game_does(
    rules: Rules, draw: st.DataObject
) -> None:
    env = ninefold_v0.env(**arguments_of(rules))
    env.reset()
    game = Game.start(rules)
    while game.outcome is None:
        observation, reward, terminated, truncated, _ = env.last()
        assert numbers(observation) == [game.total, rules.target]
        assert (reward, terminated, truncated) == (0, False, False)
        assert env.agent_selection == AGENT_AT[game.to_move]
        action = draw.draw(st.integers(0, len(rules.multipliers) - 1))
        env.step(action)
        game = game.play(rules.multipliers[action])
    assert numbers(env.observe("player_0")) == [game.total, rules.target]
    winner = AGENT_AT[game.outcome.winner]
    for agent in env.agent_iter():
        _, reward, terminated, truncated, _ = env.last()
        assert (reward, terminated, truncated) == (1 if agent == winner else -1, True, False)  # fmt: skip
        env.step(None)


def test_logarithms_are_those_of_the_total_and_the_target() -> None:
    env = ninefold_v0.env(target=1024, multipliers="2-8", observation="log")
    env.reset()
    env.step(6)
    assert env.last()[0].tolist() == [3, 10]


@BOTH
@pytest.mark.parametrize("arguments", [{}, {"target": range(100, 300)}, {"mask": True}])
@pytest.mark.parametrize("clone", [copy.deepcopy, lambda e: pickle.loads(pickle.dumps(e))])  # fmt: skip
def test_a_copy_made_in_mid_game_continues_alike(
    make: Make, arguments: dict[str, Any], clone: Callable[[Any], Any]
) -> None:
    env = make(**arguments)
    env.reset(seed=1)
    env.step(2)
    other = clone(env)
    seen = []
    for each in (env, other):
        for action in (5, 7):
            each.step(action)
            seen.append(str(each.last()))
        each.reset()
        seen.append(str(each.last()))
    assert seen[:3] == seen[3:]


@BOTH
@pytest.mark.parametrize("action", [-1, 8, 2.7, True, "3", None, [3]])
def test_an_illegal_action_is_rejected_and_nothing_moves(
    make: Make, action: object
) -> None:
    env = make()
    env.reset()
    with pytest.raises(MoveError, match=r"^an action is a whole number from 0 to 7;"):
        env.step(action)
    assert env.unwrapped.game.total == 1


@BOTH
def test_moves_are_rejected_before_a_reset_and_after_the_end(make: Make) -> None:
    env = make(target=5)
    for too_early in (0, None):
        with pytest.raises(MoveError, match=r"^there is no game yet; call reset to start one$"):  # fmt: skip
            env.step(too_early)
    env.reset()
    env.step(7)
    with pytest.raises(GameOver, match=r"^the game is over; step with None, or call reset$"):  # fmt: skip
        env.step(0)
    env.step(None)
    env.step(None)
    for too_late in (0, None):
        with pytest.raises(GameOver):
            env.step(too_late)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"observation": "total"}, "observation must be 'digits' or 'log'; not 'total'"),
        ({"observation": None}, "observation must be 'digits' or 'log'; not None"),
        ({"render_mode": "rgb_array"}, "render_mode must be None, 'ansi' or 'human'; not 'rgb_array'"),
        ({"mask": 1}, "mask must be False or True; not 1"),
    ],
)  # fmt: skip
def test_unknown_arguments_are_rejected(
    arguments: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(NinefoldError) as caught:
        ninefold_v0.env(**arguments)
    assert str(caught.value) == sentence


def test_each_reset_draws_one_of_the_targets() -> None:
    env = ninefold_v0.env(target=range(100, 110))
    env.reset(seed=1)
    drawn: set[int] = set()
    for _ in range(200):
        env.reset()
        drawn.add(numbers(env.observe("player_0"))[1])
    assert drawn == set(range(100, 110))
