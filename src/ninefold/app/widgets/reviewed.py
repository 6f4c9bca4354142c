"""The moves of a game, graded, one of them marked."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from ninefold.app.widgets.seats import COLOURS, MARKS
from ninefold.coach import Grade, Review, Step
from ninefold.text import shorten

GLYPHS = {Grade.ONLY: "!", Grade.GOOD: "+", Grade.SLIP: "?", Grade.LOST: "·"}
WORDS = {
    Grade.ONLY: "only move",
    Grade.GOOD: "good",
    Grade.SLIP: "slip",
    Grade.LOST: "lost anyway",
}
_STYLES = {
    Grade.ONLY: "bold $first",
    Grade.GOOD: "$first",
    Grade.SLIP: "bold $second",
    Grade.LOST: "$soft",
}


class ReviewedMoves(OptionList):
    """Lists the moves; the arrow keys mark one after another."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "cursor_up", "move by move", key_display="← →"),
        Binding("right", "cursor_down", show=False),
    ]

    def show(self, review: Review) -> None:
        """List the moves of a review and mark the last one."""
        self.clear_options()
        turn = review.turning_point
        for step in review.steps:
            self.add_option(Option(_row(step, turned=step is turn)))
        if review.steps:
            self.highlighted = len(review.steps) - 1


def _row(step: Step, *, turned: bool) -> Content:
    product = (
        f"{shorten(step.total)} × {shorten(step.multiplier)} = {shorten(step.makes)}"
    )
    grade = f"{GLYPHS[step.grade]} {WORDS[step.grade]}{', it turned' if turned else ''}"
    return Content.assemble(
        (f"{step.number:>3} ", "$soft"),
        (f"{MARKS[step.seat]} ", COLOURS[step.seat]),
        f"{product:<14}  ",
        (grade, _STYLES[step.grade]),
    )
