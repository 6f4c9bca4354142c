"""What a step of a match on a server is told as at a terminal, in lines."""

from __future__ import annotations

from ninefold.cli.joined_questions import name_of, narrator_of
from ninefold.game import Seat
from ninefold.online.client import game_of
from ninefold.online.wire import State
from ninefold.rulebooks import Narrator, load


def is_move(before: State, state: State) -> bool:
    """Whether one step later there is one move more."""
    return bool(state.moves) and state.moves[:-1] == before.moves


def told_step(before: State, state: State) -> str:
    """Tell a move and an end in the rule book's lines, anything else in its words."""
    moved = is_move(before, state)
    ended = before.outcome is None and state.outcome is not None
    if not moved and not ended:
        return f"{state.said}\n"
    game, narrator = game_of(state), narrator_of(state)
    told = ""
    if moved:
        told = _declined(before) + (narrator.played(game) or _by_name(state))
    if ended:
        told += narrator.ending(game)
        length = state.length.length("length")
        if not length.is_single:
            standing = narrator.standing(state.score, length, over=state.match_over)
            told += f"\n{standing}"
    return told


def _declined(before: State) -> str:
    """Say that a move is not given back, to all but the one who moves instead."""
    mover, asked = before.to_move, before.takeback
    if asked is None or mover is None or mover in (asked, before.your_seat):
        return ""
    return f"{name_of(before, mover)} gives no move back.\n"


def _by_name(state: State) -> str:
    """Tell one's own move as that of others, where a rule book has no words for it."""
    names = (name_of(state, Seat.ONE), name_of(state, Seat.TWO))
    narrator = Narrator(load(state.game), state.rules.rules(), names, tuple(Seat))
    return narrator.played(game_of(state))
