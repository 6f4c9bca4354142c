"""Bots: external programs that play over a pipe.

``docs/bots.md`` describes the protocol. A bot has the methods of a level's player, so a
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
"""The name of a bot that sends none."""
_LONGEST_NAME = 22
"""A server accepts 24 characters; two are for telling apart a bot and itself."""
_REFUSALS = ("error", "ninefold")
"""The words with which a bot rejects a line, or names another version."""
_SECONDS_TO_QUIT = 1.0
_CHUNK = 2**16
_LONGEST_LOG = 2**11
_LONGEST_QUOTE = 120
_SCARCE = (errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM)
"""Errors of a machine that lacks resources; a bot loses nothing for them."""
_ALLOW_MORE = "allow more open files, processes and memory"
_GUARD = ("/bin/sh", "-c", "read -r _; kill -9 0")
"""Kills its own group when its input ends, as when this process dies."""


class Limits(Struct, frozen=True):
    """The time, memory and output of a bot; one that exceeds them fails."""

    start_seconds: float = 10
    """For its first answer: some languages take long to start."""
    move_seconds: float = 5
    memory: int = 2**30
    """Bytes of data for each of its processes; enforced on Linux."""
    output: int = 2**16
    """Bytes that it writes for one move, including its log."""


class Bot:
    """A player that runs an external program, started on first use.

    Any misbehaviour raises ``BotFailed`` and kills its process group; the next use
    starts it again. One thread uses it; any thread may close it.
    """

    def __init__(self, command: str, limits: Limits | None = None) -> None:
        """``command`` is split as in a shell, but run without one."""
        self.command = command
        self.limits = limits or Limits()
        try:
            self._words = [*map(os.path.expanduser, shlex.split(command))]
        except ValueError:
            reason = "has an unclosed quote in its command line"
            raise BotFailed(_NAMELESS, reason) from None
        if not self._words or not self._words[0]:
            reason = f"has no command; give one, such as {BOT_PREFIX}./mybot.py"
            raise BotFailed(_NAMELESS, reason)
        self.name = _quote(self._words[0])
        """The name that the bot sends; its file, until it has been started."""
        self._lock = Lock()
        """Locked while the program starts or thinks."""
        self._program: _Program | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> None:
        """Start the program, unless it runs, and read its name."""
        with self._asking():
            pass

    def choose(self, game: Game) -> int:
        """Return the bot's move for the seat to move."""
        refuse_after_the_end(game)
        return self._move(game.rules, game.total, game.to_move, game.moves)

    def distribution(self, rules: Rules, total: int) -> dict[int, Fraction]:
        """Return the bot's move at a position, with chance 1.

        The bot is asked twice. If its answers differ, its chances are unknown:
        raise ``TheoryError``.
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
            answer = program.ask(f"go {' '.join(map(str, go))}", "move", seconds)
            move = {str(each): each for each in rules.multipliers}.get(answer)
            if move is None:
                quoted = _quote(f"move {answer}")
                message = f"answered '{quoted}', which is not one of the multipliers"
                raise _Problem(message)
        return move

    def close(self) -> None:
        """Stop the program and all processes of its group."""
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
        """Yield the program, started if necessary; stop it if it fails."""
        with self._lock:
            try:
                if self._program is None:
                    self._program = _Program(self._words, self.limits)
                    name = self._program.greet()
                    self.name = _printable(name, _LONGEST_NAME) or _UNNAMED
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
    """What a program did wrong, as the part of a sentence that follows its name."""


class _Program:
    """A running program and its pipes; every wait has a deadline."""

    def __init__(self, words: Sequence[str], limits: Limits) -> None:
        if sys.platform == "win32":
            message = "cannot run on this system; bots need Linux or macOS"
            raise _Problem(message)
        self._limits = limits
        self._rules = ""
        self._unsent = self._begun = b""
        """Lines still to send, and the unfinished line that was received."""
        self._received = 0
        """Bytes received since the last line that needs an answer."""
        self._log = b""
        """The end of its output other than answers."""
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
        """Kill the program; at the latest this happens when it is garbage-collected."""
        pipes = [pipe.fileno() for pipe in _pipes(process)]
        for pipe in pipes:
            os.set_blocking(pipe, False)
        self._in, self._out, self._err = pipes
        if hasattr(resource, "prlimit"):
            with suppress(ProcessLookupError):  # it has exited already
                size = (limits.memory, limits.memory)
                resource.prlimit(process.pid, resource.RLIMIT_DATA, size)

    def greet(self) -> str:
        """Send the greeting, and return the program's name."""
        line = f"ninefold {VERSION}"
        try:
            return self.ask(line, "ok", self._limits.start_seconds)
        except _Problem as problem:
            message = f"{problem}; a bot answers '{line}' with 'ok' and its name"
            raise _Problem(message) from None

    def discard_late_answers(self) -> None:
        """Move output since the last answer to the log."""
        with suppress(BlockingIOError):
            self._note(os.read(self._out, _CHUNK))

    def set_rules(self, line: str) -> None:
        """Send the rules before the next line, if they have changed."""
        if line != self._rules:
            self._rules = line
            self._unsent += f"{line}\n".encode()

    def ask(self, line: str, answer: str, seconds: float) -> str:
        """Send a line; return the rest of the first answer that starts with a word."""
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
        message = f"did not answer '{answer}' within {seconds:g} seconds"
        if self._begun:
            begun = _quote(self._begun.decode(errors="replace"))
            message += f"; its line '{begun}' has no line ending"
        raise _Problem(message)

    def _send(self) -> bool:
        """Send as much as the pipe takes; return whether all is sent."""
        try:
            self._unsent = self._unsent[os.write(self._in, self._unsent) :]
        except BrokenPipeError:  # it no longer reads; its output will say why
            self._unsent = b""
        return not self._unsent

    def _receive(self, pipe: int) -> bool:
        """Read from a pipe; return whether that has ended."""
        text = os.read(pipe, _CHUNK)
        self._received += len(text)
        if self._received > self._limits.output:
            message = f"wrote more than {self._limits.output:,} bytes before answering"
            raise _Problem(message)
        if pipe == self._err:
            self._note(text)
        elif not text:
            raise _Problem(self._how_it_ended())
        else:
            self._begun += text
        return not text

    def _find(self, answer: str) -> str | None:
        """Return the rest of the line with the answer; log the other lines."""
        *lines, self._begun = self._begun.split(b"\n")
        for line in lines:
            text = line.decode(errors="replace").strip()
            word, *rest = text.split(maxsplit=1) or [""]
            if word == answer:
                return "".join(rest)
            if word in _REFUSALS:
                message = f"answered '{_quote(text)}' instead of '{answer}'"
                raise _Problem(message)
            self._note(line + b"\n")
        return None

    def _note(self, text: bytes) -> None:
        self._log = (self._log + text)[-_LONGEST_LOG:]

    @property
    def last_words(self) -> str:
        """The last line of its log."""
        with suppress(OSError):  # nothing to read
            self._note(os.read(self._err, _CHUNK))
        lines = self._log.decode(errors="replace").split("\n")
        return next((_quote(line) for line in lines[::-1] if line.strip()), "")

    def _how_it_ended(self) -> str:
        try:
            code = self._process.wait(_SECONDS_TO_QUIT)
        except TimeoutExpired:
            return "closed its output"
        how = f"exit code {code}" if code >= 0 else f"signal {-code}"
        return f"exited before answering ({how})"

    def quit(self) -> None:
        """Ask the program to exit, and wait a moment."""
        with suppress(OSError):  # it has exited, or does not read
            os.write(self._in, b"quit\n")
        _pipes(self._process)[0].close()
        with suppress(TimeoutExpired):
            self._process.wait(_SECONDS_TO_QUIT)

    def kill(self) -> None:
        """Kill the program; a thread that waits for its answer sees it exit."""
        _kill(self._guard)


def _start(words: Sequence[str]) -> tuple[Popen[bytes], Popen[bytes]]:
    """Start a program in the process group of a guard; return both.

    Not even ``kill -9`` of this process leaves a bot behind. Ctrl-C does not reach it.
    """
    guard = Popen(  # noqa: S603 - a constant
        _GUARD, stdin=PIPE, stdout=DEVNULL, stderr=DEVNULL, process_group=0
    )
    try:
        program = Popen(  # noqa: S603 - the person here typed it
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
    """Return why a program cannot be started, and what to do, without its command."""
    why = "cannot be started; remove the invisible characters from its command line"
    match error:
        case PermissionError() if Path(program).is_dir():
            why = "is a folder; give the path of a program, such as ./mybot.py"
        case FileNotFoundError() if "/" not in program and Path(program).exists():
            why = f"is not a command; for the file here use {BOT_PREFIX}./{program}"
        case FileNotFoundError() if Path(program).exists():
            why = (
                "has a #! line whose program is not on this machine; use one such as"
                " #!/usr/bin/env python3, without a CR at the end"
            )
        case FileNotFoundError() | NotADirectoryError():
            why = "was not found; give its path, such as ./mybot.py"
        case PermissionError():
            why = "is not executable; run: chmod +x"
        case OSError(errno=errno.ENOEXEC):
            why = "is not a program; start it with a line like #!/usr/bin/env python3"
        case OSError(strerror=str(problem)):
            why = f"cannot be started: {problem}"
    return why


def _quote(text: str) -> str:
    return _printable(text, _LONGEST_QUOTE)


def _printable(text: str, longest: int) -> str:
    """Strip and truncate text, and replace unprintable characters by ``?``."""
    return "".join(c if c.isprintable() else "?" for c in text.strip()[:longest])


def _pipes(process: Popen[bytes]) -> list[IO[bytes]]:
    return [pipe for pipe in (process.stdin, process.stdout, process.stderr) if pipe]


def _kill(guard: Popen[bytes]) -> None:
    """Kill all processes of a guard's group."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(guard.pid, signal.SIGKILL)


def _end(guard: Popen[bytes], *bots: Popen[bytes]) -> None:
    _kill(guard)
    for process in (*bots, guard):
        process.kill()  # a bot may have left the group
        process.wait()
        for pipe in _pipes(process):
            pipe.close()
