"""Solutions of positions, targets and puzzles; and the list of games."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import astuple

from ninefold.errors import TooLarge
from ninefold.game import Game, Outcome
from ninefold.learning import Puzzle
from ninefold.rulebooks import Rulebook
from ninefold.rules import MOST_DIGITS, Rules
from ninefold.text import shorten
from ninefold.theory import (
    Band,
    Chances,
    Ended,
    Odds,
    Oracle,
    Position,
    Stretch,
    Won,
    explain,
    nearest_second_player_target,
    who_wins,
)
from ninefold.views.match_text import format_verdict

MISSED_BEFORE = "You missed this one before."
"""The origin of a puzzle that is due again."""


class SolutionView(Struct, frozen=True):
    """Who wins at a position with best play, how, how soon, and why."""

    game: str
    rules: Rules
    total: int
    outcome: None
    headline: str
    """Who wins and with which moves, in a sentence."""
    wins: bool
    """Whether the player to move can win."""
    winning_moves: tuple[int, ...]
    best_move: int
    """The quickest win or the longest defence; without ``distance``, any that wins."""
    distance: int | None
    """Moves to the end with best play; None where they take too long to count."""
    lost_band: Band | None
    """The lost totals around a lost total; else None."""
    odds: Odds | None
    """The player to move wins; None where the game is too long to count."""
    why: str
    """The reason in a few sentences."""
    chain: tuple[str, ...] | UnsetType = UNSET
    """The whole proof; left out unless requested."""


class EndedView(Struct, frozen=True):
    """A game that is over, and why."""

    game: str
    rules: Rules
    total: int
    outcome: Outcome
    headline: str
    """That the game is over, in a sentence."""
    why: str
    chain: tuple[str, ...] | UnsetType = UNSET


def solve(
    book: str, position: Game | Position, *, full: bool = False
) -> SolutionView | EndedView:
    """Solve a position of the game with this key; ``full`` adds the chain of proof."""
    # A new oracle: solving arbitrary rules would evict the shared ones of live games.
    oracle = Oracle(position.rules)
    reason = explain(position, oracle)
    rules, total = position.rules, position.total
    chain = tuple(reason.chain(oracle)) if full else UNSET
    if isinstance(reason, Ended):
        headline = f"At {shorten(total)} the game is over."
        return EndedView(
            *(book, rules, total, reason.outcome, headline, reason.short, chain)
        )
    return SolutionView(
        game=book,
        rules=rules,
        total=total,
        outcome=None,
        headline=format_verdict(total, reason.moves if isinstance(reason, Won) else ()),
        wins=isinstance(reason, Won),
        winning_moves=reason.moves,
        best_move=reason.move,
        distance=reason.distance,
        lost_band=oracle.band_at(total),
        odds=_odds(oracle, total),
        why=reason.short,
        chain=chain,
    )


def _odds(oracle: Oracle, total: int) -> Odds | None:
    try:
        odds = Chances(oracle).at(total)
    except TooLarge:
        return None
    longest = max(each.denominator for each in astuple(odds))
    return odds if longest < 10**MOST_DIGITS else None  # exact, but unreadable


class TargetRun(Struct, frozen=True):
    """A run of targets, both ends included, where the same player wins."""

    lowest: int
    highest: int
    winner: Literal["first", "second"]

    @classmethod
    def of(cls, stretch: Stretch) -> TargetRun:
        winner: Literal["first", "second"] = "first" if stretch.first_wins else "second"
        return cls(stretch.lowest, stretch.highest, winner)


class TargetsView(Struct, frozen=True):
    """Who wins at each target of a range."""

    game: str
    rules: Rules
    nearest_second: int
    """The target nearest to the rules' own where the second player wins."""
    targets: tuple[TargetRun, ...]


def targets_of(book: str, rules: Rules, lowest: int, highest: int) -> TargetsView:
    """Return who wins at each target from the lowest to the highest."""
    stretches = who_wins(rules, lowest, highest)
    return TargetsView(
        book,
        rules,
        nearest_second_player_target(rules),
        tuple(map(TargetRun.of, stretches)),
    )


class RulebookRow(Struct, frozen=True):
    """One of the games."""

    key: str
    title: str
    summary: str
    """The aim in one line."""
    rules: Rules
    settles: tuple[str, ...]
    """The players' own choices: any of ``target``, ``first``, ``length``."""

    @classmethod
    def of(cls, book: Rulebook) -> RulebookRow:
        return cls(
            book.key,
            book.title,
            book.describe(),
            book.rules,
            book.settles,
        )


class PuzzleSolution(Struct, frozen=True):
    """The only multiplier that wins, and why it does."""

    multiplier: int
    why: str


class PuzzleView(Struct, frozen=True):
    """A position at which exactly one multiplier wins."""

    key: str
    """The position as one line."""
    game: str
    """The rule book's key, or empty."""
    rules: Rules
    total: int
    level: int
    """How many moves ahead to look."""
    question: str
    missed_before: bool
    """Whether it was missed before and is due again."""
    own_slip: bool
    """Whether it is a slip from the learner's own game."""
    origin: str
    """Either of these as a sentence, or empty."""
    solution: PuzzleSolution | UnsetType = UNSET
    """Left out unless requested."""

    @classmethod
    def of(
        cls,
        puzzle: Puzzle,
        origin: str = "",
        *,
        solved: bool = False,
    ) -> PuzzleView:
        missed = origin == MISSED_BEFORE
        answer = PuzzleSolution(puzzle.answer, puzzle.why.short)
        return cls(
            key=puzzle.key,
            game=puzzle.book,
            rules=puzzle.game.rules,
            total=puzzle.game.total,
            level=puzzle.level,
            question=puzzle.question,
            missed_before=missed,
            own_slip=bool(origin) and not missed,
            origin=origin,
            solution=answer if solved else UNSET,
        )
