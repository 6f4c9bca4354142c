"""``ninefold map``: which totals are lost, as a strip, a picture or JSON."""

from __future__ import annotations

from pathlib import Path

import click

from ninefold.cli.band_strip import draw_strip
from ninefold.cli.console import Console
from ninefold.cli.parameters import varied_game
from ninefold.cli.pictures import write_picture
from ninefold.rulebooks import Rulebook
from ninefold.rules import Rules
from ninefold.views import BandMap, write_view
from ninefold.views.svg import draw_map


@click.command(
    epilog="""
\b
Examples:
  ninefold map multiplier-showdown
  ninefold map duel --target 500 --multipliers 2,5,9
  ninefold map madness --svg madness.svg
"""
)
@varied_game
@click.option(
    "--svg",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write a picture for a slide or a handout.",
)
@click.option("--json", "as_json", is_flag=True, help="As JSON, for programs.")
@click.pass_obj
def command(
    console: Console,
    *,
    book: Rulebook,
    rules: Rules,
    svg: Path | None,
    as_json: bool,
) -> None:
    """Draw the lost and the won totals of GAME.

    They stand on a line from its start to its target. A lost total is one
    from which whoever must move loses, however well they play, if the other
    player makes no mistake. So those are the totals to leave to your opponent.
    """
    if as_json and svg is not None:
        message = "--svg and --json are two ways to answer; give one of them."
        raise click.UsageError(message)
    band_map = BandMap(rules)
    if as_json:
        console.write(write_view(band_map.view(book.key)))
    elif svg is not None:
        write_picture(console, svg, draw_map(book, band_map))
    else:
        draw_strip(console, f"{book.title}: {book.describe(rules)}", band_map)
