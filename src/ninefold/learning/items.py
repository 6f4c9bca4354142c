"""An item: something that is asked, what counts as an answer, help, and a check.

Everything that people practise is an item: a product, a puzzle, a check of the path. A
surface has one screen for all of them. An item is known by its key, from which
``read_item`` makes it again.
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
    """What an answer looks like."""

    NUMBER = "number"
    CHOICE = "choice"
    """One of the item's choices, in words."""
    BAND = "band"
    """Two numbers, the least and the greatest: ``6 to 11``; or one alone."""


class Judged(Struct, frozen=True):
    """What an answer is worth, and the reason in a sentence."""

    right: bool
    reason: str
    measured: str = ""
    """The reason for somebody who was wrong before: it says by how much."""


class Item(Struct, frozen=True):
    """Something that is asked."""

    key: str
    text: str
    """The question, in one or two sentences."""
    judge: Callable[[str], Judged]
    """Judges an answer as ``read_answer`` returns it."""
    hints: tuple[str, ...] = ()
    """Help in steps, a try between them; the last one tells the answer."""
    kind: AnswerKind = AnswerKind.NUMBER
    choices: tuple[str, ...] = ()
    """The words, or the only numbers, that are answers; empty for any number."""
    tells: bool = True
    """Whether the reason of a wrong answer tells the right one; else one tries on."""
    target: int | None = None
    """The target of the game in which a band lies, where it can be shaded."""

    @property
    def input_hint(self) -> str:
        """What to type, in a sentence, for somebody who typed something else."""
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
        """Return an answer as it is judged and stored; None if it is none.

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
    """What people were doing when they answered."""

    PLAY = "play"
    DRILL = "drill"
    PUZZLE = "puzzle"
    PATH = "path"


class Answer(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """An answer that was given to an item."""

    item: str
    """Its key: ``45x7``, ``280+35``, ``7x?56-111``, or the record of a puzzle."""
    given: str
    right: bool
    at: Time
    activity: Activity
    seconds: Seconds | None = None
    """How long it took, where that was measured."""
    hinted: bool = False
    """Whether help was used."""
    surface: str = ""
    """Where it was given: ``classic``, ``app``, ``page``."""

    @property
    def known(self) -> bool:
        """Whether it is right, and no help was used."""
        return self.right and not self.hinted
