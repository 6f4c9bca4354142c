"""One match that is being played or watched: a cache of the store, and who listens."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import cached_property
from hashlib import sha256

from msgspec import Struct
from msgspec.structs import replace

from ninefold.game import Game
from ninefold.notation.codec import encode_bytes
from ninefold.online.messages import (
    LoggedCommand,
    LogPage,
    LogStep,
    MatchLog,
    Message,
    first_head,
    next_head,
    public_command,
    public_setup,
)
from ninefold.server.presence import NOBODY, Company
from ninefold.server.responses import reused
from ninefold.server.seat_secrets import Token
from ninefold.server.streams import (
    MOST_MISSED,
    Listener,
    write_message,
    write_presence,
    write_step,
)
from ninefold.session import Command, Event, Session, Setup
from ninefold.store import KeptMatch
from ninefold.views.state import State, Viewer, happened

_WORD = re.compile(r"([^:]+):warned:([0-9]{1,9}):([0-9a-f]{16})")


class CoachWarning:
    """Of which move the coach has warned last, and when: it speaks once at a position.

    Were it asked about every move, it would tell which of them wins.
    """

    def __init__(self) -> None:
        """Begin with nothing said."""
        self._at: tuple[int, str] | None = None

    def speak(self, session: Session, multiplier: int) -> None:
        """Note that the coach warns of a move."""
        self._at = session.revision, _digest(multiplier)

    def multiplier(self, session: Session) -> int | None:
        """Return the move that the coach has warned of at this position, if any."""
        if self._at is None or self._at[0] != session.revision:
            return None
        for multiplier in session.setup.rules.multipliers:
            if _digest(multiplier) == self._at[1]:
                return multiplier
        return None

    def write_word(self, match_id: str) -> str:
        """Write it as one word, to be told to other processes."""
        revision, digest = self._at or (0, _digest(0))
        return f"{match_id}:warned:{revision}:{digest}"

    @classmethod
    def read_word(cls, word: str) -> tuple[str, CoachWarning] | None:
        """Read the warning of a match from such a word; None if it is another one."""
        found = _WORD.fullmatch(word)
        if found is None:
            return None
        match_id, revision, digest = found.groups()
        warning = cls()
        warning._at = int(revision), digest
        return match_id, warning


def _digest(multiplier: int) -> str:
    """Stand for a number that may be too long for a word."""
    return sha256(str(multiplier).encode()).hexdigest()[:16]


_LONG_GAME = 200
"""Moves; a message of a longer one is long, and only the last is told again."""
_PAGE_COMMANDS = 1_000
_PAGE_BYTES = 256 * 1024
"""A page of a log ends with the command that goes past these bytes."""


class Snapshot(Struct, frozen=True, dict=True):  # dict: what all see is cached in it
    """A match after one command: the session, and the events of the command."""

    id: str
    session: Session
    events: tuple[Event, ...]
    opportunity: bool = False
    """Whether the last move gave the seat to move the win, as far as the coach saw."""

    def let_coach_look(self) -> Snapshot:
        """Return the same with the coach's opinion, which may take long."""
        return replace(self, opportunity=self.session.opportunity())

    @classmethod
    def of(cls, kept: KeptMatch) -> Snapshot:
        """Return a stored match as it stands."""
        return cls.replay(kept.id, kept.setup, kept.commands)

    @classmethod
    def replay(cls, match_id: str, setup: Setup, log: Sequence[Command]) -> Snapshot:
        """Rebuild the match after the last command of a log."""
        before = Session.replay(setup, log[:-1])
        session, events = before.accept(log[-1])
        return cls(match_id, session, events)

    def after(self, command: Command) -> Snapshot:
        """Return the match after another command."""
        session, events = self.session.accept(command)
        return Snapshot(self.id, session, events)

    @cached_property
    def _shared(self) -> State:
        return State.of(self.id, self.session)

    def state(self, viewer: Viewer) -> State:
        """Return the state for a viewer."""
        return self._shared.seen_by(
            viewer, self.session, self.events, opportunity=self.opportunity
        )

    def message(self, viewer: Viewer) -> Message:
        """Return the message of a stream for a viewer."""
        events = tuple(happened(self.session, self.events))
        return Message(events, self.state(viewer))


class LiveMatch:
    """One match: where it stands, what it has answered, who listens."""

    def __init__(self, kept: KeptMatch, snapshot: Snapshot | None = None) -> None:
        """Take the match as it is stored, and its snapshot, as ``catch_up`` does."""
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
        self._heads = [first_head(kept.setup)]
        """The digest of the log at each number, from 0 on."""
        self._times: list[datetime] = []
        """When each command was stored."""
        self._take(kept, snapshot)

    @property
    def session(self) -> Session:
        """The session after the last command."""
        return self.snapshot.session

    def _take(self, kept: KeptMatch, snapshot: Snapshot | None = None) -> None:
        self.snapshot = snapshot or Snapshot.of(kept)
        for logged in kept.log:
            self._note(logged.request, logged.number)
        for logged in kept.log[len(self._times) :]:
            self._log(logged.command, logged.at)

    def _log(self, command: Command, at: datetime) -> None:
        self._heads.append(next_head(self._heads[-1], command))
        self._times.append(at)

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

    def advance(self, snapshot: Snapshot, token: str, at: datetime) -> None:
        """Go on to the next command, which is on disk, and tell everyone."""
        if snapshot.session.revision > self.session.revision:  # else it caught up
            self.snapshot = snapshot
            self._log(snapshot.session.log[-1], at)
        self._note(token, snapshot.session.revision)
        self._tell((snapshot,))

    def catch_up(self, kept: KeptMatch, snapshot: Snapshot | None = None) -> None:
        """Go on to where the store is, and tell everyone.

        The snapshot of it may be given, where the coach has looked at it.
        """
        seen = self.session.revision
        if len(kept.log) <= seen:
            return
        self._take(kept, snapshot)
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
            number = snapshot.session.revision
            written: dict[tuple[bool, Viewer], bytes] = {}
            for listener in tuple(self.listeners):
                # The log is the same for everybody.
                viewer = None if listener.reads_log else listener.viewer
                form = listener.reads_log, viewer
                if form not in written:
                    written[form] = self._write(listener, snapshot)
                listener.offer_message(number, written[form])

    def _write(self, listener: Listener, snapshot: Snapshot) -> bytes:
        """Write the last command of a snapshot in the form that a listener reads."""
        if listener.reads_log:
            return write_step(self._step(snapshot.session.revision))
        return write_message(snapshot.message(listener.viewer))

    # The log

    def _step(self, number: int) -> LogStep:
        command = public_command(self.session.log[number - 1])
        at, head = self._times[number - 1], self._heads[number]
        return LogStep(number, at, head, command)

    def head(self, number: int) -> str | None:
        """Return the digest of the log at a number; None where it is shorter."""
        return self._heads[number] if number < len(self._heads) else None

    def log_page(self, after: int, until: int | None = None) -> LogPage:
        """Return the commands after a number, up to another or a page's bounds."""
        last = self.session.revision if until is None else until
        page: list[LoggedCommand] = []
        size = 0
        while after + len(page) < last:
            if len(page) >= _PAGE_COMMANDS or size > _PAGE_BYTES:
                break
            step = self._step(after + len(page) + 1)
            size += len(encode_bytes(step.command))
            page.append(LoggedCommand(step.number, step.at, step.command))
        seq = min(after, last) + len(page)
        return LogPage(seq=seq, head=self._heads[seq], log=tuple(page), more=seq < last)

    def match_log(self, after: int) -> MatchLog:
        """Return the set-up, and a page of the log."""
        page = self.log_page(after)
        return MatchLog(
            setup=public_setup(self.setup),
            seq=page.seq,
            head=page.head,
            log=page.log,
            more=page.more,
        )

    def enter(self, listener: Listener, after: int | None) -> None:
        """Let a listener in, and tell what it missed since a command it has heard of.

        Nothing can come in between: a command is told in one step.
        """
        self.listeners.add(listener)
        missed = self._since(after or 0)
        listener.seq = after if after is not None and self._knows(after) else 0
        for snapshot in missed:
            written = self._write(listener, snapshot)
            listener.offer_message(snapshot.session.revision, written)
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
