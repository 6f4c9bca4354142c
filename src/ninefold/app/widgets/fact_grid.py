"""The times tables from 2 to 9 as a grid; a glyph tells how well a fact is known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.events import Click
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget

from ninefold.learning import Fact, Mastery, Standing

GLYPHS = {Standing.KNOWN: "●", Standing.SHAKY: "▒", Standing.NEW: "○"}
UNSEEN = "·"
"""The glyph of a fact that was never asked for."""
_STYLES = {
    Standing.KNOWN: "$first",
    Standing.SHAKY: "bold $second",
    Standing.NEW: "$band",
}
_DIGITS = range(2, 10)
_CELL = 6
_HEAD = 4


def glyph_of(found: Mastery | None) -> tuple[str, str]:
    """Return the glyph of a fact and its colour."""
    if found is None or not found.asked:
        return UNSEEN, "$soft"
    return GLYPHS[found.standing], _STYLES[found.standing]


class FactGrid(Widget, can_focus=True):
    """Eight rows and columns; the arrow keys mark a fact."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "mark(-1, 0)", show=False),
        Binding("down", "mark(1, 0)", show=False),
        Binding("left", "mark(0, -1)", show=False),
        Binding("right", "mark(0, 1)", show=False),
    ]

    class Marked(Message):
        """A fact was marked."""

        def __init__(self, fact: Fact) -> None:
            """Keep the fact."""
            super().__init__()
            self.fact = fact

    def __init__(self) -> None:
        """Begin with no fact known."""
        super().__init__()
        self._mastery: Mapping[Fact, Mastery] = {}
        self._row = self._column = 0

    def show(self, mastery: Mapping[Fact, Mastery]) -> None:
        """Show how well the facts are known."""
        self._mastery = mastery
        self._report()

    def _report(self) -> None:
        self.refresh()
        self.post_message(self.Marked(Fact(_DIGITS[self._row], _DIGITS[self._column])))

    def action_mark(self, down: int, right: int) -> None:
        """Mark a neighbour; beyond an edge, the one at the other edge."""
        self._row = (self._row + down) % len(_DIGITS)
        self._column = (self._column + right) % len(_DIGITS)
        self._report()

    def on_click(self, event: Click) -> None:
        """Mark the fact that was clicked."""
        row, column = event.y - 1, (event.x - _HEAD) // _CELL
        if 0 <= row < len(_DIGITS) and 0 <= column < len(_DIGITS):
            self._row, self._column = row, column
            self._report()

    def render(self) -> Content:
        """Draw a head, and a row for each number."""
        heads = "".join(f"{digit:^{_CELL}}" for digit in _DIGITS)
        rows = [Content.styled(f"{'×':^{_HEAD}}{heads}", "bold $soft")]
        for row, low in enumerate(_DIGITS):
            cells = [self._cell(row, column) for column in range(len(_DIGITS))]
            rows.append(Content.assemble((f"{low:^{_HEAD}}", "bold $soft"), *cells))
        return Content("\n").join(rows)

    def _cell(self, row: int, column: int) -> Content:
        low, high = _DIGITS[row], _DIGITS[column]
        glyph, style = glyph_of(self._mastery.get(Fact(low, high)))
        if (row, column) == (self._row, self._column):
            left, right, ground = "[", "]", " on $rule"
        else:
            left, right, ground = " ", " ", ""
        return Content.assemble(
            (f"{left}{low * high:>2}", f"bold{ground}" if ground else ""),
            (glyph, f"{style}{ground}"),
            (right, f"bold{ground}" if ground else ""),
            " ",
        )

    def get_content_width(self, container: Size, viewport: Size) -> int:  # noqa: ARG002 - Textual's own
        """Take the columns of the grid."""
        return _HEAD + _CELL * len(_DIGITS)

    def get_content_height(self, *_: object) -> int:
        """Take the rows of the grid."""
        return len(_DIGITS) + 1
