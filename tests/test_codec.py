from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Annotated, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta, Struct

from ninefold import RecordError, Seat
from ninefold.notation.codec import decode, encode

Number = Annotated[
    int | Annotated[str, Meta(pattern=r"^-?[0-9]{1,2000}$(?!\n)")],
    Meta(title="a whole number of at most 2,000 digits"),
]
Name = Annotated[str, Meta(max_length=3, title="a name of at most 3 characters")]


class Moved(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind"):
    multiplier: Number


class Undone(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind"):
    by: Seat


class Everything(Struct, frozen=True, forbid_unknown_fields=True):
    """A shape with a field of each kind, so that each sentence can be seen."""

    yes: bool = True
    whole: int = 0
    share: float = 0.5
    text: str = ""
    name: Name = ""
    noted: Annotated[str, Meta(description="A remark.")] = ""
    at: Annotated[datetime, Meta(tz=True)] | None = None
    by: Seat | None = None
    way: Literal["up", "down"] = "up"
    number: Number = 0
    numbers: list[Number] = []
    few: Annotated[list[Name], Meta(max_length=2, title="a list of at most 2")] = []
    pair: tuple[Name, Name] = ("", "")
    log: tuple[Moved | Undone, ...] = ()
    inner: dict[str, Moved] = {}
    options: dict[str, object] = {}


class Needed(Struct, frozen=True):
    key: int
    part: Moved


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ({"yes": 1}, "yes: expected true or false"),
        ({"whole": 1.0}, "whole: expected a whole number"),
        ({"share": "1"}, "share: expected a number"),
        ({"text": 5}, "text: expected text"),
        ({"name": 5}, "name: expected a name of at most 3 characters"),
        ({"name": "four"}, "name: expected a name of at most 3 characters"),
        ({"noted": None}, "noted: expected text"),
        ({"at": 5}, "at: expected a time such as 2026-01-31T09:30:00Z or null"),
        ({"at": "soon"}, "at: expected a time such as 2026-01-31T09:30:00Z or null"),
        ({"at": "2026-01-31T09:30:00"}, "at: expected a time such as 2026-01-31T09:30"),
        (
            {"at": "0000-01-31T09:30:00Z"},
            "at: expected a time such as 2026-01-31T09:30",
        ),
        ({"by": 3}, "by: expected 1, 2 or null"),
        ({"by": True}, "by: expected 1, 2 or null"),
        ({"way": "left"}, "way: expected down or up"),
        ({"way": ["up"]}, "way: expected down or up"),
        ({"number": "5x"}, "number: expected a whole number of at most 2,000 digits"),
        ({"number": "\u0665"}, "number: expected a whole number of at most 2,000"),
        ({"numbers": 5}, "numbers: expected a list"),
        ({"numbers": [5, "5", None]}, "numbers[2]: expected a whole number of at most"),
        ({"few": ["a", "b", "c"]}, "few: expected a list of at most 2"),
        ({"few": [5]}, "few[0]: expected a name of at most 3 characters"),
        ({"pair": ["Ada"]}, "pair: expected a list of 2"),
        ({"pair": ["Ada", 5]}, "pair[1]: expected a name of at most 3 characters"),
        ({"log": {}}, "log: expected a list"),
        ({"log": [5]}, "log[0]: expected an object, in braces"),
        ({"log": [{}]}, "log[0].kind: this key is missing"),
        ({"log": [{"kind": "Lost"}]}, "log[0].kind: expected Moved or Undone"),
        ({"log": [{"kind": 5}]}, "log[0].kind: expected Moved or Undone"),
        ({"log": [{"kind": "Undone", "by": 0}]}, "log[0].by: expected 1 or 2"),
        ({"log": [{"kind": "Undone"}]}, "log[0].by: this key is missing"),
        ({"inner": []}, "inner: expected an object, in braces"),
        ({"inner": {"a": {"x": 1}}}, "inner[...].x: unknown key"),
        (
            {"inner": {"a": {"multiplier": []}}},
            "inner[...].multiplier: expected a whole",
        ),
        ({"unheard": 1}, "unheard: unknown key"),
        ({"a\x1bb": 1}, r"a\x1bb: unknown key"),
        ({"k" * 999: 1}, f"{'k' * 24}... (999 characters): unknown key"),
        ({"": 1}, "line 1: unknown key"),
        ([], "line 1: expected an object, in braces"),
        (None, "line 1: expected an object, in braces"),
    ],
)
def test_the_sentence_names_the_key_and_what_belongs_there(
    content: object, sentence: str
) -> None:
    with pytest.raises(RecordError) as caught:
        decode(json.dumps(content), Everything)
    assert str(caught.value).startswith(sentence)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "line 1, column 1: this is not JSON: it ends too early"),
        ("  \n", "line 2, column 1: this is not JSON: it ends too early"),
        ('{"text": "a', "line 1, column 12: this is not JSON: it ends too early"),
        ('{"text": "é" 5}', "line 1, column 14: this is not JSON: expected ',' or '}'"),
        ('{"text":\n "é", yes}', "line 2, column 7: this is not JSON: object keys"),
        ("{yes: 1}", "line 1, column 2: this is not JSON: object keys must be strings"),
        ('{"yes": true,}', "line 1, column 14: this is not JSON: trailing comma in"),
        ('{"whole": 01}', "line 1, column 12: this is not JSON: invalid number"),
        ('{"whole": -}', "line 1, column 12: this is not JSON: invalid character"),
        ('{"share": NaN}', "line 1, column 11: this is not JSON: invalid character"),
        ('{"text": "\x01"}', "line 1, column 11: this is not JSON: invalid character"),
        ('{"text": "\\q"}', "line 1, column 13: this is not JSON: invalid escape"),
        ('{"text": "\\ud800 and more"}', "line 1, column 17: this is not JSON: unexp"),
        ('{"whole": 1} 5', "line 1, column 15: this is not JSON: trailing characters"),
        ("\ufeff{}", "line 1, column 1: this is not JSON: invalid character"),
        ("'" * 10**6, "line 1, column 1: this is not JSON: invalid character"),
        ("\n" * 10**6 + "x", "line 1000001, column 1: this is not JSON: invalid"),
        ('{"text": "\ud800"}', "line 1, column 11: this is not UTF-8 text"),
        (b'{"text":\n"\xc3\xa9\xff"}', "line 2, column 3: this is not UTF-8 text"),
        (b'{"\xff": 1}', "line 1, column 3: this is not UTF-8 text"),
        (f'{{"whole": {"9" * 5000}}}', "whole: expected a whole number"),
        (f'{{"number": {"9" * 5000}}}', "number: expected a whole number of at most"),
        ('{"share": 1e999}', "share: expected a number"),
        (f'{{"options": {{"a": {"9" * 5000}}}}}', "options[...]: Integer value out of"),
        (f'{{"options": {{"a": {"[" * 10**5}', "line 1: this is nested too deeply for"),
        (f'{{"text": {"[" * 10**5}', "text: expected text"),
        ("[" * 10**5, "line 1: expected an object, in braces"),
    ],
)
def test_the_sentence_names_the_line_and_column_of_what_is_no_json(
    content: str | bytes, sentence: str
) -> None:
    with pytest.raises(RecordError) as caught:
        decode(content, Everything)
    assert str(caught.value).startswith(sentence)


def test_a_missing_key_is_named_with_the_way_to_it() -> None:
    with pytest.raises(RecordError, match=r"^key: this key is missing$"):
        decode("{}", Needed)
    with pytest.raises(RecordError, match=r"^part\.multiplier: this key is missing$"):
        decode('{"key": 1, "part": {"kind": "Moved"}}', Needed)


def test_every_value_survives_json() -> None:
    noon = datetime(2026, 1, 31, 12, tzinfo=UTC)
    shape = Everything(at=noon, by=Seat.TWO, log=(Moved(5), Undone(Seat.ONE)))
    text = encode(shape)
    assert '"at": "2026-01-31T12:00:00Z", "by": 2' in text
    assert decode(text, Everything) == decode(text.encode(), Everything) == shape


@given(st.text() | st.binary())
def test_any_invalid_content_is_rejected_with_a_place(content: str | bytes) -> None:
    with pytest.raises(RecordError) as caught:
        decode(content, Needed)
    assert caught.value.place.startswith("line ")
