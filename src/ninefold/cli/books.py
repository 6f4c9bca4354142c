"""Finding a rule book by what a person typed: a key, a part of one, or a file."""

from __future__ import annotations

import os

from ninefold.errors import RulebookError
from ninefold.rulebooks import find, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ninefold.rulebooks import Rulebook

_LARGEST_FILE = 1_000_000


def is_file_name(name: str) -> bool:
    """Whether a name means a file of a person's own."""
    return name.endswith(".toml") or os.sep in name


def find_book(name: str) -> Rulebook:
    """Find a rule book, or raise an error that says what could have been meant."""
    return _read_file(name) if is_file_name(name) else find(name)


def _read_file(name: str) -> Rulebook:
    from pathlib import Path

    from ninefold.cli.files import Unreadable, read_file
    from ninefold.record.content import is_key

    path = Path(name)
    try:
        text = read_file(path, _LARGEST_FILE)
    except Unreadable as error:
        raise RulebookError(name, "", str(error)) from None
    key = path.stem.lower()
    return parse(text, key=key if is_key(key) else "own", source=name)
