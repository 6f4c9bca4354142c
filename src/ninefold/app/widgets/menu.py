"""A place that can be gone to: its key, its title, a sentence."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.widgets import Static

from ninefold.app.widgets.marking import marked
from ninefold.text import wrap

_TITLE_WIDTH = 20
_BEFORE = 5 + _TITLE_WIDTH
"""The columns before the sentence: a mark, the key, the title."""
_NARROWEST = 10


class MenuItem(Static, can_focus=True):
    """One row of a menu."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space", "choose", show=False)
    ]

    class Chosen(Message):
        """The row was clicked, or Enter pressed on it."""

        def __init__(self, action: str) -> None:
            """Keep the action that it stands for."""
            super().__init__()
            self.action = action

    def __init__(self, key: str, action: str, title: str, told: str) -> None:
        """Take the key, the action, and the words."""
        super().__init__(id=f"to-{action}")
        self._key, self._action, self._title = key, action, title
        self._told = told

    def tell(self, told: str) -> None:
        """Show another sentence."""
        self._told = told
        self.refresh(layout=True)

    def render(self) -> Content:
        """Write the row; a mark stands before the one that Enter chooses."""
        first, *more = self._lines(self.size.width)
        row = Content.assemble(
            (f"{self._key}  ", "bold $first"),
            (f"{self._title:<{_TITLE_WIDTH}}", "bold"),
            (first, "$soft"),
        )
        rest = [Content.styled(f"{' ' * _BEFORE}{line}", "$soft") for line in more]
        return Content("\n").join([marked(row, focused=self.has_focus), *rest])

    def _lines(self, width: int) -> list[str]:
        """Break the sentence into lines that have room beside the title."""
        return wrap(self._told, max(width - _BEFORE, _NARROWEST)).split("\n")

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Take as many rows as the sentence needs."""
        return len(self._lines(width))

    def action_choose(self) -> None:
        """Report that it was chosen."""
        self.post_message(self.Chosen(self._action))

    on_click = action_choose
