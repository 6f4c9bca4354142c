"""What every store promises. ``tests/store/test_contract.py`` holds each one to it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator
from datetime import datetime
from typing import Self

from msgspec import Struct

from ninefold.store.learned import ProductAnswer, PuzzleTry, Scheduled
from ninefold.store.values import (
    Append,
    Filter,
    GameRow,
    KeptMatch,
    MatchRow,
    OldMatch,
)

__all__ = [
    "EVERY_GAME",
    "Append",
    "Entry",
    "Filter",
    "GameRow",
    "Imported",
    "KeptMatch",
    "MatchRow",
    "OldMatch",
    "ProductAnswer",
    "PuzzleTry",
    "Scheduled",
    "Store",
]

Entry = KeptMatch | OldMatch | ProductAnswer | PuzzleTry
"""One thing that is stored, and one line of an export."""

EVERY_GAME = Filter()
MOST_FOUND = 20
"""How many ids ``find`` returns at most."""


class Imported(Struct, frozen=True):
    """The number of entries of an export, by what became of them."""

    added: int = 0
    continued: int = 0
    """Matches that were here, and are played further in the export."""
    known: int = 0
    """Entries that were here already, as they are or further on."""
    differing: int = 0
    """Matches that went on differently here; they stay as they were here."""
    left_out: int = 0
    """Matches of version 1 that cannot be played any more; a notice names each."""


class Store(ABC):
    """Stores matches as the logs of their commands, and what people learned.

    A change is on disk when its method returns, as a whole or not at all. A refusal
    raises a ``StoreError``, or the session's own error, and changes nothing. Times are
    aware, and come back in UTC.
    """

    def __enter__(self) -> Self:
        """Use it in a ``with`` statement, which closes it."""
        return self

    def __exit__(self, *exception: object) -> None:
        """Close it."""
        self.close()

    @property
    @abstractmethod
    def patience(self) -> float:
        """How many seconds to wait while another program writes."""

    @patience.setter
    @abstractmethod
    def patience(self, seconds: float) -> None: ...

    @abstractmethod
    def close(self) -> None:
        """Let go of everything; using it again opens it again."""

    @abstractmethod
    def take_notices(self) -> tuple[str, ...]:
        """Take the sentences that a person should see: what was found damaged."""

    @abstractmethod
    def try_writing(self) -> None:
        """Write something and take it back, to see whether anything can be written."""

    # Playing

    @abstractmethod
    def new_id(self) -> str:
        """Return an id for a match that is not stored yet."""

    @abstractmethod
    def append(self, *appends: Append) -> None:
        """Add commands to the logs of matches, all of them or none.

        The first append of a match holds its set-up and makes it. A number that is
        taken, or that leaves a gap, raises ``OutOfStep``, which carries the log from
        that number on. A match that was set aside is taken up again.
        """

    @abstractmethod
    def set_aside(self, match_id: str) -> None:
        """Put an unfinished match away: it stays in the history alone."""

    @abstractmethod
    def revisions(self, match_ids: Iterable[str]) -> dict[str, int]:
        """Return the number of the last command of each of them that is there."""

    @property
    @abstractmethod
    def is_shared(self) -> bool:
        """Whether processes tell each other what they change."""

    @abstractmethod
    def announce(self, words: Iterable[str]) -> None:
        """Tell other processes something, such as which matches have gone on."""

    @abstractmethod
    def changes(self) -> AsyncGenerator[frozenset[str] | None, None]:
        """Yield the words that other processes tell, as they do.

        None stands for any: what was told in between is not known.
        """

    @abstractmethod
    def forget(self, before: datetime) -> int:
        """Remove the matches that were last changed before a time; count them."""

    # Resuming

    @abstractmethod
    def match(self, match_id: str) -> KeptMatch:
        """Return a match with its log.

        It raises ``UnknownMatch``, ``DamagedMatch`` where the rules refuse the log, and
        ``BeyondBounds`` for a match of version 1 that cannot be played any more.
        """

    @abstractmethod
    def find(self, beginning: str, *, unfinished: bool = False) -> list[str]:
        """Return the ids that begin so, the last changed first, at most 20."""

    @abstractmethod
    def unfinished(self, limit: int | None = None) -> list[MatchRow]:
        """Return the matches neither over nor set aside, the last changed first."""

    # History

    @abstractmethod
    def history(
        self, wanted: Filter = EVERY_GAME, limit: int | None = None, offset: int = 0
    ) -> list[GameRow]:
        """Return games, the last begun first."""

    @abstractmethod
    def count(self, wanted: Filter = EVERY_GAME) -> int:
        """Return how many games a history would hold."""

    @abstractmethod
    def finished_against_levels(self) -> Iterator[GameRow]:
        """Return the finished games of one person against one level, oldest first.

        Retries are among them; ``is_retry`` tells them.
        """

    # Learning

    @abstractmethod
    def add_answer(
        self,
        a: int,
        b: int,
        answer: int,
        *,
        learner: str,
        seconds: float | None = None,
        hinted: bool = False,
        surface: str = "",
    ) -> ProductAnswer:
        """Store the answer to ``a`` times ``b``, right or wrong."""

    @abstractmethod
    def answers(self, learner: str | None = None) -> list[ProductAnswer]:
        """Return the answers of one learner, or of all, oldest first."""

    @abstractmethod
    def add_attempt(
        self,
        puzzle: str,
        multiplier: int,
        *,
        right: bool,
        learner: str,
        seconds: float | None = None,
        hinted: bool = False,
        surface: str = "",
    ) -> PuzzleTry:
        """Store a try at a puzzle, and schedule the puzzle anew for this learner."""

    @abstractmethod
    def attempts(self, learner: str | None = None) -> list[PuzzleTry]:
        """Return the tries of one learner, or of all, oldest first."""

    @abstractmethod
    def due(
        self, at: datetime | None = None, learner: str | None = None
    ) -> list[Scheduled]:
        """Return the puzzles that are due by some time, or now, longest due first."""

    @abstractmethod
    def learners(self) -> list[str]:
        """Return who has answered or tried anything, the first to do so first."""

    # Export and import

    @abstractmethod
    def entries(self) -> Iterator[Entry]:
        """Return everything, matches first; a damaged entry makes a notice instead."""

    @abstractmethod
    def take_in(
        self, entries: Iterable[Entry], progress: Callable[[int], None] | None = None
    ) -> Imported:
        """Add entries, all of them or, if one is refused, none.

        A ``RecordError`` refuses an entry that ``play`` would not accept; a match of
        version 1 that it would not accept is left out, with a notice. An entry that
        is here already, by its id, stays. A match whose log begins with the log here
        takes its place. ``progress`` is told how many entries have been taken in.
        """
