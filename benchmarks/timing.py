"""Time things side by side, and say which promises were kept.

A figure of one machine on one day says little; a ratio taken in one run says more.
So contenders take turns, round after round, and the best time of each counts:
whatever else the machine does can only make a call slower, never faster.
"""

from __future__ import annotations

import gc
from dataclasses import dataclass
from itertools import repeat
from math import log
from statistics import linear_regression
from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

_UNITS = (("s", 1.0), ("ms", 1e-3), ("us", 1e-6), ("ns", 1e-9))


def side_by_side(
    contenders: Mapping[str, Callable[[], object]],
    *,
    rounds: int = 20,
    sample: float = 0.01,
) -> dict[str, float]:
    """Return the best time of one call for each contender, in seconds.

    Every round gives each contender a turn. A turn repeats the call for about
    ``sample`` seconds, or makes it once when one call takes longer.
    """
    calls = {name: _calls_in(sample, call) for name, call in contenders.items()}
    best = dict.fromkeys(contenders, float("inf"))
    for _ in range(rounds):
        for name, call in contenders.items():
            best[name] = min(best[name], time_of(call, calls[name]))
    return best


def best_time(
    call: Callable[[], object], *, rounds: int = 20, sample: float = 0.01
) -> float:
    """Return the best time of one call, in seconds."""
    return side_by_side({"it": call}, rounds=rounds, sample=sample)["it"]


def _calls_in(sample: float, call: Callable[[], object]) -> int:
    """Count the calls that fit into a sample; the first ones warm everything up."""
    calls = 1
    while (taken := time_of(call, calls) * calls) < sample / 2:
        calls *= 2
    return max(1, round(calls * sample / taken))


def time_of(call: Callable[[], object], calls: int = 1) -> float:
    """Time one call, as the mean of several in a row without garbage collection."""
    collecting = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        begun = perf_counter()
        for _ in repeat(None, calls):
            call()
        return (perf_counter() - begun) / calls
    finally:
        if collecting:
            gc.enable()


@dataclass(frozen=True, slots=True)
class Promise:
    """A promised figure beside the measured one."""

    what: str
    measured: str
    promised: str
    kept: bool


def at_least(what: str, ratio: float, promised: float) -> Promise:
    """Promise to be this many times faster, or more."""
    return Promise(
        what, times(ratio), f"at least {times(promised)}", kept=ratio >= promised
    )


def within(what: str, seconds: float, promised: float) -> Promise:
    """Promise to take this long, or less."""
    return Promise(
        what,
        duration(seconds),
        f"within {duration(promised)}",
        kept=seconds <= promised,
    )


def times(ratio: float) -> str:
    """Write a ratio.

    >>> times(12_345.6), times(3.4567)
    ('12,346 x', '3.46 x')
    """
    return f"{ratio:,.0f} x" if ratio >= 100 else f"{ratio:.3g} x"


def duration(seconds: float) -> str:
    """Write a time in the unit that suits it, with three digits.

    >>> duration(0.02), duration(12.3456e-6)
    ('20 ms', '12.3 us')
    """
    unit, size = next((pair for pair in _UNITS if seconds >= pair[1]), _UNITS[-1])
    return f"{seconds / size:.3g} {unit}"


def fitted_exponent(costs: Mapping[int, float]) -> float:
    """Fit a power law to costs by size: least squares on the logarithms of both.

    >>> round(fitted_exponent({10: 3.0, 100: 300.0, 1000: 30_000.0}), 6)
    2.0
    """
    sizes = [log(size) for size in costs]
    logs = [log(cost) for cost in costs.values()]
    return linear_regression(sizes, logs).slope


def print_promises(promises: Iterable[Promise]) -> None:
    """Print each promise, the measured figure and whether it was kept."""
    print_table(
        ("promised figure", "measured", "promised", ""),
        [
            (
                each.what,
                each.measured,
                each.promised,
                "kept" if each.kept else "NOT kept",
            )
            for each in promises
        ],
    )


def print_table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print aligned columns: the first to the left, the others to the right."""
    lines = [tuple(header), *map(tuple, rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        first, *others = line
        cells = [first.ljust(widths[0])]
        cells += [
            cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True)
        ]
        print("  " + "   ".join(cells).rstrip())
    print()
