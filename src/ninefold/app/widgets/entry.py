"""A field for multipliers that are no single keys."""

from __future__ import annotations

from textual.message import Message
from textual.widgets import Input, Static

from ninefold.app.widgets.fields import NumberField
from ninefold.app.widgets.marking import MarkedRow
from ninefold.game import Game
from ninefold.rulebooks.entries import read_entry
from ninefold.text import shorten, write_set


class MultiplierEntry(MarkedRow):
    """A multiplier is typed, and Enter plays it; before that it shows the product."""

    class Entered(Message):
        """Something was typed and Enter pressed."""

        def __init__(self, text: str) -> None:
            """Keep the text."""
            super().__init__()
            self.text = text

    class Pointed(Message):
        """A multiplier is typed, but not played; None if it is none."""

        def __init__(self, multiplier: int | None) -> None:
            """Keep it."""
            super().__init__()
            self.multiplier = multiplier

    def __init__(self) -> None:
        """Begin without a game."""
        super().__init__("×", NumberField(), Static("", classes="-note", markup=False))
        self._game: Game | None = None
        self._tells = True

    def show(self, game: Game, *, tells: bool, live: bool) -> None:
        """Take the game to be played; ``tells`` says whether products are told."""
        self._game, self._tells = game, tells
        self.disabled = not live
        if live:
            self.query_one(NumberField).focus()
        self._note()

    def type(self, digit: str) -> None:
        """Take a digit that was typed elsewhere, and the focus."""
        field = self.query_one(NumberField)
        field.focus()
        field.insert_text_at_cursor(digit)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Tell what the typed multiplier would make."""
        event.stop()
        self._note()
        self.post_message(self.Pointed(self._typed()))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Report the entry, and begin anew."""
        event.stop()
        self.query_one(NumberField).clear()
        self.post_message(self.Entered(event.value))

    def _typed(self) -> int | None:
        if self._game is None:
            return None
        typed = read_entry(self.query_one(NumberField).value, self._game.rules)
        return typed if isinstance(typed, int) else None

    def _note(self) -> None:
        typed, game = self._typed(), self._game
        if game is None:
            return
        told = f"one of {write_set(game.rules.multipliers)}"
        if typed is not None and self._tells:
            made = shorten(game.rules.after(game.total, typed))
            told = f"{shorten(game.total)} × {shorten(typed)} = {made}"
        self.query_one(".-note", Static).update(told)
