"""``ninefold review``: a game, every move of it graded."""

from __future__ import annotations

import click

from ninefold.cli.console import Console
from ninefold.cli.parameters import complete_file
from ninefold.cli.records import LAST, read_record
from ninefold.cli.reviewing import say_review
from ninefold.coach import review
from ninefold.views import ReviewView, write_view


@click.command(
    epilog="""
\b
Examples:
  ninefold review
  ninefold review nf1.multiplier-showdown.reach1000.7x9x2x9
  ninefold review game.txt --json
"""
)
@click.argument("record", default=LAST, shell_complete=complete_file)
@click.option("--json", "as_json", is_flag=True, help="As JSON, for programs.")
@click.pass_obj
def command(console: Console, *, record: str, as_json: bool) -> None:
    """Grade every move of a game.

    It also says where the game turned and what was better.

    RECORD is a record's line, a file, or - for standard input; last, or
    nothing, means the last game played.
    """
    recorded, names = read_record(console, record)
    reviewed = review(recorded.game)
    if as_json:
        console.write(write_view(ReviewView.of(reviewed)))
    else:
        say_review(console, reviewed, names)
