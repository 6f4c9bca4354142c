"""Export everything in a store as JSON Lines, and import it into another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from ninefold.errors import ExportError, RecordError
from ninefold.notation.codec import decode, encode
from ninefold.store.match_store import Store
from ninefold.store.values import Entry, Imported, Learner, StoredAnswer, StoredMatch

VERSION = 1
LONGEST_LINE = 32 * 1024 * 1024
"""The most characters in a line of an import: a log of 300,000 commands."""

_KINDS: dict[str, type[Entry]] = {
    "match": StoredMatch,
    "learner": Learner,
    "answer": StoredAnswer,
}


class _Head(Struct, frozen=True):
    """The keys that identify the version and kind of a line."""

    ninefold: int
    kind: str


def export_lines(store: Store) -> Iterator[str]:
    """Yield one line for each entry in a store, without line ends."""
    return map(write_entry, store.entries())


def write_entry(entry: Entry) -> str:
    """Encode an entry as a JSON object on one line."""
    return f'{{"ninefold": {VERSION}, {encode(entry)[1:]}'


def import_lines(
    store: Store,
    lines: Iterable[str],
    progress: Callable[[int], None] | None = None,
) -> Imported:
    """Add the entries of an export; one invalid line rejects all of them.

    ``progress`` is called with the number of entries imported so far.
    """
    reader = _LineReader(lines)
    try:
        return store.import_entries(reader, progress)
    except RecordError as error:
        # Each entry was decoded by itself, so the decoder's line is always 1.
        problem = str(error).removeprefix("line 1: ").removeprefix("line 1, ")
        raise ExportError(reader.number, problem) from None


class _LineReader:
    """Reads entries one by one; ``number`` is the line of the latest."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = lines
        self.number = 0

    def __iter__(self) -> Iterator[Entry]:
        for line in self._lines:
            self.number += 1
            if len(line) > LONGEST_LINE:
                place, problem = (
                    "line 1",
                    f"expected at most {LONGEST_LINE:,} characters",
                )
                raise RecordError(place, problem)
            if line.strip():
                yield read_entry(line)


def read_entry(line: str) -> Entry:
    """Decode a line of an export; a ``RecordError`` names an invalid key."""
    head = decode(line, _Head)
    if head.ninefold != VERSION:
        place, problem = "ninefold", f"expected version {VERSION}"
        raise RecordError(place, problem)
    if head.kind not in _KINDS:
        place, problem = "kind", "expected match, learner or answer"
        raise RecordError(place, problem)
    return decode(line, _KINDS[head.kind])
