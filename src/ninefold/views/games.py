"""The rule books there are."""

from __future__ import annotations

from msgspec import Struct

from ninefold.notation.shapes import RulesShape
from ninefold.rulebooks import Rulebook


class RulebookRow(Struct, frozen=True):
    """One of the games."""

    key: str
    title: str
    summary: str
    """Its aim in one line."""
    rules: RulesShape
    settles: tuple[str, ...]
    """What the players settle: any of ``target``, ``first``, ``length``."""

    @classmethod
    def of(cls, book: Rulebook) -> RulebookRow:
        """Show a rule book with its own rules."""
        return cls(
            book.key,
            book.title,
            book.describe(),
            RulesShape.of(book.rules),
            book.settles,
        )
