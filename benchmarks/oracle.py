"""How fast the perfect answer comes, beside the ways in which others look for it.

Run it with ``python -m benchmarks.oracle``. A cold answer is a new ``Oracle`` and all
winning moves from total 1; a warm one asks an oracle that has answered before.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import combinations
from random import Random
from statistics import median
from time import perf_counter

from benchmarks.peers.openspiel_game import winning_moves as openspiel_winning_moves
from benchmarks.timing import (
    Promise,
    at_least,
    best_time,
    duration,
    fitted_exponent,
    print_promises,
    print_table,
    side_by_side,
    time_of,
    times,
    within,
)
from ninefold import Ending, Rules
from ninefold.text import format_set
from ninefold.theory import Oracle

CLASSIC = tuple(range(2, 10))
ROUNDS_AT_DIGITS = {3: 20, 6: 20, 9: 10, 12: 5, 15: 3, 18: 3}
LARGE = 999
GROWTH_DIGITS = (10, 30, 100, 300, 999)
GROWTH_ROUNDS = 5
SLOWEST_TO_REPEAT = (2, 5, 7, 9)  # its bands repeat only after 150,000 of them
NEVER_SEEN_TO_REPEAT = (2, 5, 6, 8, 9)  # so its cost keeps growing with the digits
FINALISTS = 8
WARM_TOTALS = 100
WARM_ROUNDS = 50
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
    for digits, rounds in ROUNDS_AT_DIGITS.items():
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
        best = side_by_side(contenders, rounds=rounds)
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
    last = f"cold at 10^{max(ROUNDS_AT_DIGITS)}"
    return [
        at_least(f"{last}, against a memoised search", over_search, 100),
        at_least(f"{last}, against OpenSpiel's MinimaxSolver", over_openspiel, 10_000),
    ]


def answer_large_targets() -> list[Promise]:
    """Time a target of 1,000 digits: 2-9, the slowest of all sets, and warm."""
    target = 10**LARGE
    classic = Rules(Ending.REACH, target)
    classic_seconds = best_time(partial(cold, classic))
    slowest, slowest_seconds = slowest_set(target)

    warm_seconds = slowest_warm(classic)
    name = f"{{{format_set(slowest.multipliers)}}}, {slowest.ending.value}"
    return [
        within(f"cold at 10^{LARGE}, 2-9", classic_seconds, 20 * MILLISECOND),
        within(
            f"cold at 10^{LARGE}, slowest of all 255 sets ({name})",
            slowest_seconds,
            500 * MILLISECOND,
        ),
        within(
            f"warm at 10^{LARGE}, 2-9, asked again (slowest of {WARM_TOTALS} totals)",
            warm_seconds,
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
            (format_set(rules.multipliers), rules.ending.value, duration(best[rules]))
            for rules in ranked
        ],
    )
    return ranked[0], best[ranked[0]]


def slowest_warm(rules: Rules) -> float:
    """Ask a warm oracle about many totals, then again; return the slowest of those.

    The first time, a total is also checked for being a position of the game; both
    times are printed, so that the oracle is not praised for its memory alone.
    """
    totals = some_totals(rules.target, WARM_TOTALS)
    first = dict.fromkeys(totals, float("inf"))
    again = dict(first)
    for _ in range(WARM_ROUNDS):
        oracle = Oracle(rules)
        oracle.winning_moves(1)
        for best in (first, again):
            for total in totals:
                begun = perf_counter()
                oracle.winning_moves(total)
                best[total] = min(best[total], perf_counter() - begun)
    print(f"Warm at 10^{LARGE}, 2-9: {WARM_TOTALS} totals that random play passes")
    print_table(
        ("", "quickest", "median", "slowest"),
        [
            (name, *map(duration, (min(taken), median(taken), max(taken))))
            for name, taken in (
                ("asked for the first time", first.values()),
                ("asked again", again.values()),
            )
        ],
    )
    return max(again.values())


def some_totals(target: int, count: int) -> list[int]:
    """Pick totals that random play comes through, all the way up to the target."""
    rng = Random(18)
    totals, total = [], 1
    while (total := total * rng.choice(CLASSIC)) < target:
        totals.append(total)
    return sorted(rng.sample(totals, count))


def show_growth() -> None:
    """Print the cost of a cold answer against the digits of the target."""
    seconds = {
        chosen: {
            digits: best_time(
                partial(cold, Rules(Ending.REACH, 10**digits, chosen)),
                rounds=GROWTH_ROUNDS,
            )
            for digits in GROWTH_DIGITS
        }
        for chosen in (CLASSIC, SLOWEST_TO_REPEAT, NEVER_SEEN_TO_REPEAT)
    }
    print("Growth: a cold answer, reach 10^digits, by multipliers")
    print_table(
        ("digits", *map(format_set, seconds)),
        [
            (f"{digits:,}", *(duration(taken[digits]) for taken in seconds.values()))
            for digits in GROWTH_DIGITS
        ],
    )
    print("Growth, fitted: k in cost ~ digits^k")
    print_table(
        ("digits", *map(format_set, seconds)),
        [
            (
                f"{GROWTH_DIGITS[0]:,} to {GROWTH_DIGITS[-1]:,}",
                *(f"{fitted_exponent(taken):z.2f}" for taken in seconds.values()),
            )
        ],
    )


def main() -> None:
    """Measure everything, then print the promises together."""
    promises = [*compare_solvers(), *answer_large_targets()]
    show_growth()
    print_promises(promises)


if __name__ == "__main__":
    main()
