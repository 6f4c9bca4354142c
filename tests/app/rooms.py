"""Opens apps for tests: a store of their own, no pace, no motion, no chance."""

from __future__ import annotations

import asyncio
import selectors
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import TypeVar

from textual.events import Key
from textual.pilot import Pilot
from textual.widget import Widget

from ninefold.app import Environment, NinefoldApp, PreferencesFile
from ninefold.app.preferences import ThemeName
from ninefold.app.widgets.footer import Panel
from ninefold.cli.options import named_book
from ninefold.learning import Activity, read_item
from ninefold.match import SINGLE_GAME, Length
from ninefold.notation import is_record
from ninefold.rulebooks import load
from ninefold.rules import Ending, Rules
from ninefold.session import Command, Lessons, Setup
from ninefold.store import Store
from ninefold.store.sqlite import SqliteStore
from tests.program import WAIT_SECONDS
from tests.store.stores import first_append

T = TypeVar("T")
W = TypeVar("W", bound=Widget)
Size = tuple[int, int]
_MOMENT = 0.005
NO_LESSONS = Lessons()
FAR = Rules(Ending.AVOID, 10**999, (2, 5, 11, 23))
"""A game that goes further than can be seen."""
TINY, SMALL, USUAL, LARGE = (40, 15), (60, 20), (80, 24), (120, 40)
_ENDING_BY_THEMSELVES = ("level", "answer", "ask")


async def at_once() -> None:
    """Think of nothing."""


class Idleness(selectors.DefaultSelector):
    """Knows when an event loop has nothing to do but to wait: it selects for longer."""

    def __init__(self) -> None:
        super().__init__()
        self._awaited: asyncio.Future[int] | None = None
        self._rounds = 0

    async def come(self) -> int:
        """Wait until everybody waits; return how many rounds others had to do."""
        self._rounds = 0
        self._awaited = asyncio.get_running_loop().create_future()
        return await self._awaited

    def select(
        self, timeout: float | None = None
    ) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout == 0:
            self._rounds += 1
        elif self._awaited is not None:
            self._awaited.set_result(self._rounds)
            self._awaited, timeout = None, 0
        return super().select(timeout)


class Opened:
    """An app in a terminal of some size; keys are pressed one after another."""

    def __init__(
        self, runner: asyncio.Runner, idleness: Idleness, pilot: Pilot[None]
    ) -> None:
        self._runner = runner
        self._idleness = idleness
        self._pilot = pilot
        self.app = pilot.app

    def do(self, *steps: Coroutine[object, object, object]) -> None:
        """Do one thing after another; wait each time until no level thinks."""

        async def done() -> None:
            for step in steps:
                await step
                await self._settle()

        self._runner.run(done())

    async def _settle(self) -> None:
        """Wait until everything is handled and drawn, and no level thinks."""
        await self._calm_down()
        workers = self.app.workers
        while any(worker.group in _ENDING_BY_THEMSELVES for worker in workers):
            await asyncio.sleep(_MOMENT)
            await self._calm_down()

    async def _calm_down(self) -> None:
        """Let the app go on until it would wait, and nothing is left to be drawn.

        Textual's own pause waits for each widget, or until the process is idle: longer,
        and yet too short on a busy machine.
        """
        await self._idleness.come()
        while True:
            self.app.screen._on_timer_update()  # noqa: SLF001 - as its own pause does
            if not await self._idleness.come():
                return

    async def _press(self, key: str) -> None:
        character = _CHARACTERS.get(key, key if len(key) == 1 else None)
        self.app.post_message(Key(key, character))

    def press(self, *keys: str) -> None:
        self.do(*map(self._press, keys))

    def press_without_waiting(self, *keys: str) -> None:
        """Press keys while a level thinks."""

        async def pressed() -> None:
            for key in keys:
                await self._press(key)
                await self._calm_down()

        self._runner.run(pressed())

    def burst(self, *keys: str) -> None:
        """Press keys faster than any of them is handled."""

        async def pressed() -> None:
            for key in keys:
                await self._press(key)

        self.do(pressed())

    def write(self, text: str) -> None:
        self.press(*(_KEYS.get(character, character) for character in text))

    def click(self, selector: str | type[Widget], at: tuple[int, int] = (0, 0)) -> None:
        self.do(self._pilot.click(selector, offset=at))

    def hover(self, selector: str | type[Widget]) -> None:
        self.do(self._pilot.hover(selector))

    def resize(self, size: Size) -> None:
        self.do(self._pilot.resize_terminal(*size))

    def wait(self, seconds: float = 0) -> None:
        self.do(asyncio.sleep(seconds))

    def until(self, holds: Callable[[], bool]) -> None:
        """Let the app go on until something holds, and is drawn; a level may think."""
        end = time.monotonic() + WAIT_SECONDS

        async def until_it_holds() -> None:
            while not holds():
                assert time.monotonic() < end, self.text
                await asyncio.sleep(_MOMENT)
                await self._calm_down()
            await self._calm_down()

        self._runner.run(until_it_holds())

    def one(self, kind: type[W]) -> W:
        return self.app.screen.query_one(kind)

    @property
    def place(self) -> str:
        """The name of the screen that is open."""
        return type(self.app.screen).__name__.removesuffix("Screen")

    @property
    def said(self) -> str:
        """The words in the panel."""
        return self.one(Panel).shown_text

    @property
    def picture(self) -> str:
        return self.app.export_screenshot(title="ninefold")

    @property
    def text(self) -> str:
        """Everything on the screen, row by row."""
        screen = self.app.screen
        drawn = screen._compositor.render_strips()  # noqa: SLF001 - as a picture is made
        return "\n".join(strip.text.rstrip() for strip in drawn)


_CHARACTERS = {
    "space": " ",
    "minus": "-",
    "comma": ",",
    "question_mark": "?",
    "underscore": "_",
    "plus": "+",
    "exclamation_mark": "!",
}
_KEYS = {character: key for key, character in _CHARACTERS.items()}


def _loop(selector: selectors.BaseSelector) -> asyncio.AbstractEventLoop:
    return asyncio.SelectorEventLoop(selector)


class Room:
    """A folder with a store, in which apps are opened one after another."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "ninefold"
        self._ids = count(1)
        self.minutes = count()
        self.seconds = 0.0

    def open_store(self) -> Store:
        return SqliteStore(self.path, clock=self.now, new_id=self.new_id)

    def now(self) -> datetime:
        minutes = timedelta(minutes=next(self.minutes))
        return datetime(2024, 5, 1, 9, tzinfo=UTC) + minutes

    def let_days_pass(self, days: int) -> None:
        self.minutes = count(next(self.minutes) + days * 24 * 60)

    def new_id(self) -> str:
        return f"{next(self._ids):08x}-0000-4000-8000-000000000000"

    def keep(self, setup: Setup, *commands: Command) -> str:
        """Keep a match that was played elsewhere; return its id."""
        with self.open_store() as store:
            match_id = store.new_id()
            store.append(first_append(match_id, commands, setup))
        return match_id

    def answer(
        self, item: str, given: str, *, learner: str = "Ada", hinted: bool = False
    ) -> None:
        """Keep an answer that was given elsewhere."""
        with self.open_store() as store:
            store.add_answer(
                store.learner(learner).id,
                item,
                given,
                right=read_item(item).judge(given).right,
                activity=Activity.PUZZLE if is_record(item) else Activity.PLAY,
                hinted=hinted,
            )

    def environment(
        self,
        *,
        motion: bool = False,
        think: Callable[[], Awaitable[object]] = at_once,
        open_store: Callable[[], Store] | None = None,
        own_server: Callable[[], str] | None = None,
        draw_qr: Callable[[str], str] = lambda _: "",
    ) -> Environment:
        return Environment(
            open_store or self.open_store,
            seed=lambda: 7,
            clock=lambda: self.seconds,
            think=think,
            motion=motion,
            memory=PreferencesFile(self.path / "app.json"),
            zone=UTC,
            seats_folder=lambda: self.path,
            own_server=own_server,
            draw_qr=draw_qr,
            read_rulebook=named_book,
        )

    def app(
        self,
        *,
        theme: ThemeName = "dark",
        motion: bool = False,
        think: Callable[[], Awaitable[object]] = at_once,
        open_store: Callable[[], Store] | None = None,
        own_server: Callable[[], str] | None = None,
        draw_qr: Callable[[str], str] = lambda _: "",
    ) -> NinefoldApp:
        environment = self.environment(
            motion=motion,
            think=think,
            open_store=open_store,
            own_server=own_server,
            draw_qr=draw_qr,
        )
        return NinefoldApp(environment, theme)

    @contextmanager
    def open(
        self, *keys: str, app: NinefoldApp | None = None, size: Size = USUAL
    ) -> Iterator[Opened]:
        """Open an app and press keys."""
        idleness = Idleness()
        with asyncio.Runner(loop_factory=lambda: _loop(idleness)) as runner:
            running = (app or self.app()).run_test(size=size, notifications=True)
            pilot = runner.run(running.__aenter__())
            opened = Opened(runner, idleness, pilot)
            try:
                opened.wait()
                opened.press(*keys)
                yield opened
            finally:
                runner.run(running.__aexit__(None, None, None))

    def history(self) -> list[tuple[int, ...]]:
        """Return the moves of every game that is kept, the last begun first."""
        with self.open_store() as store:
            return [row.moves for row in store.history()]


def agreed(
    book: str = "multiplier-showdown",
    *,
    level: str | None = None,
    lessons: Lessons = NO_LESSONS,
    length: Length = SINGLE_GAME,
) -> Setup:
    """Return a set-up between Ada and Bo, or between Ada and a level."""
    return Setup(
        rules=load(book).rules,
        book=book,
        names=("Ada", level.capitalize() if level else "Bo"),
        levels=(None, level),
        lessons=lessons,
        length=length,
    )
