"""A rule book: its rules, its words, and what the players settle before they play."""

from __future__ import annotations

from ninefold.numerals import shorten
from ninefold.rulebooks.script import Narrator, facts_of, fill
from ninefold.values import Value, hold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from ninefold.game import Seat
    from ninefold.rulebooks.script import Script
    from ninefold.rules import Rules


class Rulebook(Value):
    """One of the games, as data."""

    __slots__ = __match_args__ = (
        "key",
        "title",
        "summary",
        "guide",
        "rules",
        "script",
        "settles",
    )
    key: str
    title: str
    summary: str
    """One line, as a template."""
    guide: str
    """The rules in words, as a template."""
    rules: Rules
    script: Script
    settles: tuple[str, ...]
    """What is left to the players: ``target``, ``first`` (who starts), ``length``."""

    def __init__(  # noqa: PLR0913, PLR0917 - a rule book has these parts
        self,
        key: str,
        title: str,
        summary: str,
        guide: str,
        rules: Rules,
        script: Script,
        settles: tuple[str, ...],
    ) -> None:
        """Take parts that fit together; ``read_rulebook`` checks that they do."""
        hold(self, "key", key)
        hold(self, "title", title)
        hold(self, "summary", summary)
        hold(self, "guide", guide)
        hold(self, "rules", rules)
        hold(self, "script", script)
        hold(self, "settles", settles)

    def describe(self, rules: Rules | None = None) -> str:
        """Say in one line what the game is about."""
        return fill(self.summary, facts_of(self.title, rules or self.rules, shorten))

    def explain(self, rules: Rules | None = None) -> str:
        """Give the rules in words, for these rules or for the rule book's own."""
        return fill(self.guide, facts_of(self.title, rules or self.rules, shorten))

    def ask_target(self) -> str:
        """Ask the players for the target."""
        facts = facts_of(self.title, self.rules)
        return self.script.say("ask_target", facts)

    def narrator(self, rules: Rules, names: Mapping[Seat, str]) -> Narrator:
        """Return the teller of games by these rules between these players."""
        return Narrator(self, rules, names)
