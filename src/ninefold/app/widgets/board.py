"""The board: a game's aim, its seats, the total, the line, the moves."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.geometry import Size
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import Static

from ninefold.app.widgets.move_list import COLOURS, MARKS, MovesRow
from ninefold.app.widgets.number_line import STEPS, LineWidget, partly_drawn
from ninefold.game import Game, Seat
from ninefold.playing.scene import Scene
from ninefold.text import format_product, shorten
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
    "×": (".....", "#...#", ".#.#.", "..#..", ".#.#.", "#...#"),
    "+": (".....", "..#..", "..#..", "#####", "..#..", "..#.."),
    ",": ("..", "..", "..", "..", "##", ".#"),
    " ": (".", ".", ".", ".", ".", "."),
}
_HALVES = {"..": " ", "#.": "▀", ".#": "▄", "##": "█"}
_GAP = "  "
_SMALL, _LARGE = 3, 6
"""The rows of small and of large digits."""
_LEAST_HEIGHT = 18
"""The least rows of a terminal for a total in large digits."""
_STEP_SECONDS = 0.05


def small_digits(number: str) -> list[str]:
    """Draw digits in three rows, with two dots of the font per character.

    >>> for row in small_digits("15"):
    ...     print(row.rstrip())
     ▀██   ██▀▀▀
      ██   ▀▀▀█▄
     ▄██▄  ▄▄▄█▀
    """
    rows = []
    for top in (0, 2, 4):
        drawn = []
        for digit in number:
            dots = zip(_FONT[digit][top], _FONT[digit][top + 1], strict=True)
            drawn.append("".join(_HALVES[upper + lower] for upper, lower in dots))
        rows.append(_GAP.join(drawn))
    return rows


def large_digits(number: str) -> list[str]:
    """Draw digits in six rows, with two characters per dot of the font."""
    return [
        (_GAP * 2).join(
            "".join("██" if dot == "#" else "  " for dot in _FONT[digit][row])
            for digit in number
        )
        for row in range(_LARGE)
    ]


def enlarge(text: str, room: Size) -> Content | None:
    """Draw numbers and signs as large as they fit; None if they do not."""
    if not set(text) <= set(_FONT):
        return None
    for height, draw in ((_LARGE, large_digits), (_SMALL, small_digits)):
        rows = draw(text)
        if height <= room.height and len(rows[0]) <= room.width:
            return Content("\n".join(rows))
    return None


class Total(Widget):
    """Shows a number as large as it fits: in large, small or plain digits."""

    number: reactive[int | None] = reactive(None)

    def render(self) -> Content:
        if self.number is None:
            return Content("")
        text = shorten(self.number)
        return enlarge(text, self.size) or Content(text)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Hide the total in a low terminal: the row below shows it too."""
        return _SMALL if viewport.height >= _LEAST_HEIGHT else 0


class Aim(Widget, can_focus=False):
    """Shows a game's title and its aim; without room for both, only the aim."""

    book = reactive("")
    aim = reactive("")

    def render(self) -> Content:
        row = Content.assemble((self.book, "bold"), "  ", (self.aim, "$soft"))
        if self.aim and row.cell_length > self.size.width:
            row = Content.styled(self.aim, "$soft")
        return row.truncate(max(self.size.width, 1), ellipsis=True)


class SeatView(Struct, frozen=True):
    """What a seat's card shows."""

    name: str
    note: str = ""
    moves: bool = False
    """Whether it is the seat's turn."""
    won: bool = False


class SeatCard(Widget, can_focus=False):
    """Shows one seat: its name to the left, a note to the right."""

    view = reactive(SeatView(""))

    def __init__(self, seat: Seat) -> None:
        super().__init__(classes=f"-seat-{seat.value}")
        self.seat = seat

    def watch_view(self, view: SeatView) -> None:
        self.set_class(view.moves, "-moves")
        self.set_class(view.won, "-won")

    def render(self) -> Content:
        """Render the row; a long name is truncated before the note."""
        view, room = self.view, self.size.width - 2
        name = Content.styled(view.name, "bold")
        note = Content.styled(view.note, "" if view.moves or view.won else "$soft")
        name = name.truncate(max(room - note.cell_length - 1, 1), ellipsis=True)
        gap = " " * max(room - name.cell_length - note.cell_length, 1)
        mark = (f"{MARKS[self.seat]} ", "" if view.won else COLOURS[self.seat])
        return Content.assemble(mark, name, gap, note)


def seat_views(scene: Scene) -> dict[Seat, SeatView]:
    """Return what the cards of both seats show."""
    return {seat: _seat_view(scene, seat) for seat in Seat}


def _seat_view(scene: Scene, seat: Seat) -> SeatView:
    session, note = scene.session, scene.note(seat)
    outcome = session.game.outcome
    if not session.match.length.is_single:
        score = str(session.match.score[seat])
        note = f"{note} · {score}" if note else score
    return SeatView(
        scene.name(seat),
        note,
        moves=session.to_move is seat and not scene.is_waiting,
        won=outcome is not None and outcome.winner is seat,
    )


class Board(Vertical):
    """Shows a game; with ``motion``, the hop of a new move is animated."""

    def __init__(self, *, motion: bool) -> None:
        super().__init__()
        self._motion = motion
        self._line: NumberLine | None = None
        self._total = 0
        self._aim, self._where = Aim(), Static("", id="where", markup=False)
        self._cards = [SeatCard(seat) for seat in Seat]
        self._number, self._drawn, self._moves = Total(), LineWidget(), MovesRow()
        self._product = Static("", id="product", markup=False)

    def compose(self) -> ComposeResult:
        with Horizontal(id="head"):
            yield self._aim
            yield self._where
        with Horizontal(id="seats"):
            yield from self._cards
        yield self._number
        yield self._product
        yield self._drawn
        yield self._moves

    def show_head(
        self, title: str, aim: str, where: str, interrupted: str = ""
    ) -> None:
        """Show the game's title, its aim, and its place in the match.

        ``interrupted`` replaces the place, highlighted.
        """
        self._aim.book, self._aim.aim = title, aim
        style = "bold $second" if interrupted else "$soft"
        self._where.update(Content.styled(interrupted or where, style))

    def show_seats(self, seats: Mapping[Seat, SeatView]) -> None:
        for card in self._cards:
            card.view = seats[card.seat]

    def show_game(self, game: Game, line: NumberLine, *, hop: bool = False) -> None:
        """Show a game and its line; ``hop`` animates the last move."""
        self._line, self._total = line, game.total
        self._product.update(_product(game))
        self._moves.game = game
        if hop and self._motion and game.moves:
            self._draw(0, game.total // game.moves[-1], game.moves[-1])
        else:
            self._draw_whole()

    def show_line(self, line: NumberLine) -> None:
        self._line = line
        self._drawn.line = line

    def _draw(self, step: int, before: int, multiplier: int) -> None:
        """Draw one step of the last hop's animation; the total grows with it."""
        if self._line is None or before * multiplier != self._total or step >= STEPS:
            self._draw_whole()
            return
        self._drawn.line = partly_drawn(self._line, step)
        grown = before + before * (multiplier - 1) * step // STEPS
        self._number.number = grown
        self.set_timer(_STEP_SECONDS, lambda: self._draw(step + 1, before, multiplier))

    def _draw_whole(self) -> None:
        self._drawn.line = self._line
        self._number.number = self._total


def _product(game: Game) -> Content:
    """Render the last move in full, with the mark of its seat."""
    if not game.moves:
        return Content.styled(f"the total is {shorten(game.total)}", "$soft")
    seat, multiplier = game.to_move.other, game.moves[-1]
    product = format_product(game.total // multiplier, multiplier)
    return Content.assemble(
        (f"{MARKS[seat]} ", COLOURS[seat]), (product, "$foreground")
    )
