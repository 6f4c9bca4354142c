"""Files that belong to their owner alone, whoever may enter the folder they are in."""

from __future__ import annotations

import os
from io import BufferedWriter
from pathlib import Path
from typing import Literal


def make_folder(folder: Path) -> None:
    """Make a folder and those above it, where they are missing."""
    folder.mkdir(0o700, parents=True, exist_ok=True)


def open_private(path: Path, mode: Literal["ab", "wb", "xb"]) -> BufferedWriter:
    """Open a file to write to it; one that is made is readable to its owner alone."""
    return open(path, mode, opener=_private)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
