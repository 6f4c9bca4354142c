"""The secrets of this player's seats, so that the same command rejoins them.

One file, which only its owner can read: anyone who has a secret can play the seat. The
id of a request is on disk before it is sent, so that the server recognises a repeat.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct, field

from ninefold.errors import OnlineError, RecordError, StoreUnavailable
from ninefold.notation.codec import decode, encode_bytes
from ninefold.online.http_client import new_request_id
from ninefold.online.links import MatchLink
from ninefold.online.messages import CreateMatch
from ninefold.store.files import make_folder, open_private

FILE_NAME = "seats.json"
_MOST_ENTRIES = 500

Value = TypeVar("Value")


class _Content(Struct):
    """The content of the file, latest entries last."""

    secrets: dict[str, str] = field(default_factory=dict)
    """The secret of a seat, by the link of its match on the server that issued it."""
    requests: dict[str, str] = field(default_factory=dict)
    """The id of a request for a seat, by its purpose."""
    matches: dict[str, CreateMatch] = field(default_factory=dict)
    """The request that created a match, by its server and agreement."""


class Credentials:
    """Secrets and request ids, in a file."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / FILE_NAME

    def secret(self, link: MatchLink) -> str | None:
        """Return the secret of the seat taken at a match, or None."""
        return self._read().secrets.get(str(link))

    def add_secret(self, link: MatchLink, secret: str) -> None:
        """Store the secret of the seat taken at a match.

        Ids are unique. A server that reuses the id of another server's match, without
        its secret, could replace that match's copy at home: raise ``OnlineError``.
        """
        with self._changing() as content:
            for other, known in content.secrets.items():
                server, _, match_id = other.rpartition("/m/")
                if match_id == link.id and server != link.server and known != secret:
                    message = (
                        f"{link.server} offered a match that you play at {server};"
                        " continue it there"
                    )
                    raise OnlineError(message)
            _put_last(content.secrets, str(link), secret)

    def request_id(self, purpose: str) -> str:
        """Return the id of the request for a purpose: the same until forgotten."""
        with self._changing() as content:
            made = content.requests.get(purpose) or new_request_id()
            _put_last(content.requests, purpose, made)
            return made

    def has_request(self, beginning: str) -> bool:
        """Whether there is a request whose purpose has this beginning."""
        return any(purpose.startswith(beginning) for purpose in self._read().requests)

    def forget_request(self, purpose: str) -> None:
        """Forget a request, so that the next one gets another id."""
        with self._changing() as content:
            content.requests.pop(purpose, None)

    def match_request(self, agreement: str) -> CreateMatch | None:
        """Return the request that created the match of an agreement, or None."""
        return self._read().matches.get(agreement)

    def add_match_request(self, request: CreateMatch, *agreements: str) -> None:
        """Store the request for a match under each of its agreements."""
        with self._changing() as content:
            for agreement in agreements:
                _put_last(content.matches, agreement, request)

    def forget_match_request(self, request: CreateMatch) -> None:
        """Forget a match, so that the same agreement creates another one."""
        with self._changing() as content:
            for agreement, other in [*content.matches.items()]:
                if other == request:
                    del content.matches[agreement]

    @contextmanager
    def _changing(self) -> Iterator[_Content]:
        """Yield the content to change, and write it; other programs wait meanwhile."""
        with self._locked():
            content = self._read()
            before = msgspec.json.encode(content)
            yield content
            if msgspec.json.encode(content) != before:
                self._write(content)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        try:
            import fcntl  # not every system has it
        except ImportError:
            yield
            return
        try:
            make_folder(self._file.parent)
            lock = self._file.with_name(f"{FILE_NAME}.lock")
            held = open_private(lock, "ab")
        except OSError as error:
            raise self._unavailable(error) from error
        try:
            with suppress(OSError):  # not every file system has locks
                fcntl.flock(held, fcntl.LOCK_EX)
            yield
        finally:
            held.close()

    def _read(self) -> _Content:
        try:
            return decode(self._file.read_bytes(), _Content)
        except FileNotFoundError:
            return _Content()
        except OSError as error:
            raise self._unavailable(error) from error
        except RecordError:
            problem = "this is not a file of seats; delete it to start over"
            raise StoreUnavailable(str(self._file), problem) from None

    def _write(self, content: _Content) -> None:
        """Replace the file atomically."""
        new = self._file.with_name(f"{FILE_NAME}.{os.getpid()}")
        try:
            try:
                with open_private(new, "wb") as written:
                    written.write(encode_bytes(content))
                    written.flush()
                    os.fsync(written.fileno())
                new.replace(self._file)
            finally:
                with suppress(OSError):  # already moved, unless writing failed
                    new.unlink()
        except OSError as error:
            raise self._unavailable(error) from error

    def _unavailable(self, error: OSError) -> StoreUnavailable:
        return StoreUnavailable.because(str(self._file), error, "set NINEFOLD_HOME")


def _put_last(entries: dict[str, Value], key: str, value: Value) -> None:
    entries.pop(key, None)
    entries[key] = value
    while len(entries) > _MOST_ENTRIES:
        del entries[next(iter(entries))]
