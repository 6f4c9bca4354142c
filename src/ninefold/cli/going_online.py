"""Sitting down at a match on a server, from the command line."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Literal

import msgspec
from msgspec.structs import replace

from ninefold.cli.console import Console, InputEnded, Left
from ninefold.cli.joined import JoinedScreen
from ninefold.cli.layout import say_wrapped
from ninefold.cli.storage import home
from ninefold.errors import OnlineError, RequestRefused
from ninefold.game import Seat
from ninefold.notation.shapes import json_number
from ninefold.online.client import RemoteMatch, Server
from ninefold.online.links import MatchLink
from ninefold.online.seats import KeptSeats
from ninefold.online.wire import (
    FRIEND,
    CreateMatch,
    LessonsShape,
    SeatedState,
    State,
    TakeSeat,
)
from ninefold.session import Setup
from ninefold.store.shapes import LengthShape

OWN_SERVER = "here"
"""What the server is called that ``host`` opens itself, wherever it listens."""
_NOT_YET = "0" * 16
"""Stands for the id of a request, which is chosen when it is sent."""
_FIRST: dict[str, Literal[1, 2, "toss"]] = {"1": 1, "2": 2, "toss": "toss"}
_KEPT = "Your seat is kept: the same command comes back to it."


def request_of(
    setup: Setup, first: str, name: str, lessons: LessonsShape
) -> CreateMatch:
    """Return the request for a match that was settled here."""
    rules = setup.rules
    return CreateMatch(
        game=setup.book,
        target=json_number(rules.target),
        multipliers=tuple(map(json_number, rules.multipliers)),
        start=json_number(rules.start),
        length=LengthShape.of(setup.length),
        first=_FIRST[first],
        starts=setup.starts,
        opponent=FRIEND,
        lessons=lessons,
        name=name,
        request_id=_NOT_YET,
    )


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
    secret = seats.secret(link.server, link.id)
    if secret is None:
        called = ask_name(console, name, Seat.TWO)
        what = f"seat {link.id} {called}"
        request_id = seats.request_id(link.server, what)
        try:
            taken = server.take_seat(
                link.id, TakeSeat(name=called, request_id=request_id)
            )
            secret = taken.secret
            seats.keep(link.server, link.id, secret)
        except RequestRefused:
            seats.forget_request(link.server, what)
            raise
    match = RemoteMatch(server, link.id, secret)
    _play(console, match, match.state())


def host(console: Console, url: str, asked: CreateMatch, called: str) -> None:
    """Make a match on a server, or go on with the one that the same command made.

    ``called`` is what the seats on this server are kept under.
    """
    server, seats = Server(url, sleep=console.sleep), _kept_seats(console)
    what = f"match {sha256(msgspec.json.encode(asked)).hexdigest()}"
    made, match, state = _make(server, seats, called, what, asked)
    if state.match_over:
        seats.forget_request(called, what)
        made, match, state = _make(server, seats, called, what, asked)
    if not all(seat.taken for seat in state.seats):
        _show_link(console, made.link)
    if _play(console, match, state).is_over:
        seats.forget_request(called, what)


def _make(
    server: Server, seats: KeptSeats, called: str, what: str, asked: CreateMatch
) -> tuple[SeatedState, RemoteMatch, State]:
    """Make a match; the same request makes the same one."""
    request_id = seats.request_id(called, what)
    try:
        made = server.create(replace(asked, request_id=request_id))
    except RequestRefused:
        seats.forget_request(called, what)
        raise
    seats.keep(server.url, made.id, made.secret)
    match = RemoteMatch(server, made.id, made.secret)
    return made, match, match.state()


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
