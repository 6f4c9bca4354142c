"""The messages beside the board, which itself shows moves and results."""

from __future__ import annotations

from collections.abc import Iterable

from ninefold.game import Game, Seat
from ninefold.match import Match
from ninefold.playing.scene import Scene
from ninefold.rulebooks import Narrator, Rulebook
from ninefold.session import Ended, Event, Moved, Scored, Session
from ninefold.text import format_set
from ninefold.views.match_text import (
    format_event,
    format_standing,
    narrator_for,
    paragraph,
    tells_move,
)


def welcome(scene: Scene) -> str:
    """Return what to do and, before the first move, who won the toss."""
    session, parts = scene.session, []
    begins = session.number == session.match_number == 1 and not session.game.moves
    if session.setup.first_tossed and begins:
        toss = narrator_for(session, tuple(Seat)).toss(session.game)
        parts.append(paragraph([toss]))
    if not scene.is_my_turn:
        return " ".join([*parts, scene.turn_text])
    multipliers = session.setup.rules.multipliers
    choice = f"{'one of ' if len(multipliers) > 1 else ''}{format_set(multipliers)}"
    return " ".join([*parts, f"Multiply the total by {choice}."])


def announce(scene: Scene, events: Iterable[Event]) -> str:
    """Return the message for a command's events, beyond what the board shows."""
    parts = []
    for event in events:
        match event:
            case Ended() | Scored():
                pass
            case Moved(seat=seat) if seat in scene.seats:
                pass
            case _:
                parts.append(format_event(event, scene.session, scene.viewer))
    return paragraph(parts)


def game_of_match(session: Session) -> str:
    """Return which game of the match it is; "" for a single game."""
    if session.is_retry:
        return "another try"
    length = session.match.length
    return "" if length.is_single else f"game {session.number} · {length}"


def ending(game: Game, book: Rulebook, names: tuple[str, str]) -> str:
    """Return why the game is over and who won, in the rule book's words.

    Lines about the last move are dropped: the board shows it.
    """
    if game.outcome is None:
        return ""
    last = (
        Narrator(book, game.rules, names)
        .ending(game)
        .strip()
        .split("\n\n")[-1]
        .splitlines()
    )
    lines = [line for line in last if not tells_move(line, game)]
    return " ".join(dict.fromkeys((lines[0], lines[-1])))


def score(match: Match, names: tuple[str, str]) -> str:
    """Return the score or the result of a match; "" for a single game."""
    if match.length.is_single:
        return ""
    standing = format_standing(names, tuple(match.score.values()))
    stands = f"{standing}, {match.length}."
    if not match.is_over:
        return stands
    if match.winner is None:
        return f"{stands} The match ends level."
    return f"{stands} {names[match.winner.value - 1]} wins the match!"
