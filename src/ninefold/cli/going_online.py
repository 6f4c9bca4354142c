"""Sitting down at a match on a server, from the command line."""

from __future__ import annotations

from pathlib import Path

from ninefold.cli.console import Console, InputEnded, Left
from ninefold.cli.joined import JoinedScreen
from ninefold.cli.layout import say_wrapped
from ninefold.cli.storage import home
from ninefold.errors import OnlineError
from ninefold.game import Seat
from ninefold.online import seating
from ninefold.online.client import RemoteMatch, Server
from ninefold.online.links import MatchLink
from ninefold.online.seats import KeptSeats
from ninefold.online.wire import CreateMatch, State

OWN_SERVER = "here"
"""What the server is called that ``host`` opens itself, wherever it listens."""
_KEPT = "Your seat is kept: the same command comes back to it."


def ask_name(console: Console, name: str | None, usual: Seat) -> str:
    """Return what a person is called: as an option says, or asked at a terminal."""
    if name is None and console.at_terminal:
        name = console.ask(f"Your name? (Enter: {usual}) ")
    return name or str(usual)


def watch(console: Console, link: MatchLink) -> None:
    """Look on at a match until it is left."""
    match = RemoteMatch(Server(link.server, sleep=console.sleep), link.id, None)
    _play(console, match, match.state())


def join(console: Console, link: MatchLink, name: str | None) -> None:
    """Take the seat of a match that is free, or come back to one's own."""
    server, seats = Server(link.server, sleep=console.sleep), _kept_seats(console)
    seated = seating.come_back(server, seats, link)
    if seated is None:
        called = ask_name(console, name, Seat.TWO)
        seated = seating.join(server, seats, link, called)
    _play(console, seated.match, seated.state)


def host(console: Console, url: str, asked: CreateMatch, called: str) -> None:
    """Make a match on a server, or go on with the one that the same command made.

    ``called`` is what the requests to this server are kept under.
    """
    server = Server(url, sleep=console.sleep)
    hosted = seating.Hosted(server, _kept_seats(console), asked, called)
    seated = hosted.sit()
    if not all(seat.taken for seat in seated.state.seats):
        _show_link(console, seated.link)
    if _play(console, seated.match, seated.state).is_over:
        hosted.forget()


def _show_link(console: Console, link: str) -> None:
    """Show where the other one sits down, for a phone too."""
    say_wrapped(console, "Send this link to whoever plays with you:")
    console.write(f"{link}\n")  # in one piece, whatever the width
    drawn = ""
    if console.draw_qr is not None and console.at_terminal and not console.plain:
        drawn = console.draw_qr(link)
    widest = max(map(len, drawn.split("\n")))
    if widest <= console.columns and console.can_show(drawn):
        console.write(drawn)
    console.say("\n")
    console.flush()


def _play(console: Console, match: RemoteMatch, state: State) -> JoinedScreen:
    screen = JoinedScreen(console, match, state)
    try:
        screen.play()
    except (InputEnded, Left):
        if not screen.is_over:
            _say_kept(console, match)
            raise
    except (KeyboardInterrupt, OnlineError):
        _say_kept(console, match)
        raise
    return screen


def _say_kept(console: Console, match: RemoteMatch) -> None:
    if match.secret is not None:
        console.notice(_KEPT)


def _kept_seats(console: Console) -> KeptSeats:
    return KeptSeats(Path(home(console.environ)))
