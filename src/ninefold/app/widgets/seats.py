"""A seat: who sits there, whose move it is, the score."""

from __future__ import annotations

from msgspec import Struct
from textual.content import Content
from textual.widget import Widget

from ninefold.game import Seat

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
        """Take the seat; ``show`` fills the card."""
        super().__init__(classes=f"-seat-{seat.value}")
        self.seat = seat
        self._view = SeatView("")

    def show(self, view: SeatView) -> None:
        """Show who sits there."""
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
