"""The program as people meet it: through pipes and at a terminal.

``run`` and ``Terminal`` call ``main`` in this process, on streams in memory, so that
every line they reach is counted. ``run_process`` and ``RealTerminal`` start a process:
for signals, for a kernel's pipes and pseudo-terminals, and for the encodings of a
locale.
"""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from datetime import datetime
from hashlib import sha256
from pathlib import Path

import pexpect

from ninefold.cli.console import Console, Serving, Teaching, utc_now
from ninefold.main import main

TESTS = Path(__file__).parent
SAMPLES = TESTS / "samples"
GOLDEN = TESTS / "golden"
NINEFOLD = [sys.executable, "-m", "ninefold"]
_FOLDER = tempfile.TemporaryDirectory(prefix="ninefold-tests-")  # what is kept, goes
WAIT_SECONDS = 30  # long: a busy machine is no failure
Entry = str | Callable[[], object] | BaseException
"""A line that is typed; or something that happens meanwhile; or what interrupts."""


def environment(**changes: str) -> dict[str, str]:
    """Make an environment in which nothing changes the output unasked."""
    unwanted = (
        *("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES"),
        *("NINEFOLD_DEBUG", "NINEFOLD_PLAIN"),
    )
    kept = {name: text for name, text in os.environ.items() if name not in unwanted}
    home = {"TERM": "xterm-256color", "NINEFOLD_HOME": _home()}
    return kept | home | changes


def _home() -> str:
    """Return where this test keeps games and learners: no other sees them."""
    test, _, _ = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" (")
    return str(Path(_FOLDER.name) / sha256(test.encode()).hexdigest()[:16])


class Stream(io.TextIOWrapper):
    """A stream in memory that can pass for a terminal."""

    def __init__(
        self, content: bytes = b"", *, terminal: bool = False, encoding: str = "utf-8"
    ) -> None:
        self._content = io.BytesIO(content)
        super().__init__(
            self._content,
            encoding=encoding,
            errors="backslashreplace",
            newline="\n",
            write_through=True,
        )
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal

    @property
    def text(self) -> str:
        """All that was written."""
        return self._content.getvalue().decode(self.encoding)


def run(
    *arguments: str, typed: str | bytes = "", encoding: str = "utf-8", **changes: str
) -> subprocess.CompletedProcess[str]:
    """Run ninefold with its input piped in."""
    return run_at(utc_now, *arguments, typed=typed, encoding=encoding, **changes)


def run_at(
    clock: Callable[[], datetime],
    *arguments: str,
    typed: str | bytes = "",
    encoding: str = "utf-8",
    **changes: str,
) -> subprocess.CompletedProcess[str]:
    """Run ninefold at another time."""
    typed = typed.encode() if isinstance(typed, str) else typed
    out, err = Stream(encoding=encoding), Stream(encoding=encoding)
    console = Console(
        Stream(typed),
        out,
        err,
        environ=environment(**changes),
        clock=clock,
        timer=lambda: clock().timestamp(),
        sleep=lambda _: None,
    )
    code = main(arguments, console)
    assert code != 70, err.text
    return subprocess.CompletedProcess(arguments, code, out.text, err.text)


def served(*arguments: str) -> list[Serving]:
    """Run a command that would serve; return what it would serve, without serving."""
    asked: list[Serving] = []
    console = Console(Stream(), Stream(), Stream(), environ=environment())

    def serve(serving: Serving) -> int:
        asked.append(serving)
        return 0

    console.serve = serve
    assert main(arguments, console) == 0
    return asked


def taught(*arguments: str) -> list[Teaching]:
    """Run a command that would teach a class; return the class, without serving."""
    asked: list[Teaching] = []
    console = Console(Stream(), Stream(), Stream(), environ=environment())

    def teach(teaching: Teaching) -> int:
        asked.append(teaching)
        return 0

    console.teach = teach
    assert main(arguments, console) == 0
    return asked


def transcript(*arguments: str, typed: str = "") -> str:
    """Run ninefold piped; return what it writes to both of its streams, in order."""
    both = Stream()
    source = Stream(typed.encode())
    code = main(arguments, Console(source, both, both, environ=environment()))
    assert code != 70, both.text
    return both.text


class Keyboard(Stream):
    """What is typed at a terminal in memory, which shows it as it is read."""

    def __init__(self, screen: Stream) -> None:
        super().__init__(terminal=True)
        self.entries: list[Entry] = []
        self._screen = screen

    def readline(self, _size: int = -1, /) -> str:  # type: ignore[override]  # as in io
        while self.entries:
            entry = self.entries.pop(0)
            if isinstance(entry, BaseException):
                raise entry
            if isinstance(entry, str):
                self._screen.write(f"{entry}\n")
                return f"{entry}\n"
            entry()
        return ""


class Terminal:
    """Ninefold at a terminal in memory; everything is typed, then it runs."""

    def __init__(self, *arguments: str, **changes: str) -> None:
        changes = {"NINEFOLD_HOME": tempfile.mkdtemp(dir=_FOLDER.name)} | changes
        self._arguments = arguments
        self._screen = Stream(terminal=True)
        self._keyboard = Keyboard(self._screen)
        self.waits: list[float] = []
        self._console = Console(
            self._keyboard,
            self._screen,
            self._screen,
            environ=environment(**changes),
            width=lambda: int(changes.get("COLUMNS", "80")),
            height=lambda: int(changes.get("LINES", "24")),
            sleep=self.waits.append,
        )

    def type(self, *entries: Entry) -> None:
        """Type lines, each at its prompt."""
        self._keyboard.entries += entries

    @property
    def text(self) -> str:
        """All that is on the screen."""
        return self._screen.text

    def end(self) -> tuple[int, str]:
        """Run until the end; return the exit code and the whole screen.

        After the last entry comes the end of input, as Ctrl-D makes it.
        """
        code = main(self._arguments, self._console)
        assert code != 70, self._screen.text
        return code, self._screen.text


def heed_signals() -> None:
    """Let Ctrl-C and a closed terminal end a program.

    Tests that were started with ``nohup`` or in the background ignore both, and so
    would all that they start: at its next prompt it would keep its terminal open.
    """
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def ignore_ctrl_c() -> None:
    """Start a program as a script's shell starts one in the background."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def run_process(
    *arguments: str, typed: str | bytes = "", **changes: str
) -> subprocess.CompletedProcess[str]:
    """Run ninefold as a process with its input piped in."""
    finished = subprocess.run(
        [*NINEFOLD, *arguments],
        input=typed.encode() if isinstance(typed, str) else typed,
        capture_output=True,
        env=environment(**changes),
        timeout=WAIT_SECONDS,
        check=False,
    )
    out, err = finished.stdout.decode(), finished.stderr.decode()
    assert "Traceback" not in out + err
    return subprocess.CompletedProcess(arguments, finished.returncode, out, err)


def run_shell(
    command: str, typed: str = "", cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a shell's command line, in which ninefold is this program."""
    shim = Path(_FOLDER.name) / "bin" / "ninefold"
    if not shim.exists():
        shim.parent.mkdir(exist_ok=True)
        shim.write_text(f'#!/bin/sh\nexec {sys.executable} -m ninefold "$@"\n')
        shim.chmod(0o755)
    source = str(TESTS.parent / "src")
    finished = subprocess.run(
        ["/bin/bash", "-c", command],
        input=typed,
        capture_output=True,
        text=True,
        cwd=cwd,
        env=environment(
            PATH=f"{shim.parent}{os.pathsep}{os.environ['PATH']}", PYTHONPATH=source
        ),
        timeout=WAIT_SECONDS,
        check=False,
    )
    assert "Traceback" not in finished.stdout + finished.stderr
    return finished


class RealTerminal:
    """Ninefold at a real pseudo-terminal; typed text is echoed by the terminal."""

    def __init__(
        self,
        *arguments: str,
        command: Sequence[str] = NINEFOLD,
        columns: int = 80,
        **changes: str,
    ) -> None:
        changes = {"NINEFOLD_HOME": tempfile.mkdtemp(dir=_FOLDER.name)} | changes
        program, *first = command
        self._child = pexpect.spawn(
            program,
            [*first, *arguments],
            dimensions=(24, columns),
            env=environment(**changes),
            encoding="utf-8",
            codec_errors="backslashreplace",
            timeout=WAIT_SECONDS,
            preexec_fn=heed_signals,
        )
        self._child.delaybeforesend = None
        self._seen = ""

    def wait_for(self, text: str) -> None:
        """Wait until a text appears."""
        self._child.expect_exact(text)
        self._seen += str(self._child.before) + text

    def type(self, *lines: str) -> None:
        """Type each line and press Enter, each after waiting for a prompt."""
        for line in lines:
            self._wait_for_prompt()
            self.send(line)

    def send(self, line: str) -> None:
        """Type a line and press Enter at once."""
        self._child.sendline(line)

    def type_ahead(self, text: str) -> None:
        """Type at once, without Enter."""
        self._child.send(text)

    def send_bytes(self, data: bytes) -> None:
        """Send bytes at once, as a terminal of another encoding does."""
        os.write(self._child.child_fd, data)

    def signal(self, number: int) -> None:
        """Send the program a signal."""
        self._child.kill(number)

    def press(self, key: str) -> None:
        """Press Ctrl and a key, after waiting for a prompt."""
        self._wait_for_prompt()
        self.press_at_once(key)

    def press_at_once(self, key: str) -> None:
        """Press Ctrl and a key."""
        self._child.sendcontrol(key)

    def _wait_for_prompt(self) -> None:
        self._child.expect(r"(: |\) |\? |= )$")
        self._seen += str(self._child.before) + str(self._child.after)

    def end(self) -> tuple[int | None, str]:
        """Wait for the end; return the exit code and the whole screen."""
        self._child.expect(pexpect.EOF)
        self._seen += str(self._child.before)
        self._child.close()
        screen = self._seen.replace("\r\n", "\n")
        assert "Traceback" not in screen
        return self._child.exitstatus, screen


def assert_golden(name: str, text: str) -> None:
    """Compare with a golden file; ``GOLDEN=write make test`` writes it anew."""
    path = GOLDEN / name
    if os.environ.get("GOLDEN") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
