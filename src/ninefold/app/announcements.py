"""What the app says beside the board, which shows moves and ends already."""

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
    """Say what to do, and before the first move who was tossed to start."""
    session, said = scene.session, []
    begins = session.number == session.match_number == 1 and not session.game.moves
    if session.setup.first_tossed and begins:
        toss = narrator_for(session, tuple(Seat)).toss(session.game)
        said.append(paragraph([toss]))
    if not scene.is_my_turn:
        return " ".join([*said, scene.turn_text])
    multipliers = session.setup.rules.multipliers
    choice = f"{'one of ' if len(multipliers) > 1 else ''}{format_set(multipliers)}"
    return " ".join([*said, f"Multiply the total by {choice}."])


def announce(scene: Scene, events: Iterable[Event]) -> str:
    """Say what came of a command, if there is more to it than the board shows."""
    said = []
    for event in events:
        match event:
            case Ended() | Scored():
                pass
            case Moved(seat=seat) if seat in scene.seats:
                pass
            case _:
                said.append(format_event(event, scene.session, scene.viewer))
    return paragraph(said)


def game_of_match(session: Session) -> str:
    """Say which game of the match it is; nothing where there is one."""
    if session.is_retry:
        return "another try"
    length = session.match.length
    return "" if length.is_single else f"game {session.number} · {length}"


def ending(game: Game, book: Rulebook, names: tuple[str, str]) -> str:
    """Say in the rule book's words why the game is over, and who won.

    The rule book may tell the last move too; the board shows that already.
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
    """Say how a match stands, or how it ended; nothing of a single game."""
    if match.length.is_single:
        return ""
    standing = format_standing(names, tuple(match.score.values()))
    stands = f"{standing}, {match.length}."
    if not match.is_over:
        return stands
    if match.winner is None:
        return f"{stands} The match ends level."
    return f"{stands} {names[match.winner.value - 1]} wins the match!"
