from __future__ import annotations

import pytest

from ninefold.app.screens.facts import FactGrid
from ninefold.app.widgets.footer import KeyBar, Panel
from tests.app.rooms import LARGE, SMALL, TINY, USUAL, Room, Size


def answer(room: Room, *answers: tuple[str, int], learner: str = "Ada") -> None:
    for item, given in answers:
        room.answer(item, str(given), learner=learner)


def know(room: Room, item: str, turned: str) -> None:
    """Answer a fact on three days, the last a week after the one before."""
    a, b = map(int, item.split("x"))
    for days, asked in ((1, item), (8, turned), (0, item)):
        answer(room, (asked, a * b))
        room.let_days_pass(days)


def test_glyphs_tell_how_well_each_product_and_skill_is_known(room: Room) -> None:
    know(room, "7x8", "8x7")
    answer(room, ("6x7", 41), ("4x5", 20), ("250+36", 286))
    with room.open("t") as at:
        assert "Times tables  1 of 36 known" in at.text
        for glyph in ("56●", "42○", "20◐", "81·"):
            assert glyph in at.text
        for row in ("● known: 1", "◐ getting firm: 1", "○ shaky: 1", "· new: 33"):
            assert row in at.text
        assert "◐ adding parts" in at.text
        assert "· hitting a range" in at.text
        assert "The next practice" in at.text


def test_arrows_mark_a_product_and_tell_of_it(room: Room) -> None:
    answer(room, ("2x3", 6), ("2x3", 7))
    with room.open("t") as at:
        assert at.said.startswith("2 × 2 = 4. You were never asked this one.")
        at.press("right")
        assert at.said == (
            "2 × 3 = 6. Shaky: wrong, or right with help, at least once in the last"
            " three times. 1 of 2 right; due tomorrow."
        )
        at.press("up", "left", "left", "down")
        assert at.said.startswith("2 × 9 = 18.")


def test_a_click_marks_a_product(room: Room) -> None:
    with room.open("t") as at:
        at.click(FactGrid, (12, 3))
        assert at.said.startswith("3 × 4 = 12.")
        at.click(FactGrid, (1, 0))
        assert at.said.startswith("3 × 4 = 12.")


def test_who_learns_is_chosen_and_remembered(room: Room) -> None:
    answer(room, ("7x8", 56))
    answer(room, ("7x8", 1), learner="Bo")
    with room.open("t") as at:
        assert "◂ Bo ▸" in at.text
        assert "56○" in at.text
        at.press("w")
        assert "◂ Ada ▸" in at.text
        assert "56◐" in at.text
    with room.open("t") as at:
        assert "◂ Ada ▸" in at.text
        at.press("n", "enter")
        assert "A name has 1 to" in at.text
        at.write("Cy")
        at.press("enter")
        assert "◂ Cy ▸" in at.text
        assert "56·" in at.text
        at.press("n", "escape")
        assert "◂ Cy ▸" in at.text
    with room.open("t", "w") as at:
        assert "◂ Ada ▸" in at.text
    with room.open_store() as store:
        assert [each.name for each in store.learners()] == ["Ada", "Bo", "Cy"]


@pytest.mark.parametrize("size", [TINY, SMALL])
def test_it_fits_a_small_terminal(room: Room, size: Size) -> None:
    with room.open("t", size=size) as at:
        assert "· known: 0" not in at.text
        assert "81·" in at.text
        panel = at.one(Panel).region
        assert panel.height >= 2
        assert panel.bottom <= at.one(KeyBar).region.y
        assert ("hitting a range" in at.text) is (size == SMALL)


def test_a_roomy_terminal_shows_larger_cells(room: Room) -> None:
    answer(room, ("7x8", 56))
    with room.open("t") as at:
        small = at.one(FactGrid).region
        at.resize(LARGE)
        assert at.one(FactGrid).region.height > 2 * small.height
        assert "56◐" in at.text
        at.click(FactGrid, (22, 5))
        assert at.said.startswith("3 × 4 = 12.")
        at.click(FactGrid, (22, 0))
        assert at.said.startswith("3 × 4 = 12.")
        at.resize(USUAL)
        assert at.one(FactGrid).region == small


def test_an_answer_that_needed_help_is_not_known_yet(room: Room) -> None:
    room.answer("7x8", "56", hinted=True)
    with room.open("t") as at:
        assert "56○" in at.text
