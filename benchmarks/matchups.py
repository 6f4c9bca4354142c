"""Exact matchups of all levels, beside the exploitability that OpenSpiel finds.

Run it with ``python -m benchmarks.matchups``. A turn of ninefold starts from nothing:
it visits the positions of all five games, asks all five levels at each, and sums up
5 x 5 matchups. OpenSpiel finds the exploitability of one policy, the random one, in
one game, to 100; ninefold finds that too. Then it times what ``ninefold.rl`` says of a
network that has learned nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from math import log2
from random import Random
from time import perf_counter

import numpy as np

from benchmarks import timing
from benchmarks.peers.openspiel_game import exploitability as openspiel_exploitability
from ninefold import Ending, Rules
from ninefold.levels import LEVELS
from ninefold.matchups import Matchups, best_response
from ninefold.rl.scores import judge, policy_from
from ninefold.rulebooks import KEYS, load

TARGET = 100
ROUNDS = 10


def all_matchups() -> list[Fraction]:
    """Find the chances of each level against each in all five games."""
    chances = []
    for key in KEYS:
        game = Matchups(load(key).rules)
        players = [level.player(Random(1)) for level in LEVELS.values()]
        chances += [game.matchup(one, two) for one in players for two in players]
    return chances


def exploitability(target: int) -> float:
    """Return what a best response to random play gains in the mean of both seats."""
    beginner = LEVELS["beginner"].player(Random(1))
    return float(best_response(Rules(Ending.REACH, target), beginner).exploitability)


def network(rules: Rules, totals: Sequence[int]) -> np.ndarray:
    """Return the weights of a network of 64 x 64 that has learned nothing."""
    rng = np.random.default_rng(1)
    found = np.array([[log2(total), log2(rules.target)] for total in totals])
    for width in (64, 64, len(rules.multipliers)):
        found = np.tanh(found @ rng.normal(size=(found.shape[1], width)))
    return np.exp(found)


def audit(target: int) -> None:
    """Find the best response to the network and its regret, from nothing."""
    rules = Rules(Ending.REACH, target)
    policy = policy_from(rules, network)
    game = Matchups(rules)
    game.best_response(policy)
    game.regret(policy)


def main() -> None:
    """Check that both find the same, time them, print what came of it."""
    begun = perf_counter()
    count = len(all_matchups())
    cold = perf_counter() - begun
    found = exploitability(TARGET), openspiel_exploitability(TARGET)
    if abs(found[0] - found[1]) > 1e-9:
        message = f"the exploitabilities to {TARGET} differ: {found}"
        raise SystemExit(message)
    openspiel = f"OpenSpiel: exploitability to {TARGET}"
    own = f"ninefold: exploitability to {TARGET}"
    everything = f"ninefold: {count} matchups in five games"
    best = timing.side_by_side(
        {
            everything: all_matchups,
            own: partial(exploitability, TARGET),
            openspiel: partial(openspiel_exploitability, TARGET),
        },
        rounds=ROUNDS,
    )
    print(f"Exact values; both find an exploitability of {found[0]} to {TARGET}")
    timing.print_table(
        ("", "time", "OpenSpiel's, as a ratio"),
        [
            (name, timing.duration(seconds), timing.times(best[openspiel] / seconds))
            for name, seconds in (*best.items(), ("the first time in a process", cold))
        ],
    )
    ratio = best[openspiel] / best[own]
    timing.print_promises(
        [
            timing.within(
                everything.removeprefix("ninefold: "), best[everything], 0.05
            ),
            timing.at_least(
                f"exploitability to {TARGET}, against OpenSpiel", ratio, 100
            ),
            *(
                timing.within(
                    f"best response and regret of a network to {target:,}",
                    timing.best_time(partial(audit, target)),
                    promised,
                )
                for target, promised in ((10**3, 0.01), (10**6, 0.1))
            ),
            timing.within(
                "judge, the first time", timing.time_of(partial(judge, network)), 10
            ),
        ]
    )


if __name__ == "__main__":
    main()
