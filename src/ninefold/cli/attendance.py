"""Whether the other one of a match is there, as far as it is news."""

from __future__ import annotations

from collections.abc import Callable
from threading import Timer

from msgspec import Struct

_SECONDS_TO_RELOAD = 1.0


class StillAway(Struct, frozen=True):
    """A while has passed since the other one left."""

    absence: int
    """Its number; the number goes on when it is over."""


class Attendance:
    """Follows the other one; a page that is loaded again is gone for a moment only."""

    def __init__(self, tell: Callable[[StillAway], None]) -> None:
        """Take whom to tell, from another thread, once a while has passed."""
        self._tell = tell
        self._absence = 0
        self._is_expected = False
        """Whether the other one was here, and is not said to have left."""
        self._said_away = False

    def comes(self) -> bool:
        """Note that the other one is here; whether to say that they are back."""
        is_back = self._said_away
        self._said_away, self._is_expected = False, True
        self._absence += 1
        return is_back

    def goes(self) -> None:
        """Note that the other one is not here, which is told if it stays so."""
        if self._is_expected:
            gone = StillAway(self._absence)
            waiting = Timer(_SECONDS_TO_RELOAD, self._tell, [gone])
            waiting.daemon = True
            waiting.start()

    def is_missed(self, gone: StillAway) -> bool:
        """Whether to say that the other one has left: nothing was heard since."""
        is_news = gone.absence == self._absence and self._is_expected
        if is_news:
            self._said_away, self._is_expected = True, False
        return is_news

    def is_lost(self) -> None:
        """Note that nothing is heard: who is gone is heard of when it is back."""
        self._absence += 1
