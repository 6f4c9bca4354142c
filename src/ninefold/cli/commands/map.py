"""``ninefold map``: which totals are lost, as a strip, a picture or JSON."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ninefold.cli.band_map import BandMap
from ninefold.cli.jsons import band_as_json, numbers_as_json, rules_as_json, say_json
from ninefold.cli.parameters import varied_game
from ninefold.errors import NinefoldError

if TYPE_CHECKING:
    from ninefold.cli.console import Console
    from ninefold.rulebooks import Rulebook
    from ninefold.rules import Rules


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
        say_json(console, {"game": book.key, **_content(band_map)})
    elif svg is not None:
        from ninefold.cli.band_svg import draw_svg

        try:
            svg.write_text(draw_svg(book, band_map), encoding="utf-8")
        except OSError as error:
            message = f"{svg}: {error.strerror or error}"
            raise NinefoldError(message) from None
        console.notice(f"The picture is in {svg}.")
    else:
        from ninefold.cli.band_strip import draw_strip

        draw_strip(console, book, band_map)


def _content(band_map: BandMap) -> dict[str, object]:
    positions = band_map.positions
    return {
        "rules": rules_as_json(band_map.rules),
        "lost_bands": [band_as_json(band) for band in band_map.bands],
        "complete": not band_map.has_more_bands,
        "positions": None if positions is None else numbers_as_json(positions),
    }
