"""Practice: a round of items on one screen."""

from __future__ import annotations

from random import Random
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.geometry import Size
from textual.reactive import reactive
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Input, Static

from ninefold.app.environment import Environment
from ninefold.app.widgets.board import enlarge
from ninefold.app.widgets.footer import KeyBar, Panel, ShownKey
from ninefold.app.widgets.form_fields import NumberField
from ninefold.app.widgets.number_line import LineWidget, game_line
from ninefold.learning import AnswerKind, Item, Walk, WalkState, drill, read_puzzle
from ninefold.notation import is_record
from ninefold.text import wrap
from ninefold.views.answer_recorder import AnswerRecorder
from ninefold.views.practice import begin_round, format_response

_EQUALS = " = ?"
_SMALL_ROWS, _LARGE_ROWS = 3, 6
_ROOM_FOR_SMALL, _ROOM_FOR_LARGE = 15, 34
"""The least rows of a terminal for a question in small or in large digits."""
_HELP_ME = "Show a first step; press again for the next."
_SKIP = "Skip this item."
_LEAVE = "Go back; your answers are saved."


class Question(Widget):
    """Draws a question: numbers as large as they fit, sentences wrapped."""

    text = reactive("", layout=True)

    def render(self) -> Content:
        return enlarge(self.text, self.size) or Content.styled(self.text, "bold")

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        rows = _LARGE_ROWS if viewport.height >= _ROOM_FOR_LARGE else _SMALL_ROWS
        if viewport.height >= _ROOM_FOR_SMALL and enlarge(self.text, Size(width, rows)):
            return rows
        return wrap(self.text, max(width, 1)).count("\n") + 1


class PracticeScreen(Screen[str]):
    """Asks the items of a walk; returns what improved, in a sentence.

    After an answer with an explanation the item stays until Enter is pressed.
    """

    AUTO_FOCUS = "NumberField"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "go_on", show=False),
        Binding("question_mark", "help_me", "help me", tooltip=_HELP_ME),
        Binding("s", "skip", "skip", tooltip=_SKIP),
        Binding("f2", "skip", "skip", key_display="F2", tooltip=_SKIP),
        Binding("escape", "leave", "leave", tooltip=_LEAVE),
        Binding("f1", "app.help", "keys", key_display="F1"),
    ]

    def __init__(self, answering: AnswerRecorder, walk: Walk) -> None:
        super().__init__()
        self._answering, self.walk = answering, walk
        self._item: Item | None = None
        """The current item; None after the last one."""
        self._is_read = False
        """Whether the item is done, and its explanation is being read."""
        self._question, self._line = Question(), LineWidget()
        self._label, self._field = Static("", classes="-factors"), NumberField()
        self._typing = Horizontal(self._label, self._field)
        self._panel = Panel()
        self._key_bar = KeyBar(offers=self._offers, help_for=self.help_for)

    def compose(self) -> ComposeResult:
        yield Static("", id="round", classes="-title")
        yield from (self._question, self._line, self._typing)
        yield from (self._panel, self._key_bar)

    def on_mount(self) -> None:
        name = self._answering.learner.name
        self._panel.show_text(begin_round(self.walk.count, name))
        self._show()

    # What is shown

    def _show(self) -> None:
        """Show the next item or, after the last one, what improved."""
        item = self._item = self.walk.state.item
        where, self._is_read = "done", False
        self._line.display = item is not None and is_record(item.key)
        if item is None:
            self._question.text = ""
            self._panel.show_text(
                f"{self._panel.shown_text}\n\n{self._answering.gained()}".strip()
            )
        else:
            where = f"{self.walk.state.number} of {self.walk.count}"
            self._question.text = item.text.removesuffix(_EQUALS)
            self._label.update(_label(item))
            self._field.takes_words = item.kind is AnswerKind.CHOICE
            if self._line.display:
                self._line.line = game_line(read_puzzle(item.key).game, bands=False)
        title = Content.assemble(("Practise", "bold"), f"  {where}")
        self.query_one("#round", Static).update(title)
        self._answering.begin()
        self._show_field()

    def _show_field(self) -> None:
        """Show the field, unless an explanation is being read."""
        self._field.value = ""
        self._typing.visible = self._is_asked
        self.set_focus(self._field if self._is_asked else None)
        label = "answer" if self._is_asked else "next"
        label = "go back" if self._item is None else label
        self._key_bar.show_first(ShownKey("Enter", label, "enter"))

    @property
    def _is_asked(self) -> bool:
        return self._item is not None and not self._is_read

    def _offers(self, action: str) -> bool:
        return self._is_asked or action not in ("help_me", "skip")

    def help_for(self, action: str) -> str:
        """Return the help text for an action; "" uses the binding's."""
        return ""

    # What can be done

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self._enter(event.value.strip())

    def _enter(self, typed: str) -> None:
        if not self._is_asked:
            return
        state = self.walk.answer(typed)
        self._answering.add(*state.answers)
        lines = self._take_text(state)
        is_right = state.entered is not None and state.entered.right
        if state.is_past and is_right and len(lines) == 1:
            self._show()
        else:
            self._is_read = state.is_past
            self._show_field()

    def _take_text(self, state: WalkState) -> list[str]:
        """Show the reply to an entry, and return its lines."""
        lines = format_response(state.entered)
        self._panel.show_text("\n".join(lines))
        return lines

    def action_help_me(self) -> None:
        if self._is_asked:
            self._take_text(self.walk.help())

    def action_skip(self) -> None:
        if self._is_asked:
            self._answering.add(*self.walk.skip().answers)
            self._panel.show_text("Skipped.")
            self._show()

    def action_go_on(self) -> None:
        if self._item is None:
            self.action_leave()
        elif self._is_read:
            self._panel.show_text("")
            self._show()

    def action_leave(self) -> None:
        self.dismiss(self._answering.gained())


def begin_drill(environment: Environment, screen: Screen[None]) -> PracticeScreen:
    """Return a round of due and shaky items for the latest learner."""
    answering = environment.answering(screen)
    items = drill(answering.earlier, answering.at, Random(environment.seed()))
    return PracticeScreen(answering, Walk.of(items))


def _label(item: Item) -> str:
    """Return the label of the field: what to type."""
    if item.text.endswith(_EQUALS):
        return "="
    choices = " or ".join(item.choices)
    return f"{choices}:" if item.kind is AnswerKind.CHOICE else "Your answer:"
