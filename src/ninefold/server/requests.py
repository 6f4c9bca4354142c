"""Reads requests: JSON bodies, queries, the match in a path."""

from __future__ import annotations

from typing import TypeVar

from msgspec import Struct
from starlette.requests import ClientDisconnect, Request

from ninefold.errors import UnknownMatch
from ninefold.notation.codec import decode
from ninefold.server.responses import (
    BAD_FORM,
    TOO_LARGE,
    TOO_SLOW,
    WRONG_TYPE,
    HttpRefusal,
)
from ninefold.server.seats import is_match_id

Body = TypeVar("Body", bound=Struct)


LARGEST_BODY = 4 * 1024
LARGEST_BODY_OF_A_CLASS = 64 * 1024
"""A round names every pupil, a roster has all names, and a name may be a joke."""
_LONGEST_NUMBER = 9


def match_id_of(request: Request) -> str:
    """Return the id in the path; raise ``UnknownMatch`` if it is malformed."""
    match_id = str(request.path_params["id"])
    if not is_match_id(match_id):
        raise UnknownMatch(match_id)
    return match_id


async def read_body(
    request: Request, shape: type[Body], largest: int = LARGEST_BODY
) -> Body:
    """Decode the JSON of a request; refuse one that is too large or too slow."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        detail = "send JSON, with Content-Type: application/json"
        raise HttpRefusal(WRONG_TYPE, "not_json", detail)
    body = bytearray()
    try:
        async for part in request.stream():
            body += part
            if len(body) > largest:
                detail = f"the request is larger than {largest:,} bytes"
                raise HttpRefusal(TOO_LARGE, "too_large", detail)
    except TimeoutError:  # from ``SecurityMiddleware``, which bounds every body
        detail = "the request took too long; send it again"
        raise HttpRefusal(TOO_SLOW, "too_slow", detail) from None
    except ClientDisconnect:
        raise HttpRefusal(BAD_FORM, "form", "the request ended too early") from None
    return decode(bytes(body), shape)


def wants_log(request: Request) -> bool:
    """Whether the client wants commands instead of the state."""
    form = request.query_params.get("as")
    if form not in (None, "log"):
        detail = "as: expected log, or nothing for the state"
        raise HttpRefusal(BAD_FORM, "form", detail)
    return form == "log"


def read_number(request: Request, name: str, header: str = "") -> int | None:
    """Read a number from a header if it is sent, else from the query."""
    given = request.headers.get(header) or request.query_params.get(name)
    if not given:
        return None
    if len(given) > _LONGEST_NUMBER or not given.isascii() or not given.isdigit():
        detail = f"{name}: expected a whole number"
        raise HttpRefusal(BAD_FORM, "form", detail)
    return int(given)


def read_query(request: Request, names: tuple[str, ...]) -> dict[str, str | None]:
    """Read a query; refuse other names, and a name given twice."""
    given = request.query_params
    unknown = [name for name in given if name not in names]
    if unknown or len(given.multi_items()) != len(given):
        detail = f"allowed query parameters, each at most once: {', '.join(names)}"
        raise HttpRefusal(BAD_FORM, "form", detail)
    return {name: given.get(name) or None for name in names}
