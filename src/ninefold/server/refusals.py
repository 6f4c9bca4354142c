"""Refusals: each error of the game as a status, a code, and a sentence."""

from __future__ import annotations

from ninefold import errors
from ninefold.notation.shapes import Number
from ninefold.online.wire import QuestionView
from ninefold.views.encoding import numbers

BAD_FORM, NO_SEAT, FORBIDDEN, NOT_FOUND = 400, 401, 403, 404
WRONG_METHOD, TOO_SLOW, CONFLICT, TOO_LARGE, WRONG_TYPE = 405, 408, 409, 413, 415
REFUSED_BY_RULES, TOO_MANY, FAILED, UNAVAILABLE = 422, 429, 500, 503


class Refused(Exception):
    """A request that is refused: how, and with what beside the sentence."""

    def __init__(
        self,
        status: int,
        error: str,
        detail: str,
        *,
        with_state: bool = False,
        multipliers: tuple[Number, ...] | None = None,
        question: QuestionView | None = None,
        retry_after: int | None = None,
    ) -> None:
        """Take the status, a code for programs, and a sentence for people.

        ``with_state`` asks for the match as it stands to go with it.
        """
        super().__init__(detail)
        self.status = status
        self.error = error
        self.detail = detail
        self.with_state = with_state
        self.multipliers = multipliers
        self.question = question
        self.retry_after = retry_after


def behind() -> Refused:
    """Refuse a request that was made before it was known what came."""
    detail = "the match has gone on meanwhile; look at it again"
    return Refused(CONFLICT, "out_of_step", detail, with_state=True)


def out_of_turn() -> Refused:
    """Refuse the move of a seat that is not to move."""
    detail = "it is not your turn; wait for the other move"
    return Refused(CONFLICT, "out_of_turn", detail, with_state=True)


def reused() -> Refused:
    """Refuse a request id that came with another request before."""
    detail = "this request_id came with another request before; choose a new one"
    return Refused(CONFLICT, "request_id_reused", detail)


def no_seat() -> Refused:
    """Refuse what only a seat may do."""
    detail = "this is for whoever sits there; take a seat, or send its secret"
    return Refused(NO_SEAT, "no_seat", detail)


def not_agreed() -> Refused:
    """Refuse an answer that was not agreed on."""
    detail = "this was not agreed on; it is told when the game is over"
    return Refused(FORBIDDEN, "not_agreed", detail)


def refusal_of(error: Exception) -> Refused:  # noqa: PLR0911 - a table
    """Turn what the game refuses into what the wire says."""
    detail = str(error)
    match error:
        case errors.UnknownMatch():
            return Refused(NOT_FOUND, "no_such_match", "there is no such match")
        case errors.SeatTaken():
            return Refused(CONFLICT, "seat_taken", detail, with_state=True)
        case errors.SeatEmpty():
            return Refused(CONFLICT, "seat_empty", detail, with_state=True)
        case errors.IllegalMove():
            legal = numbers(error.legal)
            return Refused(REFUSED_BY_RULES, "illegal_move", detail, multipliers=legal)
        case errors.GameOver():
            return Refused(CONFLICT, "game_over", detail, with_state=True)
        case errors.SessionError():
            return Refused(CONFLICT, "not_now", detail, with_state=True)
        case errors.RecordError():
            return Refused(BAD_FORM, "form", detail)
        case errors.StoreError():
            told = "the match cannot be kept just now; try again"
            return Refused(UNAVAILABLE, "store_unavailable", told, retry_after=1)
        case errors.TooLarge():
            return Refused(REFUSED_BY_RULES, "too_large", detail)
    return Refused(REFUSED_BY_RULES, "refused", detail)
