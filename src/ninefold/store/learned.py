"""What is kept of learning: answered facts, and puzzles with the time they are due."""

from __future__ import annotations

from datetime import timedelta

from ninefold.values import Value, hold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    Schedule = Callable[["Scheduled | None", "Try"], "Scheduled | None"]
    """From where a puzzle stood, and a try at it, to where it stands then."""

BOXES = (
    timedelta(minutes=10),  # until the solution is not just remembered
    timedelta(days=1),
    timedelta(days=3),
    timedelta(days=7),
    timedelta(days=21),
)
"""How long a puzzle rests in each box before it is due again."""


class Answer(Value):
    """A product that someone worked out: ``a`` times ``b`` makes ``answer``."""

    __slots__ = __match_args__ = ("id", "a", "b", "answer", "at")
    id: str
    a: int
    b: int
    answer: int
    at: datetime

    def __init__(self, id: str, a: int, b: int, answer: int, at: datetime) -> None:  # noqa: A002 - fields
        """Take an answer as it was given; whether it is right follows."""
        hold(self, "id", id)
        hold(self, "a", a)
        hold(self, "b", b)
        hold(self, "answer", answer)
        hold(self, "at", at)

    @property
    def right(self) -> bool:
        """Whether it is the product."""
        return self.a * self.b == self.answer


class Try(Value):
    """One try at a puzzle."""

    __slots__ = __match_args__ = ("id", "puzzle", "multiplier", "right", "at")
    id: str
    puzzle: str
    """The position, as one line of text."""
    multiplier: int
    right: bool
    at: datetime

    def __init__(
        self,
        id: str,  # noqa: A002 - it is called so everywhere
        puzzle: str,
        multiplier: int,
        right: bool,  # noqa: FBT001 - a field
        at: datetime,
    ) -> None:
        """Take what was chosen, and whether it solves the puzzle."""
        hold(self, "id", id)
        hold(self, "puzzle", puzzle)
        hold(self, "multiplier", multiplier)
        hold(self, "right", right)
        hold(self, "at", at)


class Scheduled(Value):
    """A puzzle that will come back: the box it lies in, and when it is due."""

    __slots__ = __match_args__ = ("puzzle", "box", "due_at")
    puzzle: str
    box: int
    due_at: datetime

    def __init__(self, puzzle: str, box: int, due_at: datetime) -> None:
        """Lay a puzzle into a box."""
        hold(self, "puzzle", puzzle)
        hold(self, "box", box)
        hold(self, "due_at", due_at)


def leitner(before: Scheduled | None, made: Try) -> Scheduled | None:
    """Move a puzzle between boxes, as Leitner's learning cards are.

    A miss lays it into the first box. Solved when due, it moves on to the next box,
    where it rests longer, and out of the last one for good. Solved sooner, it stays
    where it is; solved at the first sight, it never enters.
    """
    if not made.right:
        box = 0
    elif before is None or made.at < before.due_at:
        return before
    else:
        box = before.box + 1
    if box == len(BOXES):
        return None
    return Scheduled(made.puzzle, box, made.at + BOXES[box])
