"""How long until the first prompt, against how long Python itself takes to start.

Prints best times, measured side by side in one run. The promises, on an idle machine:
the first prompt of a game within 120 ms, and within 10 times what ``python -c pass``
takes; the first item of a drill, for somebody with ten drills behind them, within 60 ms
more than ``ninefold games`` takes. Then it prints which imports take the most of that
time.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time

ROUNDS = 50
MOST_MILLISECONDS = 120
MOST_TIMES = 10
MOST_MORE = 60
DRILLS = 10
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


def time_prompt(arguments: list[str], prompts: tuple[bytes, ...], home: str) -> float:
    """Time ``ninefold`` with these arguments up to its first prompt."""
    pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
    start = time.perf_counter()
    with subprocess.Popen(
        [*NINEFOLD, *arguments],
        stdin=pipe,
        stdout=pipe,
        stderr=nowhere,
        env={**ENVIRONMENT, "NINEFOLD_HOME": home},
    ) as game:
        if game.stdout is None:
            message = "the game has no output to wait for"
            raise RuntimeError(message)
        shown = b""
        while not shown.endswith(prompts):
            shown += os.read(game.stdout.fileno(), 4096)
        elapsed = time.perf_counter() - start
        game.communicate()
    return elapsed


def time_first_prompt(home: str) -> float:
    """Time ``ninefold play multiplication-madness`` up to its first prompt."""
    return time_prompt(["play", "multiplication-madness"], (b"(2-9): ",), home)


def time_first_item(home: str) -> float:
    """Time ``ninefold drill`` up to its first item."""
    return time_prompt(["drill"], (b" = ", b"Your answer: "), home)


def time_games(home: str) -> float:
    """Time ``ninefold games``, from start to end."""
    environment = {**ENVIRONMENT, "NINEFOLD_HOME": home}
    start = time.perf_counter()
    subprocess.run(
        [*NINEFOLD, "games"], check=True, env=environment, stdout=subprocess.DEVNULL
    )
    return time.perf_counter() - start


def practise(home: str) -> None:
    """Let somebody have practised: what they answered is right or wrong."""
    for number in range(DRILLS):
        typed = "".join(f"{n}\n" for n in range(number, number + 40))
        subprocess.run(
            [*NINEFOLD, "drill", "--seed", str(number)],
            input=typed.encode(),
            check=False,
            capture_output=True,
            env={**ENVIRONMENT, "NINEFOLD_HOME": home},
        )


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
    with tempfile.TemporaryDirectory() as home:
        practise(home)
        times = [
            (
                time_python(),
                time_first_prompt(home),
                time_games(home),
                time_first_item(home),
            )
            for _ in range(ROUNDS)
        ]
    python, prompt, games, item = map(min, zip(*times, strict=True))
    ratio = prompt / python
    print(f"python -c pass                {python * 1000:7.2f} ms")
    print(f"first prompt of ninefold play {prompt * 1000:7.2f} ms")
    kept = "kept" if prompt * 1000 <= MOST_MILLISECONDS else "NOT kept"
    print(f"promised: at most {MOST_MILLISECONDS} ms; {kept}")
    kept = "kept" if ratio <= MOST_TIMES else "NOT kept"
    print(f"ratio {ratio:.2f} (promised: at most {MOST_TIMES}; {kept})")
    more = (item - games) * 1000
    print(f"ninefold games                {games * 1000:7.2f} ms")
    print(f"first item of ninefold drill  {item * 1000:7.2f} ms")
    kept = "kept" if more <= MOST_MORE else "NOT kept"
    print(f"{more:.1f} ms more (promised: at most {MOST_MORE} ms; {kept})")
    spent = sorted(time_imports().items(), key=lambda each: -each[1])
    total = sum(own for _, own in spent)
    print(f"\nimports, slowed down by their measuring: {total / 1000:.1f} ms")
    for package, own in spent[:LISTED]:
        print(f"  {package:24} {own / 1000:5.1f} ms")


if __name__ == "__main__":
    main()
