"""How far a reader must jump: the files that a move and a ``solve`` go through.

Run it with ``python -m benchmarks.hops``. Under a profiler, each call into ninefold's
own code is noted by its file: how many distinct files there are, and how often the next
call of the same thread is in another file than the one before.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections import defaultdict
from functools import partial
from io import BytesIO, TextIOWrapper
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from urllib.request import Request, urlopen

import ninefold
from benchmarks.timing import print_table
from ninefold.cli.console import Console, Hosting
from ninefold.main import main as run
from ninefold.main import open_server

PACKAGE = str(Path(ninefold.__file__).parent)
BEFORE = {
    "a move at home": (16, 53),
    "a move on a server, a terminal watches": (51, 342),
    "a move on a server, a browser watches": (51, 342),
    "solve": (23, 156),
}
"""An earlier version: files, and switches between them."""
QUIET = 0.5
"""Seconds without a call after which a move is done."""


class Trail:
    """The files that calls went through, in order, for each thread."""

    def __init__(self) -> None:
        self._files: dict[int, list[str]] = defaultdict(list)
        self._is_on = False
        self._last = 0.0

    def watch(self) -> None:
        """Note the calls of this thread, and of those that start later."""
        threading.setprofile(self._note)
        sys.setprofile(self._note)

    @staticmethod
    def unwatch() -> None:
        """Note no more."""
        threading.setprofile(None)
        sys.setprofile(None)

    def start(self) -> None:
        """Note calls from now on."""
        self._is_on, self._last = True, time.monotonic()

    def stop(self) -> None:
        """Note no calls until the next start."""
        self._is_on = False

    def wait_until_quiet(self) -> None:
        """Wait until no call has come for a while, and stop."""
        while time.monotonic() - self._last < QUIET:
            time.sleep(QUIET / 10)
        self.stop()

    def _note(self, frame: FrameType, event: str, _argument: object) -> None:
        file = frame.f_code.co_filename
        if self._is_on and event == "call" and file.startswith(PACKAGE):
            self._files[threading.get_ident()].append(file)
            self._last = time.monotonic()

    @property
    def distinct(self) -> int:
        """How many files there are."""
        return len({file for files in self._files.values() for file in files})

    @property
    def switches(self) -> int:
        """How often a call is in another file than the one before it."""
        return sum(
            before != after
            for files in self._files.values()
            for before, after in pairwise(files)
        )


class Typist(Console):
    """Enters moves, and has the calls followed from one of the entries on."""

    def __init__(self, home: str, trail: Trail, entries: tuple[str, ...]) -> None:
        super().__init__(_stream(b""), _stream(), _stream(), environ=_environ(home))
        self._trail = trail
        self._entries = list(entries)

    def ask(self, prompt: str) -> str:
        """Give the next entry; the move of the last one is followed."""
        self._trail.stop()
        if not self._entries:
            return super().prompt_line(prompt)
        if len(self._entries) == 1:
            self._trail.start()
        return self._entries.pop(0)


def _stream(content: bytes = b"") -> TextIOWrapper:
    return TextIOWrapper(BytesIO(content), encoding="utf-8")


def _environ(home: str) -> dict[str, str]:
    return {"NINEFOLD_HOME": home}


def move_at_home() -> Trail:
    """Follow a move of the terminal, from the entry to the next prompt."""
    rehearsal, trail = Trail(), Trail()
    for each in (rehearsal, trail):  # the first loads modules and rule books
        each.watch()
        with TemporaryDirectory() as home:
            run(["play", "multiplication-madness"], Typist(home, each, ("5", "2")))
        each.unwatch()
    return trail


def move_on_a_server(form: str = "") -> Trail:
    """Follow a move of a terminal to a server and back; a friend watches by events.

    ``form`` is what the friend's stream asks for: the log, as a terminal does, or the
    state, as a browser does.
    """
    rehearsal, trail = Trail(), Trail()
    for each in (rehearsal, trail):
        each.watch()
        with TemporaryDirectory() as home:
            _move_on_a_server(home, each, form)
        each.unwatch()
    return trail


def _move_on_a_server(home: str, trail: Trail, form: str) -> None:
    console = Typist(f"{home}/bo", trail, ("5", "3"))
    opened = partial(open_server, Console(*_streams(), environ=_environ(home)))
    with opened(Hosting("127.0.0.1", 0)) as url:
        made = _post(f"{url}/api/matches", _MATCH)
        moving = threading.Thread(target=_answer, args=(url, made, trail, form))
        moving.start()
        run(["join", f"{url}/m/{made['id']}", "--name", "Bo"], console)
        moving.join()


_MATCH: dict[str, object] = {
    "game": "multiplication-madness",
    "opponent": "friend",
    "name": "Ada",
    "first": 2,
    "request_id": "0" * 16,
}


def _answer(url: str, made: dict[str, object], trail: Trail, form: str) -> None:
    """Answer both moves, once they are done, so that the other is asked again."""
    stream = Request(f"{url}/api/matches/{made['id']}/events{form}")
    ask = {"do": "move", "multiplier": 2}
    path, secret = f"{url}/api/matches/{made['id']}/log", str(made["secret"])
    with urlopen(stream) as events:
        for seq in (3, 5):
            while events.readline() != b"id: %d\n" % seq:
                pass
            trail.wait_until_quiet()
            _post(path, {"seq": seq, "ask": ask, "request_id": f"{seq}" * 16}, secret)


def _post(url: str, body: dict[str, object], secret: str = "") -> dict[str, object]:
    request = Request(url, json.dumps(body).encode())
    request.add_header("Content-Type", "application/json")
    if secret:
        request.add_header("Authorization", f"Bearer {secret}")
    with urlopen(request) as answer:
        return dict(json.load(answer))


def solve() -> Trail:
    """Follow ``ninefold solve``, rule books loaded."""
    trail = Trail()
    with TemporaryDirectory() as home:
        run(["games"], Console(*_streams(), environ=_environ(home)))
        console = Console(*_streams(), environ=_environ(home))
        trail.watch()
        trail.start()
        run(["solve", "multiplier-showdown"], console)
        trail.unwatch()
    return trail


def _streams() -> tuple[TextIOWrapper, TextIOWrapper, TextIOWrapper]:
    return _stream(), _stream(), _stream()


def main() -> None:
    """Follow all three, and print them beside the version before."""
    rows = []
    trails = {
        "a move at home": move_at_home(),
        "a move on a server, a terminal watches": move_on_a_server("?as=log"),
        "a move on a server, a browser watches": move_on_a_server(),
        "solve": solve(),
    }
    for name, trail in trails.items():
        files, switches = BEFORE[name]
        rows.append(
            (name, f"{trail.distinct}", f"{files}", f"{trail.switches}", f"{switches}")
        )
    print_table(("", "files", "before", "switches", "before"), rows)


if __name__ == "__main__":
    main()
