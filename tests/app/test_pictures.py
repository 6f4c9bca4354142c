from __future__ import annotations

from pathlib import Path

import pytest

from tests.app.pictures import IN_DOCS, SHOWN_IN_DOCS, SNAPSHOTS, draw, names


@pytest.mark.parametrize("name", list(names()))
def test_the_picture_of_each_screen_is_current(name: str, tmp_path: Path) -> None:
    drawn = draw(name, tmp_path)
    assert drawn == (SNAPSHOTS / f"{name}.svg").read_text(encoding="utf-8"), (
        "look at the screen, then draw it anew: python -m tests.app.pictures"
    )


@pytest.mark.parametrize("name", SHOWN_IN_DOCS)
def test_docs_show_the_same_pictures(name: str) -> None:
    in_docs = (IN_DOCS / f"app-{name}.svg").read_text(encoding="utf-8")
    assert in_docs == (SNAPSHOTS / f"{name}.svg").read_text(encoding="utf-8")
    page = (IN_DOCS.parent / "app.md").read_text(encoding="utf-8")
    assert f"pictures/app-{name}.svg" in page
