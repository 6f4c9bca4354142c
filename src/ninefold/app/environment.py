"""Everything that the app takes from outside: the store, chance, time and pace."""

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
"""What the store calls this surface."""
_MATCHES_LOOKED_THROUGH = 20
_SECONDS_TO_THINK = 0.8
_SEED_BITS = 32


def _no_files(path: str) -> tuple[Rulebook, str | None]:
    problem = "no file can be opened from here"
    raise RulebookError(path, "", problem)


class Environment(Struct, frozen=True):
    """What every screen is given."""

    open_store: Callable[[], Store]
    seed: Callable[[], int] = lambda: secrets.randbits(_SEED_BITS)
    clock: Callable[[], float] = monotonic
    """Seconds, to measure how long an answer takes."""
    think: Callable[[], Awaitable[object]] = lambda: sleep(_SECONDS_TO_THINK)
    """What is awaited before a level moves, so that its move is seen to happen."""
    motion: bool = True
    """Whether a hop draws itself."""
    memory: PreferencesFile = field(default_factory=PreferencesFile)
    """Where choices are remembered."""
    zone: tzinfo | None = None
    """The zone that times are shown in; None for the machine's own."""
    seats_folder: Callable[[], Path] = Path
    """Where the seats are kept that were taken online."""
    server: str = ""
    """The address of the server that is offered first; empty where there is none."""
    own_server: Callable[[], str] | None = None
    """Opens a server on this machine, until the app ends; returns its address."""
    draw_qr: Callable[[str], str] = lambda _: ""
    """Draws an address as a QR code; returns an empty text where it cannot."""
    read_rulebook: Callable[[str], tuple[Rulebook, str | None]] = _no_files
    """Reads a rule book of one's own from a file; returns its text, too."""

    def read(self, query: Callable[[Store], T], screen: Widget) -> T | None:
        """Ask the store; where it cannot be read, say so on a screen: None."""
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
        """Return who answers at a screen; None for the latest learner."""

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
        """Return a table for somebody's game against a level, which is not stored."""
        session, _ = start_game(task, template, self.seed(), name=name)
        return self._table(session, screen, save=False)

    def resume(self, match_id: str, screen: Widget) -> LocalTable | None:
        """Return to a stored match; where it cannot be played, say so: None."""
        session = self.read(lambda store: store.match(match_id).session, screen)
        return None if session is None else self._table(session, screen, match_id)

    def try_again(
        self, setup: Setup, first: Seat, retry: Retry, screen: Widget
    ) -> LocalTable:
        """Begin a game anew from some of its moves, as a match of its own at home."""
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
    """Show a sentence over the screen for a while; any thread may call this."""
    app.notify(text, severity="warning", markup=False)


def latest_setup(store: Store, *, against_level: bool) -> Setup | None:
    """Return the set-up of the latest match of a person and a level, or of people."""
    for row in store.history(limit=_MATCHES_LOOKED_THROUGH):
        players = [row.setup.player_kind(seat) for seat in Seat]
        if HUMAN not in players or BOT in players or row.origin is not None:
            continue
        if any(row.levels) is against_level:
            return store.match(row.match_id).setup
    return None
