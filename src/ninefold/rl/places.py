"""The positions and ends of games, numbered for tables in NumPy."""

from __future__ import annotations

from collections.abc import Sequence

from ninefold.errors import MoveError, TooLarge
from ninefold.matchups import MOST_POSITIONS
from ninefold.rl.extras import required_by
from ninefold.rules import Rules
from ninefold.theory import all_positions

with required_by(__name__):
    import numpy as np

_MOST_MOVES = 1_000_000
_KINDS = {"booleans": "b", "integers": "iu"}


class Places:
    """A number for each position and each end of one or several games.

    Positions come first, game by game, ascending. Then come the ends: first those at
    which the last mover has lost, then those at which it has won. Too many positions
    raise ``TooLarge``, with what to do ``instead``.
    """

    def __init__(self, games: Sequence[Rules], instead: str = "") -> None:
        self.numbers = _number_positions(games, instead)
        """For each game, the place of each position."""
        totals = [total for own in self.numbers for total in own]
        owners = [game for game, own in enumerate(self.numbers) for _ in own]
        self.positions = len(totals)
        """The number of positions, and the place of the first end."""
        self.starts = np.array([own[games[0].start] for own in self.numbers])
        """The place where each game starts."""
        won: list[bool] = []
        rows = []
        for game, (rules, own) in enumerate(zip(games, self.numbers, strict=True)):
            reached = own.copy()
            for total in own:
                row = [rules.after(total, each) for each in rules.multipliers]
                for after in row:
                    if after not in reached:
                        reached[after] = len(totals)
                        totals.append(after)
                        owners.append(game)
                        verdict = rules.verdict(after)
                        won.append(verdict is not None and verdict.mover_wins)
                rows.append([reached[after] for after in row])
        order = [
            *range(self.positions),
            *(self.positions + np.argsort(won, kind="stable")),
        ]
        self.totals = tuple([totals[place] for place in order])
        """The total of each place."""
        self.rules = tuple([games[owners[place]] for place in order])
        """The rules of the game of each place."""
        self.first_won = len(totals) - sum(won)
        """The first end at which the last mover has won."""
        self.after = np.argsort(order).take(rows)
        """The place after each action, at each position."""


def _number_positions(games: Sequence[Rules], instead: str) -> list[dict[int, int]]:
    most = min(MOST_POSITIONS, _MOST_MOVES // len(games[0].multipliers))
    numbers: list[dict[int, int]] = []
    taken = 0
    for rules in games:
        found = all_positions(rules, most - taken)
        if found is None:
            message = (
                f"a table holds at most {most:,} positions; choose smaller or fewer"
                f" targets or multipliers{instead}"
            )
            raise TooLarge(message)
        numbers.append({total: taken + n for n, total in enumerate(found)})
        taken += len(found)
    return numbers


def check_actions(actions: object, size: int, choices: int) -> np.ndarray:
    """Return the actions of ``size`` games as an array; raise ``MoveError``."""
    given = check_array("actions", actions, size, "integers")
    # As unsigned numbers, those below 0 are large, too.
    unsigned = given.view(given.dtype.str.replace("i", "u"))
    if unsigned.max() >= choices:
        game = int(np.argmax(unsigned >= choices))
        message = (
            f"an action is a whole number from 0 to {choices - 1}; not"
            f" {given[game]}, the action in game {game}"
        )
        raise MoveError(message)
    return given.astype(np.intp, copy=False)


def check_array(name: str, values: object, size: int, kind: str) -> np.ndarray:
    """Return an array with a value for each game; raise ``MoveError`` for another."""
    try:
        given = np.asarray(values)
    except ValueError:  # the parts differ in length
        given = np.empty(0, object)
    if given.shape != (size,) or given.dtype.kind not in _KINDS[kind]:
        message = (
            f"{name} must be an array of {size:,} {kind}, one for each game; not one of"
            f" shape {given.shape} and type {given.dtype}"
        )
        raise MoveError(message)
    return given
