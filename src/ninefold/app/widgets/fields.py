"""The fields of a form: a choice of several values, a text, a number."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar, Generic, TypeVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.events import Click, Key
from textual.message import Message
from textual.widgets import Input, Static

from ninefold.app.widgets.marking import MarkedRow
from ninefold.errors import NinefoldError
from ninefold.rules import parse_multipliers, parse_number

T = TypeVar("T")
_NUMBERS = "0123456789,"


class Choice(Static, Generic[T], can_focus=True):
    """One value of several, on one row; the arrow keys go through them."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "turn(-1)", show=False),
        Binding("right,space", "turn(1)", show=False),
        Binding("enter", "submit", show=False),
    ]

    class Changed(Message):
        """Another value was chosen."""

    class Submitted(Message):
        """Enter was pressed."""

    def __init__(
        self,
        values: Sequence[tuple[str, T]],
        value: T,
        *,
        key: str | None = None,
    ) -> None:
        """Take the values with their names, and the one that is chosen."""
        super().__init__(id=key)
        self._values = list(values)
        self._index = [each for _, each in values].index(value)

    @property
    def value(self) -> T:
        """The value that is chosen."""
        return self._values[self._index][1]

    def add(self, values: Iterable[tuple[str, T]]) -> None:
        """Offer more values."""
        self._values += values

    def rename(self, names: Sequence[str]) -> None:
        """Give the values other names."""
        values = [value for _, value in self._values]
        self._values = list(zip(names, values, strict=True))
        self.refresh()

    def render(self) -> Content:
        """Show the name of the value between two arrows."""
        name = self._values[self._index][0]
        return Content.assemble(("◂ ", "$soft"), (name, "bold"), (" ▸", "$soft"))

    def action_turn(self, step: int) -> None:
        """Go to a neighbouring value."""
        self._index = (self._index + step) % len(self._values)
        self.refresh()
        self.post_message(self.Changed())

    def action_submit(self) -> None:
        """Report Enter."""
        self.post_message(self.Submitted())

    def on_click(self, event: Click) -> None:
        """Go back where the left arrow is clicked, and on everywhere else."""
        self.focus()
        self.action_turn(-1 if event.x <= 1 else 1)


class TextField(Input):
    """A text on one row. ``?`` asks for help here as everywhere."""

    def __init__(
        self, value: str = "", *, key: str | None = None, placeholder: str = ""
    ) -> None:
        """Take the text to begin with."""
        super().__init__(
            value, placeholder=placeholder, id=key, compact=True, select_on_focus=False
        )

    refusal = "cannot be typed here."
    """What is said of a character that is neither text here nor a command."""

    def accepts(self, character: str) -> bool:
        """Whether a character can be typed here."""
        return character.isprintable() and character != "?"

    def check_consume_key(self, key: str, character: str | None) -> bool:
        """Tell Textual which keys are text here, and no command of the screen."""
        return character is not None and self.accepts(character)

    def on_key(self, event: Key) -> None:
        """Leave the other keys to the screen."""
        character = event.character
        if character is not None and event.is_printable and not self.accepts(character):
            event.prevent_default()
            if event.key not in self.screen.active_bindings:
                self.notify(f"{character} {self.refusal}", markup=False)


class NumberField(TextField):
    """A number; other keys than digits are commands of the screen."""

    refusal = "is not taken: a number is written in digits here."

    def number(self, name: str, example: int) -> int:
        """Read the number; where nothing is typed, say what to type."""
        if not self.value.strip():
            message = f"type a {name}, such as {example}"
            raise NinefoldError(message)
        return parse_number(self.value, name)

    def accepts(self, character: str) -> bool:
        """Whether a character can stand in a number."""
        return character in _NUMBERS


class SetField(TextField):
    """A set of numbers, as in ``2-5, 9``."""

    def numbers(self) -> tuple[int, ...]:
        """Read the numbers; where nothing is typed, say what to type."""
        if not self.value.strip():
            message = "type the multipliers, such as 2-9"
            raise NinefoldError(message)
        return parse_multipliers(self.value)

    def accepts(self, character: str) -> bool:
        """Whether a character can stand in a set of numbers."""
        return character in f"{_NUMBERS}- "


class Row(MarkedRow):
    """A field with its name before it."""
