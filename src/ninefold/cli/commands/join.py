"""``ninefold join``: the classic screen of a match on a server."""

from __future__ import annotations

import click

from ninefold.cli.console import Console


@click.command(
    epilog="""
\b
Examples:
  ninefold join https://play.example.org/m/...
  ninefold join https://play.example.org/m/... --name Bo
  ninefold join https://play.example.org/m/... --watch

At the prompt, ? shows what can be typed there. Ctrl-C leaves; the same command
comes back to the same seat.
"""
)
@click.argument("link")
@click.option("--name", metavar="N", help="What to call you.")
@click.option("--watch", "watches", is_flag=True, help="Look on, and take no seat.")
@click.pass_obj
def command(console: Console, *, link: str, name: str | None, watches: bool) -> None:
    """Play the match that LINK leads to.

    The other one may sit at a browser or at a terminal.
    """
    # Loading what speaks HTTP takes long enough for no other command to wait for it.
    from ninefold.cli.going_online import join, watch
    from ninefold.online.links import read_link

    read = read_link(link)
    if watches:
        if name is not None:
            message = "--name is for a seat, and --watch takes none; give one of them."
            raise click.UsageError(message)
        watch(console, read)
    else:
        join(console, read, name)
