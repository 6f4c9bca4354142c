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

from ninefold.app.widgets.footer import KeyBar, ShownKey
from ninefold.rulebooks import Rulebook
from ninefold.rules import Rules
from ninefold.views.match_text import STRIPED

_ABOUT = f"""\
Two players share a total that starts at 1. They take turns to multiply it by a number
from 2 to 9. Some games are won by reaching the target, some by hitting it exactly, and
some are lost by reaching it.

On the number line every move is a hop, and a hop of × 5 always has the same length.
{STRIPED}
● is the first player and ■ the second. ◉ is the total.
"""


class HelpScreen(ModalScreen[None]):
    """A page of help; the keys stay visible below it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", "close"),
        Binding("enter,q,question_mark,f1,r", "dismiss", show=False),
        Binding("down", "read(1)", "scroll", key_display="↓"),
        Binding("up", "read(-1)", "back", key_display="↑"),
        Binding("pagedown,space", "read(10)", show=False),
        Binding("pageup", "read(-10)", show=False),
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
            yield VerticalScroll(Static(self._text()), id="page", can_focus=False)
            yield KeyBar()

    def on_mount(self) -> None:
        """Offer scrolling only as long as there is more."""
        self.watch(self._page, "scroll_y", self.refresh_bindings, init=False)
        self.watch(self._page, "virtual_size", self.refresh_bindings, init=False)

    @property
    def _page(self) -> VerticalScroll:
        return self.query_one("#page", VerticalScroll)

    def _text(self) -> Content:
        parts: list[str | tuple[str, str]] = []
        if self._keys:
            parts += [("Keys here\n\n", "bold $first")]
            width = max(len(key.name) for key in self._keys)
            for key in sorted(self._keys, key=lambda key: key.key.startswith("ctrl")):
                text = key.help or f"{key.label[:1].upper()}{key.label[1:]}."
                parts += [(f"  {key.name:>{width}}  ", "bold"), f"{text}\n"]
            parts += ["\n"]
        title, text = "The multiplication games", _ABOUT
        if self._book is not None:
            title, text = self._book.title, self._book.explain(self._rules)
        parts += [(f"{title}\n\n", "bold $first"), unwrapped(text)]
        return Content.assemble(*parts)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        match action, parameters:
            case "read", (int(rows),) if self.is_mounted:
                page = self._page
                return (
                    page.scroll_y < page.max_scroll_y if rows > 0 else page.scroll_y > 0
                )
        return True

    def action_read(self, rows: int) -> None:
        self._page.scroll_relative(y=rows, animate=False)


def unwrapped(text: str) -> str:
    r"""Join the lines of each paragraph and of each list item.

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
