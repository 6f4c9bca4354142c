"""``ninefold import``: take in what was exported."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from ninefold.cli.console import Console, Unreadable
from ninefold.cli.files import read_lines
from ninefold.cli.storage import opened_store
from ninefold.errors import NinefoldError
from ninefold.store import import_lines

_LONGEST_LINE = 20_000_000
"""Characters; a match of 100,000 usual games has fewer."""

_SHOWN_EVERY = 100


@click.command(epilog="Example:  ninefold import games.jsonl")
@click.argument("file")
@click.pass_obj
def command(console: Console, *, file: str) -> None:
    """Add what FILE holds to what is kept.

    FILE is an export; - is standard input. What is kept already stays as it
    is, so importing twice changes nothing.
    """
    if file == "-":
        lines = console.read_lines(_LONGEST_LINE)
    else:
        lines = read_lines(Path(file), _LONGEST_LINE)
    try:
        with opened_store(console) as store:
            imported = import_lines(store, lines, partial(_show, console))
    except Unreadable as error:
        message = f"{file}: {error}; nothing was imported"
        raise NinefoldError(message) from None
    console.progress("")
    console.say(
        f"Added {imported.added}, continued {imported.continued},"
        f" known already {imported.known}, different here {imported.differing}.\n"
    )


def _show(console: Console, count: int) -> None:
    if count % _SHOWN_EVERY == 0:
        console.progress(f"{count:,} entries")
