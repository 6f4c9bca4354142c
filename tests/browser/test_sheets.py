"""Sheets for paper, as a browser prints them."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Page

from ninefold.learning import Activity, Answer
from ninefold.views.progress import GamesView, ProgressView
from ninefold.views.sheets import (
    KINDS,
    make_sheets,
    write_html,
    write_progress_page,
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
        file.write_text(write_html(make_sheets(kind, Random(seed), 3, [], NOW)))
        page.goto(file.as_uri())
        assert page.evaluate(SPILLS) is False
        for paper in PAPERS:
            assert _printed(page, paper) == page.locator("section").count()


def test_the_progress_of_somebody_who_knows_everything_is_one_page(
    people: People, tmp_path: Path
) -> None:
    page, days = people.person().page, (0, 3, 12)
    answers = [
        Answer(
            item=f"{a}x{b}",
            given=str(a * b),
            right=True,
            at=NOW + timedelta(days=day),
            activity=Activity.DRILL,
        )
        for day in days
        for a in range(2, 100)
        for b in range(2, 10)
    ]
    games = GamesView.of((), ())
    view = ProgressView.of("Ada", answers, games, NOW + timedelta(days=20))
    file = tmp_path / "progress.html"
    file.write_text(write_progress_page(view, NOW), encoding="utf-8")
    page.goto(file.as_uri())
    assert page.locator(".known").count() == 64
    assert page.evaluate(SPILLS) is False
    assert [_printed(page, paper) for paper in PAPERS] == [1, 1]


def _printed(page: Page, paper: str) -> int:
    """Count the pages that a browser prints."""
    return len(re.findall(rb"/Type /Page\b", page.pdf(format=paper)))
