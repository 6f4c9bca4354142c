"""The application: themes, keys that work everywhere, the first screen."""

from __future__ import annotations

import asyncio
import signal
from collections import deque
from contextlib import suppress
from typing import ClassVar

from msgspec.structs import replace
from rich.console import RenderableType
from textual.app import App
from textual.binding import Binding, BindingType
from textual.dom import DOMNode
from textual.driver import Driver
from textual.events import Event, Key
from textual.message import Message
from textual.notifications import Notify
from textual.screen import Screen

from ninefold.app.environment import Environment
from ninefold.app.preferences import ThemeName
from ninefold.app.screens.help import HelpScreen
from ninefold.app.screens.home import HomeScreen
from ninefold.app.theme import DARK, THEMES
from ninefold.app.widgets.footer import KeyBar, Panel

_WIDTHS = [(0, "-narrow"), (80, "-normal"), (110, "-wide")]
_HEIGHTS = [(0, "-short"), (24, "-normal-height"), (34, "-tall")]
"""The style classes of a screen by its least columns and rows."""
_END = "Quit right away."
_HELP = "Show these keys (also F1)."
_THEME = "Switch between light and dark."
_FAILED = 1
"""The return code that Textual sets after an uncaught exception."""
INTERRUPTED = 130
"""The exit code after Ctrl-C, as a shell has it."""


class NinefoldApp(App[None]):
    """The full-screen app.

    A key is delivered only after the previous one was fully handled, because that one
    may move the focus or open a screen.
    """

    class KeyPassed(Message):
        """Marks the end of a key's trip through the widgets."""

    TITLE = "ninefold"
    CSS_PATH = "ninefold.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark,f1", "help", "help", key_display="?", tooltip=_HELP),
        Binding("pagedown", "read(1)", "scroll", key_display="PgDn PgUp"),
        Binding("pageup", "read(-1)", show=False),
        Binding("ctrl+t", "switch_theme", "theme", tooltip=_THEME),
        Binding("ctrl+c", "interrupt", "end", show=False, priority=True, tooltip=_END),
        Binding("ctrl+q", "quit", show=False, priority=True),
    ]

    def __init__(self, environment: Environment, theme: ThemeName) -> None:
        super().__init__()
        self.HORIZONTAL_BREAKPOINTS = _WIDTHS
        self.VERTICAL_BREAKPOINTS = _HEIGHTS
        self._environment = environment
        self._keys: deque[Key] = deque()
        self._key_at: DOMNode | None = None
        """Where the last key entered, until it is fully handled."""
        for each in THEMES.values():
            self.register_theme(each)
        theme = environment.memory.preferences.theme or theme
        # Skip the watcher, which would parse the style sheet a second time.
        self.set_reactive(App.theme, THEMES[theme].name)
        self.stylesheet.set_variables(self.get_css_variables())
        if not environment.motion:
            self.animation_level = "none"

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Return the variables of our themes, which Textual's own themes lack."""
        return DARK.variables

    def get_default_screen(self) -> Screen[None]:
        return HomeScreen(self._environment)

    def get_driver_class(self) -> type[Driver]:
        """Return the driver that survives any byte, if this system has it."""
        found = super().get_driver_class()
        if found.__name__ == "LinuxDriver":  # its module cannot be imported on Windows
            from ninefold.app.terminal import TerminalDriver

            found = TerminalDriver
        return found

    # Failures

    @property
    def failure(self) -> Exception | None:
        """The exception that ended the app; None if it was quit or terminated."""
        return None if self.return_code not in (None, _FAILED) else self._exception

    def panic(self, *renderables: RenderableType) -> None:
        """End without printing anything; the caller reports ``failure``."""
        if self._exception is None:  # the exception was raised in a thread
            parts = (part for each in renderables for part in self.console.render(each))
            self._exception = RuntimeError("".join(part.text for part in parts))
        super().panic()

    def _fatal_error(self) -> None:
        self.panic()

    def on_mount(self) -> None:
        """Exit cleanly, with tables closed, when the process is terminated."""
        loop = asyncio.get_running_loop()
        for name in ("SIGTERM", "SIGHUP"):
            # Not every system has both, and only the main thread can handle them.
            with suppress(AttributeError, NotImplementedError, ValueError):
                number = getattr(signal, name)
                loop.add_signal_handler(number, self.exit, None, 128 + number)

    async def on_event(self, event: Event) -> None:
        """Queue keys while an earlier key is still being handled."""
        if not isinstance(event, Key) or event.is_forwarded:
            await super().on_event(event)
            return
        self._keys.append(event)
        # A screen that closes never returns its key.
        if self._key_at is None or not self._key_at.is_attached:
            await self._pass_keys()

    async def _pass_keys(self) -> None:
        self._key_at = None
        while self._keys and self._key_at is None:
            screen, at = self.screen, self.focused or self.screen
            await super().on_event(self._keys.popleft())
            self._follow_key(at if self.screen is screen else self.screen)

    def _follow_key(self, at: DOMNode) -> None:
        self._key_at = at if at.post_message(self.KeyPassed()) else None

    async def on_ninefold_app_key_passed(self) -> None:
        """Deliver the next key; a newly opened screen sets its focus first."""
        at = self._key_at
        if self._keys and at is not None and self.screen not in at.ancestors_with_self:
            self._follow_key(self.screen)
        else:
            await self._pass_keys()

    def on_notify(self, event: Notify) -> None:
        """Drop a notification that is shown already."""
        if event.notification.message in [each.message for each in self._notifications]:
            event.prevent_default()

    def action_switch_theme(self) -> None:
        chosen: ThemeName = "light" if self.current_theme.dark else "dark"
        self.theme = THEMES[chosen].name
        memory = self._environment.memory
        memory.keep(replace(memory.preferences, theme=chosen))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer scrolling only if a panel has more to show."""
        panels = self.screen.query(Panel)
        return action != "read" or any(each.show_vertical_scrollbar for each in panels)

    def action_read(self, step: int) -> None:
        for panel in self.screen.query(Panel):
            panel.read_on(step)

    def action_help(self) -> None:
        self.push_screen(HelpScreen(keys=self.screen.query_one(KeyBar).keys))

    def action_interrupt(self) -> None:
        self.exit(return_code=INTERRUPTED)
