from __future__ import annotations

from ninefold.app.widgets.fact_grid import FactGrid
from tests.app.rooms import SMALL, Room


def answer(room: Room, *answers: tuple[int, int, int], learner: str = "Ada") -> None:
    with room.open_store() as store:
        for a, b, given in answers:
            store.add_answer(a, b, given, learner=learner)


def test_glyphs_tell_how_well_each_product_is_known(room: Room) -> None:
    answer(room, (7, 8, 56), (7, 8, 56), (7, 8, 56), (6, 7, 41), (4, 5, 20))
    with room.open("t") as at:
        assert "Times tables  1 of 36 known" in at.text
        for glyph in ("56●", "42▒", "20○", "81·"):
            assert glyph in at.text


def test_arrows_mark_a_product_and_tell_of_it(room: Room) -> None:
    answer(room, (2, 3, 6), (2, 3, 7))
    with room.open("t") as at:
        assert at.said.startswith("2 × 2 = 4. It was never asked for.")
        at.press("right")
        assert at.said == "2 × 3 = 6. Shaky: 1 of 2 right."
        at.press("up", "left", "left", "down")
        assert at.said.startswith("2 × 9 = 18.")


def test_a_click_marks_a_product(room: Room) -> None:
    with room.open("t") as at:
        at.click(FactGrid, (12, 3))
        assert at.said.startswith("3 × 4 = 12.")
        at.click(FactGrid, (1, 0))
        assert at.said.startswith("3 × 4 = 12.")


def test_learners_are_told_apart(room: Room) -> None:
    answer(room, *[(7, 8, 56)] * 3)
    answer(room, (7, 8, 1), learner="Bo")
    with room.open("t", "w") as at:
        assert "1 of 36 known" in at.text
        at.press("w")
        assert "56▒" in at.text
        at.press("w")
        assert "everybody" in at.text


def test_it_fits_a_small_terminal(room: Room) -> None:
    with room.open("t", size=SMALL) as at:
        assert "known: right 3 times" in at.text
