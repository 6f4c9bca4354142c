"""Games against the computer, summed up; how well multiplication facts are known."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct

from ninefold.coach import OnlyMoves
from ninefold.errors import TooLarge
from ninefold.game import Seat
from ninefold.learning import Product, Standing, mastery
from ninefold.players import HUMAN
from ninefold.rules import Rules
from ninefold.store import Answer, GameRow
from ninefold.theory import Oracle, oracle_for


class ShareView(Struct, frozen=True):
    """How many games were played, and how many of them won."""

    played: int
    won: int


class ProgressView(Struct, frozen=True):
    """How it has gone against the computer."""

    played: int
    won: int
    by: dict[str, dict[str, ShareView]]
    """The same by ``game``, by ``opponent`` and by ``turn``: who moved first."""
    only_moves: OnlyMoves
    over_time: tuple[int, ...]
    """1 for each win and 0 for each loss, oldest first."""

    @classmethod
    def of(
        cls,
        games: Iterable[GameRow],
        judge: Callable[[Rules], Oracle] = oracle_for,
    ) -> ProgressView:
        """Sum up the finished games of one person against a level, oldest first.

        Another try at a game that was played before is not counted. One oracle judges
        all games by the same rules.
        """
        results: list[bool] = []
        by: dict[str, dict[str, list[bool]]] = {}
        only_moves = _OnlyMoveCount(judge)
        for row in games:
            if row.is_retry:
                continue
            seat = Seat.ONE if row.levels[0] is None else Seat.TWO
            won = row.winner is seat
            results.append(won)
            for kind, name in _groups(row, seat).items():
                by.setdefault(kind, {}).setdefault(name, []).append(won)
            only_moves.count(row, seat)
        return cls(
            played=len(results),
            won=sum(results),
            by={
                kind: {
                    name: ShareView(len(each), sum(each))
                    for name, each in names.items()
                }
                for kind, names in by.items()
            },
            only_moves=OnlyMoves(only_moves.found, only_moves.faced),
            over_time=tuple(map(int, results)),
        )


def _groups(row: GameRow, seat: Seat) -> dict[str, str]:
    return {
        "game": row.book,
        "opponent": row.levels[seat.other.value - 1] or HUMAN,
        "turn": "moved first" if row.first is seat else "moved second",
    }


class _OnlyMoveCount:
    """How often exactly one of several moves won, and how often it was found.

    All games by the same rules share the answers about their positions.
    """

    def __init__(self, judge: Callable[[Rules], Oracle]) -> None:
        self.found = self.faced = 0
        self._judge = judge
        self._winning: dict[Rules, dict[int, tuple[int, ...]]] = {}

    def count(self, row: GameRow, seat: Seat) -> None:
        """Count the moves of a seat; nothing where the rules are too large."""
        rules = row.rules
        if len(rules.multipliers) == 1:
            return
        winning = self._winning.setdefault(rules, {})
        found = faced = 0
        total, mover = rules.start, row.first
        try:
            for multiplier in row.moves:
                if mover is seat:
                    if total not in winning:
                        winning[total] = self._judge(rules).winning_moves(total)
                    if len(winning[total]) == 1:
                        faced += 1
                        found += multiplier in winning[total]
                total *= multiplier
                mover = mover.other
        except TooLarge:
            return
        self.found += found
        self.faced += faced


class FactRow(Struct, frozen=True):
    """How well one multiplication fact is known."""

    fact: str
    """The product, as in ``7x8``."""
    standing: Standing
    right: int
    asked: int


def facts_of(answers: Iterable[Answer]) -> list[FactRow]:
    """Show how well each of the 36 facts is known, from answers, oldest first."""
    known = mastery(
        Product(each.a, each.b, each.answer, each.hinted) for each in answers
    )
    return [
        FactRow(f"{fact.low}x{fact.high}", each.standing, each.right, each.asked)
        for fact, each in known.items()
    ]
