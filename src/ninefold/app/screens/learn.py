"""Learn: the list of the path's steps, and the screen of one step."""

from __future__ import annotations

from collections.abc import Collection
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from ninefold.app.environment import Environment
from ninefold.app.screens.play import TableScreen
from ninefold.app.screens.practice import PracticeScreen
from ninefold.app.widgets.footer import KeyBar, ShownKey
from ninefold.app.widgets.form_fields import MarkedList, NumberField
from ninefold.game import Game
from ninefold.learning import Activity, Play, Walk
from ninefold.learning.path_steps import (
    CHAPTERS,
    STEPS,
    next_step,
    step_key,
    step_title,
    walk,
)
from ninefold.session import Setup
from ninefold.store import DEFAULT_LEARNER
from ninefold.text import wrap
from ninefold.theory import Band
from ninefold.views.answer_recorder import AnswerRecorder
from ninefold.views.number_line import number_line

_HEAD = 0
_ROWS = [(chapter, step) for chapter in CHAPTERS for step in range(len(STEPS) + 1)]
"""A row for each step, below the head of its chapter."""
_STEPS = len(CHAPTERS) * len(STEPS)
_BEGIN_AGAIN = "You left this game. Press Enter to start it again."
_MARKED, _BEFORE = 2, 6
"""The columns before a row, and before the title of a step."""
_GO_ON = "You continue where you left off."
_LEAVE = "Go back; this step is remembered until you close the app."
_TENS = "Move by ten; hold Shift to shade."
_ROOM_FOR_TENS = 80
"""The least columns for the keys in the bar that move by ten."""
_ROOM_FOR_LINE = 20
"""The least rows of a terminal for the whole number line."""
_WIDEST = 100
"""The most columns of a row of numbers."""


class StepList(MarkedList):
    """Lists the steps of each chapter, with a mark for those that are done."""

    def __init__(self) -> None:
        super().__init__()
        self._done: Collection[str] = ()

    def show(self, done: Collection[str], at: tuple[str, int]) -> None:
        """List the steps, with the one ``at`` highlighted."""
        self.clear_options()
        self._done = done
        self.add_options(
            Option(self.prompt(index), disabled=step == _HEAD)
            for index, (_, step) in enumerate(_ROWS)
        )
        self.highlighted = _ROWS.index(at)

    def row(self, index: int) -> Content:
        chapter, step = _ROWS[index]
        room = max(self.scrollable_content_region.width, 2 * _BEFORE)
        if step == _HEAD:
            title = wrap(CHAPTERS[chapter].title, room - _MARKED)
            return Content.styled(title.replace("\n", f"\n{' ' * _MARKED}"), "bold")
        look, word = ("·", "$soft"), ""
        if step_key(chapter, step) in self._done:
            look, word = ("●", "bold $first"), "done"
        elif (chapter, step) == next_step([*self._done]):
            look, word = ("○", "bold $second"), "next"
        glyph, style = look
        text = wrap(f"{step_title(chapter, step)}  {word}", room - _BEFORE)
        title = text.removesuffix(word).replace("\n", f"\n{' ' * _BEFORE}")
        return Content.assemble((f"{glyph} ", style), f"{step} {title}", (word, style))

    def on_resize(self) -> None:
        """Wrap the rows for the new width."""
        for index in range(self.option_count):
            self.replace_option_prompt_at_index(index, self.prompt(index))


Walks = dict[tuple[str, str], Walk]
"""Unfinished steps, by the learner's name and the step's key."""


class PathScreen(Screen[None]):
    """Lists the path's steps and which of them are done; Enter starts one."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss", "leave")]

    def __init__(self, environment: Environment, left: Walks) -> None:
        """Show the path; steps in ``left`` continue where they were left."""
        super().__init__()
        self._environment, self._left = environment, left
        self._list = StepList()
        self._done: set[str] = set()

    def compose(self) -> ComposeResult:
        yield Static("", id="walked", classes="-title")
        yield self._list
        yield KeyBar(ShownKey("↑ ↓", "choose"), ShownKey("Enter", "start", "enter"))

    def on_mount(self) -> None:
        self._show(_ROWS[1])

    def _answering(self) -> AnswerRecorder:
        return self._environment.answering(self, activity=Activity.PATH)

    def _show(self, otherwise: tuple[str, int]) -> None:
        """Mark finished steps; highlight the next, or ``otherwise`` if none is left."""
        answering = self._answering()
        keys = {step_key(*row) for row in _ROWS}
        self._done |= keys & {answer.item for answer in answering.earlier}
        name = answering.learner.name
        whose = f" by {name}" if name != DEFAULT_LEARNER else ""
        walked = f"  {len(self._done)} of {_STEPS} steps done{whose}"
        title = Content.assemble(("Learn", "bold"), walked)
        self.query_one("#walked", Static).update(title)
        self._list.show(self._done, next_step(sorted(self._done)) or otherwise)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        place, answering = _ROWS[event.option_index], self._answering()
        key = answering.learner.name, step_key(*place)
        left = self._left.get(key)
        walking = self._left[key] = left or walk(*place)
        screen = StepScreen(self._environment, answering, place, walking)
        screen.result = "" if left is None else _GO_ON

        def return_here(_: str | None) -> None:
            if walking.state.is_over:
                del self._left[key]
            if walking.state.is_done:
                self._done.add(step_key(*place))
            self._show(place)

        self.app.push_screen(screen, return_here)


class BandField(NumberField):
    """A field for a number or a band, which can be typed or shaded with arrow keys."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "move(-1, False)", show=False),
        Binding("right", "move(1, False)", show=False),
        Binding("ctrl+left", "move(-10, False)", show=False),
        Binding("ctrl+right", "move(10, False)", show=False),
        Binding("shift+left", "move(-1, True)", show=False),
        Binding("shift+right", "move(1, True)", show=False),
        Binding("ctrl+shift+left", "move(-10, True)", show=False),
        Binding("ctrl+shift+right", "move(10, True)", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.pointed = self.greatest = self.began = 1
        """The selected number, the greatest one, and where shading started."""

    def begin(self, greatest: int) -> None:
        self.pointed, self.greatest, self.began = 1, greatest, 1

    def action_move(self, step: int, shades: bool) -> None:  # noqa: FBT001
        """Select another number; with ``shades``, shade up to it."""
        self.pointed = min(max(self.pointed + step, 1), self.greatest)
        if not shades:
            self.began = self.pointed
        lowest, highest = sorted((self.began, self.pointed))
        if self.greatest > 1:
            self.value = f"{lowest} to {highest}"


def draw_numbers(at: int, greatest: int, band: Band | None, width: int) -> Content:
    """Draw a row of numbers around one, with shading below the band."""
    digits = len(str(greatest))
    room = max((width - 3) // (digits + 1), 1)
    first = max(1, min(at - room // 2, greatest - room + 1))
    above, below = [], []
    for number in range(first, min(first + room, greatest + 1)):
        shade = "▒" if band is not None and number in band else " "
        left = {at: "[", at + 1: "]"}.get(number, " ")
        above.append(f"{left}{number:>{digits}}")
        below.append(f" {shade * digits}")
    end = "]" if number == at else " "
    shaded = Content.styled("".join(below), "$band")
    return Content("\n").join([Content(f"{''.join(above)}{end}"), shaded])


class StepScreen(PracticeScreen):
    """Runs a step of the path: messages above, the question or the game below."""

    AUTO_FOCUS = ""  # before a game there is nothing to type

    def __init__(
        self,
        environment: Environment,
        answering: AnswerRecorder,
        place: tuple[str, int],
        walking: Walk,
    ) -> None:
        super().__init__(answering, walking)
        self._environment = environment
        chapter, self._step = place
        self._chapter = CHAPTERS[chapter]
        self.result = ""
        """The result of the last game, or a note after returning."""
        self._messages = Static("", id="said", markup=False)
        self._numbers, self._band = Static("", id="numbers"), BandField()
        self._field = self._band
        self._typing = Horizontal(self._label, self._field)

    def compose(self) -> ComposeResult:
        title, *others = super().compose()
        at = others.index(self._typing)
        yield from (title, self._messages, *others[:at], self._numbers, *others[at:])

    # What is shown

    def help_for(self, action: str) -> str:
        return _LEAVE if action == "leave" and not self.walk.state.is_over else ""

    def _show(self) -> None:
        state = self.walk.state
        text = self.result or ("" if self._item is None else self._panel.shown_text)
        self.result = ""
        target = None if state.item is None else state.item.target
        self._band.begin(1 if target is None else target - 1)
        super()._show()
        self._messages.update("\n".join(self.walk.said))
        title = f"  {step_title(self._chapter.key, self._step)}"
        head = Content.assemble((f"Step {self._step} of {len(STEPS)}", "bold"), title)
        self.query_one("#round", Static).update(head)
        if state.item is None:
            text = f"{text}\n\n{state.closing or 'Press Enter to play.'}"
        self._panel.show_text(text.strip())

    def _show_field(self) -> None:
        super()._show_field()
        self._question.display = self._typing.display = self._item is not None
        if self._wanted is not None:
            self._key_bar.show_first(ShownKey("Enter", "play", "enter"))
        elif self._is_asked and self._band.greatest > 1:
            has_room = self.app.size.width >= _ROOM_FOR_TENS
            self._key_bar.show_first(
                ShownKey("Enter", "answer", "enter"),
                ShownKey("⇧← ⇧→", "shade"),
                ShownKey("^← ^→", "by tens", help=_TENS, in_bar=has_room),
            )
        self.on_input_changed()

    @property
    def _wanted(self) -> Play | None:
        """The game to play next, once the messages before it are read."""
        return None if self._is_read else self.walk.state.play

    def on_input_changed(self) -> None:
        """Shade the typed band, on the line and in the row of numbers."""
        item, field = self._item, self._band
        shades = item is not None and item.target is not None and not self._is_read
        self._numbers.display = shades
        self._line.display = shades and self.app.size.height >= _ROOM_FOR_LINE
        if item is None or item.target is None:
            return
        answer = item.read_answer(field.value)
        ends = [] if answer is None else [int(end) for end in answer.split(" to ")]
        ends = [min(max(end, 1), field.greatest) for end in ends]
        if not field.value:
            field.began = field.pointed  # nothing is shaded
        if ends and sorted(ends) != sorted((field.began, field.pointed)):
            field.began, field.pointed = ends
        band = Band(*sorted(ends)) if ends else None
        width = min(self.app.size.width, _WIDEST)
        row = draw_numbers(field.pointed, field.greatest, band, width)
        self._numbers.update(row)
        bands = [] if band is None else [band]
        self._line.line = number_line(self._chapter.rules(item.target), bands)

    # Walking

    def action_go_on(self) -> None:
        if self._wanted is None:
            super().action_go_on()
            return
        environment = self._environment
        template = Setup(rules=self._wanted.rules, book=self._chapter.book)
        name = self._answering.player
        table = environment.one_game(self._wanted, template, self, name=name)
        screen = TableScreen(environment, table, task_title=f"step {self._step}")
        self.app.push_screen(screen, lambda _: self._after(table.session.game))

    def _after(self, game: Game) -> None:
        if game.outcome is None:
            self._panel.show_text(_BEGIN_AGAIN)
            return
        self._answering.add(*self.walk.played(game).answers)
        won = self.walk.won
        running = f" That is {won} in a row." if won > 1 else ""
        self.result = f"You {'won' if won else 'lost'} this game.{running}"
        self._show()
