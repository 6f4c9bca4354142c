"""The scripted match through the presenter, and at the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Queue

import pytest

from ninefold.online.credentials import Credentials
from ninefold.online.http_client import Client
from ninefold.online.join import Seating
from ninefold.online.links import read_link
from ninefold.playing.presenter import Change, Presenter
from ninefold.store import LogWriter
from tests.online.tables import Seated
from tests.playing.meeting import tell
from tests.program import WAIT_SECONDS
from tests.scripted import CHANGED, play
from tests.servers import Served, make_store


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    served = Served(tmp_path / "server")
    yield served
    served.stop()


class AtPresenter:
    """Bo without any surface."""

    changed = CHANGED

    def __init__(self, home: Path) -> None:
        self._home = home
        self._woken: Queue[None] = Queue()
        self._said = ""
        self._presenter: Presenter

    def sit(self, link: str) -> None:
        read = read_link(link)
        assert read is not None
        seating = Seating(
            Client(read.server),
            Credentials(self._home),
            lambda: LogWriter(make_store, print, surface="test"),
        )
        table = seating.join(read, "Bo")
        self._presenter = Presenter(
            table, self._show, wake=lambda: self._woken.put(None)
        )
        self._presenter.open()

    def _show(self, change: Change) -> None:
        self._said += f"{' '.join(tell(change).split())}\n"
        if self._presenter.scene.is_over:
            labels = [o.label.fill() for o in self._presenter.scene.offers]
            self._said += f"{', '.join(labels)}\n"

    def plays(self, multiplier: int) -> None:
        self._presenter.enter(str(multiplier))

    def answers(self, *, yes: bool) -> None:
        self._presenter.answer(yes=yes)

    def hint(self) -> None:
        self._presenter.hint()

    def why(self) -> None:
        self._presenter.why()

    def undo(self) -> None:
        self._presenter.undo()

    def goes_on(self) -> None:
        self._presenter.continue_()

    def is_told(self, sentence: str) -> None:
        while sentence not in self._said:
            self._woken.get(timeout=WAIT_SECONDS)
            self._presenter.catch_up()
        self._said = self._said.partition(sentence)[2]

    def leave(self) -> None:
        self._presenter.close()


class AtTerminal:
    """Bo at a terminal."""

    changed = CHANGED

    def __init__(self, home: Path) -> None:
        self._home = home
        self._terminal: Seated

    def sit(self, link: str) -> None:
        arguments = ("join", link, "--name", "Bo")
        self._terminal = Seated(*arguments, columns=400, NINEFOLD_HOME=str(self._home))
        self._terminal.wait_for("Ada's turn (? for help): ")

    def plays(self, multiplier: int) -> None:
        self._terminal.type(str(multiplier))

    def answers(self, *, yes: bool) -> None:
        self._terminal.type("y" if yes else "n")

    def hint(self) -> None:
        self._terminal.type("hint")

    def why(self) -> None:
        self._terminal.type("why")

    def undo(self) -> None:
        self._terminal.type("undo")

    def goes_on(self) -> None:
        self._terminal.type("")

    def is_told(self, sentence: str) -> None:
        self._terminal.wait_for(sentence[1:])  # an error begins small

    def leave(self) -> None:
        assert self._terminal.end()[0] == 2  # the match has changed


@pytest.mark.parametrize("surface", [AtPresenter, AtTerminal])
def test_scripted_match_shows_the_same_texts_as_every_surface(
    surface: Callable[[Path], AtPresenter | AtTerminal], server: Served, tmp_path: Path
) -> None:
    bo = surface(tmp_path / "mine")
    play(bo, server)
    bo.leave()
