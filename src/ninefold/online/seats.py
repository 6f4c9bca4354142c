"""The seats that a person has taken, so that the same command comes back to them.

One file, which its owner alone may read: whoever has a secret plays the seat.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ninefold.errors import StoreUnavailable
from ninefold.online.client import new_request_id
from ninefold.online.messages import CreateMatch

FILE_NAME = "seats.json"
_MOST_KEPT = 500


class _Seat(Struct, frozen=True):
    """The secret of a seat."""

    server: str
    match: str
    secret: str


class _Request(Struct, frozen=True):
    """The id of a request that made or took a seat, and what it asked for."""

    server: str
    what: str
    request_id: str


class _Match(Struct, frozen=True):
    """What a command asked for, by which the server knows the match again."""

    server: str
    command: str
    asked: CreateMatch


class _Kept(Struct, frozen=True):
    seats: tuple[_Seat, ...] = ()
    requests: tuple[_Request, ...] = ()
    matches: tuple[_Match, ...] = ()


class KeptSeats:
    """Keeps secrets by server and match, the latest last."""

    def __init__(self, folder: Path) -> None:
        """Take the folder of everything that is kept."""
        self._file = folder / FILE_NAME

    def secret(self, server: str, match_id: str) -> str | None:
        """Return the secret of the seat at a match; None if none was taken."""
        for seat in self._read().seats:
            if (seat.server, seat.match) == (server, match_id):
                return seat.secret
        return None

    def keep(self, server: str, match_id: str, secret: str) -> None:
        """Keep the secret of a seat."""
        with self._alone():
            kept = self._read()
            others = [
                s for s in kept.seats if (s.server, s.match) != (server, match_id)
            ]
            seats = (*others, _Seat(server, match_id, secret))[-_MOST_KEPT:]
            self._write(replace(kept, seats=seats))

    def request_id(self, server: str, what: str) -> str:
        """Return the id of the request for this, the same until it is forgotten."""
        with self._alone():
            kept = self._read()
            for asked in kept.requests:
                if (asked.server, asked.what) == (server, what):
                    return asked.request_id
            made = _Request(server, what, new_request_id())
            self._write(replace(kept, requests=(*kept.requests, made)[-_MOST_KEPT:]))
            return made.request_id

    def has_request(self, server: str, beginning: str) -> bool:
        """Whether something that begins so was asked for, and not forgotten."""
        return any(
            asked.server == server and asked.what.startswith(beginning)
            for asked in self._read().requests
        )

    def forget_request(self, server: str, what: str) -> None:
        """Forget a request, so that the next one is another."""
        with self._alone():
            kept = self._read()
            others = [r for r in kept.requests if (r.server, r.what) != (server, what)]
            self._write(replace(kept, requests=tuple(others)))

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Keep other programs from changing the file meanwhile."""
        try:
            import fcntl
        except ImportError:
            yield
            return
        try:
            self._file.parent.mkdir(0o700, parents=True, exist_ok=True)
            lock = self._file.with_name(f"{FILE_NAME}.lock")
            held = os.open(lock, os.O_WRONLY | os.O_CREAT, 0o600)
        except OSError as error:
            raise self._unavailable(error) from error
        try:
            with suppress(OSError):  # not every file system has it
                fcntl.flock(held, fcntl.LOCK_EX)
            yield
        finally:
            os.close(held)

    def match_of(self, server: str, command: str) -> CreateMatch | None:
        """Return what a command asked for, if the match that it made is kept."""
        for made in self._read().matches:
            if (made.server, made.command) == (server, command):
                return made.asked
        return None

    def keep_match(self, server: str, command: str, asked: CreateMatch) -> None:
        """Keep what a command asks for, before it is asked for; once a command."""
        with self._alone():
            kept = self._read()
            others = _others(kept.matches, server, command)
            matches = (*others, _Match(server, command, asked))[-_MOST_KEPT:]
            self._write(replace(kept, matches=matches))

    def forget_match(self, server: str, command: str) -> None:
        """Forget a match, so that the same command makes another."""
        with self._alone():
            kept = self._read()
            self._write(replace(kept, matches=_others(kept.matches, server, command)))

    def _read(self) -> _Kept:
        try:
            return msgspec.json.decode(self._file.read_bytes(), type=_Kept)
        except FileNotFoundError:
            return _Kept()
        except OSError as error:
            raise self._unavailable(error) from error
        except msgspec.DecodeError:
            problem = "this holds no seats; remove it to begin anew"
            raise StoreUnavailable(str(self._file), problem) from None

    def _write(self, kept: _Kept) -> None:
        """Put a new file in place of the old one, in one step."""
        new = self._file.with_name(f"{FILE_NAME}.{os.getpid()}")
        try:
            self._file.parent.mkdir(0o700, parents=True, exist_ok=True)
            try:
                # Made for its owner alone: nobody reads it before its mode is set.
                made = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
                with os.fdopen(made, "wb") as written:
                    written.write(msgspec.json.encode(kept))
                    written.flush()
                    os.fsync(written.fileno())
                new.replace(self._file)
            finally:
                with suppress(OSError):  # it has taken the other's place
                    new.unlink()
        except OSError as error:
            raise self._unavailable(error) from error

    def _unavailable(self, error: OSError) -> StoreUnavailable:
        problem = f"{error.strerror or error}; allow it, or set NINEFOLD_HOME"
        return StoreUnavailable(str(self._file), problem)


def _others(
    matches: tuple[_Match, ...], server: str, command: str
) -> tuple[_Match, ...]:
    """Return the matches that other commands made."""
    return tuple(
        made for made in matches if (made.server, made.command) != (server, command)
    )
