"""The members of a class: its pupils, the round being played, the poll."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Self

from msgspec import Struct

from ninefold.classroom.commands import Question, Table
from ninefold.classroom.names import join_names
from ninefold.session import Proposal

_BAR, _TRUTH = 1, 2


class Pupil(Struct, frozen=True):
    """A pupil, or two who share a device and play as one."""

    number: int
    names: tuple[str, ...]
    device: int = 0
    """The number of the device that plays for this pupil; 0 for none yet."""
    knock: int = 0
    """The number of a device that waits to be let in, or 0."""
    devices: int = 1
    """The number of the latest device, let in or not. No number is given twice."""
    is_duel: bool = False
    """Whether the two play each other on their device."""
    has_left: bool = False
    is_sent_back: bool = False
    """Whether the teacher asked for another name."""
    alone: int = 0
    """The number of rounds that started without a partner for this pupil."""
    met: tuple[int, ...] = ()
    """The partners so far, as often as they met."""

    @property
    def name(self) -> str:
        """The name at a table."""
        return join_names(self.names)

    @property
    def is_here(self) -> bool:
        """Whether the pupil takes part: let in, and not gone."""
        return self.device > 0 and not self.has_left

    @property
    def has_name(self) -> bool:
        """Whether the names are in use: the pupil is here, or knocks."""
        return self.knock > 0 or not self.has_left


class Round(Struct, frozen=True):
    """A round: its game, its time, its tables."""

    number: int
    proposal: Proposal
    minutes: int
    started_at: datetime
    tables: tuple[Table, ...]
    """The tables being played, by number."""
    opened: int
    """The number of tables opened so far."""
    paused_at: datetime | None = None
    pauses: timedelta = timedelta()
    """The length of the pauses that are over."""

    @property
    def ends_at(self) -> datetime | None:
        """When its minutes are over; None while it is paused."""
        return self._end if self.paused_at is None else None

    @property
    def _end(self) -> datetime:
        """When its minutes are over, if the current pause ended at once."""
        return self.started_at + timedelta(minutes=self.minutes) + self.pauses

    def left(self, now: datetime) -> timedelta:
        """Return the time that is left."""
        return max(self._end - (self.paused_at or now), timedelta())

    def table_of(self, pupil: int) -> Table | None:
        """Return the table at which a pupil sits, or None."""
        return next((each for each in self.tables if pupil in each.pupils), None)


class Poll(Struct, frozen=True):
    """A question, the answers so far, and how much of it is shown."""

    question: Question
    answers: dict[int, str] = {}
    """The answer of each pupil who has given one."""
    step: int = 0
    """1 once the answers are shown, 2 once the truth is."""

    @classmethod
    def of(cls, question: Question) -> Self:
        """Return a new poll; where a vote ended the game, nothing is left to reveal.

        Raise ``ClassError`` for a question about a finished game.
        """
        question.check()
        return cls(question, step=_TRUTH if question.verdict is not None else 0)

    @property
    def shows_answers(self) -> bool:
        """Whether the answers of the class are shown; then they are final."""
        return self.step >= _BAR

    @property
    def shows_truth(self) -> bool:
        return self.step >= _TRUTH

    def counts(self) -> dict[str, int]:
        """Return how many gave each answer."""
        given = list(self.answers.values())
        return {choice: given.count(choice) for choice in self.question.choices}
