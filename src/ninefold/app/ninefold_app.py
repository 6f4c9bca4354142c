"""The app itself: its themes, its keys that work everywhere, its first screen."""

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
"""The classes of a screen, by the columns and rows there are at least."""
_END = "Leave at once."
_HELP = "These keys; F1 shows them too."
_FAILED = 1
"""The code that Textual gives an app in which an exception was not caught."""
INTERRUPTED = 130
"""The exit code after Ctrl-C, as a shell has it."""


class NinefoldApp(App[None]):
    """A full-screen home of the multiplication games.

    A key is passed on only when the one before has gone all its way: it may have moved
    the focus, or opened a screen that is to have the next one.
    """

    class KeyPassed(Message):
        """Follows a key from widget to widget, so that it comes back after it."""

    TITLE = "ninefold"
    CSS_PATH = "ninefold.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark,f1", "help", "help", key_display="?", tooltip=_HELP),
        Binding("pagedown", "read(1)", "read on", key_display="PgDn PgUp"),
        Binding("pageup", "read(-1)", show=False),
        Binding("ctrl+t", "switch_theme", "theme", tooltip="Light or dark."),
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
        """Where the last key began its way, until it has gone it."""
        for each in THEMES.values():
            self.register_theme(each)
        theme = environment.memory.preferences.theme or theme
        # Set without its watcher, which would parse the style sheet a second time.
        self.set_reactive(App.theme, THEMES[theme].name)
        self.stylesheet.set_variables(self.get_css_variables())
        if not environment.motion:
            self.animation_level = "none"

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Name the colours of LIGHT and DARK, for Textual's own themes too."""
        return DARK.variables

    def get_default_screen(self) -> Screen[None]:
        return HomeScreen(self._environment)

    def get_driver_class(self) -> type[Driver]:
        """Return a driver that no byte ends, where there is one."""
        found = super().get_driver_class()
        if found.__name__ == "LinuxDriver":  # whose module Windows cannot load
            from ninefold.app.terminal import TerminalDriver

            found = TerminalDriver
        return found

    # Failures

    @property
    def failure(self) -> Exception | None:
        """Why the app ended by itself; None if it was left, or told to end."""
        return None if self.return_code not in (None, _FAILED) else self._exception

    def panic(self, *renderables: RenderableType) -> None:
        """End and print nothing; ``failure`` is reported, whatever the cause."""
        if self._exception is None:  # no exception of the app's, but of a thread's
            parts = (part for each in renderables for part in self.console.render(each))
            self._exception = RuntimeError("".join(part.text for part in parts))
        super().panic()

    def _fatal_error(self) -> None:
        self.panic()

    def on_mount(self) -> None:
        """Leave as Ctrl-C does when the program is told to end: tables are closed."""
        loop = asyncio.get_running_loop()
        for name in ("SIGTERM", "SIGHUP"):
            # Not every system has both, and only a main thread is told.
            with suppress(AttributeError, NotImplementedError, ValueError):
                number = getattr(signal, name)
                loop.add_signal_handler(number, self.exit, None, 128 + number)

    async def on_event(self, event: Event) -> None:
        """Keep a key that is pressed while another one is on its way."""
        if not isinstance(event, Key) or event.is_forwarded:
            await super().on_event(event)
            return
        self._keys.append(event)
        # What is closed meanwhile lets nothing come back.
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
        """Pass the next key on; a screen that was opened has the focus set first."""
        at = self._key_at
        if self._keys and at is not None and self.screen not in at.ancestors_with_self:
            self._follow_key(self.screen)
        else:
            await self._pass_keys()

    def on_notify(self, event: Notify) -> None:
        """Show the same words once at a time."""
        if event.notification.message in [each.message for each in self._notifications]:
            event.prevent_default()

    def action_switch_theme(self) -> None:
        chosen: ThemeName = "light" if self.current_theme.dark else "dark"
        self.theme = THEMES[chosen].name
        memory = self._environment.memory
        memory.keep(replace(memory.preferences, theme=chosen))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer to read on where a panel has more to read."""
        panels = self.screen.query(Panel)
        return action != "read" or any(each.show_vertical_scrollbar for each in panels)

    def action_read(self, step: int) -> None:
        for panel in self.screen.query(Panel):
            panel.read_on(step)

    def action_help(self) -> None:
        self.push_screen(HelpScreen(keys=self.screen.query_one(KeyBar).keys))

    def action_interrupt(self) -> None:
        self.exit(return_code=INTERRUPTED)
