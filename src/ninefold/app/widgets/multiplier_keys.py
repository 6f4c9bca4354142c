"""The multipliers as keys, and a field for those that are no single keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from ninefold.app.widgets.fields import MarkedRow, NumberField, centred
from ninefold.game import Game
from ninefold.rulebooks.entries import read_entry
from ninefold.rules import Rules
from ninefold.text import write_product, write_set

DIGITS = range(2, 10)
_WIDEST = 7


class KeyFace(Struct, frozen=True):
    """What is written on a key."""

    multiplier: int
    makes: str = ""
    """The product, short enough for a key; empty where it is not shown."""
    ends: str = ""
    """``wins`` or ``loses`` where the move ends the game."""


def faces(game: Game, *, products: bool, endings: bool = True) -> tuple[KeyFace, ...]:
    """Return the faces of the keys, with the products and endings of their moves."""
    shown = [
        _face(game.rules, game.total, m, products=products) for m in game.legal_moves
    ]
    return tuple(face if endings else replace(face, ends="") for face in shown)


def _face(rules: Rules, total: int, multiplier: int, *, products: bool) -> KeyFace:
    if not products:
        return KeyFace(multiplier)
    product = str(rules.after(total, multiplier))
    makes = product if len(product) <= _WIDEST else f"{len(product)} dig."
    if rules.wins_at_once(total, multiplier):
        return KeyFace(multiplier, makes, "wins")
    ends = "loses" if rules.loses_at_once(total, multiplier) else ""
    return KeyFace(multiplier, makes, ends)


def are_digits(multipliers: Sequence[int]) -> bool:
    """Whether each multiplier is a key of a keyboard."""
    return all(multiplier in DIGITS for multiplier in multipliers)


class MultiplierEntered(Message):
    """A key was pressed, or something typed and Enter pressed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text


class MultiplierPointed(Message):
    """A multiplier is hovered, focused or typed; None when that is over."""

    def __init__(self, multiplier: int | None) -> None:
        super().__init__()
        self.multiplier = multiplier


class MultiplierKey(Static, can_focus=True):
    """One key: its number large, and below it the product."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space", "press", "play", show=False),
        Binding("left", "app.focus_previous", show=False),
        Binding("right", "app.focus_next", show=False),
    ]

    def __init__(self, multiplier: int) -> None:
        super().__init__()
        self.multiplier = multiplier
        self._face = KeyFace(multiplier)

    def show(self, face: KeyFace) -> None:
        self._face = face
        self.refresh()

    def render(self) -> Content:
        """Write the number between the mark and as much room, and below it the rest."""
        number = Content.styled(str(self.multiplier), "bold")
        number = centred(number, focused=self.has_focus)
        below = self._face.ends or self._face.makes
        style = "bold $second" if self._face.ends == "loses" else "bold $first"
        rest = Content.styled(below, style if self._face.ends else "$soft")
        return Content("\n").join([number, rest])

    def action_press(self) -> None:
        self.post_message(MultiplierEntered(str(self.multiplier)))

    on_click = action_press

    def on_focus(self) -> None:
        self.post_message(MultiplierPointed(self.multiplier))

    def on_blur(self) -> None:
        self.post_message(MultiplierPointed(None))

    on_enter, on_leave = on_focus, on_blur


class MultiplierKeys(Horizontal):
    """A row of keys from 2 to 9, of which those are shown that can be played."""

    def __init__(self) -> None:
        super().__init__(*map(MultiplierKey, DIGITS))

    def show(self, shown: Sequence[KeyFace], *, live: bool) -> None:
        """Show the faces; keys that are not live cannot be pressed."""
        self.disabled = not live
        by_multiplier = {face.multiplier: face for face in shown}
        for key in self.query(MultiplierKey):
            key.display = not shown or key.multiplier in by_multiplier
            key.show(by_multiplier.get(key.multiplier, KeyFace(key.multiplier)))


class MultiplierEntry(MarkedRow):
    """A multiplier is typed, and Enter plays it; before that it shows the product."""

    def __init__(self) -> None:
        super().__init__("×", NumberField(), Static("", classes="-note", markup=False))
        self._game: Game | None = None
        self._products = True

    def show(self, game: Game, *, products: bool, live: bool) -> None:
        """Take the game to be played; ``products`` shows what a move would make."""
        self._game, self._products = game, products
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
        event.stop()
        self._note()
        self.post_message(MultiplierPointed(self._typed()))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.query_one(NumberField).clear()
        self.post_message(MultiplierEntered(event.value))

    def _typed(self) -> int | None:
        if self._game is None:
            return None
        typed = read_entry(self.query_one(NumberField).value, self._game.rules)
        return typed if isinstance(typed, int) else None

    def _note(self) -> None:
        typed, game = self._typed(), self._game
        if game is None:
            return
        note = f"one of {write_set(game.rules.multipliers)}"
        if typed is not None and self._products:
            note = write_product(game.total, typed)
        self.query_one(".-note", Static).update(note)
