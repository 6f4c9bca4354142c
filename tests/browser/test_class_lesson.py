"""A lesson: teacher and pupils before their browsers, from the code to the truth."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.lessons import Lesson
from tests.browser.people import People, Person
from tests.servers import Served


@pytest.fixture
def lesson(people: People, server: Served) -> Lesson:
    """Return a class without pupils."""
    return Lesson(people, people.person("/teach"), server)


def in_turn(*pupils: Person) -> list[Person]:
    """Return the pupils of a table, the one to move first."""
    return sorted(pupils, key=waits)


def waits(pupil: Person) -> bool:
    """Tell whether it is the other one's turn."""
    return "your move" not in pupil.page.locator(".seat.moves").inner_text()


def test_two_pupils_play_look_at_the_board_and_answer(lesson: Lesson) -> None:
    teacher = lesson.teacher
    mia, ben = lesson.seats("Mia"), lesson.seats("Ben")
    teacher.sees("2 here")
    lesson.starts_a_round()
    first, second = in_turn(mia, ben)
    first.plays(6)
    second.plays(5)
    expect(lesson.table(1).locator(".amount")).to_have_text("30")
    teacher.press("Pause")
    mia.sees("Look at the board.")
    ben.sees("Look at the board.")
    lesson.opens("Talk")
    teacher.press("Table 1, game 1")
    teacher.types("ArrowRight")
    teacher.press("Who wins from here?")
    for pupil in (mia, ben):
        pupil.sees("Who wins from here?")
        pupil.press("The player whose turn it is")
    teacher.sees("2 of 2 have answered")
    teacher.types("ArrowRight")
    teacher.sees("Show the truth")
    teacher.types("ArrowRight")
    reason = teacher.page.locator(".reason")
    expect(reason).to_contain_text("6")
    mia.sees(reason.inner_text())
    teacher.press("Take the question away")
    teacher.press("Go on")
    first.plays(2)
    expect(second.page.locator(".number")).to_have_text("60")


@pytest.mark.prove
def test_six_pupils_play_two_rounds(lesson: Lesson) -> None:
    names = ("Mia", "Ben", "Tom", "Lea", "Ida", "Max")
    pupils = {name: lesson.seats(name) for name in names}
    teacher = lesson.teacher
    teacher.sees("6 here")
    met = set()
    for _ in range(2):
        lesson.starts_a_round()
        teacher.press("Names")
        for number in (1, 2, 3):
            shown = lesson.table(number).locator("bdi")
            expect(shown).to_have_count(2)
            seated = shown.all_inner_texts()
            met.add(frozenset(seated))
            first, second = in_turn(*(pupils[name] for name in seated))
            first.plays(4)
            second.page.reload()
            second.plays(3)
            first.types("F9")  # a tab that is hidden
            expect(lesson.table(number).locator(".amount")).to_have_text("12")
            first.types("F9")
            first.plays(2)
            second.must_move()
        teacher.press("Names")
        lesson.ends_the_round()
        for pupil in pupils.values():
            pupil.sees("The round is over. Look at the board.")
    assert len(met) == 6  # nobody has met a partner twice
