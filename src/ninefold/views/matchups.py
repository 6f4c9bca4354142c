"""How often one policy beats another, and the mistakes of a policy."""

from __future__ import annotations

from fractions import Fraction

from msgspec import Struct

from ninefold.matchups import Matchups, Mistake, Policy
from ninefold.rules import MOST_DIGITS, Rules
from ninefold.theory import oracle_for


class ChanceView(Struct, frozen=True):
    """An exact chance."""

    value: float
    fraction: Fraction | None
    """None if it is too long to be useful."""

    @classmethod
    def of(cls, chance: Fraction) -> ChanceView:
        is_short = chance.denominator < 10**MOST_DIGITS
        return cls(float(chance), chance if is_short else None)


class MatchupView(Struct, frozen=True):
    """How often the first of two policies wins."""

    game: str
    rules: Rules
    players: tuple[str, str]
    begins: ChanceView
    """The first policy's chance to win when it starts."""
    second: ChanceView
    """The first policy's chance to win when the other one starts."""

    @classmethod
    def of(
        cls, book: str, rules: Rules, names: tuple[str, str], one: Policy, two: Policy
    ) -> MatchupView:
        game = Matchups(rules)
        return cls(
            book,
            rules,
            names,
            ChanceView.of(game.matchup(one, two)),
            ChanceView.of(1 - game.matchup(two, one)),
        )


class AuditView(Struct, frozen=True):
    """The mistakes of a policy, and what they cost."""

    game: str
    rules: Rules
    who: str
    first_can_win: bool
    """Whether the player who starts can force a win; otherwise the other one can."""
    won: int
    """At how many positions some move wins."""
    mistakes: tuple[Mistake, ...]
    cost: ChanceView
    """How much of a sure win it gives away against perfect."""
    best_response: tuple[ChanceView, ChanceView]
    """The winning chances of the best response to it: starting, and going second."""

    @classmethod
    def of(cls, book: str, rules: Rules, who: str, policy: Policy) -> AuditView:
        game = Matchups(rules)
        found, response = game.regret(policy), game.best_response(policy)
        return cls(
            book,
            rules,
            who,
            oracle_for(rules).wins(rules.start),
            found.won,
            found.mistakes,
            ChanceView.of(found.cost),
            (ChanceView.of(response.first), ChanceView.of(response.second)),
        )
