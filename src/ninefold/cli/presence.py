"""Whether the other person is connected, as far as that is news."""

from __future__ import annotations

from collections.abc import Callable
from threading import Timer

from msgspec import Struct

_SECONDS_TO_RELOAD = 1.0


class StillAway(Struct, frozen=True):
    """The other person has been disconnected for a while."""

    absence: int
    """The counter of absences when it began; a later count makes this obsolete."""


class Presence:
    """Follows the other person; to load a page again is no absence."""

    def __init__(self, report: Callable[[StillAway], None]) -> None:
        """Take a listener, which is called from another thread."""
        self._report = report
        self._absence = 0
        self._is_expected = False
        """Whether the other person was here, and was not said to have left."""
        self._was_missed = False

    def come(self) -> bool:
        """Note that the other person is connected; whether to say "is back"."""
        is_back = self._was_missed
        self._was_missed, self._is_expected = False, True
        self._absence += 1
        return is_back

    def leave(self) -> None:
        """Note that the other person is disconnected; report it if that lasts."""
        if self._is_expected:
            timer = Timer(_SECONDS_TO_RELOAD, self._report, [StillAway(self._absence)])
            timer.daemon = True
            timer.start()

    def is_news(self, away: StillAway) -> bool:
        """Whether to say that the other person has left."""
        is_news = away.absence == self._absence and self._is_expected
        if is_news:
            self._was_missed, self._is_expected = True, False
        return is_news

    def disconnect(self) -> None:
        """Cancel pending "has left" notices: this side lost its connection."""
        self._absence += 1
