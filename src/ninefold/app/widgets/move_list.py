"""The moves of a game: a list beside the board that scrolls, or one row below it."""

from __future__ import annotations

from textual.containers import VerticalScroll
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import Static

from ninefold.game import Game, Seat
from ninefold.text import format_product, shorten

MARKS = {Seat.ONE: "●", Seat.TWO: "■"}
"""A disc for seat 1 and a square for seat 2: nothing is shown by colour alone."""


COLOURS = {Seat.ONE: "$first", Seat.TWO: "$second"}


_MOST_MOVES = 200


class MoveList(VerticalScroll, can_focus=False):
    """Lists the numbered moves; the last one is always visible."""

    def __init__(self) -> None:
        self._moves = Static("")
        super().__init__(self._moves)

    def show(self, game: Game) -> None:
        """List the moves of a game; only the last ones of a very long game."""
        rows = [
            Content.assemble(
                (f"{turn.number:>3} ", "$soft"),
                (f"{MARKS[turn.seat]} ", COLOURS[turn.seat]),
                format_product(turn.total, turn.multiplier),
            )
            for turn in game.turns()
        ]
        head = Content.styled("Moves\n", "bold $soft")
        self._moves.update(Content("\n").join([head, *rows[-_MOST_MOVES:]]))
        self.scroll_end(animate=False)


class MovesRow(Widget, can_focus=False):
    """Shows the last moves of a game on one row."""

    game: reactive[Game | None] = reactive(None)

    def render(self) -> Content:
        if self.game is None:
            return Content("")
        seat, room = self.game.to_move.other, self.size.width - 2
        pieces: list[Content] = []
        for multiplier in reversed(self.game.moves):
            piece = f"{MARKS[seat]}×{shorten(multiplier)}"
            room -= len(piece) + 1
            if room < 0:
                pieces.append(Content.styled("…", "$soft"))
                break
            pieces.append(Content.styled(piece, COLOURS[seat]))
            seat = seat.other
        return Content(" ").join(reversed(pieces))
