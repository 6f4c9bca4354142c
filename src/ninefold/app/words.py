"""Sentences of the app: who did what, how a game ended."""

from __future__ import annotations

import re

from ninefold.game import Game, Seat
from ninefold.match import Match
from ninefold.rulebooks import Narrator, Rulebook
from ninefold.text import shorten

_NUMBER = re.compile("[0-9]+")


def last_product(game: Game) -> str:
    """Write the last move of a game in full."""
    multiplier = game.moves[-1]
    before = shorten(game.total // multiplier)
    return f"{before} × {shorten(multiplier)} = {shorten(game.total)}"


def ending(
    game: Game,
    book: Rulebook,
    names: tuple[str, str],
    levels: tuple[str | None, str | None],
) -> str:
    """Say in the rule book's words why the game is over, and who won.

    The rule book may tell the last move too; the board shows that already.
    """
    if game.outcome is None:
        return ""
    programs = [seat for seat, level in zip(Seat, levels, strict=True) if level]
    narrator = Narrator(book, game.rules, names, programs=programs)
    last = narrator.ending(game).strip().split("\n\n")[-1].splitlines()
    told = [line for line in last if not _tells_move(line, game)]
    return " ".join(dict.fromkeys((told[0], told[-1])))


def _tells_move(line: str, game: Game) -> bool:
    """Whether a line has every number of the last move."""
    if not game.moves:
        return False
    before, multiplier = game.total // game.moves[-1], game.moves[-1]
    numbers = set(_NUMBER.findall(line))
    return {str(before), str(multiplier), str(game.total)} <= numbers


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
