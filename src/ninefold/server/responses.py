"""Answers and refusals as responses."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, Struct
from starlette.responses import Response

from ninefold.online.wire import Refusal, State
from ninefold.server.refusals import Refused


def answer(body: Struct, status: int = 200) -> Response:
    """Answer with JSON."""
    return Response(
        msgspec.json.encode(body),
        status,
        {"cache-control": "no-store"},
        "application/json",
    )


def refuse(refused: Refused, state: State | None = None) -> Response:
    """Answer with a refusal, and with the match as it stands where there is one."""
    body = Refusal(
        error=refused.error,
        detail=refused.detail,
        state=UNSET if state is None else state,
        multipliers=UNSET if refused.multipliers is None else refused.multipliers,
        question=UNSET if refused.question is None else refused.question,
    )
    response = answer(body, refused.status)
    if refused.retry_after is not None:
        response.headers["retry-after"] = str(refused.retry_after)
    return response
