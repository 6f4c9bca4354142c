"""Servers for browsers: serve, and class for a class on one laptop."""

from __future__ import annotations

from typing import BinaryIO

import click
from msgspec import convert

from ninefold.classroom.roster import read_roster
from ninefold.cli.console import Console, Serving, Teaching
from ninefold.cli.options import (
    GAME,
    PORT,
    Address,
    WholeNumber,
    command,
    find_book,
)
from ninefold.errors import NinefoldError
from ninefold.online import links

_MOST_DAYS = 36_500
_MOST_WORKERS = 64


@command(
    "serve",
    "serve --host 0.0.0.0 --port 8080",
    "serve --public-url https://play.example.org --keep-days 90",
)
@click.option(
    "--host",
    default="127.0.0.1",
    metavar="H",
    help="Listen at H; 0.0.0.0 lets the whole network in.  [default: 127.0.0.1]",
)
@click.option(
    "--port",
    type=PORT,
    default=links.USUAL_PORT,
    metavar="P",
    help=f"Listen on port P; 0 takes a free one.  [default: {links.USUAL_PORT}]",
)
@click.option(
    "--database",
    metavar="URL",
    help="Use sqlite:///FILE or postgresql://...  [default: a file of its own]",
)
@click.option("--public-url", metavar="U", help="Public address, used in links.")
@click.option(
    "--keep-days",
    type=WholeNumber(1, _MOST_DAYS),
    metavar="N",
    help="Delete matches that are unchanged for N days.",
)
@click.option(
    "--workers",
    type=WholeNumber(1, _MOST_WORKERS),
    default=1,
    metavar="N",
    help="Run N processes; more than one needs PostgreSQL.  [default: 1]",
)
@click.option(
    "--trusted-proxy",
    "trusted_proxies",
    type=Address(),
    multiple=True,
    metavar="ADDRESS",
    help="Trust the client addresses that this proxy sends.",
)
@click.pass_context
def serve(context: click.Context, /, **options: object) -> None:
    """Run a server for playing in a browser.

    One player sends a link, and the other opens it: nothing to install, no
    account.
    """
    console: Console = context.obj
    if console.serve is None:
        message = "ninefold serve cannot be run from here"
        raise NinefoldError(message)
    context.exit(console.serve(convert(options, Serving)))


@command(
    "class",
    "class multiplier-showdown --names pupils.txt",
    "class --server https://play.example.org",
    after="The same command continues a class. It is removed a day after its last use.",
)
@click.argument("game", type=GAME, required=False)
@click.option(
    "--names",
    "names_file",
    type=click.File("rb"),
    metavar="FILE",
    help="Names to tap, one a line; Mia, Tom share a device; Mia / Ben must not meet.",
)
@click.option("--port", type=PORT, metavar="P", help="Listen on port P.")
@click.option("--new", is_flag=True, help="Start a new class, even if one is open.")
@click.option("--server", metavar="URL", help="Teach the class on this server.")
@click.pass_context
def class_(
    context: click.Context,
    /,
    *,
    game: str | None,
    names_file: BinaryIO | None,
    port: int | None,
    new: bool,
    server: str | None,
) -> None:
    """Teach a class that joins with a code.

    Pupils play in pairs on their devices. This opens the page for your projector;
    GAME is the first game.
    """
    console: Console = context.obj
    roster = None if names_file is None else read_roster(names_file.read())
    key = None if game is None else find_book(game).key
    if server is not None:
        if roster or port is not None or new:
            message = "--names, --port and --new cannot be combined with --server."
            raise click.UsageError(message)
        _create_class(console, links.read_server(server), key)
        return
    if console.teach is None:
        message = "ninefold class cannot be run from here"
        raise NinefoldError(message)
    teaching = Teaching(game=key, roster=roster, port=port, is_new=new)
    context.exit(console.teach(teaching))


def _create_class(console: Console, url: str, game: str | None) -> None:
    """Create a class on a server, and print the link to teach it."""
    from ninefold.online.class_messages import CreateClass, CreatedClass
    from ninefold.online.http_client import Client, new_request_id

    client = Client(url, sleep=console.sleep, progress=console.progress)
    body = CreateClass(request_id=new_request_id())
    created = client.request("POST", "/api/class", CreatedClass, body)
    link = created.link.replace("#", f"?game={game}#", 1) if game else created.link
    console.print("Teach on this page, and show it on the projector:\n")
    console.print_raw(f"{link}\n")  # never wrapped
