"""Events in words, as every surface says them to the people who look at it.

The rule book has its own words for moves and ends; these are for what people do beside
the game.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ninefold.game import Seat
from ninefold.session import (
    Began,
    Event,
    GivenBack,
    Moved,
    RematchAsked,
    Resigned,
    Seated,
    Session,
    TakeBackAsked,
    TakeBackDeclined,
    Withdrawn,
)


def is_news(
    event: Event, events: Sequence[Event], session: Session, seats: Collection[Seat]
) -> bool:
    """Whether an event of a command is said to the people who play these seats.

    A move declines the take-back that is asked for: only the one who asked, and did
    not move on, has to be told. A move that the coach gave back is known to its seat.
    """
    if isinstance(event, GivenBack):
        return session.game.to_move not in seats
    if not isinstance(event, TakeBackDeclined) or len(events) == 1:
        return True
    if any(isinstance(each, Resigned) for each in events):
        return False
    moved = next((each.seat for each in events if isinstance(each, Moved)), None)
    by = moved or session.game.to_move  # a move given back leaves the turn
    return by is event.seat.other and by not in seats


def write_event(event: Event, session: Session, seats: Collection[Seat]) -> str:
    """Say an event to the people who play these seats; "" if it needs no words."""

    def who(seat: Seat) -> str:
        return "You" if seat in seats else session.setup.name(seat)

    match event:
        case Seated(seat=seat):
            words = f"{session.setup.name(seat)} sits down."
        case Began(first=first):
            is_rematch = session.number == 1 and session.match_number > 1
            begins = "A rematch" if is_rematch else f"Game {session.number}"
            words = f"{begins} begins: {session.setup.name(first)} starts."
        case GivenBack():
            mover = session.setup.name(session.game.to_move)
            words = f"The coach gives {mover} the move back."
        case TakeBackAsked(seat=seat):
            asks = "asked" if seat in seats else "asks"
            words = f"{who(seat)} {asks} to take a move back."
        case TakeBackDeclined(seat=seat):
            plays = "play on" if seat.other in seats else "would rather play on"
            words = f"{who(seat.other)} {plays}: no move is taken back."
        case RematchAsked(seat=seat):
            asks = "asked" if seat in seats else "asks"
            words = f"{who(seat)} {asks} for a rematch."
        case Withdrawn(seat=seat):
            changes = (
                "change your mind" if seat in seats else "has thought better of it"
            )
            words = f"{who(seat)} {changes}."
        case _:
            words = ""
    return words
