"""What a server answers: read as far as one may go, and held to what a match can be."""

from __future__ import annotations

from http.client import HTTPResponse, IncompleteRead
from typing import TypeVar

from msgspec import UNSET, Struct

from ninefold.errors import NinefoldError, RecordError, RequestRefused
from ninefold.notation.codec import decode
from ninefold.online.messages import (
    QuestionView,
    Refusal,
)
from ninefold.online.states import game_of
from ninefold.rulebooks import load
from ninefold.views.state import State

Answer = TypeVar("Answer", bound=Struct)

LARGEST_ANSWER = 16 * 1024 * 1024


def read_body(response: HTTPResponse) -> bytes:
    """Read an answer, as far as one may go; refuse one that broke off."""
    data = response.read(LARGEST_ANSWER)
    # Where the length was told, http.client takes what there is for the whole.
    if response.length and len(data) < LARGEST_ANSWER:
        raise IncompleteRead(data)
    return data


def question_of(refused: RequestRefused) -> QuestionView:
    """Return what is asked before a move counts; raise a refusal that asks nothing."""
    refusal = refused.refusal
    if not isinstance(refusal, Refusal) or refusal.question is UNSET:
        raise refused
    return refusal.question


def state_of(refused: RequestRefused) -> State | None:
    """Return the match as it stands, if that came with a refusal."""
    refusal = refused.refusal
    if not isinstance(refusal, Refusal) or refusal.state is UNSET:
        return None
    return refusal.state


def read_answer(data: bytes, shape: type[Answer]) -> Answer:
    """Read what a server sent; a ``RecordError`` says what it cannot be."""
    answer = decode(data, shape)
    state = answer if isinstance(answer, State) else getattr(answer, "state", UNSET)
    if isinstance(state, State):
        try:
            _check(state)
        except NinefoldError as error:
            place = "state"
            raise RecordError(place, str(error)) from None
    return answer


def _check(state: State) -> None:
    """Refuse a state that no game has, which could not be shown."""
    load(state.game)
    outcome = game_of(state).outcome
    if state.outcome != outcome:
        place, problem = "outcome", "the moves do not end so"
        raise RecordError(place, problem)
    if not all(seat.name.isprintable() for seat in state.seats):
        place, problem = "seats", "no name has such characters"
        raise RecordError(place, problem)
