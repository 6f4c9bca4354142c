"""The foot of every screen: the panel of messages, and the clickable key bar."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from textual.containers import VerticalScroll
from textual.content import Content
from textual.events import Click
from textual.geometry import Size
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

_GAP = "  "


class Panel(VerticalScroll, can_focus=False):
    """A scrolling box for messages: the coach, a hint, a reason, a refusal."""

    def __init__(self) -> None:
        self._text = Static("")
        super().__init__(self._text)
        self.shown_text = ""
        """The current text."""

    def show_text(
        self,
        text: str,
        title: str = "",
        *,
        apart: bool = False,
        colour: str = "$first",
    ) -> None:
        """Show a text after a highlighted title, or (``apart``) below it."""
        gap = "\n" if apart else " "
        self.shown_text = f"{title}{gap}{text}".strip()
        head = (f"{title}{gap}", f"bold {colour}") if title else ""
        self._text.update(Content.assemble(head, text))
        self.scroll_home(animate=False)

    def watch_show_vertical_scrollbar(self) -> None:
        self.screen.refresh_bindings()  # only now it is known whether the text fits

    def read_on(self, step: int) -> None:
        """Scroll a page down, or up if the step is -1."""
        height = max(self.size.height - 1, 1)
        self.scroll_relative(y=step * height, animate=False)


class ShownKey(Struct, frozen=True):
    """A key as the key bar and help show it."""

    name: str
    label: str
    key: str = ""
    """The key that a click presses; "" if it cannot be clicked."""
    help: str = ""
    """The help text, if it says more than the label."""
    in_bar: bool = True
    """Whether the bar shows it; help lists every key."""

    @property
    def width(self) -> int:
        return len(self.name) + 1 + len(self.label)

    def content(self) -> Content:
        return Content.assemble((self.name, "bold $first"), " ", (self.label, "$soft"))


class KeyBar(Widget, can_focus=False):
    """Shows the active keys on as many rows as needed.

    ``extra``: keys without a binding of their own, such as the digits that play.
    ``offers``: whether an action is available; a hidden key still explains itself when
    pressed. ``help_for``: the help text for an action; "" uses the binding's.
    """

    def __init__(
        self,
        *extra: ShownKey,
        offers: Callable[[str], bool] = lambda _: True,
        help_for: Callable[[str], str] = lambda _: "",
    ) -> None:
        super().__init__()
        self._extra = extra
        self._offers, self._help_for = offers, help_for
        self.keys: tuple[ShownKey, ...] = ()
        """All active keys."""

    def show_first(self, *extra: ShownKey) -> None:
        self._extra = extra
        if self.is_attached:
            self._follow(self.screen)

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._follow)
        self._follow(self.screen)

    def _follow(self, screen: Screen[object]) -> None:
        keys = {key.label: key for key in self._extra}
        for active in screen.active_bindings.values():
            binding = active.binding
            label = binding.description
            is_shown = binding.show or bool(binding.tooltip)
            if not active.enabled or not is_shown or label in keys:
                continue
            action = binding.action.partition("(")[0]
            if self._offers(action):
                name = self.app.get_key_display(binding)
                text = self._help_for(action) or binding.tooltip
                keys[label] = ShownKey(name, label, binding.key, text, binding.show)
        self.keys = tuple(keys.values())
        self.refresh(layout=True)

    def _rows(self, width: int) -> list[list[ShownKey]]:
        rows: list[list[ShownKey]] = [[]]
        taken = 0
        for key in filter(lambda key: key.in_bar, self.keys):
            if rows[-1] and taken + len(_GAP) + key.width > width:
                rows.append([])
                taken = 0
            taken += key.width + (len(_GAP) if rows[-1] else 0)
            rows[-1].append(key)
        return rows

    def render(self) -> Content:
        return Content("\n").join(
            Content(_GAP).join([key.content() for key in row])
            for row in self._rows(self.size.width)
        )

    def on_click(self, event: Click) -> None:
        x, y = event.get_content_offset_capture(self)
        left = 0
        for key in self._rows(self.size.width)[y]:
            if left <= x < left + key.width and key.key:
                self.app.simulate_key(key.key)
            left += key.width + len(_GAP)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self._rows(width))
