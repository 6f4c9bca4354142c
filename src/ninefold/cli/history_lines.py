"""Games and matches in words: a table of games, or one line each."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from msgspec import Struct

from ninefold.cli.console import Console
from ninefold.cli.drawing import draw_table
from ninefold.cli.layout import width_of
from ninefold.game import Seat
from ninefold.players import HUMAN, LEVELS
from ninefold.rules import Reason
from ninefold.text import columns_of, escape, shorten, wrap
from ninefold.views import HistoryRow, OpenMatchRow

_SHORT_ID = 8
_HEADS = ("date", "game", "total", "id", "result")
_PLAIN_HEADS = ("id", "begun", "game", "result")
_HANGING = "    "


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


def cells_of_game(named: NamedRow) -> tuple[str, str, str, str]:
    """Describe a game, over or not, in the columns of a plain list."""
    row = named.row
    if row.winner is None:
        more = f" at {shorten(int(row.total))}"
    else:
        more = f" ({row.reason})"
    return named.name, _time(row.begun_at), row.game, f"{_result(row)}{more}"


def say_games(console: Console, games: Sequence[NamedRow]) -> None:
    """Say which games were played: as a table or, where it is narrow, two lines each.

    Plain or piped, each is one line below a head; a terminal that is narrower gets
    the rest of it indented.
    """
    if console.plain or not console.writes_to_terminal:
        _say_plain_list(console, [_PLAIN_HEADS, *map(cells_of_game, games)])
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


def _say_plain_list(console: Console, rows: Sequence[Sequence[str]]) -> None:
    *widths, _ = (
        max(map(columns_of, map(escape, column))) for column in zip(*rows, strict=True)
    )
    for row in rows:
        *cells, last = map(escape, row)
        padded = [
            cell + " " * (width - columns_of(cell))
            for cell, width in zip(cells, widths, strict=True)
        ]
        line = "  ".join([*padded, last])
        if console.writes_to_terminal and columns_of(line) > console.columns:
            room = width_of(console) - len(_HANGING)
            line = wrap(line, room).replace("\n", f"\n{_HANGING}")
        console.say(f"{line}\n")


def _gave_up(row: HistoryRow) -> str:
    return " (resigned)" if row.reason == Reason.RESIGNED.value else ""


def _result(row: HistoryRow) -> str:
    if row.winner is None:
        return f"{_called(row, Seat.ONE)} and {_called(row, Seat.TWO)}, unfinished"
    winner, loser = _called(row, row.winner), _called(row, row.winner.other)
    return f"{winner} beat {loser}"


def _called(row: HistoryRow | OpenMatchRow, seat: Seat) -> str:
    name, player = row.names[_index(seat)], row.players[_index(seat)]
    level = LEVELS.get(player)  # an export of another version may name others
    if player == HUMAN or (level is not None and name == level.title):
        return name
    return f"{name} [{player}]"


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
