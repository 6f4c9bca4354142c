"""Names that strangers give themselves, made fit to be shown to others."""

from __future__ import annotations

from unicodedata import category, normalize

from ninefold.errors import SetupError
from ninefold.online.wire import LONGEST_NAME

_REFUSED = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
"""Control, format and bidirectional characters, and those that mean nothing."""
_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs that show nothing."""


def clean_name(given: str) -> str:
    r"""Compose a name and trim it; refuse one that could not be shown or read.

    >>> clean_name("  Zoe\u0308  B ")
    'Zoë B'
    >>> clean_name("Ada\u202e")
    Traceback (most recent call last):
    ninefold.errors.SetupError: a name has 1 to 24 characters that can be seen; \
choose another
    """
    name = " ".join(normalize("NFC", given).split(" ")).strip()
    name = " ".join(name.split())
    unseen = any(category(each) in _REFUSED or each in _BLANK for each in name)
    if unseen or not 1 <= len(name) <= LONGEST_NAME or name != normalize("NFC", name):
        message = (
            f"a name has 1 to {LONGEST_NAME} characters that can be seen;"
            " choose another"
        )
        raise SetupError(message)
    return name
