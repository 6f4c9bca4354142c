"""Matches over the network: serve."""

from __future__ import annotations

import click

from ninefold.cli.console import Console
from ninefold.cli.options import PORT, Address, WholeNumber
from ninefold.cli.serving import Serving
from ninefold.errors import NinefoldError
from ninefold.online.links import USUAL_PORT

_MOST_DAYS = 36_500
_MOST_WORKERS = 64


@click.command(
    epilog="""
\b
Examples:
  ninefold serve
  ninefold serve --host 0.0.0.0 --port 8080
  ninefold serve --public-url https://play.example.org --keep-days 90
"""
)
@click.option(
    "--host",
    default="127.0.0.1",
    metavar="H",
    help="Listen here; 0.0.0.0 lets the whole network in.  [default: 127.0.0.1]",
)
@click.option(
    "--port",
    type=PORT,
    default=USUAL_PORT,
    metavar="P",
    help=f"Listen on this port; 0 takes a free one.  [default: {USUAL_PORT}]",
)
@click.option(
    "--database",
    metavar="URL",
    help="sqlite:///FILE or postgresql://...  [default: a file of its own]",
)
@click.option("--public-url", metavar="U", help="Where others reach it: in links.")
@click.option(
    "--keep-days",
    type=WholeNumber(1, _MOST_DAYS),
    metavar="N",
    help="Forget matches that nobody touched for N days.",
)
@click.option(
    "--workers",
    type=WholeNumber(1, _MOST_WORKERS),
    default=1,
    metavar="N",
    help="Serve with N processes; needs PostgreSQL.  [default: 1]",
)
@click.option(
    "--trusted-proxy",
    "trusted_proxies",
    type=Address(),
    multiple=True,
    metavar="ADDRESS",
    help="Take this proxy's word for where requests are from.",
)
@click.pass_context
def serve(
    context: click.Context,
    *,
    host: str,
    port: int,
    database: str | None,
    public_url: str | None,
    keep_days: int | None,
    workers: int,
    trusted_proxies: tuple[str, ...],
) -> None:
    """Let people play in a browser.

    One sends a link, and the other opens it. Nothing is installed on the other
    side, and there are no accounts.
    """
    console: Console = context.obj
    if console.serve is None:
        message = "a server is started by the program itself, and not from here"
        raise NinefoldError(message)
    serving = Serving(
        host, port, database, public_url, keep_days, workers, trusted_proxies
    )
    context.exit(console.serve(serving))
