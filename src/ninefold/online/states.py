"""What a state of a match says to whoever looks at it, on any surface."""

from __future__ import annotations

from ninefold.game import Game, Seat
from ninefold.rules import Reason
from ninefold.views.state import State


def name_of(state: State, seat: Seat) -> str:
    """Return what a seat is called."""
    return state.seats[seat.value - 1].name


def all_seated(state: State) -> bool:
    """Whether somebody sits in both seats."""
    return all(seat.taken for seat in state.seats)


def is_my_turn(state: State) -> bool:
    """Whether the person who looks is to move."""
    mine = state.your_seat is not None and state.to_move is state.your_seat
    return mine and all_seated(state)


def game_of(state: State) -> Game:
    """Return the game that a state shows."""
    outcome = state.outcome
    resigned = None
    if outcome is not None and outcome.reason is Reason.RESIGNED:
        resigned = outcome.winner.other
    moves = map(int, state.moves)
    return Game.replay(state.rules, moves, state.first, resigned)
