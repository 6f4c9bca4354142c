"""A prompt for one line, with editing and recall, that news can interrupt.

Readline cannot print anything while a line is being typed, so this is a small editor of
its own. It writes no escape sequences: a backspace moves the cursor, on any terminal.
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

from ninefold.cli.line_editor import KEYS, LONGEST_ENTRY, Line
from ninefold.text import columns_of

_CHUNK = 4_096
_ESCAPE, _END_OF_INPUT = "\x1b", "\x04"
_SECONDS_FOR_THE_REST = 0.05
"""How long to wait for the rest of an escape sequence that arrives in parts."""
_INCOMPLETE = re.compile(r"\x1b([\[O][ -?]*)?$")
_SEQUENCE_MIDDLE = "".join(map(chr, range(0x20, 0x40)))
"""The characters inside the escape sequence of an arrow or a function key."""


class PromptInterrupted(Exception):
    """Raised when news changes the open question, which must be asked again."""


class InterruptiblePrompt:
    """Prompts for lines at a terminal or in a pipe.

    ``edits`` is false if the terminal itself edits lines. While ``listening``, another
    thread can ``wake`` the prompt.
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
        """Input from the keyboard that is not part of a line yet."""
        self._ended = False
        self._line = Line()
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
        """Whether news can appear while a person types; otherwise between entries."""
        return self._keyboard is not None

    @contextmanager
    def listening(self, is_obsolete: Callable[[], bool]) -> Iterator[None]:
        """Let ``wake`` interrupt the prompt during the context.

        ``is_obsolete`` is called in the prompting thread: it prints the news, and
        returns whether to ask the open question again.
        """
        with self._woken_by_pipe():
            before, self._is_obsolete = self._is_obsolete, is_obsolete
            try:
                yield
            finally:
                self._is_obsolete = before

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
        """Interrupt ``ask`` and ``wait`` to look for news; any thread may call this."""
        pipe = self._pipe
        if pipe is not None and not self._is_woken:
            self._is_woken = True
            with suppress(OSError, ValueError):  # closed in the meantime
                pipe[1].write(b".")

    def wait(self, *, needs_input: bool = False) -> bool:
        """Wait, while ``listening``, for news that changes the question.

        Return False if the input has ended and ``needs_input`` is set.
        """
        while self._pipe is not None and not self._is_obsolete():
            self._out.flush()
            if self._keyboard is None or self._unread or not needs_input:
                self._pipe[0].read(_CHUNK)
                self._is_woken = False
            elif self._ended:
                return False
            else:
                self._wait_for(self._keyboard)
        return True

    def leave_line(self) -> None:
        """Move below an open prompt, so that something else can be printed."""
        if self._is_shown:
            self._is_shown = False
            self._out.write("\n")

    # Prompting

    def ask(self, prompt: str) -> str:
        """Read one line; return it with its line feed, or "" at the end of input.

        Raise ``PromptInterrupted`` if news changes the question, even while the line is
        being entered: it is then discarded. Text that was typed is shown again if the
        same question is asked.
        """
        if prompt != self._prompt:
            self._line.clear()
        self._prompt = prompt
        if self._is_obsolete():
            raise PromptInterrupted
        if self._keyboard is None:
            line = self._ask_stream()
        else:
            each_key = self._each_key(self._keyboard) if self._edits else nullcontext()
            with self._woken_by_pipe(), each_key:
                try:
                    line = self._ask_keyboard(self._keyboard)
                finally:
                    self._is_shown = False
        if line and self._is_obsolete():
            raise PromptInterrupted
        return line

    def forget(self) -> None:
        """Clear the line and the history of earlier lines."""
        self._line.forget()

    def drop_input(self) -> None:
        """Discard what was typed ahead."""
        self._unread = ""

    @contextmanager
    def ignoring_keys(self) -> Iterator[None]:
        """Discard everything typed during the context and ahead of it, without echo."""
        self.drop_input()
        terminal = self._keyboard
        if terminal is None or not os.isatty(terminal):
            yield
            return
        import termios
        import tty

        before = termios.tcgetattr(terminal)
        tty.setcbreak(terminal, termios.TCSANOW)
        try:
            yield
        finally:
            termios.tcflush(terminal, termios.TCIFLUSH)
            termios.tcsetattr(terminal, termios.TCSANOW, before)

    def _ask_stream(self) -> str:
        """Read from a stream that cannot be polled together with news."""
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
        """Apply the keys typed so far; return the line once Enter is pressed."""
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
            elif key in KEYS:
                KEYS[key](line)
            elif key.isprintable():
                line.type(key)
        return "" if self._ended else None

    def _do_sequence(self) -> None:
        """Apply a key that sends an escape sequence, all of which is in ``_unread``."""
        if self._unread[:1] not in ("[", "O"):
            return
        rest = self._unread[1:]
        after = rest.lstrip(_SEQUENCE_MIDDLE)
        if after[:1] > " ":
            after = after[1:]
        self._unread = after
        key = _ESCAPE + rest[: len(rest) - len(after)]
        if key in KEYS:
            KEYS[key](self._line)

    def _show(self) -> None:
        """Redraw the part of the line that changed, and move the cursor."""
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
        """Return the part of the line that fits beside the prompt, and its cursor."""
        room = max(width - columns_of(self._prompt) - 1, 1)
        text, cursor = self._line.text, self._line.cursor
        first = 0
        while columns_of(text[first:cursor]) > room:
            first += 1
        last = len(text)
        while columns_of(text[first:last]) > room:
            last -= 1
        return text[first:last], columns_of(text[first:cursor])

    def _move_to(self, column: int) -> None:
        """Move the cursor; to the right, by printing the characters in between."""
        if column < self._column:
            self._out.write("\b" * (self._column - column))
        elif column > self._column:
            self._out.write("\b" * self._column + _beginning(self._shown, column))
        self._column = column

    @contextmanager
    def _each_key(self, terminal: int) -> Iterator[None]:
        """Let the terminal pass on each key at once, without echo."""
        import termios
        import tty

        def continue_(*_: object) -> None:
            """Take the terminal back from the shell, after Ctrl-Z and ``fg``."""
            tty.setcbreak(terminal, termios.TCSADRAIN)
            self._is_shown = False
            self.wake()

        before = termios.tcgetattr(terminal)
        tty.setcbreak(terminal, termios.TCSADRAIN)
        try:
            with _on_continue(continue_):
                yield
        finally:
            termios.tcsetattr(terminal, termios.TCSADRAIN, before)


@contextmanager
def _on_continue(do: Callable[..., None]) -> Iterator[None]:
    """Call ``do`` when the program continues after Ctrl-Z."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread has signals
        return
    before = signal.signal(signal.SIGCONT, do)
    try:
        yield
    finally:
        signal.signal(signal.SIGCONT, before)


def _beginning(text: str, columns: int) -> str:
    """Return the start of a text that is ``columns`` wide."""
    end = 0
    while columns_of(text[:end]) < columns:
        end += 1
    return text[:end]


def _descriptor(source: TextIO) -> int | None:
    """Return the descriptor of a stream that can be polled, or None."""
    try:
        import termios  # noqa: F401 - a system without it cannot poll a terminal
    except ImportError:
        return None
    try:
        return source.fileno()
    except OSError:  # a stream in memory
        return None
