"""Explore: for any rules, who wins, where the lost bands are, and why."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import islice
from typing import ClassVar

from msgspec import Struct
from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from ninefold.app.lines import nearest, neighbour, rules_line
from ninefold.app.services import sentence
from ninefold.app.widgets.fields import Choice, NumberField, Row, SetField
from ninefold.app.widgets.key_bar import KeyBar
from ninefold.app.widgets.line import LineView
from ninefold.app.widgets.panel import Panel
from ninefold.errors import NinefoldError
from ninefold.rules import Ending, Rules, parse_multipliers, parse_number
from ninefold.text import shorten
from ninefold.theory import Position, Won, explain, oracle_for
from ninefold.theory.sentences import times
from ninefold.views.number_line import NumberLine

_ENDINGS = (
    ("reach it to win", Ending.REACH),
    ("reach it and lose", Ending.AVOID),
    ("make it exactly to win", Ending.EXACT),
)
_MOST_SENTENCES = 12


class Found(Struct, frozen=True):
    """The answer to a question about a position."""

    line: NumberLine
    headline: str
    reasons: tuple[str, ...]


def find(rules: Rules, total: int) -> Found:
    """Say who wins at a total, and why, with the line to be drawn."""
    oracle = oracle_for(rules)
    reason = explain(Position(rules, total), oracle)
    line = rules_line(rules, total)
    chain = tuple(islice(reason.chain(oracle), _MOST_SENTENCES))
    at = shorten(total)
    if isinstance(reason, Won):
        return Found(line, f"Won: from {at} play {times(*reason.moves)}.", chain)
    return Found(line, f"Lost: from {at} every move fails against best play.", chain)


class PointedLine(LineView, can_focus=True):
    """A line on which the arrow keys point at totals."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "screen.step(-1)", "total before", show=False),
        Binding("right", "screen.step(1)", "next total", show=False),
    ]


class ExploreScreen(Screen[None]):
    """Answers as one types."""

    AUTO_FOCUS = "#target"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "app.focus_previous", show=False),
        Binding("down", "app.focus_next", show=False),
        Binding("escape", "leave", "leave"),
    ]

    def __init__(self) -> None:
        """Begin with a game that has two bands."""
        super().__init__()
        self._target = NumberField("1000", key="target")
        self._ending = Choice(_ENDINGS, Ending.REACH, key="ending")
        self._set = SetField("2-9", key="set")
        self._total = NumberField("1", key="at")

    def compose(self) -> ComposeResult:
        """Lay out the rules, the line, the answer."""
        title = Content.assemble(("Explore", "bold"), "  who wins, and why")
        yield Static(title, classes="-title")
        with VerticalScroll(id="form", can_focus=False):
            yield Row("Target", self._target)
            yield Row("Ending", self._ending)
            yield Row("Multipliers", self._set)
            yield Row("At the total", self._total)
        yield PointedLine()
        yield Panel()
        yield KeyBar(("↑ ↓", "rows"), ("← →", "choose, point on the line"))

    def on_mount(self) -> None:
        """Answer the first question."""
        self._answer()

    def on_input_changed(self) -> None:
        """Answer what is typed."""
        self._answer()

    def on_choice_changed(self) -> None:
        """Answer what is chosen."""
        self._answer()

    def _rules(self) -> Rules:
        target = parse_number(self._target.value, "target")
        return Rules(self._ending.value, target, parse_multipliers(self._set.value))

    @work(exclusive=True, group="answer")
    async def _answer(self) -> None:
        """Find the answer beside the screen: for large rules it takes a second."""
        panel, line = self.query_one(Panel), self.query_one(PointedLine)
        try:
            rules = self._rules()
            total = parse_number(self._total.value or "1", "total")
            found = await asyncio.to_thread(find, rules, total)
        except NinefoldError as error:
            panel.say(sentence(error))
            return
        line.show(found.line)
        panel.say("\n".join(found.reasons), found.headline, apart=True)

    def action_step(self, step: int) -> None:
        """Point at the next total, or at the one before."""
        self._point(lambda rules, total: neighbour(rules, total, step))

    def on_line_view_pointed(self, event: LineView.Pointed) -> None:
        """Point at the total nearest to a click."""
        self._point(lambda rules, total: nearest(rules, event.place) or total)

    def _point(self, choose: Callable[[Rules, int], int]) -> None:
        try:
            total = choose(self._rules(), parse_number(self._total.value, "total"))
        except NinefoldError as error:
            self.query_one(Panel).say(sentence(error))
        else:
            self._total.value = str(total)

    def action_leave(self) -> None:
        """Go back home."""
        self.dismiss(None)
