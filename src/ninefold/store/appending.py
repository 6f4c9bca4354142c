"""Appending commands to the logs of any number of matches, in a few statements.

What is there is read first, and what is new is written last.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from ninefold.errors import BeyondBounds, OutOfStep, UnknownMatch
from ninefold.session import Session, Setup
from ninefold.store.checks import check_book, check_id
from ninefold.store.played import Games, MatchColumns, begin, play_on
from ninefold.store.rows import (
    Stored,
    columns_of,
    find_rows,
    insert_log,
    insert_match,
    load_match,
    state_of,
    update_matches,
    update_names,
    write_games,
)
from ninefold.store.sql import Connection
from ninefold.store.values import Append, Logged

Known = Callable[[str], Session | None]
"""Finds the session of a match that was used before; the match may have gone on."""


def append_all(
    connection: Connection, appends: Sequence[Append], known: Known, now: datetime
) -> dict[str, Session]:
    """Append commands to matches, or make matches with them; return their sessions."""
    rows = find_rows(connection, {append.match_id for append in appends})
    opened: dict[str, _Opened] = {}
    for append in appends:
        match_id = append.match_id
        if match_id not in opened:
            if match_id in rows:
                here = _resume(connection, match_id, rows[match_id], known)
            else:
                here = _make(connection, append, now)
            opened[match_id] = here
        opened[match_id].take(connection, append, now)
    matches = opened.values()
    insert_log(connection, ((one.key, new) for one in matches for new in one.log))
    write_games(
        connection, (game for one in matches for game in columns_of(one.key, one.games))
    )
    update_matches(connection, {one.key: state_of(one.session, now) for one in matches})
    names = {one.key: one.names for one in matches if one.names != one.had}
    if names:  # few appends have some, and each statement takes its time
        update_names(connection, names)
    return {match_id: one.session for match_id, one in opened.items()}


class _Opened:
    """A match that is appended to: its session, and what is to be written of it."""

    def __init__(self, key: int, session: Session, games: Games) -> None:
        self.key = key
        self.session = session
        self.games = games
        self.log: list[Logged] = []
        self.had = self.names

    @property
    def names(self) -> tuple[str, str]:
        return self.session.setup.names

    def take(self, connection: Connection, append: Append, now: datetime) -> None:
        """Play commands; refuse those that were meant for another revision."""
        match_id, number, setup = append.match_id, append.number, append.setup
        if number != self.session.revision + 1 or setup not in (
            None,
            self.session.setup,
        ):
            came = load_match(connection, match_id).log[max(number, 1) - 1 :]
            raise OutOfStep(match_id, number, came)
        log = [
            Logged(number, command, now, append.request)
            for number, command in enumerate(append.commands, start=number)
        ]
        self.session = play_on(self.session, log, self.games)
        self.log += log


def _resume(
    connection: Connection, match_id: str, row: Stored, known: Known
) -> _Opened:
    """Open a match that is there; what is known of it is used if it still holds."""
    if row.beyond is not None:
        raise BeyondBounds(match_id, row.beyond)
    session = known(match_id)
    if session is None or session.revision != row.revision:
        session = load_match(connection, match_id).session
    return _Opened(row.key, session, Games())


def _make(connection: Connection, append: Append, now: datetime) -> _Opened:
    """Make a match, without its log."""
    setup = _setup_of(append)
    session, games = begin(setup, now)
    columns = MatchColumns.of(append.match_id, setup, now)
    key = insert_match(connection, columns, state_of(session, now))
    return _Opened(key, session, games)


def _setup_of(append: Append) -> Setup:
    if append.setup is None:
        raise UnknownMatch(append.match_id)
    if append.number != 1:
        raise OutOfStep(append.match_id, append.number)
    check_id(append.match_id)
    check_book(append.setup)
    return append.setup
