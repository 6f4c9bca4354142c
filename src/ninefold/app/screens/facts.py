"""Times tables: which products are known, shaky or new, as a grid."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from ninefold.app.services import Services
from ninefold.app.widgets.fact_grid import UNSEEN, FactGrid, glyph_of
from ninefold.app.widgets.fields import Choice, Row
from ninefold.app.widgets.key_bar import KeyBar
from ninefold.app.widgets.panel import Panel
from ninefold.learning import Fact, Mastery, Product, Standing, mastery
from ninefold.store import Answer, Store

_MEANINGS = {
    Standing.KNOWN: "known: right 3 times",
    Standing.SHAKY: "shaky: wrong lately",
    Standing.NEW: "new: asked 1-2 times",
}
_UNSEEN = "not asked yet"


class FactsScreen(Screen[None]):
    """Shows how well the 36 facts are known, from the answers in mental arithmetic."""

    AUTO_FOCUS = "FactGrid"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("w", "next_learner", "whose"),
        Binding("escape", "leave", "leave"),
    ]

    def __init__(self, services: Services) -> None:
        """Take where answers are kept."""
        super().__init__()
        self._services = services
        self._answers: list[Answer] = []
        self._learner: Choice[str | None] = Choice([("everybody", None)], None)
        self._mastery: dict[Fact, Mastery] = {}

    def _notice(self, text: str) -> None:
        self.notify(text, severity="warning", markup=False)

    def compose(self) -> ComposeResult:
        """Lay out the grid beside the meaning of its glyphs."""
        yield Static("", id="known", classes="-title")
        yield Row("Whose", self._learner)
        with Horizontal(id="facts"):
            yield FactGrid()
            yield Static(_legend(), id="legend")
        yield Panel()
        yield KeyBar(("arrows", "mark a product"))

    def on_mount(self) -> None:
        """Show everybody's facts."""
        self._answers = self._services.read(_answers, self._notice) or []
        learners = dict.fromkeys(answer.learner for answer in self._answers)
        self._learner.add((learner, learner) for learner in learners)
        self._show()

    def _show(self) -> None:
        wanted = self._learner.value
        self._mastery = mastery(
            Product(each.a, each.b, each.answer, each.hinted)
            for each in self._answers
            if wanted in (None, each.learner)
        )
        known = [m for m in self._mastery.values() if m.standing is Standing.KNOWN]
        told = f"  {len(known)} of {len(self._mastery)} known"
        title = Content.assemble(("Times tables", "bold"), told)
        self.query_one("#known", Static).update(title)
        self.query_one(FactGrid).show(self._mastery)

    def on_fact_grid_marked(self, event: FactGrid.Marked) -> None:
        """Tell how well the marked fact is known."""
        found = self._mastery[event.fact]
        product = f"{event.fact} = {event.fact.low * event.fact.high}."
        told = "It was never asked for. Play with mental arithmetic on."
        if found.asked:
            meaning = _MEANINGS[found.standing].partition(":")[0].capitalize()
            told = f"{meaning}: {found.right} of {found.asked} right."
        self.query_one(Panel).say(told, product)

    def on_choice_changed(self) -> None:
        """Show another learner's facts."""
        self._show()

    def action_next_learner(self) -> None:
        """Go to the next learner."""
        self._learner.action_turn(1)

    def action_leave(self) -> None:
        """Go back home."""
        self.dismiss(None)


def _answers(store: Store) -> list[Answer]:
    return store.answers()


def _legend() -> Content:
    """Say what each glyph means."""
    rows = []
    for standing, meaning in _MEANINGS.items():
        glyph, style = glyph_of(Mastery(Fact(2, 2), standing, 1, 1))
        rows.append(Content.assemble((f"{glyph} ", style), meaning))
    rows.append(Content.assemble((f"{UNSEEN} ", "$soft"), _UNSEEN))
    return Content("\n").join(rows)
