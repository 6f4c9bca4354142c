"""Sheets for paper, as a browser prints them."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Page

from ninefold.views.sheets import (
    KINDS,
    format_html,
    make_sheets,
)
from tests.browser.people import People

SPILLS = """
[...document.querySelectorAll("section")].some(
  (page) => page.scrollHeight > page.clientHeight)
"""
PAPERS = ("A4", "Letter")
NOW = datetime(2026, 1, 31, tzinfo=UTC)


@pytest.mark.parametrize(
    "kind",
    [
        "puzzles",
        *(
            pytest.param(kind, marks=pytest.mark.prove)
            for kind in KINDS
            if kind != "puzzles"
        ),
    ],
)
def test_a_copy_is_one_page(people: People, kind: str, tmp_path: Path) -> None:
    page = people.person().page
    for seed in range(5):
        file = tmp_path / "sheet.html"
        file.write_text(format_html(make_sheets(kind, Random(seed), 3, [], NOW)))
        page.goto(file.as_uri())
        assert page.evaluate(SPILLS) is False
        for paper in PAPERS:
            assert _printed(page, paper) == page.locator("section").count()


def _printed(page: Page, paper: str) -> int:
    """Count the pages that a browser prints."""
    return len(re.findall(rb"/Type /Page\b", page.pdf(format=paper)))
