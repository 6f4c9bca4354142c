"""The positions that learners are trained and judged on, the same for everyone.

They are drawn with ``random.Random(str).random()`` alone, which no release of Python
changes. A split never changes once it is released; another one gets another name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from random import Random

from msgspec import Struct

from ninefold.errors import SetupError
from ninefold.rl.arguments import check_choice
from ninefold.rules import CLASSIC_MULTIPLIERS, Ending, Rules
from ninefold.theory import Oracle

SETS = (CLASSIC_MULTIPLIERS, (2, 5, 7, 9))
"""One whose lost positions repeat with factor 18, one that repeats far beyond test."""
TRAIN = "train"
SPLITS = {TRAIN: (3, 4), "dev": (3, 4), "test": (6, 9, 18, 50, 100)}
"""How many digits the targets of each split have."""
GAMES = 20
"""How many games, with a target each, a fixed split has of each set and size."""
POSITIONS = 50
"""How many positions are drawn of each game."""

Kind = tuple[tuple[int, ...], int]
"""The multipliers of a game and the number of digits of its target."""


class Sample(Struct, frozen=True):
    """Positions of one game at which some moves win and others lose."""

    rules: Rules
    totals: tuple[int, ...]
    winning_moves: tuple[tuple[int, ...], ...]
    """For each total, the multipliers that win."""


def kinds_of(split: str) -> list[Kind]:
    """Return the kinds of game in a split, in the order of its samples."""
    check_choice("split", split, tuple(SPLITS))
    return [(multipliers, digits) for multipliers in SETS for digits in SPLITS[split]]


def samples(split: str = TRAIN, seed: int = 0) -> Iterator[Sample]:
    """Return the samples of a split, with each kind of game in turn.

    ``train`` is endless and differs for each seed; ``dev`` and ``test`` are fixed.

    >>> sample = next(samples("dev"))
    >>> sample.rules.target, sample.totals[:3], sample.winning_moves[:3]
    (798, (1, 1, 126), ((3, 4), (3, 4), (7, 8, 9)))
    """
    kinds = kinds_of(split)
    if split == TRAIN:
        return _samples(f"{split} {seed}", kinds, count())
    if seed:
        message = f"{split} is the same for everyone; only {TRAIN} takes a seed"
        raise SetupError(message)
    return _samples(split, kinds, range(GAMES))


def _samples(
    name: str, kinds: Sequence[Kind], games: Iterable[int]
) -> Iterator[Sample]:
    for game in games:
        for multipliers, digits in kinds:
            listed = ",".join(map(str, multipliers))
            rng = Random(f"{name} {listed} {digits} {game}")
            yield _sample(rng, multipliers, digits)


def _sample(rng: Random, multipliers: tuple[int, ...], digits: int) -> Sample:
    first = 1 + int(9 * rng.random())
    others = [int(10 * rng.random()) for _ in range(digits - 1)]
    target = int("".join(map(str, [first, *others])))
    oracle = Oracle(Rules(Ending.REACH, target, multipliers))
    drawn: list[tuple[int, tuple[int, ...]]] = []
    while len(drawn) < POSITIONS:
        total = _position(rng, oracle.rules)
        oracle.accept(total)
        winning = oracle.winning_moves(total)
        if 0 < len(winning) < len(multipliers):
            drawn.append((total, winning))
    totals, winning_moves = zip(*drawn, strict=True)
    return Sample(oracle.rules, totals, winning_moves)


def _position(rng: Random, rules: Rules) -> int:
    """Draw one of the positions of a random game."""
    seen, total = [], rules.start
    while rules.verdict(total) is None:
        seen.append(total)
        choice = int(len(rules.multipliers) * rng.random())
        total = rules.after(total, rules.multipliers[choice])
    return seen[int(len(seen) * rng.random())]
