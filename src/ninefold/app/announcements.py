"""What the app's table says beside its board, which shows moves and ends already."""

from __future__ import annotations

from collections.abc import Sequence

from ninefold.game import Seat
from ninefold.session import Answered, Ended, Event, Moved, Scored, Session
from ninefold.text import write_set
from ninefold.views.words import (
    ANOTHER_TRY,
    COACH_CANNOT_SEE,
    is_news,
    narrator_for,
    paragraph,
    say_answer,
    say_turn,
    viewer_of,
    write_event,
)


def welcome(session: Session, mine: Sequence[Seat] = tuple(Seat)) -> str:
    """Say what to do, and before the first move who was tossed to start.

    ``mine`` are the seats that are played from here.
    """
    if session.is_retry:
        return ANOTHER_TRY
    said = []
    begins = session.number == session.match_number == 1 and not session.game.moves
    if session.setup.first_tossed and begins:
        said.append(narrator_for(session, tuple(Seat)).toss(session.game).strip())
    if session.to_move not in mine:
        return " ".join([*said, say_turn(session)])
    multipliers = session.setup.rules.multipliers
    choice = f"{'one of ' if len(multipliers) > 1 else ''}{write_set(multipliers)}"
    said.append(f"Multiply the total by {choice}.")
    if session.setup.lessons.coach and not session.coach_sees:
        said.append(COACH_CANNOT_SEE)
    return " ".join(said)


def announce(
    session: Session, events: Sequence[Event], mine: Sequence[Seat] = tuple(Seat)
) -> str:
    """Say what came of a command, if there is more to it than the board shows."""
    viewer = viewer_of(mine)
    said = []
    for event in events:
        match event:
            case Ended() | Scored():
                pass
            case Moved(seat=seat) if seat in mine:
                pass
            case Answered(product=product):
                said.append(say_answer(product))
            case _ if is_news(event, events, session, viewer):
                said.append(write_event(event, session, viewer))
    return paragraph(said)
