"""Fitting text to the window, or to a page where there is none."""

from __future__ import annotations

import re

from ninefold.cli.console import Console
from ninefold.text import escape, wrap

_NARROWEST = 40
_PAGE = 80
_NARROWEST_PROSE = 20
_PARAGRAPH_LINE = re.compile(r"(?<=[^\n=])\n *(?=[^\n\s=-])")
"""The end of a line within a paragraph or an item of a list."""


def width_of(console: Console, narrowest: int = _NARROWEST) -> int:
    """Return how many columns there are to draw in."""
    return max(console.columns, narrowest)


def say_wrapped(console: Console, text: str) -> None:
    """Say a paragraph, wrapped to the window or the page.

    Plain and piped, it stays one line: a program or a screen reader reads it.
    """
    text = escape(text)  # before it is measured
    if not console.plain:
        text = wrap(text, width_of(console, _NARROWEST_PROSE))
    console.say(f"{text}\n")


def say_page(console: Console, text: str) -> None:
    """Say text that was laid out for a page; a narrower terminal gets it anew."""
    if console.columns < _PAGE:
        text = _PARAGRAPH_LINE.sub(" ", text)
    console.say(text)
