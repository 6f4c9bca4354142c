"""The opponent's connection, and when to report them away."""

from __future__ import annotations

from collections.abc import Callable
from threading import Timer

from msgspec import Struct

SECONDS_TO_RELOAD = 1.0


class StillAway(Struct, frozen=True):
    """The opponent has been disconnected for a while."""

    absence: int
    """The absence counter when the timer started; older reports are void."""


class Presence:
    """Tracks whether the opponent is connected; ignores short gaps like a reload."""

    def __init__(self, report: Callable[[StillAway], None]) -> None:
        """Set the listener, which is called from another thread."""
        self._report = report
        self._absence = 0
        self._is_expected = False
        """Whether the opponent was connected, and not reported away since."""
        self._was_missed = False
        self._timer: Timer | None = None
        """Runs while the opponent is away but not yet reported."""

    def connect(self) -> bool:
        """Record that the opponent connected; return whether to show "is back"."""
        was_missed = self._was_missed
        self._was_missed, self._is_expected = False, True
        self.stop()
        return was_missed

    def disconnect(self) -> None:
        """Record that the opponent disconnected; report it if it lasts."""
        if self._is_expected and self._timer is None:
            away = StillAway(self._absence)
            self._timer = Timer(SECONDS_TO_RELOAD, self._report, [away])
            self._timer.daemon = True
            self._timer.start()

    def should_report(self, away: StillAway) -> bool:
        """Whether a report is still valid and "is away" is to be shown."""
        is_valid = away.absence == self._absence and self._is_expected
        if is_valid:
            self._was_missed, self._is_expected = True, False
        return is_valid

    def stop(self) -> None:
        """Cancel a pending report, because this side lost its connection or leaves."""
        self._absence += 1
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
