"""``ninefold import``: take in what was exported."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ninefold.cli.files import Unreadable, read_file
from ninefold.cli.storage import opened_store
from ninefold.errors import NinefoldError
from ninefold.store import import_lines

if TYPE_CHECKING:
    from ninefold.cli.console import Console

_LARGEST_FILE = 1_000_000_000


@click.command(epilog="Example:  ninefold import games.jsonl")
@click.argument("file")
@click.pass_obj
def command(console: Console, *, file: str) -> None:
    """Add what FILE holds to what is kept.

    FILE is an export; - is standard input. What is kept already stays as it
    is, so importing twice changes nothing.
    """
    try:
        text = (
            console.read_all() if file == "-" else read_file(Path(file), _LARGEST_FILE)
        )
    except Unreadable as error:
        message = f"{file}: {error}"
        raise NinefoldError(message) from None
    with opened_store(console) as store:
        imported = import_lines(store, text.splitlines())
    console.say(
        f"Added {imported.added}, continued {imported.continued},"
        f" known already {imported.known}, different here {imported.differing}.\n"
    )
