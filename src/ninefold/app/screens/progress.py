"""Progress: what a learner knows, the results of games, and what to do next."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from ninefold.app.environment import Environment
from ninefold.app.screens.dialogs import TextDialog
from ninefold.app.screens.practice import begin_drill
from ninefold.app.theme import LOOKS
from ninefold.app.widgets.footer import KeyBar, Panel
from ninefold.app.widgets.form_fields import Choice, Row
from ninefold.learning import Fact, Standing
from ninefold.learning.multiplication_facts import DIGITS
from ninefold.session.setup import check_name
from ninefold.store import Store
from ninefold.views.progress import (
    MEANINGS,
    CardRow,
    ProgressView,
    digest,
    format_progress,
    load_progress,
)

_ROOM_BESIDE_A_PLOT = 30
_NEW_LEARNER = "New learner: type a name."


class ProgressScreen(Screen[None]):
    """Sums up what the latest learner knows, and the results of their games."""

    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("p", "practise", "practise", tooltip="Twelve items. Take your time."),
        Binding("w", "next_learner", "learner", tooltip="Show the next learner."),
        Binding("n", "new_learner", "new learner", tooltip="Add another learner."),
        Binding("down,space", "app.read(1)", show=False),
        Binding("up", "app.read(-1)", show=False),
        Binding("escape", "dismiss", "leave"),
    ]

    def __init__(self, environment: Environment) -> None:
        super().__init__()
        self._environment = environment
        self._learner = Choice([("", "")], "")

    def compose(self) -> ComposeResult:
        yield Static(Content.styled("Progress", "bold"), classes="-title")
        yield Row("Learner", self._learner)
        with Horizontal(id="progress"):
            yield Static("", id="facts")
            yield Panel()
        yield KeyBar()

    def on_mount(self) -> None:
        self._sum_up()

    @work(group="answer", exclusive=True)
    async def _sum_up(self, gained: str | None = None) -> None:
        """Load the progress in a thread: judging many games takes a while."""
        panel = self.query_one(Panel)
        panel.show_text("One moment …")
        found = await asyncio.to_thread(self._environment.read, _look_up, self)
        if found is None:
            panel.show_text("")
            return
        progress, names = found
        self._learner.show([(name, name) for name in names], progress.learner)
        self.refresh_bindings()
        self.query_one("#facts", Static).update(_draw_facts(progress.facts))
        marks = panel.size.width - _ROOM_BESIDE_A_PLOT
        glyphs = {standing: LOOKS[standing].glyph for standing in Standing}
        text = format_progress(progress, glyphs, marks).strip()
        head = f"{gained}\n\n" if gained else ""
        panel.show_text(text, f"{head}{digest(progress)[0]}\n", apart=True)

    # Learners

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "next_learner" or self._learner.has_others

    def on_choice_changed(self) -> None:
        self._choose(self._learner.value)

    def _choose(self, name: str | None) -> None:
        """Make a name the latest learner, and show their progress."""
        if name is not None:
            self._environment.read(lambda store: store.choose_learner(name), self)
            self._sum_up()

    def action_next_learner(self) -> None:
        self._learner.action_turn(1)

    def action_new_learner(self) -> None:
        asks = TextDialog(_NEW_LEARNER, "add", _read_name)
        self.app.push_screen(asks, self._choose)

    # Practice

    def action_practise(self) -> None:
        drill = begin_drill(self._environment, self)
        self.app.push_screen(drill, self._after_practice)

    def _after_practice(self, gained: str | None) -> None:
        self._sum_up(gained)


def _look_up(store: Store) -> tuple[ProgressView, list[str]]:
    """Return the progress of the latest learner, and the names of all learners."""
    progress = load_progress(store)
    names = [*(each.name for each in store.learners()), progress.learner]
    return progress, [*dict.fromkeys(names)]


def _read_name(typed: str) -> str:
    check_name(typed)
    return typed


def _draw_facts(facts: Iterable[CardRow]) -> Content:
    """Draw a grid of all products with their standings, and a legend."""
    standings = {row.name: row.standing for row in facts}
    heads = "   ".join(map(str, DIGITS))
    rows = [Content.styled(f" ×   {heads}", "bold $soft")]
    for low in DIGITS:
        cells = [_cell(Fact(low, high), standings) for high in DIGITS]
        name = Content.styled(f" {low}  ", "bold $soft")
        rows.append(Content.assemble(name, Content(" ").join(cells)))
    rows.append(Content(""))
    for standing, meaning in MEANINGS.items():
        look = LOOKS[standing]
        rows.append(Content.assemble((f"{look.glyph} ", look.style), meaning))
    return Content("\n").join(rows)


def _cell(fact: Fact, standings: dict[str, Standing]) -> Content:
    look = LOOKS[standings[fact.key]]
    return Content.assemble(
        (f"{fact.low * fact.high:>2}", f"$foreground{look.ground}"),
        (look.glyph, f"{look.style}{look.ground}"),
    )
