"""A series of games: its length, who starts each game, the score, and its end."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from functools import cached_property
from random import Random
from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from ninefold.errors import MatchError
from ninefold.game import Game, Seat
from ninefold.rules import Rules
from ninefold.text import quote_value

MOST_GAMES = 1_000
"""The largest number in the length of a match."""


class LengthKind(Enum):
    """What the length of a match counts."""

    BEST_OF = "best of"
    """At most this many games, an odd number; more than half of them win the match."""
    FIRST_TO = "first to"
    """The first player with this many wins, wins the match."""
    GAMES = "games"
    """Exactly this many games, all of them played; the match may end level."""


class Length(Struct, frozen=True, forbid_unknown_fields=True):
    """How long a match is.

    >>> str(Length.best_of(5)), Length.best_of(5).wins_needed
    ('best of 5', 3)
    >>> str(Length.first_to(5)), Length.first_to(5).wins_needed
    ('first to 5', 5)
    >>> str(Length.games(4)), Length.games(4).wins_needed
    ('4 games', None)
    """

    count: LengthKind
    number: int

    def __post_init__(self) -> None:
        odd_only = self.count is LengthKind.BEST_OF
        is_whole = type(self.number) is int  # True equals 1, and would pass for it
        fits = is_whole and 1 <= self.number <= MOST_GAMES
        if not fits or (odd_only and self.number % 2 == 0):
            expected = (
                "best of takes an odd number" if odd_only else "a match takes a number"
            )
            message = (
                f"{expected} from 1 to {MOST_GAMES:,}, such as 3;"
                f" not {quote_value(self.number)}"
            )
            raise MatchError(message)

    @classmethod
    def best_of(cls, games: int) -> Self:
        """Return the length of at most this many games, an odd number."""
        return cls(LengthKind.BEST_OF, games)

    @classmethod
    def first_to(cls, wins: int) -> Self:
        """Return the length of a match to this many wins."""
        return cls(LengthKind.FIRST_TO, wins)

    @classmethod
    def games(cls, games: int) -> Self:
        """Return the length of exactly this many games."""
        return cls(LengthKind.GAMES, games)

    @property
    def wins_needed(self) -> int | None:
        """How many wins end the match; None if every game is played."""
        if self.count is LengthKind.GAMES:
            return None
        return (
            self.number if self.count is LengthKind.FIRST_TO else self.number // 2 + 1
        )

    @property
    def is_single(self) -> bool:
        return self.number == 1

    def __str__(self) -> str:
        """Return the length as people say it."""
        if self.count is LengthKind.GAMES:
            return f"{self.number} game{'s' if self.number > 1 else ''}"
        return f"{self.count.value} {self.number}"


SINGLE_GAME = Length.best_of(1)


class StartRule(Enum):
    """Who starts each game of a match after the first."""

    ALTERNATE = "alternate"
    LOSER = "loser"
    WINNER = "winner"
    SAME = "same"
    TOSS = "toss"


def toss(rng: Random) -> Seat:
    """Return the seat that starts, by a coin toss."""
    return rng.choice((Seat.ONE, Seat.TWO))


class Match(Struct, frozen=True, dict=True):  # dict: the score is counted once
    """A match at some point: its terms, and the games that have ended.

    ``add`` rejects a game that cannot be the next one.

    >>> from ninefold import Ending, Rules
    >>> match = Match(Rules(Ending.REACH, 10), Length.best_of(3))
    >>> match = match.add(match.next_game().play(5).play(2))
    >>> match.score[Seat.ONE], match.score[Seat.TWO], match.winner
    (0, 1, None)
    >>> match.next_game().first
    <Seat.TWO: 2>
    """

    rules: Rules
    length: Length = SINGLE_GAME
    starts: StartRule = StartRule.ALTERNATE
    first: Seat = Seat.ONE
    """Who starts the first game."""
    games: tuple[Game, ...] = ()

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The winner of each game."""
        return tuple(g.outcome.winner for g in self.games if g.outcome is not None)

    @cached_property
    def score(self) -> Mapping[Seat, int]:
        """How many games each seat has won."""
        winners = self.winners
        return {
            Seat.ONE: winners.count(Seat.ONE),
            Seat.TWO: winners.count(Seat.TWO),
        }

    @property
    def is_over(self) -> bool:
        """Whether no game is left to play."""
        wins_needed = self.length.wins_needed
        if wins_needed is None:
            return len(self.games) == self.length.number
        return wins_needed in self.score.values()

    @property
    def winner(self) -> Seat | None:
        """Who has won the match; None until it is over, and if it ended level."""
        one, two = self.score.values()
        if not self.is_over or one == two:
            return None
        return Seat.ONE if one > two else Seat.TWO

    def next_game(self, rng: Random | None = None) -> Game:
        """Return the next game before its first move; a toss needs a ``Random``.

        There is no toss for the first game: ``first`` starts it.
        """
        self._refuse_after_the_end()
        starter = self._starter()
        if starter is None:
            if rng is None:
                message = "this match tosses for the start: give next_game a Random"
                raise MatchError(message)
            starter = toss(rng)
        return Game.start(self.rules, starter)

    def add(self, game: Game) -> Self:
        """Return the match with one more game, which must have ended."""
        self._refuse_after_the_end()
        if game.rules != self.rules:
            message = "every game in a match must use the same rules"
            raise MatchError(message)
        if game.outcome is None:
            message = "the game has not ended; finish it or resign first"
            raise MatchError(message)
        self.check_starter(game.first)
        return replace(self, games=(*self.games, game))

    def check_starter(self, first: Seat) -> None:
        """Raise ``MatchError`` if a seat may not start the next game."""
        starter = self._starter()
        if starter not in (first, None):
            message = f"{starter} starts game {len(self.games) + 1} of this match"
            raise MatchError(message)

    def _starter(self) -> Seat | None:
        """Return who starts the next game; None if a toss decides."""
        if not self.games or self.starts is StartRule.SAME:
            return self.first
        if self.starts is StartRule.TOSS:
            return None
        if self.starts is StartRule.ALTERNATE:
            return self.games[-1].first.other
        winner = self.winners[-1]
        return winner if self.starts is StartRule.WINNER else winner.other

    def _refuse_after_the_end(self) -> None:
        if self.is_over:
            ended = f"{self.winner} has won it" if self.winner else "it ended level"
            message = f"the match is over, {ended}; start another"
            raise MatchError(message)
