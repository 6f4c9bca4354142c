"""Responses and refusals: each error as a status, a code and a sentence."""

from __future__ import annotations

import gzip

from msgspec import UNSET, Struct
from starlette.requests import Request
from starlette.responses import Response

from ninefold import errors
from ninefold.notation.codec import encode_bytes
from ninefold.online.messages import LogPage, Refusal
from ninefold.playing.state import QuestionView, State

BAD_FORM, NO_SEAT, FORBIDDEN, NOT_FOUND = 400, 401, 403, 404
WRONG_METHOD, TOO_SLOW, CONFLICT, GONE, TOO_LARGE = 405, 408, 409, 410, 413
WRONG_TYPE = 415
_COOKIE_SECONDS = 400 * 24 * 3600
REFUSED_BY_RULES, TOO_MANY, FAILED, UNAVAILABLE = 422, 429, 500, 503


class HttpRefusal(Exception):
    """A refusal of a request, and what its response carries."""

    def __init__(
        self,
        status: int,
        error: str,
        detail: str,
        *,
        with_state: bool = False,
        field: str | None = None,
        multipliers: tuple[int, ...] | None = None,
        question: QuestionView | None = None,
        retry_after: int | None = None,
    ) -> None:
        """Refuse with a status, a code for programs, and a sentence for people.

        With ``with_state`` the response also carries the current match.
        """
        super().__init__(detail)
        self.status = status
        self.error = error
        self.detail = detail
        self.with_state = with_state
        self.field = field
        self.multipliers = multipliers
        self.question = question
        self.retry_after = retry_after


def behind() -> HttpRefusal:
    """Return the refusal of a request based on an outdated revision."""
    detail = "the match has moved on; reload it"
    return HttpRefusal(CONFLICT, "out_of_step", detail, with_state=True)


def held(why: str) -> HttpRefusal:
    """Return the refusal at a table of a class that does not go on right now."""
    return HttpRefusal(CONFLICT, "held", why, with_state=True)


def match_changed() -> HttpRefusal:
    """Return the refusal of a request based on a diverged log."""
    return HttpRefusal(CONFLICT, "match_changed", str(errors.MatchChanged()))


def request_id_reused() -> HttpRefusal:
    """Return the refusal of a request with the id of another one."""
    detail = "this request_id was used for another request; choose a new one"
    return HttpRefusal(CONFLICT, "request_id_reused", detail)


def question_first(question: QuestionView) -> HttpRefusal:
    """Return the refusal of a move until its seat has answered a question."""
    return HttpRefusal(REFUSED_BY_RULES, "question", question.text, question=question)


_CODES: tuple[tuple[type[errors.NinefoldError], int, str], ...] = (
    (errors.SeatTaken, CONFLICT, "seat_taken"),
    (errors.SeatVacant, CONFLICT, "seat_empty"),
    (errors.OutOfTurn, CONFLICT, "out_of_turn"),
    (errors.NoPendingRequest, CONFLICT, "not_asked"),
    (errors.GameOver, CONFLICT, "game_over"),
    (errors.SessionError, CONFLICT, "not_now"),
    (errors.NameInUse, CONFLICT, "name_in_use"),
    (errors.ClassError, CONFLICT, "not_now"),
    (errors.IllegalMove, REFUSED_BY_RULES, "illegal_move"),
    (errors.RecordError, BAD_FORM, "form"),
    (errors.TooLarge, REFUSED_BY_RULES, "too_large"),
)
"""The first class that fits gives the status and code; conflicts carry the match."""


_OF_THE_STORE: tuple[tuple[type[errors.StoreError], int, str, str], ...] = (
    (errors.UnknownMatch, NOT_FOUND, "no_such_match", "there is no such match"),
    (errors.UnknownClass, NO_SEAT, "no_class", str(errors.UnknownClass())),
    (
        errors.DamagedMatch,
        GONE,
        "damaged",
        "this match is damaged and cannot be opened; start another",
    ),
    (
        errors.DamagedClass,
        GONE,
        "damaged",
        "this class is damaged and cannot be opened; start another",
    ),
    (
        errors.DamagedStore,
        UNAVAILABLE,
        "store_damaged",
        "the server's database is damaged; tell the person who runs it",
    ),
)
"""Sentences that say less than the errors themselves, which may name files."""


def refusal_of(error: Exception) -> HttpRefusal:
    """Return the refusal for an error."""
    for stored, status, code, detail in _OF_THE_STORE:
        if isinstance(error, stored):
            return HttpRefusal(status, code, detail)
    if isinstance(error, errors.StoreError):
        detail = "this cannot be saved right now; try again"
        return HttpRefusal(UNAVAILABLE, "store_unavailable", detail, retry_after=1)
    legal = tuple(error.legal) if isinstance(error, errors.IllegalMove) else None
    for kind, status, code in _CODES:
        if isinstance(error, kind):
            return HttpRefusal(
                status,
                code,
                str(error),
                with_state=status == CONFLICT,
                multipliers=legal,
            )
    field = error.field if isinstance(error, errors.ProposalError) else None
    return HttpRefusal(REFUSED_BY_RULES, "refused", str(error), field=field)


def answer(body: Struct, status: int = 200) -> Response:
    """Return a JSON response, which browsers do not cache."""
    headers = {"cache-control": "no-store"}
    return Response(encode_bytes(body), status, headers, "application/json")


def compress(response: Response, request: Request) -> Response:
    """Compress a response if the client accepts it."""
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return response
    headers = dict(response.headers) | {
        "content-encoding": "gzip",
        "vary": "accept-encoding",
    }
    del headers["content-length"]  # that of the uncompressed body
    body = gzip.compress(bytes(response.body), mtime=0)
    return Response(body, response.status_code, headers)


def set_secret(
    response: Response,
    name: str,
    secret: str,
    *,
    path: str,
    address: str,
    seconds: int = _COOKIE_SECONDS,
) -> None:
    """Set a cookie with a secret, which scripts cannot read."""
    response.set_cookie(
        name,
        secret,
        max_age=seconds,
        path=path,
        secure=address.startswith("https:"),
        httponly=True,
        samesite="lax",
    )


def refuse(refused: HttpRefusal, match: State | LogPage | None = None) -> Response:
    """Return the response for a refusal, with the current match or its log, if any."""
    body = Refusal(
        error=refused.error,
        detail=refused.detail,
        field=UNSET if refused.field is None else refused.field,
        state=match if isinstance(match, State) else UNSET,
        log=match if isinstance(match, LogPage) else UNSET,
        multipliers=UNSET if refused.multipliers is None else refused.multipliers,
        question=UNSET if refused.question is None else refused.question,
    )
    response = answer(body, refused.status)
    if refused.retry_after is not None:
        response.headers["retry-after"] = str(refused.retry_after)
    return response
