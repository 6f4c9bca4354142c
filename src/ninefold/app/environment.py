"""The app's dependencies: store, random numbers, clock and pace."""

from __future__ import annotations

import secrets
from asyncio import sleep
from collections.abc import Awaitable, Callable
from datetime import tzinfo
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TypeVar

from msgspec import Struct, field
from textual.app import App
from textual.widget import Widget

from ninefold.app.preferences import PreferencesFile
from ninefold.errors import NinefoldError, RulebookError
from ninefold.game import Seat
from ninefold.learning import Activity, Play
from ninefold.learning.walk import LEARNER
from ninefold.levels import BOT, HUMAN
from ninefold.playing.page_walk import start_game
from ninefold.rulebooks import Rulebook
from ninefold.session import Retry, Session, Setup
from ninefold.store import LocalTable, LogWriter, Store
from ninefold.views.answer_recorder import AnswerRecorder
from ninefold.views.match_text import sentence

T = TypeVar("T")

SURFACE = "app"
"""The name of this surface in the store."""
_MATCHES_LOOKED_THROUGH = 20
_SECONDS_TO_THINK = 0.8
_SEED_BITS = 32


def _no_files(path: str) -> tuple[Rulebook, str | None]:
    problem = "no file can be opened from here"
    raise RulebookError(path, "", problem)


class Environment(Struct, frozen=True):
    """The dependencies that every screen gets."""

    open_store: Callable[[], Store]
    seed: Callable[[], int] = lambda: secrets.randbits(_SEED_BITS)
    clock: Callable[[], float] = monotonic
    """A clock in seconds, for the time that an answer takes."""
    think: Callable[[], Awaitable[object]] = lambda: sleep(_SECONDS_TO_THINK)
    """Awaited before a level moves, so that people can follow."""
    motion: bool = True
    """Whether hops are animated."""
    memory: PreferencesFile = field(default_factory=PreferencesFile)
    """The remembered choices."""
    zone: tzinfo | None = None
    """The time zone of displayed times; None for the machine's own."""
    seats_folder: Callable[[], Path] = Path
    """Returns the folder with the secrets of online seats."""
    server: str = ""
    """The address of the server to offer first, or empty."""
    own_server: Callable[[], str] | None = None
    """Starts the built-in server, until the app ends; returns its address."""
    draw_qr: Callable[[str], str] = lambda _: ""
    """Draws an address as a QR code; returns "" if it cannot."""
    read_rulebook: Callable[[str], tuple[Rulebook, str | None]] = _no_files
    """Reads a rule book from a file; returns it with its text."""

    def read(self, query: Callable[[Store], T], screen: Widget) -> T | None:
        """Query the store; on failure notify the screen and return None."""
        try:
            with self.open_store() as store:
                found = query(store)
                for each in store.pop_notices():
                    warn(screen.app, each)
        except NinefoldError as error:
            warn(screen.app, sentence(error))
            return None
        return found

    def answering(
        self, screen: Widget, name: str | None = None, activity: Activity | None = None
    ) -> AnswerRecorder:
        """Return the answer recorder of a screen; by default for the latest learner."""

        def ask_store(query: Callable[[Store], T]) -> T | None:
            return self.read(query, screen)

        return AnswerRecorder(
            ask_store, self.clock, name, surface=SURFACE, activity=activity
        )

    # Tables on this machine

    def new_table(self, setup: Setup, screen: Widget) -> LocalTable:
        return self._table(Session.start(setup), screen)

    def one_game(
        self, task: Play, template: Setup, screen: Widget, *, name: str = str(LEARNER)
    ) -> LocalTable:
        """Return a table for a learner's game against a level; it is not stored."""
        session, _ = start_game(task, template, self.seed(), name=name)
        return self._table(session, screen, save=False)

    def resume(self, match_id: str, screen: Widget) -> LocalTable | None:
        """Reopen a stored match; on failure notify the screen and return None."""
        session = self.read(lambda store: store.match(match_id).session, screen)
        return None if session is None else self._table(session, screen, match_id)

    def try_again(
        self, setup: Setup, first: Seat, retry: Retry, screen: Widget
    ) -> LocalTable:
        """Return a table for a retry of a game, as a local match of its own."""
        table = self.new_table(setup.at_home(first, self.seed()), screen)
        table.submit(retry)
        return table

    def _table(
        self,
        session: Session,
        screen: Widget,
        match_id: str | None = None,
        *,
        save: bool = True,
    ) -> LocalTable:
        writer = LogWriter(
            self.open_store,
            partial(warn, screen.app),
            surface=SURFACE,
            save=save,
            match_id=match_id,
        )
        return LocalTable(session, writer)


def warn(app: App[object], text: str) -> None:
    """Show a notification for a while; any thread may call this."""
    app.notify(text, severity="warning", markup=False)


def latest_setup(store: Store, *, against_level: bool) -> Setup | None:
    """Return the setup of the latest local match against a level, or between people."""
    for row in store.history(limit=_MATCHES_LOOKED_THROUGH):
        players = [row.setup.player_kind(seat) for seat in Seat]
        if HUMAN not in players or BOT in players or row.origin is not None:
            continue
        if any(row.levels) is against_level:
            return store.match(row.match_id).setup
    return None
