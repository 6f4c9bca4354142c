"""``ninefold rules``: a game's rules in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ninefold.cli.agreement import vary
from ninefold.cli.books import find_book
from ninefold.cli.parameters import GAME, rules_options

if TYPE_CHECKING:
    from ninefold.cli.console import Console


@click.command()
@click.argument("game", type=GAME)
@rules_options
@click.pass_obj
def command(
    console: Console,
    *,
    game: str,
    target: str | None,
    multipliers: str | None,
    start: str | None,
) -> None:
    """Show the rules of GAME."""
    book = find_book(game)
    rules = vary(book.rules, target=target, multipliers=multipliers, start=start)
    console.say(f"{book.title}\n{'=' * len(book.title)}\n\n{book.explain(rules)}")
