"""Everything that is stored, as JSON Lines: out of one store and into another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from msgspec import Struct

from ninefold.errors import ExportError, RecordError
from ninefold.notation.codec import decode, encode
from ninefold.store.learned import ProductAnswer
from ninefold.store.port import Entry, Imported, Store
from ninefold.store.shapes import VERSION, AnswerLine, AttemptLine, MatchLine, refuse
from ninefold.store.values import KeptMatch, OldMatch
from ninefold.store.version1 import AnswerLine1, AttemptLine1, import_match

LONGEST_LINE = 32 * 1024 * 1024
"""How many characters a line of an import may have: a log of 300,000 commands."""

_Reader: TypeAlias = Callable[[str], Entry]


class _Head(Struct, frozen=True):
    """The keys that say which shape a line has."""

    ninefold: int
    kind: str


_READERS: dict[int, dict[str, _Reader]] = {
    1: {
        "match": import_match,
        "answer": lambda line: decode(line, AnswerLine1).product_answer(),
        "attempt": lambda line: decode(line, AttemptLine1).puzzle_try(),
    },
    VERSION: {
        "match": lambda line: decode(line, MatchLine).match(),
        "answer": lambda line: decode(line, AnswerLine).product_answer(),
        "attempt": lambda line: decode(line, AttemptLine).puzzle_try(),
    },
}


def export_lines(store: Store) -> Iterator[str]:
    """Write everything, one line an entry, line ends not included."""
    return map(write_entry, store.entries())


def import_lines(
    store: Store,
    lines: Iterable[str],
    progress: Callable[[int], None] | None = None,
) -> Imported:
    """Add the entries of an export; a line that is refused refuses the whole.

    ``progress`` is told how many entries have been taken in.
    """
    reader = _LineReader(lines)
    try:
        return store.take_in(reader, progress)
    except RecordError as error:
        raise ExportError(reader.number, _problem(error)) from None


def _problem(error: RecordError) -> str:
    """Say what is wrong; the only line of an entry is not worth mentioning."""
    return str(error).removeprefix("line 1: ").removeprefix("line 1, ")


class _LineReader:
    """Entries, read one by one; ``number`` is the line of the latest."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = lines
        self.number = 0

    def __iter__(self) -> Iterator[Entry]:
        for line in self._lines:
            self.number += 1
            if len(line) > LONGEST_LINE:
                problem = f"expected at most {LONGEST_LINE:,} characters"
                refuse("line 1", problem)
            if line.strip():
                yield read_entry(line)


def write_entry(entry: Entry) -> str:
    """Write an entry as a JSON object on one line."""
    if isinstance(entry, OldMatch):
        return entry.line
    if isinstance(entry, KeptMatch):
        return encode(MatchLine.of(entry))
    if isinstance(entry, ProductAnswer):
        return encode(AnswerLine.of(entry))
    return encode(AttemptLine.of(entry))


def read_entry(line: str) -> Entry:
    """Read a line of this version or of the one before; refuse with the key."""
    head = decode(line, _Head)
    kinds = _READERS.get(head.ninefold)
    if kinds is None:
        versions = " or ".join(map(str, _READERS))
        refuse("ninefold", f"expected version {versions}")
    if head.kind not in kinds:
        refuse("kind", "expected match, answer or attempt")
    return kinds[head.kind](line)
