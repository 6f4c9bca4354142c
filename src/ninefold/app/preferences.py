"""What the app remembers of a person's choices from one time to the next."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from ninefold.store.files import make_folder, open_private

ThemeName = Literal["light", "dark"]
_LARGEST_FILE = 10_000
"""A file with more bytes was not written here."""


class Preferences(Struct, frozen=True):
    """Choices that are made with a key, and hold everywhere."""

    theme: ThemeName | None = None
    """None until one is chosen."""
    products: bool = True
    """Whether a key tells what it would make."""
    name: str = ""
    """What one was called online last."""
    own_server: str = ""
    """Where the app was its own server last; matches there need it to be so again."""
    rulebooks: tuple[str, ...] = ()
    """The files of one's own rule books, the one opened last first."""


class PreferencesFile:
    """Keeps preferences in a file, or only while the app runs.

    They are a convenience: a file that cannot be read or written stops nobody.
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
            self._file = None  # as it is with a full disk: not to be tried at each key


def _read(file: Path) -> Preferences:
    try:
        with file.open("rb") as opened:
            return msgspec.json.decode(opened.read(_LARGEST_FILE), type=Preferences)
    except (OSError, msgspec.MsgspecError):
        return Preferences()
