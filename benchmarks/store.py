"""How the store grows: each task at 1,000, 10,000 and 100,000 stored games.

``python -m benchmarks.store [GAMES ...]`` fills a store in a folder of its own and
times each task once. A history page and a count are to take at most 0.3 s at 100,000
games, and the statistics at most 5 s. Imports and exports are to grow linearly.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import count
from pathlib import Path
from random import Random
from time import perf_counter

from benchmarks.timing import duration, print_promises, print_table, within
from ninefold.game import Seat
from ninefold.levels import HUMAN, LEVELS
from ninefold.match import Length
from ninefold.rulebooks import KEYS, load
from ninefold.rules import Ending, Rules
from ninefold.session import Command, Move, Session, Setup
from ninefold.store import Store, export_lines, import_lines, values
from ninefold.store.sqlite import SqliteStore
from ninefold.theory import Oracle

SIZES = (1_000, 10_000, 100_000)
HISTORY_PROMISE = 0.3
STATISTICS_PROMISE = 5.0
START = datetime(2026, 1, 1, tzinfo=UTC)
GAMES_A_MATCH = 4
DISTINCT_MATCHES = 200
MOVES_APPENDED = 200


def play_match(seed: int) -> tuple[Setup, tuple[Command, ...]]:
    """Play a match of some games between a person and a level, at random."""
    rng = Random(seed)
    key = rng.choice(KEYS)
    setup = Setup(
        rules=load(key).rules,
        book=key,
        length=Length.games(GAMES_A_MATCH),
        names=("Ada", "Computer"),
        levels=(None, rng.choice([*LEVELS])),
        seed=seed,
    )
    session, log = Session.start(setup), []
    while not session.match.is_over:
        command: Command
        if session.to_move is None:
            command = session.next_game()
        else:
            command = Move(rng.choice(setup.rules.multipliers))
        session, _ = session.apply_unchecked(command)
        log.append(command)
    return setup, tuple(log)


def matches(games: int) -> Iterator[values.StoredMatch]:
    """Make matches with so many games in all."""
    played = [play_match(seed) for seed in range(DISTINCT_MATCHES)]
    for number in range(games // GAMES_A_MATCH):
        setup, commands = played[number % DISTINCT_MATCHES]
        begun_at = START + timedelta(minutes=number)
        log = tuple(
            values.LoggedCommand(command, begun_at + timedelta(seconds=n))
            for n, command in enumerate(commands, start=1)
        )
        yield values.StoredMatch(f"match-{number}", setup, log, begun_at, begun_at)


def open_store(folder: Path) -> Store:
    """Open a store with ids that are counted."""
    numbers = count(1)
    return SqliteStore(
        folder,
        clock=lambda: datetime.now(UTC),
        new_id=lambda: f"new-{next(numbers)}",
    )


def append_moves(store: Store) -> None:
    """Play a long game, each move on disk before the next."""
    setup = Setup(rules=Rules(Ending.AVOID, 10**999), book="multiplier")
    match_id = store.new_id()
    start = Session.start(setup)
    store.append(values.Append(match_id, (), start))
    for accepted in values.accept_all(start, [Move(2)] * MOVES_APPENDED):
        store.append(values.Append(match_id, (accepted,)))


def statistics(store: Store) -> int:
    """Judge every move of the finished games by one oracle for each set of rules."""
    oracle_for = cache(Oracle)
    found = 0
    for row in store.finished_against_levels():
        game = row.game
        oracle = oracle_for(game.rules)
        person = Seat.ONE if row.levels[0] is None else Seat.TWO
        total = game.rules.start
        for number, multiplier in enumerate(game.moves):
            mover = game.first if number % 2 == 0 else game.first.other
            if mover is person and oracle.wins(total):
                found += multiplier in oracle.winning_moves(total)
            total = game.rules.after(total, multiplier)
        found += row.result_of(person) is values.Result.WON
    return found


def tasks(folder: Path, games: int) -> Iterator[tuple[str, int, Callable[[], object]]]:
    """Return each task, by name, with how many times it does its work."""
    store = open_store(folder / "filled")
    lines: list[str] = []
    rare = values.Filter(player="nobody")
    usual = values.Filter(player=HUMAN, result=values.Result.WON)

    def export() -> None:
        lines.extend(export_lines(store))

    def import_all() -> None:
        with open_store(folder / "imported") as other:
            import_lines(other, lines)

    yield "import values", games, lambda: store.import_entries(matches(games))
    yield "append a move", MOVES_APPENDED, lambda: append_moves(store)
    yield "history, first page", 1, lambda: store.history(limit=20)
    yield "history, last page", 1, lambda: store.history(limit=20, offset=games - 20)
    yield "history of a person's wins", 1, lambda: store.history(usual, limit=20)
    yield "history of nobody", 1, lambda: store.history(rare, limit=20)
    yield "count", 1, store.count
    yield "count a person's wins", 1, lambda: store.count(usual)
    yield "unfinished", 1, lambda: store.unfinished(limit=20)
    yield "statistics", 1, lambda: statistics(store)
    yield "export", games, export
    yield "import", games, import_all
    yield "import what is known", games, import_all
    yield "close", 1, store.close


def measure(games: int) -> dict[str, tuple[float, int]]:
    """Time each task with so many games stored."""
    measured = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, times, task in tasks(Path(folder), games):
            start = perf_counter()
            task()
            measured[name] = perf_counter() - start, times
    return measured


def main() -> None:
    """Print the growth, and whether the promises are kept at the largest size."""
    sizes = tuple(map(int, sys.argv[1:])) or SIZES
    found = {games: measure(games) for games in sizes}
    largest = found[sizes[-1]]
    rows = []
    for name, (seconds, parts) in largest.items():
        grown = [found[games][name][0] for games in sizes]
        each = duration(seconds / parts) if parts > 1 else ""
        rows.append((name, *map(duration, grown), each))
    print_table(("games stored", *(f"{games:,}" for games in sizes), "each"), rows)
    promises = [
        within(name, seconds, HISTORY_PROMISE)
        for name, (seconds, _) in largest.items()
        if name.startswith(("history", "count"))
    ]
    seconds, _ = largest["statistics"]
    print_promises([*promises, within("statistics", seconds, STATISTICS_PROMISE)])


if __name__ == "__main__":
    main()
