"""Look back: the history of games, with a review of each."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from functools import partial
from typing import ClassVar

from msgspec import Struct
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import Screen
from textual.widgets import OptionList, Static

from ninefold.app.environment import Environment, warn
from ninefold.app.screens.dialogs import TextDialog
from ninefold.app.screens.game_over import ReviewScreen
from ninefold.app.screens.play import TableScreen
from ninefold.app.widgets.footer import KeyBar, ShownKey
from ninefold.app.widgets.form_fields import Choice, MarkedList, Row
from ninefold.app.widgets.move_list import COLOURS, MARKS
from ninefold.errors import NinefoldError
from ninefold.game import Seat
from ninefold.levels import BOT_PREFIX
from ninefold.rulebooks import KEYS, load
from ninefold.rules import Reason
from ninefold.session import Ask, Retry
from ninefold.session.table import Table
from ninefold.store import Filter, GameRow, LocalTable, MatchRow, Origin
from ninefold.views.match_text import format_score, format_second_chances, sentence
from ninefold.views.number_line import format_total

_GAP = 2
_MARK = 2
_WHEN = 16
_GAME = 32
_PLAYERS = 24
_ONE_ROW = 96
"""The least columns for a game on one row."""
_PAGE = 50
_NOTHING = (
    "You have not played a game yet. Press Escape, then f to play a friend or v"
    " to play the computer. Every game is saved here, move by move."
)
_BOT = "Type its command line, or leave it empty to play the seat yourself."
_ONE_GAME = "Show only one game; press again for the next."
_NONE_OF = "There is no saved game of {title}. Press g to see other games."


class ListedGame(Struct, frozen=True):
    """A row of the list."""

    row: GameRow
    when: str
    title: str
    """The rule book's title, and the target if it is not the rule book's own."""
    score: str
    """The score of the match after the game; empty for a single game."""


class GameList(MarkedList):
    """Lists games; Enter opens the marked one."""

    def __init__(self) -> None:
        super().__init__()
        self.games: list[ListedGame] = []

    def clear(self) -> None:
        self.games = []
        self.clear_options()

    def add(self, games: Iterable[ListedGame]) -> None:
        self.games += games
        self.add_options(map(self.prompt, range(self.option_count, len(self.games))))

    def on_resize(self) -> None:
        for index in range(self.option_count):
            self.replace_option_prompt_at_index(index, self.prompt(index))

    def row(self, index: int) -> Content:
        width = self.scrollable_content_region.width - _MARK
        game = self.games[index]
        return _one_row(game, width) if width >= _ONE_ROW else _two_rows(game, width)


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
    # Long names are cut before the result, which matters more.
    result = _result(game).truncate(width * 2 // 3, ellipsis=True)
    players = Content.assemble(" " * _MARK, _players(game.row))
    second = Content.assemble(_cell(players, width - result.cell_length), result)
    return Content("\n").join([first, Content.assemble(" " * _MARK, second)])


def _cell(content: Content, width: int) -> Content:
    """Fit a text into a number of columns, which include the gap after it."""
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
    """Return who won, with the mark of the seat, or where the game was left."""
    row, total = game.row, format_total(game.row.total)
    again = ", another try" if row.is_retry else ""
    score = f" · {game.score}" if game.score else ""
    if row.winner is None:
        return Content.assemble(("…", "bold"), f" left at {total}{again}{score}")
    resigned = row.reason == Reason.RESIGNED.value
    how = f", {MARKS[row.winner.other]} resigned" if resigned else f" at {total}"
    mark = (MARKS[row.winner], COLOURS[row.winner])
    helped = format_second_chances(row.given_back[row.winner.value - 1])
    return Content.assemble(mark, f" won{how}{again}{score}{helped}")


class HistoryScreen(Screen[None]):
    """Lists games, latest first: each can be reviewed, or continued if unfinished."""

    AUTO_FOCUS = "GameList"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,down", "focus_games", show=False),
        Binding("c", "continue", "continue", tooltip="Continue this game."),
        Binding("g", "next_book", "which game", tooltip=_ONE_GAME),
        Binding("escape", "dismiss", "leave"),
    ]

    def __init__(self, environment: Environment) -> None:
        super().__init__()
        self._environment = environment
        books: list[tuple[str, str | None]] = [("all games", None)]
        books += [(load(key).title, key) for key in KEYS]
        self._book = Choice(books, None, key="book")
        self._list = GameList()
        self._count = 0
        self._open: dict[str, MatchRow] = {}
        self._series: set[tuple[str, int]] = set()
        """The matches and rematches with more than one listed game."""

    def compose(self) -> ComposeResult:
        yield Static("", classes="-title", id="count")
        yield Row("Show", self._book)
        yield Static("", id="nothing", markup=False)
        yield self._list
        yield KeyBar()

    def on_screen_resume(self) -> None:
        """Load the games, once the table above is closed and has stored everything."""
        self.app.call_later(self._look)

    def _look(self) -> None:
        """Reload the games; the same game stays marked."""
        before = self._marked
        # A game that was started meanwhile is listed above the others.
        self._load(max(len(self._list.games) + 1, _PAGE))
        places = [_place(game.row) for game in self._list.games]
        if before is not None and _place(before) in places:
            self._list.highlighted = places.index(_place(before))

    # The list

    def _load(self, limit: int = _PAGE) -> None:
        """Show the first games of the chosen kind."""
        self._list.clear()
        self._series = set()
        read, book = self._environment.read, self._book.value
        self._count = read(lambda store: store.count(Filter(book=book)), self) or 0
        left = read(lambda store: store.unfinished(), self) or []
        self._open = {match.id: match for match in left}
        noun = "game" if self._count == 1 else "games"
        title = Content.assemble(("Look back", "bold"), f"  {self._count:,} {noun}")
        self.query_one("#count", Static).update(title)
        nothing = self.query_one("#nothing", Static)
        nothing.display = not self._count
        nothing.update(
            _NOTHING if book is None else _NONE_OF.format(title=load(book).title)
        )
        self._list.add(self._next(limit))
        keys = [ShownKey("Enter", "look", "enter"), ShownKey("↑ ↓", "games")]
        if self._list.games:
            self._list.highlighted = 0
        else:
            keys = []
        self.query_one(KeyBar).show_first(*keys)
        self.refresh_bindings()

    def _next(self, limit: int) -> list[ListedGame]:
        """Load the next page of games."""
        chosen, offset = Filter(book=self._book.value), len(self._list.games)
        rows = self._environment.read(
            lambda store: store.history(chosen, limit, offset), self
        )
        rows = rows or []
        # The later games of a match are listed before its first.
        self._series |= {
            (row.match_id, row.match_number) for row in rows if sum(row.score) > 1
        }
        return [self._listed(row) for row in rows]

    def _listed(self, row: GameRow) -> ListedGame:
        when = row.begun_at.astimezone(self._environment.zone)
        left = self._open.get(row.match_id)
        in_series = (row.match_id, row.match_number) in self._series
        has_score = in_series or (left is not None and not left.is_single)
        score = format_score(row.score) if has_score else ""
        return ListedGame(row, f"{when:%Y-%m-%d %H:%M}", _title(row), score)

    def on_option_list_option_highlighted(
        self, event: OptionList.OptionHighlighted
    ) -> None:
        """Load the next page when the last game is reached."""
        listed = len(self._list.games)
        if event.option_index + 1 == listed < self._count:
            self._list.add(self._next(_PAGE))
        self.refresh_bindings()

    def on_choice_changed(self) -> None:
        self._load()

    def action_next_book(self) -> None:
        self._book.action_turn(1)

    def action_focus_games(self) -> None:
        self._list.focus()

    # A game of it

    @property
    def _marked(self) -> GameRow | None:
        at = self._list.highlighted
        return None if at is None else self._list.games[at].row

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        row = self._list.games[event.option_index].row
        kind = LeftReviewScreen if row.winner is None else ReviewScreen
        try:
            review = kind(
                row.game,
                row.setup.rulebook(),
                row.names,
                levels=row.levels,
                given_back=row.given_back,
            )
        except NinefoldError as error:
            warn(self.app, sentence(error))
        else:
            self.app.push_screen(review, partial(self._after_review, row, review))

    def _after_review(
        self, row: GameRow, review: ReviewScreen, choice: Ask | Retry | None
    ) -> None:
        """Continue or retry a game after its review, as chosen there."""
        if isinstance(review, LeftReviewScreen) and review.continues:
            self._continue(row)
        elif isinstance(choice, Retry):
            self._try_again(row, choice)

    def _try_again(self, row: GameRow, retry: Retry) -> None:
        session = self._environment.read(
            lambda store: store.match(row.match_id).session, self
        )
        if session is not None:  # its setup has the names of players who joined later
            again = self._environment.try_again(session.setup, row.first, retry, self)
            self.app.push_screen(TableScreen(self._environment, again))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer to continue only an unfinished game or match."""
        row = self._marked
        if action != "continue":
            return True
        return row is not None and (row.winner is None or row.match_id in self._open)

    def action_continue(self) -> None:
        self._continue(self._list.games[self._list.highlighted or 0].row)

    def _continue(self, row: GameRow) -> None:
        continue_match(self, self._environment, row.match_id, row.origin)


class LeftReviewScreen(ReviewScreen):
    """An unfinished game: its moves so far, and a key to continue it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("c", "continue", "continue", tooltip="Continue this game.")
    ]

    continues = False
    """Whether the screen was closed to continue the match."""

    def action_continue(self) -> None:
        self.continues = True
        self.dismiss(None)


def continue_match(
    screen: Screen[None], environment: Environment, match_id: str, origin: Origin | None
) -> None:
    """Continue a stored match, on its server if it has one."""
    if origin is None:
        table = environment.resume(match_id, screen)
        if table is not None and table.session.setup.bots:
            _prompt_bot(screen, environment, table)
        elif table is not None:
            screen.app.push_screen(TableScreen(environment, table))
        return
    # Importing the HTTP client is slow, and local matches do not need it.
    from ninefold.app.screens.online import OnlineScreen
    from ninefold.online.links import MatchLink

    link = MatchLink(origin.server, match_id)
    screen.app.push_screen(OnlineScreen(environment, link))


def _prompt_bot(
    screen: Screen[None], environment: Environment, table: LocalTable
) -> None:
    """Ask for the command line of the bot at a table; it is not stored."""
    # Importing what runs bots is slow, and other games do not need it.
    from ninefold.arena.bot_process import Bot
    from ninefold.arena.bot_table import BotTable

    setup = table.session.setup
    seat = setup.bots[0]

    async def play(command: str) -> None:
        played: Table = table
        if command:
            try:
                bot = Bot(command.removeprefix(BOT_PREFIX))
                await asyncio.to_thread(bot.start)
            except NinefoldError as error:
                warn(screen.app, sentence(error))
                return
            played = BotTable(table, {seat: bot}, partial(warn, screen.app))
        screen.app.push_screen(TableScreen(environment, played))

    def begin(command: str | None) -> None:
        if command is not None:
            screen.run_worker(play(command), group="answer")

    question = f"{setup.name(seat)} is a bot. {_BOT}"
    screen.app.push_screen(TextDialog(question, "play", str, "./mybot.py"), begin)


def _place(row: GameRow) -> tuple[str, int, int]:
    """Return the identity of a game."""
    return row.match_id, row.match_number, row.number


def _title(row: GameRow) -> str:
    """Return the title of a game, with its target if not the rule book's own."""
    try:
        is_usual = row.rules.target == row.setup.rulebook().rules.target
    except NinefoldError:  # a damaged row may name an unknown rule book
        is_usual = True
    return row.title if is_usual else f"{row.title} to {format_total(row.rules.target)}"
