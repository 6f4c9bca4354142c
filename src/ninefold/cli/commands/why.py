"""``ninefold why``: the reason behind a position that moves have led to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ninefold.cli.agreement import read_whole
from ninefold.cli.answers import Answer
from ninefold.cli.parameters import answer_options, varied_game
from ninefold.game import Game

if TYPE_CHECKING:
    from ninefold.cli.console import Console
    from ninefold.rulebooks import Rulebook
    from ninefold.rules import Rules


@click.command(
    epilog="""
\b
Examples:
  ninefold why madness 5 6
  ninefold why multiplier-showdown --target 2000 4 --full
"""
)
@varied_game
@click.argument("moves", nargs=-1)
@answer_options
@click.pass_obj
def command(  # noqa: PLR0913 - one parameter for each option
    console: Console,
    *,
    book: Rulebook,
    rules: Rules,
    moves: tuple[str, ...],
    full: bool,
    as_json: bool,
) -> None:
    """Say who wins GAME after MOVES and why."""
    played = Game(rules, [read_whole("move", move) for move in moves])
    answer = Answer(book, played)
    (answer.say_as_json if as_json else answer.say)(console, full=full)
