"""The same tournament on a real cluster of Dask, also when a worker of it is killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Iterator

import pytest

from ninefold import NinefoldError
from ninefold.arena.runner import Runner, cluster
from ninefold.arena.tournament import Plan, Score
from ninefold.players import LEVELS
from tests.arena.programs import process_in
from tests.arena.tournaments import GAMES, LOWEST, bot, play
from tests.program import run

CLUSTER = """
import sys
from pathlib import Path
from distributed import LocalCluster
if __name__ == "__main__":
    with LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
    ) as cluster:
        workers = (worker.pid for worker in cluster.workers.values())
        Path(sys.argv[1]).write_text(f"{cluster.scheduler_address} {[*workers]}\\n")
        input()
"""
KILLS = "import os\nif os.getppid() > 1: os.kill(os.getppid(), 9)\n"


@pytest.fixture
def dask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, list[int]]]:
    """Start a cluster of two workers; give its address, and their processes."""
    folder = tmp_path_factory.mktemp("cluster")
    program, started = folder / "cluster.py", folder / "started"
    program.write_text(CLUSTER)
    with subprocess.Popen(
        [sys.executable, program, started],
        stdin=subprocess.PIPE,
        start_new_session=True,
    ) as running:
        try:
            address, _, workers = process_in(started).partition(" ")
            yield address, json.loads(workers)
        finally:
            # A cluster that did not start, or was killed in part, may never end.
            os.killpg(running.pid, signal.SIGKILL)


@pytest.mark.prove
def test_a_cluster_comes_to_the_same_result_and_survives_the_death_of_a_worker(
    dask: tuple[str, list[int]],
) -> None:
    address, workers = dask
    plan = Plan((*LEVELS, bot(LOWEST)), GAMES, 2000, seed=1)
    with cluster(address) as pool:
        scores: dict[int, Score] = {}
        for score in Runner(plan, scores).play(pool):
            scores[score.chunk] = score
            if len(scores) == 10:
                os.kill(workers[0], signal.SIGKILL)
    assert scores == play(plan)


@pytest.mark.prove
def test_a_chunk_that_kills_the_workers_of_a_cluster_is_set_aside(
    dask: tuple[str, list[int]],
) -> None:
    plan = Plan(("planner", bot(KILLS), "perfect"), GAMES, 1, seed=1)
    runner = Runner(plan, {})
    with cluster(dask[0]) as pool:
        scores = [*runner.play(pool)]
    assert [score.chunk for score in scores] == [1]
    assert sorted(chunk.number for chunk in runner.set_aside) == [0, 2]


@pytest.mark.prove
def test_the_command_plays_on_a_cluster(dask: tuple[str, list[int]]) -> None:
    arguments = ("tournament", "planner", "expert", "--json")
    on_cluster = run(*arguments, "--dask", dask[0])
    assert on_cluster.stderr == ""
    assert on_cluster.stdout == run(*arguments).stdout


@pytest.mark.prove
def test_a_cluster_that_goes_away_is_said(dask: tuple[str, list[int]]) -> None:
    plan = Plan(("planner", "perfect"), GAMES, 100_000, seed=1)
    address, workers = dask
    scheduler = int(
        subprocess.check_output(["ps", "-o", "ppid=", "-p", str(workers[0])], text=True)
    )

    def play_and_kill() -> None:
        with cluster(address) as pool:
            scores = Runner(plan, {}).play(pool)
            next(scores)
            os.kill(scheduler, signal.SIGKILL)
            deque(scores, maxlen=0)

    with pytest.raises(NinefoldError, match="the cluster has gone"):
        play_and_kill()
