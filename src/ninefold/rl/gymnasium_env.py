"""The environment of Gymnasium: a learner against a level, or any other policy.

>>> import gymnasium
>>> name = "ninefold.rl.gymnasium_env:ninefold/Ninefold-v0"
>>> env = gymnasium.make(name, target=100, seat=1, opponent="perfect")
>>> observation, info = env.reset(seed=1)
>>> observation, reward, terminated, truncated, info = env.step(0)
>>> env.unwrapped.total, reward, terminated
(8, 0.0, False)
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from itertools import accumulate
from typing import Any, ClassVar

from ninefold.errors import GameOver, MoveError
from ninefold.matchups import Policy
from ninefold.rl.arguments import (
    chances_of,
    check_choice,
    check_total,
    games_from,
    multiplier_of,
    opponent_from,
)
from ninefold.rl.extras import required_by
from ninefold.rl.observations import Index, observation_from, render
from ninefold.rules import Ending, Verdict

with required_by(__name__):
    import gymnasium
    from gymnasium.spaces import Discrete


class NinefoldEnv(gymnasium.Env):
    """Games of a learner; action ``i`` plays the multiplier at index ``i``.

    A step plays the learner's move and the opponent's reply. The reward is 1 or -1 at
    the end and 0 before. With the option ``total``, ``reset`` starts at that position,
    with the learner to move.

    Args:
        ending: ``"reach"``, ``"avoid"`` or ``"exact"``
        target: an integer of up to 1,000 digits, or several; each reset draws one
        multipliers: integers, or text such as ``"2-5, 9"``
        start: the first total
        opponent: the name of a level, or a policy
        seat: 1 if the learner moves first, 2 if second, ``"drawn"`` for either
        observation: the total and the target as ``"digits"`` or as ``"log"``, or
            the number of the position as ``"index"``
        render_mode: ``"ansi"`` to return text, ``"human"`` to print it
    """

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": ["ansi", "human"],
        "render_fps": 1,
    }

    def __init__(
        self,
        ending: Ending | str = "reach",
        target: int | Iterable[int] = 1000,
        multipliers: Iterable[int] | str = "2-9",
        start: int = 1,
        *,
        opponent: Policy | str = "planner",
        seat: int | str = "drawn",
        observation: str = "digits",
        render_mode: str | None = None,
    ) -> None:
        self.games = games_from(ending, target, multipliers, start)
        self.opponent = opponent_from(opponent, self.games, seat)
        check_choice("render_mode", render_mode, (None, "ansi", "human"))
        self.render_mode = render_mode
        self.seat = seat
        observed = observation_from(observation, self.games)
        self._observation = observed
        self.observation_space = observed.space
        self.action_space = Discrete(len(self.games[0].multipliers))
        self.rules = self.games[0]
        """The rules of the current game."""
        self.total = 0
        """The current total; 0 before the first reset."""
        self.totals = observed.totals if isinstance(observed, Index) else ()
        """For ``index``, the total of each observation but the last."""

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        asked = (options or {}).get("total")
        total = None if asked is None else check_total(self.games, asked)
        several = len(self.games) > 1
        game = self.np_random.integers(len(self.games)) if several else 0
        self.rules = self.games[game]
        self.total = total or self.rules.start
        seat = self.np_random.integers(1, 3) if self.seat == "drawn" else self.seat
        if total is None and seat != 1:
            self._play(self._reply())
        return self._show(), {}

    def step(self, action: object) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        self._check_started()
        if self.rules.verdict(self.total) is not None:
            message = "the game is over; call reset to start another"
            raise GameOver(message)
        verdict = self._play(multiplier_of(action, self.rules.multipliers))
        learner_wins = verdict is not None and verdict.mover_wins
        if verdict is None:
            verdict = self._play(self._reply())
            learner_wins = verdict is not None and not verdict.mover_wins
        reward = 0.0 if verdict is None else 1.0 if learner_wins else -1.0
        return self._show(), reward, verdict is not None, False, {}

    def render(self) -> str | None:
        self._check_started()
        return render(self.render_mode, self.rules, self.total)

    def _check_started(self) -> None:
        if self.total == 0:
            message = "there is no game yet; call reset to start one"
            raise MoveError(message)

    def _play(self, multiplier: int) -> Verdict | None:
        self.total = self.rules.after(self.total, multiplier)
        return self.rules.verdict(self.total)

    def _reply(self) -> int:
        """Draw the opponent's move."""
        chances = chances_of(self.opponent, self.rules, self.total)
        moves, ends = list(chances), list(accumulate(chances.values()))
        drawn = bisect_right(ends, self.np_random.random() * ends[-1])
        return moves[min(drawn, len(moves) - 1)]

    def _show(self) -> Any:  # noqa: ANN401 - an array or a number
        if self.render_mode == "human":
            self.render()
        return self._observation.observe(self.rules, self.total)


gymnasium.register(
    id="ninefold/Ninefold-v0",
    entry_point=f"{__name__}:{NinefoldEnv.__name__}",
    vector_entry_point="ninefold.rl.vector_env:NinefoldVectorEnv",
)
