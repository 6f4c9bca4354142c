"""How long the worst questions take: games that were chosen to be slow, and commands.

Run it with ``python -m benchmarks.worst``. Every question about one position or one
game is answered, or refused with a sentence, within two seconds. With ``--search 60``
it looks for worse games at random for so many seconds, and prints the slowest.
"""

from __future__ import annotations

import os
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from itertools import islice
from math import prod
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

from benchmarks.timing import print_table
from ninefold import Ending, Game, NinefoldError, Rules
from ninefold.coach import review
from ninefold.learning import make_puzzle
from ninefold.levels import LEVELS
from ninefold.notation import Record, write_line
from ninefold.theory import (
    Chances,
    Oracle,
    explain,
    nearest_second_player_target,
    who_wins,
)

PROMISED = 2.0
PATIENCE = 20.0
LARGEST = 10**999
MOST_MEMORY = 1_500_000  # kB; what reads without end shall not take the machine along
BANDS_ON_A_MAP = 5_001
SEED = 18

Seconds = dict[str, float]


def _random_set(rng: Random, count: int, digits: int) -> tuple[int, ...]:
    low = 10 ** (digits - 1)
    found: set[int] = set()
    while len(found) < count:
        found.add(rng.randrange(max(low, 2), 10 * low))
    return tuple(sorted(found))


def _crosswise(rng: Random, count: int, factors: int) -> tuple[int, ...]:
    """Multiply some of the first primes with each other, over and over."""
    primes = [n for n in range(2, 300) if all(n % d for d in range(2, n))]
    found: set[int] = set()
    while len(found) < count:
        found.add(prod(rng.sample(primes, factors)))
    return tuple(sorted(found))


_rng = Random(SEED)
GAMES: Mapping[str, tuple[int, ...]] = {
    "2-9": tuple(range(2, 10)),
    "2, 5, 7, 9": (2, 5, 7, 9),
    "2, 5, 6, 8, 9": (2, 5, 6, 8, 9),
    "2, 5, 9": (2, 5, 9),
    "2, 4, 8": (2, 4, 8),
    "2": (2,),
    "2, 3": (2, 3),
    "2, 3, 1009": (2, 3, 1009),
    "2-101": tuple(range(2, 102)),
    "100 of 4 digits": _random_set(_rng, 100, 4),
    "100 of 30 digits": _random_set(_rng, 100, 30),
    "100 of 300 digits": _random_set(_rng, 100, 300),
    "100 of 900 digits": _random_set(_rng, 100, 900),
    "100 crosswise": _crosswise(_rng, 100, 8),
    "20 of any size": tuple(
        sorted(int(2 * 10 ** _rng.uniform(0, 60)) for _ in range(20))
    ),
}
"""The multipliers of the games; all are played to a target of 1,000 digits."""


def longest_game(rules: Rules) -> Game:
    """Play the smallest multiplier that is no winning move until the game is over."""
    oracle = Oracle(rules)
    game = Game.start(rules)
    while game.outcome is None:
        oracle.accept(game.total)
        winning: tuple[int, ...] = ()
        with suppress(NinefoldError):
            winning = oracle.winning_moves(game.total)
        slips = (m for m in rules.multipliers if m not in winning)
        game = game.play(next(slips, rules.multipliers[0]))
    return game


def questions(rules: Rules) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield what can be asked of a game; what ``solve`` asks shares an oracle."""
    game = Game.start(rules)
    oracle = Oracle(rules)
    yield "explain", partial(explain, game, oracle)
    yield "chain", lambda: list(explain(game, oracle).chain(oracle))
    yield "chances", partial(Chances(oracle).at, rules.start)
    yield "bands", lambda: list(islice(Oracle(rules).lost_bands(), BANDS_ON_A_MAP))
    yield "table", partial(who_wins, rules, rules.start + 1, rules.target)
    yield "nearest", partial(nearest_second_player_target, rules)
    player = LEVELS["perfect"].player(Random(SEED))
    yield "choose", partial(player.choose, game)
    yield "puzzles", partial(make_puzzle, Random(SEED), 1, rules=rules)
    played = longest_game(rules)
    yield "review", partial(review, played)
    room = rules.target // prod(rules.multipliers[:10]) or 1
    yield "position", partial(Oracle(rules).check, 2**3000 % room + 1)


SOLVE = ("explain", "chain", "chances")


def seconds_of(rules: Rules) -> Seconds:
    """Ask everything of a game once; a refusal is an answer too.

    The seconds are this process's own, so that no other program counts.
    """
    taken: Seconds = {}
    for name, question in questions(rules):
        begun = process_time()
        with suppress(NinefoldError):
            question()
        taken[name] = process_time() - begun
    taken["solve"] = sum(taken[name] for name in SOLVE)
    return taken


def print_seconds(title: str, rows: Mapping[str, Seconds]) -> None:
    """Print the seconds of each question, and the slowest of all."""
    print(title)
    names = list(next(iter(rows.values())))
    print_table(
        ("", *names),
        [
            (game, *(f"{taken[name]:.2f}" for name in names))
            for game, taken in rows.items()
        ],
    )
    game, name = max(
        ((game, name) for game, taken in rows.items() for name in taken),
        key=lambda place: rows[place[0]][place[1]],
    )
    print(f"  slowest: {name} with {game}, {rows[game][name]:.2f} s\n")


def ask_games() -> None:
    """Print the seconds of every question about every game that is known to be slow."""
    for ending in Ending:
        rows = {
            name: seconds_of(Rules(ending, LARGEST, multipliers))
            for name, multipliers in GAMES.items()
        }
        print_seconds(f"Questions, {ending.value} 10^999, seconds", rows)
    smooth = 2**901 * 3**500 * 5**300 * 7**100
    rows = {
        "2-9 to 2^901 3^500 5^300 7^100": seconds_of(Rules(Ending.EXACT, smooth)),
        "2, 3 to 6^1280": seconds_of(Rules(Ending.EXACT, 6**1280, (2, 3))),
        "2-9 to 10^18": seconds_of(Rules(Ending.EXACT, 10**18)),
        "2, 3 to 10^150": seconds_of(Rules(Ending.EXACT, 10**150, (2, 3))),
    }
    print_seconds("Targets that can be made, exact, seconds", rows)


def search(patience: float) -> None:
    """Look for worse games at random, and print the slowest."""
    rng = Random()
    found: dict[str, Seconds] = {}
    end = perf_counter() + patience
    while perf_counter() < end:
        size = rng.choice((1, 2, 3, 4, 5, 6, 8, 12, 20, 40, 100))
        largest = rng.choice((0, 1, 2, 3, 6, 20, 60, 300, 900))
        multipliers = {
            rng.randrange(2, 12 * 10 ** rng.randint(0, largest)) for _ in range(size)
        }
        if rng.random() < 1 / 2:
            multipliers.add(2)
        target = int(10 ** rng.choice((20, 100, 200))) ** rng.choice((1, 3, 4))
        target = min(target * rng.randrange(1, 10**9), LARGEST)
        start = rng.choice((1, 1, 7, 10**6 + 3))
        chosen = tuple(sorted(multipliers))[:100]
        rules = Rules(rng.choice(list(Ending)), target, chosen, start)
        few = ", ".join(str(m) for m in chosen[:6] if m < 10**9)
        name = f"{rules.ending.value}, {len(str(target))} digits, {len(chosen)}: {few}"
        found[name] = seconds_of(rules)
    slowest = sorted(found, key=lambda name: -max(found[name].values()))[:12]
    print_seconds(
        f"The slowest of {len(found)} random games, seconds",
        {name: found[name] for name in slowest},
    )


def commands(folder: Path) -> Iterator[tuple[str, list[str], str]]:
    """Yield commands with their arguments and the file that is their input."""
    options = {
        name: ["--target", str(LARGEST), "--multipliers", ",".join(map(str, chosen))]
        for name, chosen in GAMES.items()
    }
    for name, chosen in options.items():
        for question in (
            ["solve", "multiplier", *chosen],
            ["solve", "multiplier", *chosen, "--full"],
            ["solve", "multiplier", *chosen, "--full", "--json"],
            ["map", "multiplier", *chosen],
            ["table", "multiplier", *chosen, "--targets", f"2-{LARGEST}"],
        ):
            words = [word for word in question if len(word) < 20]
            told = " ".join(words).replace(" --target --multipliers", "")
            yield f"{told}, {name}", question, os.devnull
    for name in ("2", "2, 3", "2-9", "2-101", "2, 5, 7, 9"):
        game = longest_game(Rules(Ending.AVOID, LARGEST, GAMES[name]))
        record = folder / f"{name}.txt"
        record.write_text(write_line(Record(game, "multiplier")), encoding="utf-8")
        about = f"{len(game.moves):,} moves, {name}"
        yield f"review, {about}", ["review", str(record)], os.devnull
        yield f"review --json, {about}", ["review", str(record), "--json"], os.devnull
        yield f"replay, {about}", ["replay", str(record)], os.devnull
    for level in ("1", "5"):
        yield f"puzzle --level {level}", ["puzzle", "--level", level], os.devnull
    yield "review - (endless input)", ["review", "-"], "/dev/zero"
    yield "replay - (endless input)", ["replay", "-"], "/dev/zero"
    yield "play (endless input)", ["play", "madness"], "/dev/zero"
    yield "import - (endless input)", ["import", "-"], "/dev/zero"
    deep = folder / "deep.toml"
    deep.write_text(".".join(["a"] * 40_000) + " = 1\n", encoding="utf-8")
    yield "play (a TOML key of 40,000 parts)", ["play", str(deep)], os.devnull
    for command in ("play", "review", "import"):
        yield f"{command} (a file without an end)", [command, "/dev/zero"], os.devnull


def run(arguments: list[str], source: str, home: Path) -> tuple[float, str]:
    """Run a command; return its seconds and how it ended."""
    program = [sys.executable, "-m", "ninefold", *arguments]
    limited = f'ulimit -v {MOST_MEMORY}; exec "$@"'
    with Path(source).open("rb") as entries:
        begun = perf_counter()
        try:
            done = subprocess.run(
                ["/bin/sh", "-c", limited, "sh", *program],
                stdin=entries,
                capture_output=True,
                timeout=PATIENCE,
                check=False,
                env={**os.environ, "NINEFOLD_HOME": str(home)},
            )
        except subprocess.TimeoutExpired:
            return PATIENCE, "does not end"
        taken = perf_counter() - begun
    said = done.stderr.decode(errors="replace").strip().splitlines()
    ended = "answered" if done.returncode == 0 else f"code {done.returncode}"
    if b"Traceback" in done.stderr:
        ended = "TRACEBACK"
    return taken, f"{ended}: {said[-1][:60]}" if said else ended


def run_commands() -> None:
    """Print the seconds of every command."""
    rows = []
    with TemporaryDirectory() as name:
        folder = Path(name)
        for told, arguments, source in commands(folder):
            taken, ended = run(arguments, source, folder / "home")
            late = "" if taken <= PROMISED else "LATE"
            rows.append((f"{told} -> {ended}", f"{taken:.2f}", late))
    print("Commands, seconds")
    print_table(("", "seconds", ""), rows)


def main() -> None:
    """Ask the known worst, or look for worse."""
    parser = ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--search", type=float, metavar="SECONDS", help="look for worse games instead"
    )
    parser.add_argument(
        "--only", choices=("questions", "commands"), help="leave the others out"
    )
    options = parser.parse_args()
    if options.search is not None:
        search(options.search)
        return
    if options.only != "commands":
        ask_games()
    if options.only != "questions":
        run_commands()


if __name__ == "__main__":
    main()
