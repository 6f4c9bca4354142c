"""Events in words, for those who play a seat and for those who watch."""

from __future__ import annotations

import pytest

from ninefold import Ending, Rules, Seat
from ninefold.session import (
    AskRematch,
    AskTakeBack,
    Command,
    DeclineTakeBack,
    GiveBack,
    Lessons,
    Move,
    Rematch,
    Resign,
    Session,
    Setup,
    Sit,
    Withdraw,
)
from ninefold.views.events import is_news, write_event

ONE, TWO = Seat.ONE, Seat.TWO
SETUP = Setup(
    rules=Rules(Ending.REACH, 100),
    book="multiplication-madness",
    lessons=Lessons(coach=True),
    all_seated=False,
)
DUEL = Setup(
    rules=Rules(Ending.EXACT, 100), book="multiplication-duel", all_seated=False
)
SITTING = (Sit(ONE, "Ada"), Sit(TWO, "Bo"))


def words(setup: Setup, *log: Command, seat: Seat | None) -> str:
    """Say the last of some commands to a seat, or to somebody who watches."""
    before = Session.replay(setup, [*SITTING, *log[:-1]] if log else SITTING[:1])
    session, events = before.accept(log[-1] if log else SITTING[1])
    seats = () if seat is None else (seat,)
    said = (
        write_event(event, session, seats)
        for event in events
        if is_news(event, events, session, seats)
    )
    return " ".join(filter(None, said))


@pytest.mark.parametrize(
    ("setup", "log", "ada", "bo", "others"),
    [
        (SETUP, (), "Bo sits down.", "Bo sits down.", "Bo sits down."),
        (
            DUEL,
            (Move(5), AskTakeBack(ONE)),
            "You asked to take a move back.",
            "Ada asks to take a move back.",
            "Ada asks to take a move back.",
        ),
        (
            DUEL,
            (Move(5), AskTakeBack(ONE), DeclineTakeBack()),
            "Bo would rather play on: no move is taken back.",
            "You play on: no move is taken back.",
            "Bo would rather play on: no move is taken back.",
        ),
        (
            DUEL,
            (Move(5), AskTakeBack(ONE), Move(2)),
            "Bo would rather play on: no move is taken back.",
            "",
            "Bo would rather play on: no move is taken back.",
        ),
        (DUEL, (Move(5), AskTakeBack(ONE), Resign(ONE)), "", "", ""),
        (
            DUEL,
            (Move(5), AskTakeBack(ONE), Withdraw(ONE)),
            "You change your mind.",
            "Ada has thought better of it.",
            "Ada has thought better of it.",
        ),
        (
            SETUP,
            (GiveBack(2),),
            "",
            "The coach gives Ada the move back.",
            "The coach gives Ada the move back.",
        ),
        (
            SETUP,
            (Resign(ONE), AskRematch(TWO)),
            "Bo asks for a rematch.",
            "You asked for a rematch.",
            "Bo asks for a rematch.",
        ),
        (
            SETUP,
            (Resign(ONE), Rematch(TWO)),
            *["A rematch begins: Bo starts."] * 3,
        ),
        (SETUP, (Move(2),), "", "", ""),
    ],
)
def test_an_event_is_said_to_each_seat_and_to_spectators(
    setup: Setup, log: tuple[Command, ...], ada: str, bo: str, others: str
) -> None:
    assert [words(setup, *log, seat=seat) for seat in (ONE, TWO, None)] == [
        ada,
        bo,
        others,
    ]
