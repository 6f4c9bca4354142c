"""The JSON Schema of each shape, in ``docs/schemas``; this program writes them anew.

``python -m tests.schemas``
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from textwrap import dedent

import msgspec
from msgspec import Struct, field
from msgspec.inspect import type_info
from msgspec.structs import fields, replace

from ninefold.arena.tournament_standings import TournamentView
from ninefold.notation.codec import schema
from ninefold.notation.record_json import RecordShape
from ninefold.store import Learner, StoredAnswer, StoredMatch
from ninefold.views.band_map import MapView
from ninefold.views.history import HistoryRow
from ninefold.views.matchups import AuditView, MatchupView
from ninefold.views.progress import ProgressView
from ninefold.views.review import ReviewView
from ninefold.views.solutions import (
    EndedView,
    PuzzleView,
    RulebookRow,
    SolutionView,
    TargetsView,
)

FOLDER = Path(__file__).parent.parent / "docs" / "schemas"
SHAPES: Mapping[str, object] = {
    "record": RecordShape,
    "games": list[RulebookRow],
    "solution": SolutionView,
    "ended": EndedView,
    "map": MapView,
    "targets": TargetsView,
    "matchup": MatchupView,
    "audit": list[AuditView],
    "review": ReviewView,
    "puzzle": PuzzleView,
    "history": list[HistoryRow],
    "progress": ProgressView,
    "tournament": TournamentView,
    "export-match": StoredMatch,
    "export-learner": Learner,
    "export-answer": StoredAnswer,
}
"""The shapes that stand alone: in a file, on a line of one, as the answer to --json."""
_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema_of(shape: object) -> dict[str, object]:
    """Make the JSON Schema of a shape; the shapes inside it stand under ``$defs``.

    A key is described by the docstring below its field.
    """
    made = _plain(schema(shape))
    parts = made.get("$defs", {})
    assert isinstance(parts, dict)
    for struct in _structs(type_info(shape)):
        name = struct.__name__
        part = parts.get(name) or parts[f"{struct.__module__}.{name}"]
        docs = _field_docs(struct)
        for each in fields(struct):
            if each.name in docs:
                part["properties"][each.encode_name]["description"] = docs[each.name]
    return {"$schema": _DIALECT, **made}


def _structs(info: object) -> Iterator[type[Struct]]:
    """Yield every Struct in a type, each once."""
    found: dict[type[Struct], None] = {}
    todo: list[object] = [info]
    while todo:
        each = todo.pop()
        if isinstance(each, msgspec.inspect.StructType):
            if each.cls in found:
                continue
            found[each.cls] = None
        if isinstance(each, (msgspec.inspect.Type, msgspec.inspect.Field)):
            todo += (getattr(each, name) for name in each.__struct_fields__)
        elif isinstance(each, tuple):
            todo += each
    yield from found


def _field_docs(struct: type[Struct]) -> dict[str, str]:
    """Return the docstrings below the fields of a Struct and its bases, as JSON says it."""
    docs: dict[str, str] = {}
    for base in reversed(struct.__mro__):
        if not base.__module__.startswith("ninefold"):
            continue
        (tree,) = ast.parse(dedent(inspect.getsource(base))).body
        assert isinstance(tree, ast.ClassDef)
        for each, below in pairwise(tree.body):
            match each, below:
                case (
                    ast.AnnAssign(target=ast.Name(id=name)),
                    ast.Expr(value=ast.Constant(value=str(doc))),
                ):
                    plain = " ".join(doc.split()).replace("``", "`")
                    plain = re.sub(r"(?:^|(?<=\. ))None\b", "Null", plain)
                    docs[name] = re.sub(r"\bNone\b", "null", plain)
    return docs


def _plain(content: dict[str, object]) -> dict[str, object]:
    """Write titles without "Shape" and "View", and docstrings as one line, without examples.

    Their indentation depends on the version of Python.
    """
    plain: dict[str, object] = {}
    for key, value in content.items():
        if isinstance(value, dict):
            plain[key] = _plain(value)
        elif key == "title":
            plain[key] = str(value).removesuffix("Shape").removesuffix("View")
        elif key == "description":
            plain[key] = " ".join(str(value).partition(">>>")[0].split())
        else:
            plain[key] = value
    return plain


def load_schema(name: str) -> Schema:
    """Load a schema that docs show, to check values by it."""
    return msgspec.json.decode((FOLDER / f"{name}.json").read_bytes(), type=Schema)


def write_schema(shape: object) -> str:
    """Write the JSON Schema of a shape as its file holds it."""
    content = msgspec.json.encode(schema_of(shape))
    return msgspec.json.format(content, indent=2).decode() + "\n"


class Schema(Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """The part of JSON Schema that the shapes use; another keyword is refused."""

    dialect: str = field(name="$schema", default="")
    definitions: dict[str, Schema] = field(name="$defs", default_factory=dict)
    reference: str | None = field(name="$ref", default=None)
    title: str = ""
    description: str = ""
    default: object = None
    type: str | list[str] | None = None
    enum: list[object] | None = None
    any_of: list[Schema] | None = None
    pattern: str = ""
    format: str = ""
    items: Schema | bool = True
    prefix_items: list[Schema] = []
    min_items: int = 0
    max_items: int | None = None
    properties: dict[str, Schema] = {}
    required: list[str] = []
    additional_properties: Schema | bool = True
    minimum: float = float("-inf")
    maximum: float = float("inf")
    discriminator: object = None

    def accepts(self, value: object, inside: Schema | None = None) -> bool:
        """Whether a JSON value is what this schema, or a part of another, describes."""
        top = inside or self
        if self.reference is not None:
            part = top.definitions[self.reference.removeprefix("#/$defs/")]
            return part.accepts(value, top)
        if self.any_of is not None:
            return any(each.accepts(value, top) for each in self.any_of)
        if self.enum is not None:
            return value in self.enum and not isinstance(value, bool)
        if isinstance(self.type, list):
            each = (replace(self, type=kind) for kind in self.type)
            return any(part.accepts(value, top) for part in each)
        return self._accepts_type(value, top)

    def _accepts_type(self, value: object, top: Schema) -> bool:
        match self.type, value:
            case ("string", str()):
                return re.search(self.pattern, value) is not None
            case ("array", list()):
                return self._accepts_array(value, top)
            case ("object", dict()):
                return self._accepts_object(value, top)
            case ("boolean" | "integer", bool() | int()):
                return isinstance(value, bool) is (self.type == "boolean")
            case ("number", int() | float()):
                return self.minimum <= value <= self.maximum
        return self.type == "null" and value is None

    def _accepts_array(self, value: list[object], top: Schema) -> bool:
        first, rest = self.prefix_items, value[len(self.prefix_items) :]
        return (
            len(value) >= self.min_items
            and all(
                part.accepts(each, top)
                for part, each in zip(first, value, strict=False)
            )
            and all(_accepts(self.items, each, top) for each in rest)
        )

    def _accepts_object(self, value: dict[str, object], top: Schema) -> bool:
        others = value.keys() - self.properties.keys()
        return (
            value.keys() >= set(self.required)
            and all(
                _accepts(self.additional_properties, value[key], top) for key in others
            )
            and all(
                self.properties[key].accepts(value[key], top)
                for key in value.keys() - others
            )
        )


def _accepts(part: object, value: object, top: Schema) -> bool:
    """Whether a part accepts a value: true accepts every value, false none."""
    return part.accepts(value, top) if isinstance(part, Schema) else part is True


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, shape in SHAPES.items():
        (FOLDER / f"{name}.json").write_text(write_schema(shape), encoding="utf-8")
