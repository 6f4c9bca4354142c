"""A table on a server: asks are sent there, and commands come back.

The local session follows the public log of the match, so that everything but deciding
works as in a local game. Commands are applied, never decided, here: without the seed a
level's choice cannot be checked, and the server has made its decisions.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import RLock

from msgspec import UNSET

from ninefold import errors
from ninefold.coach import find_slip
from ninefold.game import Seat
from ninefold.learning import Product
from ninefold.online import messages
from ninefold.online.event_stream import PAUSES, SECONDS_TO_BEGIN, EventStream
from ninefold.online.http_client import Client, OpenStream, new_request_id
from ninefold.online.links import MatchLink
from ninefold.playing.state import QuestionView
from ninefold.session import (
    Ask,
    LossQuestion,
    Move,
    ProductQuestion,
    Question,
    RemoteAsk,
    Resign,
    ResignGame,
    Retry,
    Session,
    Setup,
    SlipQuestion,
)
from ninefold.session.match_state import MOST_COMMANDS
from ninefold.session.table import Listener, Update
from ninefold.store import LoggedCommand, LogWriter, Origin, StoredMatch
from ninefold.views.match_text import request_lost_message

_OWN_BOOK = "this match uses a rule book of its own, which servers do not support"
_UPDATE = "this match was made by another version of ninefold; update ninefold"


class RemoteTable:
    """A match on a server, for the player of a seat or a spectator."""

    def __init__(
        self,
        client: Client,
        link: MatchLink,
        *,
        secret: str | None = None,
        writer: LogWriter | None = None,
        pauses: Sequence[float] = PAUSES,
        seconds_to_begin: float = SECONDS_TO_BEGIN,
    ) -> None:
        """Fetch the match; without a secret, only to watch it, unsaved.

        ``writer`` saves a copy at home: at the start, after each game, at the end.
        """
        self.link = link
        self._client = client
        self._secret = secret
        self._pauses = pauses
        self._seconds_to_begin = seconds_to_begin
        self._path = f"/api/matches/{link.id}"
        self._lock = RLock()
        """Held while the session changes and reports it, and during an ask, so that
        its command comes with its own response."""
        self._listener: Listener = lambda _: None
        self._stream: EventStream | None = None
        self._writer = writer
        self.session: Session
        self._setup: Setup
        self._log: list[messages.WireCommand]
        self._head: str
        self._seat: Seat | None
        with client.waited_for():
            self._load()

    @property
    def seats(self) -> tuple[Seat, ...]:
        if self._seat is None:
            return ()
        return tuple(Seat) if self.session.is_shared else (self._seat,)

    @property
    def is_stored(self) -> bool:
        return self._writer is not None and self._writer.is_up_to_date

    # Listening

    def listen(self, listener: Listener) -> None:
        """Report news from now on, in the event stream's thread or in ``submit``'s."""
        self._listener = listener
        self._stream = EventStream(
            self._open_stream,
            self._client,
            self,
            listener,
            pauses=self._pauses,
            seconds_to_begin=self._seconds_to_begin,
        )
        self._stream.start()

    def _open_stream(self, seconds: float) -> OpenStream:
        after = self.session.revision
        path = f"{self._path}/events?as=log&after={after}"
        return self._client.open_stream(path, self._secret, seconds)

    def close(self) -> None:
        """Leave the table; the seat stays taken, and can be rejoined."""
        if self._stream is not None:
            self._stream.stop()
        if self._writer is not None:
            self._save()
            self._writer.close()

    # Asking

    def submit(self, ask: Ask) -> None:
        """Send an ask of this seat; return once its command is applied.

        A response without a command raises an error, and so does a question that the
        ask has answered already: repeating the ask would never end.
        """
        sent = _remote(ask)
        with self._lock:
            revision = self.session.revision
            body = messages.LogAsk(
                seq=revision,
                head=self._head,
                ask=sent,
                request_id=new_request_id(),
            )
            try:
                with self._client.waited_for():
                    answer = self._client.request(
                        "POST",
                        f"{self._path}/log?as=log",
                        messages.LogPage,
                        body,
                        self._secret,
                    )
            except errors.RequestRefused as refused:
                self._learn_from(refused, ask)
                raise
            except errors.ServerUnreachable as error:
                message = request_lost_message(
                    self._client.url, is_move=isinstance(ask, Move)
                )
                raise errors.ServerUnreachable(message) from error
            self._take(answer.log, answer.seq, answer.head)
            if self.session.revision == revision:
                message = (
                    f"{self._client.url} did not carry out the request;"
                    " join again, or play on another server"
                )
                raise errors.OnlineError(message)

    def _learn_from(self, refused: errors.RequestRefused, ask: Ask) -> None:
        """Process what a refusal carries: missed commands, or a question."""
        refusal = refused.refusal
        if not isinstance(refusal, messages.Refusal):
            return
        if refusal.log is not UNSET:
            missed = refusal.log
            self._take(missed.log, missed.seq, missed.head)
        elif refusal.question is not UNSET and isinstance(ask, Move):
            question = self._question(refusal.question, ask)
            if question is not None:
                raise errors.QuestionOpen(question) from None

    def _question(self, asked: QuestionView, move: Move) -> Question | None:
        """Return the question that the local session would ask, or None.

        None for a question about another move, or one that the move has answered.
        """
        game, multiplier = self.session.game, move.multiplier
        legal = multiplier in game.rules.multipliers
        if asked.multiplier != multiplier or not legal:
            return None
        match asked.kind:
            case "product":
                open_ = move.answer is None
                return ProductQuestion(game.total, multiplier) if open_ else None
            case "loss":
                return None if move.accepts_loss else LossQuestion(multiplier)
        if move.despite_coach:
            return None
        try:
            slip = find_slip(game, multiplier)
        except errors.NinefoldError:  # the rules are too large, or the server is wrong
            return None
        return None if slip is None else SlipQuestion(slip, asked.give_backs or 0)

    def play_automatic_move(self) -> bool:
        """Return False: levels move on the server."""
        return False

    def precompute(self) -> None:
        """Do nothing: levels move on the server."""

    def add_answer(self, product: Product, seconds: float, *, hinted: bool) -> None:
        """Store an answer of this seat, at home."""
        if self._writer is not None and self._seat is not None:
            learner = self.session.setup.name(self._seat)
            self._writer.add_answer(product, learner, seconds, hinted=hinted)

    # Following the log

    def catch_up(self) -> None:
        """Fetch and apply the commands after the last known one."""
        with self._lock:
            is_behind = True
            while is_behind:
                known = self.session.revision
                page = self._page(known)
                if page.seq < known:
                    raise errors.MatchChanged
                self._take(page.log, page.seq, page.head)
                is_behind = page.more and self.session.revision > known

    def receive(self, step: messages.LogStep) -> None:
        """Apply a command from the stream, after any that are missing before it."""
        if step.number > MOST_COMMANDS:
            raise errors.ResponseTooLarge(self._client.url)
        with self._lock:
            if step.number > self.session.revision + 1:
                self.catch_up()
            self._take((step,), step.number, step.head)

    def _take(self, log: Sequence[messages.WireCommand], seq: int, head: str) -> None:
        """Apply and report new commands; raise ``MatchChanged`` if they do not follow.

        ``head`` is the server's digest of the log at ``seq``.
        """
        session, digest = self.session, self._head
        updates: list[tuple[Update, messages.WireCommand]] = []
        for logged in log:
            if logged.number == session.revision + 1:
                try:
                    session, events = session.apply_unchecked(logged.command)
                    messages.check_names(session.setup)
                except errors.NinefoldError:
                    raise errors.MatchChanged from None
                digest = messages.next_head(digest, logged.command)
                updates.append((Update(session, events), logged))
        if seq == session.revision and head != digest:
            raise errors.MatchChanged
        self._head = digest
        for update, logged in updates:
            self.session = update.session
            self._log.append(logged)
            if update.session.game.outcome is not None:
                self._save()
            self._listener(update)

    def _save(self) -> None:
        """Save a copy at home, unless the match is only watched."""
        if self._writer is None or not self.seats or not self._log:
            return
        log = tuple(LoggedCommand(each.command, each.at) for each in self._log)
        self._writer.import_copy(
            StoredMatch(
                id=self.link.id,
                setup=self._setup,
                log=log,
                begun_at=log[0].at,
                changed_at=log[-1].at,
                origin=Origin(self._client.url, self.seats),
            )
        )

    def _load(self) -> None:
        """Fetch the whole log, page by page, and save a copy of it."""
        page = self._page(0)
        setup, log = page.setup, [*page.log]
        while page.more and len(log) <= MOST_COMMANDS:
            page = self._page(len(log))
            log += page.log
        if len(log) > MOST_COMMANDS:
            raise errors.ResponseTooLarge(self._client.url)
        if setup.book_text is not None:
            raise errors.OnlineError(_OWN_BOOK)
        commands = [each.command for each in log]
        try:
            self.session = Session.replay(setup, commands)
            for each in (setup, self.session.setup):
                messages.check_names(each)
        except errors.NinefoldError:
            raise errors.OnlineError(_UPDATE) from None
        self._head = messages.first_head(setup)
        for command in commands:
            self._head = messages.next_head(self._head, command)
        self._setup, self._log = setup, log
        self._seat = None if self._secret is None else page.your_seat
        self._save()

    def _page(self, after: int) -> messages.MatchLog:
        path = f"{self._path}/log?after={after}"
        page = self._client.request("GET", path, messages.MatchLog, None, self._secret)
        if page.format != messages.FORMAT:
            raise errors.OnlineError(_UPDATE)
        if page.more and not page.log:  # fetching it would never end
            raise errors.ResponseTooLarge(self._client.url)
        return page


def _remote(ask: Ask) -> RemoteAsk:
    """Return the ask to send; raise an error for what only this machine can do."""
    if isinstance(ask, Retry):
        message = (
            "an online game can be retried only on your own machine; review it there"
        )
        raise errors.SessionError(message)
    if isinstance(ask, Resign):  # without its reason: a server accepts no text
        return ResignGame()
    return ask
