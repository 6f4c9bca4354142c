"""What the table shows of a session, as a function of the session alone."""

from __future__ import annotations

from collections.abc import Iterable

from ninefold.app.widgets.seats import SeatView
from ninefold.game import Seat
from ninefold.learning import Product
from ninefold.rulebooks import Narrator
from ninefold.session import (
    Answered,
    AskSlip,
    Began,
    Event,
    GivenBack,
    Moved,
    Retry,
    Session,
    TakenBack,
)
from ninefold.text import shorten, write_set
from ninefold.theory.sentences import times

RETRIED = "Another try from here."


def welcome(session: Session) -> str:
    """Say what to do, and before the first move who was tossed to start."""
    if session.log and isinstance(session.log[-1], Retry):
        return RETRIED
    if session.to_move is not None and not session.setup.is_person(session.to_move):
        told = [f"{session.setup.name(session.to_move)} is thinking …"]
        if session.setup.first_tossed and not session.log:
            told.insert(0, narrator_of(session).toss(session.game).strip())
        return " ".join(told)
    multipliers = session.setup.rules.multipliers
    choice = f"{'one of ' if len(multipliers) > 1 else ''}{write_set(multipliers)}"
    told = [f"Multiply the total by {choice}."]
    if session.setup.first_tossed and not session.log:
        told.insert(0, narrator_of(session).toss(session.game).strip())
    if session.setup.lessons.coach and not session.coach_sees:
        told.append("This game goes further than the coach can see.")
    return " ".join(told)


def narrator_of(session: Session) -> Narrator:
    """Return the narrator of a session."""
    return Narrator(session.book, session.setup.rules, session.setup.names)


def where(session: Session) -> str:
    """Say which game of the match it is; nothing where there is one."""
    if session.is_retry:
        return "another try"
    length = session.match.length
    return "" if length.is_single else f"game {session.number} · {length}"


def seats(session: Session) -> dict[Seat, SeatView]:
    """Return what both cards show."""
    return {seat: _seat(session, seat) for seat in Seat}


def _seat(session: Session, seat: Seat) -> SeatView:
    setup, outcome = session.setup, session.game.outcome
    moves, level = session.to_move is seat, setup.level(seat)
    notes = []
    if moves:
        notes.append("your move" if level is None else "is thinking …")
    elif outcome is not None:
        notes.append("wins" if outcome.winner is seat else "")
    elif level is not None and level != setup.name(seat).lower():
        notes.append(level)
    if not session.match.length.is_single:
        notes.append(str(session.match.score[seat]))
    note = " · ".join(filter(None, notes))
    won = outcome is not None and outcome.winner is seat
    return SeatView(setup.name(seat), note, moves=moves, won=won)


def told(session: Session, event: Event) -> str:
    """Say what came of a command, if there is more to it than the board shows."""
    said, names = "", dict(zip(Seat, session.setup.names, strict=True))
    match event:
        case Answered(product=product):
            said = _judged(product)
        case Moved(seat=seat, multiplier=move, total=total):
            if not session.setup.is_person(seat):
                before, after = shorten(total // move), shorten(total)
                said = f"{names[seat]} plays {times(move)}: {before} → {after}."
        case TakenBack(moves=moves, total=total):
            taken = " and ".join(times(move) for move in moves)
            said = f"{taken} taken back. The total is {shorten(total)} again."
        case GivenBack(multiplier=move, left=left):
            more = f"{left or 'no'} more can be given back in this game"
            given = "A move" if move is None else times(move)
            said = f"{given} is given back; {more}."
        case Began(is_retry=True):
            said = RETRIED
        case Began(first=first, tossed=tossed):
            said = f"{'The coin says that ' if tossed else ''}{names[first]} starts."
        case _:
            pass  # shown after the game
    return said


def corrected(events: Iterable[Event]) -> str:
    """Say what a product should have been; nothing where it was right, or not asked."""
    answers = [event.product for event in events if isinstance(event, Answered)]
    return " ".join(_judged(product) for product in answers if not product.right)


def _judged(product: Product) -> str:
    return "Right." if product.right else f"Not quite: {product.correction}"


def slip_question(session: Session, question: AskSlip) -> str:
    """Ask whether a slip is taken back, without telling what wins.

    The reason names the other's reply, so it is left out where the other reads along.
    """
    reason = f" {question.slip.reason}" if session.setup.has_level else ""
    left = f"{question.give_backs} left"
    return f"That gives the win away.{reason} Take it back? ({left})"


def loss_question(session: Session, multiplier: int) -> str:
    """Ask in the rule book's words whether a needless loss is meant."""
    asked = narrator_of(session).confirm(session.game, multiplier) or ""
    return asked.partition(" (y/N)")[0]
