"""The state of a match after the commands of its log, and how a command changes it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from ninefold import errors
from ninefold.game import Game, Seat
from ninefold.learning import Product
from ninefold.match import SINGLE_GAME, Match, StartRule
from ninefold.rulebooks import Rulebook
from ninefold.rules import MOST_TOTAL_DIGITS
from ninefold.session import commands
from ninefold.session.events import (
    Answered,
    Began,
    Ended,
    Event,
    GivenBack,
    Moved,
    RematchAsked,
    Resigned,
    Scored,
    Seated,
    TakeBackAsked,
    TakeBackDeclined,
    TakenBack,
    Withdrawn,
)
from ninefold.session.setup import Setup, check_name, check_names
from ninefold.text import is_shown

MOST_COMMANDS = 20_000
"""How many commands a log may have."""
LONGEST_REASON = 300
"""How long the reason for a resignation may be."""
_FIRST_TOO_LONG = 10**MOST_TOTAL_DIGITS

Played = (
    commands.Move
    | commands.GiveBack
    | commands.Undo
    | commands.Resign
    | commands.NextGame
    | commands.Rematch
    | commands.Retry
)


class MatchState(Struct, frozen=True):
    """Everything that follows from a setup and the commands since."""

    setup: Setup
    """The setup, with the players who have joined since."""
    book: Rulebook
    match: Match
    """The match, with its finished games."""
    game: Game
    """The current game, or the last one if none is being played."""
    opened_by: Seat
    """Who started the first game of this match, or of the one before a retry."""
    match_number: int = 1
    is_retry: bool = False
    given_back: tuple[int, int] = (0, 0)
    """How many second chances each seat has used in this game."""
    failure: str = ""
    """Why a bot resigned this game, if one did."""
    empty_seats: tuple[Seat, ...] = ()
    """The seats that people have yet to take; nobody moves before."""
    take_back_asked: Seat | None = None
    """The seat that asks to take its last move back."""
    rematch_asked: Seat | None = None
    """The seat that asks for a rematch."""
    revision: int = 0
    """The number of the last command."""

    @classmethod
    def start(cls, setup: Setup) -> Self:
        """Start a session; raise ``SetupError`` if the setup cannot be played."""
        setup.check()
        match = setup.match()
        return cls(
            setup=setup,
            book=setup.rulebook(),
            match=match,
            game=match.next_game(),
            opened_by=setup.first,
            empty_seats=()
            if setup.all_seated
            else tuple(seat for seat in Seat if setup.is_person(seat)),
        )

    @classmethod
    def replay(cls, setup: Setup, log: Iterable[commands.Command]) -> Self:
        """Rebuild a session from its log; raise an error for an impossible one."""
        session = cls.start(setup)
        for command in log:
            session, _ = session.apply_unchecked(command)
        return session

    @property
    def give_backs(self) -> int:
        """How many second chances are left in this game."""
        return self.setup.lessons.give_backs - sum(self.given_back)

    @property
    def to_move(self) -> Seat | None:
        """The seat to move; None after the end of a game."""
        return None if self.game.outcome is not None else self.game.to_move

    @property
    def position(self) -> tuple[int, ...]:
        """The identity of the position, at which the coach speaks once."""
        game = self.game
        return self.match_number, self.number, self.give_backs, game.total, *game.moves

    @property
    def number(self) -> int:
        """The number of the latest game in the match, from 1."""
        return len(self.match.games) + (self.game.outcome is None)

    def apply_unchecked(
        self, command: commands.Command
    ) -> tuple[Self, tuple[Event, ...]]:
        """Apply a command without its questions, which are already answered."""
        if self.revision == MOST_COMMANDS:
            message = (
                f"a match has at most {MOST_COMMANDS:,} commands; start another match"
            )
            raise errors.SessionError(message)
        changed, events = self._after(command)
        return replace(changed, revision=self.revision + 1), events

    def _after(self, command: commands.Command) -> tuple[Self, tuple[Event, ...]]:
        if isinstance(command, commands.Sit):
            return self._seated(command)
        if self.empty_seats:
            raise errors.SeatVacant(self.empty_seats[0])
        match command:
            case commands.AskTakeBack(seat=seat):
                return self._take_back_asked(seat)
            case commands.DeclineTakeBack():
                return self._take_back_declined()
            case commands.AskRematch(seat=seat):
                return self._rematch_asked(seat)
            case commands.Withdraw(seat=seat):
                return self._withdrawn(seat)
        changed, events = self._played(command)
        declined: tuple[Event, ...] = ()
        if self.take_back_asked is not None and not isinstance(command, commands.Undo):
            declined = (TakeBackDeclined(self.take_back_asked),)
        changed = replace(changed, take_back_asked=None, rematch_asked=None)
        return changed, (*declined, *events)

    def _played(  # noqa: PLR0911 - one return for each command
        self, command: Played
    ) -> tuple[Self, tuple[Event, ...]]:
        match command:
            case commands.Move():
                return self._moved(command)
            case commands.GiveBack(multiplier=multiplier):
                return self._given_back(multiplier)
            case commands.Undo():
                return self._undone()
            case commands.Resign(seat=seat, reason=reason):
                _check_reason(reason)
                changed, ended = self._ended(self.game.resign(seat))
                return replace(changed, failure=reason), (Resigned(seat), *ended)
            case commands.NextGame(first=first):
                return self._next_game(first)
            case commands.Rematch(first=first):
                return self._rematch(first)
        return self._retried(command.moves)

    # Seats and requests

    def _seated(self, command: commands.Sit) -> tuple[Self, tuple[Event, ...]]:
        seat, setup = command.seat, self.setup
        if seat not in self.empty_seats:
            raise errors.SeatTaken(seat)
        names = tuple(
            command.name if each is seat else setup.name(each) for each in Seat
        )
        lessons = setup.lessons.shared_with(command.lessons or setup.lessons)
        setup = replace(setup, names=names, lessons=lessons)
        if seat.other in self.empty_seats:  # whoever takes it brings their own name
            check_name(command.name)
        else:
            check_names(*setup.names)
        empty = tuple(each for each in self.empty_seats if each is not seat)
        changed = replace(self, setup=setup, empty_seats=empty)
        return changed, (Seated(seat, command.name),)

    def _take_back_asked(self, seat: Seat) -> tuple[Self, tuple[Event, ...]]:
        if self.take_back_asked is not None:
            message = "a take-back is already requested; wait for the answer"
            raise errors.SessionError(message)
        self._before(seat)
        return replace(self, take_back_asked=seat), (TakeBackAsked(seat),)

    def _take_back_declined(self) -> tuple[Self, tuple[Event, ...]]:
        asked = self.take_back_asked
        if asked is None:
            message = "there is no take-back request to decline"
            raise errors.SessionError(message)
        return replace(self, take_back_asked=None), (TakeBackDeclined(asked),)

    def _rematch_asked(self, seat: Seat) -> tuple[Self, tuple[Event, ...]]:
        self._refuse_before_the_end()
        if not self.match.is_over:
            message = "the match is not over; ask for the next game"
            raise errors.SessionError(message)
        if self.rematch_asked is not None:
            message = "a rematch is already requested; answer it, or wait"
            raise errors.SessionError(message)
        return replace(self, rematch_asked=seat), (RematchAsked(seat),)

    def _withdrawn(self, seat: Seat) -> tuple[Self, tuple[Event, ...]]:
        if seat not in (self.take_back_asked, self.rematch_asked):
            message = "you have no request to withdraw"
            raise errors.NoPendingRequest(message)
        changed = replace(self, take_back_asked=None, rematch_asked=None)
        return changed, (Withdrawn(seat),)

    # Moves and games

    def _moved(self, move: commands.Move) -> tuple[Self, tuple[Event, ...]]:
        seat, total = self.game.to_move, self.game.total
        game = self.game.play(move.multiplier)
        events: tuple[Event, ...] = (Moved(seat, move.multiplier, game.total),)
        if move.answer is not None:
            _check_answer(move.answer)
            product = Product(total, move.multiplier, move.answer, hinted=move.helped)
            events = (Answered(seat, product), *events)
        changed, ended = self._ended(game)
        return changed, (*events, *ended)

    def _ended(self, game: Game) -> tuple[Self, tuple[Event, ...]]:
        """Return the session with this game, and the events if the game has ended."""
        changed = replace(self, game=game)
        if game.outcome is None:
            return changed, ()
        match = self.match.add(game)
        events: tuple[Event, ...] = (Ended(game.outcome),)
        if not match.length.is_single:
            one, two = match.score.values()
            events = (*events, Scored((one, two), match.is_over, match.winner))
        return replace(changed, match=match), events

    def _given_back(self, multiplier: int | None) -> tuple[Self, tuple[Event, ...]]:
        if multiplier is not None:
            self.game.play(multiplier)
        if not self.setup.lessons.coach or not self.give_backs:
            message = "there are no second chances left in this game"
            raise errors.SessionError(message)
        one, two = self.given_back
        seat = self.game.to_move
        is_one = seat is Seat.ONE
        changed = replace(self, given_back=(one + is_one, two + (not is_one)))
        return changed, (GivenBack(seat, changed.give_backs, multiplier),)

    def _undone(self) -> tuple[Self, tuple[Event, ...]]:
        asked = self.take_back_asked
        people = [seat for seat in Seat if self.setup.is_person(seat)]
        earlier = self._before(*(people if asked is None else [asked]))
        taken_back = self.game.moves[len(earlier.moves) :]
        changed = replace(self, game=earlier)
        return changed, (TakenBack(taken_back, earlier.total),)

    def _before(self, *seats: Seat) -> Game:
        """Return the game before the last move of one of these seats."""
        if self.game.outcome is not None:
            message = (
                "the game is over, so its moves cannot be taken back; start another"
            )
            raise errors.GameOver(message)
        if not self.book.take_back:
            raise errors.TakebackNotAllowed(self.book.title)
        earlier = self.game.undo()
        while earlier.to_move not in seats:
            if not earlier.moves:
                message = "you have not made a move to take back yet"
                raise errors.NothingToUndo(message)
            earlier = earlier.undo()
        return earlier

    def _next_game(self, first: Seat) -> tuple[Self, tuple[Event, ...]]:
        self._refuse_before_the_end()
        self._refuse_after_the_match()
        tossed = self.setup.starts is StartRule.TOSS
        self.match.check_starter(first)
        game = Game.start(self.setup.rules, first)
        return self._begun(game), (Began(first, tossed),)

    def _rematch(self, first: Seat) -> tuple[Self, tuple[Event, ...]]:
        self._refuse_before_the_end()
        if not self.match.is_over:
            message = "the match is not over; ask for the next game"
            raise errors.SessionError(message)
        match = replace(self.setup.match(), first=first)
        changed = replace(
            self._begun(match.next_game()),
            match=match,
            match_number=self.match_number + 1,
            opened_by=first,
            is_retry=False,
        )
        return changed, (Began(first, self.setup.first_tossed),)

    def _retried(self, moves: tuple[int, ...]) -> tuple[Self, tuple[Event, ...]]:
        begun = bool(self.game.moves or self.match.games)
        if begun:
            self._refuse_before_the_end()
        first = self.game.first
        game = Game.replay(self.setup.rules, moves, first)
        if game.outcome is not None:
            message = "a retry starts before the end of the game; leave out some moves"
            raise errors.SessionError(message)
        match = Match(self.setup.rules, SINGLE_GAME, first=first)
        changed = replace(
            self._begun(game),
            match=match,
            match_number=self.match_number + begun,
            is_retry=True,
        )
        return changed, (Began(first, tossed=False, is_retry=True),)

    def _begun(self, game: Game) -> Self:
        return replace(self, game=game, given_back=(0, 0), failure="")

    def _refuse_before_the_end(self) -> None:
        if self.game.outcome is None:
            message = "the game is not over; finish it or resign"
            raise errors.SessionError(message)

    def _refuse_after_the_match(self) -> None:
        if self.match.is_over:
            message = "the match is over; ask for a rematch"
            raise errors.SessionError(message)


def _check_reason(reason: str) -> None:
    if len(reason) > LONGEST_REASON or not is_shown(reason):
        message = f"a reason has at most {LONGEST_REASON} printable characters"
        raise errors.SessionError(message)


def _check_answer(answer: int) -> None:
    if abs(answer) >= _FIRST_TOO_LONG:
        message = (
            f"a product has at most {MOST_TOTAL_DIGITS:,} digits; use a shorter one"
        )
        raise errors.SessionError(message)
