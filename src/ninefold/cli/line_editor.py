"""A line being typed: its text, its cursor, and what each key does to it."""

from __future__ import annotations

import re
from collections.abc import Callable

LONGEST_ENTRY = 4_000
"""How many characters of an entry are read: a total may have 2,000 digits, and Python
reads no number of more than 4,300."""
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
        """Return the line, remember it, and begin an empty one."""
        text = self.text
        if text.strip() and text not in self._recalled[-1:]:
            self._recalled = [*self._recalled, text][-_MOST_RECALLED:]
        self.clear()
        return text

    def recall(self, step: int) -> None:
        """Go to an earlier line (-1) or a later one (1)."""
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
        """Erase the characters between the cursor and another place."""
        first, last = sorted((self.cursor, min(max(cursor, 0), len(self.text))))
        self._replace(first, last, "")

    def _replace(self, first: int, last: int, text: str) -> None:
        self.text = self.text[:first] + text + self.text[last:]
        self.cursor = first + len(text)

    @property
    def word_before(self) -> int:
        """The place where the word before the cursor begins."""
        return len(_LAST_WORD.sub("", self.text[: self.cursor]))

    @property
    def word_after(self) -> int:
        """The place where the word after the cursor ends."""
        return len(self.text) - len(_FIRST_WORD.sub("", self.text[self.cursor :]))


KEYS: dict[str, Callable[[Line], None]] = {
    "\x01": lambda line: line.move(0),
    "\x02": lambda line: line.move(line.cursor - 1),
    "\x04": lambda line: line.erase_to(line.cursor + 1),
    "\x05": lambda line: line.move(len(line.text)),
    "\x06": lambda line: line.move(line.cursor + 1),
    "\b": lambda line: line.erase_to(line.cursor - 1),
    "\x0b": lambda line: line.erase_to(len(line.text)),
    "\x0e": lambda line: line.recall(1),
    "\x10": lambda line: line.recall(-1),
    "\x15": Line.clear,
    "\x17": lambda line: line.erase_to(line.word_before),
    "\x7f": lambda line: line.erase_to(line.cursor - 1),
}
"""What Ctrl and a letter do, and backspace; as in readline, but Ctrl-U clears all."""
SEQUENCES: dict[str, Callable[[Line], None]] = {
    "A": lambda line: line.recall(-1),
    "B": lambda line: line.recall(1),
    "C": lambda line: line.move(line.cursor + 1),
    "D": lambda line: line.move(line.cursor - 1),
    "F": lambda line: line.move(len(line.text)),
    "H": lambda line: line.move(0),
    "1~": lambda line: line.move(0),
    "3~": lambda line: line.erase_to(line.cursor + 1),
    "4~": lambda line: line.move(len(line.text)),
    "7~": lambda line: line.move(0),
    "8~": lambda line: line.move(len(line.text)),
    "1;5C": lambda line: line.move(line.word_after),
    "1;5D": lambda line: line.move(line.word_before),
}
"""What a key does that sends an escape sequence: arrows, Home, End, Delete."""
