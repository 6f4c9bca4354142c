"""Bots: programs from outside that play, spoken to in plain lines.

``docs/bots.md`` describes the lines. A bot chooses moves as a level does, so that a
table, an audit or a tournament takes either.
"""

from __future__ import annotations

import errno
import os
import select
import shlex
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from fractions import Fraction
from math import ceil
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen, TimeoutExpired
from threading import Lock
from time import monotonic
from typing import IO, Self
from weakref import finalize

from msgspec import Struct

from ninefold.errors import BotFailed, NinefoldError, TheoryError
from ninefold.game import Game, Seat
from ninefold.levels import BOT_PREFIX, refuse_after_the_end
from ninefold.rules import Rules
from ninefold.text import shorten

if sys.platform != "win32":
    import resource

VERSION = 1
_NAMELESS = "the bot"
_UNNAMED = "Bot"
"""The name of a bot that gives itself none."""
_LONGEST_NAME = 22
"""A server takes 24 characters; a bot that plays itself is told apart by two."""
_REFUSALS = ("error", "ninefold")
"""The words by which a bot refuses a line, or names another version."""
_SECONDS_TO_QUIT = 1.0
_CHUNK = 2**16
_LONGEST_LOG = 2**11
_LONGEST_QUOTE = 120
_SCARCE = (errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM)
"""What a machine may lack to start a bot, which loses nothing for that."""
_ALLOW_MORE = "allow more open files, processes and memory"
_GUARD = ("/bin/sh", "-c", "read -r _; kill -9 0")
"""Kills its own group when its input ends, as it does when this process is gone."""


class Limits(Struct, frozen=True):
    """What a bot may use; one that uses more fails."""

    start_seconds: float = 10
    """Until its first answer: some languages take long to begin."""
    move_seconds: float = 5
    memory: int = 2**30
    """Bytes of data, for each of its processes; held on Linux."""
    output: int = 2**16
    """Bytes that it writes for one move, its log among them."""


class Bot:
    """A program that chooses moves; it is started when it is first asked.

    Whatever it does wrong raises ``BotFailed`` and ends it, with all processes of its
    group. Asked again, it is started again. One thread asks; any thread may close it.
    """

    def __init__(self, command: str, limits: Limits | None = None) -> None:
        """Take a command line, which is split as a shell does, and run without one."""
        self.command = command
        self.limits = limits or Limits()
        try:
            self._words = [*map(os.path.expanduser, shlex.split(command))]
        except ValueError:
            reason = "has an open quotation in its command line; close it"
            raise BotFailed(_NAMELESS, reason) from None
        if not self._words or not self._words[0]:
            reason = f"has no program to run; write one, as in {BOT_PREFIX}./mybot.py"
            raise BotFailed(_NAMELESS, reason)
        self.name = _quote(self._words[0])
        """What the bot calls itself, once it has been started; until then its file."""
        self._lock = Lock()
        """Held while the program starts or thinks."""
        self._program: _Program | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> None:
        """Start the program, unless it runs, and learn its name."""
        with self._asking():
            pass

    def choose(self, game: Game) -> int:
        """Return the move that the bot makes for the seat to move."""
        refuse_after_the_end(game)
        return self._move(game.rules, game.total, game.to_move, game.moves)

    def distribution(self, rules: Rules, total: int) -> dict[int, Fraction]:
        """Return the move that the bot makes at a position.

        It is asked twice. A bot whose answers differ is refused, because the chances of
        its moves are unknown.
        """
        move, again = (self._move(rules, total, Seat.ONE, ()) for _ in range(2))
        if move != again:
            message = (
                f"{self.name} gave two different answers at {shorten(total)}, so its"
                " chances are unknown; let it play games: ninefold tournament"
            )
            raise TheoryError(message)
        return {move: Fraction(1)}

    def _move(self, rules: Rules, total: int, seat: Seat, moves: Sequence[int]) -> int:
        seconds = self.limits.move_seconds
        go = (total, len(moves), round(seconds * 1000), *moves)
        with self._asking() as program:
            program.discard_late_answers()
            program.set_rules(_rules_line(rules, seat))
            said = program.ask(f"go {' '.join(map(str, go))}", "move", seconds)
            move = {str(each): each for each in rules.multipliers}.get(said)
            if move is None:
                quoted = _quote(f"move {said}")
                message = f"said '{quoted}', which is not one of the multipliers"
                raise _Problem(message)
        return move

    def close(self) -> None:
        """End the program and all processes of its group."""
        program = self._program
        if program is None:
            return
        if not self._lock.acquire(blocking=False):
            program.kill()
            return
        try:
            program.quit()
        finally:
            program.end()
            self._program = None
            self._lock.release()

    @contextmanager
    def _asking(self) -> Iterator[_Program]:
        """Give the program, started if it does not run; end it if it fails."""
        with self._lock:
            try:
                if self._program is None:
                    self._program = _Program(self._words, self.limits)
                    said = self._program.greet()
                    self.name = _printable(said, _LONGEST_NAME) or _UNNAMED
                yield self._program
            except _Problem as problem:
                last_words = ""
                if self._program is not None:
                    last_words = self._program.last_words
                    self._program.end()
                    self._program = None
                raise BotFailed(self.name, str(problem), last_words) from None


def _rules_line(rules: Rules, seat: Seat) -> str:
    multipliers = ",".join(map(str, rules.multipliers))
    numbers = f"{rules.target} {multipliers} {rules.start} {seat.value}"
    return f"rules {rules.ending.value} {numbers}"


class _Problem(Exception):
    """What a program does wrong: the words after its name in a sentence."""


class _Program:
    """A program that runs, and its pipes; every wait has a deadline."""

    def __init__(self, words: Sequence[str], limits: Limits) -> None:
        if sys.platform == "win32":
            message = "cannot run on this system; bots need Linux or macOS"
            raise _Problem(message)
        self._limits = limits
        self._rules = ""
        self._unsent = self._begun = b""
        """What it has not been sent yet, and the line that it has not ended yet."""
        self._received = 0
        """Bytes since the last question."""
        self._log = b""
        """The end of what it wrote beside its answers."""
        try:
            guard, process = _start(words)
        except (OSError, ValueError) as error:
            why = _why_not(error, words[0])
            if isinstance(error, OSError) and error.errno in _SCARCE:
                message = f"{_quote(words[0])} {why}; {_ALLOW_MORE}"
                raise NinefoldError(message) from None
            raise _Problem(why) from None
        self._guard, self._process = guard, process
        self.end = finalize(self, _end, guard, process)
        """End the program now; it ends at the latest when nobody has it any more."""
        pipes = [pipe.fileno() for pipe in _pipes(process)]
        for pipe in pipes:
            os.set_blocking(pipe, False)
        self._in, self._out, self._err = pipes
        if hasattr(resource, "prlimit"):
            with suppress(ProcessLookupError):  # it has ended already
                size = (limits.memory, limits.memory)
                resource.prlimit(process.pid, resource.RLIMIT_DATA, size)

    def greet(self) -> str:
        """Ask for its name."""
        line = f"ninefold {VERSION}"
        try:
            return self.ask(line, "ok", self._limits.start_seconds)
        except _Problem as problem:
            message = f"{problem}; a bot answers '{line}' with 'ok' and its name"
            raise _Problem(message) from None

    def discard_late_answers(self) -> None:
        """Forget what the program said since its answer: it is its log."""
        with suppress(BlockingIOError):
            self._note(os.read(self._out, _CHUNK))

    def set_rules(self, line: str) -> None:
        """Send the rules before the next question, if they are others than before."""
        if line != self._rules:
            self._rules = line
            self._unsent += f"{line}\n".encode()

    def ask(self, line: str, answer: str, seconds: float) -> str:
        """Send a line; return the rest of the first line that begins with a word."""
        self._unsent += f"{line}\n".encode()
        self._received, self._begun = 0, b""
        waiting = select.poll()
        waiting.register(self._in, select.POLLOUT)
        waiting.register(self._out, select.POLLIN)
        waiting.register(self._err, select.POLLIN)
        deadline = monotonic() + seconds
        while (left := deadline - monotonic()) > 0:
            for pipe, _ in waiting.poll(ceil(left * 1000)):
                is_done = self._send() if pipe == self._in else self._receive(pipe)
                if is_done:
                    waiting.unregister(pipe)
            found = self._find(answer)
            if found is not None:
                return found
        message = f"did not say '{answer}' within {seconds:g} seconds"
        if self._begun:
            begun = _quote(self._begun.decode(errors="replace"))
            message += f"; it did not end its line '{begun}'"
        raise _Problem(message)

    def _send(self) -> bool:
        """Send as much as there is room for; whether nothing is left to send."""
        try:
            self._unsent = self._unsent[os.write(self._in, self._unsent) :]
        except BrokenPipeError:  # it listens no more, and its output says why
            self._unsent = b""
        return not self._unsent

    def _receive(self, pipe: int) -> bool:
        """Take what it wrote; whether nothing more will come."""
        text = os.read(pipe, _CHUNK)
        self._received += len(text)
        if self._received > self._limits.output:
            message = f"wrote more than {self._limits.output:,} bytes before its answer"
            raise _Problem(message)
        if pipe == self._err:
            self._note(text)
        elif not text:
            raise _Problem(self._how_it_ended())
        else:
            self._begun += text
        return not text

    def _find(self, answer: str) -> str | None:
        """Return the rest of the line that answers; the others are the log."""
        *lines, self._begun = self._begun.split(b"\n")
        for line in lines:
            said = line.decode(errors="replace").strip()
            word, *rest = said.split(maxsplit=1) or [""]
            if word == answer:
                return "".join(rest)
            if word in _REFUSALS:
                message = f"said '{_quote(said)}' instead of '{answer}'"
                raise _Problem(message)
            self._note(line + b"\n")
        return None

    def _note(self, text: bytes) -> None:
        self._log = (self._log + text)[-_LONGEST_LOG:]

    @property
    def last_words(self) -> str:
        """The last line that it wrote beside its answers."""
        with suppress(OSError):  # nothing more is there
            self._note(os.read(self._err, _CHUNK))
        lines = self._log.decode(errors="replace").split("\n")
        return next((_quote(line) for line in lines[::-1] if line.strip()), "")

    def _how_it_ended(self) -> str:
        try:
            code = self._process.wait(_SECONDS_TO_QUIT)
        except TimeoutExpired:
            return "closed its output"
        how = f"exit code {code}" if code >= 0 else f"signal {-code}"
        return f"ended before its answer ({how})"

    def quit(self) -> None:
        """Ask the program to end by itself, and give it a moment for that."""
        with suppress(OSError):  # it has ended, or does not listen
            os.write(self._in, b"quit\n")
        _pipes(self._process)[0].close()
        with suppress(TimeoutExpired):
            self._process.wait(_SECONDS_TO_QUIT)

    def kill(self) -> None:
        """Kill the program; whoever waits for its answer sees it end."""
        _kill(self._guard)


def _start(words: Sequence[str]) -> tuple[Popen[bytes], Popen[bytes]]:
    """Start a program in the group of a guard; return both.

    So not even ``kill -9`` of this process leaves a bot behind. No Ctrl-C reaches it.
    """
    guard = Popen(  # noqa: S603 - it is written above
        _GUARD, stdin=PIPE, stdout=DEVNULL, stderr=DEVNULL, process_group=0
    )
    try:
        program = Popen(  # noqa: S603 - a person typed it, here and now
            words,
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            bufsize=0,
            process_group=guard.pid,
        )
    except BaseException:
        _end(guard)
        raise
    return guard, program


def _why_not(error: OSError | ValueError, program: str) -> str:
    """Say why a program cannot be started, and what to do; its line is not quoted."""
    why = "cannot be started; write its command line without invisible characters"
    match error:
        case PermissionError() if Path(program).is_dir():
            why = "is a folder; write the path of a program, as in ./mybot.py"
        case FileNotFoundError() if "/" not in program and Path(program).exists():
            why = f"is not a command; for the file here write {BOT_PREFIX}./{program}"
        case FileNotFoundError() if Path(program).exists():
            why = (
                "has a first line that names no program here; write one such as"
                " #!/usr/bin/env python3, which must not end with CR"
            )
        case FileNotFoundError() | NotADirectoryError():
            why = "is not there; write its path, as in ./mybot.py"
        case PermissionError():
            why = "is not executable; allow that with: chmod +x"
        case OSError(errno=errno.ENOEXEC):
            why = "is no program; begin it with a line such as #!/usr/bin/env python3"
        case OSError(strerror=str(problem)):
            why = f"cannot be started: {problem}"
    return why


def _quote(text: str) -> str:
    return _printable(text, _LONGEST_QUOTE)


def _printable(text: str, longest: int) -> str:
    """Cut what a program says, and make each character that cannot be seen a ``?``."""
    return "".join(c if c.isprintable() else "?" for c in text.strip()[:longest])


def _pipes(process: Popen[bytes]) -> list[IO[bytes]]:
    return [pipe for pipe in (process.stdin, process.stdout, process.stderr) if pipe]


def _kill(guard: Popen[bytes]) -> None:
    """Kill all processes of the group."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(guard.pid, signal.SIGKILL)


def _end(guard: Popen[bytes], *bots: Popen[bytes]) -> None:
    _kill(guard)
    for process in (*bots, guard):
        process.kill()  # a bot may have left the group
        process.wait()
        for pipe in _pipes(process):
            pipe.close()
