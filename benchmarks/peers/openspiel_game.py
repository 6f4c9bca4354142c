"""The game written for OpenSpiel: first to the target wins, multipliers 2-9.

It follows the Python games that OpenSpiel ships and does as little as their interface
allows, so that what is measured is OpenSpiel and not this file. Every total is told
by its number alone: whoever meets it has the same choices, and OpenSpiel's solver
takes the text of a state for its identity.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pyspiel
from open_spiel.python import policy
from open_spiel.python.algorithms import exploitability as algorithm
from open_spiel.python.algorithms.minimax_solver import MinimaxSolver
from open_spiel.python.observation import IIGObserverForPublicInfoGame

MULTIPLIERS = list(range(2, 10))
WINS = 1.0

_NAME = "python_multiplication"
_TYPE = pyspiel.GameType(
    short_name=_NAME,
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
    provides_observation_string=False,
    provides_observation_tensor=False,
    parameter_specification={"target": hex(1000)},
)


class MultiplicationGame(pyspiel.Game):
    """The rules; an action is the multiplier itself."""

    def __init__(self, params: Mapping[str, str] | None = None) -> None:
        """Read the target, hexadecimal: OpenSpiel's own numbers end at 2^31."""
        chosen = dict(params or {})
        self.target = int(chosen.get("target", hex(1000)), 16)
        info = pyspiel.GameInfo(
            num_distinct_actions=MULTIPLIERS[-1] + 1,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-WINS,
            max_utility=WINS,
            utility_sum=0.0,
            max_game_length=self.target.bit_length(),
        )
        super().__init__(_TYPE, info, chosen)

    def new_initial_state(self, _state: object = None) -> MultiplicationState:
        """Return the start."""
        return MultiplicationState(self)

    def make_py_observer(
        self, wanted: object = None, params: Mapping[str, object] | None = None
    ) -> IIGObserverForPublicInfoGame:
        """Return what tells the moves so far, as for all games without secrets."""
        return IIGObserverForPublicInfoGame(wanted, params)


class MultiplicationState(pyspiel.State):
    """A total, and who meets it."""

    def __init__(self, game: MultiplicationGame) -> None:
        """Begin at 1."""
        super().__init__(game)
        self._target = game.target
        self._total = 1
        self._player = 0

    def current_player(self) -> int:
        """Return who is to move."""
        if self._total >= self._target:
            over: int = pyspiel.PlayerId.TERMINAL
            return over
        return self._player

    def _legal_actions(self, _player: int) -> list[int]:
        return MULTIPLIERS

    def _apply_action(self, action: int) -> None:
        self._total *= action
        self._player = 1 - self._player

    def _action_to_string(self, _player: int, action: int) -> str:
        return f"x{action}"

    def is_terminal(self) -> bool:
        """Whether the target has been reached."""
        return self._total >= self._target

    def returns(self) -> list[float]:
        """Return what each player has won; whoever would be next has lost."""
        if self._total < self._target:
            return [0.0, 0.0]
        return [-WINS, WINS] if self._player == 0 else [WINS, -WINS]

    def __str__(self) -> str:
        """Return the total, by which the solver knows a state again."""
        return str(self._total)


pyspiel.register_game(_TYPE, MultiplicationGame)


class OpenSpiel:
    """Plays games in OpenSpiel, move by move, and names the winner."""

    def __init__(self, target: int, *, checked: bool = True) -> None:
        """Load the game; unchecked, an illegal move would be played as it comes."""
        self._game = pyspiel.load_game(_NAME, {"target": hex(target)})
        self._checked = checked

    def play(self, moves: Iterable[int]) -> int:
        """Play until the game is over; return the winner, 1 or 2."""
        state = self._game.new_initial_state()
        apply = (
            state.apply_action_with_legality_check
            if self._checked
            else state.apply_action
        )
        coming = iter(moves)
        while not state.is_terminal():
            apply(next(coming))
        return 1 if state.returns()[0] == WINS else 2


def winning_moves(target: int) -> list[int]:
    """Return every winning opening, found by OpenSpiel's own MinimaxSolver."""
    solver = MinimaxSolver(f"{_NAME}(target={hex(target)})")
    solver.solve()
    values = solver.action_values_from_string("1")
    return [multiplier for multiplier in MULTIPLIERS if values[multiplier] == WINS]


def exploitability(target: int) -> float:
    """Return how exploitable random play is, by OpenSpiel's own algorithm."""
    game = pyspiel.load_game(_NAME, {"target": hex(target)})
    found: float = algorithm.exploitability(game, policy.UniformRandomPolicy(game))
    return found
