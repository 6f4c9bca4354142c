"""Who wins at each target."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from ninefold.notation.shapes import Number, RulesShape, json_number
from ninefold.rules import Rules
from ninefold.theory import Stretch, nearest_second_player_target, who_wins


class TargetRun(Struct, frozen=True):
    """Neighbouring targets, both ends included, at which the same player wins."""

    lowest: Number
    highest: Number
    winner: Literal["first", "second"]

    @classmethod
    def of(cls, stretch: Stretch) -> TargetRun:
        """Show a stretch of targets."""
        winner: Literal["first", "second"] = "first" if stretch.first_wins else "second"
        return cls(json_number(stretch.lowest), json_number(stretch.highest), winner)


class TargetsView(Struct, frozen=True):
    """Who wins at each target of a range."""

    game: str
    rules: RulesShape
    nearest_second: Number
    """The target nearest to the rules' own at which the second player wins."""
    targets: tuple[TargetRun, ...]


def targets_of(book: str, rules: Rules, lowest: int, highest: int) -> TargetsView:
    """Say who wins at the targets from the lowest to the highest."""
    stretches = who_wins(rules, lowest, highest)
    return TargetsView(
        book,
        RulesShape.of(rules),
        json_number(nearest_second_player_target(rules)),
        tuple(map(TargetRun.of, stretches)),
    )
