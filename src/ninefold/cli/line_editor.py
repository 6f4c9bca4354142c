"""A line being typed: its text, its cursor, and what each key does to it."""

from __future__ import annotations

import re
from collections.abc import Callable

LONGEST_ENTRY = 4_000
"""Characters of an entry that are read: a total may have 2,000 digits, and Python
converts at most 4,300."""
_MOST_RECALLED = 1_000
_LAST_WORD, _FIRST_WORD = re.compile(r"\S*\s*$"), re.compile(r"^\s*\S*")


class Line:
    """A line being typed: its text, the cursor, and the lines recalled before it."""

    def __init__(self) -> None:
        self.text = ""
        self.cursor = 0
        self._recalled: list[str] = []
        self._drafts: list[str] | None = None
        """The recalled lines and the new one, each as edited since Enter."""
        self._row = 0

    def set(self, text: str) -> None:
        self.text, self.cursor = text, len(text)

    def clear(self) -> None:
        self.set("")
        self._drafts = None

    def forget(self) -> None:
        self.clear()
        self._recalled.clear()

    def enter(self) -> str:
        """Return the line, remember it, and clear it."""
        text = self.text
        if text.strip() and text not in self._recalled[-1:]:
            self._recalled = [*self._recalled, text][-_MOST_RECALLED:]
        self.clear()
        return text

    def recall(self, step: int) -> None:
        """Show an earlier line (-1) or a later one (1) again."""
        if self._drafts is None:
            self._drafts, self._row = [*self._recalled, ""], len(self._recalled)
        self._drafts[self._row] = self.text
        self._row = min(max(self._row + step, 0), len(self._drafts) - 1)
        self.set(self._drafts[self._row])

    def type(self, character: str) -> None:
        if len(self.text) < LONGEST_ENTRY:
            self._replace(self.cursor, self.cursor, character)

    def move(self, cursor: int) -> None:
        self.cursor = min(max(cursor, 0), len(self.text))

    def erase_to(self, cursor: int) -> None:
        """Erase the characters between two places: the cursor now, and ``cursor``."""
        first, last = sorted((self.cursor, min(max(cursor, 0), len(self.text))))
        self._replace(first, last, "")

    def _replace(self, first: int, last: int, text: str) -> None:
        self.text = self.text[:first] + text + self.text[last:]
        self.cursor = first + len(text)

    @property
    def word_before(self) -> int:
        """The start of the word before the cursor."""
        return len(_LAST_WORD.sub("", self.text[: self.cursor]))

    @property
    def word_after(self) -> int:
        """The end of the word after the cursor."""
        return len(self.text) - len(_FIRST_WORD.sub("", self.text[self.cursor :]))


_EDITS: tuple[tuple[tuple[str, ...], Callable[[Line], None]], ...] = (
    (("\x01", "\x1bH", "\x1b1~", "\x1b7~"), lambda line: line.move(0)),
    (("\x05", "\x1bF", "\x1b4~", "\x1b8~"), lambda line: line.move(len(line.text))),
    (("\x02", "\x1bD"), lambda line: line.move(line.cursor - 1)),
    (("\x06", "\x1bC"), lambda line: line.move(line.cursor + 1)),
    (("\x1b1;5D",), lambda line: line.move(line.word_before)),
    (("\x1b1;5C",), lambda line: line.move(line.word_after)),
    (("\x04", "\x1b3~"), lambda line: line.erase_to(line.cursor + 1)),
    (("\b", "\x7f"), lambda line: line.erase_to(line.cursor - 1)),
    (("\x0b",), lambda line: line.erase_to(len(line.text))),
    (("\x17",), lambda line: line.erase_to(line.word_before)),
    (("\x15",), Line.clear),
    (("\x10", "\x1bA"), lambda line: line.recall(-1)),
    (("\x0e", "\x1bB"), lambda line: line.recall(1)),
)
KEYS = {key: edit for keys, edit in _EDITS for key in keys}
"""What each key does: Ctrl and a letter, backspace, arrows, Home, End, Delete.

As in readline, but Ctrl-U clears all. Escape sequences are listed without their
bracket or O.
"""
