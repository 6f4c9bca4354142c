"""Help: the keys of the screen below, and the rules of a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from ninefold.app.widgets.key_bar import KeyBar, ShownKey
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


class Page(VerticalScroll, can_focus=False):
    """The text of a page, scrolled where it does not fit."""

    @property
    def more(self) -> dict[str, bool]:
        """Whether something is hidden, by the direction in which it lies."""
        return {"on": self.scroll_y < self.max_scroll_y, "back": self.scroll_y > 0}


class HelpScreen(ModalScreen[None]):
    """A page of help. Its keys stay in sight while it is read."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", "close"),
        Binding("enter,q,question_mark,f1,r", "dismiss", show=False),
        Binding("down", "read('on', 1)", "read on", key_display="↓"),
        Binding("up", "read('back', 1)", "back", key_display="↑"),
        Binding("pagedown,space", "read('on', 10)", show=False),
        Binding("pageup", "read('back', 10)", show=False),
    ]

    def __init__(
        self,
        book: Rulebook | None = None,
        rules: Rules | None = None,
        keys: Sequence[ShownKey] = (),
    ) -> None:
        super().__init__()
        self._book, self._rules, self._keys = book, rules, keys

    def compose(self) -> ComposeResult:
        with Vertical(classes="-page"):
            with Page():
                yield Static(self._page())
            yield KeyBar()

    def on_mount(self) -> None:
        """Offer to read on as long as something follows."""
        page = self.query_one(Page)
        self.watch(page, "scroll_y", self.refresh_bindings, init=False)
        self.watch(page, "virtual_size", self.refresh_bindings, init=False)

    def _page(self) -> Content:
        parts: list[Content | str | tuple[str, str]] = []
        if self._keys:
            parts += [Content.styled("Keys here\n\n", "bold $first")]
            width = max(len(key.name) for key in self._keys)
            for key in sorted(self._keys, key=lambda key: key.key.startswith("ctrl")):
                text = key.help or f"{key.label[:1].upper()}{key.label[1:]}."
                parts += [(f"  {key.name:>{width}}  ", "bold"), f"{text}\n"]
            parts += ["\n"]
        if self._book is not None:
            parts += [Content.styled(f"{self._book.title}\n\n", "bold $first")]
            parts += [unwrapped(self._book.explain(self._rules))]
        else:
            parts += [
                Content.styled("The multiplication games\n\n", "bold $first"),
                unwrapped(_ABOUT),
            ]
        return Content.assemble(*parts)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer to read on, or back, only where there is more."""
        if action != "read" or not self.is_mounted:
            return True
        return self.query_one(Page).more[str(parameters[0])]

    def action_read(self, way: str, rows: int) -> None:
        step = rows if way == "on" else -rows
        self.query_one(Page).scroll_relative(y=step, animate=False)


def unwrapped(text: str) -> str:
    r"""Join the lines of each paragraph and of each item, to be wrapped anew.

    >>> unwrapped("One\nline.\n\n- an\n  item\n- another\n")
    'One line.\n\n- an item\n- another\n'
    """
    joined: list[str] = []
    for line in text.splitlines():
        begins = not line.strip() or line.startswith(("- ", "● "))
        if begins or not joined or not joined[-1]:
            joined.append(line.strip())
        else:
            joined[-1] += f" {line.strip()}"
    return "\n".join(joined) + "\n"
