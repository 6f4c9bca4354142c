"""``docs/json.md`` lists every key of every JSON; this program writes its tables anew.

``python -m tests.json_page``
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

from benchmarks.strengths import put_into
from ninefold.playing.state import QuestionView, State
from ninefold.session.commands import Command, RemoteAsk
from ninefold.session.events import Event
from ninefold.text import join_words
from tests.schemas import SHAPES, schema_of

PAGE = Path(__file__).parent.parent / "docs" / "json.md"
GROUPS: Mapping[str, Mapping[str, object]] = {
    "Commands with `--json`": {
        "`ninefold games`": "games",
        "`ninefold solve`, `ninefold why`": "solution",
        "`ninefold map`": "map",
        "`ninefold table`": "targets",
        "`ninefold matchup`": "matchup",
        "`ninefold audit`": "audit",
        "`ninefold tournament`": "tournament",
        "`ninefold review`": "review",
        "`ninefold history`": "history",
        "`ninefold progress`": "progress",
        "`ninefold puzzle`": "puzzle",
    },
    "Records and exports": {
        "a record": "record",
        "a match in an export": "export-match",
        "a learner in an export": "export-learner",
        "an answer in an export": "export-answer",
    },
    "The log of a match": {"": Command},
    "A match on a server": {"the state": State, "a question": QuestionView},
    "What a seat asks a server": {"": RemoteAsk},
    "Events of a server": {"": Event},
}
"""The shapes on the page: by the name of a file in ``docs/schemas``, or themselves."""
EVERYWHERE = ("ninefold", "game", "rules", "total")
"""Keys of which the page says above the tables what they mean."""
LONGEST = 300
"""How long a row may be that takes in the keys of an object."""

Schema = dict[str, Any]
"""A JSON Schema, or a part of one."""


class Reference:
    """A table for each shape, and one for the parts that several shapes have."""

    def __init__(self) -> None:
        self.schemas = {
            title: {
                name: schema_of(SHAPES.get(str(shape), shape))
                for name, shape in group.items()
            }
            for title, group in GROUPS.items()
        }
        self.parts: Schema = {}
        uses: Counter[str] = Counter()
        for schema in chain(*(group.values() for group in self.schemas.values())):
            parts: Any = schema["$defs"]
            self.parts |= parts
            uses.update(_references(schema))
        self.shared = {
            name: part
            for name, part in self.parts.items()
            if uses[name] > 1 and "properties" in part and not _tag(part)
        }

    def write(self) -> str:
        """Write all tables."""
        lines: list[str] = []
        for title, group in self.schemas.items():
            lines += [f"## {title}", ""]
            if "" in group:
                lines += self._union(group[""])
            else:
                lines += ["| key | meaning |", "|---|---|"]
                for name, schema in group.items():
                    lines += self._shape(name, schema, GROUPS[title][name])
            lines.append("")
        lines += ["## Parts", "", "| key | meaning |", "|---|---|"]
        for part in self.shared.values():
            lines += self._object(f"**{part['title']}**", _first_sentence(part), part)
        return "\n".join(lines)

    def _shape(self, name: str, schema: Schema, shape: object) -> Iterator[str]:
        each = "A list. " if "items" in schema else ""
        part = self._follow(schema.get("items", schema))
        link = f" ([schema](schemas/{shape}.json))" if isinstance(shape, str) else ""
        yield from self._part(
            f"**{name}**", f"{each}{_first_sentence(part)}{link}", part
        )

    def _object(
        self, name: str, said: str, part: Schema, path: str = ""
    ) -> Iterator[str]:
        """Yield the row of an object: with its keys, or above theirs if it gets long."""
        keys = []
        for key, value in part["properties"].items():
            meaning = value.get("description", self._kind(value))
            keys.append(f"{_name(part, key)} {_in_brackets(meaning)}".strip())
        row = f"| {name} | {said}: {', '.join(keys)} |"
        if len(row) <= LONGEST:
            yield row
        else:
            yield from self._part(name, said, part, path)

    def _part(
        self, name: str, said: str, part: Schema, path: str = ""
    ) -> Iterator[str]:
        """Yield the row of an object, and one for each key that needs a meaning."""
        plain: list[str] = []
        rows: list[str] = []
        for key, value in part["properties"].items():
            if key in EVERYWHERE and not path:
                continue
            meaning, inner = self._meaning(value), self._own_part(value)
            named = _name(part, key, path)
            if inner is not None:
                rows += self._object(named, meaning, inner, f"{path}{key}.")
            elif meaning == self._kind(value):
                plain.append(f"{_name(part, key)} {_in_brackets(meaning)}".strip())
            else:
                rows.append(f"| {named} | {meaning} |")
        more = f": {', '.join(plain)}{', and' if rows else ''}" if plain else ""
        yield f"| {name} | {said}{more} |"
        yield from rows

    def _union(self, schema: Schema) -> Iterator[str]:
        """Write a table of the shapes that a tag tells apart."""
        members = [self._follow(each) for each in schema["anyOf"]]
        tag = _tag(members[0])
        yield from (f"| `{tag}` | other keys | meaning |", "|---|---|---|")
        for part in members:
            value = part["properties"][tag]["enum"][0]
            keys = {k: v for k, v in part["properties"].items() if k != tag}
            meaning = [f"{_first_sentence(part)}."]
            for key, each in keys.items():
                if "description" in each:
                    meaning.append(f"`{key}`: {each['description']}")
            names = ", ".join(_name(part, key) for key in keys)
            yield f"| `{value}` | {names} | {' '.join(meaning)} |"

    def _own_part(self, value: Schema) -> Schema | None:
        """Return the object in a value, or in its list, if only this shape has it."""
        for name in _references(value):
            part: Schema = self.parts[name]
            if "properties" in part and name not in self.shared and not _tag(part):
                return part
        return None

    def _meaning(self, value: Schema) -> str:
        own = self._own_part(value)
        said = value.get("description", "" if own is None else _first_sentence(own))
        return ". ".join(filter(None, (self._kind(value), said.removesuffix("."))))

    def _kind(self, value: Schema) -> str:
        match value:
            case {"$ref": reference}:
                kind = self._kind_of_part(reference.removeprefix("#/$defs/"))
            case {"anyOf": [first, *_], "discriminator": _}:
                kind = f"object with `{_tag(self._follow(first))}`"
            case {"anyOf": kinds}:
                kind = join_words([self._kind(each) for each in kinds], "or")
            case {"type": "array", "prefixItems": [first, *_]}:
                kind = f"pair of {self._several(first)}"
            case {"type": "array", "items": items}:
                kind = f"list of {self._several(items)}"
            case {"type": "object", "additionalProperties": dict(items)}:
                kind = f"object of {self._several(items)}"
            case _:
                kind = _kind_of_value(value)
        return kind

    def _several(self, value: Schema) -> str:
        kind = self._kind(value)
        first, _, rest = kind.partition(" ")
        return f"{first}s {rest}".strip() if first.isalpha() else kind

    def _kind_of_part(self, name: str) -> str:
        part = self.parts[name]
        if "enum" in part:
            return _kind_of_value(part)
        return f"[{part['title']}](#parts)" if name in self.shared else "object"

    def _follow(self, part: Schema) -> Schema:
        found: Schema = self.parts.get(
            part.get("$ref", "").removeprefix("#/$defs/"), part
        )
        return found


def _in_brackets(meaning: str) -> str:
    """Put what a key means after it, unless its kind is what one expects."""
    is_plain = meaning in ("string", "integer", "number", "boolean", "time")
    return "" if is_plain else f"({meaning.removesuffix('.')})"


def _kind_of_value(value: Schema) -> str:
    match value:
        case {"enum": values}:
            return join_words([f"`{each}`" for each in values], "or")
        case {"type": ["integer", "string"]}:
            return "integer"
        case {"type": "string", "format": "date-time"}:
            return "time"
        case {"type": "string", "pattern": pattern} if "/" in pattern:
            return "fraction"
    return str(value["type"])


def _references(value: object) -> Iterator[str]:
    """Yield the names of the parts that a schema refers to."""
    match value:
        case dict():
            if "$ref" in value:
                yield value["$ref"].removeprefix("#/$defs/")
            for each in value.values():
                yield from _references(each)
        case list():
            for each in value:
                yield from _references(each)


def _tag(part: Schema) -> str:
    """Return the key whose value names a shape; empty if there is none."""
    for key in ("do", "type"):
        if len(part.get("properties", {}).get(key, {}).get("enum", ())) == 1:
            return key
    return ""


def _name(part: Schema, key: str, path: str = "") -> str:
    """Write a key; a question mark says that it may be left out."""
    return f"`{path}{key}`" if key in part["required"] else f"`{path}{key}`?"


def _first_sentence(part: Schema) -> str:
    first = str(part["description"]).partition(". ")[0]
    return first.removesuffix(".")


if __name__ == "__main__":
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(put_into(page, Reference().write()), encoding="utf-8")
