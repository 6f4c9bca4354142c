"""``ninefold table``: who wins at each target."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ninefold.cli.agreement import read_whole
from ninefold.cli.jsons import rules_as_json, say_json
from ninefold.cli.layout import say_wrapped
from ninefold.cli.parameters import varied_game
from ninefold.numerals import shorten, to_json, write, write_set
from ninefold.theory import nearest_second_player_target, who_wins

if TYPE_CHECKING:
    from ninefold.cli.console import Console
    from ninefold.rulebooks import Rulebook
    from ninefold.rules import Rules
    from ninefold.theory import Stretch


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
def command(  # noqa: PLR0913 - one parameter for each option
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
    low = read_whole("lowest target", lowest)
    high = read_whole("highest target", highest if dash else lowest)
    stretches = who_wins(rules, low, high)
    if as_csv:
        console.say("lowest,highest,winner\n")
        for each in stretches:
            ends = f"{write(each.lowest)},{write(each.highest)}"
            console.say(f"{ends},{_winner(each)}\n")
        return
    if as_json:
        content = {
            "game": book.key,
            "rules": rules_as_json(rules),
            "nearest_second": to_json(nearest_second_player_target(rules)),
            "targets": [
                {
                    "lowest": to_json(each.lowest),
                    "highest": to_json(each.highest),
                    "winner": _winner(each),
                }
                for each in stretches
            ],
        }
        say_json(console, content)
        return
    multiplier_names = write_set(rules.multipliers)
    say_wrapped(console, f"{book.title}, {multiplier_names}: who wins at each target")
    console.say("\n")
    width = len(shorten(high))
    for each in stretches:
        ends = f"{shorten(each.lowest):>{width}} to {shorten(each.highest):>{width}}"
        console.say(f"{ends}  {_winner(each)} player\n")
    nearest = nearest_second_player_target(rules)
    console.say("\n")
    say_wrapped(
        console,
        f"The target nearest to {shorten(rules.target)} at which the second player"
        f" wins is {shorten(nearest)}.",
    )


def _winner(stretch: Stretch) -> str:
    return "first" if stretch.first_wins else "second"
