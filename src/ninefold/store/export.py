"""Everything that is kept, as JSON Lines: out of one store and into another."""

from __future__ import annotations

from ninefold.errors import ExportError, RecordError
from ninefold.store.as_json import read_entry, write_entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ninefold.store.port import Entry, Imported, Store


def export_lines(store: Store) -> Iterator[str]:
    """Write everything, one line an entry, line ends not included."""
    return map(write_entry, store.entries())


def import_lines(store: Store, lines: Iterable[str]) -> Imported:
    """Add what an export holds; a line that cannot be read refuses the whole."""
    return store.take_in(_read_lines(lines))


def _read_lines(lines: Iterable[str]) -> Iterator[Entry]:
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                yield read_entry(line)
            except RecordError as error:
                raise ExportError(number, _problem(error)) from None


def _problem(error: RecordError) -> str:
    """Say what is wrong; the only line of an entry is not worth mentioning."""
    return str(error).removeprefix("line 1: ").removeprefix("line 1, ")
