"""What the runner of a tournament costs: 200,000 games, beside a bare loop over them.

``python -m benchmarks.tournament [ROUNDS]`` lets the five levels play each other on all
cores: through the runner, with a journal on disk, and as a plain map over the same
chunks. Both start their own processes. The runner may take twice as long.
"""

from __future__ import annotations

import os
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from benchmarks import timing
from ninefold.arena.tournament import Plan, Score, play_chunk
from ninefold.arena.tournament_journal import Journal
from ninefold.arena.tournament_workers import Runner, processes
from ninefold.levels import LEVELS
from ninefold.rulebooks import KEYS, load

ROUNDS = 10_000
TURNS = 3
PROMISED = 2.0
CORES = os.cpu_count() or 1


def through_the_runner(plan: Plan) -> dict[int, Score]:
    """Play a tournament as the command does."""
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(Journal(Path(folder) / "journal", plan)) as journal,
        processes(CORES) as pool,
    ):
        for score in Runner(plan, journal.scores).play(pool):
            journal.add(score)
        return journal.scores


def bare(plan: Plan) -> dict[int, Score]:
    """Play the same games with nothing around them."""
    with ProcessPoolExecutor(CORES, get_context("spawn")) as pool:
        scores = pool.map(partial(play_chunk, plan), plan.chunks)
        return {score.chunk: score for score in scores}


def main() -> None:
    """Let both take turns, and compare their best times."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    plan = Plan(tuple(LEVELS), tuple(load(key).rules for key in KEYS), rounds, seed=1)
    if through_the_runner(plan) != bare(plan):
        sys.exit("the runner and the bare loop come to different scores")
    best = dict.fromkeys((through_the_runner, bare), float("inf"))
    for _ in range(TURNS):
        for play in best:
            best[play] = min(best[play], timing.time_of(partial(play, plan)))
    games = len(plan.pairings) * 2 * rounds
    print(f"{games:,} games between levels, {CORES} processes")
    timing.print_table(
        ("", "time", "games a second"),
        [
            (
                play.__name__.replace("_", " "),
                timing.duration(taken),
                f"{games / taken:,.0f}",
            )
            for play, taken in best.items()
        ],
    )
    ratio = best[through_the_runner] / best[bare]
    promised = f"within {timing.times(PROMISED)}"
    kept = ratio <= PROMISED
    timing.print_promises(
        [timing.Promise("runner / bare loop", timing.times(ratio), promised, kept=kept)]
    )


if __name__ == "__main__":
    main()
