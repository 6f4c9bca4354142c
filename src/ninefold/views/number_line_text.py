"""The number line in characters: the hops, the line itself, and its labels.

Each row consists of pieces with a role, so that a terminal can colour them. Nothing is
shown by colour alone: seats are ``●`` and ``■``, bands are ``▒``, the total is ``◉``.
"""

from __future__ import annotations

from enum import Enum
from itertools import groupby
from math import floor

from msgspec import Struct

from ninefold.game import Seat
from ninefold.text import shorten
from ninefold.views.number_line import Hop, NumberLine

_LINE, _LEFT_END, _RIGHT_END, _BAND, _TOTAL = "─├┤▒◉"
_LANDED = {Seat.ONE: "●", Seat.TWO: "■"}
_NARROWEST = 20
_GAP = 2  # "56 to 111 126" would read as one label


class Role(Enum):
    """The part of the picture that a piece belongs to."""

    SPACE = "space"
    FIRST = "first"
    """A hop of seat 1."""
    SECOND = "second"
    """A hop of seat 2."""
    TURN = "turn"
    """The hop of the turning point."""
    LINE = "line"
    BAND = "band"
    TOTAL = "total"
    LABEL = "label"


_ROLES = {Seat.ONE: Role.FIRST, Seat.TWO: Role.SECOND}


class Piece(Struct, frozen=True):
    """Neighbouring characters of one role."""

    text: str
    role: Role


Row = tuple[Piece, ...]


def draw_text(line: NumberLine, width: int) -> list[Row]:
    """Draw a line within a width in columns: its hops, if any, the axis, its labels.

    >>> from ninefold import Ending, Game, Rules
    >>> from ninefold.theory import Band
    >>> from ninefold.views.number_line import number_line
    >>> game = Game.replay(Rules(Ending.REACH, 1000), [5, 3])
    >>> drawn = number_line(game.rules, [Band(4, 6), Band(56, 111)], game)
    >>> for row in draw_text(drawn, 60):
    ...     print("".join(piece.text for piece in row))
    ╭──── ×5 ─────┬── ×3 ──╮
    ├───────────▒▒●▒▒──────◉──────────▒▒▒▒▒▒───────────────────┤
    1           4 to 6     15        56 to 111             1,000
    """
    width = max(width, _NARROWEST)
    rows = [_draw_axis(line, width), _draw_labels(line, width)]
    if line.hops or line.hint:
        rows.insert(0, _draw_hops(line, width))
    return rows


def _column(place: float, width: int) -> int:
    return min(round(place * (width - 1)), width - 1)


def _draw_hops(line: NumberLine, width: int) -> Row:
    cells = [(" ", Role.SPACE)] * width
    previous: Hop | None = None
    hops = [*line.hops, line.hint] if line.hint else list(line.hops)
    for hop in hops:
        first, last = _column(hop.left, width), _column(hop.right, width)
        role = Role.TURN if hop.is_turning_point else _ROLES[hop.seat]
        stroke = "╌" if hop is line.hint else "─"
        for column in range(first, last + 1):
            cells[column] = (stroke, role)
        cells[first] = ("╭" if previous is None else "┬", role)
        if last > first:
            cells[last] = ("╮", role)
        name = f" ×{shorten(hop.multiplier)}{'?' if hop.is_turning_point else ''} "
        left = (first + last + 1 - len(name)) // 2
        if left > first and left + len(name) <= last:
            for offset, letter in enumerate(name):
                cells[left + offset] = (letter, role)
        previous = hop
    return _row(cells)


def _draw_axis(line: NumberLine, width: int) -> Row:
    cells = [(_LINE, Role.LINE)] * width
    cells[0] = (_LEFT_END, Role.LINE)
    cells[_column(line.target, width)] = (_RIGHT_END, Role.LINE)
    for each in line.bands:
        first = _column(each.left, width)
        last = max(first, _column(each.right, width) - 1)
        for column in range(first, last + 1):
            cells[column] = (_BAND, Role.BAND)
    for hop in line.hops:
        landed = _column(hop.right, width)
        cells[landed] = (_LANDED[hop.seat], _ROLES[hop.seat])
    if line.total is not None:
        cells[_column(line.total, width)] = (_TOTAL, Role.TOTAL)
    return _row(cells)


def _draw_labels(line: NumberLine, width: int) -> Row:
    cells = [(" ", Role.SPACE)] * width
    # The line goes from the middle of the first column to the middle of the last.
    for placed in line.labels_that_fit(width, gap=_GAP, inset=0.5):
        left = floor(placed.left + 0.5)
        for offset, letter in enumerate(placed.label.text):
            cells[left + offset] = (letter, Role.LABEL)
    return _row(cells)


def _row(cells: list[tuple[str, Role]]) -> Row:
    """Merge neighbouring cells of the same role; strip blanks at the end."""
    pieces = [
        Piece("".join(letter for letter, _ in run), role)
        for role, run in groupby(cells, key=lambda cell: cell[1])
    ]
    if pieces and pieces[-1].role is Role.SPACE:
        pieces.pop()
    return tuple(pieces)
