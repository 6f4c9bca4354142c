"""Many games of a learner against one policy at once, in NumPy.

``gymnasium.make_vec`` makes it. The replies of the policy are drawn from alias tables,
two numbers for each action of each position, made once from its ``distribution``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, ClassVar

from ninefold.errors import MoveError
from ninefold.matchups import Policy
from ninefold.rl.arguments import (
    chances_of,
    check_size,
    check_total,
    games_from,
    opponent_from,
)
from ninefold.rl.extras import required_by
from ninefold.rl.observations import Observation, observation_from
from ninefold.rl.places import Places, check_actions, check_array
from ninefold.rules import Ending

with required_by(__name__):
    import numpy as np
    from gymnasium.spaces import Discrete
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space


_CHANCE_TO_BEGIN = {1: 1, 2: 0, "drawn": 1 / 2}


class NinefoldVectorEnv(VectorEnv):
    """The games of ``NinefoldEnv``, ``num_envs`` at once; it explains the arguments.

    The opponent's chances are read once, when this is made: it cannot learn later. A
    game that has ended ignores its next action and starts again, with reward 0. The
    options of ``reset`` are ``total`` and ``reset_mask``: which games to start again.
    """

    metadata: ClassVar[dict[str, Any]] = {"autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        ending: Ending | str = "reach",
        target: int | Iterable[int] = 1000,
        multipliers: Iterable[int] | str = "2-9",
        start: int = 1,
        *,
        num_envs: int = 1,
        opponent: Policy | str = "planner",
        seat: int | str = "drawn",
        observation: str = "digits",
    ) -> None:
        self.num_envs = check_size("num_envs", num_envs)
        self.games = games_from(ending, target, multipliers, start)
        self.opponent = opponent_from(opponent, self.games, seat)
        self.seat = seat
        observed = observation_from(observation, self.games)
        self.single_observation_space = observed.space
        self.observation_space = batch_space(observed.space, self.num_envs)
        self._choices = len(self.games[0].multipliers)
        self.single_action_space = Discrete(self._choices)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._make_tables(observed)
        self._places: np.ndarray | None = None

    def _make_tables(self, observed: Observation) -> None:
        """Make the tables from which a step is read.

        Here every end has two places: first if the learner made it, then if the
        opponent did.
        """
        table = Places(self.games, ", or vectorization_mode='sync'")
        inside, ends = table.positions, len(table.totals) - table.positions
        self._first_end, self._starts = inside, table.starts
        self._numbers = table.numbers
        self.totals = table.totals[:inside]
        """For ``index``, the total of each observation but the last."""
        # At an end, no action counts.
        unused = np.zeros((2 * ends, self._choices), np.intp)
        self._after = np.concatenate((table.after, unused)).ravel()
        thresholds, others = self._alias_tables(table)
        made = table.after + ends * (table.after >= inside)
        outcomes = np.stack((made, np.take_along_axis(made, others, axis=1)), axis=2)
        # At an end the opponent does not move.
        stays = np.arange(inside, inside + ends).repeat(2 * self._choices)
        self._outcomes = np.concatenate((outcomes.ravel(), stays))
        self._thresholds = np.concatenate(
            (thresholds.ravel(), np.ones(len(stays) // 2))
        )
        won = np.where(np.arange(inside, inside + ends) < table.first_won, -1.0, 1.0)
        self._rewards = np.concatenate((np.zeros(inside), won, -won))
        seen = np.stack(list(map(observed.observe, table.rules, table.totals)))
        self._observations = np.concatenate((seen, seen[inside:]))

    def _alias_tables(self, table: Places) -> tuple[np.ndarray, np.ndarray]:
        rows = []
        for rules, total in zip(
            table.rules, table.totals[: table.positions], strict=False
        ):
            chances = chances_of(self.opponent, rules, total)
            weights = tuple([chances.get(each, 0.0) for each in rules.multipliers])
            rows.append(alias_table(weights))
        thresholds, others = map(np.array, zip(*rows, strict=True))
        return thresholds, others

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        super().reset(seed=seed)
        asked = options or {}
        total, mask = asked.get("total"), asked.get("reset_mask")
        if total is not None:
            total = check_total(self.games, total)
        if mask is None:
            self._places = self._begin(self.num_envs, total)
        else:
            given = check_array("reset_mask", mask, self.num_envs, "booleans")
            again = np.flatnonzero(given)
            self._running()[again] = self._begin(len(again), total)
        return self._observations[self._places], {}

    def step(
        self, actions: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        checked = check_actions(actions, self.num_envs, self._choices)
        places = self._running()
        again = np.flatnonzero(places >= self._first_end)
        places = self._reply(self._after.take(places * self._choices + checked))
        if len(again):
            places[again] = self._begin(len(again))
        self._places = places
        observations = self._observations.take(places, axis=0)
        ended, truncated = places >= self._first_end, np.zeros(len(places), np.bool_)
        return observations, self._rewards.take(places), ended, truncated, {}

    def _running(self) -> np.ndarray:
        if self._places is None:
            message = "there are no games yet; call reset to start them"
            raise MoveError(message)
        return self._places

    def _begin(self, count: int, total: int | None = None) -> np.ndarray:
        """Return the places of new games, at which the learner is to move."""
        games = np.zeros(count, np.intp)
        if len(self.games) > 1:
            games = self.np_random.integers(len(self.games), size=count)
        if total is not None:
            return np.array([own[total] for own in self._numbers])[games]
        starts = self._starts[games]
        is_first = self.np_random.random(count) < _CHANCE_TO_BEGIN[self.seat]
        return np.where(is_first, starts, self._reply(starts))

    def _reply(self, places: np.ndarray) -> np.ndarray:
        """Return the places after the opponent's moves."""
        drawn = self.np_random.random(len(places)) * self._choices
        slots = drawn.astype(np.intp)
        drawn -= slots
        slots += places * self._choices
        second = drawn >= self._thresholds.take(slots)
        return self._outcomes.take(2 * slots + second)


@lru_cache(maxsize=4096)
def alias_table(weights: tuple[float, ...]) -> tuple[list[float], list[int]]:
    """Return a threshold and another index for each index, by the alias method.

    To draw an index by these weights, draw one of all at random and a number from 0 to
    1; where that is not below the threshold, take the other index.

    >>> alias_table((0.75, 0.25))
    ([1.0, 0.5], [0, 0])
    """
    size = len(weights)
    scale = size / sum(weights)
    thresholds = [weight * scale for weight in weights]
    others = list(range(size))
    small = [n for n, threshold in enumerate(thresholds) if threshold < 1]
    large = [n for n, threshold in enumerate(thresholds) if threshold >= 1]
    while small and large:
        low, high = small.pop(), large[-1]
        others[low] = high
        thresholds[high] -= 1 - thresholds[low]
        if thresholds[high] < 1:
            small.append(large.pop())
    for left in small + large:
        thresholds[left] = 1.0  # but for rounding, it already is
    return thresholds, others
