"""``ninefold review``: a game looked back on, move by move."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ninefold.cli.jsons import say_json
from ninefold.cli.keeping import open_store
from ninefold.cli.records import read_record
from ninefold.cli.reviewing import review_as_json, say_review
from ninefold.coach import review
from ninefold.errors import NinefoldError
from ninefold.game import Seat

if TYPE_CHECKING:
    from ninefold.cli.console import Console
    from ninefold.game import Game

_LAST = "last"


@click.command(
    epilog="""
\b
Examples:
  ninefold review
  ninefold review nf1.multiplier-showdown.reach1000.7x9x2x9
  ninefold review game.txt --json
"""
)
@click.argument("record", default=_LAST)
@click.option("--json", "as_json", is_flag=True, help="As JSON, for programs.")
@click.pass_obj
def command(console: Console, *, record: str, as_json: bool) -> None:
    """Grade every move of a game, and say where it turned and what was better.

    RECORD is a record's line, a file, or - for standard input; last, or
    nothing, means the last game played.
    """
    if record == _LAST:
        game, names = _last_game(console)
    else:
        game = read_record(console, record).game
        names = {seat: str(seat) for seat in Seat}
    reviewed = review(game)
    if as_json:
        say_json(console, review_as_json(reviewed))
    else:
        say_review(console, reviewed, names)


def _last_game(console: Console) -> tuple[Game, dict[Seat, str]]:
    with open_store() as store:
        games = store.history(limit=1)
        for notice in store.take_notices():
            console.notice(notice)
    if not games:
        message = "no game is kept yet; play one, or name a record"
        raise NinefoldError(message)
    return games[0].game, games[0].names
