"""The fields of a form, and the mark of the one with the focus."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import ClassVar, Generic, Self, TypeVar

from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.events import Click, DescendantBlur, DescendantFocus, Key
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Button, Input, Label, OptionList, Static

MARK = "▸"
T = TypeVar("T")
_NUMBERS = "0123456789,"


def marked(text: Content | str, *, focused: bool) -> Content:
    """Put the mark, or a blank of the same width, before a text.

    >>> marked("Yes", focused=True).plain, marked("No", focused=False).plain
    ('▸ Yes', '  No')
    """
    return Content.assemble((f"{MARK if focused else ' '} ", "bold"), text)


def centred(text: Content | str, *, focused: bool) -> Content:
    """Put the mark before a text, and as much room behind it, so that it is centred."""
    return Content.assemble(marked(text, focused=focused), "  ")


class MarkedButton(Button):
    """A button with the mark before its label while it has the focus."""

    def render(self) -> Content:
        return centred(Content.from_text(self.label), focused=self.has_focus)


class MarkedList(OptionList):
    """A list with the mark before the highlighted row."""

    def __init__(self) -> None:
        super().__init__()
        self._marked: int | None = None

    @abstractmethod
    def row(self, index: int) -> Content:
        """Render a row, without the mark."""

    def prompt(self, index: int) -> Content:
        """Render a row with its mark, or a blank."""
        return marked(self.row(index), focused=index == self._marked)

    def clear_options(self) -> Self:
        self._marked = None
        return super().clear_options()

    def watch_highlighted(self, highlighted: int | None) -> None:
        before, self._marked = self._marked, highlighted
        for index in {before, highlighted}:
            if index is not None and index < self.option_count:
                self.replace_option_prompt_at_index(index, self.prompt(index))
        super().watch_highlighted(highlighted)


class MarkedRow(Horizontal):
    """A name before one or more fields, with the mark while one has the focus."""

    def __init__(self, name: str, *fields: Widget) -> None:
        self._name_of_field = name
        self._label = Label(marked(name, focused=False), classes="-name", markup=False)
        super().__init__(self._label, *fields)

    def on_descendant_focus(self, _: DescendantFocus) -> None:
        named = bool(self._name_of_field)  # a field without a name has its own mark
        self._label.update(marked(self._name_of_field, focused=named))

    def on_descendant_blur(self, _: DescendantBlur) -> None:
        self._label.update(marked(self._name_of_field, focused=False))


class Choice(Static, Generic[T], can_focus=True):
    """A choice of one value; the arrow keys go through the values."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "turn(-1)", show=False),
        Binding("right,space", "turn(1)", show=False),
        Binding("enter", "submit", show=False),
    ]

    class Changed(Message):
        """Sent when another value is chosen."""

    class Submitted(Message):
        """Sent when Enter is pressed."""

    def __init__(
        self,
        values: Sequence[tuple[str, T]],
        value: T,
        *,
        key: str | None = None,
    ) -> None:
        super().__init__(id=key)
        self._values = list(values)
        self._index = [each for _, each in values].index(value)

    @property
    def value(self) -> T:
        return self._values[self._index][1]

    @property
    def has_others(self) -> bool:
        return len(self._values) > 1

    def add(self, values: Iterable[tuple[str, T]]) -> None:
        self._values += values

    def show(self, values: Sequence[tuple[str, T]], value: T) -> None:
        """Replace the values, and the chosen one, without a message."""
        self._values = list(values)
        self._index = [each for _, each in values].index(value)
        self.refresh()

    def choose(self, value: T) -> None:
        """Choose a value, and send ``Changed`` as the arrow keys do."""
        self._index = [each for _, each in self._values].index(value)
        self.action_turn(0)

    def rename(self, names: Sequence[str]) -> None:
        values = [value for _, value in self._values]
        self._values = list(zip(names, values, strict=True))
        self.refresh()

    def render(self) -> Content:
        name = self._values[self._index][0]
        return Content.assemble(("◂ ", "$soft"), (name, "bold"), (" ▸", "$soft"))

    def action_turn(self, step: int) -> None:
        self._index = (self._index + step) % len(self._values)
        self.refresh()
        self.post_message(self.Changed())

    def action_submit(self) -> None:
        self.post_message(self.Submitted())

    def on_click(self, event: Click) -> None:
        """Go back if the left arrow is clicked, else forward."""
        self.focus()
        self.action_turn(-1 if event.x <= 1 else 1)


class TextField(Input):
    """A text field of one row; ``?`` still opens help."""

    def __init__(
        self, value: str = "", *, key: str | None = None, placeholder: str = ""
    ) -> None:
        super().__init__(
            value, placeholder=placeholder, id=key, compact=True, select_on_focus=False
        )

    def check_consume_key(self, key: str, character: str | None) -> bool:
        """Tell Textual which keys this field consumes as text."""
        return character is not None and character.isprintable() and character != "?"

    def on_key(self, event: Key) -> None:
        """Leave the screen's own keys to it; every other character is text."""
        if event.is_printable and event.key in self.screen.active_bindings:
            event.prevent_default()

    def watch_value(self, value: str) -> None:
        """Put the cursor behind a new value; typing then moves it as usual."""
        self.cursor_position = len(value)


class NumberField(TextField):
    """A number field; letters are keys of the screen."""

    takes_words = False
    """Whether words can be typed as well: then letters are text."""

    def refuse(self) -> None:
        """Select a rejected entry, so that typing replaces it."""
        self.select_all()

    def take_typed(self, text: str) -> None:
        """Insert text that was typed outside the field."""
        self.replace(text, *self.selection)

    def check_consume_key(self, key: str, character: str | None) -> bool:
        if self.takes_words:
            return super().check_consume_key(key, character)
        return character is not None and character in _NUMBERS


class Row(MarkedRow):
    """A field with its name before it."""
