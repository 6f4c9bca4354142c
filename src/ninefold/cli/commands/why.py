"""``ninefold why``: the reason behind a position that moves have led to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ninefold.cli.agreement import read_whole, vary
from ninefold.cli.answers import Answer
from ninefold.cli.books import find_book
from ninefold.cli.parameters import GAME, answer_options, rules_options
from ninefold.game import Game

if TYPE_CHECKING:
    from ninefold.cli.console import Console


@click.command(
    epilog="""
\b
Examples:
  ninefold why madness 5 6
  ninefold why multiplier-showdown --target 2000 4 --full
"""
)
@click.argument("game", type=GAME)
@click.argument("moves", nargs=-1)
@rules_options
@answer_options
@click.pass_obj
def command(  # noqa: PLR0913 - one parameter for each option
    console: Console,
    *,
    game: str,
    moves: tuple[str, ...],
    target: str | None,
    multipliers: str | None,
    start: str | None,
    full: bool,
    as_json: bool,
) -> None:
    """Say who wins GAME after MOVES and why."""
    book = find_book(game)
    rules = vary(book.rules, target=target, multipliers=multipliers, start=start)
    played = Game(rules, [read_whole("move", move) for move in moves])
    answer = Answer(book, played)
    (answer.say_as_json if as_json else answer.say)(console, full=full)
