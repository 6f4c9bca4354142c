"""Processes that tests start: none outlives the process that started it."""

from __future__ import annotations

import ctypes
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

_PR_SET_PDEATHSIG = 1
_PROCESS = ctypes.CDLL(None)


def end_with_parent() -> None:
    """Ask the kernel to end this process when its parent is gone, however it went.

    Only Linux can. Elsewhere a run that is killed leaves its processes behind.
    """
    if sys.platform == "linux":
        _PROCESS.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def start(
    command: Sequence[str | Path],
    *,
    stdin: int | None = None,
    stderr: int | None = None,
    env: Mapping[str, str] | None = None,
    user: str | None = None,
) -> subprocess.Popen[str]:
    """Start a program, and read what it writes through a pipe."""
    return subprocess.Popen(
        command,
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
        env=env,
        user=user,
        preexec_fn=end_with_parent,  # noqa: PLW1509 - it calls nothing of Python's
    )
