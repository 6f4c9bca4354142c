"""The games of a history: one row each where there is room, else two."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from ninefold.app.widgets.marking import marked
from ninefold.app.widgets.seats import COLOURS, MARKS
from ninefold.game import Seat
from ninefold.rules import Reason
from ninefold.store import GameRow
from ninefold.views.number_line import write_label

_GAP = 2
_MARK = 2
_WHEN = 16
_GAME = 31
_PLAYERS = 24
_ONE_ROW = 96
"""The columns that a game needs to be told on one row."""


class ListedGame(Struct, frozen=True):
    """A game as the list tells it."""

    row: GameRow
    when: str
    title: str
    """The rule book's title, and the target if it is another than the rule book's."""
    score: str
    """How the match stood after the game; empty where it was a single game."""


class GameList(OptionList):
    """Lists games; a mark stands before the one that Enter opens."""

    def __init__(self) -> None:
        """Begin empty."""
        super().__init__()
        self._games: list[ListedGame] = []
        self._marked: int | None = None

    def show(self, games: Iterable[ListedGame]) -> None:
        """List games, and mark the first of them."""
        self._games = list(games)
        self._marked = None
        self.clear_options()
        self.add_options(Option(self._prompt(index)) for index in self._indices())
        self.highlighted = 0 if self._games else None

    def add(self, games: Iterable[ListedGame]) -> None:
        """List more games below the others."""
        before = len(self._games)
        self._games += games
        self.add_options(Option(self._prompt(at)) for at in self._indices()[before:])

    def on_resize(self) -> None:
        """Tell the games at another width."""
        for index in self._indices():
            self.replace_option_prompt_at_index(index, self._prompt(index))

    def watch_highlighted(self, highlighted: int | None) -> None:
        """Move the mark."""
        before, self._marked = self._marked, highlighted
        for index in {before, highlighted}:
            if index is not None and index < len(self._games):
                self.replace_option_prompt_at_index(index, self._prompt(index))
        super().watch_highlighted(highlighted)

    def _indices(self) -> range:
        return range(len(self._games))

    def _prompt(self, index: int) -> Content:
        width = self.scrollable_content_region.width - _MARK
        game = self._games[index]
        told = _one_row(game, width) if width >= _ONE_ROW else _two_rows(game, width)
        return marked(told, focused=index == self._marked)


def _one_row(game: ListedGame, width: int) -> Content:
    cells = (
        _cell(Content.styled(game.when, "$soft"), _WHEN + _GAP),
        _cell(Content.styled(game.title, "bold"), _GAME + _GAP),
        _cell(_players(game.row), _PLAYERS + _GAP),
        _result(game),
    )
    return Content.assemble(*cells).truncate(width, ellipsis=True)


def _two_rows(game: ListedGame, width: int) -> Content:
    title = _cell(Content.styled(game.title, "bold"), width - _WHEN)
    first = Content.assemble(title, (game.when, "$soft"))
    # Long names make room for the result, which is what one looks for.
    result = _result(game).truncate(width * 2 // 3, ellipsis=True)
    players = Content.assemble(" " * _MARK, _players(game.row))
    second = Content.assemble(_cell(players, width - result.cell_length), result)
    return Content("\n").join([first, Content.assemble(" " * _MARK, second)])


def _cell(content: Content, width: int) -> Content:
    """Fit a text into so many columns, the gap behind it among them."""
    text = content.truncate(max(width - _GAP, 1), ellipsis=True)
    return text.pad_right(max(width - text.cell_length, 0))


def _players(row: GameRow) -> Content:
    one, two = row.names
    return Content.assemble(
        (MARKS[Seat.ONE], COLOURS[Seat.ONE]),
        f" {one}  ",
        (MARKS[Seat.TWO], COLOURS[Seat.TWO]),
        f" {two}",
    )


def _result(game: ListedGame) -> Content:
    """Say who won, with the mark of the seat; or that the game was left."""
    row, total = game.row, write_label(game.row.total)
    again = ", a retry" if row.is_retry else ""
    score = f" · {game.score}" if game.score else ""
    if row.winner is None:
        return Content.assemble(("…", "bold"), f" left at {total}{again}{score}")
    resigned = row.reason == Reason.RESIGNED.value
    how = ", resigned" if resigned else f" at {total}"
    mark = (MARKS[row.winner], COLOURS[row.winner])
    return Content.assemble(mark, f" won{how}{again}{score}")
