"""``ninefold rules``: a game's rules in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ninefold.cli.parameters import varied_game

if TYPE_CHECKING:
    from ninefold.cli.console import Console
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
    console.say(f"{book.title}\n{'=' * len(book.title)}\n\n{book.explain(rules)}")
