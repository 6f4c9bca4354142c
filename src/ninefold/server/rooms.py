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
    Iterator,
)
from contextlib import suppress
from secrets import token_hex
from weakref import WeakValueDictionary

from starlette.types import Receive

from ninefold.errors import NinefoldError, OutOfStep, StoreError, UnknownMatch
from ninefold.game import Game
from ninefold.online.wire import Presence
from ninefold.server.keys import Token
from ninefold.server.metrics import Metrics
from ninefold.server.presence import NOBODY, Company, read_word, write_word
from ninefold.server.refusals import Refused, behind, reused
from ninefold.server.requests import CoachWarning
from ninefold.server.snapshots import Snapshot, Viewer
from ninefold.server.streams import (
    MOST_MISSED,
    PING,
    Listener,
    write_message,
    write_presence,
)
from ninefold.server.thinker import Thinker
from ninefold.server.writer import Writer
from ninefold.session import Command, Move, Session, Setup, Sit
from ninefold.store import Append, KeptMatch

_log = logging.getLogger(__name__)

Decide = Callable[[Session], Awaitable[Command]]
"""Turns a request into a command, or refuses it."""

_ROOMS_CACHED = 2_000
_LONG_GAME = 200
"""Moves; a message of a longer one is long, and only the last is told again."""


class Room:
    """One match: where it stands, what it has answered, who listens."""

    def __init__(self, kept: KeptMatch) -> None:
        """Take the match as it is stored."""
        self.id = kept.id
        self.setup: Setup = kept.setup
        self.lock = asyncio.Lock()
        """Held while a command is decided and committed."""
        self.listeners: set[Listener] = set()
        self.answering: asyncio.Task[None] | None = None
        """A level on its way to a move."""
        self._answered: dict[str, tuple[str, int]] = {}
        self.company = Company()
        self.warning = CoachWarning()
        self._told = NOBODY
        self._take(kept)

    @property
    def session(self) -> Session:
        """The session after the last command."""
        return self.snapshot.session

    def _take(self, kept: KeptMatch) -> None:
        self.snapshot = Snapshot.replay(kept.id, kept.setup, kept.commands)
        for logged in kept.log:
            self._note(logged.request, logged.number)

    def _note(self, token: str, number: int) -> None:
        request, _, body = token.partition(".")
        if request:
            self._answered[request] = body, number

    def at(self, number: int) -> Snapshot:
        """Return the match after an earlier command."""
        if number == self.session.revision:
            return self.snapshot
        return Snapshot.replay(self.id, self.setup, self.session.log[:number])

    def ended_games(self) -> Iterator[tuple[int, int, Game]]:
        """Yield every game that has ended, with the number of its match and its own."""
        session = Session.start(self.setup)
        for command in self.session.log:
            was_over = session.game.outcome is not None
            session, _ = session.after(command)  # without its log, which is long
            if session.game.outcome is not None and not was_over:
                yield session.match_number, session.number, session.game

    def answer_again(self, token: Token) -> Snapshot | None:
        """Return what a request was answered before; refuse one with another body."""
        if token.request not in self._answered:
            return None
        body, number = self._answered[token.request]
        if body != token.body:
            raise reused()
        return self.at(number)

    def advance(self, snapshot: Snapshot, token: str) -> None:
        """Go on to the next command, which is on disk, and tell everyone."""
        if snapshot.session.revision > self.session.revision:  # else it caught up
            self.snapshot = snapshot
        self._note(token, snapshot.session.revision)
        self._tell((snapshot,))

    def catch_up(self, kept: KeptMatch) -> None:
        """Go on to where the store is, and tell everyone."""
        seen = self.session.revision
        if len(kept.log) <= seen:
            return
        self._take(kept)
        self._tell(self._since(seen))

    def _since(self, number: int) -> Iterable[Snapshot]:
        """Return the match after each later command; only the last if too many."""
        last = self.session.revision
        is_long = len(self.session.game.moves) > _LONG_GAME
        if is_long or not 0 < number <= last or last - number > MOST_MISSED:
            return (self.snapshot,)
        if number == last:
            return ()
        found: list[Snapshot] = []
        snapshot = self.at(number)
        for command in self.session.log[number:-1]:
            snapshot = snapshot.after(command)
            found.append(snapshot)
        return (*found, self.snapshot)

    def _tell(self, snapshots: Iterable[Snapshot]) -> None:
        for snapshot in snapshots:
            written: dict[Viewer, bytes] = {}
            for listener in tuple(self.listeners):
                viewer = listener.viewer
                if viewer not in written:
                    written[viewer] = write_message(snapshot.message(viewer))
                listener.offer_message(snapshot.session.revision, written[viewer])

    def enter(self, listener: Listener, after: int | None) -> None:
        """Let a listener in, and tell what it missed since a command it has heard of.

        Nothing can come in between: a command is told in one step.
        """
        self.listeners.add(listener)
        missed = self._since(after or 0)
        listener.seq = after if after is not None and self._knows(after) else 0
        for snapshot in missed:
            message = write_message(snapshot.message(listener.viewer))
            listener.offer_message(snapshot.session.revision, message)
        self._count()
        if not self.tell_presence():
            listener.offer_presence(write_presence(self._told))

    def _knows(self, number: int) -> bool:
        return 0 < number <= self.session.revision

    def leave(self, listener: Listener) -> None:
        """Let a listener go."""
        self.listeners.discard(listener)
        self._count()
        self.tell_presence()

    def _count(self) -> None:
        self.company.count(listener.viewer for listener in self.listeners)

    def tell_presence(self) -> bool:
        """Tell everyone who is here, if that has changed."""
        presence = self.company.all()
        if presence == self._told:
            return False
        self._told = presence
        data = write_presence(presence)
        for listener in tuple(self.listeners):
            listener.offer_presence(data)
        return True


class Rooms:
    """Every room there is; a match is loaded into one when it is asked for."""

    def __init__(
        self,
        writer: Writer,
        think: Thinker,
        metrics: Metrics,
        cached: int = _ROOMS_CACHED,
    ) -> None:
        """Take the store's thread, and where what takes long is worked out.

        So many rooms are cached; one that is in use is there beside them.
        """
        self._cached = cached
        self._writer = writer
        self._think = think
        self._metrics = metrics
        self._rooms: WeakValueDictionary[str, Room] = WeakValueDictionary()
        self._recent: OrderedDict[str, Room] = OrderedDict()
        self._open: set[Listener] = set()
        self._process = token_hex(4)
        """The name of this process among others."""

    async def find(self, match_id: str) -> Room:
        """Return the room of a match; a level that is to move makes its move."""
        room = self._rooms.get(match_id)
        if room is None:
            kept = await self._load(match_id)
            room = Room(kept)
            room.snapshot = await self._let_coach_look(room.snapshot)
            room = self._rooms.get(match_id) or room
            room.catch_up(kept)  # where somebody made the room meanwhile
        elif self._writer.is_shared and match_id not in await self._catch_up([room]):
            raise UnknownMatch(match_id)
        self._keep(room)
        self._wake(room)
        return room

    async def _load(self, match_id: str) -> KeptMatch:
        return await self._writer.ask(lambda store: store.match(match_id))

    async def _catch_up(self, rooms: Collection[Room]) -> Container[str]:
        """Catch up with other processes; return the matches that are still there."""
        ids = [room.id for room in rooms]
        found = await self._writer.ask(lambda store: store.revisions(ids))
        for room in rooms:
            if found.get(room.id, 0) > room.session.revision:
                room.catch_up(await self._load(room.id))
                self._wake(room)
        return found

    async def follow(self) -> None:
        """Catch up with what other processes do, as they do it."""
        async for words in self._writer.changes():
            rooms = list(self._rooms.values())
            told = [room for room in rooms if words is None or room.id in words]
            with suppress(NinefoldError):  # they do so with the next ping
                await self._catch_up(told)
            for heard in map(read_word, words or ()):
                if heard is not None:
                    await self._hear(*heard)

    async def _hear(self, match_id: str, process: str, presence: Presence) -> None:
        """Hear from another process who is connected to it."""
        room = self._rooms.get(match_id)
        if room is None or process == self._process:
            return
        if room.company.hear(process, presence) and room.listeners:
            await self._tell_others([room])
        room.tell_presence()

    async def _tell_others(self, rooms: Iterable[Room]) -> None:
        """Tell other processes who is connected to this one."""
        if not self._writer.is_shared:
            return
        words = [
            write_word(room.id, self._process, room.company.here) for room in rooms
        ]
        with suppress(StoreError):  # it is told again soon
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
        self, room: Room, decide: Decide, token: Token, seq: int | None
    ) -> Snapshot:
        """Do what a request asks for; return the match as it is answered."""
        for _ in range(2):
            async with room.lock:
                again = room.answer_again(token)
                if again is not None:
                    await self._tell_again(room)
                    return await self._let_coach_look(again)
                # The room may catch up meanwhile: what is decided holds for this one.
                before = room.snapshot
                if seq is not None and seq > before.session.revision:
                    await self._catch_up([room])
                    before = room.snapshot
                if seq is not None and seq != before.session.revision:
                    raise behind()
                snapshot = before.after(await decide(before.session))
                if await self._commit(room, snapshot, str(token)):
                    self._wake(room)
                    return snapshot
        raise behind()

    async def _tell_again(self, room: Room) -> None:
        """Tell other processes what one that died may not have told any more."""
        if self._writer.is_shared:
            with suppress(StoreError):  # they find out with the next ping
                await self._writer.announce([room.id])

    async def _commit(self, room: Room, snapshot: Snapshot, token: str) -> bool:
        """Put a command on disk, then tell; False if the match went on elsewhere."""
        session = snapshot.session
        snapshot = await self._let_coach_look(snapshot)
        append = Append(room.id, session.revision, session.log[-1:], request=token)
        try:
            await self._writer.append(append)
        except OutOfStep:
            room.catch_up(await self._load(room.id))
            return False
        except UnknownMatch:
            self._drop(room.id)  # it was forgotten
            raise
        room.advance(snapshot, token)
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
                    await self._commit(room, before.after(move), "")
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
            if self._writer.is_shared:
                with suppress(NinefoldError):  # the next ping is as good
                    await self._catch_up(listened)

    def end_streams(self) -> None:
        """End every stream; whoever listens connects again."""
        for listener in tuple(self._open):
            listener.end()
