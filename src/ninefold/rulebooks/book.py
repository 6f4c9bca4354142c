"""A rule book: its rules, its words, and what the players settle before they play."""

from __future__ import annotations

from msgspec import Struct

from ninefold.rulebooks.words import Words, facts_of, fill
from ninefold.rules import Rules
from ninefold.text import shorten


class Rulebook(Struct, frozen=True):
    """One of the games, as data."""

    key: str
    title: str
    summary: str
    """One line, as a template."""
    guide: str
    """The rules in words, as a template."""
    rules: Rules
    words: Words
    settles: tuple[str, ...]
    """What is left to the players: ``target``, ``first`` (who starts), ``length``."""
    take_back: bool = True
    """Whether a move that counts can be taken back."""

    @property
    def questions_losses(self) -> bool:
        """Whether a move that loses needlessly is questioned before it counts."""
        return self.words.confirm is not None

    def describe(self, rules: Rules | None = None) -> str:
        """Say in one line what the game is about."""
        return fill(self.summary, facts_of(self.title, rules or self.rules, shorten))

    def explain(self, rules: Rules | None = None) -> str:
        """Give the rules in words, for these rules or for the rule book's own."""
        return fill(self.guide, facts_of(self.title, rules or self.rules, shorten))

    def ask_target(self) -> str:
        """Ask the players for the target."""
        return fill(self.words.ask_target, facts_of(self.title, self.rules))
