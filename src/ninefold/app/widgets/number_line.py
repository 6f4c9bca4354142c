"""Number lines of games and rules: what is on them, and the widget that draws one."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from math import log2

from msgspec.structs import replace
from textual.content import Content
from textual.events import Click
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from ninefold.errors import TooLarge
from ninefold.game import Game
from ninefold.rules import Rules
from ninefold.theory import Band, Oracle, oracle_for
from ninefold.views.band_map import positions_of
from ninefold.views.number_line import (
    Label,
    LabelKind,
    NumberLine,
    Scale,
    number_line,
    write_label,
)
from ninefold.views.number_line_text import Role, Row, draw_text

_MOST_BANDS = 400
"""More of them are closer together than the columns of any terminal."""
_BELOW_TARGET = 1e-6
"""How many powers of two a product stays below the target: floats are rounded."""
_MOST_OF_THE_OTHER = 64
"""More of a second multiplier bring a product no nearer that an eye could tell."""
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


@lru_cache(maxsize=16)
def bands_of(rules: Rules, oracle: Oracle | None = None) -> tuple[Band, ...]:
    """Return the lost bands; none where they are too far to be seen."""
    try:
        return tuple(islice(oracle_for(rules, oracle).lost_bands(), _MOST_BANDS))
    except TooLarge:
        return ()


def game_line(
    game: Game,
    *,
    bands: bool,
    hint: int | None = None,
    turning_point: int | None = None,
) -> NumberLine:
    """Return the line of a game; ``bands`` says whether lost bands are shown."""
    shown = bands_of(game.rules) if bands else ()
    return number_line(game.rules, shown, game, hint=hint, turning_point=turning_point)


def rules_line(rules: Rules, total: int | None = None) -> NumberLine:
    """Return the line of rules with their bands, and a total on it if there is one."""
    line = number_line(rules, bands_of(rules))
    if total is None:
        return line
    place = Scale(rules.start, rules.target).place(total)
    if total == rules.start:
        return replace(line, total=place)
    label = Label(place, write_label(total), LabelKind.TOTAL)
    return replace(line, total=place, labels=(*line.labels, label))


def neighbour(rules: Rules, total: int, step: int, columns: int) -> int:
    """Return the position before a total, or after it, as ``step`` is -1 or 1.

    Where positions are many it is one in the next column of a line so wide, and the
    total itself at either end of the line.
    """
    positions = positions_of(rules)
    if positions:
        after = bisect_left(positions, total) - 1
        if step > 0:
            after = bisect_right(positions, total)
        return positions[min(max(after, 0), len(positions) - 1)]
    last = max(columns - 1, 1)
    place = Scale(rules.start, rules.target).place(total)
    column = round(min(max(place, 0), 1) * last)
    while 0 <= (column := column + step) <= last:
        found = _product_near(rules, column / last)
        if (found - total) * step > 0:
            return found
    return total


def nearest(rules: Rules, place: float) -> int:
    """Return the position nearest to a place of the line, or a near one of many."""
    positions = positions_of(rules)
    if not positions:
        return _product_near(rules, place)
    scale = Scale(rules.start, rules.target)
    return min(positions, key=lambda total: abs(scale.place(total) - place))


def _product_near(rules: Rules, place: float) -> int:
    """Return a position near a place: powers of the smallest multiplier and another.

    Two of them come close enough anywhere: one that is a little too short each time
    fits once the other has been taken a few times.
    """
    room = log2(rules.target) - log2(rules.start)
    wanted = min(max(place, 0) * room, room - _BELOW_TARGET)
    small = rules.multipliers[0]
    best, powers = wanted, (0, small, 0)
    for other in rules.multipliers:
        for count in range(_MOST_OF_THE_OTHER):
            rest = wanted - count * log2(other)
            times = int(rest / log2(small))
            if rest < 0:
                break
            if rest - times * log2(small) < best:
                best = rest - times * log2(small)
                powers = times, other, count
    times, other, count = powers
    factor: int = small**times * other**count
    return rules.start * factor


class LineWidget(Widget):
    """Draws a number line in three rows: hops, the line itself, labels."""

    @dataclass
    class Pointed(Message):
        """Somebody pointed at a place of the line, from 0 to 1."""

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
    """Return a line whose last hop is drawn so many steps of its way."""
    if not line.hops or step >= STEPS:
        return line
    *earlier, last = line.hops
    right = last.left + (last.right - last.left) * step / STEPS
    hops = (*earlier, replace(last, right=right))
    return replace(line, hops=hops, total=right)
