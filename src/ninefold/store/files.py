"""Folders and files that only their owner can read."""

from __future__ import annotations

import os
from io import BufferedWriter
from pathlib import Path
from typing import Literal


def make_folder(folder: Path) -> None:
    """Create a folder and its missing parents, for the owner only."""
    folder.mkdir(0o700, parents=True, exist_ok=True)


def open_private(path: Path, mode: Literal["ab", "wb", "xb"]) -> BufferedWriter:
    """Open a file for writing; a new file gets mode 0600."""
    return open(path, mode, opener=_private)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
