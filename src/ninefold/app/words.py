"""Sentences of the app: who did what, how a game ended."""

from __future__ import annotations

from ninefold.game import Game, Seat
from ninefold.match import Match
from ninefold.rulebooks import Narrator
from ninefold.session import Session
from ninefold.text import shorten


def last_product(game: Game) -> str:
    """Write the last move of a game in full."""
    multiplier = game.moves[-1]
    before = shorten(game.total // multiplier)
    return f"{before} × {shorten(multiplier)} = {shorten(game.total)}"


def ending(session: Session) -> str:
    """Say who won, in one sentence: the last one of the rule book's.

    A program is not congratulated, and a rule book speaks to people.
    """
    setup, outcome = session.setup, session.game.outcome
    if outcome is None:
        return ""
    if not setup.is_person(outcome.winner):
        return f"{setup.name(outcome.winner)} wins this one."
    narrator = Narrator(session.book, setup.rules, setup.names)
    return narrator.ending(session.game).strip().splitlines()[-1]


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
