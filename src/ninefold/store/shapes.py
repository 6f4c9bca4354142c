"""The JSON of everything that is stored: one shape for each kind of line.

``docs/store.md`` describes every key. The file of ``ninefold.store.sqlite`` holds
set-ups and commands in the same shapes.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Literal, NoReturn, Self, TypeAlias

from msgspec import Meta, Struct

from ninefold.errors import MatchError, RecordError
from ninefold.game import Seat
from ninefold.match import Count, Length, Starts
from ninefold.notation.shapes import Number, RulesShape, json_number
from ninefold.session import Setup
from ninefold.store.command_shapes import CommandShape, LessonsShape, shape_of
from ninefold.store.learned import ProductAnswer, PuzzleTry
from ninefold.store.values import KeptMatch, Logged

VERSION = 2
MOST_SECONDS = 1_000_000

Time: TypeAlias = Annotated[
    datetime, Meta(tz=True, title="a time such as 2026-01-31T09:30:00Z")
]
Seconds: TypeAlias = Annotated[
    float,
    Meta(ge=0, le=MOST_SECONDS, title=f"a number from 0 to {MOST_SECONDS:,}"),
]


def refuse(place: str, problem: str) -> NoReturn:
    """Refuse what stands at a place."""
    raise RecordError(place, problem) from None


def utc(time: datetime, place: str) -> datetime:
    """Return a time in UTC; refuse one that the calendar does not hold there."""
    try:
        return time.astimezone(UTC)
    except OverflowError:
        refuse(place, "expected a time within the calendar")


class LoggedShape(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A command of the log, and when it was accepted."""

    at: Time
    command: CommandShape
    request: str = ""


class LengthShape(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How long a match is: one of these keys."""

    best_of: int | None = None
    first_to: int | None = None
    games: int | None = None

    @classmethod
    def of(cls, length: Length) -> Self:
        """Make the shape of a length."""
        return cls(**{length.count.name.lower(): length.number})

    def length(self, place: str) -> Length:
        """Make the length; a ``RecordError`` names the place."""
        given = {
            Count.BEST_OF: self.best_of,
            Count.FIRST_TO: self.first_to,
            Count.GAMES: self.games,
        }
        found = [(count, number) for count, number in given.items() if number]
        if len(found) != 1:
            problem = "expected one of best_of, first_to and games, 1 or more"
            refuse(place, problem)
        ((count, number),) = found
        try:
            return Length(count, number)
        except MatchError as error:
            refuse(place, str(error))


class SetupShape(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The agreement before a match."""

    book: str
    book_text: str | None
    rules: RulesShape
    length: LengthShape
    starts: Starts
    first: Seat
    first_tossed: bool
    names: tuple[str, str]
    levels: tuple[str | None, str | None]
    seed: Number
    lessons: LessonsShape
    all_seated: bool = True

    @classmethod
    def of(cls, setup: Setup) -> Self:
        """Make the shape of a set-up."""
        return cls(
            book=setup.book,
            book_text=setup.book_text,
            rules=RulesShape.of(setup.rules),
            length=LengthShape.of(setup.length),
            starts=setup.starts,
            first=setup.first,
            first_tossed=setup.first_tossed,
            names=setup.names,
            levels=setup.levels,
            seed=json_number(setup.seed or 0),
            lessons=LessonsShape.of(setup.lessons),
            all_seated=setup.all_seated,
        )

    def setup(self, place: str) -> Setup:
        """Make the set-up; a ``RecordError`` names the key, behind this place."""
        return Setup(
            rules=self.rules.rules(f"{place}.rules"),
            length=self.length.length(f"{place}.length"),
            starts=self.starts,
            first=self.first,
            first_tossed=self.first_tossed,
            names=self.names,
            levels=self.levels,
            book=self.book,
            book_text=self.book_text,
            seed=int(self.seed),
            lessons=self.lessons.lessons(),
            all_seated=self.all_seated,
        )


class MatchLine(Struct, frozen=True, forbid_unknown_fields=True):
    """A match: the agreement, and every command since."""

    ninefold: Literal[2]
    kind: Literal["match"]
    id: str
    begun_at: Time
    changed_at: Time
    set_aside_at: Time | None
    setup: SetupShape
    log: tuple[LoggedShape, ...]

    @classmethod
    def of(cls, kept: KeptMatch) -> Self:
        """Make the line of a match."""
        return cls(
            ninefold=2,
            kind="match",
            id=kept.id,
            begun_at=kept.begun_at,
            changed_at=kept.changed_at,
            set_aside_at=kept.set_aside_at,
            setup=SetupShape.of(kept.setup),
            log=tuple(
                LoggedShape(logged.at, shape_of(logged.command), logged.request)
                for logged in kept.log
            ),
        )

    def match(self) -> KeptMatch:
        """Make the match; a ``RecordError`` names the key."""
        aside = self.set_aside_at
        return KeptMatch(
            id=self.id,
            setup=self.setup.setup("setup"),
            log=tuple(
                Logged(
                    number,
                    logged.command.command(),
                    utc(logged.at, f"log[{number - 1}].at"),
                    logged.request,
                )
                for number, logged in enumerate(self.log, start=1)
            ),
            begun_at=utc(self.begun_at, "begun_at"),
            changed_at=utc(self.changed_at, "changed_at"),
            set_aside_at=None if aside is None else utc(aside, "set_aside_at"),
        )


class AnswerLine(Struct, frozen=True, forbid_unknown_fields=True):
    """A product that a learner worked out."""

    ninefold: Literal[2]
    kind: Literal["answer"]
    id: str
    at: Time
    learner: str
    a: Number
    b: Number
    answer: Number
    seconds: Seconds | None
    hinted: bool
    surface: str

    @classmethod
    def of(cls, given: ProductAnswer) -> Self:
        """Make the line of an answer."""
        return cls(
            ninefold=2,
            kind="answer",
            id=given.id,
            at=given.at,
            learner=given.learner,
            a=json_number(given.a),
            b=json_number(given.b),
            answer=json_number(given.answer),
            seconds=given.seconds,
            hinted=given.hinted,
            surface=given.surface,
        )

    def product_answer(self) -> ProductAnswer:
        """Make the answer."""
        return ProductAnswer(
            id=self.id,
            a=int(self.a),
            b=int(self.b),
            answer=int(self.answer),
            at=utc(self.at, "at"),
            learner=self.learner,
            seconds=self.seconds,
            hinted=self.hinted,
            surface=self.surface,
        )


class AttemptLine(Struct, frozen=True, forbid_unknown_fields=True):
    """A try at a puzzle."""

    ninefold: Literal[2]
    kind: Literal["attempt"]
    id: str
    at: Time
    learner: str
    puzzle: str
    multiplier: Number
    right: bool
    seconds: Seconds | None
    hinted: bool
    surface: str

    @classmethod
    def of(cls, made: PuzzleTry) -> Self:
        """Make the line of a try."""
        return cls(
            ninefold=2,
            kind="attempt",
            id=made.id,
            at=made.at,
            learner=made.learner,
            puzzle=made.puzzle,
            multiplier=json_number(made.multiplier),
            right=made.right,
            seconds=made.seconds,
            hinted=made.hinted,
            surface=made.surface,
        )

    def puzzle_try(self) -> PuzzleTry:
        """Make the try."""
        return PuzzleTry(
            id=self.id,
            puzzle=self.puzzle,
            multiplier=int(self.multiplier),
            right=self.right,
            at=utc(self.at, "at"),
            learner=self.learner,
            seconds=self.seconds,
            hinted=self.hinted,
            surface=self.surface,
        )
