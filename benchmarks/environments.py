"""How fast the environments of ``ninefold.rl`` are, beside the ways to do without them.

Run it with ``python -m benchmarks.environments``. It compares many games at once with
Gymnasium's own ``SyncVectorEnv``, self-play with loops in NumPy and in C, and the
environment of PettingZoo with one that checks nothing.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from functools import partial
from itertools import cycle
from pathlib import Path
from random import Random

import gymnasium
import numpy as np

from benchmarks.moves import random_games
from benchmarks.peers.pettingzoo_env import MultiplicationEnv, play
from benchmarks.timing import (
    Promise,
    at_least,
    print_promises,
    print_table,
    side_by_side,
)
from ninefold import Ending, Rules
from ninefold.rl.batch import Batch
from ninefold.rl.ninefold_v0 import raw_env

NAME = "ninefold.rl.gymnasium_env:ninefold/Ninefold-v0"
TARGET = 1000
FASTER_AT = {64: 15, 1000: 150, 10_000: 400}
"""How many times as fast as ``SyncVectorEnv``, by the number of games."""
SIZES = (64, 1000, 10_000, 100_000)
LOOP_AT = 100_000
"""How many games self-play is compared at."""
PART_OF_C, FASTER_THAN_NUMPY, PART_OF_BARE = 0.8, 1.5, 0.25
PLAIN, VECTORISED, NUMPY, OURS = "C, -O3", "C, -O3 -march=native", "NumPy", "Batch"
C_FLAGS = {PLAIN: ("-O3",), VECTORISED: ("-O3", "-march=native")}
SOURCE = Path(__file__).parent / "peers" / "batch.c"
GAMES = 100

Step = Callable[[np.ndarray], object]


def compare_vectors() -> list[Promise]:
    """Time steps of many games against a level, beside Gymnasium's own loop."""
    rows, promises = [], []
    for count, promised in FASTER_AT.items():
        steps = {}
        for kind in ("vector_entry_point", "sync"):
            env = gymnasium.make_vec(
                NAME, count, vectorization_mode=kind, target=TARGET, opponent="beginner"
            )
            env.reset(seed=1)
            env.action_space.seed(1)
            actions = cycle([env.action_space.sample() for _ in range(50)])
            steps[kind] = partial(lambda e, a: e.step(next(a)), env, actions)
        fast, sync = side_by_side(steps, rounds=10, sample=0.05).values()
        rows.append((f"{count:,}", rate(count, fast), rate(count, sync)))
        promises.append(
            at_least(f"{count:,} games, against SyncVectorEnv", sync / fast, promised)
        )
    print("Million steps a second, with observations, against beginner")
    print_table(("games", "VectorEnv", "SyncVectorEnv"), rows)
    return promises


def compare_batches(folder: Path) -> list[Promise]:
    """Time self-play with given moves, beside loops over totals."""
    rows = []
    best: dict[str, float] = {}
    for count in SIZES:
        loops = {OURS: batch(count), NUMPY: loop_in_numpy(count)}
        if shutil.which("cc"):
            loops |= {name: loop_in_c(count, name, folder) for name in C_FLAGS}
        check_agreement(loops, count)
        rng = np.random.default_rng(1)
        moves = [rng.integers(8, size=count) for _ in range(8)]
        steps = {
            name: partial(lambda step, coming: step(next(coming)), step, cycle(moves))
            for name, step in loops.items()
        }
        best = side_by_side(steps, rounds=30)
        rows.append((f"{count:,}", *(rate(count, each) for each in best.values())))
    print("Million moves a second in self-play, with given moves")
    print("  Batch checks all actions, the loops none; Python calls C for each step")
    print_table(("games", *best), rows)
    ours = f"self-play of {LOOP_AT:,} games, against"
    promises = [
        at_least(f"{ours} {NUMPY}", best[NUMPY] / best[OURS], FASTER_THAN_NUMPY)
    ]
    if PLAIN in best:
        promises.append(
            at_least(f"{ours} {PLAIN}", best[PLAIN] / best[OURS], PART_OF_C)
        )
    else:
        print("Not measured: C, because there is no cc.")
    return promises


def batch(count: int) -> Step:
    """Return a step of ``Batch``. Each step returns which games have ended."""
    played = Batch(Rules(Ending.REACH, TARGET), count)
    return lambda actions: played.play(actions)[0]


def loop_in_numpy(count: int) -> Step:
    """Return a step over an array of totals."""
    totals = np.ones(count, np.int64)

    def step(actions: np.ndarray) -> np.ndarray:
        over = totals >= TARGET
        np.multiply(totals, actions + 2, out=totals)
        totals[over] = 1
        return totals >= TARGET

    return step


def loop_in_c(count: int, name: str, folder: Path) -> Step:
    """Return a step of the C loop, compiled with the flags of that name."""
    library = folder / f"{name}.so"
    files = ["-o", str(library), str(SOURCE)]
    command = ["cc", *C_FLAGS[name], "-shared", "-fPIC", *files]
    subprocess.run(command, check=True)
    loop = ctypes.CDLL(str(library)).play
    size, target = ctypes.c_int64(count), ctypes.c_int64(TARGET)
    totals = np.ones(count, np.int64)

    def step(actions: np.ndarray) -> np.ndarray:
        ended = np.empty(count, np.bool_)
        loop(size, target, address(totals), address(actions), address(ended))
        return ended

    return step


def address(array: np.ndarray) -> ctypes.c_void_p:
    """Return the address of an array for C."""
    return ctypes.c_void_p(array.ctypes.data)


def check_agreement(steps: dict[str, Step], count: int) -> None:
    """Exit unless all steps end the same games."""
    rng = np.random.default_rng(2)
    for _ in range(100):
        actions = rng.integers(8, size=count)
        ended = [step(actions) for step in steps.values()]
        if not all(np.array_equal(ended[0], each) for each in ended):
            message = f"{', '.join(steps)} disagree on which games have ended"
            raise SystemExit(message)


def compare_single() -> list[Promise]:
    """Time games in PettingZoo, beside an environment that checks nothing."""
    games = random_games(TARGET, GAMES, Random(9))
    moves = sum(map(len, games))
    envs = {"raw_env": raw_env(target=TARGET), "bare": MultiplicationEnv(TARGET)}
    works = {
        name: partial(lambda env: [play(env, each) for each in games], env)
        for name, env in envs.items()
    }
    best = side_by_side(works)
    print("Moves a second in PettingZoo, through its documented loop")
    rows = [(name, f"{moves / seconds:,.0f}") for name, seconds in best.items()]
    print_table(("environment", "moves a second"), rows)
    ratio = best["bare"] / best["raw_env"]
    return [at_least("raw_env, against a bare environment", ratio, PART_OF_BARE)]


def rate(count: int, seconds: float) -> str:
    """Format a rate in millions a second."""
    return f"{count / seconds / 1e6:.3g}"


def main() -> None:
    """Time everything, and print which promises were kept."""
    promises = compare_vectors()
    with tempfile.TemporaryDirectory() as folder:
        promises += compare_batches(Path(folder))
    print_promises(promises + compare_single())


if __name__ == "__main__":
    main()
