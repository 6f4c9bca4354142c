"""Fitting text to the window, or to a page where there is none."""

from __future__ import annotations

from textwrap import fill

from ninefold.cli.console import Console
from ninefold.text import escape

_NARROWEST = 40
_NARROWEST_PROSE = 16


def width_of(console: Console, narrowest: int = _NARROWEST) -> int:
    """Return how many columns there are to draw in."""
    return max(console.columns, narrowest)


def say_wrapped(console: Console, text: str, indent: str = "") -> None:
    """Say a paragraph, its later lines indented; plain, it stays one line."""
    if console.plain:
        console.say(f"{text}\n")
        return
    width = width_of(console, _NARROWEST_PROSE)
    text = escape(text)  # before it is measured
    console.say(fill(text, width, subsequent_indent=indent, break_on_hyphens=False))
    console.say("\n")
