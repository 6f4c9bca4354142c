"""The multipliers as keys, and a field for multipliers of several digits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widgets import Input, Static

from ninefold.app.widgets.form_fields import MarkedRow, NumberField, centred
from ninefold.game import Game
from ninefold.rulebooks.move_parser import read_entry
from ninefold.text import format_product, format_set

DIGITS = range(2, 10)
_WIDEST = 7


def are_digits(multipliers: Sequence[int]) -> bool:
    """Whether each multiplier is a single digit key."""
    return all(multiplier in DIGITS for multiplier in multipliers)


@dataclass
class MultiplierEntered(Message):
    """Sent when a key is pressed, or a typed entry is submitted."""

    text: str


@dataclass
class MultiplierPointed(Message):
    """Sent when a multiplier is hovered, focused or typed; None when that ends."""

    multiplier: int | None


class MultiplierKey(Static, can_focus=True):
    """One key: its number, and below it the product."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space", "press", "play", show=False),
    ]

    result = reactive(Content(""))
    """The product of the move, or that it ends the game."""

    def __init__(self, multiplier: int) -> None:
        super().__init__()
        self.multiplier = multiplier

    def render(self) -> Content:
        """Render the number with its mark, and the result below it."""
        number = Content.styled(str(self.multiplier), "bold")
        return Content("\n").join(
            [centred(number, focused=self.has_focus), self.result]
        )

    def action_press(self) -> None:
        self.post_message(MultiplierEntered(str(self.multiplier)))

    on_click = action_press

    def on_focus(self) -> None:
        self.post_message(MultiplierPointed(self.multiplier))

    def on_blur(self) -> None:
        self.post_message(MultiplierPointed(None))

    on_enter, on_leave = on_focus, on_blur


class MultiplierKeys(Horizontal):
    """A row of keys from 2 to 9; those of the game are shown."""

    def __init__(self) -> None:
        self._keys = [MultiplierKey(digit) for digit in DIGITS]
        super().__init__(*self._keys)

    def show(self, game: Game, *, products: bool, endings: bool, live: bool) -> None:
        """Show the keys of a game; they can be pressed only if ``live``.

        ``products`` shows the result of each move, ``endings`` that it ends the game.
        """
        self.disabled = not live
        moves = game.legal_moves
        for key in self._keys:
            is_legal = key.multiplier in moves
            key.display = is_legal or not moves
            key.result = Content("")
            if is_legal and products:
                key.result = _result(game, key.multiplier, endings=endings)


def _result(game: Game, multiplier: int, *, endings: bool) -> Content:
    rules, total = game.rules, game.total
    if endings and rules.wins_at_once(total, multiplier):
        return Content.styled("wins", "bold $first")
    if endings and rules.loses_at_once(total, multiplier):
        return Content.styled("loses", "bold $second")
    made = rules.after(total, multiplier)
    product = f"{made:,}"
    short = product if len(product) <= _WIDEST else f"{len(str(made))} dig."
    return Content.styled(short, "$soft")


class MultiplierEntry(MarkedRow):
    """A field for a multiplier, with its product beside it; Enter plays."""

    def __init__(self) -> None:
        self._field = NumberField()
        self._note = Static("", classes="-note", markup=False)
        super().__init__("×", self._field, self._note)
        self._game: Game | None = None
        self._products = True

    def show(self, game: Game, *, products: bool, live: bool) -> None:
        """Set the game; ``products`` shows the result of the typed multiplier."""
        self._game, self._products = game, products
        self.disabled = not live
        if live:
            self._field.focus()
        self._show_note()

    def type(self, digit: str) -> None:
        """Insert a digit that was typed outside the field, and focus the field."""
        self._field.focus()
        self._field.take_typed(digit)

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._show_note()
        self.post_message(MultiplierPointed(self._typed()))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if self._typed() is None:
            self._field.refuse()
        else:
            self._field.clear()
        self.post_message(MultiplierEntered(event.value))

    def _typed(self) -> int | None:
        if self._game is None:
            return None
        typed = read_entry(self._field.value, self._game.rules)
        return typed if isinstance(typed, int) else None

    def _show_note(self) -> None:
        typed, game = self._typed(), self._game
        if game is None:
            return
        note = f"one of {format_set(game.rules.multipliers)}"
        if typed is not None and self._products:
            note = format_product(game.total, typed)
        self._note.update(note)
