"""The game of OpenSpiel, ``python_ninefold``: importing this module registers it.

Its one parameter is the rules, written as in a record: ``in2-9`` are the multipliers 2
and 9. Action ``i`` plays the multiplier at index ``i``::

    pyspiel.load_game("python_ninefold(rules=avoid500.in2-3-5-7.from3)")
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from ninefold.errors import RecordError, RulesError
from ninefold.game import Game, Seat
from ninefold.notation import read_line
from ninefold.rl.arguments import multiplier_of
from ninefold.rl.extras import required_by
from ninefold.rl.observations import Digits
from ninefold.rules import Rules

with required_by(__name__, "openspiel"):
    import numpy as np
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame

NAME = "python_ninefold"
_USUAL = "reach1000"
_TYPE = pyspiel.GameType(
    short_name=NAME,
    long_name="Multiplication game",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"rules": _USUAL},
)


@lru_cache(maxsize=64)
def rules_of(text: str) -> Rules:
    """Return the rules that are written as in a record; raise ``RulesError``."""
    problem = "expected the end of the rules"
    try:
        game = read_line(f"nf1.-.{text}").game
        if game == Game.start(game.rules):
            return game.rules
    except RecordError as error:
        problem = error.problem
    example = "reach1000 or avoid500.in2-3-5-7.from3"
    message = f"write the rules as in a record, such as {example}; {problem}"
    raise RulesError(message)


class NinefoldGame(pyspiel.Game):
    """The rules of a game."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        rules = rules_of((params or {}).get("rules", _USUAL))
        info = pyspiel.GameInfo(
            num_distinct_actions=len(rules.multipliers),
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=rules.target.bit_length(),  # a move at least doubles
        )
        super().__init__(_TYPE, info, params or {})

    @property
    def rules(self) -> Rules:
        """The rules; a pickled game comes back with its parameters only."""
        return rules_of(self.get_parameters().get("rules", _USUAL))

    def new_initial_state(self) -> NinefoldState:
        return NinefoldState(self)

    def make_py_observer(
        self,
        kind: pyspiel.IIGObservationType | None = None,
        params: dict[str, Any] | None = None,
    ) -> DigitsObserver | IIGObserverForPublicInfoGame:
        if kind is None or (kind.public_info and not kind.perfect_recall):
            return DigitsObserver(self.rules)
        return IIGObserverForPublicInfoGame(kind, params)


class NinefoldState(pyspiel.State):
    """A game at some point."""

    def __init__(self, game: NinefoldGame) -> None:
        super().__init__(game)
        self.game = Game.start(game.rules)

    def current_player(self) -> int:
        is_over = self.game.outcome is not None
        return pyspiel.PlayerId.TERMINAL if is_over else self.game.to_move.value - 1

    def _legal_actions(self, player: int) -> list[int]:
        return list(range(len(self.game.legal_moves)))

    def _apply_action(self, action: int) -> None:
        self.game = self.game.play(multiplier_of(action, self.game.rules.multipliers))

    def _action_to_string(self, player: int, action: int) -> str:
        return f"x{multiplier_of(action, self.game.rules.multipliers)}"

    def is_terminal(self) -> bool:
        return self.game.outcome is not None

    def returns(self) -> list[float]:
        if self.game.outcome is None:
            return [0.0, 0.0]
        return [1.0, -1.0] if self.game.outcome.winner is Seat.ONE else [-1.0, 1.0]

    def __str__(self) -> str:
        """Return the total and whose turn it is: equal states have equal texts."""
        return f"{self.game.total}, player {self.game.to_move.value - 1}"


class DigitsObserver:
    """The total and the target in decimal digits, as numbers from 0 to 9."""

    def __init__(self, rules: Rules) -> None:
        self._digits = Digits((rules,))
        self.tensor = np.zeros(2 * self._digits.width, np.float32)
        self.dict = {"digits": self.tensor.reshape(2, -1)}

    def set_from(self, state: NinefoldState, player: int) -> None:
        """Write a state into the tensor."""
        self.dict["digits"][:] = self._digits.observe(
            state.game.rules, state.game.total
        )

    def string_from(self, state: NinefoldState, player: int) -> str:
        """Return a state as text."""
        return str(state)


pyspiel.register_game(_TYPE, NinefoldGame)
