"""Matches that are being played or watched now, each in one room.

Keep before tell: a command is on disk before it is answered, and before anyone who
listens hears of it. A room is a cache of the store; where the store has gone on
without it, the room catches up.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import (
    Awaitable,
    Callable,
    Collection,
    Container,
    Iterable,
)
from contextlib import aclosing, suppress
from datetime import UTC, datetime
from secrets import token_hex
from weakref import WeakValueDictionary

from starlette.types import Receive

from ninefold.errors import NinefoldError, OutOfStep, StoreError, UnknownMatch
from ninefold.online.messages import Presence
from ninefold.server.coach_warning import CoachWarning
from ninefold.server.keys import Token
from ninefold.server.metrics import Metrics
from ninefold.server.presence import read_word, write_word
from ninefold.server.refusals import Refused, behind, rolled_back
from ninefold.server.room import Room
from ninefold.server.snapshots import Snapshot
from ninefold.server.streams import (
    PING,
    Listener,
)
from ninefold.server.thinker import Thinker
from ninefold.server.writer import Writer
from ninefold.session import Command, Move, Session, Setup, Sit
from ninefold.store import Append, KeptMatch

_log = logging.getLogger(__name__)

Decide = Callable[[Session], Awaitable[Command]]
"""Turns a request into a command, or refuses it."""

_ROOMS_CACHED = 2_000


def _now() -> datetime:
    return datetime.now(UTC)


class Rooms:
    """Every room there is; a match is loaded into one when it is asked for."""

    def __init__(
        self,
        writer: Writer,
        think: Thinker,
        metrics: Metrics,
        cached: int = _ROOMS_CACHED,
        clock: Callable[[], datetime] = _now,
    ) -> None:
        """Take the store's thread, and where what takes long is worked out.

        So many rooms are cached; one that is in use is there beside them.
        """
        self._cached = cached
        self._writer = writer
        self._think = think
        self._metrics = metrics
        self._clock = clock
        self._rooms: WeakValueDictionary[str, Room] = WeakValueDictionary()
        self._recent: OrderedDict[str, Room] = OrderedDict()
        self._open: set[Listener] = set()
        self._warnings: OrderedDict[str, CoachWarning] = OrderedDict()
        """What the coach said elsewhere, in matches that are not loaded here."""
        self._process = token_hex(4)
        """The name of this process among others."""

    async def find(self, match_id: str) -> Room:
        """Return the room of a match; a level that is to move makes its move.

        Another process may have gone on: ``act`` finds out, ``look`` asks.
        """
        room = self._rooms.get(match_id)
        if room is None:
            kept, snapshot = await self._load(match_id)
            room = self._rooms.get(match_id) or self._make(kept, snapshot)
            room.catch_up(kept, snapshot)  # where somebody made the room meanwhile
        self._keep(room)
        self._wake(room)
        return room

    async def look(self, match_id: str) -> Room:
        """Return the room of a match as it stands, whichever process went on."""
        may_be_behind = self._writer.may_be_ahead and match_id in self._rooms
        room = await self.find(match_id)
        if may_be_behind and match_id not in await self._catch_up([room]):
            raise UnknownMatch(match_id)
        return room

    def _make(self, kept: KeptMatch, snapshot: Snapshot) -> Room:
        room = Room(kept, snapshot)
        room.warning = self._warnings.pop(kept.id, room.warning)
        return room

    async def _load(self, match_id: str) -> tuple[KeptMatch, Snapshot]:
        """Load a match, and let the coach look at it."""
        kept = await self._writer.ask(lambda store: store.match(match_id))
        return kept, await self._let_coach_look(Snapshot.of(kept))

    async def _catch_up(self, rooms: Collection[Room]) -> Container[str]:
        """Catch up with other processes; return the matches that are still there."""
        ids = [room.id for room in rooms]
        found = await self._writer.ask(lambda store: store.revisions(ids))
        problem: NinefoldError | None = None
        for room in rooms:
            if found.get(room.id, 0) > room.session.revision:
                try:
                    room.catch_up(*await self._load(room.id))
                except NinefoldError as error:  # which keeps no other behind
                    problem = error
                else:
                    self._wake(room)
        if problem is not None:
            raise problem
        return found

    async def follow(self) -> None:
        """Catch up with what other processes do, as they do it."""
        async with aclosing(self._writer.changes()) as changes:
            async for words in changes:
                rooms = list(self._rooms.values())
                told = [room for room in rooms if words is None or room.id in words]
                with suppress(NinefoldError):  # they do so with the next ping
                    await self._catch_up(told)
                for word in words or ():
                    heard, warned = read_word(word), CoachWarning.read_word(word)
                    if heard is not None:
                        await self._hear(*heard)
                    if warned is not None:
                        self._hear_warning(*warned)

    async def _hear(self, match_id: str, process: str, presence: Presence) -> None:
        """Hear from another process who is connected to it."""
        room = self._rooms.get(match_id)
        if room is None or process == self._process:
            return
        if room.company.hear(process, presence) and room.listeners:
            await self._tell_others([room])
        room.tell_presence()

    def _hear_warning(self, match_id: str, warning: CoachWarning) -> None:
        """Hear from another process that the coach has spoken there."""
        room = self._rooms.get(match_id)
        if room is not None:
            room.warning = warning
            return
        self._warnings[match_id] = warning
        if len(self._warnings) > self._cached:
            self._warnings.popitem(last=False)

    async def tell_warning(self, room: Room) -> None:
        """Tell other processes that the coach has spoken here."""
        await self._announce([room.warning.write_word(room.id)])

    async def _tell_others(self, rooms: Iterable[Room]) -> None:
        """Tell other processes who is connected to this one."""
        words = [
            write_word(room.id, self._process, room.company.here) for room in rooms
        ]
        await self._announce(words)  # which is done again soon

    async def _announce(self, words: Collection[str]) -> None:
        if self._writer.is_shared:
            with suppress(StoreError):  # they find out when they look
                await self._writer.announce(words)

    async def create(self, match_id: str, setup: Setup, sit: Sit, token: Token) -> Room:
        """Make a match, or return the one that the same request made before."""
        Session.start(setup).accept(sit)  # refuses what cannot be played
        append = Append(match_id, 1, (sit,), setup, str(token))
        with suppress(OutOfStep):  # it is there: the request was sent before
            await self._writer.append(append)
            self._drop(match_id)  # one of this name was forgotten
        return await self.find(match_id)

    async def act(
        self,
        room: Room,
        decide: Decide,
        token: Token,
        seq: int | None,
        head: str | None = None,
    ) -> Snapshot:
        """Do what a request asks for; return the match as it is answered."""
        for _ in range(2):
            async with room.lock:
                if seq is not None and seq > room.session.revision:
                    await self._catch_up([room])
                again = room.answer_again(token)
                if again is not None:
                    await self._tell_again(room)
                    return await self._let_coach_look(again)
                # The room may catch up meanwhile: what is decided holds for this one.
                before = room.snapshot
                if head is not None and room.head(seq or 0) != head:
                    raise rolled_back()
                if seq is not None and seq != before.session.revision:
                    raise behind()
                decided = before.after(await decide(before.session))
                snapshot = await self._let_coach_look(decided)
                if await self._commit(room, snapshot, str(token)):
                    self._wake(room)
                    return snapshot
        raise behind()

    async def _tell_again(self, room: Room) -> None:
        """Tell other processes what one that died may not have told any more."""
        await self._announce([room.id])

    async def _commit(self, room: Room, snapshot: Snapshot, token: str) -> bool:
        """Put a command on disk, then tell; False if the match went on elsewhere."""
        session = snapshot.session
        append = Append(room.id, session.revision, session.log[-1:], request=token)
        try:
            await self._writer.append(append)
        except OutOfStep:
            room.catch_up(*await self._load(room.id))
            return False
        except UnknownMatch:
            self._drop(room.id)  # it was forgotten
            raise
        room.advance(snapshot, token, self._clock())
        return True

    async def _let_coach_look(self, snapshot: Snapshot) -> Snapshot:
        """Find out, beside everything else, whether the coach will have a word."""
        if not snapshot.session.setup.lessons.coach:
            return snapshot
        with suppress(Refused):  # too much is being worked out: it is silent
            return await self._think(snapshot.let_coach_look)
        return snapshot

    def _drop(self, match_id: str) -> None:
        self._rooms.pop(match_id, None)
        self._recent.pop(match_id, None)

    def _keep(self, room: Room) -> None:
        self._rooms[room.id] = room
        self._recent[room.id] = room
        self._recent.move_to_end(room.id)
        if len(self._recent) > self._cached:
            self._recent.popitem(last=False)

    def _wake(self, room: Room) -> None:
        """Let a level that is to move make its move, after whoever is answered now."""
        session = room.session
        if session.empty_seats or session.to_move is None or room.answering:
            return
        if session.setup.level(session.to_move) is not None:
            room.answering = asyncio.create_task(self._answer(room))

    async def _answer(self, room: Room) -> None:
        try:
            async with room.lock:
                before = room.snapshot
                move = await self._think(before.session.proposal)
                if isinstance(move, Move):
                    snapshot = await self._let_coach_look(before.after(move))
                    await self._commit(room, snapshot, "")
        except (NinefoldError, Refused) as error:
            # Whoever asks for this match next wakes the level again.
            _log.warning("a level could not move: %s", error)
        finally:
            room.answering = None

    # Listening

    async def listen(
        self, room: Room, listener: Listener, after: int | None, receive: Receive
    ) -> None:
        """Keep a stream open, from what it missed on."""
        self._open.add(listener)  # it counts from here on
        self._metrics.listeners.inc()
        try:
            await listener.begin()
            try:
                room.enter(listener, after)
                await self._tell_others([room])
                await listener.listen(receive)
            finally:
                room.leave(listener)
            await self._tell_others([room])
            await listener.finish()  # one that does not read goes on to count
        finally:
            self._open.discard(listener)
            self._metrics.listeners.dec()
            self._metrics.cut_off.inc(listener.was_too_slow)

    def count_from(self, address: str) -> int:
        """Return how many streams are open to an address."""
        return sum(listener.address == address for listener in self._open)

    async def ping(self, seconds: float) -> None:
        """Send everyone a sign of life, again and again."""
        while True:
            await asyncio.sleep(seconds)
            for listener in tuple(self._open):
                listener.offer(PING)
            listened = [room for room in self._rooms.values() if room.listeners]
            await self._tell_others(listened)
            for room in listened:
                room.tell_presence()
                self._wake(room)  # a level that could not move tries again
            if self._writer.may_be_ahead:
                with suppress(NinefoldError):  # the next ping is as good
                    await self._catch_up(listened)

    def end_streams(self) -> None:
        """End every stream; whoever listens connects again."""
        for listener in tuple(self._open):
            listener.end()
