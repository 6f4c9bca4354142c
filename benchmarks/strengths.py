"""How strong the levels are: each plays each other in all five games, from both seats.

Run it with ``python -m benchmarks.strengths``. It writes what it measured into
``docs/levels.md``, between two marks, and fails if a level is not clearly stronger
than the one below it. The seed is fixed, so the same code measures the same table, on
any number of cores.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import sqrt
from pathlib import Path
from random import Random

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

from benchmarks.timing import print_table
from ninefold import Game, Seat
from ninefold.players import LEVELS
from ninefold.rulebooks import KEYS, load

SEED = 18
GAMES = 10_000
GAMES_AT_ONCE = 500
PROMISED = 0.6
PAGE = Path(__file__).parent.parent / "docs" / "levels.md"
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
_Z = 1.959964  # 95 % of a normal distribution lies within so many deviations


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two levels at one of the games; the stronger one is asked about."""

    stronger: str
    weaker: str
    book: str
    stronger_begins: bool


@dataclass(frozen=True, slots=True)
class Score:
    """So many games were won out of so many."""

    won: int
    played: int

    @property
    def share(self) -> float:
        """The part that was won."""
        return self.won / self.played

    def interval(self) -> tuple[float, float]:
        """Return what the share may be in the long run, with 95 % confidence.

        This is the interval of Wilson, which holds for shares near 0 and 1 as well.

        >>> [round(end, 3) for end in Score(81, 263).interval()]
        [0.255, 0.366]
        >>> [round(end, 3) for end in Score(10, 10).interval()]
        [0.722, 1.0]
        """
        share, games = self.share, self.played
        middle = share + _Z**2 / (2 * games)
        spread = _Z * sqrt(share * (1 - share) / games + _Z**2 / (4 * games**2))
        scale = 1 + _Z**2 / games
        return (middle - spread) / scale, (middle + spread) / scale

    def __str__(self) -> str:
        """Write the share and its interval in per cent.

        >>> print(Score(81, 263))
        30.8 % (25.5 to 36.6)
        """
        low, high = self.interval()
        return f"{self.share:.1%} ({low * 100:.1f} to {high * 100:.1f})".replace(
            "% ", " % "
        )


def play_some(pairing: Pairing, part: int, games: int) -> int:
    """Play some games of a pairing, and count those that the stronger level wins."""
    name = f"{SEED} {pairing} {part}"
    rules = load(pairing.book).rules
    stronger = LEVELS[pairing.stronger].player(Random(f"{name} stronger"))
    weaker = LEVELS[pairing.weaker].player(Random(f"{name} weaker"))
    mine = Seat.ONE if pairing.stronger_begins else Seat.TWO
    won = 0
    for _ in range(games):
        game = Game.start(rules)
        while game.outcome is None:
            player = stronger if game.to_move is mine else weaker
            game = game.play(player.choose(game))
        won += game.outcome.winner is mine
    return won


def measure(games: int) -> dict[Pairing, Score]:
    """Play everything, on all cores, and show how far it is."""
    pairings = [
        Pairing(stronger, weaker, book, begins)
        for weaker, stronger in combinations(LEVELS, 2)
        for book in KEYS
        for begins in (True, False)
    ]
    won: Counter[Pairing] = Counter()
    columns = (
        "[progress.description]{task.description}",
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    each = games // 2
    with (
        Progress(*columns, console=Console(stderr=True)) as progress,
        ProcessPoolExecutor() as pool,
    ):
        task = progress.add_task("games", total=each * len(pairings))
        parts = {
            pool.submit(play_some, pairing, first, count): (pairing, count)
            for pairing in pairings
            for first in range(0, each, GAMES_AT_ONCE)
            for count in (min(GAMES_AT_ONCE, each - first),)
        }
        for part in as_completed(parts):
            pairing, count = parts[part]
            won[pairing] += part.result()
            progress.advance(task, count)
    return {pairing: Score(won[pairing], each) for pairing in pairings}


def together(scores: Iterable[Score]) -> Score:
    """Add scores up.

    >>> together([Score(1, 2), Score(3, 4)])
    Score(won=4, played=6)
    """
    listed = list(scores)
    return Score(sum(s.won for s in listed), sum(s.played for s in listed))


def overall(scores: dict[Pairing, Score], stronger: str, weaker: str) -> Score:
    """Return how one level does against another in all games, from both seats."""
    return together(
        score
        for pairing, score in scores.items()
        if (pairing.stronger, pairing.weaker) == (stronger, weaker)
    )


def tables(scores: dict[Pairing, Score]) -> str:
    """Write what was measured, as it stands in the page."""
    neighbours = list(pairwise(LEVELS))
    steps = [f"{stronger} beats {weaker}" for weaker, stronger in neighbours]

    def row(name: str, **wanted: object) -> list[str]:
        cells = [name]
        for weaker, stronger in neighbours:
            fitting = (
                score
                for pairing, score in scores.items()
                if (pairing.stronger, pairing.weaker) == (stronger, weaker)
                and all(getattr(pairing, field) == x for field, x in wanted.items())
            )
            cells.append(str(together(fitting)))
        return cells

    by_game = [row(load(book).title, book=book) for book in KEYS]
    by_seat = [
        row("when it begins", stronger_begins=True),
        row("when it is second", stronger_begins=False),
    ]
    each = together(scores.values()).played * 2 // len(scores)
    everyone = [
        [
            f"{stronger}",
            *(
                f"{overall(scores, stronger, weaker).share:.1%}".replace("%", " %")
                if position < above
                else ""
                for position, weaker in enumerate(list(LEVELS)[:-1])
            ),
        ]
        for above, stronger in enumerate(LEVELS)
        if above
    ]
    lines = [
        f"Each pair of levels played {each:,} games of each kind, half from each seat.",
        "Behind each share stands its 95 % confidence interval (Wilson).",
        "",
        *_markdown(["", *steps], [*by_game, *by_seat, row("**all games**")]),
        "",
        "Everyone against everyone, all games together: how often the level that names",
        "the row beats the level that names the column.",
        "",
        *_markdown(["", *list(LEVELS)[:-1]], everyone),
    ]
    return "\n".join(lines)


def _markdown(header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    rule = ["---", *("---:" for _ in header[1:])]
    return [f"| {' | '.join(cells)} |" for cells in (header, rule, *rows)]


def put_into(page: str, measured: str) -> str:
    r"""Return a page with what was measured between its two marks.

    >>> put_into(f"a\n{BEGIN}\nold\n{END}\nb\n", "new")
    'a\n<!-- measured: begin -->\nnew\n<!-- measured: end -->\nb\n'
    """
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        message = f"the page needs two lines, {BEGIN} and {END}; put them in"
        raise SystemExit(message)
    return f"{before}{BEGIN}\n{measured}\n{END}{after}"


def main() -> None:
    """Measure, write the page, and fail if a level is not stronger than the last."""
    parser = ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--games", type=int, default=GAMES, help="for each pair and game (%(default)s)"
    )
    parser.add_argument(
        "--keep", action="store_true", help="leave docs/levels.md as it is"
    )
    options = parser.parse_args()
    if options.games < 2:
        parser.error("--games must be 2 or more, so that both seats are played")
    scores = measure(options.games)
    if not options.keep:
        page = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(put_into(page, tables(scores)), encoding="utf-8")
    steps = {
        f"{stronger} beats {weaker}": overall(scores, stronger, weaker)
        for weaker, stronger in pairwise(LEVELS)
    }
    print("Each level against the one below, all games, both seats")
    print_table(
        ("", "won", "promised", ""),
        [
            (
                name,
                str(score),
                f"at least {PROMISED:.0%}",
                "kept" if score.share >= PROMISED else "NOT kept",
            )
            for name, score in steps.items()
        ],
    )
    if any(score.share < PROMISED for score in steps.values()):
        sys.exit(1)


if __name__ == "__main__":
    main()
