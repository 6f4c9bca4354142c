"""A walk: messages, items and games in order, and the results of what was entered.

A *course* defines the order: a round of practice, a puzzle, a step of the path, a
claim. A ``Walk`` leads one learner through it. A surface shows its state, passes on
entries and finished games, and stores the answers.
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
_TRY_FIRST = "Have a try first. Then you can get more help."
_NO_HINT = "There is no hint here. Try it!"
_OFFER = "Help gives you a step."
_FAILED_OFTEN = 3
"""The number of wrong answers to one item from which on help is offered."""


class Play(Struct, frozen=True):
    """A game to be played against a level; the learner has seat 1."""

    rules: Rules
    first: Seat = LEARNER
    level: str = "perfect"
    opening: tuple[int, ...] = ()
    """The moves already made."""
    caption: str = ""
    """Which of several games this is, for people; "" for a single one."""


Part = str | Item | Play
"""A message to show, an item to ask or a game to play."""
Result = str | Game | None
"""The last answer to an item, or the finished game; None for a message."""
Course = Generator[Part, Result, bool]
"""Yields messages, items and games, and is sent the result of each.

It returns whether everything was answered right.
"""


class Response(Struct, frozen=True):
    """The reply to an entry at an item: help, a verdict, or what to type instead."""

    item: Item
    text: str
    right: bool | None = None
    """Whether the answer was right; None if the entry was not an answer."""
    given: str = ""
    """The answer in canonical form."""
    hinted: bool = False
    """Whether help was used before."""


class WalkState(Struct, frozen=True, kw_only=True):
    """The state of a walk: the reply to the last entry, and what comes next."""

    entered: Response | None = None
    """The reply to the last entry; None at the start and after a skip or a game."""
    is_past: bool = False
    """Whether that entry ended its item."""
    answers: tuple[Response, ...] = ()
    """The answers to store now: the first to an item, and the goal once it is met."""
    said: tuple[str, ...] = ()
    """The new messages of the course, before ``item`` or ``play``."""
    item: Item | None = None
    """The item to answer now."""
    number: int = 0
    """The number of that item, from 1."""
    play: Play | None = None
    """The game to play now."""
    is_done: bool = False
    """Whether the walk is over and everything was answered right."""
    closing: str = ""
    """The message whether the goal is met; empty before the end or without a goal."""

    @property
    def is_over(self) -> bool:
        return self.item is None and self.play is None


class _Attempt(Struct):
    """The learner's attempt at the current item."""

    given: str = ""
    hints: int = 0
    failed: int = 0
    has_tried: bool = True
    """Whether there was an answer since the last step of help."""


class Walk:
    """Leads a learner through a course. The first answer to each item counts."""

    def __init__(
        self,
        course: Course,
        *,
        tries: int | None = None,
        goal: Item | None = None,
        count: int = 0,
    ) -> None:
        """Start the course.

        After ``tries`` wrong answers to an item its answer is revealed. ``goal`` is an
        item that finishing the walk answers. ``count`` is the number of items, 0 if
        unknown.
        """
        self.count = count
        self.said: tuple[str, ...] = ()
        """The latest messages of the course."""
        self.won = 0
        """The number of games won in a row."""
        self._course, self._tries, self._goal = course, tries, goal
        self._asked, self._attempt = 0, _Attempt()
        self.state = self._continue(None)

    @classmethod
    def of(cls, items: Sequence[Item]) -> Self:
        """Return a walk that asks each item once."""
        return cls(_ask_each(items), count=len(items))

    def enter(self, typed: str) -> WalkState:
        """Handle an entry: an answer, or a word that asks for help or skips."""
        word = typed.strip().lower()
        if word in HELP:
            return self.help()
        return self.skip() if word == SKIP else self.answer(typed)

    def answer(self, typed: str) -> WalkState:
        """Judge an answer; continue if it is right, or if the right one is revealed."""
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
        """Show the next step of help, once there was a try; repeat the last step."""
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
        """Continue without an answer to the item."""
        self._current_item()
        return self._continue(self._attempt.given or None)

    def played(self, game: Game) -> WalkState:
        """Continue after the game of ``state.play`` has ended."""
        self.won = self.won + 1 if is_won(game) else 0
        return self._continue(game)

    def _current_item(self) -> Item:
        if self.state.item is None:
            message = "this is over; start it again"
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
        """Send a result to the course, and run it up to its next item or game."""
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
