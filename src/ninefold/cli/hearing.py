"""Entries at a prompt, while something may come from elsewhere at any time."""

from __future__ import annotations

import os
import select
from codecs import getincrementaldecoder
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from socket import socketpair
from typing import Generic, TextIO, TypeVar

from ninefold.cli.console import LONGEST_ENTRY
from ninefold.text import columns_of

Heard = TypeVar("Heard")

_AT_ONCE = 4_096
_ERASE = ("\x7f", "\b")
_ERASE_ALL = "\x15"
_END_OF_INPUT = "\x04"
_ESCAPE = "\x1b"
_KEY_MIDDLE = "".join(map(chr, range(0x20, 0x40)))
"""What may stand within what an arrow or a function key sends."""


class WentOn(Exception):
    """What was asked is not asked any more: something came that changes it."""


class Hearing(Generic[Heard]):
    """Asks for entries, and tells meanwhile what comes.

    ``hear`` is called in the asking thread with each thing that came. It says whether
    the question that is open is to be asked anew.
    """

    def __init__(
        self, source: TextIO, out: TextIO, hear: Callable[[Heard], bool]
    ) -> None:
        """Take where entries come from, where they are shown, and who hears."""
        self._out = out
        self._source = source
        self._hear = hear
        self._came: deque[Heard] = deque()
        self._wake, self._waker = socketpair()  # every system waits for sockets
        self._waker.setblocking(False)  # noqa: FBT003 - so it is called
        self._keyboard = _keyboard(source)
        self._is_terminal = source.isatty() and self._keyboard is not None
        self._decoder = getincrementaldecoder("utf-8")("backslashreplace")
        self._read = ""
        """What was read and not yet looked at."""
        self._typed = ""
        self._prompt: str | None = None
        """The last line of the question that is open."""
        self._is_shown = False
        self._ended = False

    @property
    def hears_while_asking(self) -> bool:
        """Whether entries and what comes can be waited for together, at a terminal."""
        return self._is_terminal

    def close(self) -> None:
        """Let go of what was opened."""
        self._wake.close()
        self._waker.close()

    def tell(self, heard: Heard) -> None:
        """Let something be heard; any thread may call this."""
        self._came.append(heard)
        with suppress(OSError):  # it is woken already, many times over, or closed
            self._waker.send(b".")

    def wait(self) -> None:
        """Wait until something comes, and hear it; entries are left for later."""
        self._out.flush()
        while not self._came:
            self._sleep()
        self._hear_all()

    def break_line(self) -> bool:
        """Leave the line of a prompt before something else is said, if there is one."""
        was_shown, self._is_shown = self._is_shown, False
        if was_shown:
            self._out.write("\n")
        return was_shown

    def forget(self) -> None:
        """Begin with an empty line; no earlier one is recalled here."""
        self._typed = ""

    def ask(self, prompt: str) -> str:
        """Ask for one line, as ``Console`` does; empty where input has ended.

        ``WentOn`` is raised where the question is not open any more. What was typed
        by then is kept for the same question.
        """
        if prompt != self._prompt:
            self._typed = ""
        self._prompt = prompt
        if self._hear_all():
            raise WentOn
        if self._keyboard is None:
            return self._ask_stream(prompt)
        with _each_key(self._keyboard if self._is_terminal else None):
            self._show()
            try:
                line = self._ask_keyboard(self._keyboard)
            finally:
                self._is_shown = False
        self._typed, self._prompt = "", None
        return line

    def _ask_stream(self, prompt: str) -> str:
        """Ask where an entry cannot be waited for together with anything else."""
        self._out.write(prompt)
        self._out.flush()
        return self._source.readline(LONGEST_ENTRY)

    def _ask_keyboard(self, keyboard: int) -> str:
        while True:
            line = self._line()
            if line is not None:
                return line
            self._out.flush()
            if self._sleep(keyboard):
                self._take(os.read(keyboard, _AT_ONCE))
            if self._hear_all():
                raise WentOn
            self._show()

    def _sleep(self, *keyboards: int) -> bool:
        """Wait until something comes; whether it was an entry."""
        wake = self._wake.fileno()
        ready, _, _ = select.select([wake, *keyboards], (), ())
        if wake in ready:
            self._wake.recv(_AT_ONCE)
        return any(keyboard in ready for keyboard in keyboards)

    def _hear_all(self) -> bool:
        """Hear everything that has come; whether the question is to be asked anew."""
        changed = False
        while self._came:
            changed = self._hear(self._came.popleft()) or changed
        return changed

    def _show(self) -> None:
        if not self._is_shown:
            self._out.write(f"{self._prompt}{self._typed}")
            self._is_shown = True

    def _take(self, data: bytes) -> None:
        self._ended = not data
        self._read += self._decoder.decode(data, final=not data)

    def _line(self) -> str | None:
        """Return the next line, if it is whole."""
        if self._is_terminal:
            return self._edited()
        line, line_feed, rest = self._read.partition("\n")
        if not line_feed and not self._ended:
            self._read = line[: LONGEST_ENTRY + 1]
            return None
        self._read = rest
        return line[:LONGEST_ENTRY] + line_feed

    # A small editor of lines: what a terminal does itself, but what is typed is known

    def _edited(self) -> str | None:
        while self._read:
            key, self._read = self._read[0], self._read[1:]
            if key in "\r\n":
                self._out.write("\n")
                self._is_shown = False
                return self._typed + "\n"
            if key == _ESCAPE:
                self._skip_key()
            elif key in _ERASE:
                self._erase(1)
            elif key == _ERASE_ALL:
                self._erase(len(self._typed))
            elif key == _END_OF_INPUT:
                if not self._typed:
                    return ""
            elif key.isprintable() and len(self._typed) < LONGEST_ENTRY:
                self._typed += key
                self._out.write(key)
        return "" if self._ended else None

    def _erase(self, characters: int) -> None:
        for _ in range(min(characters, len(self._typed))):
            width = columns_of(self._typed[-1])
            self._typed = self._typed[:-1]
            self._out.write("\b" * width + " " * width + "\b" * width)

    def _skip_key(self) -> None:
        """Skip what an arrow or a function key sends, which comes all at once."""
        if self._read[:1] not in ("[", "O"):
            return
        self._read = self._read[1:].lstrip(_KEY_MIDDLE)
        if self._read[:1] > " ":
            self._read = self._read[1:]


def _keyboard(source: TextIO) -> int | None:
    """Return the descriptor of entries, where it can be waited for."""
    try:
        import termios  # noqa: F401 - a system without it waits otherwise
    except ImportError:
        return None
    try:
        return source.fileno()
    except OSError:  # only something like a stream
        return None


@contextmanager
def _each_key(terminal: int | None) -> Iterator[None]:
    """Let a terminal pass on each key as it is typed, and show none itself."""
    if terminal is None:
        yield
        return
    import termios

    before = termios.tcgetattr(terminal)
    raw = [*before]
    raw[3] &= ~(termios.ICANON | termios.ECHO)
    termios.tcsetattr(terminal, termios.TCSADRAIN, raw)
    try:
        yield
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
