"""Who is connected, and when to say that the other person is away."""

from __future__ import annotations

from collections.abc import Callable
from threading import Timer

from msgspec import Struct

SECONDS_TO_RELOAD = 1.0


class StillAway(Struct, frozen=True):
    """The other person has been disconnected for a while."""

    absence: int
    """The counter of absences when this one started; a later count outdates it."""


class Presence:
    """Follows the other person; to reload a page is not an absence."""

    def __init__(self, report: Callable[[StillAway], None]) -> None:
        """Take a listener, which is called from another thread."""
        self._report = report
        self._absence = 0
        self._is_expected = False
        """Whether the other person was connected, and no "is away" was shown since."""
        self._was_missed = False
        self._timer: Timer | None = None
        """Runs while the other person is away and nothing was said about it."""

    def connect(self) -> bool:
        """Note that the other person is connected; return whether to say "is back"."""
        back_message = self._was_missed
        self._was_missed, self._is_expected = False, True
        self.stop()
        return back_message

    def disconnect(self) -> None:
        """Note that the other person is disconnected; report it if that lasts."""
        if self._is_expected and self._timer is None:
            away = StillAway(self._absence)
            self._timer = Timer(SECONDS_TO_RELOAD, self._report, [away])
            self._timer.daemon = True
            self._timer.start()

    def should_report(self, away: StillAway) -> bool:
        """Whether to say that the other person is away."""
        should_report = away.absence == self._absence and self._is_expected
        if should_report:
            self._was_missed, self._is_expected = True, False
        return should_report

    def stop(self) -> None:
        """Cancel a pending report: this side lost its connection, or leaves."""
        self._absence += 1
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
