"""``ninefold facts``: the multiplication facts, known and shaky."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ninefold.cli.drawing import draw
from ninefold.cli.storage import opened_store
from ninefold.coach import Fact, Product, Standing, mastery

if TYPE_CHECKING:
    from ninefold.cli.console import Console
    from ninefold.coach import Mastery

_NUMBERS = range(2, 10)
_GLYPHS = {Standing.KNOWN: "+", Standing.SHAKY: "?", Standing.NEW: "."}
_STYLES = {Standing.KNOWN: "green", Standing.SHAKY: "red", Standing.NEW: "dim"}
_MEANINGS = {
    Standing.KNOWN: "known: right the last three times",
    Standing.SHAKY: "shaky: wrong at least once in the last three times",
    Standing.NEW: "new: not asked for three times yet",
}


@click.command()
@click.option("--csv", "as_csv", is_flag=True, help="As CSV, for a spreadsheet.")
@click.pass_obj
def command(console: Console, *, as_csv: bool) -> None:
    """Show which products you know.

    They are gathered while you play with --mental.
    """
    with opened_store(console) as store:
        answers = store.answers()
    found = mastery(Product(each.a, each.b, each.answer) for each in answers)
    if as_csv:
        console.say("fact,standing,right,asked\n")
        for each in found.values():
            console.say(
                f"{_name(each)},{each.standing.value},{each.right},{each.asked}\n"
            )
    elif console.plain:
        for each in found.values():
            asked = f"right {each.right} of {each.asked}"
            console.say(f"{_name(each)}: {each.standing.value}, {asked}\n")
    else:
        _draw_grid(console, found)


def _name(each: Mastery) -> str:
    return f"{each.fact.low}x{each.fact.high}"


def _draw_grid(console: Console, found: dict[Fact, Mastery]) -> None:
    from rich.text import Text

    console.say("     " + "  ".join(map(str, _NUMBERS)) + "\n")
    for row in _NUMBERS:
        line = Text(f"  {row}  ")
        for column in _NUMBERS:
            standing = found[Fact(row, column)].standing
            line.append(f"{_GLYPHS[standing]}  ", style=_STYLES[standing])
        line.rstrip()
        draw(console, line)
    console.say("\n")
    for standing, meaning in _MEANINGS.items():
        count = sum(each.standing is standing for each in found.values())
        console.say(f"{_GLYPHS[standing]} {meaning} ({count} of {len(found)})\n")
