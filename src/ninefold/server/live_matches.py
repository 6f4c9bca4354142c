"""All matches that are being played or watched.

A command is on disk before its request is answered, and before listeners get it. A live
match is a cache of the store; if the store is ahead of it, it catches up.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import (
    AsyncGenerator,
    Awaitable,
    Callable,
    Collection,
    Container,
    Iterable,
)
from contextlib import aclosing, asynccontextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from secrets import token_hex
from typing import Protocol, cast
from weakref import WeakValueDictionary

from msgspec.structs import replace
from starlette.types import Receive

from ninefold.errors import (
    NinefoldError,
    QuestionOpen,
    RevisionConflict,
    StoreError,
    UnknownMatch,
)
from ninefold.game import Seat
from ninefold.online.messages import LogAsk
from ninefold.playing.scene import Scene
from ninefold.playing.state import QuestionView, seats_of
from ninefold.server.commit_queue import Writer
from ninefold.server.event_streams import PING, Listener, MatchListener
from ninefold.server.live_match import (
    History,
    LiveMatch,
    Snapshot,
    decode_warning,
    encode_warning,
)
from ninefold.server.metrics import Metrics
from ninefold.server.presence import decode_presence, encode_presence
from ninefold.server.responses import HttpRefusal, behind, held, question_first
from ninefold.server.seats import Token
from ninefold.server.thread_pool import Pool
from ninefold.session import (
    Command,
    Move,
    Question,
    RemoteAsk,
    Session,
    Setup,
    SlipQuestion,
)
from ninefold.session.coach_warnings import CoachWarning, CoachWarnings
from ninefold.session.table import PresenceChanged
from ninefold.store import Accepted, Append, StoredMatch, accept_all

_log = logging.getLogger(__name__)

Decide = Callable[[Session], Awaitable[Command]]
"""Returns the command for a request, or raises an error to refuse it."""

MATCHES_CACHED = 2_000
utc_now = partial(datetime.now, UTC)


class Classes(Protocol):
    """The classes to which matches belong: they pause matches, and end them."""

    async def load(self, class_id: str) -> None:
        """Load a class, so that ``hold_of`` knows it."""

    def hold_of(self, live: LiveMatch) -> str:
        """Return why a match does not go on right now, or ""."""

    async def follow(self, words: frozenset[str] | None) -> None:
        """Process words from other processes; None when some may have been lost."""


class _NoClasses:
    """Stands for the classes of a server that has none."""

    async def load(self, class_id: str) -> None: ...

    def hold_of(self, live: LiveMatch) -> str:
        return ""

    async def follow(self, words: frozenset[str] | None) -> None: ...


class LiveMatches:
    """The matches in memory, loaded when a request needs them."""

    def __init__(
        self,
        writer: Writer,
        pool: Pool,
        metrics: Metrics,
        cached: int = MATCHES_CACHED,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        """Cache at most ``cached`` matches, beside those in use."""
        self._cached = cached
        self._writer = writer
        self._pool = pool
        self._metrics = metrics
        self._clock = clock
        self._matches: WeakValueDictionary[str, LiveMatch] = WeakValueDictionary()
        self._recent: OrderedDict[str, LiveMatch] = OrderedDict()
        self._open: set[Listener] = set()
        self._warnings: OrderedDict[str, CoachWarnings] = OrderedDict()
        """Warnings from other processes, about matches not loaded here."""
        self.process = token_hex(4)
        """The name of this process among others."""
        self.classes: Classes = _NoClasses()
        """The classes to which matches may belong."""

    async def find(self, match_id: str) -> LiveMatch:
        """Return a live match, and schedule a due level move.

        Another process may be ahead: ``execute`` detects that, ``find_current`` checks
        first.
        """
        live = self._matches.get(match_id)
        if live is None:
            history = await self._load(match_id)
            if history.class_id is not None:
                await self.classes.load(history.class_id)
            live = self._matches.get(match_id) or self._make(history)
            live.catch_up(history)  # if another request loaded it meanwhile
        self._keep(live)
        self.schedule_level_move(live)
        return live

    def adopt(self, stored: StoredMatch, class_id: str) -> LiveMatch:
        """Return the live match of a class's new table, which is stored as given."""
        live = self._matches.get(stored.id)
        live = live or self._make(History(stored, class_id))
        self._keep(live)
        self.schedule_level_move(live)
        return live

    def drop_class(self, class_id: str) -> None:
        """Forget the matches of a class that was removed."""
        for live in list(self._matches.values()):
            if live.class_id == class_id:
                self._drop(live.id)

    async def find_current(self, match_id: str) -> LiveMatch:
        """Return a live match, up to date with other processes."""
        may_be_behind = self._writer.may_be_ahead and match_id in self._matches
        live = await self.find(match_id)
        if may_be_behind and match_id not in await self._catch_up([live]):
            raise UnknownMatch(match_id)
        return live

    def _make(self, history: History) -> LiveMatch:
        live = LiveMatch(history)
        live.warnings = self._warnings.pop(live.id, live.warnings)
        return live

    async def _load(self, match_id: str) -> History:
        """Load and replay a match in the store's thread; let the coach judge it."""
        history = await self._writer.query(
            lambda store: History(store.match(match_id), store.class_of(match_id))
        )
        history.recent[-1] = await self._let_coach_look(history.recent[-1])
        return history

    async def _catch_up(self, matches: Collection[LiveMatch]) -> Container[str]:
        """Catch up with other processes; return the ids of matches still stored."""
        ids = [live.id for live in matches]
        found = await self._writer.query(lambda store: store.revisions(ids))
        problem: NinefoldError | None = None
        for live in matches:
            if found.get(live.id, 0) > live.session.revision:
                try:
                    live.catch_up(await self._load(live.id))
                except NinefoldError as error:  # one broken match must not block others
                    problem = error
                else:
                    self.schedule_level_move(live)
        if problem is not None:
            raise problem
        return found

    async def follow(self) -> None:
        """Process the words from other processes."""
        async with aclosing(self._writer.subscribe()) as changes:
            async for words in changes:
                matches = list(self._matches.values())
                named = [live for live in matches if words is None or live.id in words]
                with suppress(NinefoldError):  # try again at the next ping
                    await self._catch_up(named)
                for word in words or ():
                    presence, warning = decode_presence(word), decode_warning(word)
                    if presence is not None:
                        await self._receive_presence(*presence)
                    if warning is not None:
                        self._receive_warning(*warning)
                await self.classes.follow(words)

    async def _receive_presence(
        self, match_id: str, process: str, presence: PresenceChanged
    ) -> None:
        live = self._matches.get(match_id)
        if live is None or process == self.process:
            return
        if live.presence.receive(process, presence) and live.listeners:
            await self.announce_presence([live])
        live.send_presence()

    def _receive_warning(self, match_id: str, warned: CoachWarning) -> None:
        live = self._matches.get(match_id)
        if live is not None:
            live.warnings.add(warned)
            return
        self._warnings.setdefault(match_id, CoachWarnings()).add(warned)
        self._warnings.move_to_end(match_id)
        if len(self._warnings) > self._cached:
            self._warnings.popitem(last=False)

    async def announce_presence(self, matches: Iterable[LiveMatch]) -> None:
        """Tell other processes who is connected to matches in this one."""
        words = [
            encode_presence(live.id, self.process, live.presence.here)
            for live in matches
        ]
        await self._publish(words)

    async def _publish(self, words: Collection[str]) -> None:
        if self._writer.is_shared:
            with suppress(StoreError):  # others catch up on their next read
                await self._writer.publish(words)

    async def create(
        self, match_id: str, setup: Setup, commands: tuple[Command, ...], token: Token
    ) -> LiveMatch:
        """Create a match, or return the one that the same request created before."""
        start = Session.start(setup)
        accepted = tuple(accept_all(start, commands))
        stored = await self._writer.query(lambda store: store.revisions([match_id]))
        if match_id not in stored:  # else the request was sent before
            self._drop(match_id)  # a stale cache entry of a removed match
            append = Append(match_id, accepted, start, str(token))
            with suppress(RevisionConflict):  # the same request is running twice
                await self._writer.append(append)
        return await self.find(match_id)

    async def at(self, live: LiveMatch, number: int) -> Snapshot:
        """Return the snapshot after a command, replayed in the pool if not cached."""
        cached = live.history.recent_at(number)
        if cached is not None:
            return cached
        return await self._pool(partial(live.history.replay, number))

    async def ask(
        self, live: LiveMatch, seat: Seat, message: LogAsk, token: Token
    ) -> Snapshot:
        """Execute a seat's ask, once; return the snapshot after it."""
        ask = message.ask

        async def decide(session: Session) -> Command:
            try:
                return await self._decide(live, session, session.acting_seat(seat), ask)
            except QuestionOpen as error:
                question = cast("Question", error.question)
                move = cast("Move", ask)  # only moves have questions
                warned = live.warnings.at(session)
                if isinstance(question, SlipQuestion) and warned is not None:
                    await self._publish([encode_warning(live.id, warned)])
                asked = QuestionView.of(session, move, question)
                raise question_first(asked) from None

        return await self.execute(live, decide, token, message.seq, message.head)

    async def _decide(
        self, live: LiveMatch, session: Session, seat: Seat, ask: RemoteAsk
    ) -> Command:
        """Return the command for an ask; the coach judges a move in the pool."""
        decide = partial(live.warnings.decide, session, seat, ask)
        may_slip = isinstance(ask, Move) and not ask.despite_coach
        if may_slip and session.setup.lessons.coach:
            with suppress(HttpRefusal):  # the pool is full: the coach is silent
                return await self._pool(decide)
        return decide(coach=False)

    async def execute(
        self,
        live: LiveMatch,
        decide: Decide,
        token: Token,
        seq: int | None,
        head: str | None = None,
    ) -> Snapshot:
        """Execute a request, once; return the snapshot after its command.

        ``seq`` and ``head`` are the revision and digest that the request is based on.
        """
        for _ in range(2):
            async with live.lock:
                if seq is not None and seq > live.session.revision:
                    await self._catch_up([live])
                again = live.history.answered(token)
                if again is not None:
                    # The process that stored it may have died before publishing it.
                    await self._publish([live.id])
                    return await self._let_coach_look(await self.at(live, again))
                # The match may catch up meanwhile: decide on this snapshot.
                before = live.snapshot
                self._refuse_if_held(live)
                live.refuse_out_of_step(seq, head)
                command = await decide(before.session)
                snapshot = await self._let_coach_look(before.after(command))
                if isinstance(command, Move) and not command.despite_coach:
                    warning = await self._slip_warning(live, before.session, command)
                    snapshot = replace(snapshot, warning=warning)
                if await self._commit(live, snapshot, command, str(token)):
                    self.schedule_level_move(live)
                    return snapshot
        raise behind()

    def _refuse_if_held(self, live: LiveMatch) -> None:
        why = self.classes.hold_of(live)
        if why:
            raise held(why)

    async def _commit(
        self, live: LiveMatch, snapshot: Snapshot, command: Command, token: str
    ) -> bool:
        """Store a command, then send it; return False if another process was first."""
        accepted = Accepted(command, snapshot.session)
        append = Append(live.id, (accepted,), request=token)
        try:
            await self._writer.append(append)
        except RevisionConflict:
            live.catch_up(await self._load(live.id))
            return False
        except UnknownMatch:
            self._drop(live.id)  # it was removed
            raise
        live.advance(snapshot, command, token, self._clock())
        return True

    async def _let_coach_look(self, snapshot: Snapshot) -> Snapshot:
        """Return the snapshot with the coach's judgement of the last move."""
        if not snapshot.session.setup.lessons.coach:
            return snapshot
        with suppress(HttpRefusal):  # the pool is full: the coach is silent
            opportunity = await self._pool(snapshot.session.opportunity)
            return replace(snapshot, opportunity=opportunity)
        return snapshot

    async def _slip_warning(self, live: LiveMatch, session: Session, move: Move) -> str:
        """Return the coach's warning about a move without second chances, or "".

        There is one warning at a position.
        """
        is_warned = live.warnings.at(session) is not None
        if session.give_backs or is_warned or not session.setup.lessons.coach:
            return ""
        scene = Scene(session, seats_of(session, session.to_move))
        with suppress(HttpRefusal):  # the pool is full: the coach is silent
            warning = await self._pool(partial(scene.slip_warning, move))
            if warning:
                live.warnings.remember(session, move.multiplier)
            return warning
        return ""

    def _drop(self, match_id: str) -> None:
        self._matches.pop(match_id, None)
        self._recent.pop(match_id, None)

    def _keep(self, live: LiveMatch) -> None:
        self._matches[live.id] = live
        self._recent[live.id] = live
        self._recent.move_to_end(live.id)
        if len(self._recent) > self._cached:
            self._recent.popitem(last=False)

    def schedule_level_move(self, live: LiveMatch) -> None:
        """Schedule a due level move for after the current response."""
        if live.answering or not live.setup.has_level:
            return
        session = live.session
        seat = session.to_move
        if session.empty_seats or seat is None or self.classes.hold_of(live):
            return
        if session.setup.level(seat) is not None:
            live.answering = asyncio.create_task(self._answer(live))

    async def _answer(self, live: LiveMatch) -> None:
        try:
            async with live.lock:
                before = live.snapshot
                move = await self._pool(before.session.next_automatic_command)
                if isinstance(move, Move):
                    snapshot = await self._let_coach_look(before.after(move))
                    if not self.classes.hold_of(live):
                        await self._commit(live, snapshot, move, "")
        except (NinefoldError, HttpRefusal) as error:
            # The next request for this match schedules the move again.
            # Log only the error's name: its message may contain the match's secret id.
            _log.warning("a level could not move (%s)", type(error).__name__)
        finally:
            live.answering = None

    # Listening

    async def listen(
        self, live: LiveMatch, listener: Listener, after: int | None, receive: Receive
    ) -> None:
        """Serve a stream, starting with the commands that it has missed."""
        async with self.stream_of(listener), self.listening(live, listener, after):
            await listener.listen(receive)

    @asynccontextmanager
    async def stream_of(self, listener: Listener) -> AsyncGenerator[None, None]:
        """Open a stream, and count it until its client has read everything."""
        self._open.add(listener)  # counted by ``count_from`` from here on
        self._metrics.listeners.inc()
        try:
            await listener.begin()
            yield
            await listener.finish()  # a client that does not read is counted until then
        finally:
            self._open.discard(listener)
            self._metrics.listeners.dec()
            self._metrics.cut_off.inc(listener.was_too_slow)

    @asynccontextmanager
    async def listening(
        self, live: LiveMatch, listener: MatchListener, after: int | None
    ) -> AsyncGenerator[None, None]:
        """Send a listener the messages of a match, from those that it has missed."""
        try:
            live.add_listener(listener, after)
            await self.announce_presence([live])
            yield
        finally:
            live.remove_listener(listener)
        await self.announce_presence([live])

    def count_from(self, address: str) -> int:
        """Return the number of open streams of an address."""
        return sum(listener.address == address for listener in self._open)

    async def ping(self, seconds: float) -> None:
        """Ping every stream at intervals; catch up if the store may be ahead."""
        while True:
            await asyncio.sleep(seconds)
            for listener in tuple(self._open):
                listener.enqueue(PING)
            listened = [live for live in self._matches.values() if live.listeners]
            await self.announce_presence(listened)
            for live in listened:
                live.send_presence()
                self.schedule_level_move(live)  # again, if it failed before
            if self._writer.may_be_ahead:
                with suppress(NinefoldError):  # try again at the next ping
                    await self._catch_up(listened)

    def end_streams(self, *, host_leaves: bool = False) -> None:
        """End every stream; clients reconnect unless told that the host has left."""
        if host_leaves:
            for live in self._matches.values():
                live.broadcast_closed()
        for listener in tuple(self._open):
            listener.end()
