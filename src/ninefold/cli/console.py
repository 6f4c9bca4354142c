"""The terminal, or the pipe, that the players sit at."""

from __future__ import annotations

import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from io import BytesIO, TextIOWrapper
from typing import Self, TextIO

from ninefold.cli.prompt import LONGEST_ENTRY, InterruptiblePrompt
from ninefold.cli.serving import Hosting, Serving
from ninefold.text import escape_lines, excerpt, wrap

_LEAVE = ("q", "quit", "exit")
_PLAINER = {"×": "x", "→": "->", "·": "|"}
"""What stands for a character that the screen lacks."""
_KEY = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|O[A-Z])?")
"""The characters that an arrow, a function key or Escape sends."""
_PAGE_WIDTH = 80
_APP_COLUMNS, _APP_ROWS = 60, 20
_NARROWEST = 20
"""Columns; a terminal that says it has fewer breaks words itself."""


class InputEnded(Exception):
    """Input ended, though something was asked."""

    def __init__(self, before: str) -> None:
        """Say what should have come before the end."""
        super().__init__(f"Input ended before {before}.")


class Left(Exception):
    """The players have chosen to leave."""


class Unreadable(Exception):
    """Input or a file that cannot be read; the message says why."""


def window_width() -> int:
    """Return how many columns the terminal has now; people resize it."""
    return shutil.get_terminal_size((_PAGE_WIDTH, 24)).columns


def window_height() -> int:
    """Return how many rows the terminal has now."""
    return shutil.get_terminal_size((_PAGE_WIDTH, 24)).lines


def utc_now() -> datetime:
    """Return the time."""
    return datetime.now(UTC)


class Console:
    """Asks and tells. Everything of the system that the command line needs is here.

    Where input is no terminal, each entry is written as it is read, so that the
    output is the whole transcript; at a terminal it stands there already.
    """

    def __init__(
        self,
        source: TextIO,
        out: TextIO,
        notices: TextIO,
        *,
        environ: Mapping[str, str],
        width: Callable[[], int] = window_width,
        height: Callable[[], int] = window_height,
        prompt: InterruptiblePrompt | None = None,
        clock: Callable[[], datetime] = utc_now,
        timer: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Take the streams, the environment, the terminal's size, and time.

        ``prompt`` asks for lines, in place of one on these streams.
        """
        self.source = source
        self.out = out
        self.notices = notices
        self.environ = environ
        self.clock = clock
        self.now = timer
        self._width = width
        self._height = height
        self.sleep = sleep
        self.interactive = source.isatty()
        self.writes_to_terminal = out.isatty()
        self._notices_at_terminal = notices.isatty()
        self.at_terminal = self.interactive and self.writes_to_terminal
        self.purpose = "the game did"
        """What input must not end before, for the notice if it does."""
        is_dumb = environ.get("TERM") == "dumb"
        self.plain = is_dumb or environ.get("NINEFOLD_PLAIN", "") not in ("", "0")
        """Whether to keep to lines that mean something alone: no boxes, no colour."""
        edits = self.at_terminal and not is_dumb
        self.prompt = prompt or InterruptiblePrompt(source, out, width, edits=edits)

        self.open_app: Callable[[], int] | None = None
        """Opens the full-screen app; None where there is none to be opened."""
        self.serve: Callable[[Serving], int] | None = None
        """Runs a server until it is told to end; None where there is none to be run."""
        self.open_server: Callable[[Hosting], AbstractContextManager[str]] | None = None
        """Opens a server beside the game; its address is what the context gives."""
        self.draw_qr: Callable[[str], str] | None = None
        """Draws an address in characters; empty where that cannot be done."""

    @property
    def suits_app(self) -> bool:
        """Whether the terminal is large and capable enough for the app."""
        roomy = self.columns >= _APP_COLUMNS and self.rows >= _APP_ROWS
        return self.at_terminal and not self.plain and roomy

    @classmethod
    def standard(cls) -> Self:
        """Take the program's own streams; any of them may be closed."""
        source, out, notices = map(_or_nothing, (sys.stdin, sys.stdout, sys.stderr))
        # What cannot be decoded or encoded is shown as an escape, never an error;
        # only a line feed ends an entry, so that a stray \r cannot pass for one.
        source.reconfigure(errors="backslashreplace", newline="\n")
        out.reconfigure(errors="backslashreplace")
        return cls(source, out, notices, environ=os.environ)

    @property
    def rows(self) -> int:
        """How many rows the terminal has."""
        return self._height()

    @property
    def colours(self) -> bool:
        """Whether to use colour: only on a terminal, and where nobody forbids it."""
        forbidden = self.plain or bool(self.environ.get("NO_COLOR"))
        return self.writes_to_terminal and not forbidden

    @property
    def columns(self) -> int:
        """How many columns there are: those of the terminal, or of a page."""
        return self._width() if self.writes_to_terminal else _PAGE_WIDTH

    def say(self, text: str) -> None:
        """Tell the players something; a terminal gets it wrapped between words.

        Only line feeds are not escaped.
        """
        self.out.write(self._fitted(text, wraps=self.writes_to_terminal))

    def write(self, data: str) -> None:
        """Write lines for programs, which are never wrapped: JSON, CSV, records."""
        self.out.write(escape_lines(data))

    def _fitted(self, text: str, *, wraps: bool) -> str:
        text = escape_lines(text)  # before it is measured
        return wrap(text, max(self._width(), _NARROWEST)) if wraps else text

    def can_show(self, text: str) -> bool:
        """Whether the screen has all of these characters."""
        try:
            text.encode(self.out.encoding or "utf-8")
        except UnicodeEncodeError:
            return False
        return True

    def fit(self, sentence: str) -> str:
        """Return a sentence in characters that the screen has."""
        for character, plainer in _PLAINER.items():
            if character in sentence and not self.can_show(character):
                sentence = sentence.replace(character, plainer)
        return sentence

    def ask(self, prompt: str) -> str:
        """Ask for one line, and return it without the blanks around it.

        ``quit`` leaves, whatever was asked.
        """
        entry = self._ask_once(prompt)
        while self.interactive and "\x1b" in entry:
            entry = _KEY.sub("", entry)
            if not entry:  # an arrow is no answer, though Enter alone may be one
                entry = self._ask_once(prompt)
        if not self.interactive:
            self.say(f"{excerpt(entry)}\n")
        if entry.lower() in _LEAVE:
            raise Left
        return entry

    def _ask_once(self, prompt: str) -> str:
        try:
            entry = self._read(prompt)
        except KeyboardInterrupt:
            self._end_line()
            raise
        if not entry:
            self._end_line()
            raise InputEnded(self.purpose)
        return entry.strip(" \t\r\n")

    def _read(self, prompt: str) -> str:
        """Read a line; of one that is too long, return the beginning."""
        shown = self._fitted(prompt, wraps=self.writes_to_terminal)
        before, line_feed, last = shown.rpartition("\n")
        self.out.write(before + line_feed)
        self.flush()
        return self.prompt.ask(last)[:LONGEST_ENTRY]

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
        """Show everything said so far, and wait; entries meanwhile are ignored."""
        self.flush()
        if not seconds:
            return
        self.prompt.drop_input()
        listen_again = _stop_listening(self.source)
        try:
            self.sleep(seconds)
        except KeyboardInterrupt:
            self._end_line()
            raise
        finally:
            listen_again()

    def read_all(self, longest: int) -> str:
        """Read everything that is left to read; refuse more than so many characters."""
        text = self.source.read(longest + 1)
        if len(text) > longest:
            message = f"expected at most {longest:,} characters; there are more"
            raise Unreadable(message)
        return text.removeprefix("\ufeff")

    def read_lines(self, longest: int) -> Iterator[str]:
        """Yield the lines that are left to read; refuse one that is too long."""
        yield from lines_of(self.source, longest)

    def notice(self, text: str) -> None:
        """Say something beside the game: an error, or how to resume."""
        words = self._fitted(f"{text}\n", wraps=self._notices_at_terminal)
        for stream, part in ((self.out, ""), (self.notices, words)):
            try:
                stream.write(part)
                stream.flush()
            except (OSError, ValueError):
                continue  # a stream that is not read any more, closed or misencoded

    def progress(self, text: str) -> None:
        """Show how far a long task is, in place of what was shown before.

        Only a terminal shows it; a screen reader should not read it again and again.
        """
        if self._notices_at_terminal and not self.plain:
            self.notices.write(f"\r{text:{_NARROWEST}}\r")
            self.notices.flush()

    def flush(self) -> None:
        """Put everything said so far on the screen."""
        self.out.flush()

    def release(self) -> None:
        """Leave the streams so that Python has nothing to complain about at its end."""
        for stream in (self.out, self.notices):
            try:
                stream.flush()
            except OSError:
                nowhere = os.open(os.devnull, os.O_WRONLY)
                os.dup2(nowhere, stream.fileno())
                os.close(nowhere)

    def _end_line(self) -> None:
        """Leave the line of a prompt that will not be answered."""
        self.say("\n")


def lines_of(source: TextIO, longest: int) -> Iterator[str]:
    """Yield the lines of a text, line feeds included; refuse one that is too long."""
    line = source.readline(longest + 1).removeprefix("\ufeff")
    number = 1
    while line:
        if len(line) > longest:
            message = f"line {number} has more than {longest:,} characters"
            raise Unreadable(message)
        yield line
        line = source.readline(longest + 1)
        number += 1


def _or_nothing(stream: object) -> TextIOWrapper:
    """Return a standard stream, or an empty one in its place if it is closed."""
    if isinstance(stream, TextIOWrapper):
        return stream
    return TextIOWrapper(BytesIO(), encoding="utf-8")


def _stop_listening(source: TextIO) -> Callable[[], None]:
    """Neither show nor keep entries until the function that is returned is called."""
    try:
        import termios
    except ImportError:
        return lambda: None
    try:
        terminal = source.fileno()
        before = termios.tcgetattr(terminal)
    except (OSError, termios.error):  # no terminal, or only something like one
        return lambda: None
    quiet = [*before]
    quiet[3] &= ~termios.ECHO
    termios.tcsetattr(terminal, termios.TCSANOW, quiet)

    def listen_again() -> None:
        termios.tcflush(terminal, termios.TCIFLUSH)
        termios.tcsetattr(terminal, termios.TCSANOW, before)

    return listen_again
