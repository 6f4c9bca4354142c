"""A prompt for one line, with editing and recall, that news can interrupt.

Readline has no way to say something while a line is being typed, so this is a small
editor of its own. It writes no escape sequences: a backspace moves the cursor, on any
terminal.
"""

from __future__ import annotations

import os
import re
import select
import signal
import threading
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from typing import BinaryIO, TextIO

from ninefold.text import columns_of

LONGEST_ENTRY = 4_000
"""How many characters of an entry are read: a total may have 2,000 digits, and Python
reads no number of more than 4,300."""

_CHUNK = 4_096
_LEAST_ROOM = 4
_MOST_RECALLED = 1_000
_ESCAPE, _END_OF_INPUT = "\x1b", "\x04"
_SECONDS_FOR_THE_REST = 0.05
"""How long to wait for the rest of an escape sequence that came in parts."""
_LAST_WORD, _FIRST_WORD = re.compile(r"\S*\s*$"), re.compile(r"^\s*\S*")
_INCOMPLETE = re.compile(r"\x1b([\[O][ -?]*)?$")
_SEQUENCE_MIDDLE = "".join(map(chr, range(0x20, 0x40)))
"""The characters within the sequence that an arrow or a function key sends."""


class PromptInterrupted(Exception):
    """News came that changes the question; it is to be asked anew."""


class _Line:
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


_KEYS: dict[str, Callable[[_Line], None]] = {
    "\x01": lambda line: line.move(0),
    "\x02": lambda line: line.move(line.cursor - 1),
    "\x04": lambda line: line.erase_to(line.cursor + 1),
    "\x05": lambda line: line.move(len(line.text)),
    "\x06": lambda line: line.move(line.cursor + 1),
    "\b": lambda line: line.erase_to(line.cursor - 1),
    "\x0b": lambda line: line.erase_to(len(line.text)),
    "\x0e": lambda line: line.recall(1),
    "\x10": lambda line: line.recall(-1),
    "\x15": _Line.clear,
    "\x17": lambda line: line.erase_to(line.word_before),
    "\x7f": lambda line: line.erase_to(line.cursor - 1),
}
"""What Ctrl and a letter do, and backspace; as in readline, but Ctrl-U clears all."""
_SEQUENCES: dict[str, Callable[[_Line], None]] = {
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


class InterruptiblePrompt:
    """Asks for lines at a terminal or a pipe.

    ``edits`` is false where the terminal is to edit lines itself. While ``listening``,
    another thread may ``wake`` the prompt.
    """

    def __init__(
        self, source: TextIO, out: TextIO, width: Callable[[], int], *, edits: bool
    ) -> None:
        self._source = source
        self._out = out
        self._width = width
        self._keyboard = _descriptor(source)
        self._edits = edits and self._keyboard is not None
        self._decoder = getincrementaldecoder(source.encoding or "utf-8")(
            "backslashreplace"
        )
        self._unread = ""
        """What came from the keyboard and is not part of a line yet."""
        self._ended = False
        self._line = _Line()
        self._prompt = ""
        self._is_shown = False
        self._shown, self._column, self._columns = "", 0, 0
        """The part of the line on the screen, where the cursor is, and the width."""
        self._pipe: tuple[BinaryIO, BinaryIO] | None = None
        self._is_woken = False
        self._is_obsolete: Callable[[], bool] = lambda: False

    # News from another thread

    @property
    def can_be_interrupted(self) -> bool:
        """Whether news is shown while a person types; else only between entries."""
        return self._keyboard is not None

    @contextmanager
    def listening(self, is_obsolete: Callable[[], bool]) -> Iterator[None]:
        """Let the prompt be woken.

        ``is_obsolete`` is then called in the asking thread. It shows the news, and
        says whether the open question is to be asked anew.
        """
        with self._woken_by_pipe():
            self._is_obsolete = is_obsolete
            try:
                yield
            finally:
                self._is_obsolete = lambda: False

    @contextmanager
    def _woken_by_pipe(self) -> Iterator[None]:
        if self._pipe is not None:
            yield
            return
        reader, writer = os.pipe()
        with os.fdopen(reader, "rb", 0) as one, os.fdopen(writer, "wb", 0) as two:
            self._pipe, self._is_woken = (one, two), False
            try:
                yield
            finally:
                self._pipe = None

    def wake(self) -> None:
        """Wake the prompt; any thread may call this."""
        pipe = self._pipe
        if pipe is not None and not self._is_woken:
            self._is_woken = True
            with suppress(OSError, ValueError):  # it was closed meanwhile
                pipe[1].write(b".")

    def wait(self) -> None:
        """Wait until the prompt is woken, and show the news."""
        self._out.flush()
        if self._pipe is not None:
            self._pipe[0].read(_CHUNK)
            self._is_woken = False
        self._is_obsolete()

    def leave_line(self) -> bool:
        """Leave the line of an open prompt, if there is one, to say something else."""
        was_shown, self._is_shown = self._is_shown, False
        if was_shown:
            self._out.write("\n")
        return was_shown

    # Asking

    def ask(self, prompt: str) -> str:
        """Ask for one line; return it with its line feed, or "" at the end of input.

        ``PromptInterrupted`` is raised where news changes the question. The text typed
        by then is shown again if the same question is asked.
        """
        if prompt != self._prompt:
            self._line.clear()
        self._prompt = prompt
        if self._is_obsolete():
            raise PromptInterrupted
        if self._keyboard is None:
            return self._ask_stream()
        each_key = self._each_key(self._keyboard) if self._edits else nullcontext()
        with self._woken_by_pipe(), each_key:
            try:
                return self._ask_keyboard(self._keyboard)
            finally:
                self._is_shown = False

    def forget(self) -> None:
        """Begin with an empty line, and let no earlier one be recalled."""
        self._line.forget()

    def drop_input(self) -> None:
        """Drop what was typed ahead."""
        self._unread = ""

    def _ask_stream(self) -> str:
        """Ask where input cannot be waited for together with anything else."""
        self._out.write(self._prompt)
        self._out.flush()
        line = part = self._source.readline(LONGEST_ENTRY)
        while part and not part.endswith("\n"):
            part = self._source.readline(LONGEST_ENTRY)
        return line

    def _ask_keyboard(self, keyboard: int) -> str:
        while True:
            self._show()
            line = self._edited() if self._edits else self._whole_line()
            if line is not None:
                return line
            self._show()
            self._out.flush()
            self._wait_for(keyboard)
            if self._is_obsolete():
                raise PromptInterrupted

    def _wait_for(self, keyboard: int) -> None:
        """Wait until something is typed, or the prompt is woken."""
        pipe = None if self._pipe is None else self._pipe[0]
        waits_for = [keyboard] if pipe is None else [keyboard, pipe.fileno()]
        ready, _, _ = select.select(waits_for, (), ())
        if pipe is not None and pipe.fileno() in ready:
            pipe.read(_CHUNK)
            self._is_woken = False
        if keyboard not in ready:
            return
        self._read(keyboard)
        while _INCOMPLETE.search(self._unread) and not self._ended:
            if not select.select([keyboard], (), (), _SECONDS_FOR_THE_REST)[0]:
                break
            self._read(keyboard)

    def _read(self, keyboard: int) -> None:
        try:
            data = os.read(keyboard, _CHUNK)
        except OSError:  # the terminal is gone
            data = b""
        self._ended = not data
        self._unread += self._decoder.decode(data, final=not data)

    def _whole_line(self) -> str | None:
        """Return the next line of a pipe, or of a terminal that edits lines itself."""
        line, line_feed, rest = self._unread.partition("\n")
        if not line_feed and not self._ended:
            self._unread = line[: LONGEST_ENTRY + 1]
            return None
        self._unread = rest
        return line[:LONGEST_ENTRY] + line_feed

    # The editor

    def _edited(self) -> str | None:
        """Do what the keys say; return the line once Enter is pressed."""
        line = self._line
        while self._unread:
            key, self._unread = self._unread[0], self._unread[1:]
            if key in "\r\n":
                line.move(len(line.text))
                self._show()
                self.leave_line()
                return line.enter() + "\n"
            if key == _END_OF_INPUT and not line.text:
                return ""
            if key == _ESCAPE:
                self._do_sequence()
            elif key in _KEYS:
                _KEYS[key](line)
            elif key.isprintable():
                line.type(key)
        return "" if self._ended else None

    def _do_sequence(self) -> None:
        """Do what a key says that sends an escape sequence, which comes all at once."""
        if self._unread[:1] not in ("[", "O"):
            return
        rest = self._unread[1:]
        after = rest.lstrip(_SEQUENCE_MIDDLE)
        if after[:1] > " ":
            after = after[1:]
        self._unread = after
        sequence = rest[: len(rest) - len(after)]
        if sequence in _SEQUENCES:
            _SEQUENCES[sequence](self._line)

    def _show(self) -> None:
        """Bring the screen up to date: write what differs, and move the cursor."""
        width = self._width()
        if self._is_shown and width != self._columns:
            self.leave_line()  # a terminal that was resized may have broken the line
        if not self._is_shown:
            self._out.write(self._prompt)
            self._is_shown, self._columns = True, width
            self._shown, self._column = "", 0
        if not self._edits:
            return
        shown, column = self._visible(width)
        same = 0
        while shown[same : same + 1] == self._shown[same : same + 1] != "":
            same += 1
        self._move_to(columns_of(shown[:same]))
        blanks = max(columns_of(self._shown) - columns_of(shown), 0)
        self._out.write(shown[same:] + " " * blanks)
        self._shown, self._column = shown, columns_of(shown) + blanks
        self._move_to(column)

    def _visible(self, width: int) -> tuple[str, int]:
        """Return the part of the line that fits beside the prompt, and the cursor."""
        room = max(width - columns_of(self._prompt) - 1, _LEAST_ROOM)
        text, cursor = self._line.text, self._line.cursor
        first = 0
        while columns_of(text[first:cursor]) > room:
            first += 1
        last = len(text)
        while columns_of(text[first:last]) > room:
            last -= 1
        return text[first:last], columns_of(text[first:cursor])

    def _move_to(self, column: int) -> None:
        """Move the cursor; rightwards, by writing what stands there."""
        if column < self._column:
            self._out.write("\b" * (self._column - column))
        elif column > self._column:
            self._out.write("\b" * self._column + _beginning(self._shown, column))
        self._column = column

    @contextmanager
    def _each_key(self, terminal: int) -> Iterator[None]:
        """Have the terminal pass each key on, and show none itself."""
        import termios

        before = termios.tcgetattr(terminal)
        raw = [*before[:6], [*before[6]]]
        raw[3] &= ~(termios.ICANON | termios.ECHO)
        raw[6][termios.VMIN], raw[6][termios.VTIME] = 1, 0

        def begin() -> None:
            termios.tcsetattr(terminal, termios.TCSADRAIN, raw)

        def continue_(*_: object) -> None:
            """Take the terminal back from the shell, after Ctrl-Z and ``fg``."""
            begin()
            self._is_shown = False
            self.wake()

        begin()
        try:
            with _on_continue(continue_):
                yield
        finally:
            termios.tcsetattr(terminal, termios.TCSADRAIN, before)


@contextmanager
def _on_continue(do: Callable[..., None]) -> Iterator[None]:
    """Do something when the program goes on after it was stopped."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread has signals
        return
    before = signal.signal(signal.SIGCONT, do)
    try:
        yield
    finally:
        signal.signal(signal.SIGCONT, before)


def _beginning(text: str, columns: int) -> str:
    """Return the beginning of a text that takes so many columns."""
    end = 0
    while columns_of(text[:end]) < columns:
        end += 1
    return text[:end]


def _descriptor(source: TextIO) -> int | None:
    """Return the descriptor of a stream that can be waited for."""
    try:
        import termios  # noqa: F401 - a system without it waits otherwise
    except ImportError:
        return None
    try:
        return source.fileno()
    except OSError:  # only something like a stream
        return None
