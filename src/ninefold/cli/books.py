"""Finding a rule book by what a person typed: a key, a part of one, or a file."""

from __future__ import annotations

import os
from pathlib import Path

from ninefold.cli.console import Unreadable
from ninefold.cli.files import read_file
from ninefold.errors import RulebookError
from ninefold.notation.content import is_key
from ninefold.rulebooks import Rulebook, find, parse

_LARGEST_FILE = 1_000_000


def find_book(name: str) -> Rulebook:
    """Find a rule book, or raise an error that says what could have been meant."""
    return named_book(name)[0]


def named_book(name: str) -> tuple[Rulebook, str | None]:
    """Find a rule book, and the text of its file if it is a person's own."""
    if name.endswith(".toml") or os.sep in name:
        return _read_own(name)
    return find(name), None


def _read_own(name: str) -> tuple[Rulebook, str]:
    path = Path(name)
    try:
        text = read_file(path, _LARGEST_FILE)
    except Unreadable as error:
        raise RulebookError(name, "", str(error)) from None
    key = path.stem.lower()
    return parse(text, key=key if is_key(key) else "own", source=name), text
