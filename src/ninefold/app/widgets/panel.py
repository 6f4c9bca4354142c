"""What is said beside the game: the coach, a hint, a reason, a refusal."""

from __future__ import annotations

from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static


class Panel(VerticalScroll, can_focus=False):
    """A box of sentences, scrolled where they are long."""

    def __init__(self) -> None:
        self._text = Static("")
        super().__init__(self._text)
        self.said = ""
        """The words that are shown."""

    def say(
        self,
        text: str,
        title: str = "",
        *,
        apart: bool = False,
        colour: str = "$first",
    ) -> None:
        """Say something, with words before it, or above it, that stand out."""
        gap = "\n" if apart else " "
        self.said = f"{title}{gap}{text}".strip()
        head = (f"{title}{gap}", f"bold {colour}") if title else ""
        self._text.update(Content.assemble(head, text))
        self.scroll_home(animate=False)

    def read_on(self, step: int) -> None:
        """Show what is below, or above where the step is -1."""
        height = max(self.size.height - 1, 1)
        self.scroll_relative(y=step * height, animate=False)
