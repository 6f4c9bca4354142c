"""What a learner should do next: another level, cards to practise, or a date."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from ninefold.learning import Mastery, Standing
from ninefold.learning.knowledge import CARDS, next_due
from ninefold.levels import LEVELS
from ninefold.text import join_words
from ninefold.views.practice import format_next_due, name_card

_MOST_NEXT = 6
_LAST_GAMES, _MANY_GAMES = 4, 3
"""A suggestion of another level looks at the first number of games against a level; the
second number of wins, or no win, leads to it."""


def next_cards(standings: Mapping[str, Mastery]) -> tuple[str, ...]:
    """Return the cards to practise next: the shaky ones first, then by date."""
    waiting = [
        (each.standing is not Standing.SHAKY, each.due, card)
        for card, each in standings.items()
        if each.due is not None and card in CARDS
    ]
    return tuple(card for _, _, card in sorted(waiting)[:_MOST_NEXT])


def suggest(
    standings: Mapping[str, Mastery],
    over_time: dict[str, tuple[int, ...]],
    at: datetime,
) -> str:
    """Suggest a level, cards or a date; ``over_time`` has results by level."""
    for level, results in reversed(over_time.items()):
        lately = results[-_LAST_GAMES:]
        won, levels = sum(lately), [*LEVELS]
        if level not in levels or len(lately) < _MANY_GAMES:
            continue
        if won >= _MANY_GAMES:
            harder = levels[levels.index(level) + 1 :]
            another = harder[0] if harder else "another target"
            return f"You beat {level} {won} of the last {len(lately)}: try {another}."
        if not won:
            return f"You lost the last {len(lately)} against {level}: try the coach."
        break
    shaky = [
        c for c in next_cards(standings) if standings[c].standing is Standing.SHAKY
    ]
    if shaky:
        names = join_words([name_card(card) for card in shaky[:3]])
        return f"Practise {names}: {'they are' if len(shaky) > 1 else 'it is'} shaky."
    due = next_due(standings)
    if due is None:
        return "Practise twelve items to see what you know."
    return format_next_due(due, at)
