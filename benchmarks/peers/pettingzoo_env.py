"""The game written for PettingZoo: first to the target wins, multipliers 2-9.

It follows the classic environments that PettingZoo ships (one agent acts at a time)
and is wrapped and driven the way its documentation says. Every multiplier may always
be played, so there is no action mask to make.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

import numpy as np
from gymnasium.spaces import Box, Discrete
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

SMALLEST, LARGEST = 2, 9


class MultiplicationEnv(AECEnv):
    """One game: action 0 multiplies by 2, action 7 by 9; the total is observed."""

    metadata: ClassVar = {"name": "multiplication_v0", "is_parallelizable": False}

    def __init__(self, target: int) -> None:
        """Choose the target: 10^18 at most, so that every total fits NumPy."""
        super().__init__()
        self.render_mode = None
        self.possible_agents = ["player_1", "player_2"]
        self._target = target
        beyond = target * LARGEST
        self._actions = Discrete(LARGEST - SMALLEST + 1)
        self._observations = Box(low=1, high=beyond, shape=(1,), dtype=np.int64)

    def observation_space(self, _agent: str) -> Box:
        """Return the space of totals, the same for both."""
        return self._observations

    def action_space(self, _agent: str) -> Discrete:
        """Return the space of multipliers, the same for both."""
        return self._actions

    def observe(self, _agent: str) -> np.ndarray:
        """Return the total."""
        return np.array([self._total], dtype=np.int64)

    def reset(self, seed: int | None = None, options: object = None) -> None:
        """Begin at 1."""
        del seed, options  # nothing is left to chance or choice
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, object]] = {agent: {} for agent in self.agents}
        self.agent_selection, self._waiting = self.agents
        self._total = 1

    def step(self, action: int | None) -> None:
        """Multiply, and let the other agent act."""
        mover = self.agent_selection
        if action is None or self.terminations[mover]:
            self._was_dead_step(action)
            return
        self._total *= SMALLEST + action
        if self._total >= self._target:
            self.rewards = {mover: 1, self._waiting: -1}
            self.terminations = dict.fromkeys(self.agents, True)
            self._accumulate_rewards()
        self.agent_selection, self._waiting = self._waiting, mover


class PettingZoo:
    """Plays games in PettingZoo, move by move, and names the winner."""

    def __init__(self, target: int, *, checked: bool = True) -> None:
        """Make the environment, in the wrappers that check what it is asked to do."""
        self._env = MultiplicationEnv(target)
        if checked:
            self._env = wrappers.AssertOutOfBoundsWrapper(self._env)
            self._env = wrappers.OrderEnforcingWrapper(self._env)

    def play(self, moves: Iterable[int]) -> int:
        """Play until the game is over; return the winner, 1 or 2."""
        return play(self._env, moves)


def play(env: AECEnv, moves: Iterable[int]) -> int:
    """Play until the game is over; return the winner, 1 or 2."""
    env.reset()
    coming = iter(moves)
    winner = 0
    for agent in env.agent_iter():
        _, reward, termination, truncation, _ = env.last()
        if termination or truncation:
            env.step(None)
            if reward > 0:
                winner = env.possible_agents.index(agent) + 1
        else:
            env.step(next(coming) - SMALLEST)
    return winner
