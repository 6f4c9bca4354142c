"""The scripted match in the app."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from ninefold.app.screens.board import BoardScreen
from ninefold.app.widgets.form_fields import TextField
from tests.app.rooms import LARGE, Opened, Room
from tests.scripted import CHANGED, play
from tests.servers import Served


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    served = Served(tmp_path / "server")
    yield served
    served.stop()


class InApp:
    """Bo in the app: what is told is in the panel, in a question or among the keys."""

    changed = CHANGED

    def __init__(self, at: Opened) -> None:
        self._at = at

    def sit(self, link: str) -> None:
        at, field = self._at, self._at.app.screen.query_one
        field("#link", TextField).value = link
        field("#name", TextField).value = "Bo"
        field("#link", TextField).focus()
        at.press("enter")
        at.until(lambda: at.place == "ConfirmDialog")
        at.press("y")
        at.until(lambda: isinstance(at.app.screen, BoardScreen))

    def plays(self, multiplier: int) -> None:
        self._at.press(str(multiplier))

    def answers(self, *, yes: bool) -> None:
        self._at.press("y" if yes else "n")

    def hint(self) -> None:
        self._at.press("h")

    def why(self) -> None:
        self._at.press("w")

    def undo(self) -> None:
        self._at.press("u")

    def goes_on(self) -> None:
        self._at.press("enter")

    def is_told(self, sentence: str) -> None:
        self._at.until(lambda: sentence in self._told)

    @property
    def _told(self) -> str:
        """Return what is told, without the frame of a question."""
        shown = " ".join(re.sub("[│▌]", " ", self._at.text).split())
        has_panel = self._at.place not in ("ConfirmDialog", "ProductDialog")
        said = " ".join(self._at.said.split()) if has_panel else ""
        return f"{said} {shown}"


def test_the_app_shows_the_scripted_match_as_every_surface_does(
    room: Room, server: Served
) -> None:
    with room.open("o", size=LARGE) as at:
        play(InApp(at), server)
