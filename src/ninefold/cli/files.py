"""Files that a person names: text, rule books, pictures."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ninefold.cli.console import Console, Unreadable, lines_of
from ninefold.errors import NinefoldError, RulebookError
from ninefold.notation.record import is_key
from ninefold.rulebooks import Rulebook, find, parse

_AT_ONCE = getattr(os, "O_NONBLOCK", 0)
"""Opening a pipe would otherwise wait for its other end; not every system has it."""
_LARGEST_BOOK = 1_000_000
"""Bytes."""


def read_file(path: Path, largest: int) -> str:
    """Read a UTF-8 file of at most ``largest`` bytes, or raise ``Unreadable``."""
    with _readable(), open(path, "rb", opener=_open_regular) as file:
        content = file.read(largest + 1)
        if len(content) > largest:
            message = f"expected a file of at most {largest} bytes; this one is larger"
            raise Unreadable(message)
        return content.decode("utf-8-sig")


def read_lines(path: Path, longest: int) -> Iterator[str]:
    """Yield the lines of a UTF-8 file, each of at most ``longest`` characters.

    ``Unreadable`` is raised at the first line that is longer.
    """
    with (
        _readable(),
        open(path, encoding="utf-8-sig", newline="\n", opener=_open_regular) as file,
    ):
        yield from lines_of(file, longest)


@contextmanager
def _readable() -> Iterator[None]:
    """Turn the errors of reading into ``Unreadable``, whose message is a sentence."""
    try:
        yield
    except OSError as error:
        raise Unreadable(error.strerror or str(error)) from None
    except UnicodeDecodeError as error:
        message = f"expected UTF-8 text; byte {error.start + 1} is not"
        raise Unreadable(message) from None


def _open_regular(path: str, flags: int) -> int:
    descriptor = os.open(path, flags | _AT_ONCE)
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISREG(mode) or stat.S_ISDIR(mode):  # Python itself refuses a folder
        return descriptor
    if _is_standard_input(descriptor):  # named on purpose, so reading may wait
        os.set_blocking(descriptor, True)
        return descriptor
    os.close(descriptor)
    message = "expected a file; this is a pipe or a device"
    raise Unreadable(message)


def _is_standard_input(descriptor: int) -> bool:
    # Where standard input is closed, its number is given to the file.
    return descriptor != 0 and os.path.samestat(os.fstat(descriptor), os.fstat(0))


def _open_at_once(path: str, flags: int) -> int:
    descriptor = os.open(path, flags | _AT_ONCE, 0o666)
    os.set_blocking(descriptor, True)
    return descriptor


def find_book(name: str) -> Rulebook:
    """Find a rule book by its key, a part of the key, or its file."""
    return named_book(name)[0]


def named_book(name: str) -> tuple[Rulebook, str | None]:
    """Find a rule book, and the text of its file if it is not one of the five."""
    if name.endswith(".toml") or os.sep in name:
        return _read_own(name)
    return find(name), None


def _read_own(name: str) -> tuple[Rulebook, str]:
    path = Path(name)
    try:
        text = read_file(path, _LARGEST_BOOK)
    except Unreadable as error:
        raise RulebookError(name, "", str(error)) from None
    key = path.stem.lower()
    return parse(text, key=key if is_key(key) else "own", source=name), text


def write_picture(console: Console, path: Path, picture: str) -> None:
    """Write a picture, and print where it is.

    A pipe that nobody reads is refused, and not waited for.
    """
    try:
        with open(path, "w", encoding="utf-8", opener=_open_at_once) as file:
            file.write(picture)
    except OSError as error:
        message = f"{path}: {error.strerror or error}"
        raise NinefoldError(message) from None
    console.notice(f"The picture is in {path}.")
