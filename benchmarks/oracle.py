"""How fast the perfect answer comes, beside the ways in which others look for it.

Run it with ``python -m benchmarks.oracle``. A cold answer is a new ``Oracle`` and all
winning moves from total 1; a warm one asks an oracle that has answered before.
"""

from __future__ import annotations

from functools import partial
from itertools import combinations
from math import log
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING

from benchmarks.peers.openspiel_game import winning_moves as openspiel_winning_moves
from benchmarks.timing import (
    Promise,
    at_least,
    best_time,
    duration,
    print_promises,
    print_table,
    side_by_side,
    time_of,
    times,
    within,
)
from ninefold import Ending, Rules
from ninefold.numerals import write_set
from ninefold.theory import Oracle

if TYPE_CHECKING:
    from collections.abc import Sequence

CLASSIC = tuple(range(2, 10))
SOLVED_DIGITS = (3, 6, 9, 12, 15, 18)
LARGE = 1000
GROWTH_DIGITS = (10, 30, 100, 300, 1000, 3000, 10_000)
FINALISTS = 8
WARM_ROUNDS = 20
MILLISECOND, MICROSECOND = 1e-3, 1e-6


def cold(rules: Rules) -> list[int]:
    """Answer as if nothing had been asked before."""
    return list(Oracle(rules).winning_moves(1))


def searched(target: int, multipliers: Sequence[int] = CLASSIC) -> list[int]:
    """Answer by a memoised search over totals: the textbook way, and a quick one.

    It stops at the first winning move everywhere but at the root, and tries small
    multipliers first; both were the faster choice, as was a plain dictionary.
    """
    known: dict[int, bool] = {}

    def wins(total: int) -> bool:
        if total in known:
            return known[total]
        won = False
        for multiplier in multipliers:
            made = total * multiplier
            if made >= target or not wins(made):
                won = True
                break
        known[total] = won
        return won

    return [
        multiplier
        for multiplier in multipliers
        if multiplier >= target or not wins(multiplier)
    ]


def compare_solvers() -> list[Promise]:
    """Time a cold answer beside a memoised search and OpenSpiel's MinimaxSolver."""
    print("A cold answer, reach the target, multipliers 2-9, side by side")
    print("  search: memoised over totals, plain Python")
    print("  OpenSpiel: open_spiel.python.algorithms.minimax_solver.MinimaxSolver")
    rows = []
    over_search = over_openspiel = 0.0
    for digits in SOLVED_DIGITS:
        target = 10**digits
        contenders = {
            "ninefold": partial(cold, Rules(Ending.REACH, target)),
            "search": partial(searched, target),
            "OpenSpiel": partial(openspiel_winning_moves, target),
        }
        answers = {name: answer() for name, answer in contenders.items()}
        if len(set(map(tuple, answers.values()))) != 1:
            message = f"the answers at 10^{digits} differ: {answers}"
            raise SystemExit(message)
        best = side_by_side(contenders, rounds=3)
        over_search = best["search"] / best["ninefold"]
        over_openspiel = best["OpenSpiel"] / best["ninefold"]
        rows.append(
            (
                f"10^{digits}",
                *map(duration, best.values()),
                times(over_search),
                times(over_openspiel),
            )
        )
    print_table(
        ("target", "ninefold", "search", "OpenSpiel", "over search", "over OpenSpiel"),
        rows,
    )
    last = f"cold at 10^{SOLVED_DIGITS[-1]}"
    return [
        at_least(f"{last}, against a memoised search", over_search, 100),
        at_least(f"{last}, against OpenSpiel's MinimaxSolver", over_openspiel, 10_000),
    ]


def answer_large_targets() -> list[Promise]:
    """Time a target of a thousand digits: 2-9, the slowest of all sets, and warm."""
    target = 10**LARGE
    classic = Rules(Ending.REACH, target)
    classic_seconds = best_time(partial(cold, classic))
    slowest, slowest_seconds = slowest_set(target)

    totals = some_totals(target, 100)
    again, anew = warm_times(classic, totals)
    name = f"{{{write_set(slowest.multipliers)}}}, {slowest.ending.value}"
    return [
        within(f"cold at 10^{LARGE}, 2-9", classic_seconds, 20 * MILLISECOND),
        within(
            f"cold at 10^{LARGE}, slowest of all 255 sets ({name})",
            slowest_seconds,
            500 * MILLISECOND,
        ),
        within(
            f"warm at 10^{LARGE}, 2-9, asked again (slowest of {len(totals)} totals)",
            again,
            20 * MICROSECOND,
        ),
        within(
            f"warm at 10^{LARGE}, 2-9, asked anew (slowest of {len(totals)} totals)",
            anew,
            20 * MICROSECOND,
        ),
    ]


def slowest_set(target: int) -> tuple[Rules, float]:
    """Try all 255 sets of 2-9, winning and losing at the target; print the slowest."""
    everything = [
        Rules(ending, target, chosen)
        for ending in (Ending.REACH, Ending.AVOID)
        for size in range(1, len(CLASSIC) + 1)
        for chosen in combinations(CLASSIC, size)
    ]
    begun = perf_counter()
    once = {rules: time_of(partial(cold, rules)) for rules in everything}
    taken = perf_counter() - begun
    finalists = sorted(once, key=once.__getitem__, reverse=True)[:FINALISTS]
    best = {rules: best_time(partial(cold, rules), rounds=5) for rules in finalists}
    ranked = sorted(best, key=best.__getitem__, reverse=True)
    print(
        f"Cold at 10^{LARGE}: the slowest of all 255 sets of 2-9,"
        f" reach and avoid ({len(everything)} tried in {duration(taken)})"
    )
    print_table(
        ("multipliers", "ending", "cold"),
        [
            (write_set(rules.multipliers), rules.ending.value, duration(best[rules]))
            for rules in ranked
        ],
    )
    return ranked[0], best[ranked[0]]


def warm_times(rules: Rules, totals: Sequence[int]) -> tuple[float, float]:
    """Return the slowest answers of a warm oracle: to a total asked before, and not.

    An oracle that remembers totals must not be praised for its memory alone.
    """
    again = dict.fromkeys(totals, float("inf"))
    anew = dict(again)
    for _ in range(WARM_ROUNDS):
        oracle = Oracle(rules)
        oracle.winning_moves(1)
        for asked in (anew, again):
            for total in totals:
                taken = time_of(partial(oracle.winning_moves, total))
                asked[total] = min(asked[total], taken)
    return max(again.values()), max(anew.values())


def some_totals(target: int, count: int) -> list[int]:
    """Pick totals that random play comes through, all the way up to the target."""
    rng = Random(18)  # noqa: S311 - the same totals in every run
    totals, total = [], 1
    while (total := total * rng.choice(CLASSIC)) < target:
        totals.append(total)
    return sorted(rng.sample(totals, count))


def show_growth() -> None:
    """Print the cost of a cold answer against the digits of the target."""
    seconds = {}
    for digits in GROWTH_DIGITS:
        rules = Rules(Ending.REACH, 10**digits)
        seconds[digits] = best_time(partial(cold, rules), rounds=7)
    print("Growth: a cold answer, reach 10^digits, multipliers 2-9")
    print_table(
        ("digits", "cold", "per digit"),
        [
            (f"{digits:,}", duration(taken), duration(taken / digits))
            for digits, taken in seconds.items()
        ],
    )
    every = fitted_exponent(seconds)
    upper = fitted_exponent({d: s for d, s in seconds.items() if d >= LARGE})
    print(f"  fitted: cost ~ digits^{every:.2f} over the whole table,")
    print(f"          cost ~ digits^{upper:.2f} from {LARGE:,} digits on")
    print()


def fitted_exponent(points: dict[int, float]) -> float:
    """Fit a power law by least squares on the logarithms.

    >>> round(fitted_exponent({10: 3.0, 100: 300.0, 1000: 30_000.0}), 6)
    2.0
    """
    xs = [log(size) for size in points]
    ys = [log(cost) for cost in points.values()]
    x_mean, y_mean = sum(xs) / len(xs), sum(ys) / len(ys)
    shared = sum((x - x_mean) * (y - y_mean) for x, y in zip(xs, ys, strict=True))
    return shared / sum((x - x_mean) ** 2 for x in xs)


def main() -> None:
    """Measure everything, then print the promises together."""
    promises = [*compare_solvers(), *answer_large_targets()]
    show_growth()
    print_promises(promises)


if __name__ == "__main__":
    main()
