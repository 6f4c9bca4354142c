"""Times tables: which products are known, shaky or new, as a grid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from msgspec import Struct
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.events import Click
from textual.geometry import Size
from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from ninefold.app.environment import Environment
from ninefold.app.widgets.fields import Choice, Row
from ninefold.app.widgets.footer import KeyBar, Panel, ShownKey
from ninefold.learning import Answer, Fact, Mastery, Standing
from ninefold.store import Store
from ninefold.views.progress import mastery_of

_GLYPHS = {Standing.KNOWN: "●", Standing.SHAKY: "◐", Standing.FIRM: "○"}
_COLOURS = {Standing.KNOWN: "$first", Standing.SHAKY: "$second", Standing.FIRM: "$band"}
_DIGITS = range(2, 10)
_CELL, _ROOMY_CELL = 6, 8
_HEAD = 4
_ROOMY = Size(100, 38)
"""The terminal from which on a cell takes three rows."""
_MEANINGS = {
    Standing.KNOWN: "known: for weeks",
    Standing.FIRM: "getting firm",
    Standing.SHAKY: "shaky: wrong lately",
}


class Look(Struct, frozen=True):
    """How a fact is drawn: its glyph, and the ground of its cell."""

    glyph: str = "·"
    style: str = "$soft"
    ground: str = " on $key"


_UNSEEN = Look()
_LOOKS = {
    standing: Look(_GLYPHS[standing], f"bold {colour}", f" on {colour} 22%")
    for standing, colour in _COLOURS.items()
}


class FactGrid(Widget, can_focus=True):
    """Eight rows and columns; the arrow keys mark a fact."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "mark(-1, 0)", show=False),
        Binding("down", "mark(1, 0)", show=False),
        Binding("left", "mark(0, -1)", show=False),
        Binding("right", "mark(0, 1)", show=False),
    ]

    @dataclass
    class Marked(Message):
        """A fact was marked."""

        fact: Fact

    def __init__(self) -> None:
        super().__init__()
        self._mastery: Mapping[Fact, Mastery] = mastery_of(())
        self._row = self._column = 0

    def show(self, mastery: Mapping[Fact, Mastery]) -> None:
        self._mastery = mastery
        self._report()

    def _report(self) -> None:
        self.refresh()
        self.post_message(self.Marked(Fact(_DIGITS[self._row], _DIGITS[self._column])))

    def action_mark(self, down: int, right: int) -> None:
        """Mark a neighbour; beyond an edge, the one at the other edge."""
        self._row = (self._row + down) % len(_DIGITS)
        self._column = (self._column + right) % len(_DIGITS)
        self._report()

    def on_click(self, event: Click) -> None:
        width, height = self._cell_size
        row, column = (event.y - 1) // height, (event.x - _HEAD) // width
        if 0 <= row < len(_DIGITS) and 0 <= column < len(_DIGITS):
            self._row, self._column = row, column
            self._report()

    @property
    def _cell_size(self) -> Size:
        """The columns and rows of a cell, the gaps beside and below it among them."""
        room = self.app.size
        roomy = room.width >= _ROOMY.width and room.height >= _ROOMY.height
        return Size(_ROOMY_CELL, 3) if roomy else Size(_CELL, 1)

    def render(self) -> Content:
        width, height = self._cell_size
        columns = range(len(_DIGITS))
        heads = "".join(f"{digit:^{width - 1}} " for digit in _DIGITS)
        rows = [Content.styled(f"{'×':^{_HEAD}}{heads}", "bold $soft")]
        for row, low in enumerate(_DIGITS):
            cells = [self._cell(row, column, width - 1) for column in columns]
            name = Content.styled(f"{low:^{_HEAD}}", "bold $soft")
            rows.append(Content.assemble(name, Content(" ").join(cells)))
            if height > 1:
                blanks = [self._blank(row, column, width - 1) for column in columns]
                rows.append(Content.assemble(" " * _HEAD, Content(" ").join(blanks)))
                rows.append(Content(""))
        return Content("\n").join(rows)

    def _cell(self, row: int, column: int, width: int) -> Content:
        low, high = _DIGITS[row], _DIGITS[column]
        look = self._look(row, column)
        is_marked = (row, column) == (self._row, self._column)
        left, right = "[]" if is_marked else "  "
        weight = "bold" if is_marked else "$foreground"
        pad = " " * ((width - 5) // 2)
        return Content.assemble(
            (f"{pad}{left}{low * high:>2}", f"{weight}{look.ground}"),
            (look.glyph, f"{look.style}{look.ground}"),
            (f"{right}{pad}", f"{weight}{look.ground}"),
        )

    def _blank(self, row: int, column: int, width: int) -> Content:
        return Content.styled(" " * width, self._look(row, column).ground.strip())

    def _look(self, row: int, column: int) -> Look:
        found = self._mastery[Fact(_DIGITS[row], _DIGITS[column])]
        return _LOOKS[found.standing] if found.asked else _UNSEEN

    def get_content_width(self, container: Size, viewport: Size) -> int:
        return _HEAD + self._cell_size.width * len(_DIGITS)

    def get_content_height(self, *_: object) -> int:
        return self._cell_size.height * len(_DIGITS) + 1


class FactsScreen(Screen[None]):
    """Shows how well the 36 facts are known, from the answers in mental arithmetic."""

    AUTO_FOCUS = "FactGrid"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("w", "next_learner", "whose"),
        Binding("escape", "dismiss", "leave"),
    ]

    def __init__(self, environment: Environment) -> None:
        super().__init__()
        self._environment = environment
        self._answers: dict[str | None, list[Answer]] = {}
        self._learner: Choice[str | None] = Choice([("everybody", None)], None)
        self._mastery: dict[Fact, Mastery] = {}

    def compose(self) -> ComposeResult:
        yield Static("", id="known", classes="-title")
        yield Row("Whose", self._learner)
        with Horizontal(id="facts"):
            yield FactGrid()
            yield Static(_legend(), id="legend")
        yield Panel()
        yield KeyBar(ShownKey("arrows", "mark a product"))

    def on_mount(self) -> None:
        self._environment.read(self._look_up, self)
        self._show()

    def _look_up(self, store: Store) -> None:
        """Find out who learns, and what they answered."""
        self._answers[None] = store.answers()
        for learner in store.learners():
            self._answers[learner.id] = store.answers(learner.id)
            self._learner.add([(learner.name, learner.id)])

    def _show(self) -> None:
        self._mastery = mastery_of(self._answers.get(self._learner.value, []))
        known = [m for m in self._mastery.values() if m.standing is Standing.KNOWN]
        count = f"  {len(known)} of {len(self._mastery)} known"
        title = Content.assemble(("Times tables", "bold"), count)
        self.query_one("#known", Static).update(title)
        self.query_one(FactGrid).show(self._mastery)

    def on_fact_grid_marked(self, event: FactGrid.Marked) -> None:
        found = self._mastery[event.fact]
        product = f"{event.fact} = {event.fact.low * event.fact.high}."
        text = "You were never asked this one. Play with mental arithmetic on."
        if found.asked:
            meaning = _MEANINGS[found.standing].partition(":")[0].capitalize()
            text = f"{meaning}: {found.right} of {found.asked} right."
        self.query_one(Panel).say(text, product)

    def on_choice_changed(self) -> None:
        self._show()

    def action_next_learner(self) -> None:
        self._learner.action_turn(1)


def _legend() -> Content:
    """Say what each glyph means."""
    meanings = [(_LOOKS[standing], text) for standing, text in _MEANINGS.items()]
    return Content("\n").join(
        Content.assemble((f"{look.glyph} ", look.style), text)
        for look, text in [*meanings, (_UNSEEN, "not asked yet")]
    )
