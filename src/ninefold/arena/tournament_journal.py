"""The journal of a tournament: a file from which it resumes after any interruption.

It is JSON Lines: the plan, then the score of each finished chunk. A line is on disk
before the next chunk counts. An incomplete last line is cut off. An editor may have
added a byte-order mark or changed the line endings.
"""

from __future__ import annotations

import os
import sys
from codecs import BOM_UTF8
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path

from ninefold.arena.tournament import JOURNAL, Plan, Score
from ninefold.errors import NinefoldError, RecordError
from ninefold.notation.codec import decode, encode_bytes

if sys.platform != "win32":
    import fcntl

_LONGEST_HEAD = 1_000_000


class Journal:
    """The scores of a tournament, appended to a file as they come in."""

    def __init__(self, path: Path | None, plan: Plan) -> None:
        """Open or create a file; raise an error if it belongs to another tournament.

        Without a file, the scores are in memory only.
        """
        self._path = path
        self.scores: dict[int, Score] = {}
        """The scores of finished chunks, by the chunk's number."""
        with self._io():
            self._file = BytesIO() if path is None else path.open("a+b")
        try:
            self._lock()
            self._read(plan)
        except NinefoldError:
            self.close()
            raise

    def _lock(self) -> None:
        """Raise an error if another run writes the file; Windows cannot tell."""
        if self._path is None or sys.platform == "win32":
            return
        try:
            fcntl.flock(self._file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            message = (
                f"another run is using the journal {self._path}; wait for it to"
                " finish, or use another file"
            )
            raise NinefoldError(message) from None

    def _read(self, plan: Plan) -> None:
        head = encode_bytes(plan.without_commands()) + b"\n"
        with self._io():
            self._file.seek(0)
            first = self._file.readline(_LONGEST_HEAD)
            if not head.startswith(_plain(first)):
                raise NinefoldError(self._why_not(first))
            content = first + self._file.read()
        *lines, torn = content.split(b"\n")
        for number, line in enumerate(lines[1:], start=2):
            try:
                score = decode(line, Score)
            except RecordError:
                score = None
            if score is None or not plan.accepts(score):
                message = (
                    f"{self._path}: line {number} is damaged; delete it, and its games"
                    " are played again"
                )
                raise NinefoldError(message)
            if self.scores.setdefault(score.chunk, score) != score:
                message = (
                    f"{self._path}: line {number} has another score for chunk"
                    f" {score.chunk} than an earlier line; delete one of them"
                )
                raise NinefoldError(message)
        with self._io():
            if torn:
                self._file.truncate(len(content) - len(torn))
            if not lines:
                self._append(head)

    def _why_not(self, content: bytes) -> str:
        if JOURNAL.encode() not in content:
            return f"{self._path} is not a tournament journal; use another file"
        return (
            f"{self._path} is the journal of another tournament; use another file, or"
            " repeat that tournament's contestants and options to continue it"
        )

    def add(self, score: Score) -> None:
        """Append the score of a chunk, without the last words of bots."""
        score = score.without_last_words()
        with self._io():
            self._append(encode_bytes(score) + b"\n")
        self.scores[score.chunk] = score

    def _append(self, line: bytes) -> None:
        self._file.write(line)
        self._file.flush()
        if self._path is not None:
            os.fsync(self._file.fileno())

    @contextmanager
    def _io(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            problem = error.strerror or str(error).rstrip(".")
            message = (
                f"the journal {self._path} cannot be written: {problem};"
                " use another file"
            )
            raise NinefoldError(message) from None

    def close(self) -> None:
        with suppress(OSError):  # it was reported when the line was written
            self._file.close()


def _plain(line: bytes) -> bytes:
    """Return the first line without the changes of an editor."""
    return line.removeprefix(BOM_UTF8).replace(b"\r", b"")
