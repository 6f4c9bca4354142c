"""The moves of a game: in a list, on one row, or graded after the game."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from ninefold.app.widgets.fields import marked
from ninefold.app.widgets.seats import COLOURS, MARKS
from ninefold.coach import Grade, Review, Step
from ninefold.game import Game
from ninefold.text import shorten, write_product
from ninefold.views.review import GRADE_WORDS

_MOST_MOVES = 200
_GLYPHS = {Grade.ONLY: "!", Grade.GOOD: "+", Grade.SLIP: "?", Grade.LOST: "·"}
_BY_MOVES = "Review the game: each move, and what it was worth."
_STYLES = {
    Grade.ONLY: "bold $first",
    Grade.GOOD: "$first",
    Grade.SLIP: "bold $second",
    Grade.LOST: "$soft",
}


class MoveList(VerticalScroll, can_focus=False):
    """Numbers the moves; the last one is always in sight."""

    def __init__(self) -> None:
        self._moves = Static("")
        super().__init__(self._moves)

    def show(self, game: Game) -> None:
        """List the moves of a game; of very many, the last ones."""
        totals, seat = game.totals(), game.first
        rows = [Content.styled("Moves\n", "bold $soft")]
        for number, multiplier in enumerate(game.moves, start=1):
            row = Content.assemble(
                (f"{number:>3} ", "$soft"),
                (f"{MARKS[seat]} ", COLOURS[seat]),
                write_product(totals[number - 1], multiplier),
            )
            rows.append(row)
            seat = seat.other
        head, *listed = rows
        self._moves.update(Content("\n").join([head, *listed[-_MOST_MOVES:]]))
        self.scroll_end(animate=False)


class MovesRow(Widget, can_focus=False):
    """Writes the moves on one row; of many, the last ones."""

    def __init__(self) -> None:
        super().__init__()
        self._game: Game | None = None

    def show(self, game: Game) -> None:
        self._game = game
        self.refresh()

    def render(self) -> Content:
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


class ReviewedMoves(OptionList):
    """Lists the moves and, below the last one, the result.

    The arrow keys mark one after another, from the first to the result.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "left", "cursor_up", "move by move", key_display="← →", tooltip=_BY_MOVES
        ),
        Binding("right", "cursor_down", show=False),
        Binding("pagedown", "screen.read(1)", show=False),
        Binding("pageup", "screen.read(-1)", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._rows: list[Content] = []
        self._marked: int | None = None

    def show(self, review: Review) -> None:
        """List the moves of a review and mark its result."""
        self.clear_options()
        if not review.steps:
            return
        turn = review.turning_point
        products = [write_product(s.total, s.multiplier) for s in review.steps]
        width = max(map(len, products))
        self._rows = [
            _row(step, f"{product:<{width}}", turned=step is turn)
            for step, product in zip(review.steps, products, strict=True)
        ]
        over = review.game.outcome is not None
        self._rows.append(Content.styled("   the result" if over else "   so far", ""))
        self.add_options(Option(marked(row, focused=False)) for row in self._rows)
        self.highlighted = len(review.steps)

    def action_cursor_up(self) -> None:
        """Mark the row above; above the first one there is none."""
        if self.highlighted:
            super().action_cursor_up()

    def action_cursor_down(self) -> None:
        """Mark the row below; below the last one there is none."""
        if self.highlighted is not None and self.highlighted + 1 < len(self._rows):
            super().action_cursor_down()

    def watch_highlighted(self, highlighted: int | None) -> None:
        """Move the mark, which stands before the row that is looked at."""
        for index, row in enumerate(self._rows):
            there = index == highlighted
            if there or index == self._marked:
                self.replace_option_prompt_at_index(index, marked(row, focused=there))
        self._marked = highlighted
        super().watch_highlighted(highlighted)


def _row(step: Step, product: str, *, turned: bool) -> Content:
    grade = f"{_GLYPHS[step.grade]} {GRADE_WORDS[step.grade]}"
    if turned:
        grade += ", it turned"
    return Content.assemble(
        (f"{step.number:>2} ", "$soft"),
        (f"{MARKS[step.seat]} ", COLOURS[step.seat]),
        f"{product}  ",
        (grade, _STYLES[step.grade]),
    )
