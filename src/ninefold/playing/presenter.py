"""The presenter turns a player's entries into asks, and news into changes to show.

It is a state machine without I/O, for terminal and app, and runs in the thread of its
surface. News may arrive from any thread; it is queued until the surface calls
``catch_up``. All output goes through ``show``, in order.

A question is state, not a blocking call: the surface draws ``scene.question`` and calls
``answer`` or ``enter_product``.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from time import monotonic
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from ninefold.coach import Hint, hints
from ninefold.errors import NinefoldError, QuestionOpen, RequestRefused
from ninefold.game import Game
from ninefold.learning import Product, read_product
from ninefold.playing.presence import Presence, StillAway
from ninefold.playing.scene import OpenQuestion, Scene
from ninefold.rulebooks.move_parser import EntryProblem, read_entry
from ninefold.session import (
    Ask,
    Event,
    GiveBack,
    LossQuestion,
    Move,
    ProductQuestion,
    ResignGame,
    Session,
    SlipQuestion,
)
from ninefold.session.table import (
    Disconnected,
    MatchGone,
    News,
    NewsQueue,
    PresenceChanged,
    Reconnected,
    Table,
    TableClosed,
    Update,
    UpdatesSkipped,
)
from ninefold.views import match_text

_TYPE_PRODUCT = "Type the product in digits."
_NOBODY_RESIGNS = "The computer plays both sides; nobody can resign."
_OUT_OF_STEP = "out_of_step"
"""The code of a refusal that carries the missed commands."""

Failure: TypeAlias = NinefoldError | None
Runner: TypeAlias = Callable[
    [Callable[[], Failure], Callable[[Failure], None]],
    None,
]
"""Runs work that may block, then calls the second function in the surface's thread."""


def at_once(work: Callable[[], Failure], done: Callable[[Failure], None]) -> None:
    """Run work in the calling thread."""
    done(work())


class Mood(Enum):
    """The source of a text, which decides its style."""

    PLAIN = "plain"
    BOOK = "book"
    """The rule book, whose line breaks are preserved."""
    COACH = "coach"
    HINT = "hint"
    WHY = "why"
    PRODUCT = "product"
    """Help with a product."""
    REASON = "reason"
    """Why a move that was taken back was a slip."""


class Opened(Struct, frozen=True):
    """The whole match must be drawn."""

    scene: Scene
    is_skipped: bool = False
    """Whether too many updates came to show them one by one."""


class Happened(Struct, frozen=True):
    """A command was accepted; carries the events that this screen reports."""

    scene: Scene
    events: tuple[Event, ...]


class TurnBegan(Struct, frozen=True):
    """A turn started at a position that was not announced yet."""

    scene: Scene
    remarks: tuple[str, ...]
    """The coach's remarks to a local player."""


class Said(Struct, frozen=True):
    """A message beside the game."""

    text: str
    mood: Mood = Mood.PLAIN
    move: int | None = None
    """The move that a hint names."""
    has_more: bool = False
    """Whether asking again gives another step."""


class Asked(Struct, frozen=True):
    """A question is open; ``scene.question`` holds it until it is answered."""

    question: OpenQuestion


class Marked(Struct, frozen=True):
    """A product was answered or revealed before its move counts: the verdict on it."""

    product: Product
    text: str


class Refused(Struct, frozen=True):
    """An ask was refused, or (``is_gone``) the match can no longer be followed."""

    error: NinefoldError
    is_gone: bool = False


class Redrawn(Struct, frozen=True):
    """The scene changed without a message."""

    scene: Scene


Change: TypeAlias = (
    Opened | Happened | TurnBegan | Said | Asked | Marked | Refused | Redrawn
)


class Presenter:
    """A table as one screen shows it, for the players and spectators there."""

    def __init__(
        self,
        table: Table,
        show: Callable[[Change], None],
        *,
        run: Runner = at_once,
        wake: Callable[[], object] = lambda: None,
        clock: Callable[[], float] = monotonic,
        can_ask: bool = True,
    ) -> None:
        """Present a table; ``show`` is called with each change.

        ``wake`` is called from any thread when there is news. Without ``can_ask``,
        losing moves and resignations are not confirmed.
        """
        self.scene = Scene(table.session, table.seats)
        self.changes = 0
        """A counter of changes of the match, for a prompt that waits for one."""
        self._table = table
        self._show = show
        self._run = run
        self._wake = wake
        self._clock = clock
        self._can_ask = can_ask
        self._news: NewsQueue[StillAway] = NewsQueue()
        self._presence = Presence(self._receive)
        self._is_catching_up = False
        self._announced: Game | None = None
        """The position whose turn was announced last."""
        self._marked = ""
        """The verdict on the product of the move that is being sent."""
        self._warned: set[tuple[int, ...]] = set()
        """The positions at which the coach warned with no second chance left."""
        self._hints: tuple[Hint, ...] = ()
        """The remaining steps of the hint at the position ``_hinted``."""
        self._hinted: Game | None = None

    # News

    def open(self) -> None:
        """Listen to the table, and show the match."""
        self._table.listen(self._receive)
        self._set_session(self._table.session)
        self._show(Opened(self.scene))
        self._announce_turn()

    def close(self) -> None:
        """Leave the table."""
        self._presence.stop()
        self._table.close()

    def catch_up(self) -> bool:
        """Show the news; return whether there was any."""
        if self._is_catching_up:
            return False  # called while a change is being shown: the rest follows it
        self._is_catching_up, has_news = True, False
        try:
            while waiting := self._news.take():
                has_news = True
                for news in waiting:
                    self._take(news)
        finally:
            self._is_catching_up = False
        return has_news

    def _receive(self, news: News | StillAway) -> None:
        """Queue news; any thread may call this."""
        if self._news.put(news):
            self._wake()

    def _take(self, news: News | StillAway) -> None:
        match news:
            case Update():
                self._take_update(news)
            case UpdatesSkipped(session=session):
                self._set_session(session)
                self._announced = None
                self._show(Opened(self.scene, is_skipped=True))
                self._announce_turn()
            case MatchGone(error=error):
                self._set(question=None)
                self.changes += 1
                self._interrupt("match gone")
                self._show(Refused(error, is_gone=True))
            case PresenceChanged(connected=connected):
                self._take_presence(connected)
            case StillAway():
                if self._presence.should_report(news):
                    self._add_note(match_text.away_message(self._other))
            case Disconnected():
                self._interrupt("connection lost", match_text.DISCONNECTED)
            case TableClosed(words=words):
                self._interrupt("table closed", words)
            case Reconnected():
                self._interrupt("", match_text.RECONNECTED)

    def _set_session(self, session: Session) -> None:
        """Replace the session; drop a question about another position."""
        question = self.scene.question
        if _position(self.scene.session) != _position(session):
            question = None
        self._set(session=session, seats=self._table.seats, question=question)
        self.changes += 1

    def _set(self, **changed: object) -> None:
        self.scene = replace(self.scene, **changed)

    def _take_update(self, update: Update) -> None:
        session = update.session
        if session.revision <= self.scene.session.revision:
            return  # the match was opened with this command
        events, seats = update.events, self._table.seats
        news = [
            each
            for each in events
            if match_text.should_report(each, events, session, seats)
        ]
        if not news:  # the coach addressed only the other player
            self._set(session=session)
            return
        self._set_session(session)
        self._show(Happened(self.scene, tuple(news)))
        self._announce_turn()

    def _interrupt(self, interruption: str, text: str = "") -> None:
        """Set what interrupts the connection; "" ends the interruption."""
        if interruption:
            self._presence.stop()
        self._set(interruption=interruption)
        self._show(Redrawn(self.scene))
        if text:
            self._add_note(text)

    @property
    def _other(self) -> str:
        return self.scene.name(self.scene.remote_seats[0])

    def _take_presence(self, connected: tuple[bool, bool]) -> None:
        """Show who is connected; report that the opponent is away, or is back."""
        scene = self.scene
        self._set(connected=connected)
        self._show(Redrawn(self.scene))
        if not scene.seats or not scene.remote_seats or scene.is_waiting:
            return
        if not connected[scene.remote_seats[0].value - 1]:
            self._presence.disconnect()
        elif self._presence.connect():
            self._add_note(match_text.back_message(self._other))

    def _announce_turn(self) -> None:
        """Announce a turn, once per position."""
        scene = self.scene
        game = scene.session.game
        if scene.is_over or scene.is_waiting or game is self._announced:
            return
        self._announced = game
        opportunity = scene.is_my_turn and scene.session.opportunity()
        self._show(TurnBegan(scene, scene.remarks(opportunity=opportunity)))

    def _add_note(self, text: str, mood: Mood = Mood.PLAIN) -> None:
        self._show(Said(text, mood))

    # Entries and asks

    def enter(self, text: str) -> None:
        """Play a typed multiplier, or show why it cannot be played."""
        self.catch_up()
        if not self.scene.is_my_turn:
            self._add_note(self.scene.turn_text)
            return
        game = self.scene.session.game
        multiplier = read_entry(text, game.rules)
        if isinstance(multiplier, EntryProblem):
            refused = self.scene.narrator.refused(game, text, multiplier)
            self._add_note(refused, Mood.BOOK)
        else:
            self.ask(Move(multiplier))

    def ask(self, ask: Ask) -> None:
        """Submit an ask and show its outcome.

        While another ask is being sent or a question is open, show a notice instead.
        """
        self.catch_up()
        if self._is_busy():
            return
        if isinstance(ask, Move):
            self._warn(ask)
        self._send(ask)

    def _is_busy(self) -> bool:
        """Whether an ask is being sent or a question is open; then show a notice."""
        is_busy = self.scene.is_sending or self.scene.question is not None
        if is_busy:
            self._add_note(match_text.ONE_AT_A_TIME)
        return is_busy

    def _send(self, ask: Ask) -> None:
        before = self.scene.session
        self._set(is_sending=True, question=None)
        self._run(
            lambda: self._submit(ask),
            lambda error: self._settle(ask, before, error),
        )

    def _submit(self, ask: Ask) -> Failure:
        try:
            self._table.submit(ask)
        except NinefoldError as error:
            return error
        return None

    def _settle(self, ask: Ask, before: Session, error: Failure) -> None:
        """Show the outcome of an ask.

        A refusal that is explained by news is not shown; a question about a position
        that has passed is dropped.
        """
        self._set(is_sending=False)
        self.catch_up()
        now, marked, self._marked = self.scene.session, self._marked, ""
        is_explained = (
            isinstance(error, RequestRefused)
            and error.code == _OUT_OF_STEP
            and now.revision > before.revision
        )
        if isinstance(error, QuestionOpen) and isinstance(ask, Move):
            if _position(now) == _position(before):
                self._open_question(ask, error, marked)
        elif error is not None and not is_explained:
            self._show(Refused(error))

    def undo(self) -> None:
        """Take the last move back, or cancel the request for it."""
        if self.scene.watches:
            self._add_note(self.scene.turn_text)
        else:
            self.ask(self.scene.takeback)

    def resign(self) -> None:
        """Resign the game, after confirmation."""
        scene = self.scene
        if scene.watches:
            self._add_note(scene.turn_text)
        elif not scene.seats:
            self._add_note(_NOBODY_RESIGNS)
        elif scene.allows(ResignGame()) and self._can_ask:
            if not self._is_busy():
                self._open(scene.resign_question())
        else:
            self.ask(ResignGame())  # its refusal says why not

    def continue_(self) -> None:
        """Start the next game, or start or request a rematch."""
        offer = self.scene.next_offer
        if offer is not None and offer.ask is not None:
            self.ask(offer.ask)

    def precompute(self) -> None:
        """Compute a program's next move, which may take long; any thread may call."""
        self._table.precompute()

    def play_automatic_move(self) -> bool:
        """Play what needs no person; return False if there is nothing to play."""
        is_done = self._table.play_automatic_move()
        self.catch_up()
        return is_done

    # Questions

    def answer(self, *, yes: bool) -> None:
        """Answer the open yes/no question."""
        self.catch_up()
        question = self.scene.question
        ask = None if question is None else question.ask_for(yes=yes)
        if question is None or ask is None:
            self.drop_question()
            return
        if isinstance(ask, GiveBack) and self.scene.reason_after(question):
            self._add_note(self.scene.reason_after(question), Mood.REASON)
        self._send(ask)

    def drop_question(self) -> None:
        """Close the open question without an ask; no second chance is used."""
        if self.scene.question is not None:
            self._set(question=None)
            self._show(Redrawn(self.scene))

    def enter_product(self, text: str) -> None:
        """Answer the open question for a product."""
        self.catch_up()
        question, answer = self.scene.question, read_product(text)
        if question is None or not isinstance(question.about, ProductQuestion):
            return
        if answer is None:
            self._add_note(_TYPE_PRODUCT, Mood.PRODUCT)
        else:
            self._answer_product(question, answer)

    def help_with_product(self) -> None:
        """Show the next step of help; after the last, reveal the product and move."""
        question = self.scene.question
        if question is None or not isinstance(question.about, ProductQuestion):
            return
        if not question.steps_to_come:
            self._answer_product(question, None)
            return
        step, *_ = question.steps_to_come
        question = replace(question, steps=(*question.steps, step))
        self._set(question=question)
        self._show(Said(step, Mood.PRODUCT, has_more=True))

    def _open_question(self, move: Move, error: QuestionOpen, marked: str) -> None:
        question = error.question
        match question:
            case LossQuestion() if not self._can_ask:
                self._send(replace(move, accepts_loss=True))
            case ProductQuestion() | LossQuestion() | SlipQuestion():
                asked = self.scene.ask_about(question, move)
                at = self._clock()
                self._open(replace(asked, marked=marked, opened_at=at))

    def _open(self, question: OpenQuestion) -> None:
        self._set(question=question)
        self._show(Asked(question))

    def _answer_product(self, question: OpenQuestion, answer: int | None) -> None:
        """Show the verdict on a product, and make the move; None reveals it."""
        move = question.move
        if move is None:
            return
        product = question.product(answer)
        helped = product.hinted or bool(question.steps)
        move = replace(move, answer=product.answer, helped=helped)
        marked = product.correction if answer is None else self.scene.mark(move)
        self._show(Marked(product, marked))
        self._marked = marked
        self._warn(move)
        seconds = self._clock() - question.opened_at
        self._table.add_answer(product, seconds, hinted=helped)
        self._send(move)

    def _warn(self, move: Move) -> None:
        """Show the warning of a slip once per position, without second chances left."""
        position = self.scene.session.position
        if position not in self._warned and (warning := self.scene.slip_warning(move)):
            self._warned.add(position)
            self._add_note(warning, Mood.COACH)

    # Hints and reasons

    def hint(self) -> None:
        """Show the next step of a hint; repeat the last one."""
        scene = self.scene
        if scene.no_hint:
            self._add_note(scene.no_hint)
            return
        game = scene.session.game
        if self._hinted is not game:
            self._hinted = game
            self._hints = hints(game, products=scene.shows_products)
        step, *rest = self._hints
        self._hints = tuple(rest) or self._hints
        self._show(Said(step.text, Mood.HINT, step.move, has_more=bool(rest)))

    def why(self) -> None:
        """Show who wins from here, and why."""
        scene = self.scene
        if scene.no_help:
            self._add_note(scene.no_help)
        else:
            self._add_note(scene.reason, Mood.WHY)


def _position(session: Session) -> tuple[object, ...]:
    """Return the identity of a position; a question about another one is outdated."""
    game = session.game
    return session.match_number, session.number, game.moves, game.outcome
