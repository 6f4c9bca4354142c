"""Puzzles: positions at which exactly one multiplier wins.

A puzzle's *level* is how far ahead one must see: the number of moves that the solver
makes until the game is won, if the other player holds out as long as possible. At
level 1 the move itself decides, at level 2 one more must be found after it, and so on;
level 5 is five or more.

A puzzle is a game played up to its position. So it is kept as the one line that a game
is kept as, and that line is the same whenever the position comes up again.
"""

from __future__ import annotations

from heapq import heappop, heappush

from ninefold.coach.refutation import Refutation, refute
from ninefold.errors import PuzzleError, TooLarge
from ninefold.game import Game
from ninefold.numerals import shorten, write_set
from ninefold.record import Record, read_line, write_line
from ninefold.rulebooks import KEYS, load
from ninefold.rules import Rules
from ninefold.theory import Oracle, Won, explain
from ninefold.values import Value, hold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random

    from ninefold.rulebooks import Rulebook

PUZZLE_LEVELS = range(1, 6)
"""The levels that there are."""
MOST_POSITIONS = 20_000
"""How many positions are looked through; with 2-9 that is enough up to 10^12."""

_FEWER_MULTIPLIERS = ((2, 3, 4, 5), (2, 3, 5, 7), (2, 3, 4))
"""Fewer make a game longer, so that far-sighted puzzles need no huge numbers; two
would leave no more to solve than a coin can."""
_LARGEST_TARGETS = {1: 1_000, 2: 1_000, 3: 10_000, 4: 100_000, 5: 1_000_000}
"""How far a variant's target may be from its start: near puzzles have small numbers."""


class Puzzle(Value):
    """A position at which one multiplier wins, and why it does.

    ``book`` is the key of the rule book it is played by, or empty.
    """

    __slots__ = __match_args__ = ("game", "book", "why")
    game: Game
    book: str
    why: Won

    def __init__(self, game: Game, book: str, why: Won) -> None:
        """Take a game up to the position; ``puzzle_at`` checks that it is a puzzle."""
        hold(self, "game", game)
        hold(self, "book", book)
        hold(self, "why", why)

    @property
    def key(self) -> str:
        """The puzzle in one line, which ``read_puzzle`` reads."""
        return write_line(Record(self.game, self.book))

    @property
    def answer(self) -> int:
        """The multiplier that wins."""
        return self.why.move

    @property
    def level(self) -> int:
        """How far ahead one must see, from 1 to 5."""
        if self.why.distance is None:
            return PUZZLE_LEVELS[-1]
        return _level_of(self.why.distance)

    @property
    def question(self) -> str:
        """What is asked, in words."""
        total, rules = shorten(self.game.total), self.game.rules
        choices = write_set(rules.multipliers)
        asked = f"Exactly one of {choices} wins."
        return f"The total is {total}, and it is your turn. {asked}"


class Attempt(Value):
    """An answer to a puzzle; if it is wrong, ``refutation`` says what comes of it."""

    __slots__ = __match_args__ = ("puzzle", "multiplier", "refutation")
    puzzle: Puzzle
    multiplier: int
    refutation: Refutation | None

    def __init__(
        self, puzzle: Puzzle, multiplier: int, refutation: Refutation | None
    ) -> None:
        """Take the answer and what is wrong with it, if anything is."""
        hold(self, "puzzle", puzzle)
        hold(self, "multiplier", multiplier)
        hold(self, "refutation", refutation)

    @property
    def right(self) -> bool:
        """Whether this is the multiplier that wins."""
        return self.refutation is None

    @property
    def comment(self) -> str:
        """Why it is right; or why it is wrong, without telling what is right."""
        if self.refutation is None:
            return f"Right. {self.puzzle.why.short}"
        return f"Not that one. {self.refutation.short}"


def check(puzzle: Puzzle, multiplier: int) -> Attempt:
    """Say whether an answer is right, and why or why not.

    >>> puzzle = read_puzzle("nf1.multiplier.avoid1000.3x9")
    >>> puzzle.question
    'The total is 27, and it is your turn. Exactly one of 2-9 wins.'
    >>> print(check(puzzle, 3).comment)
    Not that one. ×3 makes 81, and from there the other player can hand over 648 with \
×8: whoever faces 500 to 999 loses.
    >>> check(puzzle, 2).right
    True
    """
    oracle = Oracle(puzzle.game.rules)
    refutation = refute(oracle, puzzle.game.total, multiplier)
    return Attempt(puzzle, multiplier, refutation)


def puzzle_at(game: Game, book: str = "", oracle: Oracle | None = None) -> Puzzle:
    """Make the position of a game a puzzle, or refuse one that is none."""
    why = explain(game, oracle)
    alone = len(game.rules.multipliers) == 1
    if not isinstance(why, Won) or len(why.moves) != 1 or alone:
        message = (
            f"{shorten(game.total)} is no puzzle: not exactly one of several"
            " multipliers wins there; choose another position"
        )
        raise PuzzleError(message)
    return Puzzle(game, book, why)


def read_puzzle(key: str) -> Puzzle:
    """Read a puzzle that was kept by its key.

    >>> read_puzzle("nf1.multiplier.avoid1000.3x9").answer
    2
    >>> read_puzzle("nf1.multiplier.avoid1000")
    Traceback (most recent call last):
    ninefold.errors.PuzzleError: 1 is no puzzle: not exactly one of several \
multipliers wins there; choose another position
    """
    record = read_line(key)
    return puzzle_at(record.game, record.book)


def make_puzzle(
    rng: Random, level: int, book: Rulebook | None = None, rules: Rules | None = None
) -> Puzzle:
    """Make a puzzle of a level, by these rules if any are given.

    Without rules it is by those of the rule book or by a variant of them, with another
    target or fewer multipliers; without a rule book it is by any of the five. The same
    chance gives the same puzzle.

    >>> from random import Random
    >>> puzzle = make_puzzle(Random(7), level=3)
    >>> puzzle.level, len(puzzle.why.moves)
    (3, 1)
    >>> from ninefold import Ending, Rules
    >>> make_puzzle(Random(1), 5, rules=Rules(Ending.REACH, 100))
    Traceback (most recent call last):
    ninefold.errors.PuzzleError: no puzzle is of level 5 at target 100 with 2-9; \
choose level 1 or 2
    """
    _check_level(level)
    if rules is not None:
        found = _puzzles(rules).get(level)
        if not found:
            raise PuzzleError(_none_of(level, rules))
        return _made(rng, rules, found, "" if book is None else book.key)
    if book is None:
        book = load(rng.choice(KEYS))
    pool = [book.rules, *_variants(book.rules, _LARGEST_TARGETS[level])]
    for variant in rng.sample(pool, len(pool)):
        found = _puzzles(variant).get(level)
        if found:
            return _made(rng, variant, found, book.key)
    message = (
        f"no variant of {book.title} has a puzzle of level {level};"
        " choose another level"
    )
    raise PuzzleError(message)


def levels_of(rules: Rules) -> tuple[int, ...]:
    """Return the levels at which these rules have puzzles, ascending.

    >>> from ninefold import Ending, Rules
    >>> levels_of(Rules(Ending.REACH, 1000))
    (1, 2, 3)
    """
    return tuple(sorted(_puzzles(rules)))


def _made(
    rng: Random, rules: Rules, found: Sequence[tuple[int, ...]], book: str
) -> Puzzle:
    return puzzle_at(Game(rules, rng.choice(found)), book)


def _check_level(level: int) -> None:
    if level not in PUZZLE_LEVELS:
        low, high = PUZZLE_LEVELS[0], PUZZLE_LEVELS[-1]
        message = f"a puzzle's level is {low} to {high}; choose one of those"
        raise PuzzleError(message)


def _none_of(level: int, rules: Rules) -> str:
    target, choices = shorten(rules.target), write_set(rules.multipliers)
    there = f"at target {target} with {choices}"
    levels = levels_of(rules)
    if not levels:
        return f"there are no puzzles {there}; choose another target or multipliers"
    *others, last = map(str, levels)
    choice = f"{', '.join(others)} or {last}" if others else last
    return f"no puzzle is of level {level} {there}; choose level {choice}"


def _variants(rules: Rules, largest: int) -> Iterator[Rules]:
    """Yield the same game with round targets, and with fewer multipliers."""
    fewer = [few for few in _FEWER_MULTIPLIERS if set(few) < set(rules.multipliers)]
    for multipliers in (rules.multipliers, *fewer):
        size = 10
        while size <= largest:
            for leading in range(1, 10):
                if 10 < leading * size <= largest:  # noqa: PLR2004 - too near to be any fun
                    target = rules.start * leading * size
                    yield Rules(rules.ending, target, multipliers, rules.start)
            size *= 10


def _puzzles(rules: Rules) -> dict[int, list[tuple[int, ...]]]:
    """Return the puzzles of a game by level, each as the moves that lead to it."""
    found: dict[int, list[tuple[int, ...]]] = {}
    if len(rules.multipliers) == 1:
        return found
    oracle = Oracle(rules)
    for total, moves in _positions(rules):
        if len(oracle.winning_moves(total)) == 1:
            found.setdefault(_level_of(oracle.distance(total)), []).append(moves)
    return found


def _positions(rules: Rules) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield every position once, ascending, and always the same moves to it."""
    waiting = [rules.start]
    ways: dict[int, tuple[int, ...]] = {rules.start: ()}
    while waiting:
        total = heappop(waiting)
        yield total, ways[total]
        for multiplier in rules.multipliers:
            after = rules.after(total, multiplier)
            if after not in ways and rules.verdict(after) is None:
                ways[after] = (*ways[total], multiplier)
                heappush(waiting, after)
        if len(ways) > MOST_POSITIONS:
            message = (
                f"puzzles are made for games of up to {MOST_POSITIONS:,} positions;"
                f" choose a target below {shorten(rules.target)}"
            )
            raise TooLarge(message)


def _level_of(distance: int) -> int:
    """Return the moves that the solver makes among those to the end, at most five."""
    return min((distance + 1) // 2, PUZZLE_LEVELS[-1])
