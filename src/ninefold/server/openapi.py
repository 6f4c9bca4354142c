"""The protocol described for machines, from the table of calls and its Structs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import msgspec
from msgspec import Struct

from ninefold import __version__
from ninefold.online.wire import Refusal
from ninefold.server.calls import Call, Stream

Json = dict[str, object]

_REFERENCES = "#/components/schemas/{name}"
_ABOUT_STATUS = {
    400: "The form is wrong.",
    401: "No seat, or the wrong one.",
    403: "Of a foreign origin, or not agreed on.",
    404: "There is no such thing.",
    408: "The request took too long to come.",
    409: "Out of step, or out of turn: with the match as it stands.",
    413: "The request is too large.",
    415: "The request is not JSON.",
    422: "The rules refuse it.",
    429: "Too many requests.",
    503: "It cannot be kept or worked out just now; nothing was done.",
}


def describe(calls: Iterable[Call]) -> Json:
    """Describe calls as OpenAPI 3.1."""
    calls = list(calls)
    shapes: list[type[Struct]] = [Refusal]
    for call in calls:
        shapes += [*call.gives, *([call.body] if call.body else [])]
    shapes = list(dict.fromkeys(shapes))
    schemas, components = msgspec.json.schema_components(
        shapes, ref_template=_REFERENCES
    )
    named = dict(zip(shapes, schemas, strict=True))
    paths: dict[str, Json] = {}
    for call in calls:
        paths.setdefault(call.path, {})[call.method.lower()] = _describe(call, named)
    return {
        "openapi": "3.1.0",
        "info": {"title": "ninefold", "version": __version__},
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"seat": {"type": "http", "scheme": "bearer"}},
        },
    }


def _describe(call: Call, named: Mapping[type[Struct], Json]) -> Json:
    streams = isinstance(call.handler, Stream)
    kind = "text/event-stream" if streams else "application/json"
    given = [named[shape] for shape in call.gives]
    schema: Json = given[0] if len(given) == 1 else {"anyOf": given}
    if streams:
        schema = {"type": "string", "description": "Each data line is a Message."}
    answers: Json = {
        str(call.status): {
            "description": call.about,
            "content": {kind: {"schema": schema}},
        }
    }
    for status in call.refuses:
        answers[str(status)] = {
            "description": _ABOUT_STATUS[status],
            "content": {"application/json": {"schema": named[Refusal]}},
        }
    described: Json = {
        "summary": call.about,
        "operationId": _operation_id(call),
        "parameters": [*_path_parameters(call), *map(_query_parameter, call.query)],
        "responses": answers,
        "security": [{"seat": []}, {}],
    }
    if call.body is not None:
        described["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": named[call.body]}},
        }
    return described


def _operation_id(call: Call) -> str:
    return re.sub(r"\W+", "_", f"{call.method.lower()}{call.path}").strip("_")


def _path_parameters(call: Call) -> list[Json]:
    return [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in re.findall(r"{(\w+)}", call.path)
    ]


def _query_parameter(name: str) -> Json:
    return {"name": name, "in": "query", "schema": {"type": "string"}}
