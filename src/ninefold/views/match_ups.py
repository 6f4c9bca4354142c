"""How two policies fare against each other, and where one of them errs."""

from __future__ import annotations

from fractions import Fraction

from msgspec import Struct

from ninefold.matchups import Matchup, Matchups, Mistake, Policy
from ninefold.rules import MOST_DIGITS, Rules
from ninefold.theory import oracle_for


class ChanceView(Struct, frozen=True):
    """A chance: exact, or estimated from games."""

    value: float
    fraction: Fraction | None
    """The exact chance; None where it is an estimate, or too long to be of use."""
    games: int | None
    """How many games it is estimated from; None where it is exact."""
    error: float
    """The standard error of an estimate."""

    @classmethod
    def of(cls, chance: Fraction, games: int | None = None) -> ChanceView:
        short = chance.denominator < 10**MOST_DIGITS
        fraction = chance if games is None and short else None
        return cls(float(chance), fraction, games, Matchup(chance, games).error)


class MatchUpView(Struct, frozen=True):
    """How often the first of two policies wins."""

    game: str
    rules: Rules
    players: tuple[str, str]
    begins: ChanceView
    """The first policy wins, and begins."""
    second: ChanceView
    """The first policy wins, and the other begins."""
    differing: tuple[int, int] = (0, 0)
    """At how many positions each gave two different answers, as a bot may."""

    @classmethod
    def of(
        cls, book: str, rules: Rules, names: tuple[str, str], one: Policy, two: Policy
    ) -> MatchUpView:
        game = Matchups(rules)
        begins, second = game.matchup(one, two), game.matchup(two, one)
        return cls(
            book,
            rules,
            names,
            ChanceView.of(begins.chance, begins.games),
            ChanceView.of(1 - second.chance, second.games),
        )


class AuditView(Struct, frozen=True):
    """Where a policy errs, and what that costs."""

    game: str
    rules: Rules
    who: str
    first_can_win: bool
    """Whether the one who begins can win, or the other one."""
    won: int
    """At how many positions some move wins."""
    mistakes: tuple[Mistake, ...]
    cost: ChanceView
    """The chance to win given up against perfect, in the seat that can win."""
    best_response: tuple[ChanceView, ChanceView] | None
    """What the best answer to it wins, beginning and second; None for an estimate."""
    differing: int = 0
    """At how many positions it gave two different answers, as a bot may."""

    @classmethod
    def of(cls, book: str, rules: Rules, who: str, policy: Policy) -> AuditView:
        game = Matchups(rules)
        found = game.regret(policy)
        best = None
        if game.positions is not None:
            response = game.best_response(policy)
            best = ChanceView.of(response.first), ChanceView.of(response.second)
        return cls(
            book,
            rules,
            who,
            oracle_for(rules).wins(rules.start),
            found.won,
            found.mistakes,
            ChanceView.of(found.cost, found.games),
            best,
        )
