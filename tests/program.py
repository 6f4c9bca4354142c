"""The program as people meet it: through pipes, at a terminal, and on paper."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pexpect

if TYPE_CHECKING:
    from collections.abc import Sequence

TESTS = Path(__file__).parent
SAMPLES = TESTS / "samples"
GOLDEN = TESTS / "golden"
NINEFOLD = str(Path(sys.executable).with_name("ninefold"))
_FOLDER = tempfile.TemporaryDirectory(prefix="ninefold-tests-")  # what is kept, goes
WAIT_SECONDS = 30  # long: a busy machine is no failure


def environment(**changes: str) -> dict[str, str]:
    """Make an environment in which nothing changes the output unasked."""
    unwanted = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "_NINEFOLD_COMPLETE")
    kept = {name: text for name, text in os.environ.items() if name not in unwanted}
    home = {"TERM": "xterm-256color", "NINEFOLD_HOME": _FOLDER.name}
    return kept | home | changes


def _heed_ctrl_c() -> None:
    """Let a program be interrupted, though whoever started the tests ignores that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def run(
    *arguments: str,
    typed: str | bytes = "",
    cwd: Path | str | None = None,
    **changes: str,
) -> subprocess.CompletedProcess[str]:
    """Run ninefold with its input piped in."""
    if isinstance(typed, str):
        typed = typed.encode()
    finished = subprocess.run(
        [NINEFOLD, *arguments],
        input=typed,
        capture_output=True,
        cwd=cwd,
        env=environment(**changes),
        preexec_fn=_heed_ctrl_c,
        timeout=WAIT_SECONDS,
        check=False,
    )
    out, err = finished.stdout.decode(), finished.stderr.decode()
    assert "Traceback" not in out + err
    return subprocess.CompletedProcess(arguments, finished.returncode, out, err)


class Terminal:
    """Ninefold at a real pseudo-terminal; typed text is echoed by the terminal."""

    def __init__(
        self,
        *arguments: str,
        columns: int = 80,
        command: Sequence[str] = (NINEFOLD,),
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
            preexec_fn=_heed_ctrl_c,
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

    def press(self, key: str) -> None:
        """Press Ctrl and a key, after waiting for a prompt."""
        self._wait_for_prompt()
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
