"""What holds for every test: no deadline, files in memory, long ones first."""

from __future__ import annotations

import gc
import os
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest
from coverage import Coverage
from hypothesis import settings

# On a busy machine a slow example says nothing about the code.
settings.register_profile("ninefold", deadline=None)
settings.load_profile("ninefold")

HERE = Path(__file__).parent
LONGEST = (
    *("browser/test_match.py", "app/test_table.py", "browser", "server/test_kills.py"),
    *("theory", "server", "app", "store"),
)
"""What takes longest, in this order: begun last, it would leave cores idle at the end."""
MEMORY = Path("/dev/shm")  # noqa: S108 - made for files that nobody keeps
ROOM = 2**30
"""Bytes that the files of a run need at most, among them databases."""


def pytest_configure() -> None:
    """Keep files in memory, where nobody waits for a disk at each commit."""
    if "TMPDIR" in os.environ or not os.access(MEMORY, os.W_OK):
        return
    found = os.statvfs(MEMORY)
    runs_programs = not found.f_flag & os.ST_NOEXEC  # some tests start one from there
    if found.f_bavail * found.f_frsize >= ROOM and runs_programs:
        os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes longest."""
    longest = [HERE / each for each in LONGEST]

    def rank(item: pytest.Item) -> int:
        places = (n for n, path in enumerate(longest) if item.path.is_relative_to(path))
        return next(places, len(longest))

    items.sort(key=rank)


def pytest_collection_finish() -> None:
    """Set apart all that was imported: it is no garbage, and there is much of it."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


# The marker of pytest-cov stops one of two that measure in a worker of pytest-xdist.
@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    """Measure nothing while a test runs that is marked so."""
    stopped: list[Coverage] = []
    if item.get_closest_marker("unmeasured"):
        while (measuring := Coverage.current()) is not None:
            measuring.stop()
            stopped.append(measuring)
    try:
        return (yield)
    finally:
        for measuring in reversed(stopped):
            measuring.start()
