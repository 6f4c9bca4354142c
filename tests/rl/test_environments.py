"""What holds for every environment that plays one game at a time."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

import gymnasium
import numpy as np
import pytest

from ninefold import Ending, GameOver, MoveError, NinefoldError, Rules
from ninefold.rl import ninefold_v0
from ninefold.rl.batch import Batch
from ninefold.rl.gymnasium_env import NinefoldEnv
from ninefold.rl.vector_env import NinefoldVectorEnv
from tests.rl.games import NAME

Make: TypeAlias = Callable[..., Any]

CLASSIC = Rules(Ending.REACH, 1000)
VECTOR = partial(NinefoldVectorEnv, num_envs=2)
LEVELS = "'beginner', 'careful', 'planner', 'expert' or 'perfect'"
TOO_SHORT = "the opponent could end this game before your first move; use seat=1, or a target above 9"
TOO_LARGE = "a table holds at most 100,000 positions; choose smaller or fewer targets or multipliers"
of_every_kind = pytest.mark.parametrize(
    "make", [ninefold_v0.env, ninefold_v0.raw_env, partial(NinefoldEnv, seat=1)]
)


@of_every_kind
@pytest.mark.parametrize(
    "action",
    [-1, 8, 2.7, 3.0, True, "3", None, [3], 2**70, np.array([3]), np.bool_(1), np.float32(1)],
)  # fmt: skip
def test_an_illegal_action_is_rejected_and_nothing_moves(
    make: Make, action: object
) -> None:
    env = make()
    env.reset()
    before = pickle.dumps(env)
    with pytest.raises(MoveError, match=r"^an action is a whole number from 0 to 7;"):
        env.step(action)
    assert pickle.dumps(env) == before


@pytest.mark.parametrize("bad", [-1, 8])
def test_one_illegal_action_in_ten_thousand_moves_no_game(bad: int) -> None:
    batch, env = Batch(CLASSIC, 10_000), NinefoldVectorEnv(num_envs=10_000)
    env.reset(seed=1)
    actions = np.zeros(10_000, np.int64)
    actions[77] = bad
    for games, play in ((batch, batch.play), (env, env.step)):
        before = pickle.dumps(games)
        with pytest.raises(MoveError, match=rf"^an action is a whole number from 0 to 7; not {bad}, the action in game 77$"):  # fmt: skip
            play(actions)
        assert pickle.dumps(games) == before


@of_every_kind
def test_moves_are_rejected_before_a_reset_and_after_the_end(make: Make) -> None:
    env = make(target=5)
    for early in (partial(env.step, 0), env.unwrapped.render):
        with pytest.raises(MoveError, match=r"^there is no game yet; call reset to "):
            early()
    env.reset()
    env.step(7)
    with pytest.raises(GameOver, match=r"^the game is over; .*call reset"):
        env.step(0)
    if hasattr(env, "agents"):
        for _ in env.possible_agents:
            env.step(None)
        with pytest.raises(GameOver):
            env.step(None)


@pytest.mark.parametrize(
    "make", [ninefold_v0.env, ninefold_v0.raw_env, partial(gymnasium.make, NAME)]
)
@pytest.mark.parametrize(
    "clone", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))]
)
def test_a_copy_made_in_mid_game_continues_alike(
    make: Make, clone: Callable[[Any], Any]
) -> None:
    env = make(target=range(10**6, 10**6 + 9), render_mode="ansi")
    env.reset(seed=1)
    env.step(2)
    ways: list[list[str]] = []
    for each in (env, clone(env)):
        ways.append([])
        for action in (5, 7, None):
            each.reset() if action is None else each.step(action)
            ways[-1].append(each.render())
    assert ways[0] == ways[1]


def test_human_mode_prints_each_position(capsys: pytest.CaptureFixture[str]) -> None:
    for make, total in ((ninefold_v0.env, 2), (partial(NinefoldEnv, seat=1), 4)):
        env, rules = make(multipliers=[2], render_mode="human"), "reach 1,000 with 2"
        env.reset()
        env.step(0)
        shown = f"total 1; {rules}\ntotal {total}; {rules}\n"
        assert capsys.readouterr().out == shown


@pytest.mark.parametrize(
    ("makes", "arguments", "sentence"),
    [
        ([ninefold_v0.env], {"observation": "index"}, "observation must be 'digits' or 'log'; not 'index'"),
        ([ninefold_v0.env], {"mask": 1}, "mask must be False or True; not 1"),
        ([ninefold_v0.env, NinefoldEnv], {"render_mode": "x"}, "render_mode must be None, 'ansi' or 'human'; not 'x'"),
        ([NinefoldEnv, VECTOR], {"observation": 1}, "observation must be 'digits', 'log' or 'index'; not 1"),
        ([ninefold_v0.env, NinefoldEnv, VECTOR], {"ending": "win"}, "ending must be 'reach', 'avoid' or 'exact'; not 'win'"),
        ([NinefoldEnv], {"target": "9"}, "the target must be a whole number, such as 100; not '9'"),
        ([NinefoldEnv], {"target": []}, "there must be at least one target, such as 1,000"),
        ([NinefoldEnv], {"multipliers": 5}, "the multipliers must be several whole numbers, such as 2, 3, 5; not 5"),
        ([NinefoldEnv, VECTOR], {"opponent": "genius"}, f"an opponent that is not a policy must be {LEVELS}; not 'genius'"),
        ([NinefoldEnv, VECTOR], {"seat": True}, "seat must be 1, 2 or 'drawn'; not True"),
        ([VECTOR], {"num_envs": 0}, "num_envs must be a whole number from 1; not 0"),
        ([partial(Batch, CLASSIC)], {"size": 1.5}, "size must be a whole number from 1; not 1.5"),
        ([NinefoldEnv, VECTOR], {"target": 5}, TOO_SHORT),
        ([NinefoldEnv, VECTOR], {"target": [1000, 9], "seat": 2}, TOO_SHORT),
        ([partial(Batch, Rules(Ending.REACH, 10**24))], {"size": 1}, TOO_LARGE),
        ([VECTOR], {"target": [10**17, 10**17 + 1, 10**17 + 2]}, f"{TOO_LARGE}, or vectorization_mode='sync'"),
        ([partial(Batch, Rules(Ending.REACH, 10**24, tuple(range(2, 102))))], {"size": 1}, TOO_LARGE.replace("100,000", "10,000")),
        ([NinefoldEnv], {"target": 10**24, "observation": "index"}, f"{TOO_LARGE}, or observation='digits'"),
        ([VECTOR], {"target": 10**999}, f"{TOO_LARGE}, or vectorization_mode='sync'"),
    ],
)  # fmt: skip
def test_bad_arguments_are_rejected(
    makes: list[Make], arguments: dict[str, Any], sentence: str
) -> None:
    for make in makes:
        with pytest.raises(NinefoldError) as caught:
            make(**arguments)
        assert str(caught.value) == sentence
