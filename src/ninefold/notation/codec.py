"""Values to JSON and back: the codec of records, stores, exports and the wire.

msgspec decodes, validates and encodes. This module adds two rules. A whole number of
more than 15 digits is written as a string of digits, because many readers of JSON
round longer numbers silently; where a whole number belongs, either form is read. A
fraction is written as a string such as "3/5".

Errors become a ``RecordError``, whose sentence names the line and column, or the key,
and what belongs there: the title of the field's type, if it has one, else the type in
words. So a type with a constraint needs a title, which completes "expected ...". An
error raised while a value is made (any ``NinefoldError``) keeps its own sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from fractions import Fraction
from functools import cache
from typing import Annotated, TypeAlias, TypeVar

import msgspec
from msgspec import Meta, inspect

from ninefold.errors import NinefoldError, RecordError
from ninefold.rules import MOST_TOTAL_DIGITS
from ninefold.text import excerpt, is_digits, join_words

Value = TypeVar("Value")
Time: TypeAlias = Annotated[
    datetime, Meta(tz=True, title="a time such as 2026-01-31T09:30:00Z")
]

_FIRST_LONG_NUMBER = 10**15
_DIGITS_AS_ZEROS = bytes.maketrans(b"123456789", b"000000000")
_LONG_RUN = b"0" * 16

_DIGITS = f"^-?[0-9]{{1,{MOST_TOTAL_DIGITS}}}$"
_FRACTION = "^[0-9]+(/[0-9]+)?$"
_PLACED = re.compile(r"(?P<problem>.*) - at `\$(?P<path>[^`]*)`", re.DOTALL)
_STEP = re.compile(r"\.(?P<key>[^.\[]+)|\[[^\]]+\]")
_MISSING = re.compile(r"Object missing required field `(?P<key>.*)`", re.DOTALL)
_UNKNOWN = re.compile(r"Object contains unknown field `(?P<key>.*)`", re.DOTALL)
_MALFORMED = re.compile(r"JSON is malformed: (?P<problem>.*) \(byte (?P<byte>\d+)\)")
_WORDS: dict[type[inspect.Type], str] = {
    inspect.BoolType: "true or false",
    inspect.DateTimeType: "a time such as 2026-01-31T09:30:00Z",
    inspect.DictType: "an object, in braces",
    inspect.FloatType: "a number",
    inspect.IntType: "a whole number",
    inspect.ListType: "a list",
    inspect.NoneType: "null",
    inspect.StrType: "text",
    inspect.StructType: "an object, in braces",
    inspect.VarTupleType: "a list",
}


def encode(value: object) -> str:
    """Write a value as JSON on one line, with a blank after each comma and colon.

    >>> encode([180, 10**16, Fraction(3, 5)])
    '[180, "10000000000000000", "3/5"]'
    """
    return msgspec.json.format(encode_bytes(value), indent=0).decode()


def encode_bytes(value: object) -> bytes:
    """Write a value as compact JSON."""
    written = msgspec.json.encode(value, enc_hook=_fraction_as_text)
    # Few values hold a long number, and walking through all of them takes ten times as
    # long. Digits after a point belong to a float.
    zeros = written.translate(_DIGITS_AS_ZEROS).replace(b"." + _LONG_RUN, b"")
    if _LONG_RUN not in zeros:
        return written
    plain = msgspec.to_builtins(value, enc_hook=_fraction_as_text)
    return msgspec.json.encode(_long_numbers_as_text(plain))


def _fraction_as_text(value: object) -> str:
    if isinstance(value, Fraction):
        return str(value)
    raise NotImplementedError


def _long_numbers_as_text(value: object) -> object:
    match value:
        case dict():
            return {key: _long_numbers_as_text(each) for key, each in value.items()}
        case list() | tuple():
            return [_long_numbers_as_text(each) for each in value]
        case int() if abs(value) >= _FIRST_LONG_NUMBER:
            return str(value)
    return value


def decode(content: str | bytes, kind: type[Value]) -> Value:
    """Read a value from JSON; a ``RecordError`` names the place of what is wrong.

    Of a repeated key the last one counts.
    """
    data = content
    if isinstance(data, str):
        data = data.encode(errors="surrogatepass")  # rejected below, with its place
    try:
        data.decode()  # msgspec reads a string only where a type asks for it
        return _decode(data, kind)
    except msgspec.ValidationError as error:
        raise _invalid(error, kind) from None
    except msgspec.DecodeError as error:
        raise _malformed(str(error), data) from None
    except UnicodeDecodeError as error:
        place, problem = _position(data, error.start), "this is not UTF-8 text"
        raise RecordError(place, problem) from None
    except RecursionError:
        place, problem = "line 1", "this is nested too deeply for a record"
        raise RecordError(place, problem) from None


def _decode(data: bytes, kind: type[Value]) -> Value:
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.ValidationError as error:
        try:
            plain = msgspec.json.decode(data)
        except (msgspec.ValidationError, RecursionError):
            raise error from error.__cause__  # a long number, or deep nesting
        return msgspec.convert(_with_numbers(plain, kind), kind)


def _with_numbers(value: object, kind: type) -> object:
    return _text_as_numbers(value, _type_info(kind))


@cache
def _type_info(kind: type) -> inspect.Type:
    return inspect.type_info(kind)


def _text_as_numbers(value: object, kind: inspect.Type) -> object:
    """Read strings of digits as numbers where the type has whole numbers."""
    match value, kind:
        case str(), inspect.IntType() if _is_number(value):
            return int(value)
        case str(), inspect.Metadata():
            return _text_as_numbers(value, kind.type)
        case str(), inspect.UnionType() if not _takes_text(kind):
            for each in kind.types:
                value = _text_as_numbers(value, each)
        case dict(), inspect.UnionType():
            for each in kind.types:
                if _may_be(value, each):
                    return _text_as_numbers(value, each)
        case dict(), _:
            found = [(key, [*_types_in(kind, key)]) for key in value]
            return {key: _read_inside(value[key], kinds) for key, kinds in found}
        case list(), _:
            kinds = [*_types_in(kind, None)]
            return [_read_inside(each, kinds) for each in value]
    return value


def _read_inside(value: object, kinds: list[inspect.Type]) -> object:
    for kind in kinds:
        value = _text_as_numbers(value, kind)
    return value


def _may_be(value: dict[str, object], kind: inspect.Type) -> bool:
    """Whether an object may be of a type, judged by its tag if the type has one."""
    if not isinstance(kind, inspect.StructType):
        return isinstance(kind, inspect.DictType)
    return kind.tag_field is None or value.get(kind.tag_field) == kind.tag


def _takes_text(kind: inspect.UnionType) -> bool:
    return any(isinstance(each, inspect.StrType) for each in kind.types)


def _is_number(text: str) -> bool:
    digits = text.removeprefix("-")
    return is_digits(digits) and len(digits) <= MOST_TOTAL_DIGITS


def schema(kind: object) -> dict[str, object]:
    """Return the JSON Schema of a type: a whole number may be a string of digits."""
    parts = msgspec.json.schema(kind, schema_hook=_schema_of_fraction).items()
    return {key: _allow_digits(part) for key, part in parts}


def schemas(
    kinds: Iterable[object], references: str
) -> tuple[tuple[dict[str, object], ...], dict[str, object]]:
    """Return a JSON Schema for each of several types, and the parts that they share.

    ``references`` is the template of a reference to a part: ``#/parts/{name}``.
    """
    found, parts = msgspec.json.schema_components(
        kinds, schema_hook=_schema_of_fraction, ref_template=references
    )
    return found, {name: _allow_digits(part) for name, part in parts.items()}


def _schema_of_fraction(kind: type) -> dict[str, object]:
    if kind is Fraction:
        return {"type": "string", "pattern": _FRACTION}
    raise NotImplementedError


def _allow_digits(part: object) -> object:
    """Return a JSON Schema in which whole numbers may be strings of digits."""
    match part:
        case list():
            return [_allow_digits(each) for each in part]
        case {"type": "integer", **others}:
            return {"type": ["integer", "string"], "pattern": _DIGITS, **others}
        case dict():
            return {key: _allow_digits(each) for key, each in part.items()}
    return part


def _malformed(message: str, data: bytes) -> RecordError:
    found = _MALFORMED.fullmatch(message)
    if found is None:  # the only other one says that the data was truncated
        place, problem = _position(data, len(data)), "it ends too early"
    else:
        place, problem = _position(data, int(found["byte"])), found["problem"]
    return RecordError(place, f"this is not JSON: {problem}")


def _position(data: bytes, byte: int) -> str:
    """Return the line and column of a byte."""
    line = data.count(b"\n", 0, byte) + 1
    before = data[data.rfind(b"\n", 0, byte) + 1 : byte]
    return f"line {line}, column {len(before.decode(errors='replace')) + 1}"


def _invalid(error: msgspec.ValidationError, kind: type) -> RecordError:
    path, problem = "", str(error)
    if placed := _PLACED.fullmatch(problem):
        path, problem = placed["path"], placed["problem"]
    cause = error.__cause__
    if isinstance(cause, RecordError):
        return RecordError(_place(path, cause.place), cause.problem)
    if isinstance(cause, NinefoldError):
        return RecordError(_place(path), str(cause))
    if missing := _MISSING.fullmatch(problem):
        return RecordError(_place(path, missing["key"]), "this key is missing")
    if unknown := _UNKNOWN.fullmatch(problem):
        key = excerpt(unknown["key"])
        return RecordError(_place(path, key), "unknown key")
    expected = _in_words(_types_at(_type_info(kind), path))
    # Some places allow any value; only its size can be wrong there.
    problem = f"expected {expected}" if expected else excerpt(problem)
    return RecordError(_place(path), problem)


def _place(path: str, key: str = "") -> str:
    return f"{path}.{key}".strip(".") or "line 1"


def _types_at(top: inspect.Type, path: str) -> list[inspect.Type]:
    """Return the types at a path of keys into a type: several for a union."""
    found = [top]
    for step in _STEP.finditer(path):
        found = [inner for outer in found for inner in _types_in(outer, step["key"])]
    return found


def _types_in(outer: inspect.Type, key: str | None) -> Iterator[inspect.Type]:
    """Yield the types of a key; without a key, those of the items."""
    match outer:
        case inspect.Metadata():
            yield from _types_in(outer.type, key)
        case inspect.UnionType():
            for each in outer.types:
                yield from _types_in(each, key)
        case inspect.StructType():
            if key == outer.tag_field:
                yield inspect.LiteralType((outer.tag,))
            yield from (each.type for each in outer.fields if each.encode_name == key)
        case inspect.TupleType():
            yield from outer.item_types
        case inspect.ListType() | inspect.VarTupleType():
            yield outer.item_type
        case inspect.DictType():
            yield outer.value_type


def _in_words(types: Iterable[inspect.Type]) -> str:
    """Describe the types allowed at a place: ``1, 2 or null``."""
    words = dict.fromkeys(word for each in types for word in _alternatives(each))
    return join_words([*words], "or")


def _alternatives(kind: inspect.Type) -> Iterator[str]:
    match kind:
        case inspect.Metadata(extra_json_schema={"title": str(title)}):
            yield title
        case inspect.Metadata():
            yield from _alternatives(kind.type)
        case inspect.UnionType():
            for each in kind.types:
                yield from _alternatives(each)
        case inspect.EnumType():
            yield from (str(member.value) for member in kind.cls)
        case inspect.LiteralType():
            yield from map(str, kind.values)
        case inspect.TupleType():
            yield f"a list of {len(kind.item_types)}"
        case _ if type(kind) in _WORDS:
            yield _WORDS[type(kind)]
