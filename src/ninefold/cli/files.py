"""Reading what a person wrote: a file of UTF-8 text, not too large."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path


class Unreadable(Exception):
    """A file that cannot be read; the message says why."""


def read_file(path: Path, largest: int) -> str:
    """Read a text file, with or without the mark that some editors put first."""
    try:
        with path.open("rb") as file:
            content = file.read(largest + 1)
        text = content.decode("utf-8-sig")
    except OSError as error:
        raise Unreadable(error.strerror or str(error)) from None
    except UnicodeDecodeError as error:
        message = f"expected UTF-8 text; byte {error.start + 1} is not"
        raise Unreadable(message) from None
    if len(content) > largest:
        message = f"expected a file of at most {largest} bytes; this one is larger"
        raise Unreadable(message)
    return text
