"""The terminal, or the pipe, that the players sit at."""

from __future__ import annotations

import os
import sys
import time

from ninefold.entries import show_entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from io import TextIOWrapper
    from typing import Self


_LEAVE = ("q", "quit", "exit")


class InputEnded(Exception):
    """There is nothing more to read, though something was asked."""

    def __init__(self, before: str) -> None:
        """Say what should have come before the end."""
        super().__init__(f"Input ended before {before}.")


class Left(Exception):
    """The players have chosen to leave."""


class Console:
    """Asks and tells.

    Where input is no terminal, each entry is written as it is read, so that what
    comes out is the whole transcript; at a terminal it stands there already.
    """

    def __init__(
        self, source: TextIOWrapper, out: TextIOWrapper, notices: TextIOWrapper
    ) -> None:
        """Take the three streams."""
        self._source = source
        self.out = out
        self._notices = notices
        self.interactive = source.isatty()
        self.writes_to_terminal = out.isatty()
        self.at_terminal = self.interactive and self.writes_to_terminal
        self.purpose = "the game did"
        """What input must not end before, for the notice if it does."""
        self.plain = os.environ.get("TERM") == "dumb"
        """Whether to keep to lines that mean something alone: no boxes, no colour."""

    @classmethod
    def standard(cls) -> Self:
        """Take the program's own streams; any of them may be closed."""
        source = _open_stream(sys.stdin, "r")
        out, notices = _open_stream(sys.stdout, "w"), _open_stream(sys.stderr, "w")
        # What cannot be decoded or encoded is shown as an escape, never an error;
        # only a line feed ends an entry, so that a stray \r cannot pass for one.
        source.reconfigure(errors="backslashreplace", newline="\n")
        out.reconfigure(errors="backslashreplace")
        return cls(source, out, notices)

    def say(self, text: str) -> None:
        """Tell the players something."""
        self.out.write(text)

    def can_show(self, text: str) -> bool:
        """Whether the screen has all of these characters."""
        try:
            text.encode(self.out.encoding)
        except UnicodeEncodeError:
            return False
        return True

    def fit(self, sentence: str) -> str:
        """Return a sentence in characters that the screen has."""
        return sentence if self.can_show("×") else sentence.replace("×", "x")

    def ask(self, prompt: str) -> str:
        """Ask for one line, and return it without the blanks around it.

        Whoever types ``quit`` leaves, whatever was asked.
        """
        self.say(prompt)
        self.flush()
        try:
            entry = self._source.readline()
        except KeyboardInterrupt:
            self._end_line()
            raise
        if not entry:
            self._end_line()
            raise InputEnded(self.purpose)
        entry = entry.strip(" \t\r\n")
        if not self.interactive:
            self.say(f"{show_entry(entry)}\n")
        if entry.lower() in _LEAVE:
            raise Left
        return entry

    def asks_yes(self, question: str, *, default: bool = False) -> bool:
        """Ask until the answer is yes or no; Enter takes the default."""
        while True:
            answer = self.ask(question).lower()
            if not answer:
                return default
            if answer in ("y", "yes", "n", "no"):
                return answer.startswith("y")
            self.say("Type y or n, or just press Enter.\n")

    def pause(self, seconds: float) -> None:
        """Show what was said so far, and wait; what is typed meanwhile is ignored."""
        self.flush()
        if not seconds:
            return
        listen_again = _stop_listening(self._source)
        try:
            time.sleep(seconds)  # the players watch; nothing else is going on
        except KeyboardInterrupt:
            self._end_line()
            raise
        finally:
            listen_again()

    def read_all(self) -> str:
        """Read everything that is left to read."""
        return self._source.read()

    def notice(self, text: str) -> None:
        """Say something beside the game: an error, or where it can be found again."""
        for stream, words in ((self.out, ""), (self._notices, f"{text}\n")):
            try:
                stream.write(words)
                stream.flush()
            except OSError:
                continue  # a stream that nobody reads any more

    def flush(self) -> None:
        """Put everything said so far on the screen."""
        self.out.flush()

    def let_go(self) -> None:
        """Leave the streams so that Python has nothing to complain about at its end."""
        for stream in (self.out, self._notices):
            try:
                stream.flush()
            except OSError:
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())

    def _end_line(self) -> None:
        """Leave the line of a prompt that will not be answered."""
        self.say("\n")


def _open_stream(stream: object, mode: str) -> TextIOWrapper:
    """Return a standard stream, or one that leads nowhere if it is closed."""
    if stream is None:
        stream = open(os.devnull, mode, encoding="utf-8")  # noqa: PTH123, SIM115 - open to the end
    return stream  # type: ignore[return-value]  # the standard streams are text wrappers


def _stop_listening(source: TextIOWrapper) -> Callable[[], None]:
    """Neither show nor keep what is typed, until what is returned is called."""
    try:
        import termios
    except ImportError:  # a system without terminals of this kind
        return lambda: None
    if not source.isatty():
        return lambda: None
    terminal = source.fileno()
    before = termios.tcgetattr(terminal)
    quiet = [*before]
    quiet[3] &= ~termios.ECHO
    termios.tcsetattr(terminal, termios.TCSANOW, quiet)

    def listen_again() -> None:
        termios.tcflush(terminal, termios.TCIFLUSH)
        termios.tcsetattr(terminal, termios.TCSANOW, before)

    return listen_again
