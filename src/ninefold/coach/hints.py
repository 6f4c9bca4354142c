"""Hints: the idea first, then the totals to aim for, then the move.

An oracle for the same rules, if there is one at hand, saves work; one for other rules
is refused with ``TheoryError``.
"""

from __future__ import annotations

from msgspec import Struct

from ninefold.errors import TooLarge
from ninefold.game import Game
from ninefold.text import shorten
from ninefold.theory import Lost, Oracle, Won, explain
from ninefold.theory.explanation import Ahead
from ninefold.theory.explanation_sentences import NO_MISTAKE, times

_IDEA = "You can win from here: leave a total from which every answer loses."
TOO_FAR = "This game is too long to see to its end."
"""The answer where an exact one would take too long."""


class Hint(Struct, frozen=True):
    """One step of a hint; the last one names a move."""

    text: str
    move: int | None = None


def hints(
    game: Game, oracle: Oracle | None = None, *, products: bool = True
) -> tuple[Hint, ...]:
    """Return the steps of a hint: the idea, the totals to aim for, the move.

    ``products`` lets the last step name the total that the move makes. In mental
    arithmetic the player works that out.

    >>> from ninefold import Ending, Game, Rules
    >>> for hint in hints(Game.replay(Rules(Ending.REACH, 1000), [5, 3])):
    ...     print(hint.text)
    You can win from here: leave a total from which every answer loses.
    Leave 56 to 111: from there every move loses.
    ×6 leaves 90.
    """
    match _explained(game, oracle):
        case Won(rung=None, move=move, leaves=leaves):
            made = f": it makes {shorten(leaves)}" if products else ""
            return (
                Hint("You can win with this move."),
                Hint(f"{times(move)} wins now{made}.", move),
            )
        case Won(move=move, leaves=leaves, ahead=Ahead(band=band)):
            left = shorten(leaves) if products else f"a total in {band}"
            return (
                Hint(_IDEA),
                Hint(f"Leave {band}: from there every move loses."),
                Hint(f"{times(move)} leaves {left}.", move),
            )
        case Lost(move=move, longest=longest):
            lost = Hint(f"You cannot win from here {NO_MISTAKE}.")
            if len(longest) == len(game.rules.multipliers):
                return (lost,)
            return lost, Hint(f"{times(move)} holds out longest.", move)
        case _:
            return (Hint(TOO_FAR),)


def why(game: Game, oracle: Oracle | None = None, *, products: bool = True) -> str:
    """Return who wins from here and why, in short sentences.

    Without ``products`` a won position has the steps of the hint, which name none; the
    reason of a lost one names none of the player's own.
    """
    reason = _explained(game, oracle)
    if isinstance(reason, Won) and not products:
        return " ".join(step.text for step in hints(game, oracle, products=False))
    return TOO_FAR if reason is None else reason.short


def _explained(game: Game, oracle: Oracle | None) -> Won | Lost | None:
    """Explain a position that is not the end; None where that is too far to see."""
    try:
        reason = explain(game, oracle)
    except TooLarge:
        return None
    return reason if isinstance(reason, Won | Lost) else None
