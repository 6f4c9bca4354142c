"""The same tournament on a real cluster of Dask, also when a worker of it is killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from pathlib import Path

import pytest

from ninefold import NinefoldError
from ninefold.arena.tournament import Plan, Score
from ninefold.arena.tournament_workers import Runner, cluster
from ninefold.levels import LEVELS
from tests.arena.programs import until
from tests.arena.tournaments import GAMES, LOWEST, bot, play
from tests.program import run

KILLS = "import os\nif os.getppid() > 1: os.kill(os.getppid(), 9)\n"


class Cluster:
    """A scheduler and two workers, each started by its command."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "scheduler.json"
        self._started: list[subprocess.Popen[bytes]] = []
        self._start("scheduler", "--host", "127.0.0.1", "--port", "0")
        for _ in range(2):
            self._start("worker", "--nthreads", "1", "--local-directory", folder)
        self.scheduler, *self.workers = (each.pid for each in self._started)

    def _start(self, name: str, *options: str | Path) -> None:
        self._started.append(
            subprocess.Popen(
                [
                    *(sys.executable, "-W", "ignore", "-m"),
                    *(f"distributed.cli.dask_{name}", *options, "--no-dashboard"),
                    *("--scheduler-file", self._file),
                ],
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        )

    @cached_property
    def address(self) -> str:
        """The address of the scheduler, once it has written it down."""
        until(lambda: self._file.exists() and self._file.read_text().endswith("}"))
        return str(json.loads(self._file.read_text())["address"])

    def end(self) -> None:
        for process in self._started:
            kill_group(process.pid)
            process.wait()


def kill_group(process: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process, signal.SIGKILL)


@pytest.fixture
def dask(tmp_path: Path) -> Iterator[Cluster]:
    """Start a cluster."""
    cluster = Cluster(tmp_path)
    yield cluster
    cluster.end()


@pytest.mark.prove
def test_a_cluster_gives_the_same_result_even_if_a_worker_dies(
    dask: Cluster,
) -> None:
    plan = Plan((*LEVELS, bot(LOWEST)), GAMES, 2000, seed=1)
    with cluster(dask.address) as pool:
        scores: dict[int, Score] = {}
        for score in Runner(plan, scores).play(pool):
            scores[score.chunk] = score
            if len(scores) == 10:
                kill_group(dask.workers[0])
    assert scores == play(plan)


@pytest.mark.prove
def test_a_chunk_that_kills_the_workers_of_a_cluster_is_set_aside(
    dask: Cluster,
) -> None:
    plan = Plan(("planner", bot(KILLS), "perfect"), GAMES, 1, seed=1)
    runner = Runner(plan, {})
    with cluster(dask.address) as pool:
        scores = [*runner.play(pool)]
    assert [score.chunk for score in scores] == [1]
    assert sorted(chunk.number for chunk in runner.set_aside) == [0, 2]


@pytest.mark.prove
def test_the_command_plays_on_a_cluster(dask: Cluster) -> None:
    arguments = ("tournament", "planner", "expert", "--json")
    on_cluster = run(*arguments, "--dask", dask.address)
    assert on_cluster.stderr == ""
    assert on_cluster.stdout == run(*arguments).stdout


MANY = Plan(("planner", "perfect"), GAMES, 100_000, seed=1)


@pytest.mark.prove
def test_a_lost_cluster_is_reported(dask: Cluster) -> None:
    def play_and_kill() -> None:
        with cluster(dask.address) as pool:
            scores = Runner(MANY, {}).play(pool)
            next(scores)
            kill_group(dask.scheduler)
            deque(scores, maxlen=0)

    with pytest.raises(NinefoldError, match="the cluster was lost"):
        play_and_kill()


@pytest.mark.prove
def test_a_cluster_without_a_worker_is_an_error(dask: Cluster) -> None:
    def play_and_take_workers() -> None:
        with cluster(dask.address) as pool:
            scores = Runner(MANY, {}).play(pool)
            next(scores)
            for worker in dask.workers:
                kill_group(worker)
            deque(scores, maxlen=0)

    with pytest.raises(NinefoldError, match="has no worker; start some"):
        play_and_take_workers()
