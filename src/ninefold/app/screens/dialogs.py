"""Over the table: questions (a product, a loss, a slip; yes or no), an invitation."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from msgspec.structs import replace
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.geometry import Size
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Static

from ninefold.app.widgets.fields import MarkedButton, NumberField, TextField
from ninefold.app.widgets.footer import KeyBar, ShownKey
from ninefold.errors import NinefoldError
from ninefold.learning import Product, product_hints, read_product
from ninefold.online.links import is_local
from ninefold.session import (
    Ask,
    GiveBack,
    LossQuestion,
    Move,
    ProductQuestion,
    SlipQuestion,
)
from ninefold.session.table import Table
from ninefold.text import shorten
from ninefold.views.words import (
    LINK_IS_LOCAL,
    SEND_LINK,
    ask_back,
    question_words,
    sentence,
    viewer_of,
)

_HELP_ME = "A first step; again, the whole product."
_BY_PHONE = "A phone on your network can read this picture."
_COPIED = "The link is copied, if your terminal allows that."
_QR = "#FFFFFF on #000000"
"""Whatever the theme: a phone reads dark on light, and light cells are drawn."""
_NOT_KNOWN = 0
"""The answer that is stored where the product was shown: no product is 0."""


class YesOrNo(ModalScreen[bool]):
    """A question with two answers; Enter gives the one that is focused."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", show=False),
        Binding("n", "answer(False)", show=False),
        Binding("escape", "escape", show=False),
        Binding("left,up", "app.focus_previous", show=False),
        Binding("right,down", "app.focus_next", show=False),
        Binding("question_mark,f1", "app.help", "help", key_display="?"),
    ]

    def __init__(self, question: str, *, default: bool, escape: bool) -> None:
        """Ask a question; Enter takes the default, Escape what commits to nothing."""
        super().__init__()
        self._question = question
        self._default, self._escape = default, escape

    def compose(self) -> ComposeResult:
        with Vertical(classes="-question"):
            yield Static(self._question, markup=False)
            with Horizontal():
                yield MarkedButton("Yes", id="yes", compact=True)
                yield MarkedButton("No", id="no", compact=True)
            yield KeyBar(
                ShownKey("← → Enter", "choose"),
                ShownKey("y esc" if self._escape else "y", "yes", "y"),
                ShownKey("n" if self._escape else "n esc", "no", "n"),
            )

    def on_mount(self) -> None:
        # A quick key may have answered already: then there is nothing to focus.
        self.query("#yes" if self._default else "#no").focus()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id == "yes")

    def action_answer(self, answer: bool) -> None:  # noqa: FBT001 - Textual passes it so
        self.dismiss(answer)

    def action_escape(self) -> None:
        self.dismiss(self._escape)


class AskForProduct(ModalScreen[int | None]):
    """Asks for a product; ``?`` shows a first step, and then the product.

    It returns the answer; None means that the move is not made after all.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "question_mark", "help_me", "I don't know", priority=True, tooltip=_HELP_ME
        ),
        Binding("escape", "dismiss", "another move"),
        Binding("f1", "app.help", "help"),
    ]

    def __init__(
        self, table: Table, question: ProductQuestion, clock: Callable[[], float]
    ) -> None:
        super().__init__()
        self._table = table
        self._total, self._multiplier = question.total, question.multiplier
        self._clock = clock
        self._began = clock()
        self._steps = 0
        self._helped = ""

    def compose(self) -> ComposeResult:
        factors = f"{shorten(self._total)} × {shorten(self._multiplier)} ="
        with Vertical(classes="-question"):
            with Horizontal():
                yield Static(factors, classes="-factors", markup=False)
                yield NumberField(key="answer")
            yield Static("", id="step", markup=False)
            yield KeyBar(ShownKey("Enter", "answer", "enter"))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        answer = read_product(event.value)
        if answer is None:
            self._say(f"{self._helped} Type the product in digits.".strip())
            return
        number = _NOT_KNOWN if self._steps > 1 else answer
        product = Product(self._total, self._multiplier, number)
        seconds = self._clock() - self._began
        self._table.add_answer(product, seconds, hinted=self._steps > 0)
        self.dismiss(answer)

    def action_help_me(self) -> None:
        """Show a first step; asked again, the product."""
        self._steps += 1
        self._helped = f"It is {shorten(self._total * self._multiplier)}."
        if self._steps == 1:
            self._helped = product_hints(self._total, self._multiplier)[0]
        self._say(self._helped)

    def _say(self, text: str) -> None:
        self.query_one("#step", Static).update(text)


class AskForText(ModalScreen[str | None]):
    """Asks for a text until it is accepted; None where it is left."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", "leave"),
        Binding("f1", "app.help", "help"),
    ]

    def __init__(
        self, question: str, label: str, accept: Callable[[str], str], example: str = ""
    ) -> None:
        """Ask a question; ``accept`` returns the answer, or raises why it is none.

        ``label`` says what Enter does.
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
    """The link of a match, until somebody has followed it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("c", "copy", "copy the link"),
        Binding("escape", "dismiss", "to the table"),
        Binding("enter", "dismiss", show=False),
        Binding("question_mark,f1", "app.help", "help", key_display="?"),
    ]

    def __init__(self, link: str, qr: str, is_open: Callable[[], bool]) -> None:
        """Show a link, and as a QR code, if it has one and there is room.

        ``is_open`` says whether somebody is still waited for.
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
        """Leave a QR code out that would not be seen whole."""
        room, needed = self.app.size, self._qr_size
        fits = needed.width + 4 <= room.width and needed.height + 7 <= room.height
        self._qr.display = fits and needed.height > 0
        self._note.display = not needed.height or fits

    def follow(self) -> None:
        """Close once somebody has come, unless something else is open above."""
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
    """Ask a question; a worker waits for the answer.

    Escape answers with the default, unless something else commits to nothing.
    """
    escape = default if escape is None else escape
    return await app.push_screen_wait(YesOrNo(question, default=default, escape=escape))


async def answer_question(
    app: App[object],
    table: Table,
    move: Move,
    question: object,
    clock: Callable[[], float],
) -> Ask | None:
    """Return a move with the table's question answered; None if it is not meant."""
    match question:
        case ProductQuestion():
            answer = await app.push_screen_wait(AskForProduct(table, question, clock))
            return None if answer is None else replace(move, answer=answer)
        case LossQuestion():
            warning = question_words(table.session, question, viewer_of(table.seats))
            if await confirm(app, warning, default=False):
                return replace(move, accepts_loss=True, despite_coach=True)
        case SlipQuestion(give_backs=left):
            warning = question_words(table.session, question, viewer_of(table.seats))
            if await confirm(app, f"{warning} {ask_back(left)}", default=True):
                return GiveBack(move.multiplier)
            return replace(move, despite_coach=True)
    return None
