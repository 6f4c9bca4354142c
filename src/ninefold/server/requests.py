"""Requests read: their bodies, who sends them, and the commands that they mean."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
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
    GiveBackMove,
    PlayMove,
    QuestionView,
    TakeBack,
    TakeBackAction,
)
from ninefold.players import LEVELS
from ninefold.rulebooks import load
from ninefold.rules import Rules
from ninefold.server.live_match import CoachWarning
from ninefold.server.responses import (
    BAD_FORM,
    CONFLICT,
    NO_SEAT,
    REFUSED_BY_RULES,
    TOO_LARGE,
    TOO_SLOW,
    WRONG_TYPE,
    Refused,
    no_seat,
    out_of_turn,
)
from ninefold.server.seat_secrets import SeatSecrets
from ninefold.session import (
    AskNeedlessLoss,
    AskProduct,
    AskRematch,
    AskSlip,
    AskTakeBack,
    Command,
    DeclineTakeBack,
    GiveBack,
    Lessons,
    Move,
    Question,
    Session,
    Setup,
    Undo,
)
from ninefold.views.state import LessonsShape
from ninefold.views.words import question_words

Body = TypeVar("Body", bound=Struct)
Think = Callable[[Callable[[], Question | None]], Awaitable[Question | None]]

LARGEST_BODY = 4 * 1024
_SECONDS_FOR_A_BODY = 10
COOKIE = "ninefold-seat"


async def read_body(
    request: Request, shape: type[Body], seconds: float = _SECONDS_FOR_A_BODY
) -> Body:
    """Read the JSON of a request, which has some seconds to come."""
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


# What requests mean


def setup_of(asked: CreateMatch, seed: int) -> Setup:
    """Return the agreement that a request asks for; refuse what cannot be played."""
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
    """Return the lessons that a request asks for."""
    return Lessons(coach=asked.coach, mental=asked.mental, hints=asked.hints)


async def move_of(
    session: Session, seat: Seat, asked: PlayMove, warning: CoachWarning, think: Think
) -> Move:
    """Return the move that a seat asks for; refuse one that has an open question."""
    answer = None if asked.answer is None else int(asked.answer)
    move = Move(int(asked.multiplier), answer, asked.accepts_loss, asked.despite_coach)
    _refuse_out_of_turn(session, seat)
    question = session.question(replace(move, despite_coach=True))
    listens = session.setup.lessons.coach and not asked.despite_coach
    if question is None and listens and warning.may_be_of(session, move.multiplier):
        question = await _ask_coach(session, move, think)
    if question is None:
        return move
    if isinstance(question, AskSlip):
        if not question.give_backs:
            return move  # there is no choice any more
        warning.speak(session, move.multiplier)
    view = question_view(session, question)
    raise Refused(REFUSED_BY_RULES, "question", view.text, question=view)


async def _ask_coach(session: Session, move: Move, think: Think) -> Question | None:
    """Ask whether a move slips; where too much is being worked out, it is silent."""
    try:
        return await think(lambda: session.question(move))
    except Refused:
        return None


def give_back_of(
    session: Session, seat: Seat, asked: GiveBackMove, warning: CoachWarning
) -> GiveBack:
    """Return the command that gives a move back of which the coach has warned."""
    _refuse_out_of_turn(session, seat)
    multiplier = int(asked.multiplier)
    if not warning.was_of(session, multiplier):
        detail = "the coach has not warned of this move; play it, and see"
        raise Refused(CONFLICT, "not_asked", detail, with_state=True)
    return GiveBack(multiplier)


def _refuse_out_of_turn(session: Session, seat: Seat) -> None:
    if not session.empty_seats and session.to_move is seat.other:
        raise out_of_turn()


def question_view(session: Session, question: Question) -> QuestionView:
    """Write a question to a seat as a message."""
    text = question_words(session, question)
    match question:
        case AskProduct(multiplier=multiplier):
            return QuestionView("product", multiplier, text)
        case AskNeedlessLoss(multiplier=multiplier):
            return QuestionView("loss", multiplier, text)
    return QuestionView("slip", question.slip.multiplier, text, question.give_backs)


def take_back_of(session: Session, seat: Seat, asked: TakeBack) -> Command:
    """Return the command for what a seat does about a move to be taken back."""
    if asked.action is TakeBackAction.ASK:
        return Undo() if session.setup.has_level else AskTakeBack(seat)
    if session.take_back_asked is not seat.other:
        detail = "no move is asked back from you"
        raise Refused(CONFLICT, "not_asked", detail, with_state=True)
    return Undo() if asked.action is TakeBackAction.ACCEPT else DeclineTakeBack()


def rematch_of(session: Session, seat: Seat) -> Command:
    """Return the command for a seat that wants a rematch; a level always does."""
    if session.setup.has_level or session.rematch_asked is seat.other:
        return session.rematch()
    return AskRematch(seat)
