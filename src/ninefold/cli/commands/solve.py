"""``ninefold solve``: who wins, how, how soon, and why."""

from __future__ import annotations

import click

from ninefold.cli.console import Console
from ninefold.cli.parameters import answer_options, varied_game
from ninefold.cli.solution_lines import say_solution
from ninefold.rulebooks import Rulebook
from ninefold.rules import Rules, parse_number
from ninefold.theory import Position
from ninefold.views import write_view
from ninefold.views.answers import solve


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
def command(
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
    at = rules.start
    if total is not None:
        at = parse_number(total, "total", rules.start)
    solution = solve(book.key, Position(rules, at), full=full)
    if as_json:
        console.write(write_view(solution))
    else:
        say_solution(console, f"{book.title}: {book.describe(rules)}", solution)
