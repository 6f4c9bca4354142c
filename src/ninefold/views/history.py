"""Games as a history lists them."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from ninefold.game import Seat
from ninefold.notation import write_line
from ninefold.rules import Rules
from ninefold.store import GameRow


class HistoryRow(Struct, frozen=True):
    """One game, over or not, of a match."""

    match: str
    match_number: int
    """The match among those with this id, from 1: a rematch is the next one."""
    number: int
    """The number of the game in its match, from 1."""
    game: str
    rules: Rules
    record: str
    """The game as one line."""
    total: int
    names: tuple[str, str]
    players: tuple[str, str]
    """Who played each seat: ``human``, ``bot``, or a level."""
    begun_at: datetime
    ended_at: datetime | None
    """None until the game is over."""
    winner: Seat | None
    reason: str | None
    """``reached``, ``exact``, ``exceeded`` or ``resigned``."""
    failure: str
    """Why a bot resigned; empty if none did."""
    score: tuple[int, int]
    """The match's score after this game."""
    is_retry: bool
    """Whether the game is a retry of an earlier one."""

    @classmethod
    def of(cls, row: GameRow) -> HistoryRow:
        return cls(
            match=row.match_id,
            match_number=row.match_number,
            number=row.number,
            game=row.book,
            rules=row.rules,
            record=write_line(row.record()),
            total=row.total,
            names=row.names,
            players=(row.setup.player_kind(Seat.ONE), row.setup.player_kind(Seat.TWO)),
            begun_at=row.begun_at,
            ended_at=row.ended_at,
            winner=row.winner,
            reason=row.reason,
            failure=row.failure,
            score=row.score,
            is_retry=row.is_retry,
        )
