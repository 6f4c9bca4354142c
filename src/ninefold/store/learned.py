"""What is kept of learning: answered facts, and puzzles with the time they are due."""

from __future__ import annotations

from datetime import timedelta

from ninefold.values import Value, hold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    Schedule = Callable[["Puzzle | None", "Attempt"], "Puzzle | None"]
    """From where a puzzle stood, and an attempt on it, to where it stands then."""

RECENT = 5
"""How many of the latest results a fact's summary shows."""
BOX_DAYS = (0, 1, 3, 7, 21)
"""How many days a puzzle rests in each box before it is due again."""


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


class Fact(Value):
    """How well one product is known, from every answer to it."""

    __slots__ = __match_args__ = ("a", "b", "right", "wrong", "recent")
    a: int
    b: int
    right: int
    wrong: int
    recent: tuple[bool, ...]
    """The latest results, the newest last."""

    def __init__(
        self, a: int, b: int, right: int, wrong: int, recent: tuple[bool, ...]
    ) -> None:
        """Take the counts, and the latest results."""
        hold(self, "a", a)
        hold(self, "b", b)
        hold(self, "right", right)
        hold(self, "wrong", wrong)
        hold(self, "recent", recent)


def summarise(answers: Iterable[Answer]) -> list[Fact]:
    """Sum answers up, oldest first, by what was multiplied by what.

    >>> from datetime import UTC, datetime
    >>> now = datetime(2026, 1, 1, tzinfo=UTC)
    >>> summarise([Answer("1", 7, 8, 54, now), Answer("2", 7, 8, 56, now)])
    [Fact(a=7, b=8, right=1, wrong=1, recent=(False, True))]
    """
    results: dict[tuple[int, int], list[bool]] = {}
    for answer in answers:
        results.setdefault((answer.a, answer.b), []).append(answer.right)
    return [
        Fact(a, b, found.count(True), found.count(False), tuple(found[-RECENT:]))
        for (a, b), found in sorted(results.items())
    ]


class Attempt(Value):
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


class Puzzle(Value):
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


def leitner(before: Puzzle | None, attempt: Attempt) -> Puzzle | None:
    """Move a puzzle between boxes, as Leitner's learning cards are.

    A miss lays it into the first box. Solved when due, it moves on to the next box,
    where it rests longer, and out of the last one for good. Solved sooner, it stays
    where it is; solved at the first sight, it never enters.
    """
    if not attempt.right:
        box = 0
    elif before is None or attempt.at < before.due_at:
        return before
    else:
        box = before.box + 1
    if box == len(BOX_DAYS):
        return None
    rest = timedelta(days=BOX_DAYS[box])
    return Puzzle(attempt.puzzle, box, attempt.at + rest)
