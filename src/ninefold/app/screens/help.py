"""Help: the keys of the screen below, and the rules of a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from ninefold.app.widgets.key_bar import KeyBar
from ninefold.app.words import unwrapped
from ninefold.rulebooks import Rulebook
from ninefold.rules import Rules

_ABOUT = """\
Two players share a total, which starts at 1. In turn, each multiplies it by a number
from 2 to 9. Some games are won by reaching the target, some by making it exactly, and
some are lost by reaching it.

On the number line every move is a hop: × 5 is as long wherever it starts. Striped
bands are totals from which every move loses, against best play.
● is the first seat and ■ the second. ◉ is the total.
"""


class HelpScreen(ModalScreen[None]):
    """A page of help; any of its keys closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,q,question_mark,r", "close", "close", key_display="esc"),
        Binding("down", "scroll(1)", "read on", key_display="↓"),
        Binding("up", "scroll(-1)", show=False),
    ]

    def __init__(
        self,
        book: Rulebook | None = None,
        rules: Rules | None = None,
        keys: Sequence[tuple[str, str]] = (),
    ) -> None:
        """Take the game whose rules are told, if there is one, and keys."""
        super().__init__()
        self._book, self._rules, self._keys = book, rules, keys

    def compose(self) -> ComposeResult:
        """Lay the page out."""
        with VerticalScroll(classes="-page", can_focus=False):
            yield Static(self._page())
            yield KeyBar()

    def _page(self) -> Content:
        parts: list[Content | str] = []
        if self._book is not None:
            parts += [Content.styled(f"{self._book.title}\n\n", "bold $first")]
            parts += [unwrapped(self._book.explain(self._rules))]
        else:
            parts += [
                Content.styled("The multiplication games\n\n", "bold $first"),
                unwrapped(_ABOUT),
            ]
        if self._keys:
            parts += [Content.styled("\nKeys here\n\n", "bold $first")]
        for key, told in self._keys:
            parts += [Content.assemble((f"{key:>7}  ", "bold"), f"{told}\n")]
        return Content.assemble(*parts)

    def action_close(self) -> None:
        """Go back."""
        self.dismiss(None)

    def action_scroll(self, step: int) -> None:
        """Read on, or back."""
        self.query_one(VerticalScroll).scroll_relative(y=step, animate=False)
