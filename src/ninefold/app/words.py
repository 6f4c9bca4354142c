"""Sentences of the app: who did what, how a game ended."""

from __future__ import annotations

from ninefold.game import Game, Seat
from ninefold.match import Match
from ninefold.rulebooks import Narrator
from ninefold.rules import Ending, Reason
from ninefold.session import Session
from ninefold.text import shorten


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
