from __future__ import annotations

import pytest

from ninefold.app.widgets.footer import KeyBar, Panel
from ninefold.app.widgets.form_fields import Choice
from ninefold.session import Move
from tests.app.rooms import LARGE, SMALL, TINY, USUAL, Room, Size, agreed
from tests.program import run


def answer(room: Room, *answers: tuple[str, int], learner: str = "Ada") -> None:
    for item, given in answers:
        room.answer(item, str(given), learner=learner)


def know(room: Room, item: str, turned: str) -> None:
    """Answer a fact on three days, the last a week after the one before."""
    a, b = map(int, item.split("x"))
    for days, asked in ((1, item), (8, turned), (0, item)):
        answer(room, (asked, a * b))
        room.let_days_pass(days)


def test_glyphs_show_the_standing_of_each_product_and_skill(room: Room) -> None:
    know(room, "7x8", "8x7")
    answer(room, ("6x7", 41), ("4x5", 20), ("250+36", 286))
    with room.open("g", size=LARGE) as at:
        for glyph in ("56●", "42○", "20◐", "81·"):
            assert glyph in at.text
        for meaning in ("● known: right on", "◐ nearly known: right", "· new: not"):
            assert meaning in at.text
        assert "◐ adding parts" in at.text
        assert "· hitting a range" in at.text
        assert at.said.startswith(
            "Of the 36 facts, Ada has 1 known, 1 nearly known, 1 shaky and 33 new."
        )


def test_an_answer_that_needed_help_is_not_known_yet(room: Room) -> None:
    room.answer("7x8", "56", hinted=True)
    with room.open("g") as at:
        assert "56○" in at.text


def test_a_learner_is_chosen_and_remembered(room: Room) -> None:
    answer(room, ("7x8", 56))
    answer(room, ("7x8", 1), learner="Bo")
    with room.open("g") as at:
        assert "◂ Bo ▸" in at.text
        assert "56○" in at.text
        at.press("w")
        assert "◂ Ada ▸" in at.text
        assert "56◐" in at.text
        assert at.said.startswith("Of the 36 facts, Ada has ")
    with room.open("g") as at:
        assert "◂ Ada ▸" in at.text
        at.press("n", "enter")
        assert "A name needs 1 to" in at.text
        at.write("Cy")
        at.press("enter")
        assert "◂ Cy ▸" in at.text
        assert "56·" in at.text
        at.press("n", "escape")
        assert "◂ Cy ▸" in at.text
    with room.open("g", "w") as at:
        assert "◂ Ada ▸" in at.text
        at.click(Choice)
        assert "◂ Cy ▸" in at.text
        at.press("escape", "t")
        assert at.said == "12 items for Cy. Take your time."
    with room.open_store() as store:
        assert [each.name for each in store.learners()] == ["Ada", "Bo", "Cy"]


@pytest.mark.parametrize("size", [TINY, SMALL, USUAL, LARGE])
def test_progress_fits_every_size(room: Room, size: Size) -> None:
    for learner in ("Ada", "Bo"):
        answer(room, ("7x8", 56), learner=learner)
    with room.open("g", size=size) as at:
        assert "w learner" in at.text
        assert "◂ Bo ▸" in at.text
        assert "81·" in at.text
        panel = at.one(Panel).region
        assert panel.height >= 2
        assert panel.bottom <= at.one(KeyBar).region.y
        assert ("new: not asked yet" in at.text) is (size in (USUAL, LARGE))


def test_the_grid_of_facts_is_whole_in_a_small_terminal(room: Room) -> None:
    answer(room, ("7x8", 56))
    with room.open("g", size=SMALL) as at:
        rows = at.text.splitlines()
    assert "  ×   2   3   4   5   6   7   8   9" in rows
    assert "  7  14· 21· 28· 35· 42· 49· 56◐ 63·" in rows
    assert "  9  18· 27· 36· 45· 54· 63· 72· 81·" in rows


def test_the_screen_shows_what_ninefold_progress_prints(room: Room) -> None:
    with room.open("g") as at:
        at.until(lambda: "against the computer yet." in at.said)
    for level in ("careful", "perfect"):
        room.keep(agreed(level=level), *map(Move, (5, 2, 9, 2, 9)))
    room.answer("7x8", "54")
    told = run("progress", NINEFOLD_HOME=str(room.path)).stdout
    with room.open("g", size=SMALL) as at:
        at.until(lambda: "Against the computer: 2 of 2 won (100%)" in at.said)
        assert at.said.startswith("Of the 36 facts, Ada has 0 known, 0 nearly known, 1")
        assert at.said.splitlines()[-1] == told.splitlines()[-1]
        assert "PgDn PgUp scroll" in at.text
        at.press(*["pagedown"] * 3)
        assert "Practise 7 × 8: it is shaky." in at.text
        at.resize(LARGE)
        assert "Against the computer" in at.text
        assert "scroll" not in at.text
