"""A rule book: its rules, its texts, and what the players choose before they play."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from msgspec import Struct

from ninefold.rules import Ending, Reason, Rules
from ninefold.text import format_set, shorten

GUIDE_FACTS = frozenset(
    ("title", "start", "target", "multipliers", "lowest", "highest")
)
"""The names of the facts known before a game starts; see ``facts_of``."""

_ALWAYS = GUIDE_FACTS | {"player1", "player2"}
_TURN = _ALWAYS | {"player", "total"}
_MOVE = _TURN | {"before", "multiplier"}
_END = _MOVE | {"winner", "loser"}
_MATCH = _ALWAYS | {"wins1", "wins2", "length"}

MOMENTS: dict[str, frozenset[str]] = {
    "toss": _ALWAYS | {"player"},
    "opening": _ALWAYS,
    "varied": _ALWAYS,
    "turn": _TURN,
    "prompt": _TURN,
    "prompt_set": _TURN,
    "played": _MOVE,
    "undone": _MOVE,
    "reached": _END,
    "exact": _END,
    "exceeded": _END,
    "resigned": _TURN | {"winner", "loser"},
    "refused_empty": _TURN,
    "refused_text": _TURN | {"entry"},
    "refused_number": _TURN | {"entry"},
    "confirm": _MOVE,
    "ask_target": GUIDE_FACTS,
    "score": _MATCH,
    "champion": _MATCH | {"winner", "loser", "high", "low"},
    "tied": _MATCH | {"high", "low"},
}
"""Each moment of ``Words``, and the facts that its template may use."""

_REASONS = {
    Ending.REACH: (Reason.REACHED,),
    Ending.AVOID: (Reason.REACHED,),
    Ending.EXACT: (Reason.EXACT, Reason.EXCEEDED),
}


class Words(Struct, frozen=True, kw_only=True):
    """A template for each moment of a game and a match; None for no text."""

    toss: str
    opening: str
    varied: str | None = None
    """Follows the opening if the target is not the rule book's own."""
    turn: str
    prompt: str
    prompt_set: str | None = None
    """The prompt for multipliers with gaps."""
    played: str
    undone: str
    reached: str
    exact: str
    exceeded: str
    resigned: str
    refused_empty: str
    refused_text: str
    refused_number: str
    confirm: str | None = None
    """The question about a move that loses at once although another does not."""
    ask_target: str
    score: str
    champion: str
    tied: str


def moments_of(ending: Ending) -> tuple[str, ...]:
    """Return the moments that can occur in a game with this ending."""
    never = {reason.value for reason in Reason} - {Reason.RESIGNED.value}
    never -= {reason.value for reason in _REASONS[ending]}
    return tuple(moment for moment in MOMENTS if moment not in never)


def names_in(template: str) -> list[str]:
    """Return the facts that a template names, in order, and any stray braces.

    >>> names_in("{player} has {total}")
    ['player', 'total']
    >>> names_in("a } b { c")
    ['}', '{']
    """
    before, *pieces = template.split("{")
    names = ["}"] if "}" in before else []
    for piece in pieces:
        name, closing, after = piece.partition("}")
        names.append(name if closing else "{")
        names += ["}"] if "}" in after else []
    return names


def fill(template: str, facts: Mapping[str, str]) -> str:
    """Return a template with the facts filled in; braces inside a fact are kept.

    >>> fill("{player} has {total}", {"player": "{total}", "total": "30"})
    '{total} has 30'
    """
    return template.format_map(facts)


@lru_cache(maxsize=256)
def facts_of(
    title: str, rules: Rules, number: Callable[[int], str] = str
) -> Mapping[str, str]:
    """Return the facts that hold throughout a game; ``number`` formats numbers."""
    return {
        "title": title,
        "start": number(rules.start),
        "target": number(rules.target),
        "multipliers": format_set(rules.multipliers),
        "lowest": number(rules.multipliers[0]),
        "highest": number(rules.multipliers[-1]),
    }


class Rulebook(Struct, frozen=True):
    """One of the games, as data."""

    key: str
    title: str
    summary: str
    """One line about the game, as a template."""
    guide: str
    """The rules in words, as a template."""
    rules: Rules
    words: Words
    settles: tuple[str, ...]
    """What the players choose: ``target``, ``first`` (who starts), ``length``."""
    take_back: bool = True
    """Whether moves can be taken back."""

    @property
    def questions_losses(self) -> bool:
        """Whether an avoidable loss is questioned before the move counts."""
        return self.words.confirm is not None

    def describe(self, rules: Rules | None = None) -> str:
        """Return the summary, for these rules or for the rule book's own."""
        return fill(self.summary, facts_of(self.title, rules or self.rules, shorten))

    def explain(self, rules: Rules | None = None) -> str:
        """Return the guide, for these rules or for the rule book's own."""
        return fill(self.guide, facts_of(self.title, rules or self.rules, shorten))

    def ask_target(self) -> str:
        return fill(self.words.ask_target, facts_of(self.title, self.rules))
