"""``ninefold rules``: a game's rules in words."""

from __future__ import annotations

import click

from ninefold.cli.console import Console
from ninefold.cli.layout import say_page
from ninefold.cli.parameters import varied_game
from ninefold.rulebooks import Rulebook
from ninefold.rules import Rules


@click.command()
@varied_game
@click.pass_obj
def command(
    console: Console,
    *,
    book: Rulebook,
    rules: Rules,
) -> None:
    """Show the rules of GAME."""
    title = f"{book.title}\n{'=' * len(book.title)}"
    say_page(console, f"{title}\n\n{book.explain(rules)}")
