"""Drawing with rich: colour on a terminal that has it, plain text anywhere else.

Texts are escaped before they are styled: the escape sequences of a style are the only
ones that reach the terminal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from ninefold.cli.console import Console
from ninefold.cli.layout import width_of
from ninefold.text import escape, escape_lines

Styled = tuple[str, str]
"""A text and its style, in rich's words; an empty style is none."""

# Loading rich takes 30 ms: a command that draws nothing should not wait for it.
# ruff: noqa: PLC0415


def draw_line(console: Console, parts: Iterable[Styled]) -> None:
    """Draw one line of styled texts."""
    from rich.text import Text

    line = Text()
    for text, style in parts:
        line.append(escape(text), style)
    line.rstrip()
    _print(console, line)


def say_marked(console: Console, text: str, marks: Mapping[str, str]) -> None:
    """Say text as it is, with some parts of it in a style where there is colour."""
    if not console.colours:
        console.say(text)
        return
    from rich.text import Text

    marked = Text(escape_lines(text))
    for part, style in marks.items():
        # A number inside a longer one is another number.
        pattern = rf"(?<!\w){re.escape(escape(part))}(?!\w)"
        marked.highlight_regex(pattern, style)
    _print(console, marked, end="")


def draw_grid(
    console: Console,
    columns: Sequence[str],
    rows: Iterable[Sequence[Styled]],
) -> None:
    """Draw rows of cells below the names of their columns; the first are numbers."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    grid = Table(box=box.SIMPLE_HEAD if console.can_show("─") else box.ASCII2)
    for number, column in enumerate(columns):
        grid.add_column(column, justify="left" if number else "right")
    for row in rows:
        grid.add_row(*(Text(escape(text), style) for text, style in row))
    _print(console, grid)


def _print(console: Console, picture: object, *, end: str = "\n") -> None:
    from rich.console import Console as RichConsole

    rich = RichConsole(
        file=console.out,
        width=width_of(console),
        highlight=False,
        markup=False,
        emoji=False,
        no_color=console.plain or None,
        _environ=console.environ,
    )
    rich.print(picture, end=end)
