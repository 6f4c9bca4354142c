"""The player's store, and finding the match or game that a person names."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from msgspec import Struct

from ninefold.cli.console import Console, UnreadableInput, read_file
from ninefold.cli.options import did_you_mean
from ninefold.errors import (
    NinefoldError,
    RecordError,
    StoreError,
    StoreUnavailable,
    UnknownMatch,
)
from ninefold.game import Seat
from ninefold.notation import Record, is_record, read
from ninefold.rulebooks import KEYS, Rulebook, load, parse
from ninefold.session import Session
from ninefold.session.setup import check_name
from ninefold.store import (
    DEFAULT_LEARNER,
    MOST_FOUND,
    Filter,
    GameRow,
    LogWriter,
    Store,
)
from ninefold.store.local_table import LocalTable
from ninefold.text import excerpt

SURFACE = "classic"
"""This surface's name in the store."""
LAST = "last"
_WHERE_IDS_ARE = "; ninefold history shows their ids"
_LARGEST_RECORD = 10_000_000
_NO_NAMES = (str(Seat.ONE), str(Seat.TWO))
_ID = re.compile(r"([\w-]+)(?:\.([0-9]{1,9}))?")
"""An id or the start of one and, after a dot, the number of a game."""


def home(environ: Mapping[str, str]) -> str:
    """Return the folder of the store: NINEFOLD_HOME, or the system's data folder."""
    chosen = environ.get("NINEFOLD_HOME", "").strip()
    if chosen:
        try:
            return str(Path(chosen).expanduser())
        except RuntimeError:  # ~user of a user that does not exist
            problem = "that home folder does not exist; set NINEFOLD_HOME to another"
            raise StoreUnavailable(chosen, problem) from None
    # Importing platformdirs takes 6 ms: only when a game is stored.
    from platformdirs import user_data_dir

    return user_data_dir("ninefold", appauthor=False)


def player_store(console: Console) -> Store:
    """Return the player's store; its file is opened at first use."""
    # Importing SQLite takes 6 ms: not before the first prompt.
    from ninefold.store.sqlite import SqliteStore

    return SqliteStore(
        home(console.environ), clock=console.clock, new_id=lambda: str(uuid4())
    )


def open_table(
    console: Console,
    session: Session,
    *,
    save: bool = True,
    match_id: str | None = None,
) -> LocalTable:
    """Return a table for a match on this machine, which is stored if ``save``.

    ``match_id`` is the id of a match that is already stored.
    """
    writer = LogWriter(
        lambda: player_store(console),
        console.print_error,
        surface=SURFACE,
        save=save,
        match_id=match_id,
    )
    return LocalTable(session, writer)


@contextmanager
def open_store(console: Console) -> Iterator[Store]:
    """Open the player's store; print its notices at the end."""
    with player_store(console) as store:
        try:
            yield store
        finally:
            for notice in store.pop_notices():
                console.print_error(notice)


def learner_name(
    console: Console, name: str | None = None, *, save: bool = True
) -> str | None:
    """Return the learner's name for the only person at a table, or None.

    A given ``name`` becomes the current learner, if ``save``; without one, the latest
    learner is used.
    """
    if name is not None:
        check_name(name)
    try:
        with open_store(console) as store:
            if name is None:
                learner = store.latest_learner()
                name = None if learner is None else learner.name
            elif save:
                name = store.choose_learner(name).name
    except StoreError:
        pass  # the first move will report why nothing can be saved
    return None if name in (DEFAULT_LEARNER, *_NO_NAMES) else name


class NoStoredGame(NinefoldError):
    """There is no saved game to resume or review."""


class NamedGame(Struct, frozen=True):
    """A game that was found by its name: a record or a stored game."""

    record: Record
    names: tuple[str, str] = _NO_NAMES
    book: Rulebook | None = None
    """Its rule book, if that is built in or stored with the game."""
    programs: tuple[Seat, ...] = ()
    """The seats that levels played, if known."""
    given_back: tuple[int, int] = (0, 0)
    """How many moves the coach gave back to each seat, if known."""
    failure: str = ""
    """Why a bot failed and lost the game, if one did."""


def find_game(console: Console, name: str) -> NamedGame:
    """Find a game by the name that a person typed.

    ``name`` is a record line, a file, ``-`` for standard input, ``last`` for the last
    game played, or the id of a stored game: see ``find_match``. A file takes precedence
    over an id of the same spelling.
    """
    if name == LAST:
        return _last_game(console)
    if name == "-":
        try:
            return _game_of(read(console.read_all(_LARGEST_RECORD)))
        except UnreadableInput as error:
            place = "standard input"
            raise RecordError(place, str(error)) from None
    if is_record(name):
        return _game_of(read(name))
    if _ID.fullmatch(name) and not os.path.lexists(name):
        return _stored_game(console, name)
    try:
        return _game_of(read(read_file(Path(name), _LARGEST_RECORD)))
    except UnreadableInput as error:
        problem = f"{error}; and it is not a record, which starts with nf1."
        raise RecordError(excerpt(name), problem) from None


def find_match(store: Store, name: str, *, unfinished: bool = False) -> str:
    """Return the id of the only match whose id starts with ``name``.

    The number of a game after a dot is ignored.
    """
    found = _ID.fullmatch(name)
    beginning = found[1] if found else name
    fitting = store.find(beginning, unfinished=unfinished)
    if not fitting:
        raise UnknownMatch(excerpt(name))
    if len(fitting) > 1:
        many = len(fitting) if len(fitting) < MOST_FOUND else f"{MOST_FOUND} or more"
        kind, lists = "games", "ninefold history"
        if unfinished:
            kind, lists = "unfinished games", "ninefold resume --list"
        message = f"{many} {kind} start with '{excerpt(beginning)}'"
        message += f"; type more of the id ({lists} shows it)"
        raise NinefoldError(message)
    return fitting[0]


def games_of(store: Store, match_id: str) -> list[GameRow]:
    """Return the games of a match and its rematches, the oldest first."""
    rows = store.history(Filter(match=match_id))
    return sorted(rows, key=lambda row: (row.match_number, row.number))


def _stored_game(console: Console, name: str) -> NamedGame:
    with open_store(console) as store:
        try:
            games = games_of(store, find_match(store, name))
        except UnknownMatch:
            meant = did_you_mean(name, [LAST])
            message = (
                f"'{excerpt(name)}' is not a file, a record (nf1. ...) or a saved"
                f" game{meant or _WHERE_IDS_ARE}"
            )
            raise NinefoldError(message) from None
    _, dot, number = name.partition(".")
    place = int(number) if dot else len(games)
    if not 1 <= place <= len(games):
        named = excerpt(name)
        message = f"'{named}' is not one of the {len(games):,} games under this id"
        raise NinefoldError(message)
    return _game_of_row(games[place - 1])


def _last_game(console: Console) -> NamedGame:
    with open_store(console) as store:
        games = store.history(limit=1)
    if not games:
        message = "there is no saved game yet; play one, or give a record"
        raise NoStoredGame(message)
    return _game_of_row(games[0])


def _game_of(record: Record) -> NamedGame:
    return NamedGame(record, book=load(record.book) if record.book in KEYS else None)


def _game_of_row(row: GameRow) -> NamedGame:
    named = _game_of(row.record())
    book = named.book
    if row.book_text is not None:
        book = parse(row.book_text, key=row.book, source=row.book)
    levels = zip(Seat, row.levels, strict=True)
    programs = tuple(seat for seat, level in levels if level is not None)
    return NamedGame(
        named.record, row.names, book, programs, row.given_back, row.failure
    )
