"""Drawing with rich: colour on a terminal that has it, plain text anywhere else.

Texts are escaped before they are styled: the escape sequences of a style are the only
ones that reach the terminal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from ninefold.cli.console import Console
from ninefold.cli.layout import width_of
from ninefold.text import columns_of, escape, escape_lines, is_digits, wrap

Styled = tuple[str, str]
"""A text and its style, in rich's words; an empty style is none."""

_GAP = "  "

# Loading rich takes 30 ms: a command that draws nothing should not wait for it.


def draw_line(console: Console, parts: Iterable[Styled]) -> None:
    """Draw one line of styled texts."""
    _print(console, [parts])


def say_marked(console: Console, text: str, marks: Mapping[str, str]) -> None:
    """Say whole lines as they are, parts of them in a style where there is colour."""
    if not text or not console.colours:
        console.say(text)
        return
    parts = {escape(part): style for part, style in marks.items()}
    # A number inside a longer one is another number.
    found = re.compile(rf"(?<!\w)({'|'.join(map(re.escape, parts))})(?!\w)")
    wrapped = wrap(escape_lines(text).removesuffix("\n"), width_of(console))
    lines = [
        [(piece, parts.get(piece, "")) for piece in found.split(line)]
        for line in wrapped.split("\n")
    ]
    _print(console, lines)


def draw_table(
    console: Console, heads: Sequence[str], rows: Sequence[Sequence[Styled]]
) -> bool:
    """Draw rows of cells below the heads of their columns; numbers stand to the right.

    Only the last column is wrapped. Where the others leave it no room for its widest
    word, nothing is drawn and the answer is False: the caller says the rows in lines.
    """
    texts = [heads, *([escape(text) for text, _ in row] for row in rows)]
    widths = [max(map(columns_of, column)) for column in zip(*texts, strict=True)]
    room = width_of(console) - sum(widths[:-1]) - len(_GAP) * (len(heads) - 1)
    if room < max(columns_of(word) for row in texts for word in row[-1].split()):
        return False
    widths[-1] = min(widths[-1], room)
    numeric = [all(map(is_digits, column[1:])) for column in zip(*texts, strict=True)]
    rule = "─" if console.can_show("─") else "-"
    lines: list[list[Styled]] = [
        _line([(head, "bold") for head in heads], widths, numeric),
        [(_GAP.join(rule * width for width in widths), "dim")],
    ]
    for row in rows:
        *cells, (last, style) = [(escape(text), style) for text, style in row]
        first, *more = wrap(last, room).split("\n")
        lines.append(_line([*cells, (first, style)], widths, numeric))
        before = sum(widths[:-1]) + len(_GAP) * len(cells)
        lines += ([(" " * before, ""), (rest, style)] for rest in more)
    _print(console, lines)
    return True


def _line(
    cells: Sequence[Styled], widths: Sequence[int], numeric: Sequence[bool]
) -> list[Styled]:
    line: list[Styled] = []
    for (text, style), width, right in zip(cells, widths, numeric, strict=True):
        pad = " " * (width - columns_of(text))
        line += [(pad + text if right else text + pad, style), (_GAP, "")]
    return line


def _print(console: Console, lines: Iterable[Iterable[Styled]]) -> None:
    from rich.console import Console as RichConsole
    from rich.text import Text

    unstyled = console.plain or console.environ.get("NO_COLOR")
    rich = RichConsole(
        file=console.out,
        width=width_of(console),
        highlight=False,
        markup=False,
        emoji=False,
        color_system=None if unstyled else "auto",
        _environ=console.environ,
    )
    texts = []
    for parts in lines:
        text = Text(end="")
        for part, style in parts:
            text.append(escape(part), style)
        text.rstrip()
        texts.append(text)
    rich.print(Text("\n").join(texts))
