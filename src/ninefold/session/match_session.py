"""One match being played, without input or output: ask -> command -> events.

A session is a value: the games, the score, the second chances left, whose turn it is.
It follows from the setup and the log, the commands so far. The number of commands is
its *revision*.
"""

from __future__ import annotations

from typing import Self

from msgspec.structs import replace

from ninefold import errors
from ninefold.coach import Review, find_opportunity, find_slip
from ninefold.game import Seat
from ninefold.levels import LEVELS
from ninefold.match import toss
from ninefold.session import commands
from ninefold.session.events import (
    Event,
    LossQuestion,
    ProductQuestion,
    Question,
    SlipQuestion,
)
from ninefold.session.match_state import MatchState
from ninefold.theory import oracle_for


def retry_of(
    reviewed: Review, levels: tuple[str | None, str | None]
) -> commands.Retry | None:
    """Return the command for a retry from where a person gave the win away.

    That is the last slip of a person, which may not be the turning point: the winner
    learns more from a slip of their own than from the opponent's. None if nobody
    slipped.
    """
    people = [s for s, level in zip(Seat, levels, strict=True) if level is None]
    moves, gave_up = reviewed.game.moves, reviewed.resignation
    if gave_up and gave_up.was_won and gave_up.seat in people:
        return commands.Retry(moves)
    for step in reversed(reviewed.steps):
        if step.slip is not None and step.seat in people:
            return commands.Retry(moves[: step.number - 1])
    earlier = reviewed.before_the_turn()
    return None if earlier is None else commands.Retry(earlier.moves)


class Session(MatchState, frozen=True):
    """A match at some point. ``start`` and ``replay`` make one.

    >>> from ninefold import Ending, Rules
    >>> from ninefold.session import Move, Setup
    >>> setup = Setup(rules=Rules(Ending.REACH, 100), book="multiplication-madness")
    >>> session = Session.start(setup)
    >>> session, events = session.apply(Move(5))
    >>> session.game.total, session.revision
    (5, 1)
    >>> events
    (Moved(seat=<Seat.ONE: 1>, multiplier=5, total=5),)
    >>> session == Session.replay(setup, [Move(5)])
    True
    """

    # Next commands

    def next_automatic_command(self) -> commands.Command | None:
        """Return the next command that needs no person, a move or the next game."""
        if self.empty_seats:
            return None
        if self.to_move is not None:
            return self.level_move(self.to_move)
        return None if self.match.is_over else self.next_game()

    def level_move(self, seat: Seat) -> commands.Move | None:
        """Return the move of a seat's level; None if a person plays the seat."""
        level = self.setup.level(seat)
        if level is None:
            return None
        rng = self.setup.rng(*self._purpose("move", self.number), self._ply)
        player = LEVELS[level].player(rng, oracle_for(self.setup.rules))
        return commands.Move(player.choose(self.game))

    def next_game(self) -> commands.NextGame:
        """Return the command that starts the next game, including the toss."""
        self._refuse_after_the_match()
        rng = self.setup.rng(*self._purpose("toss", len(self.match.games) + 1))
        return commands.NextGame(self.match.next_game(rng).first)

    def rematch(self) -> commands.Rematch:
        """Return the command for a rematch: the other seat starts, or a new toss."""
        rng = self.setup.rng("match", self.match_number + 1, "first")
        return commands.Rematch(self.rematch_starter or toss(rng))

    @property
    def rematch_starter(self) -> Seat | None:
        """Who starts a rematch; None if a toss decides."""
        return None if self.setup.first_tossed else self.opened_by.other

    # From an ask to a command

    def decide(
        self,
        seat: Seat,
        ask: commands.Ask,
        *,
        warned: int | None = None,
        coach: bool = True,
    ) -> commands.Command:
        """Turn a seat's ask into a command, or reject it.

        Raises ``QuestionOpen`` if the seat must answer a question first. ``warned`` is
        the move that the coach has already warned about here: it speaks once per
        position, or it would reveal which move wins. With ``coach=False`` it does not
        look.
        """
        if self.empty_seats:
            raise errors.SeatVacant(self.empty_seats[0])
        match ask:
            case commands.Move():
                return self._decide_move(seat, ask, warned, coach=coach)
            case commands.GiveBack(multiplier=multiplier):
                self._refuse_out_of_turn(seat)
                if multiplier is None or multiplier != warned:
                    message = "the coach has not warned about this move"
                    raise errors.NoPendingRequest(message)
                return ask
            case commands.Retry():
                if not self.setup.all_seated:
                    message = (
                        "an online game can be retried only on your own machine;"
                        " review it there"
                    )
                    raise errors.SessionError(message)
                return ask
            case commands.Resign():
                return replace(ask, seat=seat)
        return self._decide_plain(seat, ask)

    def _decide_move(
        self, seat: Seat, move: commands.Move, warned: int | None, *, coach: bool
    ) -> commands.Move:
        self._refuse_out_of_turn(seat)
        listens = coach and warned in (None, move.multiplier)
        question = self.question(move if listens else replace(move, despite_coach=True))
        if isinstance(question, SlipQuestion) and not question.give_backs:
            return move  # there is no choice any more
        if question is not None:
            raise errors.QuestionOpen(question)
        return move

    def _decide_plain(self, seat: Seat, ask: commands.PlainAsk) -> commands.Command:
        match ask:
            case commands.TakeBack():
                return (
                    commands.AskTakeBack(seat)
                    if self.needs_consent
                    else commands.Undo()
                )
            case commands.AllowTakeBack() | commands.DeclineTakeBack():
                if self.take_back_asked is not seat.other:
                    message = "there is no take-back request to answer"
                    raise errors.NoPendingRequest(message)
                return (
                    commands.Undo() if isinstance(ask, commands.AllowTakeBack) else ask
                )
            case commands.CancelRequest():
                return commands.Withdraw(seat)
            case commands.ResignGame():
                return commands.Resign(seat)
            case commands.StartNextGame():
                return self.next_game()
        agreed = not self.needs_consent or self.rematch_asked is seat.other
        return self.rematch() if agreed else commands.AskRematch(seat)

    @property
    def is_shared(self) -> bool:
        """Whether two people play at one keyboard, and read the same screen."""
        return self.setup.all_seated and not self.setup.has_level

    def acting_seat(self, seat: Seat) -> Seat:
        """Return the seat that an ask is for: at one keyboard, the seat to move."""
        return self.to_move or seat if self.is_shared else seat

    @property
    def needs_consent(self) -> bool:
        """Whether take-backs and rematches need the other seat's consent."""
        return not self.setup.all_seated and not self.setup.has_level

    def _refuse_out_of_turn(self, seat: Seat) -> None:
        if self.to_move is seat.other:
            message = "it is the other player's turn; wait for their move"
            raise errors.OutOfTurn(message)

    def allows(  # noqa: PLR0911 - one return for each ask
        self, seat: Seat, ask: commands.PlainAsk
    ) -> bool:
        """Whether a seat may ask for this now, to decide which keys to show."""
        if self.empty_seats:
            return False
        over = self.game.outcome is not None
        match ask:
            case commands.TakeBack():
                allowed = self.book.take_back and self.take_back_asked is None
                return allowed and not over and self._has_moved(seat)
            case commands.AllowTakeBack() | commands.DeclineTakeBack():
                return self.take_back_asked is seat.other
            case commands.CancelRequest():
                return seat in (self.take_back_asked, self.rematch_asked)
            case commands.ResignGame():
                return not over
            case commands.StartNextGame():
                return over and not self.match.is_over
        return self.match.is_over and over and self.rematch_asked is not seat

    def _has_moved(self, seat: Seat) -> bool:
        """Whether there is a move to take back: the seat's own if consent is needed."""
        first, moves = self.game.first, len(self.game.moves)
        moved = (first, first.other)[:moves]
        if self.needs_consent:
            return seat in moved
        return any(self.setup.is_person(each) for each in moved)

    # Questions before a move counts

    def question(self, move: commands.Move) -> Question | None:
        """Return the question to answer before a move counts; reject an illegal move.

        The answer is a field of the move; another question may follow it.
        """
        self.game.play(move.multiplier)
        if not self.setup.is_person(self.game.to_move):
            return None
        total, lessons = self.game.total, self.setup.lessons
        if lessons.mental and move.answer is None and total > 1:
            return ProductQuestion(total, move.multiplier)
        if self._questions_loss(move.multiplier):
            # The coach does not warn about a loss that is meant.
            return None if move.accepts_loss else LossQuestion(move.multiplier)
        if not lessons.coach or move.despite_coach:
            return None
        try:
            slip = find_slip(self.game, move.multiplier)
        except errors.TooLarge:
            return None
        return None if slip is None else SlipQuestion(slip, self.give_backs)

    def _questions_loss(self, multiplier: int) -> bool:
        rules, total = self.setup.rules, self.game.total
        return self.book.questions_losses and rules.loses_needlessly(total, multiplier)

    def opportunity(self) -> bool:
        """Whether the coach shows that the last move gave a person the win."""
        seat = self.to_move
        if seat is None or not self.setup.lessons.coach:
            return False
        if not self.setup.is_person(seat):
            return False
        try:
            slipped = find_opportunity(self.game)
        except errors.TooLarge:
            return False
        return slipped is not None

    @property
    def coach_is_available(self) -> bool:
        """Whether the rules are small enough for the coach to analyse."""
        try:
            oracle_for(self.setup.rules).wins(self.setup.rules.start)
        except errors.TooLarge:
            return False
        return True

    # Commands

    def apply(self, command: commands.Command) -> tuple[Self, tuple[Event, ...]]:
        """Return the session after a command, and the events.

        Raises ``QuestionOpen`` for a move with a question to answer, and
        ``SessionError`` for a level's move that is not the level's own choice.
        """
        if isinstance(command, commands.Move):
            question = self.question(command)
            if question is not None:
                raise errors.QuestionOpen(question)
            level = self.setup.level(self.game.to_move)
            if level is not None and command != self.next_automatic_command():
                message = f"{level} moves by itself; wait for its move"
                raise errors.SessionError(message)
        return self.apply_unchecked(command)

    @property
    def _ply(self) -> int:
        return len(self.game.moves)

    def _purpose(self, *purpose: object) -> tuple[object, ...]:
        """Return the key of the random generator, unique to this match."""
        if self.match_number == 1:
            return purpose
        return ("match", self.match_number, *purpose)
