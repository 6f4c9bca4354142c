"""Answers and refusals as responses."""

from __future__ import annotations

from msgspec import UNSET, Struct
from starlette.responses import Response

from ninefold.notation.codec import encode_bytes
from ninefold.online.messages import LogPage, Refusal, State
from ninefold.server.refusals import Refused


def answer(body: Struct, status: int = 200) -> Response:
    """Answer with JSON."""
    return Response(
        encode_bytes(body),
        status,
        {"cache-control": "no-store"},
        "application/json",
    )


def refuse(refused: Refused, match: State | LogPage | None = None) -> Response:
    """Answer with a refusal, and with the match as it stands, or its log, if given."""
    body = Refusal(
        error=refused.error,
        detail=refused.detail,
        state=match if isinstance(match, State) else UNSET,
        log=match if isinstance(match, LogPage) else UNSET,
        multipliers=UNSET if refused.multipliers is None else refused.multipliers,
        question=UNSET if refused.question is None else refused.question,
    )
    response = answer(body, refused.status)
    if refused.retry_after is not None:
        response.headers["retry-after"] = str(refused.retry_after)
    return response
