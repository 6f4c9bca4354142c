"""Presence: who is connected to a match, in this process and in others."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable

from ninefold.game import Seat
from ninefold.playing.state import Viewer
from ninefold.session.table import PresenceChanged

_SECONDS_VALID = 60.0
"""How long the presence in another process counts: it may have died meanwhile."""
_PRESENCE = re.compile(r"([^:]+):([^:]+):([01]):([01]):([0-9]{1,9})")
NOBODY = PresenceChanged((False, False), 0)


class PresenceTracker:
    """Counts the connections to one match, in every process."""

    def __init__(self, timer: Callable[[], float] = time.monotonic) -> None:
        self._timer = timer
        self.here = NOBODY
        """The presence in this process."""
        self._elsewhere: dict[str, tuple[PresenceChanged, float]] = {}

    def count(self, viewers: Iterable[Viewer]) -> None:
        everyone = list(viewers)
        seats = Seat.ONE in everyone, Seat.TWO in everyone
        self.here = PresenceChanged(seats, everyone.count(None))

    def receive(self, process: str, presence: PresenceChanged) -> bool:
        """Store another process's presence; return whether it had nobody before.

        Such a process may not know who is connected to this one.
        """
        before, _ = self._elsewhere.get(process, (NOBODY, 0.0))
        self._elsewhere[process] = presence, self._timer()
        return before == NOBODY != presence

    def total(self) -> PresenceChanged:
        """Return the presence in all processes."""
        oldest = self._timer() - _SECONDS_VALID
        valid = [self.here]
        for process, (presence, received) in list(self._elsewhere.items()):
            if received < oldest:
                del self._elsewhere[process]
            else:
                valid.append(presence)
        one, two = (any(each.connected[seat] for each in valid) for seat in (0, 1))
        return PresenceChanged((one, two), sum(each.watching for each in valid))


def encode_presence(match_id: str, process: str, presence: PresenceChanged) -> str:
    """Encode the presence in a process as a word for others.

    >>> encode_presence("m", "p", PresenceChanged((True, False), 3))
    'm:p:1:0:3'
    """
    one, two = map(int, presence.connected)
    return f"{match_id}:{process}:{one}:{two}:{presence.watching}"


def decode_presence(word: str) -> tuple[str, str, PresenceChanged] | None:
    """Decode presence; None for a word about something else.

    >>> decode_presence("m:p:1:0:3")
    ('m', 'p', PresenceChanged(connected=(True, False), watching=3))
    >>> decode_presence("m")
    """
    found = _PRESENCE.fullmatch(word)
    if found is None:
        return None
    match_id, process, one, two, watching = found.groups()
    return match_id, process, PresenceChanged((one == "1", two == "1"), int(watching))
