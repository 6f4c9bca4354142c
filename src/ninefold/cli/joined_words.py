"""What a step of a match on a server is told as at a terminal, in lines."""

from __future__ import annotations

from ninefold.cli.joined_questions import narrator_of
from ninefold.cli.questions import HELP
from ninefold.game import Seat
from ninefold.online.states import game_of, name_of
from ninefold.rulebooks import Narrator, load
from ninefold.views.state import State

_HELP = HELP | {
    "hint": "to be given a hint, and again for more of it",
    "undo": "to ask for your last move back",
    "quit": "to leave; the same command comes back",
}
_AGREED = ("hint", "why", "map")
"""What is told during a game only where both want it."""


def help_words(state: State) -> dict[str, str]:
    """Return the words that can be typed; of hints only where they are given."""
    agreed = state.lessons.hints
    return {word: what for word, what in _HELP.items() if agreed or word not in _AGREED}


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
        length = state.length
        if not length.is_single:
            standing = narrator.standing(state.score, length, over=state.match_over)
            told += f"\n{standing}"
    return told


def told_beginning(state: State) -> str:
    """Say that a game begins, though it may have gone on since."""
    again = state.number == 1 and state.match_number > 1
    begins = "A rematch begins" if again else f"Game {state.number} begins"
    return f"{begins}: {name_of(state, state.first)} starts."


def told_invitation(state: State) -> str:
    """Say who invites, to what, and what sitting down agrees to."""
    host, length = name_of(state, Seat.ONE), state.length
    several = "" if length.is_single else f", {length}"
    return f"{host} invites you to {state.title}{several}{_agreed(state)}."


def told_watching(state: State) -> str:
    """Say who plays what, to somebody who looks on."""
    names = [seat.name for seat in state.seats if seat.taken]
    if len(names) == 1:
        return f"{names[0]} waits for somebody to play {state.title} with."
    return f"{' and '.join(names)} play {state.title}{_agreed(state)}."


def _agreed(state: State) -> str:
    """Say what the two agreed to learn by; nothing where it is nothing."""
    wanted = {
        "a coach": state.lessons.coach,
        "hints": state.lessons.hints,
        "mental arithmetic": state.lessons.mental,
    }
    *others, last = ["", *(each for each, wants in wanted.items() if wants)]
    if not last:
        return ""
    before = ", ".join(filter(None, others))
    return f", with {before} and {last}" if before else f", with {last}"


def _declined(before: State) -> str:
    """Say that a move is not given back, to all but the one who moves instead."""
    mover, asked = before.to_move, before.takeback
    if asked is None or mover is None or mover in (asked, before.your_seat):
        return ""
    return f"{name_of(before, mover)} gives no move back.\n"


def _by_name(state: State) -> str:
    """Tell one's own move as that of others, where a rule book has no words for it."""
    names = (name_of(state, Seat.ONE), name_of(state, Seat.TWO))
    narrator = Narrator(load(state.game), state.rules, names, tuple(Seat))
    return narrator.played(game_of(state))
