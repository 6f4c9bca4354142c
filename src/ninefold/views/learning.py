"""Multiplication facts, and puzzles."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import UNSET, Struct, UnsetType

from ninefold.learning import Product, Puzzle, Standing, mastery
from ninefold.notation.shapes import Number, RulesShape, json_number
from ninefold.store import ProductAnswer


class FactRow(Struct, frozen=True):
    """How well one multiplication fact is known."""

    fact: str
    """The product, as in ``7x8``."""
    standing: Standing
    right: int
    asked: int


def facts_of(answers: Iterable[ProductAnswer]) -> list[FactRow]:
    """Show how well each of the 36 facts is known, from answers, oldest first."""
    known = mastery(
        Product(each.a, each.b, each.answer, each.hinted) for each in answers
    )
    return [
        FactRow(f"{fact.low}x{fact.high}", each.standing, each.right, each.asked)
        for fact, each in known.items()
    ]


class PuzzleSolution(Struct, frozen=True):
    """The only multiplier that wins, and why it does."""

    multiplier: Number
    why: str


class PuzzleView(Struct, frozen=True):
    """A position at which exactly one multiplier wins."""

    key: str
    """The position as one line."""
    game: str
    """The rule book's key; empty where there is none."""
    rules: RulesShape
    total: Number
    level: int
    """How many moves ahead one must see."""
    question: str
    missed_before: bool
    """Whether it was missed before and is due again."""
    solution: PuzzleSolution | UnsetType = UNSET
    """There only if it was asked for."""

    @classmethod
    def of(cls, puzzle: Puzzle, *, missed_before: bool, solved: bool) -> PuzzleView:
        """Show a puzzle, with its solution if it is asked for."""
        answer = PuzzleSolution(json_number(puzzle.answer), puzzle.why.short)
        return cls(
            key=puzzle.key,
            game=puzzle.book,
            rules=RulesShape.of(puzzle.game.rules),
            total=json_number(puzzle.game.total),
            level=puzzle.level,
            question=puzzle.question,
            missed_before=missed_before,
            solution=answer if solved else UNSET,
        )
