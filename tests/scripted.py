"""One match, played through the presenter and on each surface, which say the same.

Ada speaks HTTP; Bo sits before what is tested. The sentences are those that Bo is told
beside the board, wherever he sits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

from tests.online.tables import Friend
from tests.servers import Served

BOOK = "multiplication-showdown"
ASKED: Mapping[str, object] = {"lessons": {"coach": True, "hints": True}}
WARNING = (
    "That gives the win away. ×9 makes 18. Then the other player can leave 51 to 99,"
    " where every move loses. One move wins here."
)
CHANGED = "This match has changed on the server; join again"
LOSS = "3 makes the total 108, which exceeds 100: you would lose. Accept the loss?"


class Bo(Protocol):
    """What Bo does, and is told, at a surface."""

    changed: str
    """What he is told of a match that has changed on the server."""

    def sit(self, link: str) -> None:
        """Take the free seat."""

    def plays(self, multiplier: int) -> None:
        """Enter a multiplier."""

    def answers(self, *, yes: bool) -> None:
        """Answer the open question."""

    def hint(self) -> None:
        """Ask for a hint."""

    def why(self) -> None:
        """Ask who wins, and why."""

    def undo(self) -> None:
        """Ask for the last move back, or for it no longer."""

    def goes_on(self) -> None:
        """Take the first offer after a game."""

    def is_told(self, sentence: str) -> None:
        """Wait until a sentence is said, whatever case it begins with."""


def play(bo: Bo, server: Served) -> None:
    """Play the match."""
    ada = Friend(server.url)
    bo.sit(ada.create(BOOK, **ASKED))
    while not all(seat["taken"] for seat in ada.state()["seats"]):
        pass
    for each in (_game(ada, bo), _end(ada, bo), _connection(ada, bo, server)):
        for sentence in each:
            bo.is_told(sentence)


def _game(ada: Friend, bo: Bo) -> Iterator[str]:
    ada.move(2, despite_coach=True)
    yield "Ada plays ×2: 1 × 2 makes 2."
    yield "Ada slipped. You can win from here."
    bo.hint()
    yield "You can win from here: leave a total from which every answer loses."
    bo.plays(9)
    yield WARNING
    bo.answers(yes=True)
    yield "The coach gives you a second chance."
    yield "2 left in this game."
    bo.plays(2)
    ada_waits(ada, 4)
    bo.hint()
    yield "It is Ada's turn; hints are for your own moves."
    bo.why()
    yield "For Ada, whose turn it is: You are at 4. From 3 to 5"
    bo.undo()
    yield "You asked to take a move back. Waiting for Ada to agree."
    ada.ask("decline-take-back")
    yield "Ada said no; the move stays."


def _end(ada: Friend, bo: Bo) -> Iterator[str]:
    ada.move(9, despite_coach=True)
    yield "Ada plays ×9: 4 × 9 makes 36."
    bo.plays(3)
    yield LOSS
    bo.answers(yes=True)  # which the coach does not ask about again
    yield "Congratulations, Ada! You win!"
    yield "ask Ada for a rematch"
    yield "practise this"
    bo.goes_on()
    yield "You asked for a rematch. Waiting for Ada to agree."
    ada.ask("rematch")
    yield "A rematch begins: Bo starts."


def _connection(ada: Friend, bo: Bo, server: Served) -> Iterator[str]:
    server.stop()
    yield "Connection lost. Reconnecting …"
    server.start()
    yield "Connected again."
    server.back_up()
    bo.plays(3)
    ada_waits(ada, 3)
    bo.hint()
    yield "It is Ada's turn; hints are for your own moves."
    server.restore()
    yield bo.changed


def ada_waits(ada: Friend, total: int) -> None:
    """Wait until a total has come to Ada."""
    while ada.state()["total"] != total:
        pass
