"""The number line: totals on a logarithmic scale, lost bands, and every move a hop.

A hop of a multiplier has the same length everywhere, as on a slide rule. The geometry
is computed once, here; terminal, pictures and page draw it. Places are fractions of the
line, 0 at its left end and 1 at its right end.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from functools import lru_cache
from itertools import islice
from math import log2

from msgspec import Struct
from msgspec.structs import asdict, replace

from ninefold.errors import TooLarge
from ninefold.game import Game, Seat
from ninefold.rules import Rules
from ninefold.text import SUPERSCRIPTS, shorten
from ninefold.theory import Band, Oracle, all_positions, oracle_for
from ninefold.views.match_text import format_bands

MOST_HOPS = 400
"""Only the last moves of a longer game are shown: the eye cannot separate more."""
_LARGEST_WHOLE_LABEL = 10**6
_TEN = 10
_MOST_DECADES = 8  # these fit evenly on 80 columns
_MOST_NAMED_BANDS = 24  # of more bands, an arbitrary few would have room for a label
_MOST_BANDS = 400
"""More bands than these cannot be told apart on a line."""
_MOST_POSITIONS = 2_000
_STOPS = 100
"""How many totals can be pointed at on a line with more positions than that."""
_BELOW_TARGET = 1e-6
"""The margin below the target, in powers of two, against rounding of floats."""
_MOST_OF_THE_OTHER = 64
"""Higher powers of a second multiplier bring a product no visibly nearer."""


class LabelKind(Enum):
    """The kinds of labels, the most important first."""

    TOTAL = "total"
    END = "end"
    """The start or the target."""
    BAND = "band"
    DECADE = "decade"


_KINDS = list(LabelKind)
_FIRM = (LabelKind.TOTAL, LabelKind.END)


class Label(Struct, frozen=True):
    """A number below the line, and the place that it belongs to."""

    place: float
    text: str
    kind: LabelKind
    slack: float = 0
    """How far the label's middle may be from its place: half the width of a band."""


class PlacedLabel(Struct, frozen=True):
    """A label with room: its first column or pixel, and its width."""

    left: float
    width: float
    label: Label


class LineBand(Struct, frozen=True):
    """A lost band: from the place of its lowest total to that of the one above it."""

    left: float
    right: float
    band: Band


class Hop(Struct, frozen=True):
    """A move, from the total before to the total after it."""

    left: float
    right: float
    seat: Seat
    multiplier: int
    is_turning_point: bool = False


class NumberLine(Struct, frozen=True):
    """A line from the start to the target, or to a total beyond it."""

    bands: tuple[LineBand, ...]
    hops: tuple[Hop, ...]
    """The moves; of a very long game, the last ones."""
    hint: Hop | None
    """A previewed move."""
    target: float
    """The place of the target: 1 unless a move went beyond it."""
    total: float | None
    """The place of the total; None without a game."""
    labels: tuple[Label, ...]

    def labels_that_fit(
        self, width: float, letter: float = 1, gap: float = 1, inset: float = 0
    ) -> list[PlacedLabel]:
        """Place labels within a width without overlaps.

        ``letter`` is the width of a character, ``gap`` the least space between two
        labels, ``inset`` the distance of the line's ends from the edges. The total and
        both ends are placed first, from the edges inward; without room for all three
        the start is dropped. Then bands and decades, dropping those without room near
        their place.
        """
        ranked = sorted(self.labels, key=lambda label: _KINDS.index(label.kind))
        firm = [label for label in ranked if label.kind in _FIRM]
        others = ranked[len(firm) :]
        while sum(len(label.text) * letter + gap for label in firm) > width + gap:
            firm.pop()
        firm.sort(key=lambda label: min(label.place, 1 - label.place))
        placed: list[PlacedLabel] = []
        for label in [*firm, *others]:
            size = len(label.text) * letter
            wanted = inset + label.place * (width - 2 * inset) - size / 2
            most = width if label.kind in _FIRM else size / 2 + label.slack * width
            beside = [other.left - gap - size for other in placed]
            beside += [other.left + other.width + gap for other in placed]
            places = [min(max(left, 0), width - size) for left in (wanted, *beside)]
            free = [
                left
                for left in places
                if left >= 0
                and abs(left - wanted) <= most
                and all(
                    left + size + gap <= other.left
                    or other.left + other.width + gap <= left
                    for other in placed
                )
            ]
            if free:
                left = min(free, key=lambda left: abs(left - wanted))
                placed.append(PlacedLabel(left, size, label))
        return sorted(placed, key=lambda each: each.left)


def number_line(
    rules: Rules,
    bands: Iterable[Band] | None = (),
    game: Game | None = None,
    *,
    hint: int | None = None,
    turning_point: int | None = None,
) -> NumberLine:
    """Return the line of a game, or of rules alone.

    ``bands`` may be None, for a game too big to find them; ``hint`` is a multiplier to
    preview as the next hop; ``turning_point`` is a move's number, from 1.

    >>> from ninefold import Ending
    >>> line = number_line(Rules(Ending.REACH, 1000), [Band(56, 111)])
    >>> [each.label.text for each in line.labels_that_fit(40)]
    ['1', '10', '56 to 111', '1,000']
    """
    total = None if game is None else game.total
    hinted = (total or 0) * (hint or 0)
    scale = Scale(rules.start, max(rules.target, total or 0, hinted))
    turns = () if game is None else game.turns()
    shown = tuple(
        LineBand(scale.place(b.lowest), min(scale.place(b.highest + 1), 1.0), b)
        for b in bands or ()
    )
    dashed = None
    if game is not None and hint is not None:
        left, right = scale.place(game.total), scale.place(hinted)
        dashed = Hop(left, right, game.to_move, hint)
    return NumberLine(
        bands=shown,
        hops=tuple(
            Hop(
                scale.place(turn.total),
                scale.place(turn.makes),
                turn.seat,
                turn.multiplier,
                turn.number == turning_point,
            )
            for turn in deque(turns, maxlen=MOST_HOPS)
        ),
        hint=dashed,
        target=scale.place(rules.target),
        total=None if total is None else scale.place(total),
        labels=tuple(_labels(scale, rules, shown, total)),
    )


@lru_cache(maxsize=16)
def lost_bands(rules: Rules, oracle: Oracle | None = None) -> tuple[Band, ...] | None:
    """Return as many lost bands as can be drawn; None if the game is too big."""
    try:
        return tuple(islice(oracle_for(rules, oracle).lost_bands(), _MOST_BANDS))
    except TooLarge:
        return None


def rules_line(rules: Rules, total: int | None = None) -> NumberLine:
    """Return the line of rules with their lost bands, and optionally a total."""
    bands = lost_bands(rules)
    return number_line(rules, bands) if total is None else line_at(rules, bands, total)


def line_at(rules: Rules, bands: Iterable[Band] | None, total: int) -> NumberLine:
    """Return the line of rules with a total, to which no moves are known.

    A total past the target is marked at the target.
    """
    line = number_line(rules, bands)
    place = min(Scale(rules.start, rules.target).place(total), 1.0)
    if not rules.start < total < rules.target:
        return replace(line, total=place)
    label = Label(place, format_total(total), LabelKind.TOTAL)
    return replace(line, total=place, labels=(*line.labels, label))


# Pointing at totals


@lru_cache(maxsize=16)
def positions_of(rules: Rules) -> tuple[int, ...] | None:
    """Return every reachable total, ascending; None if there are too many."""
    return all_positions(rules, _MOST_POSITIONS)


@lru_cache(maxsize=16)
def stops_of(rules: Rules) -> tuple[int, ...]:
    """Return the totals that can be pointed at, ascending.

    These are all positions or, if there are too many, some at even distances.

    >>> from ninefold import Ending
    >>> stops_of(Rules(Ending.REACH, 12, (2, 3)))
    (1, 2, 3, 4, 6, 8, 9)
    """
    return positions_of(rules) or tuple(sorted(set(_spread_products(rules))))


def _spread_products(rules: Rules) -> Iterator[int]:
    for step in range(_STOPS + 1):
        yield _product_near(rules, step / _STOPS)


def _product_near(rules: Rules, place: float) -> int:
    """Return a position near a place: powers of the smallest multiplier and another.

    Two multipliers suffice: some small power of the second one brings the powers of
    the first close to any place.
    """
    room = log2(rules.target) - log2(rules.start)
    wanted = min(place * room, room - _BELOW_TARGET)
    small = rules.multipliers[0]
    best, powers = wanted, (0, small, 0)
    for other in rules.multipliers:
        for count in range(_MOST_OF_THE_OTHER):
            rest = wanted - count * log2(other)
            times = int(rest / log2(small))
            if rest < 0:
                break
            if rest - times * log2(small) < best:
                best = rest - times * log2(small)
                powers = times, other, count
    times, other, count = powers
    factor: int = small**times * other**count
    return rules.start * factor


class Scale:
    """A logarithmic scale: ``low`` at 0, ``high`` at 1."""

    def __init__(self, low: int, high: int) -> None:
        self._low = log2(low)
        self._span = log2(high) - self._low

    def place(self, total: int) -> float:
        return (log2(total) - self._low) / self._span


def _labels(
    scale: Scale, rules: Rules, bands: Sequence[LineBand], total: int | None
) -> Iterable[Label]:
    named = {rules.target, rules.start}
    for end in (rules.target, rules.start):
        yield Label(scale.place(end), format_total(end), LabelKind.END)
    if total is not None and total not in named:
        named.add(total)
        yield Label(scale.place(total), format_total(total), LabelKind.TOTAL)
    for each in bands if len(bands) <= _MOST_NAMED_BANDS else ():
        lowest, highest = each.band.lowest, each.band.highest
        if lowest == highest and lowest in named:
            continue
        middle, half = (each.left + each.right) / 2, (each.right - each.left) / 2
        yield Label(middle, format_band(each.band), LabelKind.BAND, half)
    for decade in _decades(rules.start, rules.target):
        yield Label(scale.place(decade), format_total(decade), LabelKind.DECADE)


def _decades(start: int, target: int) -> Iterable[int]:
    """Return some powers of ten between two totals."""
    first, last = len(str(start)), len(str(target - 1))
    step = max(1, -(-(last - first) // _MOST_DECADES))
    return [10**power for power in range(first, last, step)]


def format_total(total: int) -> str:
    """Format a total for a label: in full if short, else as a power of ten.

    >>> format_total(1000), format_total(10**30), format_total(3 * 10**30)
    ('1,000', '10³⁰', '~3×10³⁰')
    """
    if total <= _LARGEST_WHOLE_LABEL:
        return shorten(total)
    power = len(str(total)) - 1
    first = round(total / 10**power)
    times = f"{first}×10" if 1 < first < _TEN else "10"
    about = "" if total == 10**power else "~"
    exponent = str(power + (first == _TEN))
    return f"{about}{times}{exponent.translate(SUPERSCRIPTS)}"


def format_band(band: Band) -> str:
    """Format a band by its two ends.

    >>> format_band(Band(4, 6)), format_band(Band(5, 5))
    ('4 to 6', '5')
    """
    lowest, highest = format_total(band.lowest), format_total(band.highest)
    return lowest if lowest == highest else f"{lowest} to {highest}"


class LineBandView(Struct, frozen=True):
    """A lost band: its place, and its label."""

    left: float
    right: float
    text: str


class LineView(Struct, frozen=True):
    """A number line; places are fractions, 0 at its left end and 1 at its right."""

    target: float
    total: float | None
    bands: tuple[LineBandView, ...]
    hops: tuple[Hop, ...]
    labels: tuple[Label, ...]
    """The labels, the most important kinds first."""

    @classmethod
    def of(cls, line: NumberLine) -> LineView:
        return cls(
            target=line.target,
            total=line.total,
            bands=tuple(
                LineBandView(each.left, each.right, format_band(each.band))
                for each in line.bands
            ),
            hops=line.hops,
            labels=tuple(sorted(line.labels, key=lambda each: _KINDS.index(each.kind))),
        )


class ExploredLine(LineView, frozen=True):
    """The number line of rules, with the totals that can be pointed at."""

    stops: tuple[int, ...]
    caption: str
    """What its bands mean, in a sentence."""

    @classmethod
    def at(cls, rules: Rules, total: int) -> ExploredLine:
        """Return the line of rules with a total on it."""
        drawn = asdict(LineView.of(rules_line(rules, total)))
        return cls(
            **drawn, stops=stops_of(rules), caption=format_bands(lost_bands(rules))
        )
