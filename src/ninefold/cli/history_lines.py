"""What was played, one line a game or match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ninefold.game import HUMAN, Seat
from ninefold.numerals import shorten

if TYPE_CHECKING:
    from datetime import datetime

    from ninefold.store import KeptMatch, PlayedGame, Setup

_SHORT_ID = 8


def short_id(kept: KeptMatch) -> str:
    """Return the beginning of an id, which is enough to name a match."""
    return kept.id[:_SHORT_ID]


def line_of_match(kept: KeptMatch) -> str:
    """Describe an unfinished match."""
    setup = kept.setup
    parts = [short_id(kept), _time(kept.changed_at), setup.book]
    parts.append(f"{_player(setup, Seat.ONE)} and {_player(setup, Seat.TWO)}")
    if setup.match.length.wins_needed > 1:
        one, two = kept.match.score.values()
        parts.append(f"{setup.match.length}, {one}-{two}")
    if kept.game is not None:
        to_move = setup.names[kept.game.to_move]
        parts.append(f"at {shorten(kept.game.total)}, {to_move} to move")
    return "  ".join(parts)


def line_of_game(played: PlayedGame) -> str:
    """Describe a game, over or not."""
    setup = played.kept.setup
    parts = [short_id(played.kept), _time(played.begun_at), setup.book]
    outcome = played.game.outcome
    if outcome is None:
        one, two = _player(setup, Seat.ONE), _player(setup, Seat.TWO)
        parts.append(f"{one} and {two}, unfinished at {shorten(played.game.total)}")
    else:
        winner, loser = outcome.winner, outcome.winner.other
        beat = f"{_player(setup, winner)} beat {_player(setup, loser)}"
        parts.append(f"{beat} ({outcome.reason.value})")
    return "  ".join(parts)


def _player(setup: Setup, seat: Seat) -> str:
    player = setup.players[seat]
    name = setup.names[seat]
    return name if player == HUMAN else f"{name} [{player}]"


def _time(time: datetime) -> str:
    return f"{time.astimezone():%Y-%m-%d %H:%M}"
