"""The JSON of a command, one shape for each, in the log and in an export."""

from __future__ import annotations

from typing import Self, TypeAlias

from msgspec import Struct

from ninefold.game import Seat
from ninefold.notation.shapes import Number, json_number
from ninefold.session import (
    AskRematch,
    AskTakeBack,
    Command,
    DeclineTakeBack,
    GiveBack,
    Lessons,
    Move,
    NextGame,
    Rematch,
    Resign,
    Retry,
    Sit,
    Undo,
    Withdraw,
)


class _Command(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    pass


class LessonsShape(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a person learns by while playing."""

    coach: bool
    give_backs: int
    mental: bool
    hints: bool = True

    @classmethod
    def of(cls, lessons: Lessons) -> Self:
        """Make the shape of lessons."""
        return cls(lessons.coach, lessons.give_backs, lessons.mental, lessons.hints)

    def lessons(self) -> Lessons:
        """Make the lessons."""
        return Lessons(self.coach, self.give_backs, self.mental, self.hints)


class SitShape(_Command, frozen=True, tag="sit", omit_defaults=True):
    """A person takes a seat."""

    seat: Seat
    name: str
    lessons: LessonsShape | None = None

    def command(self) -> Sit:
        """Make the command."""
        lessons = None if self.lessons is None else self.lessons.lessons()
        return Sit(self.seat, self.name, lessons)


class MoveShape(_Command, frozen=True, tag="move", omit_defaults=True):
    """The seat to move plays a multiplier."""

    multiplier: Number
    answer: Number | None = None
    accepts_loss: bool = False
    despite_coach: bool = False

    def command(self) -> Move:
        """Make the command."""
        answer = None if self.answer is None else int(self.answer)
        return Move(int(self.multiplier), answer, self.accepts_loss, self.despite_coach)


class GiveBackShape(_Command, frozen=True, tag="give-back"):
    """The coach gives a move back before it counts."""

    multiplier: Number

    def command(self) -> GiveBack:
        """Make the command."""
        return GiveBack(int(self.multiplier))


class UndoShape(_Command, frozen=True, tag="undo"):
    """Moves are taken back until a person is to move, or the seat that asked for it."""

    def command(self) -> Undo:
        """Make the command."""
        return Undo()


class AskTakeBackShape(_Command, frozen=True, tag="ask-take-back"):
    """A seat asks the other for its last move back."""

    seat: Seat

    def command(self) -> AskTakeBack:
        """Make the command."""
        return AskTakeBack(self.seat)


class DeclineTakeBackShape(_Command, frozen=True, tag="decline-take-back"):
    """The move that was asked for stays."""

    def command(self) -> DeclineTakeBack:
        """Make the command."""
        return DeclineTakeBack()


class ResignShape(_Command, frozen=True, tag="resign"):
    """A seat gives the game up."""

    seat: Seat

    def command(self) -> Resign:
        """Make the command."""
        return Resign(self.seat)


class NextGameShape(_Command, frozen=True, tag="next-game"):
    """The next game of the match begins."""

    first: Seat

    def command(self) -> NextGame:
        """Make the command."""
        return NextGame(self.first)


class WithdrawShape(_Command, frozen=True, tag="withdraw"):
    """A seat withdraws what it asked the other for."""

    seat: Seat

    def command(self) -> Withdraw:
        """Make the command."""
        return Withdraw(self.seat)


class AskRematchShape(_Command, frozen=True, tag="ask-rematch"):
    """A seat asks the other for another match of the same kind."""

    seat: Seat

    def command(self) -> AskRematch:
        """Make the command."""
        return AskRematch(self.seat)


class RematchShape(_Command, frozen=True, tag="rematch"):
    """Another match of the same kind begins."""

    first: Seat

    def command(self) -> Rematch:
        """Make the command."""
        return Rematch(self.first)


class RetryShape(_Command, frozen=True, tag="retry"):
    """A game begins again from some of its moves, as a match of its own."""

    moves: tuple[Number, ...]

    def command(self) -> Retry:
        """Make the command."""
        return Retry(tuple(map(int, self.moves)))


CommandShape: TypeAlias = (
    SitShape
    | MoveShape
    | GiveBackShape
    | UndoShape
    | AskTakeBackShape
    | DeclineTakeBackShape
    | ResignShape
    | NextGameShape
    | AskRematchShape
    | WithdrawShape
    | RematchShape
    | RetryShape
)


def shape_of(  # noqa: C901, PLR0911 - one for each command
    command: Command,
) -> CommandShape:
    """Make the shape of a command."""
    match command:
        case Sit(seat=seat, name=name, lessons=lessons):
            wanted = None if lessons is None else LessonsShape.of(lessons)
            return SitShape(seat, name, wanted)
        case Move(multiplier=multiplier, answer=answer):
            return MoveShape(
                json_number(multiplier),
                None if answer is None else json_number(answer),
                command.accepts_loss,
                command.despite_coach,
            )
        case GiveBack(multiplier=multiplier):
            return GiveBackShape(json_number(multiplier or 0))
        case Undo():
            return UndoShape()
        case AskTakeBack(seat=seat):
            return AskTakeBackShape(seat)
        case DeclineTakeBack():
            return DeclineTakeBackShape()
        case Resign(seat=seat):
            return ResignShape(seat)
        case NextGame(first=first):
            return NextGameShape(first)
        case AskRematch(seat=seat):
            return AskRematchShape(seat)
        case Withdraw(seat=seat):
            return WithdrawShape(seat)
        case Rematch(first=first):
            return RematchShape(first)
    return RetryShape(tuple(map(json_number, command.moves)))
