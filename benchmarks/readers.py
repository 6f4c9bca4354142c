"""How far one explanation carries over: a literal reader is asked elsewhere.

Run it with ``python -m benchmarks.readers``. A reader (``tests/theory/reader.py``) is
given the explanation of one position and asked at every other position that is won
but where the rules alone do not settle the choice. The tables give the share of
winning moves among those that the reader cannot tell apart; then the same for readers
who err; then how often a reader who has read the first explanation wins the whole
game against best defence. The seeds are fixed, so the same code measures the same.

"Before" is the wording that explanations had at first: they named the one total that
is left, and the band that comes next ("×5 leaves 5. Any answer makes 10 to 45, and
from each of those you can hand over 56 to 111 again"). A small copy of it is kept
here.

The program fails if a promised figure is not kept. It measures whether the sentences
contain enough, not whether a child learns from them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from statistics import mean, median

from benchmarks.timing import Promise, print_promises, print_table
from ninefold import Ending, Oracle, Rules, explain
from ninefold.rulebooks import KEYS, load
from ninefold.theory import Lost, Position, Won
from tests.theory.reader import (
    READERS,
    Board,
    Reader,
    generality,
    is_right_where_it_speaks,
    lost_bands,
    playing_out,
)

SEED = 9
TARGETS = 200
READ_AT = 10
"""At so many positions of a random game an explanation is read."""
LEAST, MOST = 20, 100_000
GAPPED = ((2, 5, 9), (2, 3, 7), (3, 4), (2, 9), (2, 5, 7, 9))
PROMISED = 0.95
MOST_WORDS, MIDDLE = 20, 12
Read = Mapping[int, Sequence[range]]


class Measured:
    """One game: its explanations as they are read, now and before."""

    def __init__(self, rules: Rules, some: Random | None = None) -> None:
        """Read the explanations of all undecided positions, or some; and the first."""
        self.board = Board(rules)
        oracle = Oracle(rules)
        positions = list(self.board.undecided)
        if some is not None:
            positions = some.sample(positions, min(READ_AT, len(positions)))
        reasons = {at: explain(Position(rules, at), oracle) for at in positions}
        first = explain(Position(rules, rules.start), oracle)
        self.texts = [reason.short for reason in reasons.values()]
        self.now = {at: lost_bands(reason.short) for at, reason in reasons.items()}
        self.before = {
            at: list(_before(reason))
            for at, reason in reasons.items()
            if isinstance(reason, Won)
        }
        self.first = lost_bands(first.short)
        self.first_before = (
            [] if not isinstance(first, Won | Lost) else list(_before(first))
        )

    def share(self, read: Read, kind: type[Reader] = Reader) -> float | None:
        """Return the share of winning moves at other positions."""
        return generality(self.board, kind, read)

    def rules_only(self) -> float | None:
        """Return the same for a reader who has read nothing."""
        return self.share(dict.fromkeys(self.now, ()))

    def is_precise(self) -> bool:
        """Whether no explanation recommends a move that loses, at any position."""
        different = {str(bands): bands for bands in (self.first, *self.now.values())}
        return all(
            is_right_where_it_speaks(self.board, Reader(bands))
            for bands in different.values()
        )


def _before(reason: Won | Lost) -> Iterator[range]:
    """Yield the totals that the first wording told a reader to leave."""
    if isinstance(reason, Won):
        yield range(reason.leaves, reason.leaves + 1)
    rung = reason.rung
    if rung is None or rung.busts or len(rung.groups()) != 1:
        return
    lands = rung.groups()[0].lands
    if lands is not None:
        yield range(lands.lowest, min(lands.highest, reason.rules.target - 1) + 1)


def _random_games() -> Iterator[Measured]:
    rng = Random(SEED)
    for _ in range(TARGETS):
        # As many between 20 and 200 as between 2,000 and 20,000.
        target = round(LEAST * (MOST / LEAST) ** rng.random())
        yield Measured(Rules(rng.choice(list(Ending)), target), rng)


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"


def _average(shares: Iterable[float | None]) -> float:
    return mean(share for share in shares if share is not None)


def _rows(groups: Mapping[str, Sequence[Measured]]) -> Iterator[Sequence[str]]:
    for name, games in groups.items():
        yield (
            name,
            _percent(_average(game.rules_only() for game in games)),
            _percent(_average(game.share(game.before) for game in games)),
            _percent(_average(game.share(game.now) for game in games)),
            "yes" if all(game.is_precise() for game in games) else "NO",
        )


def _reader_rows(groups: Mapping[str, Sequence[Measured]]) -> Iterator[Sequence[str]]:
    for name, games in groups.items():
        yield (
            name,
            *(
                _percent(_average(game.share(game.now, kind) for game in games))
                for kind in READERS
            ),
        )


def _played_out(games: Sequence[Measured]) -> Iterator[str]:
    yield _percent(mean(playing_out(game.board, Reader([])) for game in games))
    before = [(game.board, Reader(game.first_before)) for game in games]
    yield _percent(mean(playing_out(board, reader) for board, reader in before))
    for kind in READERS:
        yield _percent(
            mean(playing_out(game.board, kind(game.first)) for game in games)
        )


def _lengths(games: Iterable[Measured]) -> list[int]:
    texts = [text for game in games for text in game.texts]
    return [len(sentence.split()) for text in texts for sentence in text.split(". ")]


def main() -> int:
    """Measure, print the tables, and say whether the promises were kept."""
    books = [load(key) for key in KEYS]
    groups = {book.title: [Measured(book.rules)] for book in books}
    random = groups[f"{TARGETS} random targets"] = list(_random_games())
    for multipliers in GAPPED:
        name = f"gaps: {', '.join(map(str, multipliers))}"
        groups[name] = [Measured(Rules(each, 1000, multipliers)) for each in Ending]
    print("Winning moves found at other undecided positions after one explanation")
    header = ("", "rules only", "before", "now", "never wrong")
    print_table(header, _rows(groups))
    print("The same, by readers who err")
    print_table(("", *(kind.name for kind in READERS)), _reader_rows(groups))
    print("Games won against best defence after the first explanation")
    print_table(
        ("", "rules only", "before", *(kind.name for kind in READERS)),
        [(name, *_played_out(games)) for name, games in groups.items()],
    )
    return _judge([groups[book.title][0] for book in books], random)


def _judge(books: Sequence[Measured], random: Sequence[Measured]) -> int:
    shares = [_average([book.share(book.now)]) for book in books]
    average = _average(game.share(game.now) for game in random)
    games = [*books, *random]
    wins = min(playing_out(game.board, Reader(game.first)) for game in games)
    lengths = _lengths(books)
    words = f"{max(lengths)}, median {median(lengths):g}"
    promised = f"at least {PROMISED:.0%}"
    right = all(game.is_precise() for game in games)
    short = max(lengths) <= MOST_WORDS and median(lengths) <= MIDDLE
    worst = min(shares)
    promises = [
        Promise("the worst book", _percent(worst), promised, kept=worst >= PROMISED),
        Promise(
            "random targets", _percent(average), promised, kept=average >= PROMISED
        ),
        Promise("precision", "100%" if right else "less", "100%", kept=right),
        Promise("play-out, the worst game", _percent(wins), "100%", kept=wins == 1),
        Promise("words", words, f"{MOST_WORDS}, median {MIDDLE}", kept=short),
    ]
    print_promises(promises)
    return 0 if all(promise.kept for promise in promises) else 1


if __name__ == "__main__":
    sys.exit(main())
