"""Explore: for any rules, who wins, the lost bands, and why."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import islice
from typing import ClassVar

from msgspec import Struct
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Input, Static

from ninefold.app.widgets.footer import KeyBar, Panel, ShownKey
from ninefold.app.widgets.form_fields import Choice, NumberField, Row, TextField
from ninefold.app.widgets.number_line import LineWidget, nearest, neighbour
from ninefold.errors import NinefoldError
from ninefold.rules import Ending, Rules, parse_multipliers, parse_number
from ninefold.theory import Position, Won, explain, oracle_for
from ninefold.views.match_text import format_verdict, sentence
from ninefold.views.number_line import NumberLine, rules_line

_ENDINGS = (
    ("reach it to win", Ending.REACH),
    ("reach it and lose", Ending.AVOID),
    ("hit it exactly to win", Ending.EXACT),
)
_MOST_SENTENCES = 12
_AND_SO_ON = "And so on, from band to band, up to the target."
_POINTER = "▾"
_USUAL_TARGET = 1_000


class Found(Struct, frozen=True):
    """The solution of a position."""

    line: NumberLine
    headline: str
    reasons: tuple[str, ...]


def find(rules: Rules, total: int) -> Found:
    """Return who wins at a total, and why, with the line to draw."""
    oracle = oracle_for(rules)
    reason = explain(Position(rules, total), oracle)
    line = rules_line(rules, total)
    chain = tuple(islice(reason.chain(oracle), _MOST_SENTENCES + 1))
    if len(chain) > _MOST_SENTENCES:
        chain = (*chain[:_MOST_SENTENCES], _AND_SO_ON)
    moves = reason.moves if isinstance(reason, Won) else ()
    return Found(line, format_verdict(total, moves), chain)


class PointedLine(LineWidget, can_focus=True):
    """A number line on which the arrow keys select totals."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "screen.step(-1)", "total before", show=False),
        Binding("right", "screen.step(1)", "next total", show=False),
        Binding(
            "home",
            "screen.go_to(0)",
            "first total",
            show=False,
            tooltip="Go to the first total; End goes to the last.",
        ),
        Binding("end", "screen.go_to(1)", "last total", show=False),
    ]

    def render(self) -> Content:
        """Draw the line, with a mark above the total while it has the focus."""
        drawn = super().render()
        if self.line is None or self.line.total is None or not self.has_focus:
            return drawn
        before = " " * round(self.line.total * (self.size.width - 1))
        return Content.assemble((f"{before}{_POINTER}", "bold $first"), drawn)


class ExploreScreen(Screen[None]):
    """Shows the solution of a position as its rules are typed."""

    AUTO_FOCUS = "#target"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "app.focus_previous", show=False),
        Binding("down", "app.focus_next", show=False),
        Binding("escape", "dismiss", "leave"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._target = NumberField(str(_USUAL_TARGET), key="target")
        self._ending = Choice(_ENDINGS, Ending.REACH, key="ending")
        self._set = TextField("2-9", key="set")
        self._total = NumberField("1", key="at")

    def compose(self) -> ComposeResult:
        title = Content.assemble(("Explore", "bold"), "  who wins, and why")
        yield Static(title, classes="-title")
        with VerticalScroll(id="form", can_focus=False):
            yield Row("Target", self._target)
            yield Row("Ending", self._ending)
            yield Row("Multipliers", self._set)
            yield Row("Current total", self._total)
        yield PointedLine()
        yield Panel()
        yield KeyBar(
            ShownKey("↑ ↓", "rows"),
            ShownKey("← →", "choose, move on the line"),
            ShownKey("PgDn PgUp", "scroll", "pagedown"),
        )

    def on_mount(self) -> None:
        self._answer()

    def _rules(self) -> Rules:
        target = parse_number(self._target.value, "target", _USUAL_TARGET)
        return Rules(self._ending.value, target, parse_multipliers(self._set.value))

    def _total_at(self, rules: Rules) -> int:
        """Read the total; by default it is the start."""
        typed = self._total.value or str(rules.start)
        return parse_number(typed, "total", rules.start)

    @on(Input.Changed)
    @on(Choice.Changed)
    @work(exclusive=True, group="answer")
    async def _answer(self) -> None:
        """Solve the position in a thread: large games take a second."""
        panel, line = self.query_one(Panel), self.query_one(PointedLine)
        try:
            rules = self._rules()
        except NinefoldError as error:
            line.line = None
            panel.show_text(sentence(error), "Not yet.")
            return
        try:
            total = self._total_at(rules)
            found = await asyncio.to_thread(find, rules, total)
        except NinefoldError as error:
            line.line = await asyncio.to_thread(rules_line, rules)
            panel.show_text(sentence(error))
            return
        line.line = found.line
        panel.show_text("\n".join(found.reasons), found.headline, apart=True)

    def action_step(self, step: int) -> None:
        self._point(lambda rules, total: neighbour(rules, total, step))

    def action_go_to(self, place: float) -> None:
        self._point(lambda rules, _: nearest(rules, place))

    def on_line_widget_pointed(self, event: LineWidget.Pointed) -> None:
        self._point(lambda rules, _: nearest(rules, event.place))

    def _point(self, choose: Callable[[Rules, int], int]) -> None:
        try:
            rules = self._rules()
            total = choose(rules, self._total_at(rules))
        except NinefoldError:
            return  # the panel shows what is wrong
        self._total.value = str(total)
