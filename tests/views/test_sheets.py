"""Sheets for paper, as files that a browser prints."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from html import unescape
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from ninefold import Ending
from ninefold.learning import AnswerKind, Item, Skill, read_puzzle
from ninefold.learning.knowledge import factors_of
from ninefold.learning.product_slips import skill_of
from ninefold.notation import is_record
from ninefold.text import join_words, runs_of
from ninefold.views.sheets import KINDS, Sheet, format_html, make_sheets
from tests.program import assert_golden, run
from tests.theory.brute import play_out, reachable
from tests.theory.reader import ungrouped

AT = datetime(2026, 1, 31, tzinfo=UTC)
SENTENCES = ("sheet", "sheets")


def written(folder: Path, *arguments: str, **home: str) -> str:
    """Return the file that a command writes."""
    path = folder / "sheet.html"
    finished = run("sheet", *arguments, "-o", str(path), **home)
    assert (finished.returncode, finished.stdout) == (0, "")
    assert finished.stderr in (f"Wrote the {each} to {path}.\n" for each in SENTENCES)
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", KINDS)
def test_printed_sheets_match_their_golden_files(kind: str, tmp_path: Path) -> None:
    page = written(tmp_path, kind, "--seed", "1")
    assert_golden(f"sheet-{kind}.html", page)


def test_copies_differ_and_a_seed_repeats_them(tmp_path: Path) -> None:
    arguments = ("puzzles", "--copies", "3", "--seed", "7")
    printed = written(tmp_path, *arguments)
    assert written(tmp_path, *arguments) == printed
    pages = printed.split("<section>")[1:]
    assert len(pages) == 6  # the answers apart
    assert len(set(pages)) == 6


def test_the_name_of_a_learner_is_printed(tmp_path: Path) -> None:
    home = {"NINEFOLD_HOME": str(tmp_path)}
    run("drill", "--learner", "<b>Bo & Co", typed="quit\n", **home)
    page = written(tmp_path, "gaps", "--learner", "<b>bo & co", **home)
    assert "Name <span>&lt;b&gt;Bo &amp; Co</span>" in page


def test_a_file_has_a_page_per_copy(tmp_path: Path) -> None:
    path = tmp_path / "tickets.html"
    finished = run("sheet", "ticket-b", "--copies", "40", "-o", str(path))
    assert finished.stderr == f"Wrote the sheets to {path}.\n"
    printed = path.read_text()
    assert printed.count("<section>") == 80
    assert printed.count("Exit ticket B</h1>") == 40


@pytest.mark.parametrize("kind", ["ticket-a", "ticket-b"])
def test_a_ticket_asks_only_about_the_game_of_the_lesson(kind: str) -> None:
    for ticket in make_sheets(kind, Random(1), 40, [], AT):
        puzzle = read_puzzle(ticket.items[-2].key)
        assert (puzzle.level, puzzle.book) == (1, "multiplication-madness")
        assert puzzle.game.rules.ending is Ending.REACH
        assert all(item.text.endswith("?") for item in ticket.items)


@pytest.mark.parametrize("kind", ["ticket-a", "ticket-b"])
def test_a_ticket_takes_five_minutes(kind: str) -> None:
    seconds: dict[object, int] = {
        None: 10,
        Skill.TWO_DIGITS: 30,
        1: 60,
        AnswerKind.BAND: 60,
    }
    a_reason = 120
    for ticket in make_sheets(kind, Random(1), 40, [], AT):
        items = sum(seconds[kind_of(item)] for item in ticket.items)
        assert items + a_reason <= 5 * 60


def kind_of(item: Item) -> object:
    factors = factors_of(item.key)
    if factors is not None:
        return skill_of(*factors)
    return read_puzzle(item.key).level if is_record(item.key) else item.kind


def test_tickets_a_and_b_of_one_seed_ask_the_same_kinds_and_share_no_item() -> None:
    for seed in range(20):
        a, b = (
            make_sheets(f"ticket-{which}", Random(seed), 3, [], AT) for which in "ab"
        )
        for one, other in zip(a, b, strict=True):
            assert [*map(kind_of, one.items)] == [*map(kind_of, other.items)]
            keys = {item.key for item in (*one.items, *other.items)}
            assert len(keys) == len(one.items) + len(other.items) == 10


def answers_to(sheet: Sheet) -> str:
    """Return the words on the page of answers."""
    *_, answers = format_html([sheet]).split("<section>")
    return " ".join(unescape(re.sub("<[^>]*>", " ", answers)).split())


@pytest.mark.parametrize("kind", ["gaps", "ticket-a", "puzzles"])
def test_the_answers_are_right_and_repeat_the_question(kind: str) -> None:
    for (sheet,) in (make_sheets(kind, Random(n), 1, [], AT) for n in range(9)):
        words = answers_to(sheet)
        for item in sheet.items:
            factors = factors_of(item.key)
            right = [each for each in item.choices if item.judge(each).right]
            if factors is not None:
                a, b = factors
                assert f" {a} × {b} = {a * b:,} " in f"{words} "
            elif is_record(item.key):
                total = read_puzzle(item.key).game.total
                assert f"From {total}, ×{right[0]} " in words
            for each in right:
                assert f"×{each}" in words.replace("× ", "×")
        assert ("sample answer: No." in words) is bool(sheet.reason)


def right_moves(question: str) -> set[int]:
    """Return every number that answers a question about a range."""
    pattern = r"Which number from (\d) to (\d) brings (\d+) × \? into the range (\d+) to (\d+)\?"
    asked = re.fullmatch(pattern, question)
    assert asked is not None, question
    first, last, factor, low, high = map(int, asked.groups())
    return {each for each in range(first, last + 1) if low <= factor * each <= high}


def check_answer(question: str, told: str, item: Item) -> None:
    """Compare an answer of a key with all that is right, found by trying everything."""
    if question.endswith("="):
        a, sign, b = question.split()[:3]
        made = int(a) * int(b) if sign == "×" else int(a) + int(b)
        assert told == f"{question} {made:,}"
    elif question.startswith("Which number"):
        numbers = {int(each) for each in re.findall(r"× (\d+) is", told)}
        assert numbers == right_moves(ungrouped(question)), (question, told)
    elif is_record(item.key):
        game = read_puzzle(item.key).game
        ending, target = game.rules.ending.value, game.rules.target
        totals = reachable(target, game.rules.multipliers, game.total)
        found = play_out(ending, target, game.rules.multipliers, totals)[game.total]
        assert len(found.moves) == 1
        assert f"From {game.total:,}, ×{found.moves[0]} " in told
    else:
        target = int(re.findall(r"\d+", ungrouped(question))[0])
        assert f" is {lost_bands(target)[-1]}: from each" in told, told


def lost_bands(target: int) -> list[str]:
    found = play_out("reach", target, tuple(range(2, 10)), [*range(1, target)])
    lost = [total for total in found if not found[total].moves]
    return [f"{run[0]} to {run[-1]}" for run in runs_of(sorted(lost))]


def listed(page: str) -> list[str]:
    items = re.findall("<li>(.*?)</li>", page)
    return [unescape(each).removesuffix(" <i></i>") for each in items]


@pytest.mark.parametrize("kind", KINDS)
def test_every_key_lists_all_right_answers(kind: str) -> None:
    for seed in range(12):
        (sheet,) = make_sheets(kind, Random(seed), 1, [], AT)
        _, page, *key = format_html([sheet]).split("<section>")
        told = listed("".join(key))
        for question, answer, item in zip(
            listed(page), told, sheet.items, strict=False
        ):
            check_answer(question, answer, item)
        assert len(told) == len(sheet.items) + len(sheet.strips) + bool(sheet.sample)
        for target, answer in zip(sheet.strips, told, strict=False):
            bands = join_words(lost_bands(target))
            assert answer == f"Target {target:,}: every move loses from {bands}."


def test_a_sheet_of_gaps_asks_no_product_both_ways() -> None:
    for seed in range(20):
        (sheet,) = make_sheets("gaps", Random(seed), 1, [], AT)
        products = [factors_of(item.key) for item in sheet.items]
        asked = [tuple(sorted(each)) for each in products if each is not None]
        assert len(set(asked)) == len(asked)


def test_a_strip_has_boxes_to_shade_and_its_numbers_do_not_collide() -> None:
    page = format_html(make_sheets("strip", Random(1), 1, [], AT))
    strips = re.findall(r"<svg.*?</svg>", page)
    assert len(strips) == 3
    for strip, boxes in zip(strips, (35, 47, 57), strict=True):
        assert strip.count("<path") == boxes + 1  # a line at each end
        labels = re.findall(r'<text x="([\d.]+)" y="(\d+)"[^>]*>([\d,]+)<', strip)
        assert {*map(str, range(1, 10)), "20", "50"} <= {text for _, _, text in labels}
        spans = sorted(
            (int(y), float(x) - 4.5 * len(text), float(x) + 4.5 * len(text))
            for x, y, text in labels
        )
        assert spans[0][1] > 0
        assert spans[-1][2] < 960
        for (row, _, end), (next_row, begin, _) in pairwise(spans):
            assert row < next_row or end < begin


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nonsense"], "not one of strip, record"),
        (["strip"], "missing option '-o'"),
        (
            ["gaps", "--learner", "Nobody", "-o", "/nonexistent/sheet.html"],
            "there is no learner called 'Nobody'",
        ),
        (["strip", "--copies", "41"], "41 is too large; the largest is 40"),
        (["strip", "-o", "/nonexistent/sheet.html"], "No such file or directory"),
    ],
)
def test_options_that_cannot_be_printed_are_one_line_errors(
    arguments: list[str], said: str
) -> None:
    finished = run("sheet", *arguments)
    assert finished.returncode != 0
    assert said in finished.stderr
