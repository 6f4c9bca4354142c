"""Games and matches, one line each."""

from __future__ import annotations

from datetime import UTC, datetime

from ninefold.game import Seat
from ninefold.players import HUMAN
from ninefold.text import shorten
from ninefold.views import HistoryRow, OpenMatchRow

_SHORT_ID = 8


def short_id(match: str) -> str:
    """Return the beginning of an id, which is enough to name a match."""
    return match[:_SHORT_ID]


def line_of_match(row: OpenMatchRow) -> str:
    """Describe an unfinished match."""
    parts = [short_id(row.match), _time(row.changed_at), row.game]
    parts.append(f"{_called(row, Seat.ONE)} and {_called(row, Seat.TWO)}")
    if row.length is not None:
        one, two = row.score
        parts.append(f"{row.length}, {one}-{two}")
    if row.total is not None and row.to_move is not None:
        to_move = row.names[_index(row.to_move)]
        parts.append(f"at {shorten(int(row.total))}, {to_move} to move")
    return "  ".join(parts)


def line_of_game(row: HistoryRow) -> str:
    """Describe a game, over or not."""
    parts = [short_id(row.match), _time(row.begun_at), row.game]
    if row.winner is None or row.reason is None:
        one, two = _called(row, Seat.ONE), _called(row, Seat.TWO)
        parts.append(f"{one} and {two}, unfinished at {shorten(int(row.total))}")
    else:
        beat = f"{_called(row, row.winner)} beat {_called(row, row.winner.other)}"
        parts.append(f"{beat} ({row.reason})")
    return "  ".join(parts)


def _called(row: HistoryRow | OpenMatchRow, seat: Seat) -> str:
    name, player = row.names[_index(seat)], row.players[_index(seat)]
    return name if player == HUMAN else f"{name} [{player}]"


def _index(seat: Seat) -> int:
    return seat.value - 1


def _time(time: datetime) -> str:
    return f"{to_local(time):%Y-%m-%d %H:%M}"


def to_local(time: datetime) -> datetime:
    """Return a time as the clock on the wall shows it.

    A time without a zone is one of that clock. Near the years 1 and 9999, where some
    zones have none, it stays in UTC.
    """
    try:
        return time.astimezone()
    except (OverflowError, ValueError):
        return time.replace(tzinfo=time.tzinfo or UTC)
