"""What the table shows of a match on a server, as a function of its state alone."""

from __future__ import annotations

from ninefold.app.widgets.seats import SeatView
from ninefold.game import Seat
from ninefold.online.states import all_seated, name_of
from ninefold.views.state import State


def where(state: State) -> str:
    """Say which game of the match it is; nothing where there is one."""
    length = state.length
    return "online" if length.is_single else f"game {state.number} · {length}"


def seats(state: State, here: tuple[bool, bool]) -> dict[Seat, SeatView]:
    """Return what both cards show; who is gone is said to be away."""
    return {seat: _seat(state, seat, is_here=here[seat.value - 1]) for seat in Seat}


def _seat(state: State, seat: Seat, *, is_here: bool) -> SeatView:
    taken = state.seats[seat.value - 1].taken
    won = state.outcome is not None and state.outcome.winner is seat
    moves = state.to_move is seat and all_seated(state)
    notes = []
    if not taken:
        notes.append("not here yet")
    elif seat is not state.your_seat and not is_here:
        notes.append("away")
    elif moves:
        notes.append("your move" if seat is state.your_seat else "to move")
    elif won:
        notes.append("wins")
    if not state.length.is_single:
        notes.append(str(state.score[seat.value - 1]))
    return SeatView(name_of(state, seat), " · ".join(notes), moves=moves, won=won)


def waiting(state: State) -> str:
    """Say what is waited for, where it is not the move of whoever looks."""
    if not all_seated(state):
        return "Nobody sits in the other seat yet; send the link."
    if state.outcome is not None:
        return "The game is over; n goes on."
    mover = state.to_move or state.first
    return f"It is {name_of(state, mover)}'s move; wait for it."


def going_on(state: State) -> str:
    """Say what the key that goes on does now; nothing where it does nothing."""
    if state.outcome is None or state.your_seat is None:
        return ""
    other = name_of(state, state.your_seat.other)
    if not state.match_over:
        return "n: the next game."
    if state.rematch is None:
        return f"n: ask {other} for a rematch."
    if state.rematch is state.your_seat:
        return f"Waiting for {other} to agree."
    return "n: play again."
