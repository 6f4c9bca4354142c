"""Who is here: on this process, and on others as they tell."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable

from ninefold.game import Seat
from ninefold.online.messages import Presence
from ninefold.views.state import Viewer

_SECONDS_BELIEVED = 60.0
"""For how long a process is believed that tells nothing more: it may have died."""
_WORD = re.compile(r"([^:]+):([^:]+):([01]):([01]):([0-9]{1,9})")
NOBODY = Presence((False, False), 0)


class Company:
    """Everyone who follows one match, wherever they are connected."""

    def __init__(self, timer: Callable[[], float] = time.monotonic) -> None:
        """Begin with nobody."""
        self._timer = timer
        self.here = NOBODY
        """Those who are connected to this process."""
        self._elsewhere: dict[str, tuple[Presence, float]] = {}

    def count(self, viewers: Iterable[Viewer]) -> None:
        """Count those who are connected to this process."""
        everyone = list(viewers)
        seats = Seat.ONE in everyone, Seat.TWO in everyone
        self.here = Presence(seats, everyone.count(None))

    def hear(self, process: str, presence: Presence) -> bool:
        """Note who is connected to another process; say if somebody is new to it.

        They came to a process that may not know who is here.
        """
        before, _ = self._elsewhere.get(process, (NOBODY, 0.0))
        self._elsewhere[process] = presence, self._timer()
        return before == NOBODY != presence

    def all(self) -> Presence:
        """Return who is here, on any process."""
        oldest = self._timer() - _SECONDS_BELIEVED
        believed = [self.here]
        for process, (presence, heard) in list(self._elsewhere.items()):
            if heard < oldest:
                del self._elsewhere[process]
            else:
                believed.append(presence)
        one, two = (any(each.here[seat] for each in believed) for seat in (0, 1))
        return Presence((one, two), sum(each.watching for each in believed))


def write_word(match_id: str, process: str, presence: Presence) -> str:
    """Write who is here as one word, to be told to other processes.

    >>> write_word("m", "p", Presence((True, False), 3))
    'm:p:1:0:3'
    """
    one, two = map(int, presence.here)
    return f"{match_id}:{process}:{one}:{two}:{presence.watching}"


def read_word(word: str) -> tuple[str, str, Presence] | None:
    """Read such a word; None where it is another one, of a newer program perhaps.

    >>> read_word("m:p:1:0:3")
    ('m', 'p', Presence(here=(True, False), watching=3))
    >>> read_word("m")
    """
    found = _WORD.fullmatch(word)
    if found is None:
        return None
    match_id, process, one, two, watching = found.groups()
    return match_id, process, Presence((one == "1", two == "1"), int(watching))
