"""The protocol described for machines, from the table of calls and its Structs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import msgspec
from msgspec import Struct

from ninefold import __version__
from ninefold.notation.codec import allow_digits
from ninefold.online.messages import MatchId, Refusal
from ninefold.server.api import Call
from ninefold.server.matches import COOKIE
from ninefold.server.responses import BAD_FORM, NO_SEAT

Json = dict[str, object]

_REFERENCES = "#/components/schemas/{name}"
_ABOUT_STATUS = {
    400: "The form is wrong, or the host.",
    401: "No seat, or the wrong one.",
    403: "Of a foreign origin, or not agreed on.",
    404: "There is no such thing.",
    408: "The request took too long to come.",
    409: "Out of step, or out of turn: with the match as it stands.",
    413: "The request is too large.",
    415: "The request is not JSON.",
    422: "The rules refuse it.",
    429: "Too many requests.",
    503: "It cannot be saved or worked out just now; send the same again.",
}

_ABOUT_QUERY = {
    "after": "The number of the last command that is known; later ones follow.",
    "as": "log for the commands themselves; without it, the state.",
    "game": "The key of a game, or a part that fits only one.",
    "key": "The key of a puzzle.",
    "level": "How hard a puzzle is, 1 to 5; without it, 2.",
    "match_number": "Which match, of rematches; without it, any.",
    "multiplier": "The move that is tried.",
    "multipliers": "As on the command line: 2-9, or 2,3,5; without it, the game's.",
    "number": "Which game of the match; without it, the last that ended.",
    "seed": "The same seed poses the same puzzle again.",
    "start": "Where the total starts; without it, where the game's does.",
    "target": "A whole number; without it, the game's.",
    "total": "The position that is asked about; without it, the start.",
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
            "schemas": _shorten(allow_digits(components)),
            "securitySchemes": {
                "secret": {"type": "http", "scheme": "bearer"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": COOKIE},
            },
        },
    }


def _shorten(schema: object) -> object:
    """Keep the first paragraph of each docstring; the rest is for Python."""
    match schema:
        case list():
            return [_shorten(each) for each in schema]
        case {"description": str(text), **others}:
            first, _, _ = text.partition("\n\n")
            shortened = {key: _shorten(each) for key, each in others.items()}
            return {"description": " ".join(first.split()), **shortened}
        case dict():
            return {key: _shorten(each) for key, each in schema.items()}
    return schema


def _describe(call: Call, named: Mapping[type[Struct], Json]) -> Json:
    kind = "text/event-stream" if call.is_endless else "application/json"
    given = [named[shape] for shape in call.gives]
    schema: Json = given[0] if len(given) == 1 else {"anyOf": given}
    if call.is_endless:
        # OpenAPI 3.1 cannot say what one event of a stream holds.
        schema = {"description": "Server-sent events; the data of each is a Message."}
    answers: Json = {
        str(call.status): {
            "description": call.about,
            "content": {kind: {"schema": schema}},
        }
    }
    for status in sorted({BAD_FORM, *call.refuses}):  # any host may be a wrong one
        answers[str(status)] = {
            "description": _ABOUT_STATUS[status],
            "content": {"application/json": {"schema": named[Refusal]}},
        }
    described: Json = {
        "summary": call.about,
        "operationId": _operation_id(call),
        "parameters": [
            *_path_parameters(call),
            *(_query_parameter(name, call) for name in call.query),
        ],
        "responses": answers,
        "security": _security(call),
    }
    if call.body is not None:
        described["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": named[call.body]}},
        }
    return described


def _operation_id(call: Call) -> str:
    return re.sub(r"\W+", "_", f"{call.method.lower()}{call.path}").strip("_")


def _security(call: Call) -> list[Json]:
    """Say whether a seat is proved: never, or by what; to watch, it need not be."""
    if NO_SEAT not in call.refuses:
        return []
    proofs: list[Json] = [{"secret": []}, {"cookie": []}]
    return proofs if call.body is not None else [*proofs, {}]


def _path_parameters(call: Call) -> list[Json]:
    schema = msgspec.json.schema(MatchId)
    return [
        {"name": name, "in": "path", "required": True, "schema": schema}
        for name in re.findall(r"{(\w+)}", call.path)
    ]


def _query_parameter(name: str, call: Call) -> Json:
    return {
        "name": name,
        "in": "query",
        "required": name in call.required,
        "description": _ABOUT_QUERY[name],
        "schema": {"type": "string"},
    }
