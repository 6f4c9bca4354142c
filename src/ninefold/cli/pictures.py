"""Writing a picture to a file."""

from __future__ import annotations

from pathlib import Path

from ninefold.cli.console import Console
from ninefold.cli.files import write_file
from ninefold.errors import NinefoldError


def write_picture(console: Console, path: Path, picture: str) -> None:
    """Write a picture, and say where it is."""
    try:
        write_file(path, picture)
    except OSError as error:
        message = f"{path}: {error.strerror or error}"
        raise NinefoldError(message) from None
    console.notice(f"The picture is in {path}.")
