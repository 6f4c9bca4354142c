"""Input and output of the command line: a terminal, pipes, and files."""

from __future__ import annotations

import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Self, TextIO

from msgspec import Struct

from ninefold.classroom import Roster
from ninefold.cli.line_editor import LONGEST_ENTRY
from ninefold.cli.prompt import InterruptiblePrompt
from ninefold.errors import NinefoldError
from ninefold.text import SUPERSCRIPTS, escape_lines, excerpt, wrap

_LEAVE = ("q", "quit", "exit")
_PLAINER = {"×": "x", "·": "|", "…": "..."}
"""Replacements for characters that the output's encoding lacks."""
_EXPONENT = re.compile(f"[{''.join(map(chr, SUPERSCRIPTS.values()))}]+")
_LOWERED = {raised: digit for digit, raised in SUPERSCRIPTS.items()}
_KEY = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|O[A-Z])?")
"""The sequence that an arrow, a function key or Escape sends."""
_PAGE_WIDTH = 80
_APP_COLUMNS, _APP_ROWS = 60, 20
_APP_FRAMES = "╭─╮│╰╯"
_NARROWEST = 20
"""Columns; text is never wrapped narrower."""
_LEAST_ROOM = 3
"""Columns to leave beside a prompt: a blank, one typed character, and the cursor."""


class EndOfInput(Exception):
    """The input ended at a prompt; ``before`` names what was not reached."""

    def __init__(self, before: str) -> None:
        super().__init__(f"The input ended before {before}.")


class QuitRequested(Exception):
    """The player typed ``quit``."""


class UnreadableInput(Exception):
    """Input or a file cannot be read; the message says why."""


def window_width() -> int:
    """Return the terminal's columns now; people resize it."""
    return shutil.get_terminal_size((_PAGE_WIDTH, 24)).columns


def window_height() -> int:
    """Return the terminal's rows now."""
    return shutil.get_terminal_size((_PAGE_WIDTH, 24)).lines


class Serving(Struct, frozen=True):
    """The options of ``ninefold serve``."""

    host: str
    port: int
    database: str | None
    public_url: str | None
    keep_days: int | None
    workers: int
    trusted_proxies: tuple[str, ...]


class Teaching(Struct, frozen=True, kw_only=True):
    """The options of ``ninefold class``."""

    game: str | None
    """The key of the game to start with."""
    roster: Roster | None
    port: int | None
    is_new: bool


class Hosting(Struct, frozen=True):
    """The address at which ``ninefold host`` runs its own server."""

    host: str | None
    """None means this machine's address on the network."""
    port: int | None
    """None means the last one used, else the usual one, or any other that is free."""


def utc_now() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC)


class Console:
    """Input, output, environment and time of the command line.

    In a pipe, each entry is echoed after its prompt, so that the output is the whole
    transcript; a terminal echoes it itself.
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
        """``notices`` is stderr; ``prompt`` replaces the prompt on these streams."""
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
        self.purpose = "the game was over"
        """What the error names if the input ends too early."""
        is_dumb = environ.get("TERM") == "dumb"
        self.plain = is_dumb or environ.get("NINEFOLD_PLAIN", "") not in ("", "0")
        """Whether to print plain lines: no colour, boxes or drawings."""
        edits = self.at_terminal and not is_dumb
        self.prompt = prompt or InterruptiblePrompt(source, out, width, edits=edits)

        self.open_app: Callable[[], int] | None = None
        """Opens the full-screen app; None if it is not available."""
        self.serve: Callable[[Serving], int] | None = None
        """Runs a server until it is stopped; None if that is not available."""
        self.teach: Callable[[Teaching], int] | None = None
        """Runs a class until it is stopped; None if that is not available."""
        self.open_server: Callable[[Hosting], AbstractContextManager[str]] | None = None
        """Runs a server during a context, and yields its address."""
        self.draw_qr: Callable[[str], str] | None = None
        """Returns an address as a QR code in text, or "" if it cannot be drawn."""

    @property
    def suits_app(self) -> bool:
        """Whether the terminal is large and capable enough for the app."""
        roomy = self.columns >= _APP_COLUMNS and self.rows >= _APP_ROWS
        return self.at_terminal and not self.plain and roomy

    @property
    def shows_frames(self) -> bool:
        """Whether the output's encoding has the characters that the app draws with."""
        return self.can_show(_APP_FRAMES)

    @classmethod
    def standard(cls) -> Self:
        """Return a console over the process's streams, any of which may be closed."""
        source, out, notices = map(_or_nothing, (sys.stdin, sys.stdout, sys.stderr))
        # Invalid characters are shown as escapes, never as errors. Only a line feed
        # ends an entry, so that a stray \r does not.
        source.reconfigure(errors="backslashreplace", newline="\n")
        out.reconfigure(errors="backslashreplace")
        return cls(source, out, notices, environ=os.environ)

    @property
    def rows(self) -> int:
        return self._height()

    @property
    def colours(self) -> bool:
        """Whether to use colour: only on a terminal, unless plain or NO_COLOR."""
        forbidden = self.plain or bool(self.environ.get("NO_COLOR"))
        return self.writes_to_terminal and not forbidden

    @property
    def columns(self) -> int:
        """The columns of the terminal, or of a page."""
        return self._width() if self.writes_to_terminal else _PAGE_WIDTH

    def print(self, text: str) -> None:
        """Print text, wrapped between words on a terminal.

        Control characters are escaped, except for line feeds; characters that the
        output's encoding lacks are replaced.
        """
        self.out.write(self._fitted(text, wraps=self.writes_to_terminal))

    def print_raw(self, data: str) -> None:
        """Print lines for programs, never wrapped: JSON, CSV, records."""
        self.out.write(escape_lines(data))

    def _fitted(self, text: str, *, wraps: bool) -> str:
        text = self.fit(escape_lines(text))  # before it is measured
        return wrap(text, max(self._width(), _NARROWEST)) if wraps else text

    def can_show(self, text: str) -> bool:
        """Whether the output's encoding has all of these characters."""
        try:
            text.encode(self.out.encoding or "utf-8")
        except UnicodeEncodeError:
            return False
        return True

    def fit(self, sentence: str) -> str:
        """Replace characters that the output's encoding lacks, and dots if plain."""
        if self.plain:
            sentence = sentence.replace(" · ", ", ")  # a screen reader says "dot"
        for character, plainer in _PLAINER.items():
            if character in sentence and not self.can_show(character):
                sentence = sentence.replace(character, plainer)
        return _EXPONENT.sub(self._fit_exponent, sentence)

    def _fit_exponent(self, found: re.Match[str]) -> str:
        """Return an exponent, or ``^2`` and the like if the encoding lacks it."""
        raised = found[0]
        return raised if self.can_show(raised) else f"^{raised.translate(_LOWERED)}"

    def prompt_line(self, prompt: str) -> str:
        """Prompt for a line; return it stripped, or raise ``QuitRequested``."""
        entry = self._ask_once(prompt)
        while self.interactive and "\x1b" in entry:
            entry = _KEY.sub("", entry)
            if not entry:  # an arrow key is not an answer; Enter alone may be one
                entry = self._ask_once(prompt)
        if not self.interactive:
            self.print(f"{excerpt(entry)}\n")
        if entry.lower() in _LEAVE:
            raise QuitRequested
        return entry

    def _ask_once(self, prompt: str) -> str:
        try:
            entry = self._read(prompt)
        except KeyboardInterrupt:
            self.print("\n")
            raise
        if not entry:
            self.print("\n")
            raise EndOfInput(self.purpose)
        return entry.strip(" \t\r\n")

    def _read(self, prompt: str) -> str:
        """Read a line, cut at ``LONGEST_ENTRY`` characters."""
        shown = self._fitted(prompt, wraps=self.writes_to_terminal)
        if self.writes_to_terminal:  # leave room to type beside the prompt
            before, line_feed, last = shown.rpartition("\n")
            narrower = max(self._width() - _LEAST_ROOM, _NARROWEST)
            shown = before + line_feed + wrap(last, narrower)
        before, line_feed, last = shown.rpartition("\n")
        self.out.write(before + line_feed)
        self.flush()
        return self.prompt.ask(last)[:LONGEST_ENTRY]

    def confirm(self, question: str, *, default: bool = False) -> bool:
        """Prompt until the answer is yes or no; Enter is the default."""
        while True:
            answer = self.prompt_line(question).lower()
            if not answer:
                return default
            if answer in ("y", "yes", "n", "no"):
                return answer.startswith("y")
            self.print("Type y or n, or just press Enter.\n")

    def pause(self, seconds: float) -> None:
        """Flush and sleep; keys pressed meanwhile are ignored."""
        self.flush()
        if not seconds:
            return
        with self.prompt.ignoring_keys():
            try:
                self.sleep(seconds)
            except KeyboardInterrupt:
                self.print("\n")
                raise

    def read_all(self, longest: int) -> str:
        """Read the rest of the input, at most ``longest`` characters."""
        text = self.source.read(longest + 1)
        if len(text) > longest:
            message = f"the input is longer than {longest:,} characters"
            raise UnreadableInput(message)
        return text.removeprefix("\ufeff")

    def print_error(self, text: str) -> None:
        """Print to stderr: an error, or how to resume."""
        line = self._fitted(f"{text}\n", wraps=self._notices_at_terminal)
        for stream, part in ((self.out, ""), (self.notices, line)):
            try:
                stream.write(part)
                stream.flush()
            except (OSError, ValueError):
                continue  # a broken pipe, a closed stream or an unsuitable encoding

    def progress(self, text: str) -> None:
        """Show the progress of a long task on one line of a terminal; "" clears it.

        Not in plain output: a screen reader would read every change.
        """
        if self._notices_at_terminal and not self.plain:
            self.notices.write(f"\r{text:{self._width() - 1}}\r")
            self.notices.flush()

    def flush(self) -> None:
        self.out.flush()

    def release(self) -> None:
        """Flush the streams; redirect broken ones, so that Python can exit quietly."""
        for stream in (self.out, self.notices):
            try:
                stream.flush()
            except OSError:
                nowhere = os.open(os.devnull, os.O_WRONLY)
                os.dup2(nowhere, stream.fileno())
                os.close(nowhere)


def lines_of(source: TextIO, longest: int) -> Iterator[str]:
    """Yield lines with their line feeds; raise ``UnreadableInput`` if one is longer."""
    line = source.readline(longest + 1).removeprefix("\ufeff")
    number = 1
    while line:
        if len(line) > longest:
            message = f"line {number} has more than {longest:,} characters"
            raise UnreadableInput(message)
        yield line
        line = source.readline(longest + 1)
        number += 1


def read_file(path: Path, largest: int) -> str:
    """Read a UTF-8 file of at most ``largest`` bytes, or raise ``UnreadableInput``."""
    with _readable(), path.open("rb") as file:
        content = file.read(largest + 1)
        if len(content) > largest:
            message = f"the file is larger than {largest:,} bytes"
            raise UnreadableInput(message)
        return content.decode("utf-8-sig")


def read_lines(path: Path, longest: int) -> Iterator[str]:
    """Yield the lines of a UTF-8 file, each of at most ``longest`` characters.

    ``UnreadableInput`` is raised at the first line that is longer.
    """
    with _readable(), path.open(encoding="utf-8-sig", newline="\n") as file:
        yield from lines_of(file, longest)


@contextmanager
def _readable() -> Iterator[None]:
    """Turn errors while reading into ``UnreadableInput`` with a clear message."""
    try:
        yield
    except OSError as error:
        raise UnreadableInput(error.strerror or str(error)) from None
    except UnicodeDecodeError as error:
        message = f"this is not UTF-8 text: byte {error.start + 1} is invalid"
        raise UnreadableInput(message) from None


def write_file(console: Console, path: Path, text: str, what: str = "picture") -> None:
    """Write a text to a file, and print that it did."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        message = f"{path}: {error.strerror or error}"
        raise NinefoldError(message) from None
    console.print_error(f"Wrote the {what} to {path}.")


def _or_nothing(stream: object) -> TextIOWrapper:
    """Return a standard stream, or an empty one if it is closed."""
    if isinstance(stream, TextIOWrapper):
        return stream
    return TextIOWrapper(BytesIO(), encoding="utf-8")
