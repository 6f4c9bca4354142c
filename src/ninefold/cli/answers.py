"""The perfect answer at a position, for ``solve`` and ``why``: in words and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ninefold.cli.jsons import band_as_json, numbers_as_json, rules_as_json, say_json
from ninefold.cli.layout import say_wrapped
from ninefold.errors import TooLarge
from ninefold.numerals import shorten, to_json, write_set
from ninefold.theory import Chances, Ended, Lost, Oracle, Won, explain

if TYPE_CHECKING:
    from ninefold.cli.console import Console
    from ninefold.game import Game
    from ninefold.rulebooks import Rulebook
    from ninefold.theory import Odds, Position


class Answer:
    """All that is known of a position."""

    def __init__(self, book: Rulebook, position: Game | Position) -> None:
        """Ask the oracle everything once."""
        self._book = book
        self._oracle = Oracle(position.rules)
        self.rules = position.rules
        self.total = position.total
        self.reason = explain(position, self._oracle)

    def say(self, console: Console, *, full: bool) -> None:
        """Say who wins, how, how soon, and why."""
        say_wrapped(console, f"{self._book.title}: {self._book.describe(self.rules)}")
        match self.reason:
            case Won() | Lost() as reason:
                self._say_facts(console, reason)
                console.say("\n")
        self._say_why(console, full=full)

    def _say_facts(self, console: Console, reason: Won | Lost) -> None:
        at = f"At {shorten(self.total)}, with {write_set(self.rules.multipliers)}:"
        if isinstance(reason, Won):
            say_wrapped(console, f"{at} the player to move wins.")
            moves = ", ".join(map(shorten, reason.moves))
            say_wrapped(console, f"Winning moves: {moves}")
        else:
            say_wrapped(console, f"{at} the player to move loses against best play.")
            say_wrapped(console, "Winning moves: none")
        distance = "too far to count" if reason.distance is None else reason.distance
        say_wrapped(console, f"Moves to the end with best play: {distance}")
        if odds := self._odds():
            chance = f"{float(odds.both_random):.1%}"
            say_wrapped(console, f"Chance to win if both play at random: {chance}")

    def _say_why(self, console: Console, *, full: bool) -> None:
        if not full:
            say_wrapped(console, console.fit(self.reason.short))
            return
        for sentence in self.reason.chain(self._oracle):
            say_wrapped(console, console.fit(f"- {sentence}"), indent="  ")

    def say_as_json(self, console: Console, *, full: bool) -> None:
        """Say the same, and more, as JSON."""
        content: dict[str, object] = {
            "game": self._book.key,
            "rules": rules_as_json(self.rules),
            "total": to_json(self.total),
        }
        match self.reason:
            case Ended(outcome=outcome):
                winner, reason = outcome.winner.value, outcome.reason.value
                content |= {"outcome": {"winner": winner, "reason": reason}}
            case reason:
                content |= {"outcome": None} | self._facts_as_json(reason)
        content["why"] = self.reason.short
        if full:
            content["chain"] = list(self.reason.chain(self._oracle))
        say_json(console, content)

    def _facts_as_json(self, reason: Won | Lost) -> dict[str, object]:
        band = self._oracle.band_at(self.total)
        odds = self._odds()
        return {
            "wins": isinstance(reason, Won),
            "winning_moves": numbers_as_json(reason.moves),
            "best_move": to_json(reason.move),
            "distance": reason.distance,
            "grundy": self._grundy(),
            "lost_band": None if band is None else band_as_json(band),
            "odds": None
            if odds is None
            else {name: str(getattr(odds, name)) for name in odds.__match_args__},
        }

    def _odds(self) -> Odds | None:
        try:
            return Chances(self._oracle).at(self.total)
        except TooLarge:
            return None

    def _grundy(self) -> int | None:
        try:
            return self._oracle.grundy(self.total)
        except TooLarge:
            return None
