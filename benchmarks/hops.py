"""How far a reader must jump: the files that one move and one ``solve`` go through.

Run it with ``python -m benchmarks.hops``. Under ``sys.setprofile``, each call into
ninefold's own code is noted by its file: how many distinct files there are, and how
often the next call is in another file than the one before.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO, TextIOWrapper
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType

import ninefold
from benchmarks.timing import print_table
from ninefold.cli.console import Console
from ninefold.main import main as run

PACKAGE = str(Path(ninefold.__file__).parent)
BEFORE = {"one move": (16, 53), "solve": (23, 156)}
"""What the version before took: files, and switches between them."""


class Trail:
    """The files that calls went through, in order."""

    def __init__(self) -> None:
        """Begin with no call."""
        self.files: list[str] = []

    @contextmanager
    def followed(self) -> Iterator[None]:
        """Note every call until the block ends."""
        sys.setprofile(self._note)
        try:
            yield
        finally:
            sys.setprofile(None)

    def start(self) -> None:
        """Note every call from now on."""
        sys.setprofile(self._note)

    @staticmethod
    def stop() -> None:
        """Note no more."""
        sys.setprofile(None)

    def _note(self, frame: FrameType, event: str, _argument: object) -> None:
        file = frame.f_code.co_filename
        if event == "call" and file.startswith(PACKAGE):
            self.files.append(file)

    @property
    def distinct(self) -> int:
        """How many files there are."""
        return len(set(self.files))

    @property
    def switches(self) -> int:
        """How often a call is in another file than the one before it."""
        return sum(before != after for before, after in pairwise(self.files))


class OneMove(Console):
    """Enters moves, and has the calls followed from one entry to the next prompt."""

    def __init__(self, home: str, trail: Trail) -> None:
        """Play against nobody, in a folder of its own."""
        super().__init__(_stream(b""), _stream(), _stream(), environ=_environ(home))
        self._trail = trail
        self._entries = iter(("5", "6", "quit"))

    def ask(self, prompt: str) -> str:
        """Give the next entry; the second one's move is followed."""
        self._trail.stop()
        entry = next(self._entries)
        if entry == "6":
            self._trail.start()
        return entry if entry != "quit" else super().ask(prompt)


def _stream(content: bytes = b"") -> TextIOWrapper:
    return TextIOWrapper(BytesIO(content), encoding="utf-8")


def _environ(home: str) -> dict[str, str]:
    return {"NINEFOLD_HOME": home}


def one_move() -> Trail:
    """Follow a move of the classic screen, from the entry to the next prompt."""
    trail = Trail()
    with TemporaryDirectory() as home:
        run(["play", "multiplication-madness"], OneMove(home, trail))
    return trail


def solve() -> Trail:
    """Follow ``ninefold solve``, rule books loaded."""
    trail = Trail()
    with TemporaryDirectory() as home:
        run(["games"], Console(*_streams(), environ=_environ(home)))
        console = Console(*_streams(), environ=_environ(home))
        with trail.followed():
            run(["solve", "multiplier-showdown"], console)
    return trail


def _streams() -> tuple[TextIOWrapper, TextIOWrapper, TextIOWrapper]:
    return _stream(), _stream(), _stream()


def main() -> None:
    """Follow both, and print them beside the version before."""
    rows = []
    for name, trail in {"one move": one_move(), "solve": solve()}.items():
        files, switches = BEFORE[name]
        rows.append(
            (name, f"{trail.distinct}", f"{files}", f"{trail.switches}", f"{switches}")
        )
    print_table(("", "files", "before", "switches", "before"), rows)


if __name__ == "__main__":
    main()
