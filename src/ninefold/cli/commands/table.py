"""``ninefold table``: who wins at each target."""

from __future__ import annotations

import click

from ninefold.cli.console import Console
from ninefold.cli.layout import say_wrapped
from ninefold.cli.parameters import varied_game
from ninefold.rulebooks import Rulebook
from ninefold.rules import Rules, parse_number
from ninefold.text import shorten, write_set
from ninefold.views import TargetsView, write_view
from ninefold.views.answers import targets_of


@click.command(
    epilog="""
\b
Examples:
  ninefold table madness --targets 2-1000
  ninefold table duel --targets 2-500 --multipliers 2-5 --csv
"""
)
@varied_game
@click.option("--targets", required=True, metavar="A-B", help="From A to B.")
@click.option("--csv", "as_csv", is_flag=True, help="As CSV, for a spreadsheet.")
@click.option("--json", "as_json", is_flag=True, help="As JSON, for programs.")
@click.pass_obj
def command(
    console: Console,
    *,
    book: Rulebook,
    rules: Rules,
    targets: str,
    as_csv: bool,
    as_json: bool,
) -> None:
    """Say who wins GAME at each target.

    With best play, that is, and for the targets from A to B. Neighbouring
    targets with the same winner stand together. --target only says from where
    to look for the nearest target of the second player.
    """
    if as_csv and as_json:
        message = "--csv and --json are two ways to answer; give one of them."
        raise click.UsageError(message)
    lowest, dash, highest = targets.partition("-")
    low = parse_number(lowest, "lowest target")
    high = parse_number(highest if dash else lowest, "highest target")
    found = targets_of(book.key, rules, low, high)
    if as_csv:
        console.write("lowest,highest,winner\n")
        for each in found.targets:
            console.write(f"{each.lowest},{each.highest},{each.winner}\n")
    elif as_json:
        console.write(write_view(found))
    else:
        _say(console, book.title, found)


def _say(console: Console, title: str, found: TargetsView) -> None:
    choices = write_set([int(each) for each in found.rules.multipliers])
    say_wrapped(console, f"{title}, {choices}: who wins at each target")
    console.say("\n")
    ends = [(shorten(int(t.lowest)), shorten(int(t.highest))) for t in found.targets]
    width = max(len(highest) for _, highest in ends)
    in_columns = 2 * width + len(" to   second player") <= console.columns
    for (lowest, highest), each in zip(ends, found.targets, strict=True):
        if in_columns:
            line = f"{lowest:>{width}} to {highest:>{width}}  {each.winner} player"
        else:
            line = f"- {lowest} to {highest}: {each.winner} player"
        console.say(f"{line}\n")
    target, nearest = int(found.rules.target), int(found.nearest_second)
    console.say("\n")
    say_wrapped(
        console,
        f"The target nearest to {shorten(target)} at which the second player"
        f" wins is {shorten(nearest)}.",
    )
