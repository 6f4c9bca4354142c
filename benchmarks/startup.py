"""How long until the first prompt, against how long Python itself takes to start.

Prints the ratio of two best times, measured side by side in one run. Both use the
same environment; the promise is a ratio of at most 2.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

ROUNDS = 100
PROMISE = 2.0
PYTHON = sys.executable
# Everyone but the first player of all finds bytecode, so it may be written here.
ENVIRONMENT = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
NINEFOLD = str(Path(sys.executable).with_name("ninefold"))


def time_python() -> float:
    """Time ``python -c pass``, from start to end."""
    start = time.perf_counter()
    subprocess.run([PYTHON, "-c", "pass"], check=True, env=ENVIRONMENT)
    return time.perf_counter() - start


def time_first_prompt() -> float:
    """Time ``ninefold play multiplication-madness`` up to its first prompt."""
    command = [NINEFOLD, "play", "multiplication-madness"]
    pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
    start = time.perf_counter()
    with subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=nowhere, env=ENVIRONMENT
    ) as game:
        if game.stdout is None:
            message = "the game has no output to wait for"
            raise RuntimeError(message)
        shown = b""
        while not shown.endswith(b"(2-9): "):
            shown += os.read(game.stdout.fileno(), 4096)
        elapsed = time.perf_counter() - start
        game.communicate()
    return elapsed


def main() -> None:
    """Measure in turn, so that both meet the same weather, and print the ratio."""
    python, prompt = time_python(), time_first_prompt()
    for _ in range(ROUNDS):
        python = min(python, time_python())
        prompt = min(prompt, time_first_prompt())
    ratio = prompt / python
    print(f"python -c pass                {python * 1000:7.2f} ms")
    print(f"first prompt of ninefold play {prompt * 1000:7.2f} ms")
    kept = "kept" if ratio <= PROMISE else "NOT kept"
    print(f"ratio {ratio:.2f} (promised: at most {PROMISE:.0f}; {kept})")


if __name__ == "__main__":
    main()
