"""Games and matches in words: a table of games, or one line each."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from msgspec import Struct

from ninefold.cli.console import Console
from ninefold.cli.drawing import draw_table
from ninefold.game import Seat
from ninefold.players import HUMAN
from ninefold.rules import Reason
from ninefold.text import shorten
from ninefold.views import HistoryRow, OpenMatchRow

_SHORT_ID = 8
_HEADS = ("date", "game", "total", "id", "result")


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


class NamedRow(Struct, frozen=True):
    """A game, and the name by which ``review`` and ``replay`` find it."""

    name: str
    row: HistoryRow


def line_of_game(named: NamedRow) -> str:
    """Describe a game, over or not."""
    row = named.row
    if row.winner is None:
        more = f" at {shorten(int(row.total))}"
    else:
        more = f" ({row.reason})"
    parts = (named.name, _time(row.begun_at), row.game, f"{_result(row)}{more}")
    return "  ".join(parts)


def say_games(console: Console, games: Sequence[NamedRow]) -> None:
    """Say which games were played: as a table or, where it is narrow, two lines each.

    Plain or piped, each is one line.
    """
    if console.plain or not console.writes_to_terminal:
        for named in games:
            console.say(f"{line_of_game(named)}\n")
        return
    rows = [
        [
            (_date(named.row.begun_at), ""),
            (named.row.game, ""),
            (shorten(int(named.row.total)), ""),
            (named.name, "bold"),
            (_result(named.row) + _gave_up(named.row), ""),
        ]
        for named in games
    ]
    if draw_table(console, _HEADS, rows):
        return
    for named in games:
        row = named.row
        console.say(f"{_date(row.begun_at)}  {row.game}\n")
        total = shorten(int(row.total))
        result = _result(row) + _gave_up(row)
        console.say(f"  {result}, total {total}, {named.name}\n")


def _gave_up(row: HistoryRow) -> str:
    return " (resigned)" if row.reason == Reason.RESIGNED.value else ""


def _result(row: HistoryRow) -> str:
    if row.winner is None:
        return f"{_called(row, Seat.ONE)} and {_called(row, Seat.TWO)}, unfinished"
    winner, loser = _called(row, row.winner), _called(row, row.winner.other)
    return f"{winner} beat {loser}"


def _called(row: HistoryRow | OpenMatchRow, seat: Seat) -> str:
    name, player = row.names[_index(seat)], row.players[_index(seat)]
    return name if player == HUMAN else f"{name} [{player}]"


def _index(seat: Seat) -> int:
    return seat.value - 1


def _time(time: datetime) -> str:
    return f"{to_local(time):%Y-%m-%d %H:%M}"


def _date(time: datetime) -> str:
    return f"{to_local(time):%Y-%m-%d}"


def to_local(time: datetime) -> datetime:
    """Return a time as the clock on the wall shows it.

    A time without a zone is one of that clock. Near the years 1 and 9999, where some
    zones have none, it stays in UTC.
    """
    try:
        return time.astimezone()
    except (OverflowError, ValueError):
        return time.replace(tzinfo=time.tzinfo or UTC)
