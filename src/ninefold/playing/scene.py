"""What a viewer sees of a match: a value, made from a session and the local seats.

Terminal, app and server use a scene to find out whose turn it is, which asks are
allowed, which question is open and what is offered after a game, so that they agree.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import cached_property, lru_cache

from msgspec import Struct
from msgspec.structs import replace

from ninefold.coach import Review, try_review, why
from ninefold.errors import NinefoldError
from ninefold.game import Seat
from ninefold.learning import Product, product_hints
from ninefold.match import StartRule
from ninefold.rulebooks import Narrator
from ninefold.session import Session, commands, events, retry_of
from ninefold.views import match_text

_OVER = "The game is over."
_PRACTICE_MOVES = 2
"""The least moves of a game that can be practised."""


class ResignQuestion(Struct, frozen=True):
    """Asks a player to confirm a resignation."""


class OpenQuestion(Struct, frozen=True, kw_only=True):
    """A question that must be answered before an ask counts."""

    about: events.Question | ResignQuestion
    text: str
    move: commands.Move | None = None
    """The move in question, with the answers to earlier questions."""
    steps: tuple[str, ...] = ()
    """The steps of help with a product that were shown so far."""
    marked: str = ""
    """The verdict on the product that came with the move."""
    opened_at: float = 0.0

    @property
    def default(self) -> bool:
        """The answer that Enter gives: yes only to taking a slip back."""
        return not isinstance(self.about, events.LossQuestion | ResignQuestion)

    def ask_for(
        self, *, yes: bool
    ) -> commands.Move | commands.GiveBack | commands.ResignGame | None:
        """Return the ask that an answer leads to, or None."""
        move = self.move
        match self.about:
            case ResignQuestion():
                return commands.ResignGame() if yes else None
            case events.LossQuestion() if move is not None:
                return replace(move, accepts_loss=True) if yes else None
            case events.SlipQuestion(slip=slip) if yes:
                return commands.GiveBack(slip.multiplier)
            case events.SlipQuestion() if move is not None:
                return replace(move, despite_coach=True)
        return None

    @property
    def steps_to_come(self) -> tuple[str, ...]:
        """The steps of help with a product that were not shown yet."""
        if not isinstance(self.about, events.ProductQuestion):
            return ()
        *steps, _ = product_hints(self.about.total, self.about.multiplier)
        return tuple(steps[len(self.steps) :])

    def product(self, answer: int | None) -> Product:
        """Return the product in question with an answer; None reveals it."""
        if not isinstance(self.about, events.ProductQuestion):
            message = "no product is asked for"
            raise TypeError(message)
        total, multiplier = self.about.total, self.about.multiplier
        if answer is None:
            return Product(total, multiplier, total * multiplier, hinted=True)
        return Product(total, multiplier, answer)


class OfferKind(Enum):
    """The kinds of things to do after a game."""

    NEXT = "next"
    CANCEL = "cancel"
    REVIEW = "review"
    RETRY = "retry"
    PRACTISE = "practise"


class Label(Struct, frozen=True):
    """A short text with a placeholder for a name that surfaces may shorten or style."""

    text: str
    """It may hold ``{name}``."""
    name: str = ""

    def fill(self, shorten: Callable[[str], str] = str) -> str:
        """Return the text with its name.

        >>> Label("rematch ({name} starts)", "Ada").fill()
        'rematch (Ada starts)'
        """
        return self.text.replace("{name}", shorten(self.name))


class Offer(Struct, frozen=True):
    """Something to do after a game."""

    kind: OfferKind
    label: Label
    ask: commands.PlainAsk | commands.Retry | None = None
    """The ask to submit; None if the surface acts by itself, or has to wait."""

    @property
    def is_open(self) -> bool:
        """Whether it can be chosen; otherwise the opponent has yet to agree."""
        return self.kind is not OfferKind.NEXT or self.ask is not None


_CANCEL = Label("cancel the request")


class Scene(Struct, frozen=True, dict=True):  # dict: for cached properties
    """A match as seen from one screen."""

    session: Session
    seats: tuple[Seat, ...] = tuple(Seat)
    """The local seats: both at one keyboard, none for a spectator."""
    connected: tuple[bool, bool] = (True, True)
    interruption: str = ""
    """What interrupts the connection, in two or three words; empty if nothing does."""
    question: OpenQuestion | None = None
    is_sending: bool = False
    """Whether an ask is under way."""

    # Who is here

    @property
    def viewer(self) -> Seat | None:
        """The only local seat; None for spectators and for a shared screen."""
        return match_text.viewer_of(self.seats)

    @property
    def remote_seats(self) -> tuple[Seat, ...]:
        """The seats of people or bots at other screens."""
        is_person = self.session.setup.is_person
        return tuple(
            seat for seat in Seat if is_person(seat) and seat not in self.seats
        )

    @property
    def watches(self) -> bool:
        """Whether this screen only watches people at other screens."""
        others = [s for s in self.remote_seats if s not in self.session.setup.bots]
        return bool(others) and not self.seats

    @property
    def acting_seats(self) -> tuple[Seat, ...]:
        """The seats that this screen may act for; both if two levels play."""
        return self.seats if self.seats or self.watches else tuple(Seat)

    @property
    def acting_seat(self) -> Seat | None:
        """The seat that an ask from this screen counts for; None for a spectator."""
        return self.session.acting_seat(self.seats[0]) if self.seats else None

    @cached_property
    def narrator(self) -> Narrator:
        """The rule book's narrator for this screen."""
        return match_text.narrator_for(self.session, self.seats)

    def name(self, seat: Seat) -> str:
        """Return the name of a seat."""
        return self.session.setup.name(seat)

    # Whose turn it is

    @property
    def is_waiting(self) -> bool:
        """Whether someone has yet to join."""
        return bool(self.session.empty_seats)

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.session.to_move is None

    @property
    def is_my_turn(self) -> bool:
        """Whether it is a local player's turn."""
        return self.session.to_move in self.seats and not self.is_waiting

    @property
    def is_programs_turn(self) -> bool:
        """Whether it is a level's or a bot's turn."""
        setup, to_move = self.session.setup, self.session.to_move
        if to_move is None or self.is_waiting or to_move in self.seats:
            return False
        return setup.level(to_move) is not None or to_move in setup.bots

    @property
    def awaits_local_player(self) -> bool:
        """Whether the match waits for a local player."""
        if self.watches or self.is_waiting:
            return False
        if self.is_over:
            return self.session.rematch_asked not in self.seats
        return self.is_my_turn or self.is_asked_for_takeback

    @property
    def turn_text(self) -> str:
        """Whose turn it is, as a sentence."""
        turn = _OVER if self.is_over else match_text.format_turn(self.session)
        return f"{match_text.WATCHING} {turn}" if self.watches else turn

    def note(self, seat: Seat) -> str:
        """Return the note beside a seat's name, or ""."""
        session, is_mine = self.session, seat in self.seats
        level, outcome = session.setup.level(seat), session.game.outcome
        is_here = is_mine or level is not None or self.connected[seat.value - 1]
        notes = []
        if seat in session.empty_seats:
            return "not here yet"
        if outcome is not None and outcome.winner is seat:
            notes.append("wins")
        elif session.to_move is seat and not self.is_waiting:
            yours = "your move" if self.viewer else "your turn"
            to_move = "is thinking …" if level else "to move"
            notes.append(yours if is_mine else to_move)
        elif is_mine and self.remote_seats:
            notes.append("you")
        elif level is not None and level != self.name(seat).lower():
            notes.append(level)
        if not is_here:
            notes.append("away")
        return " · ".join(notes)

    # What may be asked for

    def allows(self, ask: commands.PlainAsk) -> bool:
        """Whether this screen may ask for this now."""
        return any(self.session.allows(seat, ask) for seat in self.acting_seats)

    @property
    def allowed(self) -> tuple[commands.PlainAsk, ...]:
        """All asks, other than moves, that are allowed now."""
        return tuple(ask for ask in commands.PLAIN_ASKS if self.allows(ask))

    @property
    def is_asked_for_takeback(self) -> bool:
        """Whether the opponent's take-back request awaits a local answer."""
        return any(
            self.session.allows(seat, commands.AllowTakeBack()) for seat in self.seats
        )

    @property
    def takeback(self) -> commands.PlainAsk:
        """The ask of the take-back key: a take-back, or the cancellation of one."""
        cancel = commands.CancelRequest()
        return (
            cancel if not self.is_over and self.allows(cancel) else commands.TakeBack()
        )

    # Hints and reasons

    @property
    def gives_hints(self) -> bool:
        """Whether hints and reasons are allowed during a game."""
        return self.session.setup.lessons.hints

    @property
    def shows_products(self) -> bool:
        """Whether products may be shown before they are made."""
        return not self.session.setup.lessons.mental

    @property
    def no_help(self) -> str:
        """Why hints and reasons are unavailable now, or ""."""
        if not self.gives_hints:
            return match_text.NO_HINTS
        return self.turn_text if self.is_over or self.is_waiting else ""

    @property
    def no_hint(self) -> str:
        """Why hints are unavailable now, or ""."""
        if self.no_help or self.is_my_turn:
            return self.no_help
        mover = self.name(self.session.game.to_move)
        return f"It is {mover}'s turn; hints are for your own moves."

    @property
    def reason(self) -> str:
        """Who wins from here and why; names the player if it is another's turn."""
        game = self.session.game
        reason = why(game, products=self.shows_products)
        if self.is_my_turn:
            return reason
        return f"For {self.name(game.to_move)}, whose turn it is: {reason}"

    def remarks(self, *, opportunity: bool) -> tuple[str, ...]:
        """Return the coach's remarks to the local player whose turn it is.

        ``opportunity``: whether the opponent's last move gave them the win. If the game
        is too big for the coach, the first turn of this screen says so.
        """
        session = self.session
        if not self.is_my_turn or not session.setup.lessons.coach:
            return ()
        remarks = []
        setup = session.setup
        sat_down = 0 if setup.all_seated else sum(map(setup.is_person, Seat))
        is_first = session.revision - sat_down <= len(Seat) - len(self.seats)
        if is_first and not session.coach_is_available:
            remarks.append(match_text.COACH_CANNOT_SEE)
        if opportunity:
            remarks.append(match_text.format_opponent_slip(session, self.viewer))
        return tuple(remarks)

    def slip_warning(self, move: commands.Move) -> str:
        """Return the coach's warning about a local slip that cannot be taken back.

        "" if second chances are left: then the coach asks instead. May take as long as
        an analysis.
        """
        session = self.session
        if session.give_backs or not session.setup.lessons.coach or not self.is_my_turn:
            return ""
        try:
            question = session.question(move)
        except NinefoldError:
            return ""  # the table rejects the move
        if not isinstance(question, events.SlipQuestion):
            return ""
        warning = match_text.format_slip_warning(session, question.slip, self.viewer)
        return f"{warning} {match_text.NO_MORE_GIVE_BACKS}"

    # Questions

    def ask_about(
        self, question: events.Question, move: commands.Move | None
    ) -> OpenQuestion:
        """Return a question about a move, with its text for this screen."""
        text = match_text.question_words(self.session, question, self.viewer)
        return OpenQuestion(about=question, text=text, move=move)

    def resign_question(self) -> OpenQuestion:
        """Return the question that confirms a resignation."""
        text = match_text.format_resign_question(self.session, self.viewer)
        return OpenQuestion(about=ResignQuestion(), text=text)

    def mark(self, move: commands.Move) -> str:
        """Return the verdict on the product that came with a move, or ""."""
        if move.answer is None:
            return ""
        game = self.session.game
        product = Product(game.total, move.multiplier, move.answer)
        return match_text.format_answer(
            product, "" if self.viewer else self.name(game.to_move)
        )

    def reason_after(self, question: OpenQuestion) -> str:
        """Return why a slip gave the win away, after it was taken back.

        Only for a shared screen, where the warning leaves the reason out: it names the
        opponent's reply.
        """
        if isinstance(question.about, events.SlipQuestion) and self.viewer is None:
            return question.about.slip.reason
        return ""

    # After a game

    @property
    def headline(self) -> Label:
        """Who won the game or, if it is over, the match."""
        match, outcome = self.session.match, self.session.game.outcome
        winner = None if outcome is None else outcome.winner
        what = ""
        if match.is_over and not match.length.is_single:
            winner, what = match.winner, " the match"
            if winner is None:
                score = " to ".join(map(str, match.score.values()))
                return Label(f"The match ends level, {score}")
        if winner is None:
            return Label("")
        if winner is self.viewer:
            return Label(f"You win{what}!")
        return Label(f"{{name}} wins{what}", self.name(winner))

    @property
    def review(self) -> Review | None:
        """The review of the game; None if the game is too big."""
        return _review(self.session.game)

    @property
    def loser(self) -> Seat | None:
        """The local seat that lost and can practise the game, or None."""
        game = self.session.game
        if game.outcome is None or len(game.moves) < _PRACTICE_MOVES:
            return None
        loser = game.outcome.winner.other
        return loser if loser in self.seats else None

    @property
    def next_offer(self) -> Offer | None:
        """The default offer, the next game or a rematch; None for a spectator."""
        session, kind = self.session, OfferKind.NEXT
        if self.watches:
            return None
        if session.match.is_over and session.needs_consent:
            return self._rematch_by_consent()
        what = "next game"
        ask: commands.PlainAsk = commands.StartNextGame()
        if session.match.is_over:
            what, ask = "rematch", commands.RequestRematch()
        starter = self._next_starter
        if starter is None:
            return Offer(kind, Label(f"{what} (tossed again)"), ask)
        label = Label(f"{what} ({{name}} starts)", self.name(starter))
        return Offer(kind, label, ask)

    @property
    def _next_starter(self) -> Seat | None:
        """Who starts the next game or a rematch; None if a coin decides."""
        session, setup = self.session, self.session.setup
        if session.match.is_over:
            return session.rematch_starter
        if setup.starts is StartRule.TOSS:
            return None
        return session.match.next_game().first

    def _rematch_by_consent(self) -> Offer:
        kind, ask = OfferKind.NEXT, commands.RequestRematch()
        asked, other = self.session.rematch_asked, self.name(self.remote_seats[0])
        if asked is None:
            return Offer(kind, Label("ask {name} for a rematch", other), ask)
        if asked in self.seats:
            return Offer(kind, Label("waiting for {name} to agree", other))
        return Offer(kind, Label("accept the rematch"), ask)

    @property
    def offers(self) -> tuple[Offer, ...]:
        """All offers after a game except the retry.

        That one needs a review, which may take long: see ``retry_offer``.
        """
        if not self.is_over:
            return ()
        offers = [] if self.next_offer is None else [self.next_offer]
        if self.allows(commands.CancelRequest()):
            offers.append(Offer(OfferKind.CANCEL, _CANCEL, commands.CancelRequest()))
        offers.append(Offer(OfferKind.REVIEW, Label("review")))
        if self.loser is not None:
            offers.append(Offer(OfferKind.PRACTISE, Label("practise this")))
        return tuple(offers)

    @property
    def retry_offer(self) -> Offer | None:
        """The offer to try the game again; None if nobody slipped."""
        if not self.is_over or self.watches or self.review is None:
            return None
        return retry_offer(self.review, self.session.setup.levels)


def retry_offer(
    reviewed: Review, levels: tuple[str | None, str | None]
) -> Offer | None:
    """Return the offer to try a game again; None if nobody slipped."""
    retry = retry_of(reviewed, levels)
    if retry is None:
        return None
    number = len(retry.moves) + 1
    is_move = number <= len(reviewed.game.moves)
    label = f"try again from move {number}" if is_move else "try again"
    return Offer(OfferKind.RETRY, Label(label), retry)


_review = lru_cache(maxsize=1)(try_review)  # several offers after a game need it
