"""The names of the pupils on a device: checked, joined for a table, and compared."""

from __future__ import annotations

from collections.abc import Sequence

from ninefold.errors import ClassError
from ninefold.session.setup import LONGEST_NAME, check_name
from ninefold.text import without_joiners

PLAYERS_OF_A_DEVICE = (1, 2)
_MARKUP = frozenset("<>")


def join_names(names: Sequence[str]) -> str:
    """Return the name that the pupils of a device have at a table."""
    return " & ".join(names)


def key_of(name: str) -> str:
    """Return the form in which two names that look the same are equal.

    >>> key_of("MIA") == key_of("Mia")
    True
    """
    return without_joiners(name).casefold()


def check_names(names: Sequence[str]) -> None:
    """Raise an error unless these can be the names of the pupils of a device."""
    if len(names) not in PLAYERS_OF_A_DEVICE:
        message = "one or two play on a device"
        raise ClassError(message)
    for name in names:
        check_name(name)
        if _MARKUP.intersection(name):
            message = "a name cannot contain < or >; leave them out"
            raise ClassError(message)
    if len(join_names(names)) > LONGEST_NAME:
        message = "these names are too long together; use shorter ones"
        raise ClassError(message)
