"""Look back: the games that were played, each to be looked at move by move."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import Screen
from textual.widgets import DataTable, Static

from ninefold.app.screens.after import ReviewScreen
from ninefold.app.screens.retrying import retried
from ninefold.app.services import Services, sentence
from ninefold.app.widgets.fields import Choice, Row
from ninefold.app.widgets.key_bar import KeyBar
from ninefold.app.widgets.seats import MARKS
from ninefold.errors import NinefoldError
from ninefold.rulebooks import KEYS, Rulebook, load, parse
from ninefold.session import Command
from ninefold.store import Filter, GameRow, Store
from ninefold.text import shorten

_PAGE = 50
_COLUMNS = ("when", "game", "players", "result", "total")
_RESIGNED = "resigned"


class LookBackScreen(Screen[str | None]):
    """Lists games, the latest first. It returns the id of a match to be resumed."""

    AUTO_FOCUS = "DataTable"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,down", "focus_games", show=False),
        Binding("g", "next_book", "which game"),
        Binding("escape", "leave", "leave"),
    ]

    def __init__(self, services: Services) -> None:
        """Take where the games are kept."""
        super().__init__()
        self._services = services
        books: list[tuple[str, str | None]] = [("all games", None)]
        books += [(load(key).title, key) for key in KEYS]
        self._book = Choice(books, None, key="book")
        self._rows: list[GameRow] = []
        self._count = 0

    def compose(self) -> ComposeResult:
        """Lay out the filter and the games."""
        yield Static(
            Content.assemble(("Look back", "bold")), classes="-title", id="count"
        )
        yield Row("Show", self._book)
        yield DataTable(cursor_type="row", zebra_stripes=True)
        yield KeyBar(("Enter", "look at it"), ("↑ ↓", "games"))

    def on_mount(self) -> None:
        """Load the first page."""
        table = self._table
        for column in _COLUMNS:
            table.add_column(column)
        self._load()

    @property
    def _table(self) -> DataTable[str | Text]:
        return self.query_one(DataTable)

    def _notice(self, text: str) -> None:
        self.notify(text, severity="warning", markup=False)

    def _load(self) -> None:
        """Show the first page of the games that are wanted."""
        self._rows = []
        self._table.clear()
        wanted = Filter(book=self._book.value)
        self._count = (
            self._services.read(lambda store: store.count(wanted), self._notice) or 0
        )
        noun = "game" if self._count == 1 else "games"
        told = Content.assemble(("Look back", "bold"), f"  {self._count:,} {noun}")
        self.query_one("#count", Static).update(told)
        self._load_more()

    def _load_more(self) -> None:
        query = partial(
            _page, wanted=Filter(book=self._book.value), offset=len(self._rows)
        )
        for row in self._services.read(query, self._notice) or []:
            self._rows.append(row)
            self._table.add_row(*self._cells(row))

    def _cells(self, row: GameRow) -> tuple[str | Text, ...]:
        when = row.begun_at.astimezone(self._services.zone)
        return (
            f"{when:%Y-%m-%d}",
            Text(_title(row)),
            Text(f"● {row.names[0]}  ■ {row.names[1]}"),
            Text(_result(row)),
            shorten(row.total),
        )

    def on_data_table_row_highlighted(self, event: DataTable.RowHighlighted) -> None:
        """Load the next page when the last game is reached."""
        if event.cursor_row == len(self._rows) - 1 and len(self._rows) < self._count:
            self._load_more()

    def on_data_table_row_selected(self, event: DataTable.RowSelected) -> None:
        """Look at a game; resume one that was left."""
        row = self._rows[event.cursor_row]
        if row.winner is None and row.beyond is None:
            self.dismiss(row.match_id)
            return
        try:
            review = ReviewScreen(row.game(), _book(row), row.names, levels=row.levels)
            self.app.push_screen(review, partial(self._retry, row))
        except NinefoldError as error:
            self._notice(sentence(error))

    def _retry(self, row: GameRow, retry: Command | None) -> None:
        """Try a game again that was looked at, if that is wanted."""
        if retry is not None:
            table = retried(self._services, row, retry, self._notice)
            if table is not None:
                self.app.push_screen(table)

    def on_choice_changed(self) -> None:
        """Show the games of another rule book."""
        self._load()

    def action_next_book(self) -> None:
        """Go to the games of the next rule book."""
        self._book.action_turn(1)

    def action_focus_games(self) -> None:
        """Give the keys to the games."""
        self._table.focus()

    def action_leave(self) -> None:
        """Go back home."""
        self.dismiss(None)


def _page(store: Store, *, wanted: Filter, offset: int) -> list[GameRow]:
    return store.history(wanted, limit=_PAGE, offset=offset)


def _book(row: GameRow) -> Rulebook:
    if row.book_text is None:
        return load(row.book)
    return parse(row.book_text, key=row.book, source=f"{row.book}.toml")


def _title(row: GameRow) -> str:
    return load(row.book).title if row.book in KEYS else row.book


def _result(row: GameRow) -> str:
    """Say who won, with the mark of the seat; or that the game was left."""
    if row.winner is None:
        return "… left"
    how = ", resigned" if row.reason == _RESIGNED else ""
    again = ", a retry" if row.is_retry else ""
    return f"{MARKS[row.winner]} won{how}{again}"
