"""All classes in memory: loading, deciding, committing, sending, ending rounds.

A command of a class is on disk, with the matches that it creates, before anyone sees
it. Another process may be ahead: a command that loses its number is decided again.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from datetime import datetime
from functools import partial
from secrets import randbelow
from typing import NoReturn

from msgspec import Struct
from starlette.types import Receive

from ninefold import errors
from ninefold.classroom import Answer, Classroom, Command, Door, EndRound, Join
from ninefold.online.class_messages import PupilView, TeacherView
from ninefold.server.class_views import pupil_view, solve_question, teacher_view
from ninefold.server.commit_queue import Writer
from ninefold.server.event_streams import Listener
from ninefold.server.live_class import (
    LiveClass,
    TableListener,
    encode_view,
)
from ninefold.server.live_match import LiveMatch
from ninefold.server.live_matches import LiveMatches
from ninefold.server.responses import HttpRefusal
from ninefold.server.seats import Device, Token
from ninefold.server.thread_pool import Pool
from ninefold.store import (
    Append,
    ClassAppend,
    ClassCommand,
    LoggedCommand,
    StoredClass,
    StoredMatch,
)

_log = logging.getLogger(__name__)

_CODE_DIGITS = 6
_SECONDS_BETWEEN_LOOKS = 1.0
_LOOKS_BETWEEN_WORDS = 20
_HERE = re.compile(r"([^:]+):class:([^:]+):([0-9,]*)")


class Decision(Struct, frozen=True):
    """The command for a request, and the matches that it creates."""

    command: Command
    matches: tuple[Append, ...] = ()


Decide = Callable[[Classroom], Awaitable[Decision | None]]
"""Returns the decision about a request, None to do nothing, or raises to refuse it."""


def new_class(class_id: str, now: datetime, *commands: Command) -> ClassAppend:
    """Return the append that creates a class with a random code and an open door."""
    code = f"{randbelow(10**_CODE_DIGITS):0{_CODE_DIGITS}}"
    door = Door(code, is_open=True)
    logged = tuple(ClassCommand(command, now) for command in (door, *commands))
    return ClassAppend(class_id, 0, logged, code)


def encode_here(class_id: str, process: str, pupils: Iterable[int]) -> str:
    """Encode the pupils connected to a process as a word for others.

    >>> encode_here("c", "p", [2, 5])
    'c:class:p:2,5'
    """
    return f"{class_id}:class:{process}:{','.join(map(str, pupils))}"


def decode_here(word: str) -> tuple[str, list[int]] | None:
    """Decode the pupils of a class who are connected to another process.

    >>> decode_here("c:class:p:2,5"), decode_here("c")
    (('c', [2, 5]), None)
    """
    found = _HERE.fullmatch(word)
    if found is None:
        return None
    class_id, _, pupils = found.groups()
    return class_id, [int(each) for each in pupils.split(",") if each]


class LiveClasses:
    """The classes in memory, loaded when a request or a match needs them."""

    def __init__(
        self,
        writer: Writer,
        live_matches: LiveMatches,
        pool: Pool,
        clock: Callable[[], datetime],
        *,
        keeps_bands: bool = False,
    ) -> None:
        """Pause and end the matches of classes in ``live_matches``.

        ``keeps_bands``: whether the server has only one class, and answers nobody's
        questions about bands.
        """
        self._writer = writer
        self._live_matches = live_matches
        self._pool = pool
        self._clock = clock
        self._keeps_bands = keeps_bands
        self._classes: dict[str, LiveClass] = {}
        self._followed: dict[Listener, tuple[LiveMatch, TableListener]] = {}
        """The table that each device's stream follows."""
        self.reached_from: str | None = None
        """The last address on the network from which the server was reached."""
        live_matches.classes = self

    # Loading

    async def find(self, class_id: str) -> LiveClass:
        """Return a class; raise ``UnknownClass`` if there is none."""
        live = self._classes.get(class_id)
        if live is None:
            stored = await self._stored(class_id)
            live = self._classes.get(class_id) or LiveClass(stored)
            live.on_flush = partial(self._flush, live)
            self._classes[class_id] = live
            await self._solve(live)
        return live

    async def find_current(self, class_id: str) -> LiveClass:
        """Return a class, up to date with other processes."""
        live = await self.find(class_id)
        if self._writer.may_be_ahead:
            await self._catch_up([live])
            return await self.find(class_id)
        return live

    async def with_code(self, code: str) -> LiveClass | None:
        """Return the class with a code, or None."""
        class_id = await self._writer.query(lambda store: store.class_with_code(code))
        return None if class_id is None else await self.find_current(class_id)

    async def _stored(self, class_id: str) -> StoredClass:
        return await self._writer.query(lambda store: store.class_with_id(class_id))

    async def _catch_up(self, classes: Iterable[LiveClass]) -> None:
        """Catch up with other processes; forget the classes that were removed."""
        ids = [live.id for live in classes]
        if not ids:
            return
        found = await self._writer.query(lambda store: store.class_revisions(ids))
        for live in classes:
            if live.id not in found:
                self.drop(live.id)
            elif found[live.id] > live.classroom.revision and live.catch_up(
                await self._stored(live.id)
            ):
                await self._changed(live, None)

    def drop(self, class_id: str) -> None:
        """Forget a class that was removed, and end its streams."""
        live = self._classes.pop(class_id, None)
        for listener in () if live is None else tuple(live.streams):
            listener.end()
        self._live_matches.drop_class(class_id)

    # As ``live_matches.Classes``

    async def load(self, class_id: str) -> None:
        with suppress(errors.UnknownClass):  # its matches are about to go, too
            await self.find(class_id)

    def hold_of(self, live: LiveMatch) -> str:
        if live.class_id is None:
            return ""
        room = self._classes.get(live.class_id)
        return str(errors.UnknownClass()) if room is None else room.hold_of(live.id)

    async def follow(self, words: frozenset[str] | None) -> None:
        live = [
            each for each in self._classes.values() if words is None or each.id in words
        ]
        with suppress(errors.NinefoldError):  # try again with the next words
            await self._catch_up(live)
        for class_id, pupils in filter(None, map(decode_here, words or ())):
            if class_id in self._classes:
                self._classes[class_id].see(pupils)

    # Commands

    async def create(self, class_id: str) -> None:
        """Create a class; raise ``RevisionConflict`` if its id or its code is taken."""
        await self._writer.append(new_class(class_id, self._clock()))

    async def execute(self, live: LiveClass, decide: Decide, token: Token) -> None:
        """Execute a request, once: decide again until it is stored or refused."""
        while True:
            async with live.lock:
                if live.answered(token):
                    await self._publish([live.id])
                    return
                before = live.classroom
                decision = await decide(before)
                if decision is None:
                    return
                command, now = decision.command, self._clock()
                after = before.accept(command, now)
                logged = (ClassCommand(command, now, str(token)),)
                append = ClassAppend(
                    live.id, before.revision, logged, after.code, decision.matches
                )
                try:
                    await self._writer.append(append)
                except errors.RevisionConflict:
                    await self._catch_up([live])
                    if live.classroom is before:  # the store was set back
                        self.drop(live.id)
                        await self.find(live.id)
                        raise
                    continue
                except errors.UnknownClass:
                    self.drop(live.id)
                    raise
                if live.advance(before.revision, after, logged):
                    self._adopt(decision.matches, live.id, now)
                    # Two hundred may answer or join at once: nobody else sees it.
                    own = command.pupil if isinstance(command, Answer | Join) else None
                    await self._changed(live, own)
                return

    def _adopt(self, matches: Iterable[Append], class_id: str, now: datetime) -> None:
        """Take new matches into memory without reading them."""
        for append in matches:
            if append.start is not None:
                log = tuple(
                    LoggedCommand(each.command, now, append.request)
                    for each in append.accepted
                )
                setup = append.start.setup
                stored = StoredMatch(append.match_id, setup, log, now, now)
                self._live_matches.adopt(stored, class_id)

    async def remove(self, class_id: str) -> None:
        """Remove a class and everything in it."""
        await self._writer.query(lambda store: store.delete_class(class_id))
        self.drop(class_id)
        await self._publish([class_id])

    async def _publish(self, words: list[str]) -> None:
        if self._writer.is_shared:
            with suppress(errors.StoreError):  # others catch up on their next read
                await self._writer.publish(words)

    # Sending

    async def _changed(self, live: LiveClass, pupil: int | None) -> None:
        """Send the devices of a pupil, or of all, their view after a command.

        One that concerns all may let levels move and tables change.
        """
        await self._solve(live)
        await self._pin(live)
        for listener, device in tuple(live.streams.items()):
            if not device.is_teacher and pupil in (None, device.pupil):
                listener.enqueue(encode_view(self.pupil_view(live, device)))
        live.note()
        if pupil is None:
            for match in live.matches.values():
                self._live_matches.schedule_level_move(match)
            await self._follow_tables(live)

    async def _solve(self, live: LiveClass) -> None:
        """Solve the question whose truth is shown, in the pool."""
        poll = live.classroom.poll
        if poll is not None and poll.shows_truth and poll.question not in live.truths:
            # If the pool is full, the next command tries again.
            with suppress(HttpRefusal):
                found = await self._pool(partial(solve_question, poll.question))
                live.truths = {poll.question: found}

    async def _pin(self, live: LiveClass) -> None:
        """Keep the matches on the board in memory while a teacher looks at it."""
        wanted = live.on_board()
        if wanted == live.matches.keys():
            return
        found = []
        for match_id in wanted:
            with suppress(errors.NinefoldError):  # one damaged table stops no others
                found.append(await self._live_matches.find(match_id))
        live.pin(found)

    def pupil_view(self, live: LiveClass, device: Device) -> PupilView:
        """Return a class as a pupil's device sees it."""
        return pupil_view(live, device, self._clock())

    async def teacher_view(self, live: LiveClass) -> TeacherView:
        """Return a class as its teacher sees it."""
        await self._pin(live)
        return self._teacher_view(live)

    def _teacher_view(self, live: LiveClass) -> TeacherView:
        return teacher_view(
            live,
            self._clock(),
            keeps_bands=self._keeps_bands,
            reached_from=self.reached_from,
        )

    def _flush(self, live: LiveClass) -> None:
        """Send the teacher what has changed since the last time."""
        teachers = live.teachers()
        if teachers and live.changed is None:
            data = encode_view(self._teacher_view(live))
            for listener in teachers:
                listener.enqueue(data)
        elif teachers:
            live.send_board()
        live.changed = set()

    def note_visitor(self, address: str) -> None:
        """Show the teacher from where the server was reached."""
        if address != self.reached_from:
            self.reached_from = address
            for live in self._classes.values():
                live.note()

    # Streams

    async def listen(
        self, live: LiveClass, device: Device, listener: Listener, receive: Receive
    ) -> None:
        """Serve the stream of a device: its class, and its table."""
        async with self._live_matches.stream_of(listener):
            live.replace_stream(device)
            live.streams[listener] = device
            if self._classes.get(live.id) is not live:
                listener.end()  # the class was removed meanwhile
            try:
                await self._greet(live, device, listener)
                await listener.listen(receive)
            finally:
                del live.streams[listener]
                await self._leave(listener)

    async def _greet(self, live: LiveClass, device: Device, listener: Listener) -> None:
        """Send a new stream the present."""
        if device.is_teacher:
            listener.enqueue(encode_view(await self.teacher_view(live)))
            return
        live.see(live.connected())
        listener.enqueue(encode_view(self.pupil_view(live, device)))
        changed = await self._follow_table(live, device, listener)
        await self._live_matches.announce_presence(changed)

    async def _leave(self, listener: Listener) -> None:
        """Leave the table that a stream follows."""
        followed = self._followed.pop(listener, None)
        if followed is not None:
            match, at_table = followed
            match.remove_listener(at_table)
            await self._live_matches.announce_presence([match])

    async def _follow_tables(self, live: LiveClass) -> None:
        """Have each device follow the table at which its pupil sits now."""
        followed = []
        for listener, device in tuple(live.streams.items()):
            followed += await self._follow_table(live, device, listener)
        await self._live_matches.announce_presence(followed)

    async def _follow_table(
        self, live: LiveClass, device: Device, listener: Listener
    ) -> list[LiveMatch]:
        """Have a stream follow its table; return the matches whose presence changed."""
        changed = []
        while listener in live.streams:
            wanted = live.match_of(device)
            followed = self._followed.get(listener)
            if wanted == (followed[0].id if followed else None):
                break
            if followed:
                followed[0].remove_listener(followed[1])
                del self._followed[listener]
                changed.append(followed[0])
            if wanted is None:
                continue
            try:
                match = await self._live_matches.find(wanted)
            except errors.NinefoldError:  # a damaged table: the class goes on
                break
            is_free = listener in live.streams and listener not in self._followed
            if is_free and live.match_of(device) == wanted:
                at_table = TableListener(live.seat_of(wanted, device), listener)
                self._followed[listener] = match, at_table
                match.add_listener(at_table, None)
                changed.append(match)
        return changed

    # In the background

    async def watch(self) -> NoReturn:
        """End rounds whose minutes are over; tell the teacher who is away."""
        looks = 0
        while True:
            await asyncio.sleep(_SECONDS_BETWEEN_LOOKS)
            looks += 1
            for live in tuple(self._classes.values()):
                try:
                    await self.end_round_in_time(live)
                except (errors.NinefoldError, HttpRefusal) as error:
                    # Log only the error's name: its message may name a pupil.
                    _log.warning("a round could not end (%s)", type(error).__name__)
                if live.look_around() and looks % _LOOKS_BETWEEN_WORDS == 0:
                    here = encode_here(
                        live.id, self._live_matches.process, live.connected()
                    )
                    await self._publish([here])

    async def end_round_in_time(self, live: LiveClass) -> None:
        """End the round of a class if its minutes are over."""
        if not self._is_due(live.classroom):
            return

        async def decide(room: Classroom) -> Decision | None:
            return Decision(EndRound()) if self._is_due(room) else None

        token = Token(None, f"end/{live.id}/{live.classroom.rounds}", b"")
        await self.execute(live, decide, token)

    def _is_due(self, room: Classroom) -> bool:
        ends_at = None if room.round is None else room.round.ends_at
        return ends_at is not None and ends_at <= self._clock()

    async def remove_older_than(self, before: datetime) -> int:
        """Remove the classes last changed before a time; return their number."""
        removed = await self._writer.query(
            lambda store: store.delete_classes_older_than(before)
        )
        for class_id in removed:
            self.drop(class_id)
        await self._publish(removed)
        return len(removed)
