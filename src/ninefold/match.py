"""A series of games: its length, who starts each game, the score, and its end."""

from __future__ import annotations

from enum import Enum

from ninefold.errors import MatchError
from ninefold.game import Game, Seat
from ninefold.numerals import shorten
from ninefold.rules import Rules
from ninefold.shown import show_value
from ninefold.values import Value, hold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from random import Random
    from typing import Self


class Length(Value):
    """How many games win a match, as "best of" or as "first to".

    >>> str(Length.best_of(5)), Length.best_of(5).wins_needed
    ('best of 5', 3)
    >>> str(Length.first_to(5)), Length.first_to(5).wins_needed
    ('first to 5', 5)
    """

    __slots__ = __match_args__ = ("wins_needed", "as_best_of")
    wins_needed: int
    as_best_of: bool

    def __init__(self, wins_needed: int, as_best_of: bool) -> None:  # noqa: FBT001 - a field
        """Prefer ``best_of`` and ``first_to``, which read better and check more."""
        if type(wins_needed) is not int or wins_needed < 1:
            given = show_value(wins_needed)
            message = f"a match needs 1 win or more to be won; not {given}"
            raise MatchError(message)
        if not isinstance(as_best_of, bool):
            given = show_value(as_best_of)
            message = f"whether it is a best of is True or False; not {given}"
            raise MatchError(message)
        hold(self, "wins_needed", wins_needed)
        hold(self, "as_best_of", as_best_of)

    @classmethod
    def best_of(cls, games: int) -> Self:
        """Make a match of at most this many games, an odd number."""
        if type(games) is not int or games < 1 or games % 2 == 0:
            message = (
                "best of takes an odd number of 1 or more, such as 3 or 5;"
                f" not {show_value(games)}"
            )
            raise MatchError(message)
        return cls(games // 2 + 1, as_best_of=True)

    @classmethod
    def first_to(cls, wins: int) -> Self:
        """Make a match that goes to whoever first has this many wins."""
        return cls(wins, as_best_of=False)

    def __str__(self) -> str:
        """Say it as the players would."""
        if self.as_best_of:
            return f"best of {shorten(2 * self.wins_needed - 1)}"
        return f"first to {shorten(self.wins_needed)}"


class Starts(Enum):
    """Who starts each game of a match after the first."""

    ALTERNATE = "alternate"
    LOSER = "loser"
    WINNER = "winner"
    SAME = "same"
    TOSS = "toss"


def toss(rng: Random) -> Seat:
    """Toss a coin for who starts."""
    return rng.choice((Seat.ONE, Seat.TWO))


class Match(Value):
    """A match at some point: the games played so far, and what follows from them.

    >>> from ninefold import Ending, Rules
    >>> match = Match(Rules(Ending.REACH, 10), Length.best_of(3))
    >>> match = match.add(match.next_game().play(5).play(2))
    >>> match.score[Seat.ONE], match.score[Seat.TWO], match.winner
    (0, 1, None)
    >>> match.next_game().first
    <Seat.TWO: 2>
    """

    __match_args__ = ("rules", "length", "starts", "games", "first")
    __slots__ = (*__match_args__, "_wins", "winners")
    rules: Rules
    length: Length
    starts: Starts
    games: tuple[Game, ...]
    first: Seat
    """Who starts the first game."""
    winners: tuple[Seat, ...]
    """Who won each game."""
    _wins: tuple[int, int]

    def __init__(
        self,
        rules: Rules,
        length: Length,
        starts: Starts = Starts.ALTERNATE,
        games: Iterable[Game] = (),
        first: Seat = Seat.ONE,
    ) -> None:
        """Check that these games, in this order, can be the match so far."""
        _check_part("the rules of a match are", rules, Rules)
        _check_part("how long a match is, is", length, Length)
        _check_part("who starts the later games is", starts, Starts)
        _check_part("who starts the first game is", first, Seat)
        hold(self, "rules", rules)
        hold(self, "length", length)
        hold(self, "starts", starts)
        hold(self, "first", first)
        hold(self, "games", ())
        hold(self, "winners", ())
        hold(self, "_wins", (0, 0))
        match = self
        for game in games:
            match = match.add(game)
        for name in ("games", "winners", "_wins"):
            hold(self, name, getattr(match, name))

    @property
    def score(self) -> dict[Seat, int]:
        """How many games each player has won."""
        return dict(zip(Seat, self._wins, strict=True))

    @property
    def winner(self) -> Seat | None:
        """Who has won the match, or None while it goes on."""
        for seat, wins in self.score.items():
            if wins == self.length.wins_needed:
                return seat
        return None

    def next_game(self, rng: Random | None = None) -> Game:
        """Return the next game, not yet begun; a toss needs a ``Random``.

        The first game is nobody's toss: ``first`` starts it.
        """
        self._refuse_after_the_end()
        starter = self._starter()
        if starter is None:
            if rng is None:
                message = "this match tosses for the start: give next_game a Random"
                raise MatchError(message)
            starter = toss(rng)
        return Game(self.rules, first=starter)

    def add(self, game: Game) -> Self:
        """Return the match with one more game, which must have ended."""
        winner = self._winner_of_next(game)
        ones, twos = self._wins
        wins = (ones + 1, twos) if winner is Seat.ONE else (ones, twos + 1)
        match = object.__new__(type(self))
        for name in ("rules", "length", "starts", "first"):
            hold(match, name, getattr(self, name))
        hold(match, "games", (*self.games, game))
        hold(match, "winners", (*self.winners, winner))
        hold(match, "_wins", wins)
        return match

    def _winner_of_next(self, game: Game) -> Seat:
        """Check that a game can come next, and say who won it."""
        self._refuse_after_the_end()
        _check_part("each game of a match is", game, Game)
        if game.rules != self.rules:
            message = "every game of a match is played by the same rules"
            raise MatchError(message)
        if game.outcome is None:
            message = "a game counts once it has ended; play it out or resign it"
            raise MatchError(message)
        starter = self._starter()
        if starter not in (game.first, None):
            message = f"{starter} starts game {len(self.games) + 1} of this match"
            raise MatchError(message)
        return game.outcome.winner

    def _starter(self) -> Seat | None:
        """Who starts the next game; None leaves it to the toss."""
        if not self.games or self.starts is Starts.SAME:
            return self.first
        if self.starts is Starts.TOSS:
            return None
        if self.starts is Starts.ALTERNATE:
            return self.games[-1].first.other
        winner = self.winners[-1]
        return winner if self.starts is Starts.WINNER else winner.other

    def _refuse_after_the_end(self) -> None:
        if self.winner is not None:
            message = f"the match is over, {self.winner} has won it; start another"
            raise MatchError(message)


def _check_part(what: str, part: object, kind: type) -> None:
    if not isinstance(part, kind):
        message = f"{what} a {kind.__name__}; not {show_value(part)}"
        raise MatchError(message)
