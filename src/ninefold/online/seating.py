"""Sitting down at a match on a server, once: the same call comes back to the seat."""

from __future__ import annotations

from hashlib import sha256
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ninefold.errors import RequestRefused
from ninefold.notation.shapes import json_number
from ninefold.online.client import RemoteMatch, Server
from ninefold.online.links import MatchLink
from ninefold.online.seats import KeptSeats
from ninefold.online.wire import FRIEND, CreateMatch, LessonsShape, State, TakeSeat
from ninefold.session import Setup
from ninefold.store.shapes import LengthShape

_NOT_YET = "0" * 16
"""Stands for the id of a request, which is chosen when it is sent."""


class Seated(Struct, frozen=True):
    """A match with a seat in it, and where it stands."""

    match: RemoteMatch
    state: State
    link: str


def request_of(setup: Setup, name: str, *, hints: bool) -> CreateMatch:
    """Return the request for a match that was settled here, against a friend."""
    rules, lessons = setup.rules, setup.lessons
    first: Literal[1, 2] = 1 if setup.first.value == 1 else 2
    return CreateMatch(
        game=setup.book,
        target=json_number(rules.target),
        multipliers=tuple(map(json_number, rules.multipliers)),
        start=json_number(rules.start),
        length=LengthShape.of(setup.length),
        first="toss" if setup.first_tossed else first,
        starts=setup.starts,
        opponent=FRIEND,
        lessons=LessonsShape(lessons.coach, hints, lessons.mental),
        name=name,
        request_id=_NOT_YET,
    )


def join(server: Server, seats: KeptSeats, link: MatchLink, name: str) -> Seated:
    """Take the seat of a match that is free."""
    what = f"seat {link.id} {name}"
    request_id = seats.request_id(link.server, what)
    try:
        taken = server.take_seat(link.id, TakeSeat(name=name, request_id=request_id))
    except RequestRefused:
        seats.forget_request(link.server, what)
        raise
    seats.keep(link.server, link.id, taken.secret)
    match = RemoteMatch(server, link.id, taken.secret)
    return Seated(match, match.state(), str(link))


def come_back(server: Server, seats: KeptSeats, link: MatchLink) -> Seated | None:
    """Return to the seat that was taken before; None if none was."""
    secret = seats.secret(link.server, link.id)
    if secret is None:
        return None
    match = RemoteMatch(server, link.id, secret)
    return Seated(match, match.state(), str(link))


class Hosted:
    """A match that was asked for here; the same request makes the same match."""

    def __init__(
        self, server: Server, seats: KeptSeats, asked: CreateMatch, called: str
    ) -> None:
        """Take the request; ``called`` is what the server's requests are kept under."""
        self._server = server
        self._seats = seats
        self._asked = asked
        self._called = called
        self._what = f"match {sha256(msgspec.json.encode(asked)).hexdigest()}"

    def sit(self) -> Seated:
        """Make the match, or go on with the one that was made; not with one over."""
        seated = self._make()
        if seated.state.match_over:
            self.forget()
            seated = self._make()
        return seated

    def _make(self) -> Seated:
        request_id = self._seats.request_id(self._called, self._what)
        try:
            made = self._server.create(replace(self._asked, request_id=request_id))
        except RequestRefused:
            self.forget()
            raise
        self._seats.keep(self._server.url, made.id, made.secret)
        match = RemoteMatch(self._server, made.id, made.secret)
        return Seated(match, match.state(), made.link)

    def forget(self) -> None:
        """Let the same request make another match from now on."""
        self._seats.forget_request(self._called, self._what)
