"""Drawing with rich: colour on a terminal that has it, plain text anywhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console as RichConsole

from ninefold.cli.layout import width_of

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ninefold.cli.console import Console


def draw(console: Console, picture: RenderableType) -> None:
    """Draw one thing, as wide as the window."""
    rich = RichConsole(
        file=console.out,
        width=width_of(console),
        highlight=False,
        markup=False,
        emoji=False,
        no_color=console.plain or None,
    )
    rich.print(picture)
