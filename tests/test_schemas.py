from __future__ import annotations

import pytest

from tests.schemas import FOLDER, SHAPES, load_schema, write_schema


@pytest.mark.parametrize("name", SHAPES)
def test_the_schema_in_docs_is_current(name: str) -> None:
    written = (FOLDER / f"{name}.json").read_text(encoding="utf-8")
    assert written == write_schema(SHAPES[name]), "run: python -m tests.schemas"
    assert not load_schema(name).accepts({"unheard": "of"})


def test_docs_hold_no_schema_of_a_shape_that_is_gone() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(SHAPES)
