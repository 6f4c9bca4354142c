"""The number line of a game, the totals that can be selected, and the widget."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass

from msgspec.structs import replace
from textual.content import Content
from textual.events import Click
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from ninefold.game import Game
from ninefold.rules import Rules
from ninefold.views.number_line import (
    NumberLine,
    Scale,
    lost_bands,
    number_line,
    stops_of,
)
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
"""The frames of a hop's animation."""


def game_line(
    game: Game,
    *,
    bands: bool,
    hint: int | None = None,
    turning_point: int | None = None,
) -> NumberLine:
    """Return the line of a game, with its lost bands if ``bands``."""
    shown = lost_bands(game.rules) if bands else ()
    return number_line(game.rules, shown, game, hint=hint, turning_point=turning_point)


def neighbour(rules: Rules, total: int, step: int) -> int:
    """Return the next total that can be selected, or with step -1 the previous one.

    At an end of the line, return the last one there.
    """
    stops = stops_of(rules)
    after = bisect_right(stops, total) if step > 0 else bisect_left(stops, total) - 1
    return stops[min(max(after, 0), len(stops) - 1)]


def nearest(rules: Rules, place: float) -> int:
    """Return the total that can be selected nearest to a place on the line."""
    scale = Scale(rules.start, rules.target)
    return min(stops_of(rules), key=lambda total: abs(scale.place(total) - place))


class LineWidget(Widget):
    """Draws a number line in three rows: hops, the line itself, labels."""

    @dataclass
    class Pointed(Message):
        """Sent when a place on the line, from 0 to 1, is clicked."""

        place: float

    line: reactive[NumberLine | None] = reactive(None)

    def render(self) -> Content:
        if self.line is None:
            return Content("")
        rows = draw_text(self.line, self.size.width)
        blank: list[Row] = [()] * (_HEIGHT - len(rows))
        return Content("\n").join(
            Content.assemble(*((piece.text, _STYLES[piece.role]) for piece in row))
            for row in [*blank, *rows]
        )

    def on_click(self, event: Click) -> None:
        self.post_message(self.Pointed(event.x / max(self.size.width - 1, 1)))


def partly_drawn(line: NumberLine, step: int) -> NumberLine:
    """Return a frame of the last hop's animation, from 0 to ``STEPS``."""
    if not line.hops or step >= STEPS:
        return line
    *earlier, last = line.hops
    right = last.left + (last.right - last.left) * step / STEPS
    hops = (*earlier, replace(last, right=right))
    return replace(line, hops=hops, total=right)
