"""``ninefold facts``: the multiplication facts, known and shaky."""

from __future__ import annotations

from collections.abc import Sequence

import click

from ninefold.cli.console import Console
from ninefold.cli.drawing import draw_line
from ninefold.cli.layout import say_wrapped
from ninefold.cli.storage import opened_store
from ninefold.learning import Standing
from ninefold.views import FactRow, write_view
from ninefold.views.progress import facts_of

_NUMBERS = range(2, 10)
_GLYPHS = {Standing.KNOWN: "+", Standing.SHAKY: "?", Standing.NEW: "."}
_STYLES = {Standing.KNOWN: "green", Standing.SHAKY: "red", Standing.NEW: "dim"}
_PRESSING = (Standing.SHAKY, Standing.NEW, Standing.KNOWN)
"""What to learn first, first."""
_MEANINGS = {
    Standing.KNOWN: "known: right the last three times",
    Standing.SHAKY: "shaky: wrong at least once in the last three times",
    Standing.NEW: "new: not asked for three times yet",
}


@click.command()
@click.option("--csv", "as_csv", is_flag=True, help="As CSV, for a spreadsheet.")
@click.option("--json", "as_json", is_flag=True, help="As JSON, for programs.")
@click.pass_obj
def command(console: Console, *, as_csv: bool, as_json: bool) -> None:
    """Show which products you know.

    They are gathered while you play with --mental.
    """
    if as_csv and as_json:
        message = "--csv and --json are two ways to answer; give one of them."
        raise click.UsageError(message)
    with opened_store(console) as store:
        rows = facts_of(store.answers())
    if as_json:
        console.write(write_view(rows))
    elif as_csv:
        console.write("fact,standing,right,asked\n")
        for row in rows:
            console.write(f"{row.fact},{row.standing.value},{row.right},{row.asked}\n")
    elif console.plain:
        for row in sorted(rows, key=lambda row: _PRESSING.index(row.standing)):
            asked = f"right {row.right} of {row.asked}"
            console.say(f"{row.fact}: {row.standing.value}, {asked}\n")
    else:
        _draw_grid(console, rows)


def _draw_grid(console: Console, rows: Sequence[FactRow]) -> None:
    standings = {row.fact: row.standing for row in rows}
    console.say("     " + "  ".join(map(str, _NUMBERS)) + "\n")
    for row in _NUMBERS:
        line = [(f"  {row}  ", "")]
        for column in _NUMBERS:
            standing = standings[f"{min(row, column)}x{max(row, column)}"]
            line.append((f"{_GLYPHS[standing]}  ", _STYLES[standing]))
        draw_line(console, line)
    console.say("\n")
    for standing, meaning in _MEANINGS.items():
        count = list(standings.values()).count(standing)
        told = f"{_GLYPHS[standing]} {meaning} ({count} of {len(rows)})"
        say_wrapped(console, told)
