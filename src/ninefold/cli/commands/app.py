"""``ninefold app``: the full-screen app."""

from __future__ import annotations

import click

from ninefold.cli.console import Console
from ninefold.errors import NinefoldError


@click.command()
@click.pass_context
def command(context: click.Context) -> None:
    """Open the full-screen app."""
    console: Console = context.obj
    if console.open_app is None or not console.at_terminal:
        message = (
            "the app needs a terminal of its own; ninefold play GAME plays in lines"
        )
        raise NinefoldError(message)
    context.exit(console.open_app())
