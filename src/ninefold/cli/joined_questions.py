"""What a match on a server asks of a person at a terminal, by where it stands."""

from __future__ import annotations

from msgspec.structs import replace

from ninefold.cli.console import Console
from ninefold.cli.output import say_marked
from ninefold.cli.questions import SLIPPED, ask_product, write_offers
from ninefold.game import Seat
from ninefold.online.client import new_request_id
from ninefold.online.messages import (
    PlayMove,
    QuestionView,
)
from ninefold.online.states import all_seated, game_of, name_of
from ninefold.rulebooks import Narrator, load
from ninefold.views.state import State


def narrator_of(state: State) -> Narrator:
    """Return the narrator, which tells of the others in the third person."""
    names = (name_of(state, Seat.ONE), name_of(state, Seat.TWO))
    others = [seat for seat in Seat if seat is not state.your_seat]
    return Narrator(load(state.game), state.rules, names, others)


def prompt_of(console: Console, state: State) -> str:
    """Return the prompt for what the match waits for."""
    me = state.your_seat
    if me is None:
        return "You are watching (q leaves): "
    if not all_seated(state):
        return "Waiting for somebody to sit down (q leaves): "
    other = name_of(state, me.other)
    if state.outcome is not None:
        return write_offers(console, [_offer(state, me, other), "r review", "q quit"])
    if state.takeback is me.other:
        return "Give the move back? (y/n): "
    if state.to_move is me:
        return narrator_of(state).prompt(game_of(state))
    return f"{other} is to move (? for help): "


def _offer(state: State, me: Seat, other: str) -> str:
    """Say what Enter does after a game."""
    if not state.match_over:
        return "Enter next game"
    if state.rematch is None:
        return f"Enter ask {other} for a rematch"
    if state.rematch is me:
        return f"waiting for {other} to agree"
    return "Enter play again"


def settled(
    console: Console, state: State, move: PlayMove, question: QuestionView
) -> PlayMove | None:
    """Return a move with its question answered; None if it is not meant."""
    again = replace(move, request_id=new_request_id())
    if question.kind == "product":
        total, multiplier = int(state.total), int(move.multiplier)
        answer = ask_product(console, total, multiplier).product.answer
        return replace(again, answer=answer)
    if question.kind == "slip":
        return replace(again, despite_coach=True)
    if console.interactive and not console.asks_yes(f"{question.text} "):
        return None
    return replace(again, accepts_loss=True, despite_coach=console.interactive)


def gives_back(console: Console, question: QuestionView) -> bool:
    """Say that a move gives the win away; ask whether it is to be given back."""
    say_marked(console, console.fit(f"Coach: {question.text}\n"), SLIPPED)
    left = f"{question.give_backs} left"
    return console.asks_yes(f"Take it back? ({left}; Y/n): ", default=True)
