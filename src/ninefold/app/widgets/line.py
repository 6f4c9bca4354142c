"""The number line on the screen."""

from __future__ import annotations

from msgspec.structs import replace
from textual.content import Content
from textual.events import Click
from textual.message import Message
from textual.widget import Widget

from ninefold.views.number_line import NumberLine
from ninefold.views.number_line_text import Role, Row, draw_text

_STYLES = {
    Role.SPACE: "",
    Role.FIRST: "bold $first",
    Role.SECOND: "bold $second",
    Role.TURN: "bold $foreground on $mark",
    Role.LINE: "$soft",
    Role.BAND: "$band",
    Role.TOTAL: "bold $foreground",
    Role.LABEL: "$soft",
}
_HEIGHT = 3
STEPS = 5
"""How many pictures a hop is drawn in."""


class LineView(Widget):
    """Draws a number line in three rows: hops, the line itself, labels."""

    class Pointed(Message):
        """Somebody pointed at a place of the line, from 0 to 1."""

        def __init__(self, place: float) -> None:
            """Keep the place."""
            super().__init__()
            self.place = place

    def __init__(self) -> None:
        """Begin empty."""
        super().__init__()
        self._line: NumberLine | None = None

    def show(self, line: NumberLine | None) -> None:
        """Draw another line."""
        self._line = line
        self.refresh()

    def render(self) -> Content:
        """Draw the line at the width there is."""
        if self._line is None:
            return Content("")
        rows = draw_text(self._line, self.size.width)
        blank: list[Row] = [()] * (_HEIGHT - len(rows))
        return Content("\n").join(
            Content.assemble(*((piece.text, _STYLES[piece.role]) for piece in row))
            for row in [*blank, *rows]
        )

    def on_click(self, event: Click) -> None:
        """Report the place that was clicked."""
        self.post_message(self.Pointed(event.x / max(self.size.width - 1, 1)))


def partly_drawn(line: NumberLine, step: int) -> NumberLine:
    """Return a line whose last hop is drawn so many steps of its way."""
    if not line.hops or step >= STEPS:
        return line
    *earlier, last = line.hops
    right = last.left + (last.right - last.left) * step / STEPS
    hops = (*earlier, replace(last, right=right))
    return replace(line, hops=hops, total=right)
