"""Sentences of the app: hints in steps, who did what, how a game ended."""

from __future__ import annotations

from msgspec import Struct

from ninefold.errors import TooLarge
from ninefold.game import Game, Seat
from ninefold.match import Match
from ninefold.rulebooks import Narrator
from ninefold.rules import Ending, Reason
from ninefold.session import Session
from ninefold.text import shorten
from ninefold.theory import Lost, Oracle, Won, explain, oracle_for
from ninefold.theory.sentences import times

_IDEA = "You can win from here: leave a total from which every answer fails."
TOO_FAR = "This game goes further than can be seen."


class Hint(Struct, frozen=True):
    """One step of a hint; the last one names a move."""

    text: str
    move: int | None = None


def hints(game: Game, oracle: Oracle | None = None) -> tuple[Hint, ...]:
    """Return the steps of a hint: the idea, the totals to aim for, the move.

    >>> from ninefold import Rules
    >>> for hint in hints(Game.replay(Rules(Ending.REACH, 1000), [5, 3])):
    ...     print(hint.text)
    You can win from here: leave a total from which every answer fails.
    Leave 56 to 111: from there every move loses.
    ×6 leaves 90.
    """
    reason = explained(game, oracle)
    match reason:
        case Won(rung=None, move=move, leaves=leaves):
            return (
                Hint("You can end it now, and win."),
                Hint(f"{times(move)} wins now: it makes {shorten(leaves)}.", move),
            )
        case Won(move=move, leaves=leaves):
            band = oracle_for(game.rules, oracle).band_at(leaves)
            return (
                Hint(_IDEA),
                Hint(f"Leave {band}: from there every move loses."),
                Hint(f"{times(move)} leaves {shorten(leaves)}.", move),
            )
        case Lost(move=move, longest=longest):
            lost = Hint("No move wins here against best play.")
            if len(longest) == len(game.rules.multipliers):
                return (lost,)
            return lost, Hint(f"{times(move)} holds out longest.", move)
        case _:
            return (Hint(TOO_FAR),)


def why(game: Game, oracle: Oracle | None = None) -> str:
    """Say who wins from here, and why."""
    reason = explained(game, oracle)
    return TOO_FAR if reason is None else reason.short


def explained(game: Game, oracle: Oracle | None = None) -> Won | Lost | None:
    """Explain a position that is not the end; None where that is too far to see."""
    try:
        reason = explain(game, oracle_for(game.rules, oracle))
    except TooLarge:
        return None
    return reason if isinstance(reason, Won | Lost) else None


def last_product(game: Game) -> str:
    """Write the last move in full; nothing before the first one."""
    if not game.moves:
        return ""
    multiplier = game.moves[-1]
    before = shorten(game.total // multiplier)
    return f"{before} × {shorten(multiplier)} = {shorten(game.total)}"


def headline(session: Session) -> str:
    """Say who won the game, in a few words."""
    outcome = session.game.outcome
    return "" if outcome is None else f"{session.setup.name(outcome.winner)} wins!"


def ending(session: Session) -> str:
    """Say how a game ended: in the rule book's words, where two people played it.

    Against a level it is told in the third person: a program is not congratulated.
    """
    setup, game = session.setup, session.game
    if not setup.has_level:
        narrator = Narrator(session.book, setup.rules, setup.names)
        return " ".join(narrator.ending(game).split())
    if game.outcome is None:
        return ""
    winner, loser = (
        setup.name(game.outcome.winner),
        setup.name(game.outcome.winner.other),
    )
    target, made = shorten(game.rules.target), last_product(game)
    match game.outcome.reason:
        case Reason.RESIGNED:
            return f"{loser} gave up at {shorten(game.total)}. {winner} wins this one."
        case Reason.EXACT:
            return f"{made}: exactly {target}. {winner} wins this one."
        case Reason.REACHED if game.rules.ending is Ending.REACH:
            return f"{made}: {target} is reached. {winner} wins this one."
        case _:
            return f"{made}: too far for {loser}. {winner} wins this one."


def score(match: Match, names: tuple[str, str]) -> str:
    """Say how a match stands, or how it ended; nothing of a single game."""
    if match.length.is_single:
        return ""
    one, two = (match.score[seat] for seat in Seat)
    stands = f"{names[0]} {one} : {two} {names[1]}, {match.length}."
    if not match.over:
        return stands
    if match.winner is None:
        return f"{stands} The match ends level."
    return f"{stands} {names[match.winner.value - 1]} wins the match!"


def unwrapped(text: str) -> str:
    r"""Join the lines of each paragraph and of each item, to be wrapped anew.

    >>> unwrapped("One\nline.\n\n- an\n  item\n- another\n")
    'One line.\n\n- an item\n- another\n'
    """
    joined: list[str] = []
    for line in text.splitlines():
        begins = not line.strip() or line.startswith(("- ", "● "))
        if begins or not joined or not joined[-1]:
            joined.append(line.strip())
        else:
            joined[-1] += f" {line.strip()}"
    return "\n".join(joined) + "\n"
