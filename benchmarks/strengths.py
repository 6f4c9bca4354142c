"""How strong the levels are: each against each other in all five games, both seats.

Run it with ``python -m benchmarks.strengths``. It writes the exact chances into
``docs/levels.md``, between two marks, and fails if a level is not clearly stronger
than the one below it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise
from pathlib import Path
from random import Random

from benchmarks.timing import print_table
from ninefold.levels import LEVELS
from ninefold.matchups import Matchups
from ninefold.rulebooks import KEYS, load

PROMISED = 0.6
PAGE = Path(__file__).parent.parent / "docs" / "levels.md"
BEGIN, END = "<!-- computed: begin -->", "<!-- computed: end -->"
NEIGHBOURS = [(stronger, weaker) for weaker, stronger in pairwise(LEVELS)]


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two levels at one of the games; the chance of the stronger one is meant."""

    stronger: str
    weaker: str
    book: str
    stronger_begins: bool


Chances = Mapping[Pairing, Fraction]


def compute() -> Chances:
    """Return the chance of the stronger level in every pairing."""
    chances = {}
    for book in KEYS:
        game = Matchups(load(book).rules)
        players = {name: level.player(Random(1)) for name, level in LEVELS.items()}
        for weaker, stronger in combinations(LEVELS, 2):
            one, two = players[stronger], players[weaker]
            begins = Pairing(stronger, weaker, book, stronger_begins=True)
            is_second = Pairing(stronger, weaker, book, stronger_begins=False)
            chances[begins] = game.matchup(one, two)
            chances[is_second] = 1 - game.matchup(two, one)
    return chances


def mean(chances: Chances, pair: tuple[str, str], **wanted: object) -> Fraction:
    """Return the chance of one level against another in all pairings that fit."""
    fitting = [
        chance
        for pairing, chance in chances.items()
        if (pairing.stronger, pairing.weaker) == pair
        and all(getattr(pairing, field) == value for field, value in wanted.items())
    ]
    return sum(fitting, Fraction()) / len(fitting)


def tables(chances: Chances) -> str:
    """Write the chances as they stand in the page."""

    def row(name: str, **wanted: object) -> list[str]:
        return [
            name,
            *(per_cent(mean(chances, pair, **wanted)) for pair in NEIGHBOURS),
        ]

    names = list(LEVELS)
    everyone = [
        [
            stronger,
            *(per_cent(mean(chances, (stronger, weaker))) for weaker in names[:above]),
            *[""] * (len(names) - 1 - above),
        ]
        for above, stronger in enumerate(names)
        if above
    ]
    lines = [
        *markdown(
            ["", *(f"{stronger} beats {weaker}" for stronger, weaker in NEIGHBOURS)],
            [
                *(row(load(book).title, book=book) for book in KEYS),
                row("when it begins", stronger_begins=True),
                row("when it is second", stronger_begins=False),
                row("**all games**"),
            ],
        ),
        "",
        "Everyone against everyone, all games together: how often the level that names",
        "the row beats the level that names the column.",
        "",
        *markdown(["", *names[:-1]], everyone),
    ]
    return "\n".join(lines)


def per_cent(chance: Fraction) -> str:
    """Write a chance.

    >>> per_cent(Fraction(2, 3))
    '66.7 %'
    """
    return f"{float(chance) * 100:.1f} %"


def markdown(header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return the lines of a table in Markdown."""
    rule = ["---", *("---:" for _ in header[1:])]
    return [f"| {' | '.join(cells)} |" for cells in (header, rule, *rows)]


def put_into(page: str, computed: str) -> str:
    r"""Return a page with what was computed between its two marks.

    >>> put_into(f"a\n{BEGIN}\nold\n{END}\nb\n", "new")
    'a\n<!-- computed: begin -->\nnew\n<!-- computed: end -->\nb\n'
    """
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        message = f"the page needs two lines, {BEGIN} and {END}; put them in"
        raise SystemExit(message)
    return f"{before}{BEGIN}\n{computed}\n{END}{after}"


def main() -> None:
    """Write the page, and fail if a level is not stronger than the last."""
    chances = compute()
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(put_into(page, tables(chances)), encoding="utf-8")
    steps = {pair: mean(chances, pair) for pair in NEIGHBOURS}
    print("Each level against the one below, all games, both seats")
    print_table(
        ("", "wins", "promised", ""),
        [
            (
                f"{stronger} beats {weaker}",
                per_cent(chance),
                f"at least {PROMISED:.0%}",
                "kept" if chance >= PROMISED else "NOT kept",
            )
            for (stronger, weaker), chance in steps.items()
        ],
    )
    if min(steps.values()) < PROMISED:
        sys.exit(1)


if __name__ == "__main__":
    main()
