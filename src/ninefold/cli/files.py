"""Reading and writing the files that a person names."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ninefold.cli.console import Unreadable, lines_of

_AT_ONCE = getattr(os, "O_NONBLOCK", 0)
"""Opening a pipe would otherwise wait for its other end; not every system has it."""


def read_file(path: Path, largest: int) -> str:
    """Read a text file of at most so many bytes."""
    with _reasons(), open(path, "rb", opener=_open_regular) as file:
        content = file.read(largest + 1)
        if len(content) > largest:
            message = f"expected a file of at most {largest} bytes; this one is larger"
            raise Unreadable(message)
        return content.decode("utf-8-sig")


def read_lines(path: Path, longest: int) -> Iterator[str]:
    """Yield the lines of a text file; refuse one of more than so many characters."""
    with (
        _reasons(),
        open(path, encoding="utf-8-sig", newline="\n", opener=_open_regular) as file,
    ):
        yield from lines_of(file, longest)


@contextmanager
def _reasons() -> Iterator[None]:
    """Turn the errors of reading into sentences."""
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
    if _is_standard_input(descriptor):  # it is asked for by name, and may be waited for
        os.set_blocking(descriptor, True)
        return descriptor
    os.close(descriptor)
    message = "expected a file; this is a pipe or a device"
    raise Unreadable(message)


def _is_standard_input(descriptor: int) -> bool:
    # Where standard input is closed, its number is given to the file.
    return descriptor != 0 and os.path.samestat(os.fstat(descriptor), os.fstat(0))


def write_file(path: Path, text: str) -> None:
    """Write a text file; a pipe that nobody reads is an ``OSError``, not a wait."""
    with open(path, "w", encoding="utf-8", opener=_open_at_once) as file:
        file.write(text)


def _open_at_once(path: str, flags: int) -> int:
    descriptor = os.open(path, flags | _AT_ONCE, 0o666)
    os.set_blocking(descriptor, True)
    return descriptor
