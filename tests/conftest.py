"""What holds for every test: no deadline, files in memory, long ones first."""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings

# On a busy machine a slow example says nothing about the code.
settings.register_profile("test", deadline=None, derandomize=True, max_examples=50)
settings.register_profile("prove", deadline=None, max_examples=300, print_blob=True)
settings.load_profile("test")  # make prove names the other one

HERE = Path(__file__).parent
LONGEST = (
    *("browser", "app/test_table.py", "server/test_kills.py"),
    *("theory", "server", "app", "store"),
)
"""What takes longest, in this order: begun last, it would leave cores idle at the end."""
MEMORY = Path("/dev/shm")  # noqa: S108 - made for files that nobody keeps
ROOM = 2**30
"""Bytes that the files of a run need at most, among them databases."""
PREFIX = "ninefold-tests-"
FOLDER = pytest.StashKey[Path]()


def pytest_configure(config: pytest.Config) -> None:
    """Keep all files of a run in one folder, which goes with it."""
    if hasattr(config, "workerinput"):
        return  # a worker has the folder of the run
    place = Path(os.environ.get("TMPDIR") or memory() or tempfile.gettempdir())
    remove_what_killed_runs_left(place)
    folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-", dir=place))
    folder.chmod(0o711)  # tests that give up root's rights still enter it
    config.stash[FOLDER] = folder
    os.environ["TMPDIR"] = tempfile.tempdir = str(folder)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove the folder."""
    if FOLDER in config.stash:
        shutil.rmtree(config.stash[FOLDER], ignore_errors=True)


def memory() -> Path | None:
    """Return a place in memory, where nobody waits for a disk at each commit."""
    if not os.access(MEMORY, os.W_OK):
        return None
    found = os.statvfs(MEMORY)
    runs_programs = not found.f_flag & os.ST_NOEXEC  # some tests start one from there
    has_room = found.f_bavail * found.f_frsize >= ROOM
    return MEMORY if has_room and runs_programs else None


def remove_what_killed_runs_left(place: Path) -> None:
    """Remove the folders of runs that are gone; their names begin with the process."""
    for folder in place.glob(f"{PREFIX}*-*"):
        process = folder.name.removeprefix(PREFIX).partition("-")[0]
        if process.isdigit() and not is_alive(int(process)):
            shutil.rmtree(folder, ignore_errors=True)


def is_alive(process: int) -> bool:
    """Tell whether a process runs, be it of somebody else."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


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
