"""ninefold: the home of the multiplication games.

Importing it loads nothing else; each name below is loaded when it is first used.
"""

from __future__ import annotations

__version__ = "0.1.0"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ninefold.errors import (
        DamagedMatch,
        DamagedStore,
        ExportError,
        GameOver,
        IllegalMove,
        MatchError,
        MoveError,
        NewerStore,
        NinefoldError,
        NothingToUndo,
        OutOfStep,
        PositionError,
        PuzzleError,
        RecordError,
        RulebookError,
        RulesError,
        StoreError,
        StoreUnavailable,
        TheoryError,
        TooLarge,
        UnknownMatch,
        UnknownRulebook,
    )
    from ninefold.game import Game, Outcome, Seat
    from ninefold.match import Length, Match, Starts
    from ninefold.record import Record
    from ninefold.rulebooks import Rulebook
    from ninefold.rules import Ending, Reason, Rules, Verdict

__all__ = [
    "DamagedMatch",
    "DamagedStore",
    "Ending",
    "ExportError",
    "Game",
    "GameOver",
    "IllegalMove",
    "Length",
    "Match",
    "MatchError",
    "MoveError",
    "NewerStore",
    "NinefoldError",
    "NothingToUndo",
    "OutOfStep",
    "Outcome",
    "PositionError",
    "PuzzleError",
    "Reason",
    "Record",
    "RecordError",
    "Rulebook",
    "RulebookError",
    "Rules",
    "RulesError",
    "Seat",
    "Starts",
    "StoreError",
    "StoreUnavailable",
    "TheoryError",
    "TooLarge",
    "UnknownMatch",
    "UnknownRulebook",
    "Verdict",
    "__version__",
]

_HOMES = {
    "Ending": "rules",
    "Game": "game",
    "Length": "match",
    "Match": "match",
    "Outcome": "game",
    "Reason": "rules",
    "Record": "record",
    "Rulebook": "rulebooks",
    "Rules": "rules",
    "Seat": "game",
    "Starts": "match",
    "Verdict": "rules",
}
"""Where each name is; whatever is not here is an error."""


def __getattr__(name: str) -> object:
    if name in __all__:
        from importlib import import_module

        home = import_module(f"ninefold.{_HOMES.get(name, 'errors')}")
        found: object = getattr(home, name)
        globals()[name] = found
        return found
    message = f"module 'ninefold' has no attribute '{name}'"
    raise AttributeError(message)


def __dir__() -> list[str]:
    return __all__
