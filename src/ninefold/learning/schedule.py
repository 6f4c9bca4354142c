"""When a puzzle that was missed comes back."""

from __future__ import annotations

from datetime import datetime, timedelta

from msgspec import Struct

BOXES = (
    timedelta(minutes=10),  # until the solution is not just remembered
    timedelta(days=1),
    timedelta(days=3),
    timedelta(days=7),
    timedelta(days=21),
)
"""How long a puzzle rests in each box before it is due again."""


class Scheduled(Struct, frozen=True):
    """A puzzle that will come back: the box it lies in, and when it is due."""

    puzzle: str
    box: int
    due_at: datetime
    learner: str


def leitner(
    before: Scheduled | None, puzzle: str, learner: str, *, right: bool, at: datetime
) -> Scheduled | None:
    """Move a puzzle between boxes after an attempt, as Leitner's learning cards are.

    A miss lays it into the first box. Solved when due, it moves on to the next box,
    where it rests longer, and out of the last one for good. Solved sooner, it stays
    where it is; solved at first sight, it never enters.
    """
    if not right:
        box = 0
    elif before is None or at < before.due_at:
        return before
    else:
        box = before.box + 1
    if box == len(BOXES):
        return None
    return Scheduled(puzzle, box, at + BOXES[box], learner)
