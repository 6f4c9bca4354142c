"""Sitting down at a match on a server, from the command line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ninefold.cli.agreeing import sentence
from ninefold.cli.console import Console, InputEnded, Left
from ninefold.cli.joined import JoinedScreen
from ninefold.cli.joined_words import told_invitation, told_watching
from ninefold.cli.output import say_wrapped
from ninefold.cli.storage import home
from ninefold.errors import (
    NinefoldError,
    OnlineError,
    RequestRefused,
    SetupError,
)
from ninefold.game import Seat
from ninefold.online import seating
from ninefold.online.client import BOTH_TAKEN, RemoteMatch, Server
from ninefold.online.links import MatchLink
from ninefold.online.messages import CreateMatch
from ninefold.online.names import clean_name
from ninefold.online.seats import KeptSeats
from ninefold.online.states import all_seated, name_of
from ninefold.session import check_names
from ninefold.views.state import State

OWN_SERVER = "here"
"""What the server is called that ``host`` opens itself, wherever it listens."""
_KEPT = "Your seat is kept: the same command comes back to it."


def ask_name(console: Console, name: str | None, usual: Seat, other: str) -> str:
    """Return what a person is called: as an option says, or asked at a terminal.

    It is asked for until it can be shown, and is not the ``other`` one's.
    """
    if name is not None or not console.at_terminal:
        return name or str(usual)
    while True:
        given = console.ask(f"Your name? (Enter: {usual}) ") or str(usual)
        try:
            called = clean_name(given)
            check_names(called, other)
        except SetupError as error:
            say_wrapped(console, sentence(error).rstrip())
        else:
            return called


def watch(console: Console, link: MatchLink) -> None:
    """Look on at a match until it is left."""
    match = RemoteMatch(Server(link.server, sleep=console.sleep), link.id, None)
    state = match.state()
    if console.at_terminal:
        say_wrapped(console, console.fit(told_watching(state)))
    _play(console, match, state)


def join(console: Console, link: MatchLink, name: str | None) -> None:
    """Take the seat of a match that is free, or come back to one's own."""
    server, seats = Server(link.server, sleep=console.sleep), kept_seats(console)
    seated = seating.come_back(server, seats, link)
    if seated is None:
        other = str(Seat.ONE)
        if console.at_terminal:
            state = RemoteMatch(server, link.id, None).state()
            if all_seated(state) and not seating.may_have_sat(seats, link):
                raise NinefoldError(BOTH_TAKEN)
            other = name_of(state, Seat.ONE)
            say_wrapped(console, console.fit(told_invitation(state)))
        called = ask_name(console, name, Seat.TWO, other)
        seated = seating.join(server, seats, link, called)
    _play(console, seated.match, seated.state)


def host(
    console: Console,
    hosted: seating.Hosted,
    settle: Callable[[], CreateMatch],
    *,
    new: bool,
) -> None:
    """Make a match, or go on with the one that the same command made."""
    seated = hosted.sit(settle, new=new)
    if not all_seated(seated.state):
        _show_link(console, seated.link)
    elif console.at_terminal:
        other = name_of(seated.state, Seat.TWO)
        told = f"This is your match with {other}, where you left it; --new begins"
        say_wrapped(console, f"{told} another. The link of this one:")
        console.write(f"{seated.link}\n\n")  # in one piece, whatever the width
    if _play(console, seated.match, seated.state).is_over:
        hosted.forget()


def _show_link(console: Console, link: str) -> None:
    """Show where the other one sits down, for a phone too."""
    say_wrapped(console, "Send this link to whoever plays with you:")
    console.write(f"{link}\n")  # in one piece, whatever the width
    drawn = ""
    if console.draw_qr is not None and console.at_terminal and not console.plain:
        drawn = console.draw_qr(link)
    rows = drawn.split("\n")
    fits = max(map(len, rows)) <= console.columns and len(rows) <= console.rows
    if fits and console.can_show(drawn):
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
    except RequestRefused:
        raise  # the match is gone, and the seat with it
    except (KeyboardInterrupt, OnlineError):
        _say_kept(console, match)
        raise
    return screen


def _say_kept(console: Console, match: RemoteMatch) -> None:
    if match.secret is not None:
        console.notice(_KEPT)


def kept_seats(console: Console) -> KeptSeats:
    """Return where the seats of the person at a terminal are kept."""
    return KeptSeats(Path(home(console.environ)))
