"""The coach: a game looked back on, slips as they happen, puzzles, and facts.

::

    refutation  what is wrong with a move: what the other player can do then
    slips       a won position given away, by you or by the other player
    reviews     every move of a game graded, and where the game turned
    puzzles     positions at which exactly one multiplier wins
    facts       which multiplication facts are known, and which are shaky

Importing it loads nothing else; each name below is loaded when it is first used.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ninefold.coach.facts import (
        FACTS,
        Fact,
        Mastery,
        Product,
        Standing,
        facts_in,
        mastery,
    )
    from ninefold.coach.puzzles import (
        PUZZLE_LEVELS,
        Attempt,
        Puzzle,
        check,
        levels_of,
        make_puzzle,
        puzzle_at,
        read_puzzle,
    )
    from ninefold.coach.refutation import Refutation, refute
    from ninefold.coach.reviews import (
        Grade,
        OnlyMoves,
        Resignation,
        Review,
        Step,
        review,
    )
    from ninefold.coach.slips import Opportunity, Slip, gives_away, opponent_slipped

__all__ = [
    "FACTS",
    "PUZZLE_LEVELS",
    "Attempt",
    "Fact",
    "Grade",
    "Mastery",
    "OnlyMoves",
    "Opportunity",
    "Product",
    "Puzzle",
    "Refutation",
    "Resignation",
    "Review",
    "Slip",
    "Standing",
    "Step",
    "check",
    "facts_in",
    "gives_away",
    "levels_of",
    "make_puzzle",
    "mastery",
    "opponent_slipped",
    "puzzle_at",
    "read_puzzle",
    "refute",
    "review",
]

_HOMES = {
    "facts": ("FACTS", "Fact", "Mastery", "Product", "Standing", "facts_in", "mastery"),
    "puzzles": (
        "PUZZLE_LEVELS",
        "Attempt",
        "Puzzle",
        "check",
        "levels_of",
        "make_puzzle",
        "puzzle_at",
        "read_puzzle",
    ),
    "refutation": ("Refutation", "refute"),
    "reviews": ("Grade", "OnlyMoves", "Resignation", "Review", "Step", "review"),
    "slips": ("Opportunity", "Slip", "gives_away", "opponent_slipped"),
}


def __getattr__(name: str) -> object:
    for module, names in _HOMES.items():
        if name in names:
            from importlib import import_module  # noqa: PLC0415 - see above

            home = import_module(f"ninefold.coach.{module}")
            found: object = getattr(home, name)
            globals()[name] = found
            return found
    message = f"module 'ninefold.coach' has no attribute '{name}'"
    raise AttributeError(message)


def __dir__() -> list[str]:
    return __all__
