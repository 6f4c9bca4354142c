"""A class in memory: a cache of the store, with the streams of its devices."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import cast

from ninefold.classroom import (
    Classroom,
    Command,
    Join,
    LetIn,
    Question,
    Return,
    Table,
)
from ninefold.game import Seat
from ninefold.notation.codec import encode_bytes
from ninefold.online.class_messages import (
    BoardUpdate,
    PupilView,
    TableRow,
    TeacherView,
    TruthView,
)
from ninefold.playing.state import Viewer
from ninefold.server.event_streams import Listener
from ninefold.server.live_match import LiveMatch
from ninefold.server.responses import request_id_reused
from ninefold.server.seats import Device, Token
from ninefold.store import ClassCommand, StoredClass

SECONDS_UNTIL_AWAY = 120.0
_SECONDS_BETWEEN_BOARDS = 0.1
OVER = "The class is over."
BETWEEN = "The round is over. Look at the board."
_LEFT = "This table is over. Look at the board."
PAUSED = "Pause. Look at the board."


class TableListener:
    """Forwards the messages of a device's table to the stream of the device.

    Each message is a whole view, so it has no number on that stream.
    """

    reads_log = False

    def __init__(self, viewer: Viewer, stream: Listener) -> None:
        self.viewer = viewer
        self.seq = 0
        self._stream = stream

    def enqueue_message(self, number: int, data: bytes) -> None:
        if number > self.seq:
            self.seq = number
            _, _, unnumbered = data.partition(b"\n")
            self._stream.enqueue(b"event: table\n" + unnumbered)

    def enqueue_presence(self, data: bytes) -> None:
        self._stream.enqueue_presence(data)

    def end(self, last: bytes = b"") -> None:
        """Leave the device's stream open: its class goes on."""


def encode_view(view: PupilView | TeacherView) -> bytes:
    """Encode the view of a class as an event."""
    return b"event: class\ndata: %s\n\n" % encode_bytes(view)


class LiveClass:
    """A class with its log, its tables and its streams."""

    def __init__(
        self, stored: StoredClass, timer: Callable[[], float] = time.monotonic
    ) -> None:
        """Replay a class."""
        self.id = stored.id
        self.lock = asyncio.Lock()
        """Held while a command is decided and committed."""
        self.classroom = Classroom()
        self.tables: dict[str, Table] = {}
        """Every table so far, by its match."""
        self.matches: dict[str, LiveMatch] = {}
        """The matches of tables on the board, which stay in memory."""
        self.streams: dict[Listener, Device] = {}
        """The open streams: one for each device, or several for the teacher."""
        self.truths: dict[Question, TruthView | None] = {}
        """The answer to the latest question whose truth was shown; None if too large.

        One at most: a line with its bands may be large, and questions are many.
        """
        self.on_flush: Callable[[], None] = lambda: None
        """Called at most ten times a second after changes that the teacher sees."""
        self.changed: set[str] | None = None
        """The matches that changed since the last flush; None if the class did."""
        self._flush: asyncio.TimerHandle | None = None
        self._answered: dict[str, tuple[str, Command]] = {}
        """The answered requests: the digest of each body, and its last command."""
        self._timer = timer
        self._seen: dict[int, float] = {}
        """When each pupil was connected last, to this process or another."""
        self._away: set[int] = set()
        """Those who were away when this process looked last."""
        self._rows: dict[str, tuple[int, TableRow]] = {}
        self._started = timer()
        self._add(stored.classroom, stored.log)

    def _add(self, after: Classroom, commands: Iterable[ClassCommand]) -> None:
        """Add stored commands, which lead to this class."""
        self.classroom = after
        for _, table in after.tables[len(self.tables) :]:
            self.tables[table.match] = table
        for logged in commands:
            if isinstance(logged.command, Join | LetIn | Return):
                self.see([logged.command.pupil])
            request, _, body = logged.request.partition(".")
            if request:
                self._answered[request] = body, logged.command

    def answered(self, token: Token) -> bool:
        """Whether a request was answered before; refuse another body with its id."""
        if token.request not in self._answered:
            return False
        if self._answered[token.request][0] != token.body:
            raise request_id_reused()
        return True

    def device_of(self, token: Token) -> Device:
        """Return the device that an answered request let join or come back."""
        _, command = self._answered[token.request]
        if isinstance(command, Return):
            return Device(self.id, command.pupil, command.device)
        return Device(self.id, cast("Join", command).pupil, 1)

    def advance(
        self, revision: int, after: Classroom, commands: Iterable[ClassCommand]
    ) -> bool:
        """Add stored commands after a revision, unless they are known by now."""
        if self.classroom.revision != revision:
            return False  # it caught up meanwhile
        self._add(after, commands)
        return True

    def catch_up(self, stored: StoredClass) -> bool:
        """Add the commands that are new; return whether there are any."""
        new = stored.log[self.classroom.revision :]
        if new:
            self._add(stored.classroom, new)
        return bool(new)

    # Tables

    def hold_of(self, match_id: str) -> str:
        """Return why the match of a table does not go on right now, or ""."""
        room = self.classroom
        if room.is_closed:
            return OVER
        if room.round is None:
            return BETWEEN
        if room.table(match_id) is None:
            return _LEFT
        return PAUSED if room.round.paused_at is not None else ""

    def match_of(self, device: Device) -> str | None:
        """Return the match of the table at which a device plays, or None."""
        playing = self.classroom.round
        if playing is None or not self.is_current(device):
            return None
        table = playing.table_of(device.pupil)
        return None if table is None else table.match

    def seat_of(self, match_id: str, device: Device) -> Seat | None:
        """Return the seat that a device has at a table, or None."""
        if not self.is_current(device) or match_id not in self.tables:
            return None
        pupils = self.tables[match_id].pupils
        if device.pupil not in pupils:
            return None
        return Seat(pupils.index(device.pupil) + 1)

    def is_current(self, device: Device) -> bool:
        """Whether a device is the one that plays for its pupil."""
        if device.pupil not in range(1, len(self.classroom.pupils) + 1):
            return False
        pupil = self.classroom.pupil(device.pupil)
        return pupil.is_here and pupil.device == device.number

    def is_unknown(self, device: Device) -> bool:
        """Whether a device is one that no pupil of this class ever had."""
        if device.is_teacher:
            return False
        if device.pupil > len(self.classroom.pupils):
            return True
        pupil = self.classroom.pupil(device.pupil)
        return device.number > pupil.devices

    def pin(self, matches: Collection[LiveMatch]) -> None:
        """Keep the matches of the board in memory, and follow their changes."""
        for live in matches:
            self.matches[live.id] = live
            live.on_change = lambda match_id=live.id: self.note(match_id)  # type: ignore[misc]
        for match_id in self.matches.keys() - self.on_board():
            del self.matches[match_id]

    def on_board(self) -> set[str]:
        """Return the matches of the tables that are being played."""
        playing = self.classroom.round
        return set() if playing is None else {each.match for each in playing.tables}

    def rows(self, match_ids: Collection[str] | None = None) -> Iterator[TableRow]:
        """Yield the rows of the board, or of some of its matches."""
        playing = self.classroom.round
        for table in () if playing is None else playing.tables:
            live = self.matches.get(table.match)
            if live is None or (match_ids is not None and table.match not in match_ids):
                continue
            seq, row = self._rows.get(table.match, (-1, None))
            if seq != live.session.revision or row is None:
                row = _row(table, live)
                self._rows[table.match] = live.session.revision, row
            yield row

    # Presence

    def connected(self) -> list[int]:
        """Return the pupils with a stream in this process."""
        devices = self.streams.values()
        return [device.pupil for device in devices if self.is_current(device)]

    def see(self, pupils: Iterable[int]) -> None:
        """Note that pupils are connected right now."""
        self._seen |= dict.fromkeys(pupils, self._timer())

    def look_around(self) -> bool:
        """Note who is connected and who is away; return whether anyone is here."""
        self.see(self.connected())
        here = [pupil.number for pupil in self.classroom.here]
        away = set(filter(self.is_away, here))
        if away != self._away:
            self._away = away
            self.note()
        return bool(here)

    def is_away(self, pupil: int) -> bool:
        """Whether a pupil was not connected for two minutes."""
        seen = self._seen.get(pupil, self._started)
        return self._timer() - seen > SECONDS_UNTIL_AWAY

    # Sending

    def replace_stream(self, device: Device) -> None:
        """End the stream that a pupil's device has: it has opened another one."""
        for listener in () if device.is_teacher else self.streams_of(device):
            listener.end(b"event: replaced\ndata: {}\n\n")

    def streams_of(self, device: Device) -> list[Listener]:
        """Return the open streams of a device."""
        return [each for each, other in self.streams.items() if other == device]

    def note(self, match_id: str | None = None) -> None:
        """Note a change of a table, or of the class, for the teacher's next message."""
        if match_id is None:
            self.changed = None
        elif self.changed is not None:
            self.changed.add(match_id)
        if self._flush is None:
            loop = asyncio.get_running_loop()
            self._flush = loop.call_later(_SECONDS_BETWEEN_BOARDS, self._send)

    def _send(self) -> None:
        self._flush = None
        self.on_flush()

    def teachers(self) -> list[Listener]:
        """Return the open streams of the teacher."""
        return [each for each, device in self.streams.items() if device.is_teacher]

    def send_board(self) -> None:
        """Send the rows of changed tables to the teacher."""
        update = BoardUpdate(tuple(self.rows(self.changed)))
        data = b"event: board\ndata: %s\n\n" % encode_bytes(update)
        for listener in self.teachers():
            listener.enqueue(data)


def _row(table: Table, live: LiveMatch) -> TableRow:
    state = live.snapshot.state(None)
    one, two = (seat.name for seat in state.seats)
    return TableRow(
        number=table.number,
        match=table.match,
        pupils=table.pupils,
        level=table.level,
        names=(one, two),
        game=state.number,
        total=state.total,
        to_move=state.to_move,
        line=state.line,
    )
