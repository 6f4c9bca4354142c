"""A names file: the first names to choose from, and who must not meet.

It is UTF-8 text with a first name on each line. ``Mia, Tom`` share a device, and
``Mia / Ben`` must not meet. Blank lines and lines that start with ``#`` are skipped.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ninefold.classroom.commands import MOST_PUPILS, Roster
from ninefold.classroom.names import check_names, key_of
from ninefold.errors import ClassError, NinefoldError
from ninefold.session.setup import clean_name

_NOT_TEXT = "this is not a names file; save the names as UTF-8 text, one on each line"


def read_roster(data: bytes) -> Roster:
    """Read the bytes of a names file; raise ``ClassError`` if it is not one."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise ClassError(_NOT_TEXT) from None
    return parse_roster(text)


def parse_roster(text: str) -> Roster:
    r"""Read the text of a names file; a ``ClassError`` names the line of a problem.

    >>> parse_roster("Ada\nMia, Tom\nMia / Ben")
    Roster(names=(('Ada',), ('Mia', 'Tom'), ('Ben',)), apart=(('Mia', 'Ben'),))
    """
    if "\0" in text:
        raise ClassError(_NOT_TEXT)
    devices: list[tuple[str, ...]] = []
    apart: list[tuple[str, str]] = []
    line_of: dict[str, int] = {}
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        entry = line.strip()
        with _problem_at(number):
            if not entry or entry.startswith("#"):
                continue
            if "/" in entry:
                apart.append(_read_pair(entry))
                continue
            devices.append(_read_device(entry))
            for name in devices[-1]:
                if key_of(name) in line_of:
                    earlier = line_of[key_of(name)]
                    message = (
                        f"{name} is on line {earlier} already; add a letter, such as"
                        f" {name} B"
                    )
                    raise ClassError(message)
                line_of[key_of(name)] = number
    unlisted = {key_of(name): (name,) for pair in apart for name in pair}
    devices += [each for key, each in unlisted.items() if key not in line_of]
    if not devices:
        message = "there are no names here; write one first name on each line"
        raise ClassError(message)
    if len(devices) > MOST_PUPILS:
        message = (
            f"a class has at most {MOST_PUPILS} pupils; these names are for"
            f" {len(devices)}"
        )
        raise ClassError(message)
    return Roster(tuple(devices), tuple(apart))


@contextmanager
def _problem_at(line: int) -> Iterator[None]:
    """Name the line in an error."""
    try:
        yield
    except NinefoldError as error:
        message = f"line {line}: {error}"
        raise ClassError(message) from None


def _read_device(entry: str) -> tuple[str, ...]:
    names = tuple(clean_name(name) for name in entry.split(","))
    check_names(names)
    return names


def _read_pair(entry: str) -> tuple[str, str]:
    one, *others = (clean_name(name) for name in entry.split("/"))
    if len(others) != 1 or "," in entry or key_of(one) == key_of(others[0]):
        message = "write two names that must not meet, such as Mia / Ben"
        raise ClassError(message)
    check_names([one])
    check_names(others)
    return one, others[0]
