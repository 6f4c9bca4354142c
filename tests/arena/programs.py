"""Bots for tests: a shell's, which starts at once, and those of the page."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.program import WAIT_SECONDS

PAGE = Path(__file__).parents[2] / "docs" / "bots.md"
RUN_BY = {"python": "python3", "javascript": "node", "bash": "sh"}
"""The languages of the bots on the page, and the programs that they need."""


def sh(answer: str, name: str = "Otto") -> str:
    """Write the command line of a bot that answers each question with a command."""
    loop = "while read -r word total ply rest; do case $word in"
    return shlex.join(
        ["sh", "-c", f"{loop} ninefold) echo ok {name};; go) {answer};; esac; done"]
    )


def until(holds: Callable[[], bool]) -> None:
    """Look again and again until something holds."""
    end = time.monotonic() + WAIT_SECONDS
    while not holds():
        assert time.monotonic() < end


def is_running(process: str) -> bool:
    """Tell whether a process runs; one that has ended may wait to be noticed."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def process_in(file: Path) -> str:
    """Return the process whose number a bot writes to a file, once it has."""
    until(lambda: file.exists() and file.read_text().endswith("\n"))
    return file.read_text().strip()


def bots_of_page() -> dict[str, str]:
    """Return the bots of the page by their languages."""
    fence = rf"^```({'|'.join(RUN_BY)})\n(.*?)^```$"
    page = PAGE.read_text(encoding="utf-8")
    return dict(re.findall(fence, page, re.DOTALL | re.MULTILINE))


def written(language: str, folder: Path) -> str:
    """Write a bot of the page into a file that can be run; return its command line."""
    if shutil.which(RUN_BY[language]) is None:
        said = f"not tested: a bot in {language}; install {RUN_BY[language]} to test it"
        if os.environ.get("CI"):
            pytest.fail(said)
        pytest.skip(said)
    file = folder / "mybot"
    file.write_text(bots_of_page()[language])
    file.chmod(0o755)
    return shlex.quote(str(file))
