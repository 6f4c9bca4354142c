"""What people learned: the products they answered, and the puzzles they tried."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from msgspec import Struct

Schedule = Callable[["Scheduled | None", "PuzzleTry"], "Scheduled | None"]
"""From where a puzzle stood, and a try at it, to where it stands then."""

BOXES = (
    timedelta(minutes=10),  # until the solution is not just remembered
    timedelta(days=1),
    timedelta(days=3),
    timedelta(days=7),
    timedelta(days=21),
)
"""How long a puzzle rests in each box before it is due again."""


class ProductAnswer(Struct, frozen=True):
    """A product that a learner worked out: ``a`` times ``b`` makes ``answer``."""

    id: str
    a: int
    b: int
    answer: int
    at: datetime
    learner: str
    seconds: float | None = None
    """How long it took, where that was measured."""
    hinted: bool = False
    """Whether a hint was used."""
    surface: str = ""
    """Where it was given: ``classic``, ``app``, ... Empty where nobody knows."""

    @property
    def right(self) -> bool:
        """Whether it is the product."""
        return self.a * self.b == self.answer


class PuzzleTry(Struct, frozen=True):
    """One try at a puzzle."""

    id: str
    puzzle: str
    """The position, as one line of text."""
    multiplier: int
    right: bool
    at: datetime
    learner: str
    seconds: float | None = None
    hinted: bool = False
    surface: str = ""


class Scheduled(Struct, frozen=True):
    """A puzzle that will come back: the box it lies in, and when it is due."""

    puzzle: str
    box: int
    due_at: datetime
    learner: str


def leitner(before: Scheduled | None, made: PuzzleTry) -> Scheduled | None:
    """Move a puzzle between boxes, as Leitner's learning cards are.

    A miss lays it into the first box. Solved when due, it moves on to the next box,
    where it rests longer, and out of the last one for good. Solved sooner, it stays
    where it is; solved at first sight, it never enters.
    """
    if not made.right:
        box = 0
    elif before is None or made.at < before.due_at:
        return before
    else:
        box = before.box + 1
    if box == len(BOXES):
        return None
    return Scheduled(made.puzzle, box, made.at + BOXES[box], made.learner)
