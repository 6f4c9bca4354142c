"""How long until the first prompt, against how long Python itself takes to start.

Prints two best times, measured side by side in one run, and their ratio. The promise,
on an idle machine: the first prompt within 120 ms, and within 10 times what
``python -c pass`` takes. Then it prints which imports take the most of that time.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time

ROUNDS = 50
MOST_MILLISECONDS = 120
MOST_TIMES = 10
LISTED = 12
PYTHON = sys.executable
# Everyone but the first player of all finds bytecode, so it may be written here.
ENVIRONMENT = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
NINEFOLD = [PYTHON, "-m", "ninefold"]
IMPORT = re.compile(r"import time: +(\d+) \| +(\d+) \|( +)(\S+)")


def time_python() -> float:
    """Time ``python -c pass``, from start to end."""
    start = time.perf_counter()
    subprocess.run([PYTHON, "-c", "pass"], check=True, env=ENVIRONMENT)
    return time.perf_counter() - start


def time_first_prompt() -> float:
    """Time ``ninefold play multiplication-madness`` up to its first prompt."""
    command = [*NINEFOLD, "play", "multiplication-madness"]
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


def time_imports() -> dict[str, int]:
    """Return the microseconds that each package takes to import, its own and alone.

    A package is charged for its own modules and not for those of others, which are
    imported only once, by the first that needs them.
    """
    command = [PYTHON, "-X", "importtime", "-c", "import ninefold.main"]
    finished = subprocess.run(
        command, check=True, capture_output=True, text=True, env=ENVIRONMENT
    )
    spent: dict[str, int] = {}
    for own, _, _, module in IMPORT.findall(finished.stderr):
        package, _, rest = module.partition(".")
        if package == "ninefold":
            package = f"ninefold.{rest.partition('.')[0]}".rstrip(".")
        spent[package] = spent.get(package, 0) + int(own)
    return spent


def main() -> None:
    """Measure in turn, so that both meet the same weather, and print everything."""
    python, prompt = time_python(), time_first_prompt()
    for _ in range(ROUNDS):
        python = min(python, time_python())
        prompt = min(prompt, time_first_prompt())
    ratio = prompt / python
    print(f"python -c pass                {python * 1000:7.2f} ms")
    print(f"first prompt of ninefold play {prompt * 1000:7.2f} ms")
    kept = "kept" if prompt * 1000 <= MOST_MILLISECONDS else "NOT kept"
    print(f"promised: at most {MOST_MILLISECONDS} ms; {kept}")
    kept = "kept" if ratio <= MOST_TIMES else "NOT kept"
    print(f"ratio {ratio:.2f} (promised: at most {MOST_TIMES}; {kept})")
    spent = sorted(time_imports().items(), key=lambda each: -each[1])
    total = sum(own for _, own in spent)
    print(f"\nimports, slowed down by their measuring: {total / 1000:.1f} ms")
    for package, own in spent[:LISTED]:
        print(f"  {package:24} {own / 1000:5.1f} ms")


if __name__ == "__main__":
    main()
