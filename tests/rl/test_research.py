"""The page about research holds what its benchmark wrote."""

from __future__ import annotations

import pytest

from benchmarks import generalisation
from ninefold import Ending, Oracle, Rules
from ninefold.matchups import Matchups
from ninefold.rl.scores import judge
from ninefold.rl.splits import SETS
from tests.test_matchups import BEGINNER, EXPERT, PLANNER


def test_the_page_has_a_row_for_each_input_and_a_column_for_each_size() -> None:
    page = generalisation.PAGE.read_text(encoding="utf-8")
    for name in generalisation.INPUTS:
        assert page.count(f"\n| {name} | ") == 3
    assert page.count(" | 3 | 4 | 6 | 9 | 18 | 50 | 100 |\n") == 2


@pytest.mark.parametrize("target", [100, 1000, 10**4, 10**6, 10**9])
def test_the_page_has_the_exploitability_and_the_mean_regret_of_levels(
    target: int,
) -> None:
    game = Matchups(Rules(Ending.REACH, target))
    levels = (BEGINNER, PLANNER, EXPERT)
    cells = [f"{float(game.best_response(each).exploitability):.4f}" for each in levels]
    for level in levels:
        regret = game.regret(level)
        chances = sum(mistake.chance for mistake in regret.mistakes)
        cells.append(f"{float(chances / regret.won):.3f}")
    row = " | ".join([f"{target:,}", *(cell.removeprefix("0") for cell in cells)])
    assert f"\n| {row} |\n" in generalisation.PAGE.read_text(encoding="utf-8")


def test_the_page_counts_the_lost_bands_of_both_sets() -> None:
    both = [Oracle(Rules(Ending.REACH, 10**18, each)).lost_bands() for each in SETS]
    classic, other = (len(list(bands)) for bands in both)
    text = f"{other} bands to a target of 10^18, where 2-9 has {classic}."
    assert text in generalisation.PAGE.read_text(encoding="utf-8")


@pytest.mark.prove
def test_the_tables_were_made_from_the_splits_as_they_are() -> None:
    random = (judge(BEGINNER, "dev"), judge(BEGINNER))
    written = generalisation.tables({"random": [random] * 2})
    rows = [row for row in written.splitlines() if row.startswith("| random play |")]
    page = generalisation.PAGE.read_text(encoding="utf-8")
    assert len(rows) == 2
    assert all(f"\n{row}\n" in page for row in rows)
