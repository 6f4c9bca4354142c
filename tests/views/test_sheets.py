"""Sheets for paper, as text and as a file."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

from ninefold import Ending
from ninefold.learning import read_puzzle
from ninefold.views.sheets import KINDS, make_sheets
from tests.program import assert_golden, run


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_person_reads(kind: str) -> None:
    finished = run("sheet", kind, "--seed", "1")
    assert (finished.returncode, finished.stderr) == (0, "")
    assert all(len(line) <= 80 for line in finished.stdout.splitlines())
    assert_golden(f"sheet-{kind}.txt", finished.stdout)


def test_copies_differ_and_a_seed_repeats_them() -> None:
    arguments = ("sheet", "puzzles", "--copies", "3", "--seed", "7")
    printed = run(*arguments).stdout
    assert run(*arguments).stdout == printed
    pages = printed.split("=" * 78)
    assert len(pages) == 6  # the answers apart
    assert len(set(pages)) == 6


def test_a_file_that_ends_in_html_has_a_page_a_copy(tmp_path: Path) -> None:
    path = tmp_path / "tickets.html"
    finished = run("sheet", "ticket-b", "--copies", "40", "-o", str(path))
    assert finished.stderr == f"The sheets are in {path}.\n"
    written = path.read_text()
    assert written.count("<section>") == 80
    assert written.count("Exit ticket B</h1>") == 40


@pytest.mark.parametrize("kind", ["ticket-a", "ticket-b"])
def test_a_ticket_asks_only_about_the_game_of_the_lesson(kind: str) -> None:
    at = datetime(2026, 1, 31, tzinfo=UTC)
    for ticket in make_sheets(kind, Random(1), 40, [], at):
        puzzles = [read_puzzle(item.key) for item in ticket.items[-3:-1]]
        assert [puzzle.level for puzzle in puzzles] == [1, 2]
        for puzzle in puzzles:
            assert puzzle.book == "multiplication-madness"
            assert puzzle.game.rules.ending is Ending.REACH
        assert all(item.text.endswith("?") for item in ticket.items)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nonsense"], "not one of strip, record"),
        (["gaps", "--learner", "Nobody"], "nobody called 'Nobody' learns here"),
        (["strip", "--copies", "41"], "41 is not in the range"),
        (["strip", "-o", "/nonexistent/sheet.html"], "No such file or directory"),
    ],
)
def test_what_cannot_be_printed_is_said(arguments: list[str], said: str) -> None:
    finished = run("sheet", *arguments)
    assert finished.returncode != 0
    assert said in finished.stderr
