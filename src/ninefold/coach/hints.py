"""Hints: the idea first, then the totals to aim for, then the move.

Passing an oracle for the same rules saves work; one for other rules raises
``TheoryError``.
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
TOO_FAR = "This game is too big to work out."
"""The answer if an exact one would take too long."""


class Hint(Struct, frozen=True):
    """One step of a hint; the last one names a move."""

    text: str
    move: int | None = None


def hints(
    game: Game, oracle: Oracle | None = None, *, products: bool = True
) -> tuple[Hint, ...]:
    """Return the steps of a hint: the idea, the totals to aim for, the move.

    With ``products``, the last step names the total that the move makes; in mental
    arithmetic the player computes it.

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
                Hint("You can win right now."),
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
            return lost, Hint(f"{times(move)} lasts longest.", move)
        case _:
            return (Hint(TOO_FAR),)


def why(game: Game, oracle: Oracle | None = None, *, products: bool = True) -> str:
    """Return who wins from here and why, in short sentences.

    Without ``products``, the text reveals no product of the player's own moves.
    """
    reason = _explained(game, oracle)
    if isinstance(reason, Won) and not products:
        return " ".join(step.text for step in hints(game, oracle, products=False))
    return TOO_FAR if reason is None else reason.short


def _explained(game: Game, oracle: Oracle | None) -> Won | Lost | None:
    """Explain a position; None if the game is over, or too large for an answer."""
    try:
        reason = explain(game, oracle)
    except TooLarge:
        return None
    return reason if isinstance(reason, Won | Lost) else None
