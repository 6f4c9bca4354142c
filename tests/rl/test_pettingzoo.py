from __future__ import annotations

import warnings
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pettingzoo.test import api_test, render_test, seed_test

from ninefold import Game, Rules, Seat
from ninefold.rl import ninefold_v0
from tests.rl.games import ARGUMENTS, HUGE, arguments_of, numbers, small_rules

AGENT_AT = dict(zip(Seat, ("player_0", "player_1"), strict=True))
GAMES = {**ARGUMENTS, **HUGE, "ended by the first move": {"target": 2}}


@pytest.mark.parametrize("arguments", GAMES.values(), ids=GAMES)
def test_pettingzoo_finds_nothing_to_complain_about(arguments: dict[str, Any]) -> None:
    for make in (ninefold_v0.env, ninefold_v0.raw_env):
        api_test(make(**arguments))
        seed_test(partial(make, **arguments))
        render_test(partial(make, **arguments))


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


def test_each_reset_draws_one_of_the_targets() -> None:
    env = ninefold_v0.env(target=range(100, 110))
    env.reset(seed=1)
    drawn: set[int] = set()
    for _ in range(200):
        env.reset()
        drawn.add(numbers(env.observe("player_0"))[1])
    assert drawn == set(range(100, 110))
