"""An item: a question, what counts as an answer, help, and a check.

Everything that people practise is an item: a product, a puzzle, a question of the path.
A surface has one screen for all of them. ``read_item`` rebuilds an item of practice
from its key.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from ninefold.learning.product_slips import read_product
from ninefold.notation.codec import Time
from ninefold.text import BLANKS, format_set

MOST_SECONDS = 1_000_000
Seconds: TypeAlias = Annotated[
    float, Meta(ge=0, le=MOST_SECONDS, title=f"a number from 0 to {MOST_SECONDS:,}")
]


class AnswerKind(Enum):
    """The form of an answer."""

    NUMBER = "number"
    CHOICE = "choice"
    """One of the item's choices."""
    BAND = "band"
    """The lowest and the highest number of a band: ``6 to 11``; or its only one."""


class Judged(Struct, frozen=True):
    """The verdict on an answer, and the reason in a sentence."""

    right: bool
    reason: str
    measured: str = ""
    """A more precise reason, from the second wrong answer on: it says by how much."""


class Item(Struct, frozen=True):
    """A question to be answered."""

    key: str
    text: str
    """The question, in one or two sentences."""
    judge: Callable[[str], Judged]
    """Judges an answer in the form that ``read_answer`` returns."""
    hints: tuple[str, ...] = ()
    """Help in steps, with a try in between; the last one reveals the answer."""
    kind: AnswerKind = AnswerKind.NUMBER
    choices: tuple[str, ...] = ()
    """The possible answers, words or numbers; empty for any number."""
    tells: bool = True
    """Whether a wrong answer ends the item: its reason reveals the right one."""
    target: int | None = None
    """The target of the game of a band, for a number line on which to shade it."""

    @property
    def input_hint(self) -> str:
        """What to type, in a sentence."""
        match self.kind:
            case AnswerKind.NUMBER if self.choices:
                return f"Type one of {format_set([*map(int, self.choices)])}."
            case AnswerKind.NUMBER:
                return "Type a whole number, such as 56."
            case AnswerKind.BAND:
                return "Type two numbers, such as 20 to 39."
            case AnswerKind.CHOICE:
                return f"Type {' or '.join(self.choices)}."

    def read_answer(self, typed: str) -> str | None:
        """Return an answer in canonical form; None if the text is not an answer.

        >>> item = Item("", "", lambda _: Judged(True, ""), kind=AnswerKind.BAND)
        >>> [item.read_answer(typed) for typed in ("56 - 1,111", "9 to 5", "6 11", "5")]
        ['56 to 1111', '5 to 9', '6 to 11', '5 to 5']
        """
        text = typed.strip(BLANKS)
        if self.kind is AnswerKind.CHOICE:
            if text in self.choices:
                return text
            chosen = [each for each in self.choices if each.startswith(text.lower())]
            return chosen[0] if text and len(chosen) == 1 else None
        if self.kind is AnswerKind.NUMBER:
            number = read_product(text.lstrip("×xX*") if self.choices else text)
            is_other = self.choices and str(number) not in self.choices
            return None if number is None or is_other else str(number)
        match [*map(read_product, re.split(r"\s*(?:-|to)\s*|\s+", text))]:
            case [int(one), int(other)]:
                return f"{min(one, other)} to {max(one, other)}"
            case [int(alone)]:
                return f"{alone} to {alone}"
        return None


class Activity(Enum):
    """Where in ninefold an answer was given."""

    PLAY = "play"
    DRILL = "drill"
    PUZZLE = "puzzle"
    PATH = "path"


class Answer(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """An answer to an item, as it is stored."""

    item: str
    """Its key: ``45x7``, ``280+35``, ``7x?56-111``, or the record of a puzzle."""
    given: str
    right: bool
    at: Time
    activity: Activity
    seconds: Seconds | None = None
    """How long it took, if measured."""
    hinted: bool = False
    """Whether help was used."""
    surface: str = ""
    """The surface it was given on: ``classic``, ``app`` or ``page``."""

    @property
    def known(self) -> bool:
        """Whether it is right without help."""
        return self.right and not self.hinted
