"""``ninefold export``: everything that is kept, as JSON Lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ninefold.cli.storage import opened_store
from ninefold.store import export_lines

if TYPE_CHECKING:
    from ninefold.cli.console import Console


@click.command(epilog="Example:  ninefold export > games.jsonl")
@click.pass_obj
def command(console: Console) -> None:
    """Write everything that is kept.

    It goes to standard output, a line of JSON each.
    """
    with opened_store(console) as store:
        for line in export_lines(store):
            console.say(f"{line}\n")
