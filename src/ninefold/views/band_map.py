"""A game's lost and won totals on a logarithmic line, for terminal and pictures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from itertools import islice

from msgspec import Struct

from ninefold.rules import Rules
from ninefold.theory import Band, Oracle
from ninefold.views.number_line import NumberLine, Scale, number_line, positions_of

MOST_BANDS = 5_000


class TotalKind(Enum):
    """Whether a total is lost or won."""

    LOST = "lost"
    WON = "won"
    BOTH = "both"
    """Some of several totals are lost, others won."""
    UNKNOWN = "unknown"
    """Past the last computed band."""


class MapView(Struct, frozen=True):
    """The lost bands and the positions of a game, as JSON."""

    game: str
    rules: Rules
    lost_bands: tuple[Band, ...]
    """In ascending order; at most 5,000."""
    complete: bool
    """False if only the first bands are given."""
    positions: tuple[int, ...] | None
    """Every reachable total; None if there are too many."""


class BandMap:
    """The lost bands and the reachable totals of a game, with their scale."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        bands = list(islice(Oracle(rules).lost_bands(), MOST_BANDS + 1))
        self.bands: list[Band] = bands[:MOST_BANDS]
        self.has_more_bands = len(bands) > MOST_BANDS
        self.positions = positions_of(rules)
        """Every reachable total; None if there are too many."""
        self.scale = Scale(rules.start, rules.target)

    def view(self, game: str) -> MapView:
        """Return the map as data, under the game's key."""
        return MapView(
            game,
            self.rules,
            tuple(self.bands),
            complete=not self.has_more_bands,
            positions=self.positions,
        )

    def runs(self) -> Iterator[tuple[TotalKind, Band]]:
        """Yield all totals from the start to below the target, in runs of one kind."""
        begin = self.rules.start
        for band in self.bands:
            if begin < band.lowest:
                yield TotalKind.WON, Band(begin, band.lowest - 1)
            yield TotalKind.LOST, band
            begin = band.highest + 1
        if begin < self.rules.target:
            rest = TotalKind.UNKNOWN if self.has_more_bands else TotalKind.WON
            yield rest, Band(begin, self.rules.target - 1)

    def line(self) -> NumberLine:
        return number_line(self.rules, self.bands)


def kinds_of_columns(band_map: BandMap, width: int) -> list[TotalKind]:
    """Return the kind of each column.

    Every total is in a column of its kind or in one that is BOTH, and every run of lost
    or won totals stays visible. If two runs share a column, the reachable totals in it
    decide, unless that would hide a run.
    """
    runs = [(kind, *_columns(band_map, band, width)) for kind, band in band_map.runs()]
    there: list[list[int]] = [[] for _ in range(width)]
    for number, (_, first, last) in enumerate(runs):
        for column in range(first, last + 1):
            there[column].append(number)
    marked: list[set[TotalKind]] = [set() for _ in range(width)]
    kinds_of_positions = _kinds_of(band_map, band_map.positions or ())
    for total, kind in kinds_of_positions:
        marked[column_of(band_map, total, width)].add(kind)
    kinds = []
    for passing, marks in zip(there, marked, strict=True):
        found = {runs[number][0] for number in passing}
        hidden = {
            runs[number][0] for number in passing if runs[number][1] == runs[number][2]
        }
        if len(found) > 1 and len(marks) == 1 and hidden <= marks:
            found = marks
        kinds.append(found.pop() if len(found) == 1 else TotalKind.BOTH)
    for kind, first, last in runs:
        # A run that lies in two columns may have lost both of them.
        if not {kind, TotalKind.BOTH} & set(kinds[first : last + 1]):
            kinds[first] = TotalKind.BOTH
    return kinds


def _kinds_of(
    band_map: BandMap, positions: Iterable[int]
) -> Iterator[tuple[int, TotalKind]]:
    """Yield each position with its kind; both ascend."""
    waiting = iter(band_map.runs())
    kind, band = next(waiting)
    for total in positions:
        while total > band.highest:
            kind, band = next(waiting)
        yield total, kind


def column_of(band_map: BandMap, total: int, width: int) -> int:
    """Return the column of a total."""
    return min(int(band_map.scale.place(total) * width), width - 1)


def _columns(band_map: BandMap, band: Band, width: int) -> tuple[int, int]:
    """Return the first and last column of a run, which extends to the next total."""
    first = column_of(band_map, band.lowest, width)
    last = column_of(band_map, band.highest, width)
    after = band_map.scale.place(band.highest + 1) * width
    return first, max(last, min(int(after), width) - 1)
