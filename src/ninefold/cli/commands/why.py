"""``ninefold why``: the reason behind a position that moves have led to."""

from __future__ import annotations

import click

from ninefold.cli.console import Console
from ninefold.cli.parameters import answer_options, varied_game
from ninefold.cli.solution_lines import say_solution
from ninefold.game import Game
from ninefold.rulebooks import Rulebook
from ninefold.rules import Rules, parse_number
from ninefold.views import write_view
from ninefold.views.answers import solve


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
def command(
    console: Console,
    *,
    book: Rulebook,
    rules: Rules,
    moves: tuple[str, ...],
    full: bool,
    as_json: bool,
) -> None:
    """Say who wins GAME after MOVES and why."""
    made = [parse_number(move, "move", rules.multipliers[0]) for move in moves]
    solution = solve(book.key, Game.replay(rules, made), full=full)
    if as_json:
        console.write(write_view(solution))
    else:
        say_solution(console, f"{book.title}: {book.describe(rules)}", solution)
