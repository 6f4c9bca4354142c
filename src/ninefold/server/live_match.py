"""A match that is being played or watched: a cache of the store, with listeners."""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import datetime
from functools import cached_property

from msgspec import Struct
from msgspec.structs import asdict

from ninefold.game import Seat
from ninefold.notation.codec import encode_bytes
from ninefold.online.messages import (
    LogPage,
    LogStep,
    MatchLog,
    Message,
    WireCommand,
    first_head,
    next_head,
    public,
)
from ninefold.playing.state import State, Viewer
from ninefold.server.event_streams import (
    MOST_MISSED,
    MatchListener,
    encode_closed,
    encode_message,
    encode_presence_event,
)
from ninefold.server.presence import NOBODY, PresenceTracker
from ninefold.server.responses import behind, match_changed, request_id_reused
from ninefold.server.seats import Token
from ninefold.session import Command, Ended, Event, Move, Session, Setup
from ninefold.session.coach_warnings import CoachWarning, CoachWarnings
from ninefold.session.table import TableClosed
from ninefold.store import StoredMatch
from ninefold.views.match_text import table_closed_message

_WARNING = re.compile(r"([^:]+):warned:([0-9a-f]{16}):([0-9a-f]{16}):([0-9]{1,9})")
_LONG_GAME = 200
"""Moves; longer games have large states, of which only the last is sent again."""
_PAGE_COMMANDS = 1_000
_PAGE_BYTES = 256 * 1024
"""A page of a log ends with the command that exceeds these bytes."""


def encode_warning(match_id: str, warned: CoachWarning) -> str:
    """Encode a warning of the coach as a word for other processes."""
    return f"{match_id}:warned:{warned.position}:{warned.move}:{warned.revision}"


def decode_warning(word: str) -> tuple[str, CoachWarning] | None:
    """Decode a warning; None for a word about something else."""
    found = _WARNING.fullmatch(word)
    if found is None:
        return None
    match_id, position, move, revision = found.groups()
    return match_id, CoachWarning(position, move, int(revision))


def _ignore() -> None:
    """Do nothing."""


class Snapshot(Struct, frozen=True, dict=True):  # dict: caches
    """A match at its start, or after a command: the session and the events."""

    id: str
    session: Session
    events: tuple[Event, ...]
    opportunity: bool = False
    """Whether the coach saw that the last move gave the other seat the win."""
    warning: str = ""
    """The coach's warning about the last move, for the seat that made it."""

    def after(self, command: Command) -> Snapshot:
        session, events = self.session.apply_unchecked(command)
        return Snapshot(self.id, session, events)

    @cached_property
    def _shared(self) -> State:
        return State.of(self.id, self.session)

    def state(self, viewer: Viewer) -> State:
        return self._shared.seen_by(
            viewer,
            self.session,
            self.events,
            opportunity=self.opportunity,
            warning=self.warning,
        )

    def forget_state(self) -> None:
        """Forget what viewers were sent; it is computed again when it is needed."""
        self.__dict__.pop("_shared", None)

    def message(self, viewer: Viewer) -> Message:
        return Message(tuple(map(public, self.events)), self.state(viewer))


class History:
    """The log of a match, its answered requests, and its latest snapshots."""

    def __init__(self, stored: StoredMatch, class_id: str | None = None) -> None:
        """Replay a match, which may take long."""
        self.id = stored.id
        self.class_id = class_id
        """The class that the match belongs to."""
        self.setup: Setup = stored.setup
        self.steps: list[LogStep] = []
        """The public log."""
        self.recent: deque[Snapshot] = deque(maxlen=MOST_MISSED + 1)
        """The latest snapshots: at the start and after each command."""
        self.ended: list[tuple[Session, tuple[int | None, ...]]] = []
        """The session at the end of each game, and the products entered in it."""
        self._answers: list[int | None] = []
        """The products entered in the latest game."""
        self._commands: list[Command] = []
        self._answered: dict[str, tuple[str, int]] = {}
        snapshot = Snapshot(stored.id, Session.start(stored.setup), ())
        self.recent.append(snapshot)
        for logged in stored.log:
            snapshot = snapshot.after(logged.command)
            self.add(snapshot, logged.command, logged.request, logged.at)

    def add(
        self, snapshot: Snapshot, command: Command, token: str, at: datetime
    ) -> None:
        """Add a stored command, and the snapshot after it."""
        self.recent[-1].forget_state()  # only the latest is asked for often
        last = len(self.steps)
        head = next_head(self.head(last), command)
        self.steps.append(LogStep(last + 1, at, public(command), head))
        self.recent.append(snapshot)
        self._commands.append(command)
        moves = len(snapshot.session.game.moves)
        answer = command.answer if isinstance(command, Move) else None
        # The moves that a retry starts with have no answers.
        unasked = [None] * (moves - len(self._answers) - 1)
        self._answers = [*self._answers, *unasked, answer][:moves]
        if any(isinstance(event, Ended) for event in snapshot.events):
            self.ended.append((snapshot.session, tuple(self._answers)))
        request, _, body = token.partition(".")
        if request:
            self._answered[request] = body, last + 1

    def head(self, number: int) -> str:
        """Return the digest of the log at a number."""
        return self.steps[number - 1].head if number else first_head(self.setup)

    def answered(self, token: Token) -> int | None:
        """Return the number of the command that a repeated request created.

        None if it is new; a different body raises ``HttpRefusal``.
        """
        if token.request not in self._answered:
            return None
        body, number = self._answered[token.request]
        if body != token.body:
            raise request_id_reused()
        return number

    def recent_at(self, number: int) -> Snapshot | None:
        """Return the snapshot after a command, or None if it is not cached."""
        place = number - 1 - (len(self.steps) - len(self.recent))
        return self.recent[place] if place >= 0 else None

    def replay(self, number: int) -> Snapshot:
        """Return the snapshot after any command, which may take long."""
        *_, snapshot = self.replay_all(number)
        return snapshot

    def replay_all(self, number: int | None = None) -> Iterator[Snapshot]:
        """Yield the snapshots at the start and after each command, up to a number."""
        snapshot = Snapshot(self.id, Session.start(self.setup), ())
        yield snapshot
        for command in self._commands[:number]:
            snapshot = snapshot.after(command)
            yield snapshot


class LiveMatch:
    """A match with its history and its listeners; it never replays a log."""

    def __init__(self, history: History) -> None:
        self.id = history.id
        self.class_id = history.class_id
        self.setup = history.setup
        self.history = history
        self.lock = asyncio.Lock()
        """Held while a command is decided and committed."""
        self.listeners: set[MatchListener] = set()
        self.on_change: Callable[[], None] = _ignore
        """Called after each new command; set by the class of the match."""
        self.answering: asyncio.Task[None] | None = None
        """The task of a level that is finding its move."""
        self.presence = PresenceTracker()
        self.warnings = CoachWarnings()
        self._sent_presence = NOBODY

    @property
    def snapshot(self) -> Snapshot:
        """The snapshot after the last command."""
        return self.history.recent[-1]

    @property
    def session(self) -> Session:
        """The session after the last command."""
        return self.snapshot.session

    def refuse_out_of_step(self, seq: int | None, head: str | None) -> None:
        """Raise ``HttpRefusal`` unless the revision and digest of a request match."""
        if seq is None:
            return
        last = self.session.revision
        if seq > last or (head is not None and self.history.head(seq) != head):
            raise match_changed()
        if seq != last:
            raise behind()

    def advance(
        self, snapshot: Snapshot, command: Command, token: str, at: datetime
    ) -> None:
        """Add a stored command, and send it to the listeners."""
        seen = self.session.revision
        if snapshot.session.revision > seen:  # else it caught up meanwhile
            self.history.add(snapshot, command, token, at)
            self._publish(self.listeners, seen)
            self.on_change()

    def catch_up(self, history: History) -> None:
        """Replace the history by a longer one, and send its commands to listeners."""
        seen = self.session.revision
        if len(history.steps) > seen:
            self.history = history
            self._publish(self.listeners, seen)
            self.on_change()

    def _numbers_after(self, number: int) -> Sequence[int]:
        """Return the numbers of later commands; only the last if there are many."""
        last = self.session.revision
        if not self._knows(number) or last - number > MOST_MISSED:
            return (last,)
        return range(number + 1, last + 1)

    def _snapshots_after(self, number: int) -> Iterable[Snapshot]:
        """Return the snapshots after later commands; only the last if large."""
        if len(self.session.game.moves) > _LONG_GAME:
            return (self.snapshot,)
        found = (self.history.recent_at(each) for each in self._numbers_after(number))
        return [snapshot for snapshot in found if snapshot is not None]

    def _publish(self, listeners: Collection[MatchListener], after: int) -> None:
        """Send listeners the commands after a number, or their events and states."""
        programs = [each for each in listeners if each.reads_log]
        pages = [each for each in listeners if not each.reads_log]
        for number in filter(None, self._numbers_after(after) if programs else ()):
            step = encode_message(number, self.history.steps[number - 1])
            for listener in programs:
                listener.enqueue_message(number, step)
        for snapshot in self._snapshots_after(after) if pages else ():
            number = snapshot.session.revision
            encoded: dict[Viewer, bytes] = {}
            for listener in pages:
                viewer = listener.viewer
                if viewer not in encoded:
                    encoded[viewer] = encode_message(number, snapshot.message(viewer))
                listener.enqueue_message(number, encoded[viewer])

    # The log

    def log_page(self, after: int, until: int | None = None) -> LogPage:
        """Return a page of the commands after a number, up to ``until``."""
        last = self.session.revision if until is None else until
        page: list[WireCommand] = []
        size = 0
        for step in self.history.steps[after : min(last, after + _PAGE_COMMANDS)]:
            if size > _PAGE_BYTES:
                break
            size += len(encode_bytes(step.command))
            page.append(WireCommand(step.number, step.at, step.command))
        seq = min(after, last) + len(page)
        head = self.history.head(seq)
        return LogPage(seq=seq, head=head, log=tuple(page), more=seq < last)

    def match_log(self, after: int, viewer: Viewer) -> MatchLog:
        """Return the setup, and a page of the log."""
        page = asdict(self.log_page(after))
        return MatchLog(setup=public(self.setup), your_seat=viewer, **page)

    # Listeners

    def add_listener(self, listener: MatchListener, after: int | None) -> None:
        """Add a listener, and send it the commands that it has missed.

        No command can slip in between: neither this nor ``advance`` awaits.
        """
        known = after if after is not None and self._knows(after) else 0
        listener.seq = known or -1
        self._publish([listener], known)
        self.listeners.add(listener)
        self._count()
        if not self.send_presence():
            listener.enqueue_presence(encode_presence_event(self._sent_presence))

    def _knows(self, number: int) -> bool:
        return 0 < number <= self.session.revision

    def remove_listener(self, listener: MatchListener) -> None:
        self.listeners.discard(listener)
        self._count()
        self.send_presence()

    def broadcast_closed(self) -> None:
        """End every stream with the message that the host, in seat one, has left."""
        message = table_closed_message(self.session.setup.name(Seat.ONE))
        for listener in tuple(self.listeners):
            listener.end(encode_closed(TableClosed(message)))

    def _count(self) -> None:
        shared = self.session.is_shared
        self.presence.count(
            viewer
            for listener in self.listeners
            for viewer in (Seat if shared and listener.viewer else (listener.viewer,))
        )

    def send_presence(self) -> bool:
        """Send presence to all listeners if it changed; return whether it did."""
        presence = self.presence.total()
        if presence == self._sent_presence:
            return False
        self._sent_presence = presence
        data = encode_presence_event(presence)
        for listener in tuple(self.listeners):
            listener.enqueue_presence(data)
        return True
