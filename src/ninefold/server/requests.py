"""Reading requests: bodies, queries, proved seats, and the set-up of a new match."""

from __future__ import annotations

import asyncio
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace
from starlette.requests import ClientDisconnect, Request

from ninefold.game import Seat
from ninefold.match import SINGLE_GAME, toss
from ninefold.notation.codec import decode
from ninefold.online.messages import (
    FRIEND,
    CreateMatch,
)
from ninefold.players import LEVELS
from ninefold.rulebooks import load
from ninefold.rules import Rules
from ninefold.server.responses import (
    BAD_FORM,
    NO_SEAT,
    TOO_LARGE,
    TOO_SLOW,
    WRONG_TYPE,
    Refused,
    no_seat,
)
from ninefold.server.seat_secrets import SeatSecrets
from ninefold.session import (
    Lessons,
    Setup,
)
from ninefold.views.state import LessonsShape

Body = TypeVar("Body", bound=Struct)

LARGEST_BODY = 4 * 1024
_SECONDS_FOR_A_BODY = 10
COOKIE = "ninefold-seat"
_LONGEST_NUMBER = 9


async def read_body(
    request: Request, shape: type[Body], seconds: float = _SECONDS_FOR_A_BODY
) -> Body:
    """Read the JSON of a request; refuse one that is too large or too slow."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        detail = "send JSON, with Content-Type: application/json"
        raise Refused(WRONG_TYPE, "not_json", detail)
    body = bytearray()
    try:
        async with asyncio.timeout(seconds):
            async for part in request.stream():
                body += part
                if len(body) > LARGEST_BODY:
                    detail = f"a request has at most {LARGEST_BODY:,} bytes"
                    raise Refused(TOO_LARGE, "too_large", detail)
    except TimeoutError:
        detail = f"the request took more than {seconds} seconds to come"
        raise Refused(TOO_SLOW, "too_slow", detail) from None
    except ClientDisconnect:
        raise Refused(BAD_FORM, "form", "the request ended too early") from None
    return decode(bytes(body), shape)


def seat_of(request: Request, secrets: SeatSecrets, match_id: str) -> Seat | None:
    """Return the seat that a request proves; None for a spectator.

    A wrong secret in the header is refused; a browser may send an old cookie.
    """
    scheme, _, secret = request.headers.get("authorization", "").partition(" ")
    if scheme:
        seat = None
        if scheme.lower() == "bearer":
            seat = secrets.seat_of(match_id, secret.strip())
        if seat is None:
            detail = "this is not the secret of a seat of this match"
            raise Refused(NO_SEAT, "wrong_secret", detail)
        return seat
    return secrets.seat_of(match_id, request.cookies.get(COOKIE, ""))


def seated(request: Request, secrets: SeatSecrets, match_id: str) -> Seat:
    """Return the seat that a request proves; refuse a spectator."""
    seat = seat_of(request, secrets, match_id)
    if seat is None:
        raise no_seat()
    return seat


def address_of(request: Request) -> str:
    """Return the address that a request comes from."""
    return request.client.host if request.client else ""


def wants_log(request: Request) -> bool:
    """Whether a request asks for commands, instead of the state."""
    form = request.query_params.get("as")
    if form not in (None, "log"):
        detail = "as: expected log, or nothing for the state"
        raise Refused(BAD_FORM, "form", detail)
    return form == "log"


def read_number(given: str | None, name: str) -> int | None:
    """Read a number from a query or a header."""
    if not given:
        return None
    if len(given) > _LONGEST_NUMBER or not given.isascii() or not given.isdigit():
        detail = f"{name}: expected a whole number"
        raise Refused(BAD_FORM, "form", detail)
    return int(given)


# The set-up of a match


def setup_of(asked: CreateMatch, seed: int) -> Setup:
    """Return the set-up of a new match; refuse one that cannot be played."""
    book = load(asked.game)
    given = asked.multipliers
    rules = Rules(
        book.rules.ending,
        book.rules.target if asked.target is None else asked.target,
        book.rules.multipliers if given is None else given,
        book.rules.start if asked.start is None else asked.start,
    )
    level = None if asked.opponent == FRIEND else asked.opponent
    other = str(Seat.TWO) if level not in LEVELS else LEVELS[level].title
    setup = Setup(
        rules=rules,
        length=SINGLE_GAME if asked.length is None else asked.length,
        starts=asked.starts,
        first=Seat.ONE,
        first_tossed=asked.first == "toss",
        names=(str(Seat.ONE), other),
        levels=(None, level),
        book=book.key,
        seed=seed,
        lessons=lessons_of(asked.lessons),
        all_seated=False,
    )
    first = toss(setup.chance("first")) if asked.first == "toss" else Seat(asked.first)
    return replace(setup, first=first)


def lessons_of(asked: LessonsShape) -> Lessons:
    """Return the lessons that a seat wants."""
    return Lessons(coach=asked.coach, mental=asked.mental, hints=asked.hints)
