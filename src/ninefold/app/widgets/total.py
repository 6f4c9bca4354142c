"""The total: the one huge number on the screen."""

from __future__ import annotations

from textual.content import Content
from textual.widget import Widget

from ninefold.text import shorten

_FONT = {
    "0": (".###.", "##.##", "##.##", "##.##", "##.##", ".###."),
    "1": (".###.", "..##.", "..##.", "..##.", "..##.", ".####"),
    "2": ("####.", "...##", "..##.", ".##..", "##...", "#####"),
    "3": ("####.", "...##", ".###.", "...##", "...##", "####."),
    "4": ("##.##", "##.##", "##.##", "#####", "...##", "...##"),
    "5": ("#####", "##...", "####.", "...##", "...##", "####."),
    "6": (".###.", "##...", "####.", "##.##", "##.##", ".###."),
    "7": ("#####", "...##", "..##.", "..##.", ".##..", ".##.."),
    "8": (".###.", "##.##", ".###.", "##.##", "##.##", ".###."),
    "9": (".###.", "##.##", "##.##", ".####", "...##", ".###."),
}
_HALVES = {"..": " ", "#.": "▀", ".#": "▄", "##": "█"}
_GAP = "  "
_SMALL, _LARGE = 3, 6
"""The rows of small and of large digits."""


def small_digits(number: str) -> list[str]:
    """Draw digits in three rows, two dots of the font in each character.

    >>> for row in small_digits("15"):
    ...     print(row.rstrip())
     ▀██   ██▀▀▀
      ██   ▀▀▀█▄
     ▄██▄  ▄▄▄█▀
    """
    rows = []
    for top, bottom in ((0, 1), (2, 3), (4, 5)):
        drawn = [
            "".join(
                _HALVES[upper + lower]
                for upper, lower in zip(_FONT[d][top], _FONT[d][bottom], strict=True)
            )
            for d in number
        ]
        rows.append(_GAP.join(drawn))
    return rows


def large_digits(number: str) -> list[str]:
    """Draw digits in six rows, a dot of the font as two characters."""
    return [
        (_GAP * 2).join(
            "".join("██" if dot == "#" else "  " for dot in _FONT[digit][row])
            for digit in number
        )
        for row in range(_LARGE)
    ]


class Total(Widget):
    """Shows a number as large as it fits: in large, in small or in plain digits."""

    def __init__(self) -> None:
        """Begin with nothing."""
        super().__init__()
        self.number: int | None = None

    def show(self, number: int) -> None:
        """Show another number."""
        self.number = number
        self.refresh()

    def render(self) -> Content:
        """Draw it at the size there is."""
        if self.number is None:
            return Content("")
        rows = [shorten(self.number)]
        digits = str(self.number)
        for rows_there, draw in ((_LARGE, large_digits), (_SMALL, small_digits)):
            drawn = draw(digits) if self.size.height >= rows_there else [""]
            if drawn != [""] and len(drawn[0]) <= self.size.width:
                rows = drawn
                break
        return Content("\n").join(map(Content, rows))
