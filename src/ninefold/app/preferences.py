"""Choices that the app remembers between runs."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from ninefold.store.files import make_folder, open_private

ThemeName = Literal["light", "dark"]
_LARGEST_FILE = 10_000
"""A larger file was not written by the app."""


class Preferences(Struct, frozen=True):
    """The remembered choices; they apply everywhere in the app."""

    theme: ThemeName | None = None
    """None until one is chosen."""
    products: bool = True
    """Whether a multiplier's key shows the product."""
    name: str = ""
    """The player's name in the last online match."""
    own_server: str = ""
    """The last address of the built-in server; its matches need the same address."""
    rulebooks: tuple[str, ...] = ()
    """The files of the player's own rule books, the latest first."""


class PreferencesFile:
    """Stores preferences in a file, or in memory only.

    A file that cannot be read or written is ignored.
    """

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self.preferences = Preferences() if file is None else _read(file)

    def keep(self, preferences: Preferences) -> None:
        self.preferences = preferences
        if self._file is None:
            return
        try:
            make_folder(self._file.parent)
            with open_private(self._file, "wb") as written:
                written.write(msgspec.json.encode(preferences))
        except OSError:
            self._file = None  # the disk may be full: do not retry at each key


def _read(file: Path) -> Preferences:
    try:
        with file.open("rb") as opened:
            return msgspec.json.decode(opened.read(_LARGEST_FILE), type=Preferences)
    except (OSError, msgspec.MsgspecError):
        return Preferences()
