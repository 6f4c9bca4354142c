"""The description for machines is true: requests made from it are answered by it.

Requests are made at random from ``/openapi.json``, most of them about matches that
are being played, by the seat that is to move. No answer may be a failure, have a
status that is not described, or a body that its schema refuses.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import APIOperation, Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.server.asgi import Person, Site
from tests.servers import make_server

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
DUEL = "multiplication-duel"

Operation = APIOperation[Any, Any, Any, Any]
Requested = Case[Any]


def described() -> dict[str, object]:
    with Site(make_server().application()) as site:
        return site.get("/openapi.json").json


SCHEMA = schemathesis.openapi.from_dict(described())
OPERATIONS: list[Operation] = [
    found.ok() for found in SCHEMA.get_all_operations() if isinstance(found, Ok)
]


class Players:
    """Matches that are being played, made anew as they end."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.asked = 0
        lessons = {"coach": True, "hints": True, "mental": True}
        length = {"count": "best of", "number": 3}
        self._pair = site.pair(game=DUEL, lessons=lessons, length=length)

    def somebody(self, seat: int) -> Person:
        state = self._pair[0].state
        if state["match_over"]:
            self._pair = self.site.pair(game=DUEL)
        return self._pair[seat - 1]


@pytest.fixture(scope="module")
def players() -> Iterator[Players]:
    with Site(make_server().application()) as site:
        yield Players(site)


def ask(players: Players, case: Requested, seat: int | None, *, in_step: bool) -> None:
    """Ask as described, and hold the answer to the description."""
    headers = {}
    if seat is not None:
        person = players.somebody(seat)
        if "id" in case.path_parameters:
            case.path_parameters["id"] = person.match
            headers["Authorization"] = f"Bearer {person.secret}"
        if in_step and isinstance(case.body, dict) and "seq" in case.body:
            case.body["seq"] = int(str(person.state["seq"]))
    sent = requests.Request(
        **case.as_transport_kwargs(base_url="http://localhost", headers=headers)
    ).prepare()
    url = urlsplit(str(sent.url))
    body = sent.body or b""
    assert isinstance(body, bytes | str)
    answer = players.site.ask(
        str(sent.method),
        f"{url.path}?{url.query}",
        body.encode() if isinstance(body, str) else body,
        [(name.lower(), str(value)) for name, value in sent.headers.items()],
        breaks_off=url.path.endswith("/events"),
    )
    players.asked += 1
    response = httpx.Response(
        answer.status,
        headers=answer.headers,
        content=answer.body,
        request=httpx.Request(str(sent.method), str(sent.url)),
    )
    response.elapsed = timedelta(0)
    case.validate_response(response, checks=CHECKS)


def check(players: Players, operation: Operation, examples: int) -> None:
    right, wrong = (
        operation.as_strategy(generation_mode=mode)
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
    )

    @settings(
        max_examples=examples,
        derandomize=True,
        database=None,
        phases=[Phase.generate],  # to make it small takes longer than to read it
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.one_of(right, wrong), st.sampled_from([1, 2, 1, 2, None]), st.booleans())
    def asked(case: Requested, seat: int | None, in_step: bool) -> None:
        ask(players, case, seat, in_step=in_step)

    before = players.asked
    asked()
    assert players.asked > before


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda found: found.label)
def test_responses_conform_to_the_openapi_description(
    players: Players, operation: Operation
) -> None:
    check(players, operation, 12)


@pytest.mark.prove
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda found: found.label)
def test_responses_conform_to_the_openapi_description_at_length(
    players: Players, operation: Operation
) -> None:
    check(players, operation, 300)
