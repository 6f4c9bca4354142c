"""How a widget shows that it has the focus: by a mark, never by colour alone.

Buttons, rows of lists and the names of fields all show the same mark.
"""

from __future__ import annotations

from textual.containers import Horizontal
from textual.content import Content
from textual.events import DescendantBlur, DescendantFocus
from textual.widget import Widget
from textual.widgets import Button, Label

MARK = "▸"


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
        """Write the label."""
        return centred(Content.from_text(self.label), focused=self.has_focus)


class MarkedRow(Horizontal):
    """A name before a field; the mark stands before it while the field has the focus.

    Anything in the row that has the focus marks it.
    """

    def __init__(self, name: str, *fields: Widget) -> None:
        """Take the name and what follows it."""
        self._name_of_field = name
        self._label = Label(marked(name, focused=False), classes="-name", markup=False)
        super().__init__(self._label, *fields)

    def on_descendant_focus(self, _: DescendantFocus) -> None:
        """Show the mark."""
        named = bool(self._name_of_field)  # what has no name shows a mark of its own
        self._label.update(marked(self._name_of_field, focused=named))

    def on_descendant_blur(self, _: DescendantBlur) -> None:
        """Show it no more."""
        self._label.update(marked(self._name_of_field, focused=False))
