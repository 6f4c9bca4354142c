"""A seat: who sits there, whose move it is, the score."""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct
from textual.content import Content
from textual.widget import Widget

from ninefold.game import Seat
from ninefold.session import Session

MARKS = {Seat.ONE: "●", Seat.TWO: "■"}
"""A disc for seat 1 and a square for seat 2: nothing is told by colour alone."""
COLOURS = {Seat.ONE: "$first", Seat.TWO: "$second"}


class SeatView(Struct, frozen=True):
    """What a seat's card shows."""

    name: str
    note: str = ""
    moves: bool = False
    """Whether the seat is to move."""
    won: bool = False


class SeatCard(Widget, can_focus=False):
    """Shows one seat: its name to the left, a note to the right."""

    def __init__(self, seat: Seat) -> None:
        super().__init__(classes=f"-seat-{seat.value}")
        self.seat = seat
        self._view = SeatView("")

    def show(self, view: SeatView) -> None:
        self._view = view
        self.set_class(view.moves, "-moves")
        self.set_class(view.won, "-won")
        self.refresh()

    def render(self) -> Content:
        """Write the row; a name that is too long is truncated."""
        view, room = self._view, self.size.width - 2
        name = Content.styled(view.name, "bold")
        note = Content.styled(view.note, "" if view.moves or view.won else "$soft")
        name = name.truncate(max(room - note.cell_length - 1, 1), ellipsis=True)
        gap = " " * max(room - name.cell_length - note.cell_length, 1)
        mark = (f"{MARKS[self.seat]} ", "" if view.won else COLOURS[self.seat])
        return Content.assemble(mark, name, gap, note)


def seat_views(
    session: Session,
    mine: Collection[Seat] = tuple(Seat),
    here: tuple[bool, bool] = (True, True),
) -> dict[Seat, SeatView]:
    """Return both cards of a session.

    ``mine`` are the seats that are played from here; ``here`` says which seat is
    connected.
    """
    return {
        seat: _seat_view(
            session, seat, is_mine=seat in mine, is_here=here[seat.value - 1]
        )
        for seat in Seat
    }


def _seat_view(
    session: Session, seat: Seat, *, is_mine: bool, is_here: bool
) -> SeatView:
    setup, outcome, level = (
        session.setup,
        session.game.outcome,
        session.setup.level(seat),
    )
    moves = session.to_move is seat and not session.empty_seats
    won = outcome is not None and outcome.winner is seat
    note = ""
    if seat in session.empty_seats:
        note = "not here yet"
    elif level is None and not is_mine and not is_here:
        note = "away"
    elif moves:
        note = "your move" if is_mine else "is thinking …" if level else "to move"
    elif outcome is not None:
        note = "wins" if won else ""
    elif level is not None and level != setup.name(seat).lower():
        note = level
    score = session.match.score[seat]
    if not session.match.length.is_single:
        note = f"{note} · {score}" if note else str(score)
    return SeatView(setup.name(seat), note, moves=moves, won=won)
