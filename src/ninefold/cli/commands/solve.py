"""``ninefold solve``: who wins, how, how soon, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ninefold.cli.agreement import read_whole
from ninefold.cli.answers import Answer
from ninefold.cli.parameters import answer_options, varied_game
from ninefold.theory import Position

if TYPE_CHECKING:
    from ninefold.cli.console import Console
    from ninefold.rulebooks import Rulebook
    from ninefold.rules import Rules


@click.command(
    epilog="""
\b
Examples:
  ninefold solve madness
  ninefold solve multiplier --target 500 --total 12
  ninefold solve duel --multipliers 2,5,9 --full
"""
)
@varied_game
@click.option("--total", metavar="N", help="Solve from N instead of from the start.")
@answer_options
@click.pass_obj
def command(  # noqa: PLR0913 - one parameter for each option
    console: Console,
    *,
    book: Rulebook,
    rules: Rules,
    total: str | None,
    full: bool,
    as_json: bool,
) -> None:
    """Say who wins GAME with best play.

    It names every winning move, says how long the game takes, and why.
    """
    at = rules.start if total is None else read_whole("total", total)
    answer = Answer(book, Position(rules, at))
    (answer.say_as_json if as_json else answer.say)(console, full=full)
