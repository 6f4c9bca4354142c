"""Export and import: everything in the store, as JSON Lines."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from ninefold.cli.console import Console, UnreadableInput, lines_of, read_lines
from ninefold.cli.output import escape_json
from ninefold.cli.storage import open_store
from ninefold.errors import NinefoldError
from ninefold.store import export_lines, import_lines

_LONGEST_LINE = 20_000_000
"""Characters; a match of 100,000 usual games has fewer."""
_SHOWN_EVERY = 100


@click.command(epilog="Example:  ninefold export > games.jsonl")
@click.pass_obj
def export(console: Console) -> None:
    """Export all games and progress.

    Writes JSON Lines to standard output.
    """
    with open_store(console) as store:
        for line in export_lines(store):
            console.print_raw(f"{escape_json(line)}\n")


@click.command(epilog="Example:  ninefold import games.jsonl")
@click.argument("file")
@click.pass_obj
def import_(console: Console, *, file: str) -> None:
    """Import games and progress from FILE.

    FILE is an export; - is standard input. Existing entries are left unchanged,
    so importing twice does no harm.
    """
    if file == "-":
        lines = lines_of(console.source, _LONGEST_LINE)
    else:
        lines = read_lines(Path(file), _LONGEST_LINE)
    try:
        with open_store(console) as store:
            imported = import_lines(store, lines, partial(_show_count, console))
    except UnreadableInput as error:
        message = f"{file}: {error}; nothing was imported"
        raise NinefoldError(message) from None
    console.progress("")
    console.print(
        f"Added {imported.added}, extended {imported.continued},"
        f" already here {imported.known}, in conflict {imported.differing}.\n"
    )


def _show_count(console: Console, count: int) -> None:
    if count % _SHOWN_EVERY == 0:
        console.progress(f"{count:,} entries")
