"""Names that strangers give themselves, made fit to be shown to others."""

from __future__ import annotations

import re
from unicodedata import category, normalize

from ninefold.errors import SetupError
from ninefold.online.messages import LONGEST_NAME

_REFUSED = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
"""Control, format and bidirectional characters, and those that mean nothing."""
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters, marks and signs that show nothing."""
_DROPPED = dict.fromkeys([*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)])
"""They vary the sign before, such as a heart's colour; alone they show nothing."""
_STACKED = re.compile("^M|MMMM")
"""Marks on nothing, or so many on one letter that they cover other lines."""


def clean_name(given: str) -> str:
    r"""Compose a name and trim it; refuse one that could not be shown or read.

    >>> clean_name("  Zoe\u0308  B ")
    'Zoë B'
    >>> clean_name("Ada\u202e")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ninefold.errors.SetupError: a name has 1 to 24 characters that can be seen; ...
    """
    composed = normalize("NFC", given.translate(_DROPPED))
    name = " ".join(composed.split())
    unseen = any(category(each) in _REFUSED or each in _BLANK for each in composed)
    stacked = _STACKED.search("".join(category(each)[0] for each in name))
    if unseen or stacked or not 1 <= len(name) <= LONGEST_NAME:
        message = (
            f"a name has 1 to {LONGEST_NAME} characters that can be seen;"
            " choose another"
        )
        raise SetupError(message)
    return name
