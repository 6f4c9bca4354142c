"""What the table says: the events of a game, what to wait for, the questions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

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
    RematchAsked,
    Retry,
    Session,
    TakenBack,
)
from ninefold.text import shorten, write_set
from ninefold.theory.sentences import times
from ninefold.views.events import is_news, write_event

_RETRIED = "Another try from here."
_NOBODY = "Nobody sits in the other seat yet; send the link."
BOTH = (Seat.ONE, Seat.TWO)
"""The seats that are played from here, where two people share a keyboard."""


def sentence(error: Exception) -> str:
    """Write an error as a sentence.

    >>> sentence(ValueError("the target must be above the start"))
    'The target must be above the start.'
    >>> sentence(ValueError("http://localhost gives no answer; is it running?"))
    'http://localhost gives no answer; is it running?'
    """
    message = str(error)
    if not message.startswith("http"):
        message = f"{message[:1].upper()}{message[1:]}"
    return message if message.endswith((".", "!", "?")) else f"{message}."


def narrator_of(session: Session) -> Narrator:
    """Return the narrator of a session."""
    return Narrator(session.book, session.setup.rules, session.setup.names)


def welcome(session: Session, mine: Collection[Seat] = BOTH) -> str:
    """Say what to do, and before the first move who was tossed to start.

    ``mine`` are the seats that are played from here.
    """
    if session.log and isinstance(session.log[-1], Retry):
        return _RETRIED
    said = []
    begins = session.number == session.match_number == 1 and not session.game.moves
    if session.setup.first_tossed and begins:
        said.append(narrator_of(session).toss(session.game).strip())
    if session.to_move not in mine:
        return " ".join([*said, waiting(session)])
    multipliers = session.setup.rules.multipliers
    choice = f"{'one of ' if len(multipliers) > 1 else ''}{write_set(multipliers)}"
    said.append(f"Multiply the total by {choice}.")
    if session.setup.lessons.coach and not session.coach_sees:
        said.append("This game goes further than the coach can see.")
    return " ".join(said)


def waiting(session: Session) -> str:
    """Say that a level thinks, or whose move it is."""
    mover = session.game.to_move
    if session.empty_seats or session.setup.is_person(mover):
        return not_your_move(session)
    return f"{session.setup.name(mover)} is thinking …"


def not_your_move(session: Session) -> str:
    """Say why a key cannot be used by somebody who is not to move."""
    if session.empty_seats:
        return _NOBODY
    return f"It is {session.setup.name(session.game.to_move)}'s move; wait for it."


def announce(
    session: Session, events: Sequence[Event], mine: Collection[Seat] = BOTH
) -> str:
    """Say what came of a command, if there is more to it than the board shows."""
    said = [
        _announce(session, event, mine)
        for event in events
        if isinstance(event, GivenBack) or is_news(event, events, session, mine)
    ]
    return " ".join(filter(None, said))


def _announce(session: Session, event: Event, mine: Collection[Seat]) -> str:
    name, words = session.setup.name, write_event(event, session, mine)
    match event:
        case Answered(product=product):
            words = _judged(product)
        case Moved(seat=seat, multiplier=move, total=total) if seat not in mine:
            before, after = shorten(total // move), shorten(total)
            words = f"{name(seat)} plays {times(move)}: {before} → {after}."
        case TakenBack(moves=moves, total=total):
            taken = " and ".join(times(move) for move in moves)
            words = f"{taken} taken back. The total is {shorten(total)} again."
        case GivenBack(multiplier=move, left=left) if session.game.to_move in mine:
            more = f"{left or 'no'} more can be given back in this game"
            words = (
                f"{'A move' if move is None else times(move)} is given back; {more}."
            )
        case Began(is_retry=True):
            words = _RETRIED
        case Began(first=first, tossed=True):
            words = f"The coin says that {name(first)} starts."
        case RematchAsked(seat=seat) if seat in mine:
            words = f"{words} Waiting for {name(seat.other)} to agree."
    return words


def corrections(events: Iterable[Event]) -> str:
    """Say what a product should have been; nothing where it was right, or not asked."""
    answers = [event.product for event in events if isinstance(event, Answered)]
    return " ".join(_judged(product) for product in answers if not product.right)


def _judged(product: Product) -> str:
    return "Right." if product.right else f"Not quite: {product.correction}"


def opportunity(session: Session) -> str:
    """Say that the other seat has slipped."""
    other = session.setup.name(session.game.to_move.other)
    return f"{other} has slipped. The game is there to be won."


def slip_question(question: AskSlip, mine: Collection[Seat] = BOTH) -> str:
    """Ask whether a slip is taken back, without telling what wins.

    The reason names the other's reply, so it is left out where the other reads along.
    """
    reason = "" if len(mine) > 1 else f" {question.slip.reason}"
    left = f"{question.give_backs} left"
    return f"That gives the win away.{reason} Take it back? ({left})"


def loss_question(session: Session, multiplier: int) -> str:
    """Ask in the rule book's words whether a needless loss is meant."""
    asked = narrator_of(session).confirm(session.game, multiplier) or ""
    return asked.partition(" (y/N)")[0]
