"""A game as it stands: its aim, the seats, the total, the line, the moves."""

from __future__ import annotations

from collections.abc import Mapping

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from ninefold.app.widgets.moves import MovesRow
from ninefold.app.widgets.number_line import STEPS, LineWidget, partly_drawn
from ninefold.app.widgets.seats import COLOURS, MARKS, SeatCard, SeatView
from ninefold.game import Game, Seat
from ninefold.text import shorten, write_product
from ninefold.views.number_line import NumberLine

_FONT = {
    "0": (".###.", "##.##", "##.##", "##.##", "##.##", ".###."),
    "1": (".###.", "..##.", "..##.", "..##.", "..##.", ".####"),
    "2": ("####.", "...##", "..##.", ".##..", "##...", "#####"),
    "3": ("####.", "...##", ".###.", "...##", "...##", "####."),
    "4": ("##.##", "##.##", "##.##", "#####", "...##", "...##"),
    "5": ("#####", "##...", "####.", "...##", "...##", "####."),
    "6": (".###.", "##...", "####.", "##.##", "##.##", ".###."),
    "7": ("#####", "...##", "..##.", "..##.", ".##..", ".##.."),
    "8": (".###.", "##.##", ".###.", "##.##", "##.##", ".###."),
    "9": (".###.", "##.##", "##.##", ".####", "...##", ".###."),
}
_HALVES = {"..": " ", "#.": "▀", ".#": "▄", "##": "█"}
_GAP = "  "
_SMALL, _LARGE = 3, 6
"""The rows of small and of large digits."""
_STEP_SECONDS = 0.05


def small_digits(number: str) -> list[str]:
    """Draw digits in three rows, two dots of the font in each character.

    >>> for row in small_digits("15"):
    ...     print(row.rstrip())
     ▀██   ██▀▀▀
      ██   ▀▀▀█▄
     ▄██▄  ▄▄▄█▀
    """
    rows = []
    for top, bottom in ((0, 1), (2, 3), (4, 5)):
        drawn = [
            "".join(
                _HALVES[upper + lower]
                for upper, lower in zip(_FONT[d][top], _FONT[d][bottom], strict=True)
            )
            for d in number
        ]
        rows.append(_GAP.join(drawn))
    return rows


def large_digits(number: str) -> list[str]:
    """Draw digits in six rows, a dot of the font as two characters."""
    return [
        (_GAP * 2).join(
            "".join("██" if dot == "#" else "  " for dot in _FONT[digit][row])
            for digit in number
        )
        for row in range(_LARGE)
    ]


class Total(Widget):
    """Shows a number as large as it fits: in large, in small or in plain digits."""

    def __init__(self) -> None:
        super().__init__()
        self.number: int | None = None

    def show(self, number: int) -> None:
        self.number = number
        self.refresh()

    def render(self) -> Content:
        if self.number is None:
            return Content("")
        rows = [shorten(self.number)]
        digits = str(self.number)
        for rows_there, draw in ((_LARGE, large_digits), (_SMALL, small_digits)):
            drawn = draw(digits) if self.size.height >= rows_there else [""]
            if drawn != [""] and len(drawn[0]) <= self.size.width:
                rows = drawn
                break
        return Content("\n").join(map(Content, rows))


class Aim(Widget, can_focus=False):
    """Which game it is and its aim; where both have no room, the aim matters more."""

    def __init__(self) -> None:
        super().__init__()
        self._title = self._aim = ""

    def show(self, title: str, aim: str) -> None:
        self._title, self._aim = title, aim
        self.refresh()

    def render(self) -> Content:
        row = Content.assemble((self._title, "bold"), "  ", (self._aim, "$soft"))
        if self._aim and row.cell_length > self.size.width:
            row = Content.styled(self._aim, "$soft")
        return row.truncate(max(self.size.width, 1), ellipsis=True)


class Board(Vertical):
    """Shows a game. A hop that was just made draws itself, where that is wanted."""

    def __init__(self, *, motion: bool) -> None:
        super().__init__()
        self._motion = motion
        self._line: NumberLine | None = None
        self._total = 0

    def compose(self) -> ComposeResult:
        with Horizontal(id="head"):
            yield Aim()
            yield Static("", id="where", markup=False)
        with Horizontal(id="seats"):
            yield SeatCard(Seat.ONE)
            yield SeatCard(Seat.TWO)
        yield Total()
        yield Static("", id="product", markup=False)
        yield LineWidget()
        yield MovesRow()

    def show_head(self, title: str, aim: str, where: str) -> None:
        """Show which game it is, its aim, and where in a match it stands."""
        self.query_one(Aim).show(title, aim)
        self.query_one("#where", Static).update(Content.styled(where, "$soft"))

    def show_seats(self, seats: Mapping[Seat, SeatView]) -> None:
        for card in self.query(SeatCard):
            card.show(seats[card.seat])

    def show_game(self, game: Game, line: NumberLine, *, hop: bool = False) -> None:
        """Show a game and its line; ``hop`` says that the last move was just made."""
        self._line, self._total = line, game.total
        self.query_one("#product", Static).update(_product(game))
        self.query_one(MovesRow).show(game)
        if hop and self._motion and game.moves:
            self._draw(0, game.total // game.moves[-1], game.moves[-1])
        else:
            self._draw_whole()

    def show_line(self, line: NumberLine) -> None:
        self._line = line
        self.query_one(LineWidget).show(line)

    def _draw(self, step: int, before: int, multiplier: int) -> None:
        """Draw a part of the last hop; the total grows with it."""
        if self._line is None or before * multiplier != self._total or step >= STEPS:
            self._draw_whole()
            return
        self.query_one(LineWidget).show(partly_drawn(self._line, step))
        grown = before + before * (multiplier - 1) * step // STEPS
        self.query_one(Total).show(grown)
        self.set_timer(_STEP_SECONDS, lambda: self._draw(step + 1, before, multiplier))

    def _draw_whole(self) -> None:
        self.query_one(LineWidget).show(self._line)
        self.query_one(Total).show(self._total)


def _product(game: Game) -> Content:
    """Write the last move in full, with the mark of the seat that made it."""
    if not game.moves:
        return Content.styled(f"the total is {shorten(game.total)}", "$soft")
    seat, multiplier = game.to_move.other, game.moves[-1]
    product = write_product(game.total // multiplier, multiplier)
    return Content.assemble(
        (f"{MARKS[seat]} ", COLOURS[seat]), (product, "$foreground")
    )
