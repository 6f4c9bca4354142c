"""A picture of a terminal, as text with the escape sequences of its colours."""

from __future__ import annotations

import io
import re
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

IN_DOCS = Path(__file__).parents[2] / "docs" / "pictures"
_FONT_FROM_ELSEWHERE = re.compile(r"\s*@font-face \{.*?\}", re.DOTALL)

# The dark colours of the page: what one player does looks the same on both surfaces.
_GROUND, _INK, _SOFT = (21, 23, 27), (243, 239, 230), (163, 158, 147)
_FIRST, _SECOND, _BAND = (82, 199, 186), (255, 131, 144), (201, 138, 43)
_COLOURS = [_GROUND, _SECOND, _FIRST, _BAND, _FIRST, _SECOND, _FIRST, _INK]
_THEME = TerminalTheme(_GROUND, _INK, _COLOURS, [_SOFT, *_COLOURS[1:]])


def draw_terminal(screen: str, title: str, name: str, columns: int = 80) -> str:
    """Draw what a terminal shows; ``name`` tells its styles from other pictures'."""
    recording = Console(
        file=io.StringIO(), record=True, width=columns, legacy_windows=False
    )
    recording.print(Text.from_ansi(screen), end="")
    picture = recording.export_svg(title=title, theme=_THEME, unique_id=name)
    return _FONT_FROM_ELSEWHERE.sub("", picture)
