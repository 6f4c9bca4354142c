"""An oracle that threads share answers each of them as it answers one alone."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from random import Random
from threading import Barrier

import pytest

from ninefold import Ending, Rules
from ninefold.theory import Band, Chances, Odds, Oracle

THREADS = 8
SETS = [
    (2,),
    (2, 3, 7),
    (2, 4, 9),
    (2, 5, 9),
    (2, 5, 8, 9),
    (2, 5, 6, 8, 9),
    (4, 6, 9),
    tuple(range(2, 10)),
]
TARGETS = [10**6, 10**12, 6**40, 10**40]
CHANCES_UP_TO = 10**12  # beyond, chances take longer than all the rest

Said = tuple[bool, tuple[int, ...], int, Band | None, Odds | None]


@pytest.fixture(autouse=True)
def switching_often() -> Iterator[None]:
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


def ask(oracle: Oracle, chances: Chances, total: int) -> Said:
    """Ask everything there is to ask of one position."""
    small = oracle.rules.target <= CHANCES_UP_TO
    return (
        oracle.wins(total),
        oracle.winning_moves(total),
        oracle.distance(total),
        oracle.band_at(total),
        chances.at(total) if small else None,
    )


@cache
def alone(rules: Rules) -> dict[int, Said]:
    """Ask about some positions, one after the other, without any other thread."""
    rng = Random(18)
    totals = {rules.start}
    for _ in range(6):
        total = rules.start
        while total < rules.target:
            if rng.random() < 0.1:
                totals.add(total)
            total *= rng.choice(rules.multipliers)
    oracle = Oracle(rules)
    chances = Chances(oracle)
    return {total: ask(oracle, chances, total) for total in sorted(totals)}


def shared(rules: Rules, seed: int) -> list[dict[int, Said]]:
    """Ask a fresh oracle the same from many threads at once, each in its own order."""
    oracle = Oracle(rules)
    chances = Chances(oracle)
    begin = Barrier(THREADS)

    def one_thread(number: int) -> dict[int, Said]:
        totals = list(alone(rules))
        Random(f"{seed} {number}").shuffle(totals)
        begin.wait()
        return {total: ask(oracle, chances, total) for total in totals}

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(one_thread, range(THREADS)))


def check_runs(seeds: range) -> None:
    for seed in seeds:
        rng = Random(seed)
        rules = Rules(rng.choice(list(Ending)), rng.choice(TARGETS), rng.choice(SETS))
        expected = alone(rules)
        assert all(said == expected for said in shared(rules, seed)), (seed, rules)


def test_threads_get_the_answers_that_one_alone_gets() -> None:
    check_runs(range(24))


@pytest.mark.prove
def test_threads_get_the_answers_that_one_alone_gets_in_500_runs() -> None:
    check_runs(range(500))
