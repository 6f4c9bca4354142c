"""A reader who takes an explanation at its words, to measure how far it carries over.

The reader knows the rules and multiplies correctly, takes a win at once and avoids a
loss at once. Otherwise the reader does exactly what one explanation says: leave a
total from which, in its words, every move loses. Asked at a position that is not the
one explained, a good explanation still leads to a winning move. That shows that the
sentences contain enough; it does not show that a child learns from them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from statistics import mean
from typing import NamedTuple

from ninefold import Rules
from tests.theory.brute import Found, mover_has_won, play_out, reachable

_EVERY_MOVE_LOSES = re.compile(r"(?:^|(?<=\. ))([^.]*) every move loses\.")
_PLACE = re.compile(r"(?:from (\d+) to (\d+)|at (\d+))(?:, | and |$)", re.IGNORECASE)


def ungrouped(text: str) -> str:
    """Drop the commas between groups of three digits."""
    return re.sub(r"(?<=\d),(?=\d{3})", "", text)


def lost_bands(text: str) -> list[range]:
    """Return the totals of which a text says that every move loses, as it says them."""
    bands: list[range] = []
    for sentence in _EVERY_MOVE_LOSES.finditer(ungrouped(text)):
        places = sentence[1]
        said = 0
        for place in _PLACE.finditer(places):
            lowest, highest, only = place.groups()
            ends = (lowest, highest) if lowest else (only, only)
            bands.append(range(int(ends[0]), int(ends[1]) + 1))
            said += len(place[0])
        assert said == len(places), text
    return bands


class Undecided(NamedTuple):
    """A position that is won, but where the rules alone do not settle the choice."""

    moves: tuple[int, ...]
    """The moves that do not lose at once."""
    winning: tuple[int, ...]


class Board:
    """Every position of one game, played out from the words of the rule books."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        totals = reachable(rules.target, rules.multipliers, rules.start)
        self.found: dict[int, Found] = play_out(
            rules.ending.value, rules.target, rules.multipliers, totals
        )
        self.undecided = dict(self._undecided())

    def won(self, total: int) -> bool | None:
        """Say whether the player who made a total has won; None if play goes on."""
        return mover_has_won(self.rules.ending.value, self.rules.target, total)

    def moves(self, total: int) -> tuple[int, ...]:
        """Return the moves that the rules alone leave: a win at once, else no loss."""
        ms = self.rules.multipliers
        return (
            tuple(m for m in ms if self.won(total * m))
            or tuple(m for m in ms if self.won(total * m) is None)
            or ms
        )

    def _undecided(self) -> Iterator[tuple[int, Undecided]]:
        for total, found in self.found.items():
            moves = self.moves(total)
            if found.moves and not set(moves) <= set(found.moves):
                yield total, Undecided(moves, found.moves)


class Reader:
    """Leaves a total of the bands that were read, where one of the moves does."""

    name = "literal"

    def __init__(self, bands: Sequence[range], seed: int = 0) -> None:
        self.bands = self.hold(bands)
        self.rng = Random(seed)

    def hold(self, bands: Sequence[range]) -> Sequence[range]:
        """Return the part of the bands that is kept in mind."""
        return bands

    def product(self, total: int, multiplier: int) -> int:
        """Multiply, as well as the reader can."""
        return total * multiplier

    def told(self, total: int, moves: Sequence[int]) -> list[int]:
        """Return the moves that the bands recommend."""
        return [
            m
            for m in moves
            if any(self.product(total, m) in band for band in self.bands)
        ]

    def choices(self, total: int, moves: Sequence[int]) -> Sequence[int]:
        """Return the moves between which the reader sees no difference."""
        return self.told(total, moves) or moves


class HoldsTheFirst(Reader):
    """Remembers two numbers: the ends of the first band."""

    name = "first two numbers"

    def hold(self, bands: Sequence[range]) -> Sequence[range]:
        return bands[:1]


class HoldsTheLast(Reader):
    """Remembers two numbers: the ends of the last band."""

    name = "last two numbers"

    def hold(self, bands: Sequence[range]) -> Sequence[range]:
        return bands[-1:]


class TakesOneTooMany(Reader):
    """Takes the neighbours of a band for part of it."""

    name = "edges + 1"

    def hold(self, bands: Sequence[range]) -> Sequence[range]:
        return [range(band.start - 1, band.stop + 1) for band in bands]


class LeavesOutTheEnds(Reader):
    """Takes "from 4 to 6" for the numbers between them."""

    name = "edges - 1"

    def hold(self, bands: Sequence[range]) -> Sequence[range]:
        return [range(band.start + 1, band.stop - 1) for band in bands]


class Miscounts(Reader):
    """Takes the neighbour in the table for one product in ten."""

    name = "10 % wrong products"
    often = 0.1

    def product(self, total: int, multiplier: int) -> int:
        if self.rng.random() < self.often:
            return total * (multiplier + self.rng.choice((-1, 1)))
        return total * multiplier


READERS: tuple[type[Reader], ...] = (
    Reader,
    HoldsTheFirst,
    HoldsTheLast,
    Miscounts,
    TakesOneTooMany,
    LeavesOutTheEnds,
)


def shares(board: Board, reader: Reader) -> dict[int, float]:
    """Return the share of winning moves among a reader's, at each undecided total."""
    found: dict[int, float] = {}
    for total, (moves, winning) in board.undecided.items():
        choices = reader.choices(total, moves)
        found[total] = sum(m in winning for m in choices) / len(choices)
    return found


def generality(
    board: Board, kind: type[Reader], texts: Mapping[int, Sequence[range]]
) -> float | None:
    """Return the share of winning moves at other undecided positions than one's own.

    The bands are those that were read at each position. It is None where nobody can
    be asked, for there are too few undecided positions.
    """
    means: list[float] = []
    known: dict[str, dict[int, float]] = {}
    for at, bands in texts.items():
        # A reader who never errs does the same wherever the same was read.
        key = f"{bands}{at}" if kind is Miscounts else f"{bands}"
        if key not in known:
            known[key] = shares(board, kind(bands, seed=at))
        others = [share for total, share in known[key].items() if total != at]
        means += [mean(others)] if others else []
    return mean(means) if means else None


def is_right_where_it_speaks(board: Board, reader: Reader) -> bool:
    """Whether every move that the bands recommend wins (precision)."""
    return all(
        m in found.moves
        for total, found in board.found.items()
        if not any(board.won(total * m) for m in board.rules.multipliers)
        for m in reader.told(total, board.moves(total))
    )


def playing_out(board: Board, reader: Reader) -> float:
    """Return how often a reader wins the game that can be won, against best defence.

    The reader begins if that wins, and else plays second.
    """
    known: dict[int, float] = {}

    def to_move(total: int) -> float:
        if total not in known:
            choices = reader.choices(total, board.moves(total))
            known[total] = sum(made(total * m) for m in choices) / len(choices)
        return known[total]

    def made(total: int) -> float:
        won = board.won(total)
        return answered(total) if won is None else float(won)

    def answered(total: int) -> float:
        ends = ((after, board.won(after)) for after in _after(board, total))
        return min(
            to_move(after) if won is None else float(not won) for after, won in ends
        )

    start = board.rules.start
    return to_move(start) if board.found[start].moves else answered(start)


def _after(board: Board, total: int) -> list[int]:
    return [total * m for m in board.rules.multipliers]
