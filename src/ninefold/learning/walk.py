"""A walk: what is said, asked and played one after another, and what comes of entries.

A *course* says which parts follow each other: a round of practice, a puzzle, a step of
the path, a claim. A ``Walk`` leads one learner through it. A surface shows the state,
passes on what is typed and which games were played, and stores the answers.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Self

from msgspec import Struct

from ninefold.errors import PuzzleError
from ninefold.game import Game, Seat
from ninefold.learning.items import Item
from ninefold.rules import Rules

LEARNER = Seat.ONE
"""The seat of the learner in a game of a walk."""
HELP = ("?", "help", "hint")
SKIP = "skip"
_DONE = "done"
_TRY_FIRST = "Try it first; then there is more help."
_NO_HINT = "There is no hint here. Try it!"
_OFFER = "Help gives you a step."
_FAILED_OFTEN = 3
"""Wrong answers to one item, from which on help is offered."""


class Play(Struct, frozen=True):
    """A game to be played against a level; the learner has seat 1."""

    rules: Rules
    first: Seat = LEARNER
    level: str = "perfect"
    opening: tuple[int, ...] = ()
    """The first moves, which are made already."""
    caption: str = ""
    """Which game it is, of several."""


Part = str | Item | Play
"""Something to say, to ask or to play."""
Result = str | Game | None
"""The answer that was given at last, or the game that was played."""
Course = Generator[Part, Result, bool]
"""Yields what to say, to ask or to play, and is sent what came of it.

It returns whether everything was answered right.
"""


class Response(Struct, frozen=True):
    """What comes of something that was typed at an item."""

    item: Item
    text: str
    """Help, a reason, or what to type instead."""
    right: bool | None = None
    """None where it was no answer."""
    given: str = ""
    """The answer as it is stored."""
    hinted: bool = False
    """Whether help was used before."""


class WalkState(Struct, frozen=True, kw_only=True):
    """Where a walk stands: what came of the last entry, and what is wanted next."""

    entered: Response | None = None
    """What came of what was typed; None at the start, after skipping, after a game."""
    is_past: bool = False
    """Whether that ended its item."""
    answers: tuple[Response, ...] = ()
    """What is to be stored: the first answer to an item, and that the goal is met."""
    said: tuple[str, ...] = ()
    """What the course says now, before it asks or plays."""
    item: Item | None = None
    """What is asked now."""
    number: int = 0
    """Which item it is, from 1."""
    play: Play | None = None
    """The game that is to be played now."""
    is_done: bool = False
    """Whether the walk is over, and everything was right."""
    closing: str = ""
    """Whether the goal is met, in a sentence; empty before the end and without one."""

    @property
    def is_over(self) -> bool:
        return self.item is None and self.play is None


class _Attempt(Struct):
    """What a learner did at the current item."""

    given: str = ""
    hints: int = 0
    failed: int = 0
    has_tried: bool = True
    """Whether anything was tried since the last step of help."""


class Walk:
    """Leads through a course. The first answer to each item counts."""

    def __init__(
        self,
        course: Course,
        *,
        tries: int | None = None,
        goal: Item | None = None,
        count: int = 0,
    ) -> None:
        """Start; after so many ``tries`` at an item its answer is told.

        ``goal`` is answered by walking to the end, and ``count`` is how many items
        there are, if that is known.
        """
        self.count = count
        self.said: tuple[str, ...] = ()
        """What the course said last; it stands until the course says something else."""
        self.won = 0
        """How many games were won in a row."""
        self._course, self._tries, self._goal = course, tries, goal
        self._asked, self._attempt = 0, _Attempt()
        self.state = self._continue(None)

    @classmethod
    def of(cls, items: Sequence[Item]) -> Self:
        """Return a walk that asks each of some items once."""
        return cls(_ask_each(items), count=len(items))

    def enter(self, typed: str) -> WalkState:
        """Take what was typed: an answer, or a word that asks for help or skips."""
        word = typed.strip().lower()
        if word in HELP:
            return self.help()
        return self.skip() if word == SKIP else self.answer(typed)

    def answer(self, typed: str) -> WalkState:
        """Take an answer; a right one, or one that is told, continues."""
        item = self._current_item()
        given = item.read_answer(typed)
        if given is None:
            return self._stay(Response(item, item.input_hint))
        judged, attempt = item.judge(given), self._attempt
        is_told, text = item.tells, judged.reason
        if attempt.failed:
            text = judged.measured or text
        attempt.failed += not judged.right
        if attempt.failed == self._tries and not is_told:
            is_told, text = True, f"{text} {item.hints[-1]}"
        is_stuck = attempt.failed >= _FAILED_OFTEN and not judged.right
        if is_stuck and not is_told and attempt.hints < len(item.hints):
            text = f"{text} {_OFFER}"
        response = Response(item, text, judged.right, given, attempt.hints > 0)
        answers = () if attempt.given else (response,)
        attempt.given, attempt.has_tried = given, True
        if judged.right or is_told:
            return self._continue(given, response, answers)
        return self._stay(response, answers)

    def help(self) -> WalkState:
        """Give the next step of help, after a try; the last one is given again."""
        item, attempt = self._current_item(), self._attempt
        if not item.hints:
            return self._stay(Response(item, _NO_HINT))
        if not attempt.has_tried:
            return self._stay(Response(item, _TRY_FIRST))
        step = item.hints[min(attempt.hints, len(item.hints) - 1)]
        attempt.hints += 1
        attempt.has_tried = False
        return self._stay(Response(item, step))

    def skip(self) -> WalkState:
        """Leave the item out."""
        self._current_item()
        return self._continue(self._attempt.given or None)

    def played(self, game: Game) -> WalkState:
        """Take the game that was wanted, once it is over."""
        self.won = self.won + 1 if is_won(game) else 0
        return self._continue(game)

    def _current_item(self) -> Item:
        if self.state.item is None:
            message = "this is over; begin it again"
            raise PuzzleError(message)
        return self.state.item

    def _stay(
        self, response: Response, answers: tuple[Response, ...] = ()
    ) -> WalkState:
        item = self.state.item
        self.state = WalkState(
            entered=response, answers=answers, item=item, number=self._asked
        )
        return self.state

    def _continue(
        self,
        result: Result,
        entered: Response | None = None,
        answers: tuple[Response, ...] = (),
    ) -> WalkState:
        """Send a result to the course, up to what it asks or plays next."""
        said: list[str] = []
        part: Part | None = ""
        is_done, closing = False, ""
        while isinstance(part, str):
            try:
                part = self._course.send(result)
            except StopIteration as end:
                part, is_done = None, bool(end.value)
            if isinstance(part, str):
                said.append(part)
            result = None
        if part is None and self._goal is not None:
            met = _DONE if is_done else ""
            judged = self._goal.judge(met)
            closing = judged.reason
            goal = Response(self._goal, closing, judged.right, met)
            answers += (goal,) if judged.right else ()
        self.said = tuple(said) or self.said
        self._asked += isinstance(part, Item)
        self._attempt = _Attempt()
        self.state = WalkState(
            entered=entered,
            is_past=entered is not None,
            answers=answers,
            said=tuple(said),
            item=part if isinstance(part, Item) else None,
            number=self._asked,
            play=part if isinstance(part, Play) else None,
            is_done=is_done,
            closing=closing,
        )
        return self.state


def is_won(result: Result) -> bool:
    """Whether the learner won a game."""
    outcome = result.outcome if isinstance(result, Game) else None
    return outcome is not None and outcome.winner is LEARNER


def _ask_each(items: Sequence[Item]) -> Course:
    yield from (item for item in items)
    return True
