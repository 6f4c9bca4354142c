"""``ninefold review``: a game, every move of it graded."""

from __future__ import annotations

from pathlib import Path

import click

from ninefold.cli.console import Console
from ninefold.cli.parameters import complete_file
from ninefold.cli.pictures import write_picture
from ninefold.cli.records import LAST, read_record
from ninefold.cli.reviewing import say_review
from ninefold.coach import review
from ninefold.views import BandMap, ReviewView, write_view
from ninefold.views.svg import draw_review


@click.command(
    epilog="""
\b
Examples:
  ninefold review
  ninefold review 3f2a
  ninefold review nf1.duel.exact100.2x5x2x5
  ninefold review game.txt --json
  ninefold review last --svg game.svg
"""
)
@click.argument("record", default=LAST, shell_complete=complete_file)
@click.option(
    "--svg",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write a picture of the game, every move a hop.",
)
@click.option("--full", is_flag=True, help="Show every move of a long game.")
@click.option("--json", "as_json", is_flag=True, help="As JSON, for programs.")
@click.pass_obj
def command(
    console: Console, *, record: str, svg: Path | None, full: bool, as_json: bool
) -> None:
    """Grade every move of a game.

    It also says where the game turned and what was better.

    RECORD is the id of a game that is kept, or its beginning; last, or
    nothing, means the last game played; 3f2a.2 is the second game of the match
    3f2a. It may also be a record's line, a file, or - for standard input.
    """
    if as_json and svg is not None:
        message = "--svg and --json are two ways to answer; give one of them."
        raise click.UsageError(message)
    named = read_record(console, record)
    names, rules = named.names, named.record.game.rules
    reviewed = review(named.record.game)
    if svg is not None:
        title = named.book.title if named.book else "ninefold"
        bands = BandMap(rules).bands
        write_picture(console, svg, draw_review(title, reviewed, names, bands))
    elif as_json:
        console.write(write_view(ReviewView.of(reviewed)))
    else:
        say_review(console, reviewed, names, full=full)
