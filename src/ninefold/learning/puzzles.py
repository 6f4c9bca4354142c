"""Puzzles: positions at which exactly one multiplier wins.

A puzzle's *level* is how far one must look ahead: the number of moves that the solver
makes until the game is won, if the other player lasts as long as possible. At level 1
the move itself wins, at level 2 one more must be found after it, and so on; level 5 is
five or more.

With 2-9 the highest number of a lost band is about twice the lowest, so hardly any
move but ×2 is ever the only one that hits it. A generated puzzle has four multipliers;
each of them can be the only one, and is the answer equally often. The target is the
rule book's own or a round one, the lowest first; only as many targets are searched as
give some choice.

A puzzle is a game played up to its position. Its key is the record of that game in one
line; the same position always has the same key.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from heapq import heappop, heappush
from random import Random
from typing import TypeAlias

from msgspec import Struct

from ninefold.coach.slips import Refutation, refute
from ninefold.errors import PuzzleError, RulesError, TooLarge
from ninefold.game import Game
from ninefold.notation import Record, read_line, write_line
from ninefold.rulebooks import KEYS, Rulebook, load
from ninefold.rules import CLASSIC_MULTIPLIERS, Ending, Rules
from ninefold.text import format_set, join_words, shorten
from ninefold.theory import Budget, Oracle, Won, explain, oracle_for
from ninefold.theory.reachable_totals import products_of
from ninefold.theory.work_budget import PUZZLE_STEPS

PUZZLE_LEVELS = range(1, 6)

_VARIANT_STEPS = PUZZLE_STEPS // 12
_STEPS_FOR_A_POSITION = 20
_STEPS_FOR_A_MOVE = 2
_BITS_IN_A_STEP = 256  # a longer multiplier takes longer to multiply by
_SOME_CHOICE = 4  # puzzles for each answer; with fewer they would soon repeat
_MUCH_CHOICE = 80  # puzzles in total, enough even if some answer is rare or never right
_FOUR_MULTIPLIERS = ((2, 3, 5, 9), (2, 3, 6, 8), (2, 4, 5, 9), (2, 3, 5, 7))
"""In each set, a multiplier is more than half of the next but one: so it can be the
only one that hits a lost band. No set of five from 2 to 9 is like that."""
_TOO_NEAR = 40  # a target this low is no fun
_LARGEST_TARGETS = {1: 1_000, 2: 1_000, 3: 10_000, 4: 100_000, 5: 1_000_000}
"""The largest target of a variant for each level: easy puzzles have small numbers."""
AIMS = {
    Ending.REACH: "Reach {target} or more and you win.",
    Ending.AVOID: "Reach {target} or more and you lose.",
    Ending.EXACT: "Make exactly {target} and you win. Go past it and you lose.",
}
"""What wins, in words for games without a rule book."""
_Found: TypeAlias = tuple[Rules, tuple[int, ...]]
"""The rules of a puzzle, and the moves that lead to it."""


class Puzzle(Struct, frozen=True):
    """A position at which one multiplier wins, and why it does.

    ``book`` is the key of its rule book, or "".
    """

    game: Game
    book: str
    why: Won

    @property
    def key(self) -> str:
        """The record of the puzzle in one line, for ``read_puzzle``."""
        return write_line(Record(self.game, self.book))

    @property
    def answer(self) -> int:
        """The multiplier that wins."""
        return self.why.move

    @property
    def level(self) -> int:
        """How many moves to look ahead, from 1 to 5."""
        if self.why.distance is None:
            return PUZZLE_LEVELS[-1]
        return _level_of(self.why.distance)

    @property
    def rulebook(self) -> Rulebook | None:
        """Its rule book, if that is one of the five."""
        return load(self.book) if self.book in KEYS else None

    @property
    def aim(self) -> str:
        """What wins, in the rule book's words if it has one."""
        rules, book = self.game.rules, self.rulebook
        if book is not None:
            return book.describe(rules)
        return AIMS[rules.ending].format(target=shorten(rules.target))

    @property
    def question(self) -> str:
        total = shorten(self.game.total)
        return self._ask(f"The total is {total}, and it is your turn.")

    @property
    def task(self) -> str:
        """The question without the total and the turn, for a screen that shows them."""
        return self._ask()

    def _ask(self, *position: str) -> str:
        choices = self.game.rules.multipliers
        if choices == CLASSIC_MULTIPLIERS:
            return " ".join([*position, f"Exactly one of {format_set(choices)} wins."])
        only = f"Both players may use only {join_words([*map(str, choices)])}."
        return " ".join([only, *position, "Exactly one of these multipliers wins."])


class PuzzleResult(Struct, frozen=True):
    """An answer to a puzzle; if it is wrong, ``refutation`` shows why."""

    puzzle: Puzzle
    multiplier: int
    refutation: Refutation | None

    @property
    def right(self) -> bool:
        return self.refutation is None

    @property
    def comment(self) -> str:
        """Why it is right; or why it is wrong, without revealing the solution."""
        if self.refutation is None:
            return f"Right. {self.puzzle.why.short}"
        return f"Not that one. {self.refutation.short}"


def check(puzzle: Puzzle, multiplier: int) -> PuzzleResult:
    """Judge an answer.

    >>> puzzle = read_puzzle("nf1.multiplier.avoid1000.3x9")
    >>> puzzle.question
    'The total is 27, and it is your turn. Exactly one of 2-9 wins.'
    >>> print(check(puzzle, 3).comment)
    Not that one. ×3 makes 81. Then the other player can leave 500 to 999, where every \
move loses.
    >>> check(puzzle, 2).right
    True
    """
    oracle = oracle_for(puzzle.game.rules)
    refutation = refute(oracle, puzzle.game.total, multiplier)
    return PuzzleResult(puzzle, multiplier, refutation)


def puzzle_at(game: Game, book: str = "", oracle: Oracle | None = None) -> Puzzle:
    """Return the puzzle at a game's position.

    Raises ``PuzzleError`` unless exactly one of several multipliers wins there.
    """
    why = explain(game, oracle)
    alone = len(game.rules.multipliers) == 1
    if not isinstance(why, Won) or len(why.moves) != 1 or alone:
        message = (
            f"{shorten(game.total)} is not a puzzle: exactly one multiplier must win"
            " there; choose another position"
        )
        raise PuzzleError(message)
    return Puzzle(game, book, why)


def read_puzzle(key: str) -> Puzzle:
    """Read a puzzle from its key.

    >>> read_puzzle("nf1.multiplier.avoid1000.3x9").answer
    2
    >>> read_puzzle("nf1.multiplier.avoid1000")
    Traceback (most recent call last):
    ninefold.errors.PuzzleError: 1 is not a puzzle: exactly one multiplier must win \
there; choose another position
    """
    record = read_line(key)
    return puzzle_at(record.game, record.book)


def make_puzzle(
    rng: Random, level: int, book: Rulebook | None = None, rules: Rules | None = None
) -> Puzzle:
    """Return a random puzzle of a level.

    Without rules, it uses a variant of the rule book's rules; without a rule book, one
    of the five. The same random state gives the same puzzle.

    >>> from random import Random
    >>> puzzle = make_puzzle(Random(7), level=3)
    >>> puzzle.level, len(puzzle.why.moves)
    (3, 1)
    >>> from ninefold import Ending, Rules
    >>> make_puzzle(Random(1), 5, rules=Rules(Ending.REACH, 100))
    Traceback (most recent call last):
    ninefold.errors.PuzzleError: there is no puzzle of level 5 at target 100 with \
2-9; choose level 1 or 2
    """
    if level not in PUZZLE_LEVELS:
        low, high = PUZZLE_LEVELS[0], PUZZLE_LEVELS[-1]
        message = f"a puzzle's level is {low} to {high}; choose one of those"
        raise PuzzleError(message)
    if rules is not None:
        found = _puzzles(rules, _whole_budget(rules))
        if level not in found:
            raise PuzzleError(_none_of(level, rules, sorted(found)))
        moves, _ = rng.choice(found[level])
        return puzzle_at(Game.replay(rules, moves), "" if book is None else book.key)
    if book is None:
        book = load(rng.choice(KEYS))
    none = f"{book.title} has no puzzle of level {level}"
    try:
        choice = _near(book.rules, level)
    except TooLarge:
        message = f"{none} that can be found in time; choose another level"
        raise TooLarge(message) from None
    if not choice:
        message = f"{none}; choose another level"
        raise PuzzleError(message)
    chosen, moves = rng.choice(rng.choice(choice))
    return puzzle_at(Game.replay(chosen, moves), book.key)


@lru_cache(maxsize=64)
def _near(rules: Rules, level: int) -> tuple[Sequence[_Found], ...]:
    """Return puzzles of a level, from as many variants of rules as are needed.

    They are grouped by the answer: the smallest multiplier, the next one, and so on.
    Variants that are too large are skipped; raises ``TooLarge`` if that leaves no
    puzzle.
    """
    by_answer: dict[int, list[_Found]] = {}
    left, are_all_searched = PUZZLE_STEPS, True
    for variant in _variants(rules, _LARGEST_TARGETS[level]):
        multipliers = variant.multipliers
        budget = Budget(_VARIANT_STEPS, "this variant has too many positions")
        try:
            for moves, answer in _puzzles(variant, budget).get(level, ()):
                rank = multipliers.index(answer)
                by_answer.setdefault(rank, []).append((variant, moves))
        except TooLarge:
            are_all_searched = False
        left -= _VARIANT_STEPS - budget.left
        counts = [len(by_answer.get(rank, ())) for rank in range(len(multipliers))]
        if min(counts) >= _SOME_CHOICE or sum(counts) >= _MUCH_CHOICE or left < 0:
            are_all_searched = False
            break
    if not (by_answer or are_all_searched):
        message = "no puzzle was found in time"
        raise TooLarge(message)
    return tuple(by_answer.values())


def _none_of(level: int, rules: Rules, levels: Sequence[int]) -> str:
    target, choices = shorten(rules.target), format_set(rules.multipliers)
    there = f"at target {target} with {choices}"
    if not levels:
        return f"there are no puzzles {there}; choose another target or multipliers"
    choice = join_words([*map(str, levels)], "or")
    return f"there is no puzzle of level {level} {there}; choose level {choice}"


def _variants(rules: Rules, largest: int) -> Iterator[Rules]:
    """Yield the game with four of its multipliers (or all) and with several targets.

    The game's own target comes first, then round targets from the lowest up.
    """
    four = [few for few in _FOUR_MULTIPLIERS if set(few) <= set(rules.multipliers)]
    round_targets = [
        rules.start * leading * 10**zeros
        for zeros in range(1, len(str(largest)))
        for leading in range(1, 10)
        if _TOO_NEAR < leading * 10**zeros <= largest
    ]
    for target in dict.fromkeys((rules.target, *round_targets)):
        for multipliers in four or (rules.multipliers,):
            with suppress(RulesError):  # the target is beyond the bounds of numbers
                yield Rules(rules.ending, target, multipliers, rules.start)


def _whole_budget(rules: Rules) -> Budget:
    most = PUZZLE_STEPS // _steps_for_a_position(rules)
    return Budget(
        PUZZLE_STEPS,
        f"puzzles are made for games of up to {most:,} positions;"
        f" choose a target below {shorten(rules.target)}",
    )


def _steps_for_a_position(rules: Rules) -> int:
    longest = rules.multipliers[-1].bit_length() // _BITS_IN_A_STEP
    each = _STEPS_FOR_A_MOVE + longest
    return _STEPS_FOR_A_POSITION + each * len(rules.multipliers)


def _puzzles(
    rules: Rules, budget: Budget
) -> dict[int, list[tuple[tuple[int, ...], int]]]:
    """Return the puzzles of a game by level: the moves that lead to each, its answer.

    There are none with a single multiplier, or if EXACT has a target that cannot be
    made.
    """
    found: dict[int, list[tuple[tuple[int, ...], int]]] = {}
    if len(rules.multipliers) == 1 or not _target_can_be_made(rules):
        return found
    oracle = oracle_for(rules)
    for total, moves in _positions(rules, budget):
        oracle.accept(total)
        winning = oracle.winning_moves(total)
        if len(winning) == 1:
            level = _level_of(oracle.distance(total))
            found.setdefault(level, []).append((moves, *winning))
    return found


def _target_can_be_made(rules: Rules) -> bool:
    factor, rest = divmod(rules.target, rules.start)
    has_to = rules.ending is Ending.EXACT
    return not has_to or (not rest and products_of(rules.multipliers).has(factor))


def _positions(rules: Rules, budget: Budget) -> list[tuple[int, tuple[int, ...]]]:
    """Return every position, ascending, each with the same moves to it every time."""
    positions: list[tuple[int, tuple[int, ...]]] = []
    waiting = [rules.start]
    ways: dict[int, tuple[int, ...]] = {rules.start: ()}
    while waiting:
        budget.spend(_steps_for_a_position(rules))
        total = heappop(waiting)
        positions.append((total, ways[total]))
        for multiplier in rules.multipliers:
            after = rules.after(total, multiplier)
            if after not in ways and rules.verdict(after) is None:
                ways[after] = (*ways[total], multiplier)
                heappush(waiting, after)
    return positions


def _level_of(distance: int) -> int:
    """Return how many of the moves to the end the solver makes, at most five."""
    return min((distance + 1) // 2, PUZZLE_LEVELS[-1])
