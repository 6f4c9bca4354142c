"""The fields of a form, and the mark that shows which of them has the focus."""

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
    """Write a text after the mark, or after a blank that is as wide.

    >>> marked("Yes", focused=True).plain, marked("No", focused=False).plain
    ('▸ Yes', '  No')
    """
    return Content.assemble((f"{MARK if focused else ' '} ", "bold"), text)


def centred(text: Content | str, *, focused: bool) -> Content:
    """Write a text after the mark with as much room behind it, to be centred."""
    return Content.assemble(marked(text, focused=focused), "  ")


class MarkedButton(Button):
    """A button; the mark stands before its label while it has the focus."""

    def render(self) -> Content:
        return centred(Content.from_text(self.label), focused=self.has_focus)


class MarkedList(OptionList):
    """Lists rows; the mark stands before the highlighted one."""

    def __init__(self) -> None:
        super().__init__()
        self._marked: int | None = None

    @abstractmethod
    def row(self, index: int) -> Content:
        """Write a row, without the mark."""

    def prompt(self, index: int) -> Content:
        """Write a row after its mark, or after a blank."""
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
    """A name before a field; the mark stands before it while the field has the focus.

    Anything in the row that has the focus marks it.
    """

    def __init__(self, name: str, *fields: Widget) -> None:
        self._name_of_field = name
        self._label = Label(marked(name, focused=False), classes="-name", markup=False)
        super().__init__(self._label, *fields)

    def on_descendant_focus(self, _: DescendantFocus) -> None:
        named = bool(self._name_of_field)  # what has no name shows a mark of its own
        self._label.update(marked(self._name_of_field, focused=named))

    def on_descendant_blur(self, _: DescendantBlur) -> None:
        self._label.update(marked(self._name_of_field, focused=False))


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
        """Show other values, of which one is chosen already."""
        self._values = list(values)
        self._index = [each for _, each in values].index(value)
        self.refresh()

    def choose(self, value: T) -> None:
        """Choose a value, as the arrow keys would."""
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
        """Go back where the left arrow is clicked, and on everywhere else."""
        self.focus()
        self.action_turn(-1 if event.x <= 1 else 1)


class TextField(Input):
    """A text on one row. ``?`` asks for help here as everywhere."""

    def __init__(
        self, value: str = "", *, key: str | None = None, placeholder: str = ""
    ) -> None:
        super().__init__(
            value, placeholder=placeholder, id=key, compact=True, select_on_focus=False
        )

    def check_consume_key(self, key: str, character: str | None) -> bool:
        """Tell Textual which keys are text here, and no command of the screen."""
        return character is not None and character.isprintable() and character != "?"

    def on_key(self, event: Key) -> None:
        """Leave commands to the screen; every other character is text."""
        if event.is_printable and event.key in self.screen.active_bindings:
            event.prevent_default()

    def watch_value(self, value: str) -> None:
        """Put the cursor behind another text; typing places it after that."""
        self.cursor_position = len(value)


class NumberField(TextField):
    """A number; letters are commands of the screen, where it has any."""

    takes_words = False
    """Whether words are typed as well: then letters are text."""

    def refuse(self) -> None:
        """Keep an entry that is refused in sight; what is typed next replaces it."""
        self.select_all()

    def take_typed(self, text: str) -> None:
        """Take what is typed elsewhere, as if it were typed here."""
        self.replace(text, *self.selection)

    def check_consume_key(self, key: str, character: str | None) -> bool:
        if self.takes_words:
            return super().check_consume_key(key, character)
        return character is not None and character in _NUMBERS


class Row(MarkedRow):
    """A field with its name before it."""
