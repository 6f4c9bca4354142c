from __future__ import annotations

from ninefold.app.screens.facts import FactGrid
from tests.app.rooms import LARGE, SMALL, USUAL, Room
from tests.store.stores import answer as answer_product


def answer(room: Room, *answers: tuple[int, int, int], learner: str = "Ada") -> None:
    with room.open_store() as store:
        for a, b, given in answers:
            answer_product(store, a, b, given, name=learner)


def learn(room: Room) -> None:
    """Get to know 7 × 8: right on three days, the last after a week, in both orders."""
    for product in ((7, 8, 56), (8, 7, 56), (7, 8, 56)):
        answer(room, product)
        room.let_days_pass(7)


def test_glyphs_tell_how_well_each_product_is_known(room: Room) -> None:
    learn(room)
    answer(room, (6, 7, 41), (4, 5, 20))
    with room.open("t") as at:
        assert "Times tables  1 of 36 known" in at.text
        for glyph in ("56●", "42◐", "20○", "81·"):
            assert glyph in at.text


def test_arrows_mark_a_product_and_tell_of_it(room: Room) -> None:
    answer(room, (2, 3, 6), (2, 3, 7))
    with room.open("t") as at:
        assert at.said.startswith("2 × 2 = 4. You were never asked this one.")
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
    learn(room)
    answer(room, (7, 8, 1), learner="Bo")
    with room.open("t", "w") as at:
        assert "1 of 36 known" in at.text
        at.press("w")
        assert "56◐" in at.text
        at.press("w")
        assert "everybody" in at.text


def test_it_fits_a_small_terminal(room: Room) -> None:
    with room.open("t", size=SMALL) as at:
        assert "known: for weeks" in at.text


def test_a_roomy_terminal_shows_larger_cells(room: Room) -> None:
    answer(room, (7, 8, 56))
    with room.open("t") as at:
        small = at.one(FactGrid).region
        at.resize(LARGE)
        assert at.one(FactGrid).region.height > 2 * small.height
        assert "56○" in at.text
        at.click(FactGrid, (22, 5))
        assert at.said.startswith("3 × 4 = 12.")
        at.click(FactGrid, (22, 0))
        assert at.said.startswith("3 × 4 = 12.")
        at.resize(USUAL)
        assert at.one(FactGrid).region == small


def test_an_answer_that_needed_help_is_not_known_yet(room: Room) -> None:
    with room.open_store() as store:
        for _ in range(3):
            answer_product(store, 7, 8, 56, hinted=True)
    with room.open("t") as at:
        assert "0 of 36 known" in at.text
