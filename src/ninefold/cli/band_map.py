"""The band strip: a game's totals on a logarithmic line, lost and won told apart.

Both pictures, the one for the terminal and the one for paper, are drawn from this.
"""

from __future__ import annotations

from itertools import islice
from math import log2
from typing import TYPE_CHECKING

from ninefold.numerals import write
from ninefold.theory import Oracle

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ninefold.rules import Rules
    from ninefold.theory import Band

MOST_BANDS = 5_000
MOST_POSITIONS = 2_000
_LARGEST_WHOLE_LABEL = 10**6


class BandMap:
    """The lost bands and the reachable totals of a game, and where each is drawn."""

    def __init__(self, rules: Rules) -> None:
        """Work out the bands; a game may have more than can be drawn."""
        self.rules = rules
        bands = list(islice(Oracle(rules).lost_bands(), MOST_BANDS + 1))
        self.bands: list[Band] = bands[:MOST_BANDS]
        self.has_more_bands = len(bands) > MOST_BANDS
        self.positions = _positions(rules)
        """Every total that somebody can be faced with; None if there are too many."""
        self._low = log2(rules.start)
        self._span = log2(rules.target) - self._low

    def place(self, total: int) -> float:
        """Return where a total stands, from 0 at the start to 1 at the target."""
        return (log2(total) - self._low) / self._span

    def ticks(self) -> Iterator[tuple[int, str]]:
        """Yield the totals to label on the line, and their labels, ascending."""
        start, target = self.rules.start, self.rules.target
        yield start, label(start)
        decades = len_digits(target) - len_digits(start)
        step = max(1, decades // 12)
        for power in range(len_digits(start), len_digits(target), step):
            if start < 10**power < target:
                yield 10**power, label(10**power)
        yield target, label(target)


def label(total: int) -> str:
    """Write a total for a label: whole while it is short, else as a power of ten."""
    if total <= _LARGEST_WHOLE_LABEL:
        return str(total)
    power = len_digits(total) - 1
    return f"10^{power}" if total == 10**power else f"~10^{log2(total) / log2(10):.1f}"


def len_digits(number: int) -> int:
    """Return how many digits a number has."""
    return len(write(number))


def _positions(rules: Rules) -> list[int] | None:
    found = {rules.start}
    open_totals = [rules.start]
    while open_totals:
        total = open_totals.pop()
        for multiplier in rules.multipliers:
            after = rules.after(total, multiplier)
            if rules.verdict(after) is None and after not in found:
                found.add(after)
                open_totals.append(after)
        if len(found) > MOST_POSITIONS:
            return None
    return sorted(found)
