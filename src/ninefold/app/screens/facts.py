"""Times tables: how well each product and each skill is known, and who learns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random
from typing import ClassVar

from msgspec import Struct
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.events import Click, Resize
from textual.geometry import Size
from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from ninefold.app.environment import Environment
from ninefold.app.screens.dialogs import AskForText
from ninefold.app.screens.practice import PracticeScreen
from ninefold.app.widgets.fields import Choice, Row
from ninefold.app.widgets.footer import KeyBar, Panel, ShownKey
from ninefold.learning import Fact, Mastery, Practice, Standing, drill, mastery
from ninefold.learning.facts import DIGITS
from ninefold.learning.mastery import FACT_CARDS, SKILL_CARDS, next_due
from ninefold.session.setup import check_name
from ninefold.store import Store
from ninefold.views.answering import Answering
from ninefold.views.practice import name_card, say_next, say_when
from ninefold.views.progress import MEANINGS

_TINY_CELL, _CELL, _ROOMY_CELL = 4, 6, 8
_HEAD = 4
_USUAL = 80
"""The columns of a terminal from which on brackets have room in a cell."""
_BESIDE = 56
"""The columns of a terminal from which on the skills have room beside the facts."""
_ROOMY = Size(100, 38)
"""The terminal from which on a cell takes three rows."""
_WHO = "Who else learns here? Type a name."
_NEVER_ASKED = "You were never asked this one. Press p to practise."


class Look(Struct, frozen=True):
    """How a fact or a skill is drawn: its glyph, and the ground of its cell."""

    glyph: str
    style: str
    ground: str


LOOKS = {
    Standing.KNOWN: Look("●", "bold $first", " on $first 22%"),
    Standing.FIRM: Look("◐", "bold $band", " on $band 22%"),
    Standing.SHAKY: Look("○", "bold $second", " on $second 22%"),
    Standing.NEW: Look("·", "$soft", " on $key"),
}


class FactGrid(Widget, can_focus=True):
    """Eight rows and columns; the arrow keys mark a fact."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "mark(-1, 0)", show=False),
        Binding("down", "mark(1, 0)", show=False),
        Binding("left", "mark(0, -1)", show=False),
        Binding("right", "mark(0, 1)", show=False),
    ]

    class Marked(Message):
        """Another fact was marked."""

    def __init__(self) -> None:
        super().__init__()
        self._mastery: Mapping[str, Mastery] = mastery(())
        self._row = self._column = 0

    def show(self, standings: Mapping[str, Mastery]) -> None:
        self._mastery = standings
        self.refresh()

    @property
    def marked(self) -> Fact:
        return Fact(DIGITS[self._row], DIGITS[self._column])

    def _report(self) -> None:
        self.refresh()
        self.post_message(self.Marked())

    def action_mark(self, down: int, right: int) -> None:
        """Mark a neighbour; beyond an edge, the one at the other edge."""
        self._row = (self._row + down) % len(DIGITS)
        self._column = (self._column + right) % len(DIGITS)
        self._report()

    def on_click(self, event: Click) -> None:
        width, height = self._cell_size
        row, column = (event.y - 1) // height, (event.x - _HEAD) // width
        if 0 <= row < len(DIGITS) and 0 <= column < len(DIGITS):
            self._row, self._column = row, column
            self._report()

    @property
    def _cell_size(self) -> Size:
        """The columns and rows of a cell, the gaps beside and below it among them."""
        room = self.app.size
        if room.width >= _ROOMY.width and room.height >= _ROOMY.height:
            return Size(_ROOMY_CELL, 3)
        return Size(_CELL if room.width >= _USUAL else _TINY_CELL, 1)

    def render(self) -> Content:
        width, height = self._cell_size
        columns = range(len(DIGITS))
        heads = "".join(f"{digit:^{width - 1}} " for digit in DIGITS)
        rows = [Content.styled(f"{'×':^{_HEAD}}{heads}", "bold $soft")]
        for row, low in enumerate(DIGITS):
            cells = [self._cell(row, column, width - 1) for column in columns]
            name = Content.styled(f"{low:^{_HEAD}}", "bold $soft")
            rows.append(Content.assemble(name, Content(" ").join(cells)))
            if height > 1:
                blanks = [self._blank(row, column, width - 1) for column in columns]
                rows.append(Content.assemble(" " * _HEAD, Content(" ").join(blanks)))
                rows.append(Content(""))
        return Content("\n").join(rows)

    def _cell(self, row: int, column: int, width: int) -> Content:
        low, high = DIGITS[row], DIGITS[column]
        look = self._look(row, column)
        is_marked = (row, column) == (self._row, self._column)
        left, right = "[]" if is_marked else "  "
        weight = "bold" if is_marked else "$foreground"
        if width < _CELL - 1:  # no room for brackets
            left = right = ""
            weight = "bold reverse" if is_marked else weight
        pad = " " * ((width - 5) // 2)
        return Content.assemble(
            (f"{pad}{left}{low * high:>2}", f"{weight}{look.ground}"),
            (look.glyph, f"{look.style}{look.ground}"),
            (f"{right}{pad}", f"{weight}{look.ground}"),
        )

    def _blank(self, row: int, column: int, width: int) -> Content:
        return Content.styled(" " * width, self._look(row, column).ground.strip())

    def _look(self, row: int, column: int) -> Look:
        return LOOKS[self._mastery[Fact(DIGITS[row], DIGITS[column]).key].standing]

    def get_content_width(self, container: Size, viewport: Size) -> int:
        return _HEAD + self._cell_size.width * len(DIGITS)

    def get_content_height(self, *_: object) -> int:
        return self._cell_size.height * len(DIGITS) + 1


class FactsScreen(Screen[None]):
    """Shows how well the facts and the skills are known by the one who learns here."""

    AUTO_FOCUS = "FactGrid"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("p", "practise", "practise", tooltip="Twelve items, and no clock."),
        Binding("w", "next_learner", "who learns"),
        Binding("n", "new_name", "new name", tooltip="Somebody else learns here."),
        Binding("escape", "dismiss", "leave"),
    ]

    def __init__(self, environment: Environment) -> None:
        super().__init__()
        self._environment = environment
        self._learner = Choice([("", "")], "")
        self._answering: Answering
        """Who learns, from the moment that the screen is open."""
        self._standings = mastery(())

    def compose(self) -> ComposeResult:
        yield Static("", id="known", classes="-title")
        yield Row("Who learns", self._learner)
        with Horizontal(id="facts"):
            yield FactGrid()
            yield Static("", id="legend")
        yield Panel()
        yield KeyBar(ShownKey("arrows", "mark"))

    def on_mount(self) -> None:
        self._show()

    def on_resize(self, event: Resize) -> None:
        self.query_one("#legend").display = event.size.width >= _BESIDE

    def _show(self, name: str | None = None) -> None:
        """Show what somebody knows; without a name, the latest learner."""
        self._answering = self._environment.answering(self, name)
        learners = self._environment.read(Store.learners, self) or []
        latest = self._answering.learner.name
        names = dict.fromkeys([*(each.name for each in learners), latest])
        self._learner.show([(each, each) for each in names], latest)
        self.refresh_bindings()
        self._standings = standings = mastery(self._answering.earlier)
        found = Counter(standings[card].standing for card in FACT_CARDS)
        counts = {each: found[each] for each in MEANINGS}
        waiting = next_due(standings)
        due = say_next(waiting, self._answering.at) if waiting else ""
        known = f"  {counts[Standing.KNOWN]} of {len(FACT_CARDS)} known"
        title = Content.assemble(("Times tables", "bold"), known)
        self.query_one("#known", Static).update(title)
        self.query_one("#legend", Static).update(_legend(counts, standings, due))
        self.query_one(FactGrid).show(standings)
        self.on_fact_grid_marked()

    def on_fact_grid_marked(self) -> None:
        """Tell of the fact that is marked."""
        fact = self.query_one(FactGrid).marked
        found = self._standings[fact.key]
        product = f"{fact} = {fact.low * fact.high}."
        text = _NEVER_ASKED
        if found.due is not None:
            meaning = MEANINGS[found.standing].capitalize()
            due = say_when(found.due, self._answering.at)
            text = f"{meaning}. {found.right} of {found.asked} right; due {due}."
        self.query_one(Panel).say(text, product)

    # Who learns

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "next_learner" or self._learner.has_others

    def on_choice_changed(self) -> None:
        self._choose(self._learner.value)

    def _choose(self, name: str | None) -> None:
        """Remember who learns, and show what they know."""
        if name is not None:
            self._environment.read(lambda store: store.choose_learner(name), self)
            self._show(name)

    def action_next_learner(self) -> None:
        self._learner.action_turn(1)

    def action_new_name(self) -> None:
        asks = AskForText(_WHO, "learn", _read_name)
        self.app.push_screen(asks, self._choose)

    # Practice

    def action_practise(self) -> None:
        answering, rng = self._answering, Random(self._environment.seed())
        practice = Practice(drill(answering.earlier, answering.at, rng))
        shown = PracticeScreen(answering, practice)
        self.app.push_screen(shown, self._after_practice)

    def _after_practice(self, gained: str | None) -> None:
        self._show(self._answering.learner.name)
        if gained:
            self.query_one(Panel).say(gained)


def _read_name(typed: str) -> str:
    check_name(typed)
    return typed


def _legend(
    counts: Mapping[Standing, int], standings: Mapping[str, Mastery], due: str
) -> Content:
    """Say what each glyph means, how well the skills are known, and what is due."""
    facts = [_row(each, f"{each.value}: {count}") for each, count in counts.items()]
    skills = [_row(standings[card].standing, name_card(card)) for card in SKILL_CARDS]
    head = Content.styled("Skills", "bold")
    return Content("\n").join([*facts, head, *skills, Content(due)])


def _row(standing: Standing, text: str) -> Content:
    look = LOOKS[standing]
    return Content.assemble((f"{look.glyph} ", look.style), text)
