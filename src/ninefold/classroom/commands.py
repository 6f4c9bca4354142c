"""The commands of a class: who joins, who plays whom, and what the class is asked.

The log of a class consists of them. A command holds the decision, such as who is
paired with whom, and nothing that follows from it, so that a log can be replayed. In
JSON, the key ``do`` names the type of a command.
"""

from __future__ import annotations

from functools import cached_property
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from ninefold.errors import ClassError
from ninefold.game import Game
from ninefold.rules import Rules, Verdict
from ninefold.session import Proposal
from ninefold.theory import Position

MOST_PUPILS = 250
MOST_MINUTES = 90
MOVER, OTHER = "mover", "other"
"""The answers to "Who wins from here?": the player whose turn it is, or the other."""


class _Command(
    Struct, frozen=True, tag_field="do", forbid_unknown_fields=True, omit_defaults=True
):
    pass


class Table(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A table of a round: its match, and who plays it."""

    number: int
    """The number that people see; tables opened later in a round continue the count."""
    match: str
    """The id of the match."""
    pupils: tuple[int, ...]
    """The pupil in each seat; one pupil plays a level, or is two who share a device."""
    level: str | None = None


class Question(
    Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, dict=True
):  # dict: caches
    """A question to the class about a position."""

    asks: Literal["winner", "move"]
    """"Who wins from here?" or "Which move?"."""
    book: str
    """The rule book's key."""
    rules: Rules
    moves: tuple[int, ...] = ()
    """The moves from the start of the rules to the position."""
    typed: int | None = None
    """The total of a position to which no moves are known."""
    told: str = ""
    """How a vote of the class was played on to the position."""

    @cached_property
    def position(self) -> Game | Position:
        """The position: a game up to it, or a total without moves."""
        if self.typed is not None:
            return Position(self.rules, self.typed)
        return Game.replay(self.rules, self.moves)

    def after(self, multiplier: int) -> Question:
        """Return the same question about the position after a move."""
        if self.typed is not None:
            return replace(self, typed=self.rules.after(self.typed, multiplier))
        return replace(self, moves=(*self.moves, multiplier))

    @property
    def verdict(self) -> Verdict | None:
        """How the last move ended the game, or None."""
        return self.rules.verdict(self.position.total)

    @property
    def choices(self) -> tuple[str, ...]:
        """The possible answers; none once the game is over."""
        if self.verdict is not None:
            return ()
        if self.asks == "winner":
            return MOVER, OTHER
        return tuple(map(str, self.rules.multipliers))

    def check(self) -> None:
        """Raise ``ClassError`` if nobody is to move, unless a vote ended the game."""
        if self.verdict is not None and not self.told:
            message = "the game is over at this position; go back a move, then ask"
            raise ClassError(message)


class Door(_Command, frozen=True, tag="door"):
    """The door opens or closes to newcomers, who type this code."""

    code: str
    is_open: bool


class Roster(_Command, frozen=True, tag="roster"):
    """The names to choose from, a line each; pairs of names that must not meet."""

    names: tuple[tuple[str, ...], ...]
    apart: tuple[tuple[str, str], ...] = ()


class Join(_Command, frozen=True, tag="join"):
    """A pupil, or two who share a device, joins; after the first round they knock."""

    pupil: int
    """The next number, from 1."""
    names: tuple[str, ...]
    """One name or two."""
    is_duel: bool = False
    """Whether the two play each other on their device, not others as one."""


class LetIn(_Command, frozen=True, tag="let-in"):
    """A device that knocks is let in."""

    pupil: int


class Return(_Command, frozen=True, tag="return"):
    """A pupil comes back with another device, which knocks unless the pupil had left.

    Once it is let in, the earlier device plays no more.
    """

    pupil: int
    device: int
    """The next number of a device of this pupil."""


class Leave(_Command, frozen=True, tag="leave"):
    """A pupil leaves, or is sent back to choose another name."""

    pupil: int
    is_sent_back: bool = False


class Rename(_Command, frozen=True, tag="rename"):
    """A pupil gets other names."""

    pupil: int
    names: tuple[str, ...]


class Apart(_Command, frozen=True, tag="apart"):
    """Two pupils must not meet at a table, or may again."""

    pupils: tuple[int, int]
    is_on: bool = True


class StartRound(_Command, frozen=True, tag="start-round"):
    """A round starts at these tables."""

    proposal: Proposal
    """The game of every table, without names."""
    minutes: int
    tables: tuple[Table, ...]


class OpenTable(_Command, frozen=True, tag="open-table"):
    """Pupils move to a table of their own; the partners they leave behind wait."""

    table: Table


class Pause(_Command, frozen=True, tag="pause"):
    """The round pauses or goes on."""

    is_on: bool


class EndRound(_Command, frozen=True, tag="end-round"):
    """The round ends; unfinished games stay unfinished."""


class Ask(_Command, frozen=True, tag="ask"):
    """The class is asked a question, in place of the one before."""

    question: Question | None
    """None takes the question away."""


class Answer(_Command, frozen=True, tag="answer"):
    """A pupil answers the question, or changes the answer."""

    pupil: int
    answer: str


class Reveal(_Command, frozen=True, tag="reveal"):
    """The answers of the class are shown; the second time, the truth."""


class Bands(_Command, frozen=True, tag="bands"):
    """Hints, reasons and reviews are open to the pupils, or closed again."""

    are_open: bool


class Close(_Command, frozen=True, tag="close"):
    """The class is over; its results stay for the teacher."""


Command = (
    Door
    | Roster
    | Join
    | LetIn
    | Return
    | Leave
    | Rename
    | Apart
    | StartRound
    | OpenTable
    | Pause
    | EndRound
    | Ask
    | Answer
    | Reveal
    | Bands
    | Close
)
