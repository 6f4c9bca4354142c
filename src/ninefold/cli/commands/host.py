"""``ninefold host``: a match for someone elsewhere, with a link and a QR code."""

from __future__ import annotations

from functools import cache
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

from ninefold.cli.agreeing import FIRST_CHOICES, agree
from ninefold.cli.console import Console
from ninefold.cli.options import (
    GAME,
    PORT,
    OneOf,
    length_options,
    rules_options,
)
from ninefold.cli.output import say_wrapped
from ninefold.cli.serving import Hosting
from ninefold.errors import NinefoldError
from ninefold.game import Seat
from ninefold.match import SINGLE_GAME, Length, Starts
from ninefold.session import Lessons

if TYPE_CHECKING:
    from ninefold.online.messages import CreateMatch


@click.command(
    epilog="""
\b
Examples:
  ninefold host duel
  ninefold host multiplier --target 500 --best-of 3 --name Ada
  ninefold host madness --host 127.0.0.1
  ninefold host madness --server https://play.example.org

NINEFOLD_SERVER names the server too. Without one, this program is the server while
it runs, which needs: pip install 'ninefold[server]'
"""
)
@click.argument("game", type=GAME)
@rules_options
@click.option(
    "--first",
    type=OneOf(FIRST_CHOICES),
    default="1",
    help="Who starts; 1 is you.  [default: 1]",
)
@length_options
@click.option("--name", metavar="N", help="What to call you.")
@click.option("--coach", is_flag=True, help="Both are told of moves that lose a win.")
@click.option("--mental", is_flag=True, help="Both work out each product first.")
@click.option("--hints", is_flag=True, help="Both may ask for hints and reasons.")
@click.option("--new", is_flag=True, help="Make another match, though one goes on.")
@click.option("--server", metavar="URL", help="Make the match on this server.")
@click.option(
    "--host",
    "address",
    metavar="H",
    help="Listen here; 127.0.0.1 is this machine only.  [default: your network]",
)
@click.option(
    "--port",
    type=PORT,
    metavar="P",
    help="Listen on this port; 0 takes a free one.",
)
@click.pass_obj
def command(
    console: Console,
    *,
    game: str,
    target: str | None,
    multipliers: str | None,
    start: str | None,
    first: str,
    length: Length | None,
    starts: str | None,
    name: str | None,
    coach: bool,
    mental: bool,
    hints: bool,
    new: bool,
    server: str | None,
    address: str | None,
    port: int | None,
) -> None:
    """Play GAME with someone who gets a link.

    The other one opens the link in a browser, or with ninefold join.
    """
    # Loading what speaks HTTP takes long enough for no other command to wait for it.
    from ninefold.cli import going_online as online
    from ninefold.online.client import Server
    from ninefold.online.links import read_server
    from ninefold.online.seating import Hosted, request_of

    server = server or console.environ.get("NINEFOLD_SERVER", "").strip() or None
    if server is not None and (address, port) != (None, None):
        message = "--host and --port are for a server of your own; --server is another."
        raise click.UsageError(message)
    url = None if server is None else read_server(server)

    @cache
    def settle() -> CreateMatch:
        """Ask for what is open; once, since a person answers."""
        setup = agree(
            console,
            game,
            target=target,
            multipliers=multipliers,
            start=start,
            first=first,
            length=length or SINGLE_GAME,
            starts=Starts(starts or Starts.ALTERNATE),
            lessons=Lessons(coach=coach, mental=mental),
            seed=0,
        )
        if setup.book_text is not None:
            message = (
                "a server plays the games that it has; a file of your own stays here"
            )
            raise NinefoldError(message)
        called = online.ask_name(console, name, Seat.ONE, str(Seat.TWO))
        return request_of(setup, called, hints=hints)

    terms = (target, multipliers, start, first, str(length), starts, name)
    typed = f"{game} {terms} {(coach, mental, hints)}"
    called = url or online.OWN_SERVER
    seats = online.kept_seats(console)
    if new or seats.match_of(called, typed) is None:
        settle()  # before anything is opened

    def play_at(address: str) -> None:
        at = Server(address, sleep=console.sleep)
        online.host(console, Hosted(at, seats, called, typed), settle, new=new)

    if url is not None:
        play_at(url)
        return
    if console.open_server is None:
        message = "a server is opened by the program itself; name another: --server URL"
        raise NinefoldError(message)
    with console.open_server(Hosting(address, port)) as own:
        say_wrapped(console, f"Opens {own} to {_who_reaches(own)}.")
        play_at(own)


def _who_reaches(url: str) -> str:
    if ip_address(urlsplit(url).hostname or "").is_loopback:
        return "this machine only"
    return "everyone on this network"
