"""Importing matches: each is replayed, then added or merged by its id."""

from __future__ import annotations

from msgspec.structs import replace

from ninefold.errors import NinefoldError, RecordError, SetupError
from ninefold.game import Seat
from ninefold.rules import Ending, Rules
from ninefold.session import Session, Setup
from ninefold.store.match_log import (
    Change,
    find_matches,
    insert_match,
    read_match,
    write,
)
from ninefold.store.schema import Connection
from ninefold.store.values import Origin, StoredMatch

_PLAYABLE = Setup(rules=Rules(Ending.REACH, 100), book="multiplication-madness")


def import_match(connection: Connection, match: StoredMatch) -> str:
    """Import a match; return the field of ``Imported`` that counts it.

    Raise ``DamagedMatch``, and change nothing, if the stored match is damaged.
    """
    # An invalid match is rejected even if it is stored already.
    change = _replay(match)
    stored = find_matches(connection, (match.id,)).get(match.id)
    known, origin = 0, match.origin
    if stored is None:
        change.key = insert_match(connection, match.id, match.setup, match.begun_at)
    else:
        here = read_match(connection, stored.key, match.id)
        known, origin = len(here.log), _join(here.origin, match.origin)
        there, common = match.commands, min(len(match.log), known)
        if (
            match.setup != here.setup
            or there[:common] != here.commands[:common]
            or (match.origin is None) != (here.origin is None)
        ):
            return "differing"
        if len(there) == common:
            if origin == here.origin:
                return "known"
            match = here
            change = _replay(here)
        change.key = stored.key
    change.origin, change.set_aside_at = origin, match.set_aside_at
    for number, logged in enumerate(match.log[known:], start=known + 1):
        change.add_command(number, logged.at, logged.request, logged.command)
    write(connection, [change], match.changed_at)
    return "continued" if known else "added"


def _replay(match: StoredMatch) -> Change:
    """Replay a match; a ``RecordError`` names an invalid key."""
    change = Change(match.id)
    try:
        session = Session.start(match.setup)
    except NinefoldError as error:
        raise RecordError(_wrong_key(match.setup), str(error)) from None
    change.note(session, match.begun_at)
    for place, logged in enumerate(match.log):
        try:
            session, _ = session.apply_unchecked(logged.command)
        except NinefoldError as error:
            key = f"log[{place}]"
            raise RecordError(key, str(error)) from None
        change.note(session, logged.at)
    return change


def _wrong_key(setup: Setup) -> str:
    """Find the key that makes a setup invalid, by trying each in a valid one."""
    for name in ("names", "levels", "seed", "lessons"):
        try:
            replace(_PLAYABLE, **{name: getattr(setup, name)}).check()
        except SetupError:
            return f"setup.{name}"
    return "setup.book"


def _join(here: Origin | None, there: Origin | None) -> Origin | None:
    """Return an origin with the seats of both copies, if the server is the same.

    Seats of another server are never added: their secrets would be sent to it.
    """
    if here is None or there is None or here.server != there.server:
        return here
    seats = {*here.seats, *there.seats}
    return Origin(here.server, tuple(seat for seat in Seat if seat in seats))
