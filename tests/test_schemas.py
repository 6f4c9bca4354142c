from __future__ import annotations

import pytest

from benchmarks.strengths import put_into
from tests.json_page import PAGE, Reference
from tests.schemas import FOLDER, SHAPES, load_schema, write_schema


@pytest.mark.parametrize("name", SHAPES)
def test_the_schema_in_docs_is_current(name: str) -> None:
    written = (FOLDER / f"{name}.json").read_text(encoding="utf-8")
    assert written == write_schema(SHAPES[name]), "run: python -m tests.schemas"
    assert not load_schema(name).accepts({"unheard": "of"})


def test_docs_hold_no_schema_of_a_shape_that_is_gone() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(SHAPES)


def test_the_page_of_every_key_is_current() -> None:
    page = PAGE.read_text(encoding="utf-8")
    current = put_into(page, Reference().write())
    assert page == current, "run: python -m tests.json_page"


def test_the_page_of_every_key_has_every_schema() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert {name for name in SHAPES if f"](schemas/{name}.json)" not in page} == set()
