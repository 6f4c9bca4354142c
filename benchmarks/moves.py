"""Moves a second through ``Game``, beside the same game in OpenSpiel and PettingZoo.

Run it with ``python -m benchmarks.moves``. Each plays the same games, move by move,
through the interface it documents, and each refuses a move that is not legal. What
the other two manage with their checks left out stands beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Protocol

from benchmarks.peers.openspiel_game import OpenSpiel
from benchmarks.peers.pettingzoo_env import PettingZoo
from benchmarks.timing import at_least, print_promises, print_table, side_by_side, times
from ninefold import Ending, Game, Rules, Seat

TARGETS = {"1,000": 1000, "10^18": 10**18}
GAMES_TIMED = 100
GAMES_CHECKED = 1000
ROUNDS = 50
PROMISED = 5
PLAYER_1 = Seat.ONE
OPENSPIEL, PETTINGZOO = "OpenSpiel", "PettingZoo"


class Contender(Protocol):
    """Plays whole games."""

    def play(self, moves: Iterable[int]) -> int:
        """Play until the game is over; return the winner, 1 or 2."""


class Ninefold:
    """Plays games in ninefold, move by move, and names the winner."""

    def __init__(self, target: int) -> None:
        """Set the rules that the others have built in."""
        self._rules = Rules(Ending.REACH, target)

    def play(self, moves: Iterable[int]) -> int:
        """Play until the game is over; return the winner, 1 or 2."""
        game = Game.start(self._rules)
        coming = iter(moves)
        while game.outcome is None:
            game = game.play(next(coming))
        return 1 if game.outcome.winner is PLAYER_1 else 2


def contenders(target: int) -> dict[str, Contender]:
    """Set up all who play to this target, ninefold first."""
    return {
        "ninefold": Ninefold(target),
        OPENSPIEL: OpenSpiel(target),
        PETTINGZOO: PettingZoo(target),
        f"{OPENSPIEL}, unchecked": OpenSpiel(target, checked=False),
        f"{PETTINGZOO}, unchecked": PettingZoo(target, checked=False),
    }


def random_games(target: int, count: int, rng: Random) -> list[list[int]]:
    """Make whole games of random moves, by multiplying and nothing else."""
    games = []
    for _ in range(count):
        total, moves = 1, []
        while total < target:
            moves.append(rng.randint(2, 9))
            total *= moves[-1]
        games.append(moves)
    return games


def check_agreement(
    playing: dict[str, Contender], games: Sequence[Sequence[int]]
) -> None:
    """Refuse to time a contender that plays another game than the rest."""
    for moves in games:
        expected = 1 if len(moves) % 2 else 2  # whoever moved last reached the target
        for name, contender in playing.items():
            coming = iter(moves)
            winner, left = contender.play(coming), list(coming)
            if winner != expected or left:
                message = f"{name} disagrees on {moves}: winner {winner}, left {left}"
                raise SystemExit(message)


def work_of(contender: Contender, games: Sequence[Sequence[int]]) -> Callable[[], None]:
    """Return the work to be timed: every game, from its start to its end."""

    def work() -> None:
        for moves in games:
            contender.play(moves)

    return work


def main() -> None:
    """Check that all play the same game, time them, print what came of it."""
    rng = Random(9)
    print("Each refuses a move that is not legal, except where it says unchecked.")
    print()
    promises = []
    for shown, target in TARGETS.items():
        playing = contenders(target)
        check_agreement(playing, random_games(target, GAMES_CHECKED, rng))
        games = random_games(target, GAMES_TIMED, rng)
        moves = sum(map(len, games))
        best = side_by_side(
            {name: work_of(each, games) for name, each in playing.items()},
            rounds=ROUNDS,
        )
        ninefold = best["ninefold"]
        print(
            f"Move by move to {shown}: {GAMES_TIMED} random games, {moves} moves;"
            f" all agree on {GAMES_CHECKED} others"
        )
        print_table(
            ("played in", "moves a second", "ninefold is faster by"),
            [
                (name, f"{moves / seconds:,.0f}", times(seconds / ninefold))
                for name, seconds in best.items()
            ],
        )
        promises += [
            at_least(
                f"moves to {shown}, against {name}", best[name] / ninefold, PROMISED
            )
            for name in (OPENSPIEL, PETTINGZOO)
        ]
    print_promises(promises)


if __name__ == "__main__":
    main()
