"""Dialogs: yes or no, a product, a text; and the invitation to a match."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.geometry import Size
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Static

from ninefold.app.widgets.footer import KeyBar, ShownKey
from ninefold.app.widgets.form_fields import MarkedButton, NumberField, TextField
from ninefold.errors import NinefoldError
from ninefold.online.links import is_local
from ninefold.playing.presenter import Presenter
from ninefold.playing.scene import OpenQuestion
from ninefold.session import ProductQuestion, SlipQuestion
from ninefold.text import shorten
from ninefold.views.match_text import (
    LINK_IS_LOCAL,
    SEND_LINK,
    format_takeback_question,
    sentence,
)

_HELP_ME = "Show a first step; press again for the answer."
_BY_PHONE = "Scan this code with a phone on your network."
_COPIED = "Link copied, if your terminal allows it."
_QR = "#FFFFFF on #000000"
"""In every theme: phones expect dark on light, and the light cells are drawn."""
_ANOTHER_MOVE = ShownKey("esc", "another move", "escape")


class ConfirmDialog(ModalScreen[bool | None]):
    """A question with two answers; Enter gives the one that is focused."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", show=False),
        Binding("n", "answer(False)", show=False),
        Binding("escape", "escape", show=False),
        Binding("left,up", "app.focus_previous", show=False),
        Binding("right,down", "app.focus_next", show=False),
        Binding("question_mark,f1", "app.help", "help", key_display="?"),
    ]

    def __init__(
        self,
        question: str,
        *,
        default: bool,
        escape: bool | None,
        is_open: Callable[[], bool] = lambda: True,
    ) -> None:
        """Ask a question; Enter answers ``default``, Escape ``escape``.

        ``is_open``: whether the question still needs an answer.
        """
        super().__init__()
        self._question = question
        self._default, self._escape = default, escape
        self._is_open = is_open

    def compose(self) -> ComposeResult:
        with Vertical(classes="-question"):
            yield Static(self._question, markup=False)
            with Horizontal():
                yield MarkedButton("Yes", id="yes", compact=True)
                yield MarkedButton("No", id="no", compact=True)
            yield KeyBar(
                ShownKey("← → Enter", "choose"),
                ShownKey("y esc" if self._escape else "y", "yes", "y"),
                ShownKey("n esc" if self._escape is False else "n", "no", "n"),
                *([_ANOTHER_MOVE] if self._escape is None else []),
            )

    def on_mount(self) -> None:
        # A quick key may have closed the dialog already: then nothing can be focused.
        self.query("#yes" if self._default else "#no").focus()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id == "yes")

    def action_answer(self, answer: bool) -> None:  # noqa: FBT001 - Textual passes it so
        self.dismiss(answer)

    def action_escape(self) -> None:
        self.dismiss(self._escape)

    def follow(self) -> None:
        """Close if the question is outdated, unless another screen is on top."""
        if self.app.screen is self and not self._is_open():
            self.dismiss(None)

    on_screen_resume = follow


class ProductDialog(ModalScreen[None]):
    """Asks for the product of a presenter's question; ``?`` gives help in steps."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "question_mark", "help_me", "I don't know", priority=True, tooltip=_HELP_ME
        ),
        Binding("escape", "leave", "another move"),
        Binding("f1", "app.help", "help"),
    ]

    def __init__(self, presenter: Presenter, question: ProductQuestion) -> None:
        super().__init__()
        self._presenter = presenter
        self._about = question

    def compose(self) -> ComposeResult:
        about = self._about
        factors = f"{shorten(about.total)} × {shorten(about.multiplier)} ="
        with Vertical(classes="-question"):
            with Horizontal():
                yield Static(factors, classes="-factors", markup=False)
                yield NumberField(key="answer")
            yield Static("", id="step", markup=False)
            yield KeyBar(ShownKey("Enter", "answer", "enter"))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self._presenter.enter_product(event.value)
        self.query_one(NumberField).refuse()
        self.follow()

    def action_help_me(self) -> None:
        self._presenter.help_with_product()
        self.follow()

    def action_leave(self) -> None:
        self._presenter.drop_question()
        self.follow()

    def show_text(self, text: str) -> None:
        """Show a step of help, or what to type, after the steps so far."""
        question = self._presenter.scene.question
        steps = () if question is None else question.steps
        shown = [*steps, *([] if text in steps else [text])]
        self.query_one("#step", Static).update(" ".join(shown))

    def follow(self) -> None:
        """Close if the question is outdated, unless another screen is on top."""
        question = self._presenter.scene.question
        is_open = question is not None and question.about == self._about
        if self.app.screen is self and not is_open:
            self.dismiss(None)

    on_screen_resume = follow


class TextDialog(ModalScreen[str | None]):
    """Asks for a text until it is accepted; returns None if cancelled."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", "leave"),
        Binding("f1", "app.help", "help"),
    ]

    def __init__(
        self, question: str, label: str, accept: Callable[[str], str], example: str = ""
    ) -> None:
        """Ask a question; ``accept`` returns the answer or raises a NinefoldError.

        ``label`` names what Enter does.
        """
        super().__init__()
        self._question, self._label = question, label
        self._accept, self._example = accept, example

    def compose(self) -> ComposeResult:
        with Vertical(classes="-question"):
            yield Static(self._question, markup=False)
            with Horizontal():
                yield TextField(key="text", placeholder=self._example)
            yield Static("", id="step", markup=False)
            yield KeyBar(ShownKey("Enter", self._label, "enter"))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        try:
            self.dismiss(self._accept(event.value.strip()))
        except NinefoldError as error:
            self.query_one("#step", Static).update(sentence(error))


class Invitation(ModalScreen[None]):
    """The link of a match, shown until the other player has joined."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("c", "copy", "copy the link"),
        Binding("escape", "dismiss", "to the table"),
        Binding("enter", "dismiss", show=False),
        Binding("question_mark,f1", "app.help", "help", key_display="?"),
    ]

    def __init__(self, link: str, qr: str, is_open: Callable[[], bool]) -> None:
        """Show a link and its QR code, if any, if there is room.

        ``is_open``: whether the other player has not joined yet.
        """
        super().__init__()
        self._link, self._is_open = link, is_open
        self._qr = Static(Content.styled(qr.rstrip("\n"), _QR), id="qr")
        self._qr_size = Size(len(qr.partition("\n")[0]), qr.count("\n"))
        reached = LINK_IS_LOCAL if is_local(link) else _BY_PHONE if qr else ""
        self._note = Static(reached, markup=False)

    def compose(self) -> ComposeResult:
        with Vertical(classes="-question"):
            yield Static(f"{SEND_LINK}\n{self._link}", id="link", markup=False)
            yield self._qr
            yield self._note
            yield KeyBar()

    def on_resize(self) -> None:
        """Hide a QR code that does not fit."""
        room, needed = self.app.size, self._qr_size
        fits = needed.width + 4 <= room.width and needed.height + 7 <= room.height
        self._qr.display = fits and needed.height > 0
        self._note.display = not needed.height or fits

    def follow(self) -> None:
        """Close once the other player has joined, unless another screen is on top."""
        if self.app.screen is self and not self._is_open():
            self.dismiss()

    on_screen_resume = follow

    def action_copy(self) -> None:
        self.app.copy_to_clipboard(self._link)
        self._note.display = True
        self._note.update(_COPIED)


async def confirm(
    app: App[object], question: str, *, default: bool, escape: bool | None = None
) -> bool:
    """Ask a yes/no question from a worker, and await the answer.

    Escape answers ``default`` unless ``escape`` is given.
    """
    escape = default if escape is None else escape
    dialog = ConfirmDialog(question, default=default, escape=escape)
    return await app.push_screen_wait(dialog) is True


def question_dialog(
    presenter: Presenter, question: OpenQuestion
) -> ConfirmDialog | ProductDialog:
    """Return the dialog for a presenter's question; Escape leaves it unanswered."""
    about = question.about
    if isinstance(about, ProductQuestion):
        return ProductDialog(presenter, about)
    text = f"{question.marked} {question.text}".strip()
    if isinstance(about, SlipQuestion):
        text = f"{text} {format_takeback_question(about.give_backs)}"

    def is_open() -> bool:
        current = presenter.scene.question
        return current is not None and current.about == about

    escape = None if isinstance(about, SlipQuestion) else False
    return ConfirmDialog(text, default=question.default, escape=escape, is_open=is_open)
