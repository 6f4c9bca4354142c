"""The environment of PettingZoo: two agents that move in turn.

>>> from ninefold.rl import ninefold_v0
>>> game = ninefold_v0.env(target=100)
>>> game.reset()
>>> for agent in game.agent_iter():
...     observation, reward, termination, truncation, info = game.last()
...     game.step(None if termination else 7)
>>> reward, game.unwrapped.game.moves
(1, (9, 9, 9))
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import wraps
from typing import Any, ClassVar

from ninefold.errors import GameOver, MoveError
from ninefold.game import Game, Seat
from ninefold.rl.arguments import check_choice, games_from, multiplier_of
from ninefold.rl.extras import required_by
from ninefold.rl.observations import ARRAYS, observation_from, render
from ninefold.rules import Ending

with required_by(__name__):
    import numpy as np
    from gymnasium.spaces import Box, Dict, Discrete
    from gymnasium.utils import seeding
    from pettingzoo import AECEnv
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper

BEGINS, FOLLOWS = AGENTS = ("player_0", "player_1")
_AGENT_AT = {Seat.ONE: BEGINS, Seat.TWO: FOLLOWS}


class raw_env(AECEnv):  # noqa: N801 - PettingZoo's name for it
    """One game; action ``i`` plays the multiplier at index ``i``.

    ``player_0`` moves first. At the end the winner gets 1 and the other -1; before, all
    rewards are 0.

    Args:
        ending: ``"reach"``, ``"avoid"`` or ``"exact"``
        target: an integer of up to 1,000 digits, or several; each reset draws one
        multipliers: integers, or text such as ``"2-5, 9"``
        start: the first total
        observation: the total and the target as ``"digits"``, or as ``"log"``
        mask: whether an observation is a dict with an ``action_mask``; it is all
            ones, because every action is legal until the game ends
        render_mode: ``"ansi"`` to return text, ``"human"`` to print it
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "ninefold_v0",
        "render_modes": ["ansi", "human"],
        "render_fps": 1,
        "is_parallelizable": False,
    }

    def __init__(
        self,
        ending: Ending | str = "reach",
        target: int | Iterable[int] = 1000,
        multipliers: Iterable[int] | str = "2-9",
        start: int = 1,
        *,
        observation: str = "digits",
        mask: bool = False,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.games = games_from(ending, target, multipliers, start)
        check_choice("mask", mask, (False, True))
        check_choice("render_mode", render_mode, (None, "ansi", "human"))
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self.game: Game | None = None
        self._mask = mask
        self._observation = observation_from(observation, self.games, ARRAYS)
        choices = len(self.games[0].multipliers)
        self._actions = Discrete(choices)
        self._observations = self._observation.space
        if mask:
            legal = Box(0, 1, (choices,), np.int8)
            parts = {"observation": self._observations, "action_mask": legal}
            self._observations = Dict(parts)
        self._np_random: Any = None

    def observation_space(self, agent: str) -> Box | Dict:
        return self._observations

    def action_space(self, agent: str) -> Discrete:
        return self._actions

    def reset(self, seed: int | None = None, options: object = None) -> None:
        if seed is not None or self._np_random is None:
            self._np_random, _ = seeding.np_random(seed)
        several = len(self.games) > 1
        drawn = int(self._np_random.integers(len(self.games))) if several else 0
        self.game = Game.start(self.games[drawn])
        self.agents = self.possible_agents[:]
        self.agent_selection = BEGINS
        self.rewards = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, object]] = {agent: {} for agent in AGENTS}
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Any:  # noqa: ANN401 - an array, or a dict of two
        game = self.running_game()
        observed = self._observation.observe(game.rules, game.total)
        if not self._mask:
            return observed
        legal = np.ones(self._actions.n, np.int8)
        return {"observation": observed, "action_mask": legal}

    def step(self, action: Any) -> None:  # noqa: ANN401 - any value, to be checked
        game = self.running_game()
        if game.outcome is not None:
            if action is not None or not self.agents:
                message = "the game is over; step with None, or call reset"
                raise GameOver(message)
            self._was_dead_step(None)
            return
        game = game.play(multiplier_of(action, game.rules.multipliers))
        self.game = game
        if game.outcome is not None:
            winner = game.outcome.winner
            self.rewards = {_AGENT_AT[winner]: 1, _AGENT_AT[winner.other]: -1}
            self.terminations = dict.fromkeys(AGENTS, True)
            self._accumulate_rewards()
        self.agent_selection = _AGENT_AT[game.to_move]
        if self.render_mode == "human":
            self.render()

    def running_game(self) -> Game:
        """Return the game at its current state; raise ``MoveError`` before a reset."""
        if self.game is None:
            message = "there is no game yet; call reset to start one"
            raise MoveError(message)
        return self.game

    def render(self) -> str | None:
        game = self.running_game()
        return render(self.render_mode, game.rules, game.total)

    def close(self) -> None:
        """Do nothing: no window was opened. ``api_test`` asks for this method."""


class _OrderEnforcing(OrderEnforcingWrapper):
    """PettingZoo's wrapper, with an error for a step after the end, not a warning."""

    def step(self, action: Any) -> None:  # noqa: ANN401 - any value, to be checked
        if self.unwrapped.agents:
            super().step(action)
        else:
            self.unwrapped.step(action)  # which raises the error


@wraps(raw_env, assigned=(), updated=())  # so that help shows the arguments
def env(*args: Any, **named: Any) -> _OrderEnforcing:  # noqa: ANN401
    """Return ``raw_env``, with these arguments, in PettingZoo's order-checking wrapper.

    Its docstring explains the arguments.
    """
    return _OrderEnforcing(raw_env(*args, **named))
