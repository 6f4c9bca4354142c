"""The form before a match; Enter plays."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from msgspec.structs import replace
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Button, Input, Static

from ninefold.app.environment import Environment
from ninefold.app.screens.dialogs import TextDialog
from ninefold.app.widgets.footer import KeyBar, Panel, ShownKey
from ninefold.app.widgets.form_fields import (
    Choice,
    MarkedButton,
    NumberField,
    Row,
    TextField,
)
from ninefold.errors import NinefoldError, RulebookError
from ninefold.game import Seat
from ninefold.levels import BOT_PREFIX, LEVELS
from ninefold.match import SINGLE_GAME, Length
from ninefold.rulebooks import KEYS, Rulebook, load
from ninefold.session import (
    FRIEND,
    HERE,
    TOSS,
    Lessons,
    Proposal,
    ProposedLength,
    Setup,
)
from ninefold.text import format_set
from ninefold.views.match_text import sentence

if TYPE_CHECKING:
    from ninefold.arena.bot_process import Bot

_LENGTHS = (
    SINGLE_GAME,
    Length.best_of(3),
    Length.best_of(5),
    Length.first_to(3),
    Length.games(2),
    Length.games(4),
)
_FIRST_LEVEL = "careful"
_OTHER = "the other player"
_YOUR_BOT = "Your bot"
_NO_BOT = "none, or a program: ./mybot.py"
_STARTERS = (Seat.ONE, Seat.TWO, TOSS)


_OPEN = "Open a rule book of your own."
_LAST = "last"
"""The key of the last rule book if its file is not remembered."""
_MOST_BOOKS = 10
_WHICH_FILE = "Where is your rule book? (a file ending in .toml)"
_EXAMPLE = "~/mine.toml"
_NO_FILE = f"type the path of the file, such as {_EXAMPLE}"


def first_setup(*, against_level: bool) -> Setup:
    """Return the setup of the form before the first match."""
    book = load(KEYS[0])
    setup = Setup(rules=book.rules, book=book.key)
    if not against_level:
        return setup
    names = setup.name(Seat.ONE), _FIRST_LEVEL.capitalize()
    return replace(setup, names=names, levels=(None, _FIRST_LEVEL))


def own_books(environment: Environment) -> dict[str, tuple[Rulebook, str | None]]:
    """Read the rule books that were opened before, with their text, keyed by file.

    Missing and damaged files are left out.
    """
    books = {}
    for path in environment.memory.preferences.rulebooks:
        with suppress(RulebookError):
            books[path] = environment.read_rulebook(path)
    return books


def open_rulebook(environment: Environment, typed: str) -> str:
    """Read and remember the rule book in a file; return the file's path."""
    if not typed:
        raise NinefoldError(_NO_FILE)
    try:
        path = str(Path(typed).expanduser().absolute())
    except RuntimeError as error:  # the home folder of an unknown user
        raise NinefoldError(str(error)) from None
    environment.read_rulebook(path)
    memory = environment.memory
    files = dict.fromkeys((path, *memory.preferences.rulebooks))
    kept = tuple(files)[:_MOST_BOOKS]
    memory.keep(replace(memory.preferences, rulebooks=kept))
    return path


class NewGameScreen(Screen[Proposal | None]):
    """The new-game form, prefilled with the last choices."""

    AUTO_FOCUS = "#play"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "app.focus_previous", show=False),
        Binding("down", "app.focus_next", show=False),
        Binding("ctrl+r", "reset", "usual rules"),
        Binding("ctrl+o", "open", "your own rule book", tooltip=_OPEN),
        Binding("escape", "dismiss", "leave"),
    ]

    def __init__(
        self,
        environment: Environment,
        last: Setup | None,
        *,
        against_level: bool,
        left: str = "",
        learner: str = "",
        online_as: str = "",
    ) -> None:
        """Prefill the form from the ``last`` setup.

        ``against_level``: a level plays seat 2. ``left`` is a note about the unfinished
        game, or "". ``learner`` is the default name of the person, or "". ``online_as``
        is the name of a person who plays online: then the form asks for no names,
        because the opponent chooses their own.
        """
        super().__init__()
        self._left = left
        self._environment = environment
        self._against_level = against_level
        self._online = bool(online_as)
        last = first_setup(against_level=against_level) if last is None else last
        if learner:
            last = replace(last, names=(learner, last.names[1]))
        if online_as:
            last = replace(last, names=(online_as, _OTHER))
        self._last = last
        self._books: dict[str, tuple[Rulebook, str | None]]
        self._books = {key: (load(key), None) for key in KEYS}
        chosen = last.book
        if not self._online:
            self._books |= own_books(environment)
            if last.book_text is not None:
                chosen = self._place_of(last)
        titles = [(book.title, key) for key, (book, _) in self._books.items()]
        self._book = Choice(titles, chosen, key="book")
        self._shown_book = chosen
        self._target = NumberField(str(last.rules.target), key="target")
        self._set = TextField(format_set(last.rules.multipliers), key="set")
        self._one = TextField(last.names[0], key="one")
        self._two = TextField(last.names[1], key="two")
        levels = [
            (f"{name} ({number} of {len(LEVELS)})", name)
            for number, name in enumerate(LEVELS, start=1)
        ]
        self._bot = TextField(key="bot", placeholder=_NO_BOT)
        self.bot: Bot | None = None
        """The bot in seat 2, once it runs; its command line is not remembered."""
        self._level = Choice(levels, last.levels[1] or _FIRST_LEVEL, key="level")
        first = TOSS if last.first_tossed else last.first
        self._first = Choice([("", seat) for seat in _STARTERS], first, key="first")
        lengths = dict.fromkeys((*_LENGTHS, last.length))
        named = [(_name_of(length), length) for length in lengths]
        self._length = Choice(named, last.length, key="length")
        self._coach = _switch(on=last.lessons.coach, key="coach")
        self._hints = _switch(on=last.lessons.hints and not online_as, key="hints")
        self._mental = _switch(on=last.lessons.mental, key="mental")

    def _place_of(self, last: Setup) -> str:
        """Return the key of the last rule book, which is added if it is not listed."""
        for place, (_, text) in self._books.items():
            if text == last.book_text:
                return place
        self._books[_LAST] = last.rulebook(), last.book_text
        return _LAST

    def compose(self) -> ComposeResult:
        against = "against the computer" if self._against_level else "for two people"
        if self._online:
            against = "to play online"
        title = Content.assemble(("New game", "bold"), f" {against}")
        yield Static(title, classes="-title")
        with VerticalScroll(id="form", can_focus=False):
            yield Row("Game", self._book)
            yield Row("Target", self._target)
            yield Row("Multipliers", self._set)
            if self._against_level:
                yield Row("Your name", self._one)
                yield Row("Level", self._level)
                yield Row("Bot instead", self._bot)
            elif not self._online:
                yield Row("First name", self._one)
                yield Row("Second name", self._two)
            yield Row("Who starts", self._first)
            yield Row("Length", self._length)
            yield Row("Coach", self._coach)
            yield Row("Mental arithmetic", self._mental)
            if self._online:
                yield Row("Hints", self._hints)
            yield Row("", MarkedButton("Play", id="play", compact=True))
        yield Panel()
        yield KeyBar()

    def on_mount(self) -> None:
        self._follow()
        self.on_descendant_focus()

    def on_descendant_focus(self) -> None:
        keys = [ShownKey("Enter", "play", "enter"), ShownKey("↑ ↓", "rows")]
        if isinstance(self.focused, Choice):
            keys.append(ShownKey("← →", "choose"))
        self.query_one(KeyBar).show_first(*keys)

    # Following what is chosen

    def on_choice_changed(self) -> None:
        """Update the form after a choice; another game resets the rules."""
        if self._book.value != self._shown_book:
            self._shown_book = self._book.value
            self.action_reset()
        self._follow()

    def action_reset(self) -> None:
        rules = self._books[self._book.value][0].rules
        self._target.value = str(rules.target)
        self._set.value = format_set(rules.multipliers)

    @on(Input.Changed)
    def _follow(self) -> None:
        """Name the starters; show a summary of the match, or what is wrong with it."""
        self._first.rename([*self._names(), "toss a coin"])
        panel = self.query_one(Panel)
        try:
            setup = self._proposal().setup(0, self._bots())
        except NinefoldError as error:
            panel.show_text(sentence(error), "Not yet.")
        else:
            book, _ = self._books[self._book.value]
            panel.show_text(
                "\n".join(self._summary(setup)), book.describe(setup.rules), apart=True
            )

    def _summary(self, setup: Setup) -> Iterator[str]:
        starter = self._names()[setup.first.value - 1]
        yield f"{'A coin decides who' if setup.first_tossed else starter} starts."
        level = setup.levels[1]
        if level is not None:
            yield f"{setup.names[1]}: {LEVELS[level].character}"
        you = "you both" if self._online else "you"
        if setup.lessons.coach:
            yield f"The coach warns {you} before a move gives the win away."
        if setup.lessons.mental:
            yield f"{you.capitalize()} work out each product before you see it."
        if self._online and setup.lessons.hints:
            yield "You may both ask for hints and reasons."
        if self._left:
            yield self._left

    def _names(self) -> tuple[str, str]:
        one = self._one.value.strip()
        if self._bot.value.strip():
            return one, _YOUR_BOT
        if self._against_level:
            return one, self._level.value.capitalize()
        return one, self._two.value.strip()

    def _proposal(self) -> Proposal:
        """Return the proposal, which may be invalid."""
        book, text = self._books[self._book.value]
        length: Length = self._length.value
        opponent = FRIEND if self._online else HERE
        if self._against_level and not self._bots():
            opponent = self._level.value
        return Proposal(
            game=book.key,
            book_text=text,
            target=self._target.value,
            multipliers=self._set.value,
            length=ProposedLength(length.count, length.number),
            first=self._first.value,
            opponent=opponent,
            lessons=Lessons(
                coach=self._coach.value,
                give_backs=self._last.lessons.give_backs,
                mental=self._mental.value,
                hints=self._hints.value or not self._online,
            ),
            name=self._one.value,
            other_name=None if self._online or self._against_level else self._two.value,
        )

    def _bots(self) -> dict[Seat, str]:
        """Return the bot's provisional name, by seat, if a command line is given."""
        return {Seat.TWO: _YOUR_BOT} if self._bot.value.strip() else {}

    # The player's own rule books

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "open" or not self._online

    def action_open(self) -> None:
        """Ask for the file of a rule book, and choose that rule book."""
        accept = partial(open_rulebook, self._environment)
        asks = TextDialog(_WHICH_FILE, "open", accept, _EXAMPLE)
        self.app.push_screen(asks, self._choose)

    def _choose(self, path: str | None) -> None:
        if path is None:
            return
        known, self._books = self._books, self._books | own_books(self._environment)
        book, _ = self._books[path]
        if path not in known:
            self._book.add([(book.title, path)])
        self._book.choose(path)

    # Leaving the form

    @on(Button.Pressed)
    @on(Input.Submitted)
    @on(Choice.Submitted)
    def _play(self) -> None:
        proposal = self._proposal()
        try:
            proposal.setup(0, self._bots())
        except NinefoldError:
            self._follow()
            return
        command = self._bot.value.strip()
        if command:
            self._play_bot(command.removeprefix(BOT_PREFIX), proposal)
        else:
            self.dismiss(proposal)

    @work(exclusive=True, group="answer")
    async def _play_bot(self, command: str, proposal: Proposal) -> None:
        """Start a bot and submit the form, or show why it cannot be started."""
        # Importing what runs bots is slow, and other games do not need it.
        from ninefold.arena.bot_process import Bot

        self.query_one(Panel).show_text(f"Starting {command} ...")
        try:
            bot = Bot(command)
            await asyncio.to_thread(bot.start)
        except NinefoldError as error:
            self.query_one(Panel).show_text(sentence(error), "Not yet.")
        else:
            self.bot = bot
            self.dismiss(proposal)


def _name_of(length: Length) -> str:
    return "a single game" if length.is_single else str(length)


def _switch(*, on: bool, key: str) -> Choice[bool]:
    return Choice([("off", False), ("on", True)], on, key=key)
