"""``ninefold export``: everything that is kept, as JSON Lines."""

from __future__ import annotations

import click

from ninefold.cli.console import Console
from ninefold.cli.storage import opened_store
from ninefold.store import export_lines
from ninefold.views.encoding import escape_json


@click.command(epilog="Example:  ninefold export > games.jsonl")
@click.pass_obj
def command(console: Console) -> None:
    """Write everything that is kept.

    It goes to standard output, a line of JSON each.
    """
    with opened_store(console) as store:
        for line in export_lines(store):
            console.write(f"{escape_json(line)}\n")
