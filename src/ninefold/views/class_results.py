"""The results of a class: for each pupil, counts and one next step."""

from __future__ import annotations

from msgspec import Struct


class Share(Struct, frozen=True):
    """A count, and of how many."""

    count: int
    of: int


class ResultRow(Struct, frozen=True, kw_only=True):
    """The results of a pupil."""

    pupil: int
    name: str
    games: int
    """The games that ended."""
    unfinished: int
    won_from_won: Share
    """Games won, of those whose start was won for this pupil."""
    won_from_lost: Share
    kept: Share
    """Won positions kept, of those at which the pupil was to move."""
    right: int
    """Products that were right at once."""
    shaky: tuple[str, ...]
    """Products that were wrong, or right with help only."""
    next_step: str
