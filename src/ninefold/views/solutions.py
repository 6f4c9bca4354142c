"""The perfect answer at a position."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from msgspec import UNSET, Struct, UnsetType

from ninefold.errors import TooLarge
from ninefold.game import Game
from ninefold.notation.shapes import Number, OutcomeShape, RulesShape, json_number
from ninefold.rules import MOST_DIGITS
from ninefold.theory import Chances, Ended, Oracle, Position, Won, explain
from ninefold.views.shapes import BandView, numbers

T = TypeVar("T")


class OddsView(Struct, frozen=True):
    """The chances of the player to move, as fractions."""

    both_random: str
    first_perfect: str
    second_perfect: str


class SolutionView(Struct, frozen=True):
    """Who wins at a position with best play, how, how soon, and why."""

    game: str
    rules: RulesShape
    total: Number
    outcome: None
    wins: bool
    winning_moves: tuple[Number, ...]
    best_move: Number
    distance: int | None
    grundy: int | None
    lost_band: BandView | None
    odds: OddsView | None
    why: str
    chain: tuple[str, ...] | UnsetType = UNSET
    """The whole chain of reasons, where it was asked for."""


class EndedView(Struct, frozen=True):
    """A game that is over, and why it ended so."""

    game: str
    rules: RulesShape
    total: Number
    outcome: OutcomeShape
    why: str
    chain: tuple[str, ...] | UnsetType = UNSET


def solve(
    book: str, position: Game | Position, *, full: bool = False
) -> SolutionView | EndedView:
    """Answer a position of the game with this key; ``full`` gives the chain too."""
    oracle = Oracle(position.rules)
    reason = explain(position, oracle)
    rules, total = RulesShape.of(position.rules), json_number(position.total)
    chain = tuple(reason.chain(oracle)) if full else UNSET
    if isinstance(reason, Ended):
        outcome = OutcomeShape.of(reason.outcome)
        return EndedView(book, rules, total, outcome, reason.short, chain)
    band = oracle.band_at(position.total)
    return SolutionView(
        game=book,
        rules=rules,
        total=total,
        outcome=None,
        wins=isinstance(reason, Won),
        winning_moves=numbers(reason.moves),
        best_move=json_number(reason.move),
        distance=reason.distance,
        grundy=_if_found(oracle.grundy, position.total),
        lost_band=None if band is None else BandView.of(band),
        odds=_odds(oracle, position.total),
        why=reason.short,
        chain=chain,
    )


def _if_found(ask: Callable[[int], T], total: int) -> T | None:
    """Ask a question about a total; None where the answer takes too long."""
    try:
        return ask(total)
    except TooLarge:
        return None


def _odds(oracle: Oracle, total: int) -> OddsView | None:
    odds = _if_found(Chances(oracle).at, total)
    if odds is None:
        return None
    chances = (odds.both_random, odds.first_perfect, odds.second_perfect)
    if max(chance.denominator for chance in chances) >= 10**MOST_DIGITS:
        return None  # exact, and of no use to anyone
    return OddsView(*map(str, chances))
