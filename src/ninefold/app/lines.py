"""Number lines of games and rules, with the lost bands where they can be seen."""

from __future__ import annotations

from bisect import bisect_left
from functools import lru_cache
from itertools import islice

from msgspec.structs import replace

from ninefold.errors import TooLarge
from ninefold.game import Game
from ninefold.rules import Rules
from ninefold.theory import Band, Oracle, oracle_for
from ninefold.views.number_line import (
    Label,
    LabelKind,
    NumberLine,
    Scale,
    number_line,
    write_label,
)

_MOST_BANDS = 400
"""More of them are closer together than the columns of any terminal."""
_MOST_POSITIONS = 2_000


@lru_cache(maxsize=16)
def bands_of(rules: Rules, oracle: Oracle | None = None) -> tuple[Band, ...]:
    """Return the lost bands; none where they are too far to be seen."""
    try:
        return tuple(islice(oracle_for(rules, oracle).lost_bands(), _MOST_BANDS))
    except TooLarge:
        return ()


def game_line(
    game: Game,
    *,
    bands: bool,
    hint: int | None = None,
    turning_point: int | None = None,
) -> NumberLine:
    """Return the line of a game; ``bands`` says whether lost bands are shown."""
    shown = bands_of(game.rules) if bands else ()
    return number_line(game.rules, shown, game, hint=hint, turning_point=turning_point)


def rules_line(rules: Rules, total: int) -> NumberLine:
    """Return the line of rules with their bands, and a total on it."""
    line = number_line(rules, bands_of(rules))
    place = Scale(rules.start, rules.target).place(total)
    if total == rules.start:
        return replace(line, total=place)
    label = Label(place, write_label(total), LabelKind.TOTAL)
    return replace(line, total=place, labels=(*line.labels, label))


@lru_cache(maxsize=16)
def positions_of(rules: Rules) -> tuple[int, ...]:
    """Return every total that somebody can face, ascending; none if they are many."""
    found = {rules.start}
    waiting = [rules.start]
    while waiting:
        total = waiting.pop()
        for multiplier in rules.multipliers:
            after = rules.after(total, multiplier)
            if rules.verdict(after) is None and after not in found:
                found.add(after)
                waiting.append(after)
        if len(found) > _MOST_POSITIONS:
            return ()
    return tuple(sorted(found))


def neighbour(rules: Rules, total: int, step: int) -> int:
    """Return the position so many positions further along the line."""
    positions = positions_of(rules)
    if not positions:
        return total
    at = bisect_left(positions, total)
    return positions[min(max(at + step, 0), len(positions) - 1)]


def nearest(rules: Rules, place: float) -> int | None:
    """Return the position nearest to a place of the line; None if they are many."""
    scale = Scale(rules.start, rules.target)

    def distance(total: int) -> float:
        return abs(scale.place(total) - place)

    return min(positions_of(rules), key=distance, default=None)
