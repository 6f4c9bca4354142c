"""The moves of a game: in a list, where there is room beside it, or on one row."""

from __future__ import annotations

from textual.containers import VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from ninefold.app.widgets.seats import COLOURS, MARKS
from ninefold.game import Game
from ninefold.text import shorten

_MOST_MOVES = 200


class MoveList(VerticalScroll, can_focus=False):
    """Numbers the moves; the last one is always in sight."""

    def __init__(self) -> None:
        """Begin empty."""
        self._moves = Static("")
        super().__init__(self._moves)

    def show(self, game: Game) -> None:
        """List the moves of a game; of very many, the last ones."""
        totals, seat = game.totals(), game.first
        rows = [Content.styled("Moves\n", "bold $soft")]
        for number, multiplier in enumerate(game.moves, start=1):
            product = f"{shorten(totals[number - 1])} × {shorten(multiplier)}"
            row = Content.assemble(
                (f"{number:>3} ", "$soft"),
                (f"{MARKS[seat]} ", COLOURS[seat]),
                f"{product} = {shorten(totals[number])}",
            )
            rows.append(row)
            seat = seat.other
        head, *listed = rows
        self._moves.update(Content("\n").join([head, *listed[-_MOST_MOVES:]]))
        self.scroll_end(animate=False)


class MovesRow(Widget, can_focus=False):
    """Writes the moves on one row; of many, the last ones."""

    def __init__(self) -> None:
        """Begin empty."""
        super().__init__()
        self._game: Game | None = None

    def show(self, game: Game) -> None:
        """Show the moves of a game."""
        self._game = game
        self.refresh()

    def render(self) -> Content:
        """Write as many moves as there is room for."""
        if self._game is None:
            return Content("")
        seat, room = self._game.to_move.other, self.size.width - 2
        pieces: list[Content] = []
        for multiplier in reversed(self._game.moves):
            piece = f"{MARKS[seat]}×{shorten(multiplier)}"
            room -= len(piece) + 1
            if room < 0:
                pieces.append(Content.styled("…", "$soft"))
                break
            pieces.append(Content.styled(piece, COLOURS[seat]))
            seat = seat.other
        return Content(" ").join(reversed(pieces))
