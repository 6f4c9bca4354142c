"""Fitting text to the window, or to a page where there is none."""

from __future__ import annotations

import shutil
from textwrap import fill
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ninefold.cli.console import Console

_NARROWEST = 40
_NARROWEST_PROSE = 16
_PAGE_WIDTH = 80


def width_of(console: Console, narrowest: int = _NARROWEST) -> int:
    """Return how many columns there are to draw in."""
    if not console.writes_to_terminal:
        return _PAGE_WIDTH
    return max(shutil.get_terminal_size((_PAGE_WIDTH, 24)).columns, narrowest)


def say_wrapped(console: Console, text: str, indent: str = "") -> None:
    """Say a paragraph, its later lines indented; plain, it stays one line."""
    if console.plain:
        console.say(f"{text}\n")
        return
    width = width_of(console, _NARROWEST_PROSE)
    console.say(fill(text, width, subsequent_indent=indent, break_on_hyphens=False))
    console.say("\n")
