"""What every store promises. ``tests/store/test_contract.py`` holds each one to it."""

from __future__ import annotations

from abc import ABC, abstractmethod

from ninefold.store.kept import Filter
from ninefold.values import Value, hold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime
    from typing import Self

    from ninefold.game import Game
    from ninefold.store.kept import KeptMatch, PlayedGame, Setup
    from ninefold.store.learned import Answer, Scheduled, Try

    Entry = KeptMatch | Answer | Try
    """One thing that is kept, and one line of an export."""

EVERY_GAME = Filter()


class Imported(Value):
    """What became of the entries of an export."""

    __slots__ = __match_args__ = ("added", "continued", "known", "differing")
    added: int
    continued: int
    """Matches that were here, and are played further in the export."""
    known: int
    """Entries that were here already, as they are or further on."""
    differing: int
    """Matches that went on differently here; they stay as they were here."""

    def __init__(
        self, added: int = 0, continued: int = 0, known: int = 0, differing: int = 0
    ) -> None:
        """Take the four counts."""
        hold(self, "added", added)
        hold(self, "continued", continued)
        hold(self, "known", known)
        hold(self, "differing", differing)


class Store(ABC):
    """Keeps what was played and learned.

    Whatever changes something is on disk when it returns, as a whole or not at all.
    Whatever cannot be done raises a ``StoreError``, or what the engine raises for a
    game that the match refuses, and changes nothing. Times are aware, and come back
    in UTC.
    """

    def __enter__(self) -> Self:
        """Use it in a ``with`` statement, which closes it."""
        return self

    def __exit__(self, *exception: object) -> None:
        """Close it."""
        self.close()

    @abstractmethod
    def close(self) -> None:
        """Let go of everything; using it again opens it again."""

    @abstractmethod
    def take_notices(self) -> tuple[str, ...]:
        """Take the sentences that a person should see: what was found damaged."""

    # Playing

    @abstractmethod
    def begin_match(self, setup: Setup) -> str:
        """Keep what was agreed; return the match's id. A single game is a match."""

    @abstractmethod
    def begin_game(self, match_id: str, number: int, game: Game) -> None:
        """Keep the next game of a match, numbered from 1, moves made or not."""

    @abstractmethod
    def change_game(
        self, match_id: str, number: int, before: Game, after: Game
    ) -> None:
        """Keep a move, an undo or a resignation: a game as it was, and as it is now.

        The game that is kept must be the one before, and the latest of its match;
        otherwise someone else went on with it, and ``OutOfStep`` is raised. A match
        that was set aside is taken up again.
        """

    @abstractmethod
    def set_aside(self, match_id: str) -> None:
        """Put an unfinished match away: it stays in the history alone."""

    # Resuming

    @abstractmethod
    def match(self, match_id: str) -> KeptMatch:
        """Return a match; ``DamagedMatch`` if the rules refuse what is kept of it."""

    @abstractmethod
    def matches(self) -> list[KeptMatch]:
        """Return every match, the first begun first; damaged ones make a notice."""

    @abstractmethod
    def unfinished(self) -> list[KeptMatch]:
        """Return what can be gone on with, the last played first."""

    @abstractmethod
    def latest(self) -> KeptMatch | None:
        """Return the unfinished match that was played last, if there is any."""

    # History

    @abstractmethod
    def history(
        self, wanted: Filter = EVERY_GAME, limit: int | None = None
    ) -> list[PlayedGame]:
        """Return games, the last begun first."""

    # Learning

    @abstractmethod
    def add_answer(self, a: int, b: int, answer: int) -> Answer:
        """Keep the answer to ``a`` times ``b``, right or wrong."""

    @abstractmethod
    def answers(self) -> list[Answer]:
        """Return every answer, oldest first."""

    @abstractmethod
    def add_attempt(self, puzzle: str, multiplier: int, *, right: bool) -> Try:
        """Keep a try at a puzzle, and schedule the puzzle anew."""

    @abstractmethod
    def attempts(self) -> list[Try]:
        """Return every try at a puzzle, oldest first."""

    @abstractmethod
    def due(self, at: datetime | None = None) -> list[Scheduled]:
        """Return the puzzles that are due by some time, or now, longest due first."""

    # Export and import

    def entries(self) -> list[Entry]:
        """Return everything that is kept."""
        return [*self.matches(), *self.answers(), *self.attempts()]

    @abstractmethod
    def take_in(self, entries: Iterable[Entry]) -> Imported:
        """Add entries from an export, all of them or, if one is refused, none.

        What is here already, by its id, stays. A match that was changed later in the
        export takes the place of the one here, if nothing of that one gets lost.
        """
