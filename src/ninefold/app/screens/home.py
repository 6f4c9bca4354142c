"""Home: the menu of all places."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from msgspec.structs import replace
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.screen import Screen
from textual.widgets import Static

from ninefold.app.environment import Environment, latest_setup, warn
from ninefold.app.screens.explore import ExploreScreen
from ninefold.app.screens.learn import PathScreen, Walks
from ninefold.app.screens.look_back import HistoryScreen, continue_match
from ninefold.app.screens.new_game import NewGameScreen
from ninefold.app.screens.play import TableScreen
from ninefold.app.screens.practice import begin_drill
from ninefold.app.screens.progress import ProgressScreen
from ninefold.app.screens.puzzles import PuzzleScreen
from ninefold.app.widgets.footer import KeyBar, ShownKey
from ninefold.app.widgets.form_fields import marked
from ninefold.app.widgets.number_line import LineWidget, game_line
from ninefold.game import Game, Seat
from ninefold.rulebooks import load
from ninefold.session import Proposal, Session
from ninefold.session.table import Table
from ninefold.store import DEFAULT_LEARNER, MatchRow, Store
from ninefold.text import join_words, shorten, wrap
from ninefold.views.match_text import format_standing
from ninefold.views.number_line import LabelKind

_TITLE_WIDTH = 20
_BEFORE = 5 + _TITLE_WIDTH
"""The columns before a description: mark, key and title."""
_NARROWEST = 20
"""The least columns for a description; with fewer, it is left out."""
_EXAMPLE = Game.replay(load("multiplier-showdown").rules, (5, 3, 6))
_ITEMS = (
    ("c", "continue", "Continue", ""),
    ("f", "friend", "Play a friend here", "Two people, one keyboard."),
    ("v", "computer", "Play the computer", "Five levels, up to perfect."),
    ("o", "online", "Play online", "Send someone a link and play."),
    ("n", "learn", "Learn", "How to win, step by step."),
    ("p", "puzzles", "Puzzles", "Exactly one multiplier wins."),
    ("e", "explore", "Explore", "Any target: who wins, and why."),
    ("l", "look_back", "Look back", "Your games, move by move."),
    ("g", "progress", "Progress", "What you know and how you are doing."),
    ("t", "practise", "Practise", "Twelve items. Take your time."),
)


class MenuItem(Static, can_focus=True):
    """One row of a menu."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space", "choose", show=False)
    ]

    @dataclass
    class Chosen(Message):
        """Sent when the row is clicked, or Enter pressed on it."""

        action: str

    note = reactive("", layout=True)

    def __init__(self, key: str, action: str, title: str, note: str) -> None:
        super().__init__(id=f"to-{action}")
        self._key, self._action, self._title = key, action, title
        self.note = note

    def render(self) -> Content:
        """Render the row, with a mark if it has the focus."""
        first, *more = self._lines(self.size.width)
        row = Content.assemble(
            (f"{self._key}  ", "bold $first"),
            (f"{self._title:<{_TITLE_WIDTH}}", "bold"),
            (first, "$soft"),
        )
        rest = [Content.styled(f"{' ' * _BEFORE}{line}", "$soft") for line in more]
        return Content("\n").join([marked(row, focused=self.has_focus), *rest])

    def _lines(self, width: int) -> list[str]:
        """Wrap the description to the width beside the title."""
        room = width - _BEFORE
        return wrap(self.note, room).split("\n") if room >= _NARROWEST else [""]

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self._lines(width))

    def action_choose(self) -> None:
        self.post_message(self.Chosen(self._action))

    on_click = action_choose


class HomeScreen(Screen[None]):
    """Lists the places of the app, each with its key."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(key, action, title, show=False, tooltip=f"{title}. {note}".strip())
            for key, action, title, note in _ITEMS
        ),
        Binding("up", "app.focus_previous", show=False),
        Binding("down", "app.focus_next", show=False),
        Binding("q", "app.quit", "quit"),
    ]

    def __init__(self, environment: Environment) -> None:
        super().__init__()
        self._environment = environment
        self._left: MatchRow | None = None
        """The match that Continue resumes."""
        self._walks: Walks = {}
        self._learner = ""
        """The learner's name, which the form of a game against the computer offers."""

    def compose(self) -> ComposeResult:
        with Vertical(id="home"):
            name = Content.assemble(
                ("ninefold", "bold $first"), ("  the multiplication games", "$soft")
            )
            yield Static(name, id="name")
            yield LineWidget()
            for key, action, title, note in _ITEMS:
                yield MenuItem(key, action, title, note)
        yield KeyBar(
            ShownKey("letter", "open"),
            ShownKey("↑ ↓ Enter", "choose"),
            offers=self._offers,
        )

    def on_screen_resume(self) -> None:
        """Reload, once the table above is closed and has stored everything."""
        self.app.call_later(self._look)

    def _look(self) -> None:
        """Find an unfinished game, and draw its hops above the menu."""
        left = self._environment.read(Store.latest_unfinished, self)
        self._left = None if left is None else left[0]
        item = self.query_one("#to-continue", MenuItem)
        item.display = left is not None
        line = game_line(_EXAMPLE, bands=True)
        # No spoilers: finding where the bands end is what Learn is about.
        labels = [each for each in line.labels if each.kind is not LabelKind.BAND]
        line = replace(line, labels=tuple(labels))
        if left is not None:
            row, session = left[0], left[1].session
            item.note = unfinished_summary(row, session)
            if session.game.moves:
                line = game_line(session.game, bands=False)
        self.query_one(LineWidget).line = line
        self.refresh_bindings()
        next(each for each in self.query(MenuItem) if each.display).focus()

    def _offers(self, action: str) -> bool:
        return action != "continue" or self._left is not None

    async def on_menu_item_chosen(self, event: MenuItem.Chosen) -> None:
        await self.run_action(event.action)

    # Places

    def action_continue(self) -> None:
        left = self._left
        if left is not None:
            continue_match(self, self._environment, left.id, left.origin)

    def action_friend(self) -> None:
        self._agree(against_level=False)

    def action_computer(self) -> None:
        self._agree(against_level=True)

    def _agree(self, *, against_level: bool) -> None:
        query = partial(latest_setup, against_level=against_level)
        last = self._environment.read(query, self)
        left = "" if self._left is None else unfinished_notice(self._left)
        self._learner = ""
        latest = self._environment.read(Store.latest_learner, self)
        if against_level and latest is not None and latest.name != DEFAULT_LEARNER:
            self._learner = latest.name
        form = NewGameScreen(
            self._environment,
            last,
            against_level=against_level,
            left=left,
            learner=self._learner,
        )
        self.app.push_screen(form, partial(self._begin, form))

    def _begin(self, form: NewGameScreen, proposal: Proposal | None) -> None:
        if proposal is not None:
            bots = {} if form.bot is None else {Seat.TWO: form.bot}
            names = {seat: bot.name for seat, bot in bots.items()}
            setup = proposal.setup(self._environment.seed(), names)
            name = setup.learner
            if self._learner and name != self._learner:
                self._environment.read(lambda store: store.choose_learner(name), self)
            table: Table = self._environment.new_table(setup, self)
            if bots:
                from ninefold.arena.bot_table import BotTable  # as in the form

                table = BotTable(table, bots, partial(warn, self.app))
            self.app.push_screen(TableScreen(self._environment, table))

    def action_online(self) -> None:
        # Importing the HTTP client is too slow for the start of the app.
        from ninefold.app.screens.online import OnlineScreen

        self.app.push_screen(OnlineScreen(self._environment))

    def action_learn(self) -> None:
        self.app.push_screen(PathScreen(self._environment, self._walks))

    def action_puzzles(self) -> None:
        self.app.push_screen(PuzzleScreen(self._environment))

    def action_explore(self) -> None:
        self.app.push_screen(ExploreScreen())

    def action_look_back(self) -> None:
        self.app.push_screen(HistoryScreen(self._environment))

    def action_progress(self) -> None:
        self.app.push_screen(ProgressScreen(self._environment))

    def action_practise(self) -> None:
        self.app.push_screen(begin_drill(self._environment, self))


def unfinished_summary(row: MatchRow, session: Session) -> str:
    """Describe an unfinished match: the game, the players, the current position."""
    again = ", another try" if session.is_retry else ""
    who = join_words(row.names)
    if not row.is_single:
        who = f"{format_standing(row.names, row.score)}, {row.length}"
    text = f"{row.title}{again}: {who}"
    origin = row.origin
    online = "" if origin is None else f" On {origin.server.partition('//')[2]}."
    if row.total is None or row.to_move is None:
        return f"{text}, between two games.{online}"
    mover = session.setup.name(row.to_move)
    return f"{text}, at {shorten(row.total)}. It is {mover}'s turn.{online}"


def unfinished_notice(row: MatchRow) -> str:
    """Return where to find the unfinished game after another one is started."""
    if row.total is None or not row.is_single:
        standing = format_standing(row.names, row.score)
        return f"Your unfinished match ({standing}) stays in Look back."
    who, at = join_words(row.names), shorten(row.total)
    return f"Your unfinished game ({who}, at {at}) stays in Look back."
