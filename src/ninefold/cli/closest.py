"""The word that a person may have meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

_ALIKE = 0.6
"""How much a word must have in common with another to be taken for a slip of it."""


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """Ask whether the closest of some words was meant; nothing where none is close.

    >>> did_you_mean("plannr", ["planner", "perfect"])
    '; did you mean planner?'
    """
    closest = get_close_matches(word.lower(), words, n=1, cutoff=_ALIKE)
    return f"; did you mean {closest[0]}?" if closest else ""
