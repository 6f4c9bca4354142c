"""The journal of a tournament: a file from which it goes on after any end.

It is JSON Lines: the plan, then the score of each chunk that is done. A line is on disk
before the next chunk counts. A last line that is torn is cut off. An editor may have
saved it with a byte-order mark and with other line ends.
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
    """The scores of a tournament, kept in a file as they come."""

    def __init__(self, path: Path | None, plan: Plan) -> None:
        """Open a file, or make one; refuse a file that is not of this tournament.

        Without a file, the scores are kept in memory alone.
        """
        self._path = path
        self.scores: dict[int, Score] = {}
        """What is done, by the number of the chunk."""
        with self._io():
            self._file = BytesIO() if path is None else path.open("a+b")
        try:
            self._lock()
            self._read(plan)
        except NinefoldError:
            self.close()
            raise

    def _lock(self) -> None:
        """Refuse a file that another run writes; on Windows nobody can tell."""
        if self._path is None or sys.platform == "win32":
            return
        try:
            fcntl.flock(self._file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            message = (
                f"another run writes the journal {self._path}; wait for its end,"
                " or name another file"
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
                    f"{self._path}: line {number} is damaged; remove it, and its games"
                    " are played again"
                )
                raise NinefoldError(message)
            if self.scores.setdefault(score.chunk, score) != score:
                message = (
                    f"{self._path}: line {number} has another score of chunk"
                    f" {score.chunk} than a line before it; remove one of them"
                )
                raise NinefoldError(message)
        with self._io():
            if torn:
                self._file.truncate(len(content) - len(torn))
            if not lines:
                self._append(head)

    def _why_not(self, content: bytes) -> str:
        if JOURNAL.encode() not in content:
            return f"{self._path} is no journal of a tournament; name another file"
        return (
            f"{self._path} is the journal of another tournament; name another file,"
            " or give the contestants and options of that one to go on with it"
        )

    def add(self, score: Score) -> None:
        """Keep the score of a chunk."""
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
                " name another file"
            )
            raise NinefoldError(message) from None

    def close(self) -> None:
        with suppress(OSError):  # it was said when the line was written
            self._file.close()


def _plain(line: bytes) -> bytes:
    """Return the first line as it was written, whatever an editor made of it."""
    return line.removeprefix(BOM_UTF8).replace(b"\r", b"")
