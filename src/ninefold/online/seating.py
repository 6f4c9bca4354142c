"""Sitting down at a match on a server, once: the same call comes back to the seat."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from ninefold.errors import RequestRefused
from ninefold.online.client import TRY_AGAIN, RemoteMatch, Server, new_request_id
from ninefold.online.links import MatchLink, read_link
from ninefold.online.messages import (
    FRIEND,
    CreateMatch,
    TakeSeat,
)
from ninefold.online.seats import KeptSeats
from ninefold.session import Setup
from ninefold.views.state import LessonsShape, State

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
        target=rules.target,
        multipliers=rules.multipliers,
        start=rules.start,
        length=setup.length,
        first="toss" if setup.first_tossed else first,
        starts=setup.starts,
        opponent=FRIEND,
        lessons=LessonsShape(lessons.coach, hints, lessons.mental),
        name=name,
        request_id=_NOT_YET,
    )


def join(server: Server, seats: KeptSeats, link: MatchLink, name: str) -> Seated:
    """Take the seat of a match that is free."""
    what = f"{_seat(link)}{name}"
    request_id = seats.request_id(link.server, what)
    try:
        taken = server.take_seat(link.id, TakeSeat(name=name, request_id=request_id))
    except RequestRefused as refused:
        if _is_final(refused):
            seats.forget_request(link.server, what)
        raise
    seats.keep(link.server, link.id, taken.secret)
    match = RemoteMatch(server, link.id, taken.secret)
    return Seated(match, match.state(), str(link))


def come_back(server: Server, seats: KeptSeats, link: MatchLink) -> Seated | None:
    """Return to the seat that was taken before; None if none was.

    Nor is one taken where a server was set back to before somebody sat down.
    """
    secret = seats.secret(link.server, link.id)
    if secret is None:
        return None
    match = RemoteMatch(server, link.id, secret)
    state = match.state()
    mine = state.your_seat
    if mine is None or not state.seats[mine.value - 1].taken:
        return None
    return Seated(match, state, str(link))


def may_have_sat(seats: KeptSeats, link: MatchLink) -> bool:
    """Whether a seat was asked for, and the answer perhaps lost."""
    return seats.has_request(link.server, _seat(link))


def _is_final(refused: RequestRefused) -> bool:
    """Whether nothing came of a request, nor would if it were sent again."""
    return refused.status not in TRY_AGAIN


def _seat(link: MatchLink) -> str:
    """Return what the requests for a seat begin with."""
    return f"seat {link.id} "


class Hosted:
    """A match that a command makes here; the same command comes back to it."""

    def __init__(
        self, server: Server, seats: KeptSeats, called: str, command: str
    ) -> None:
        """Take the command; ``called`` is what the server's matches are kept under."""
        self._server = server
        self._seats = seats
        self._called = called
        self._command = command

    def sit(self, settle: Callable[[], CreateMatch], *, new: bool = False) -> Seated:
        """Come back to the match if it goes on; make what is settled if none does.

        A ``new`` one is made all the same, and come back to from then on.
        """
        back = None if new else self._come_back()
        return back or self._make(settle())

    def _come_back(self) -> Seated | None:
        asked = self._seats.match_of(self._called, self._command)
        if asked is None:
            return None
        seated = self._ask(asked)
        if seated.state.match_over:
            self.forget()
            return None
        return seated

    def _make(self, settled: CreateMatch) -> Seated:
        asked = replace(settled, request_id=new_request_id())
        self._seats.keep_match(self._called, self._command, asked)
        return self._ask(asked)

    def _ask(self, asked: CreateMatch) -> Seated:
        """Ask for the match; asked for again it is the same one."""
        try:
            made = self._server.create(asked)
        except RequestRefused as refused:
            if _is_final(refused):
                self.forget()
            raise
        # Whoever made a match may come back to it by its link, too.
        for server in {self._server.url, read_link(made.link).server}:
            self._seats.keep(server, made.id, made.secret)
        match = RemoteMatch(self._server, made.id, made.secret)
        return Seated(match, match.state(), made.link)

    def forget(self) -> None:
        """Let the same command make another match from now on."""
        self._seats.forget_match(self._called, self._command)
