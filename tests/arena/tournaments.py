"""Tournaments that tests play: on threads of this process, or on processes."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

from ninefold.arena.tournament import Plan, Score, play_chunk
from ninefold.arena.tournament_workers import Pool, Runner, WorkerDied
from ninefold.rulebooks import KEYS, load
from tests.program import NINEFOLD, environment, heed_signals

GAMES = tuple(load(key).rules for key in KEYS)
LOWEST = """
import sys
for line in sys.stdin:
    word, *rest = line.split()
    if word == "ninefold":
        print("ok Lowest", flush=True)
    elif word == "rules":
        lowest = rest[2].split(",")[0]
    elif word == "go":
        print("move", lowest, flush=True)
    else:
        break
"""
"""A bot that always plays the lowest multiplier."""


def bot(code: str) -> str:
    """Name a bot that is written in Python as a contestant."""
    return f"bot:{shlex.join([sys.executable, '-c', code])}"


@contextmanager
def threads() -> Iterator[Pool]:
    """Open a pool of threads: they are quick to start."""
    with ThreadPoolExecutor(2) as executor:
        yield Pool(
            lambda plan, chunk: executor.submit(play_chunk, plan, chunk), 4, WorkerDied
        )


def play(
    plan: Plan, pools: Callable[[], AbstractContextManager[Pool]] = threads
) -> dict[int, Score]:
    """Play a whole tournament; return its scores."""
    scores: dict[int, Score] = {}
    with pools() as pool:
        for score in Runner(plan, scores).play(pool):
            scores[score.chunk] = score
    return scores


def start(
    *arguments: str, first: Callable[[], None] = heed_signals
) -> subprocess.Popen[bytes]:
    """Start a tournament as a process of its own, which does something first."""
    return subprocess.Popen(
        [*NINEFOLD, "tournament", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        start_new_session=True,
        preexec_fn=first,  # noqa: PLW1509 - it takes no lock
    )


def lines_in(journal: Path) -> int:
    """Count the whole lines of a journal."""
    return journal.read_bytes().count(b"\n") if journal.exists() else 0


def workers_of(process: int) -> list[int]:
    """Return the processes that play for a tournament."""
    found: list[int] = []
    for children in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):  # a thread that has ended
            found += map(int, children.read_text().split())
    return [each for each in found if "spawn_main" in command_of(each)]


def command_of(process: int) -> str:
    """Return the command line of a process; empty if it has ended."""
    try:
        return Path(f"/proc/{process}/cmdline").read_text()
    except (OSError, UnicodeDecodeError):
        return ""
