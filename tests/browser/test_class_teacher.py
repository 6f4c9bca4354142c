"""The teacher's page: from the code on the board to the results."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import expect

from tests.browser.lessons import Lesson
from tests.browser.people import People, Scheme
from tests.browser.test_access import Examine, examine, width_beyond_the_screen
from tests.servers import Served

__all__ = ["examine"]

PROJECTORS = ((1920, 1080), (1280, 720))
NAMES = [
    f"{one}{two}" for one in ("Ada", "Bo", "Cleo", "Dan") for two in "abcdefghijklmno"
]


@pytest.fixture
def lesson(people: People, server: Served) -> Lesson:
    """Return a class without pupils."""
    return Lesson(people, people.person("/teach"), server)


# Before the lesson


def test_names_appear_as_pupils_join_and_one_tap_sends_a_name_back(
    people: People, server: Served
) -> None:
    teacher = people.person()
    teacher.follow("Teach a class")
    lesson = Lesson(people, teacher, server)
    expect(teacher.page.get_by_alt_text("A QR code of the address")).to_be_visible()
    mia = lesson.joins("Mia")
    lesson.joins("Poo")
    teacher.sees("2 here")
    teacher.press("Send Poo back")
    teacher.misses("Poo")
    teacher.sees("1 here")
    assert mia.status() == "waits"


def test_the_class_of_a_link_is_taught_and_its_secret_leaves_the_address(
    lesson: Lesson, people: People
) -> None:
    lesson.joins("Mia")
    (cookie,) = lesson.teacher.page.context.cookies()
    other = people.person(f"/teach#{cookie['value']}")
    other.sees("1 here")
    assert other.page.url.endswith("/teach")
    other.page.reload()
    other.sees("1 here")


# A round


@pytest.mark.prove
def test_the_board_shows_totals_without_names_and_a_pause_holds_them(
    lesson: Lesson,
) -> None:
    mia, ben = lesson.joins("Mia"), lesson.joins("Ben")
    lesson.teacher.sees("2 here")
    lesson.starts_a_round()
    teacher = lesson.teacher
    expect(lesson.table(1)).to_contain_text("first player to move")
    first = mia if mia.must_move() else ben
    first.plays(6)
    expect(lesson.table(1).locator(".amount")).to_have_text("6")
    expect(lesson.table(1)).to_contain_text("second player to move")
    teacher.misses("Mia")
    teacher.press("Names")
    teacher.sees("Mia")
    teacher.page.get_by_role("heading", level=1).focus()
    teacher.types("Space")
    teacher.sees("Now pupils see their table, grey, and “Look at the board.”")
    teacher.types("Space")
    expect(teacher.button("Pause")).to_be_visible()
    lesson.ends_the_round()
    teacher.sees("Round 2")
    assert ben.status() == "waits"


@pytest.mark.prove
def test_a_late_pupil_gets_a_game_with_one_tap_and_knocks_after_the_first_round(
    lesson: Lesson,
) -> None:
    lesson.joins("Mia")
    lesson.teacher.sees("1 here")
    lesson.starts_a_round()
    teacher = lesson.teacher
    tom = lesson.joins("Tom")
    teacher.sees("A pupil waits.")
    assert tom.status() == "waits"
    teacher.press("Play the pupil at table 1")
    teacher.misses("A pupil waits.")
    expect(lesson.table(2)).to_contain_text("to move")
    assert tom.status() == "plays"
    ben = lesson.joins("Ben")
    teacher.press("Play a level")
    expect(lesson.table(3)).to_contain_text("to move")
    tom.leaves()
    teacher.sees("A pupil waits.")
    teacher.press("Names")
    teacher.sees("Mia waits.")
    assert ben.status() == "plays"
    lesson.ends_the_round()
    lea = lesson.joins("Lea")
    teacher.sees("Lea asks to come in.")
    teacher.press("Let in")
    teacher.misses("Lea asks")
    assert lea.status() == "waits"


@pytest.mark.prove
def test_two_taps_swap_two_pupils(lesson: Lesson) -> None:
    for name in ("Mia", "Ben", "Tom", "Lea"):
        lesson.joins(name)
    lesson.teacher.sees("4 here")
    lesson.opens("Round")
    page = lesson.teacher.page
    expect(page.get_by_role("button", name="Mia")).to_have_count(0)
    page.locator("summary").filter(has_text="Tables").click()
    seats = page.locator(".plan li").get_by_role("button")
    expect(seats).to_have_count(4)
    before = seats.all_inner_texts()
    seats.nth(0).click()
    seats.nth(3).click()
    expect(seats.nth(0)).to_have_text(before[3])
    lesson.teacher.press("Start the round")
    lesson.teacher.press("Names")
    expect(lesson.table(1)).to_contain_text(before[3])
    expect(lesson.table(2)).to_contain_text(before[0])


@pytest.mark.prove
def test_the_form_of_a_round_warns_of_a_short_game_and_names_its_bounds(
    lesson: Lesson,
) -> None:
    lesson.joins("Mia")
    lesson.teacher.sees("1 here")
    lesson.opens("Round")
    page = lesson.teacher.page
    page.get_by_role("radio", name="Multiplication Madness").check()
    expect(page.locator(".advice")).to_contain_text("moves")
    page.get_by_label("Target").fill("1")
    expect(page.get_by_label("Target")).to_have_attribute("aria-invalid", "true")
    page.get_by_label("Target").fill("")
    page.get_by_label("Minutes").fill("0")
    lesson.teacher.press("Start the round")
    lesson.teacher.sees("A round has 1 to 90 minutes.")
    expect(page.get_by_label("Minutes")).to_be_focused()
    page.get_by_label("Minutes").fill("5")
    lesson.teacher.types("Enter")
    expect(page.get_by_role("timer")).to_have_text(re.compile(r"^(5:00|4:5\d)$"))


# The talk


@pytest.mark.prove
def test_a_question_is_answered_counted_and_then_told_the_truth(
    lesson: Lesson,
) -> None:
    mia, ben = lesson.joins("Mia"), lesson.joins("Ben")
    teacher = lesson.teacher
    teacher.sees("2 here")
    lesson.opens("Talk")
    teacher.page.get_by_label("Total").fill("10")
    teacher.press("Which move?")
    teacher.sees("0 of 2 have answered")
    mia.answers("9")
    ben.answers("2")
    teacher.sees("2 of 2 have answered")
    answers = teacher.page.get_by_role("list", name="Answers").get_by_role("listitem")
    expect(answers.nth(7)).to_have_text("×9")
    teacher.types("PageDown")
    expect(answers.nth(7)).to_have_text("×91")
    expect(answers.nth(3)).to_have_text("×50")
    teacher.types("ArrowRight")
    expect(answers.filter(has_text="right")).to_have_text(
        [re.compile(f"^{each}") for each in ("×6 ✓0", "×7 ✓0", "×8 ✓0", "×9 ✓1")]
    )
    teacher.press("Play the vote")  # of two equal ones, the smaller
    expect(teacher.page.locator(".shown-total")).not_to_have_text("10")
    teacher.sees("0 of 2 have answered")
    teacher.press("Take the question away")
    teacher.sees("Or type a position")


@pytest.mark.prove
def test_a_game_of_the_class_is_stepped_through_and_asked_about(
    lesson: Lesson,
) -> None:
    mia, ben = lesson.joins("Mia"), lesson.joins("Ben")
    lesson.teacher.sees("2 here")
    lesson.starts_a_round()
    for multiplier in (6, 5, 4):
        (mia if mia.must_move() else ben).plays(multiplier)
    lesson.opens("Talk")
    teacher = lesson.teacher
    teacher.press("Table 1, game 1")
    total = teacher.page.locator(".shown-total")
    expect(total).to_have_text("1")
    for key, shown in (("ArrowRight", "6"), ("PageDown", "30"), ("ArrowLeft", "6")):
        teacher.types(key)
        expect(total).to_have_text(shown)
    teacher.misses("Mia")
    teacher.press("Who wins from here?")
    teacher.sees("0 of 2 have answered")
    mia.answers("mover")
    teacher.sees("1 of 2 have answered")
    expect(total).to_have_text("6")
    teacher.press("Take the question away")
    teacher.sees("Move 1 of 3")


# Only for the teacher


def test_results_wait_until_nobody_else_sees_the_screen(lesson: Lesson) -> None:
    lesson.joins("Mia")
    lesson.teacher.sees("1 here")
    lesson.opens("Only for you")
    teacher = lesson.teacher
    teacher.sees("Is the projector frozen?")
    teacher.misses("Mia")
    teacher.press("Nobody else sees this screen")
    teacher.sees("Won positions kept")
    expect(teacher.page.get_by_role("rowheader", name="Mia")).to_be_visible()
    with teacher.page.expect_download() as download:
        teacher.follow("Save as a table (CSV)")
    assert "Mia" in Path(download.value.path()).read_text(encoding="utf-8")
    lesson.opens("Join")
    lesson.opens("Only for you")
    teacher.sees("Is the projector frozen?")


@pytest.mark.prove
def test_a_closed_class_keeps_its_results_until_everything_is_removed(
    lesson: Lesson,
) -> None:
    mia = lesson.joins("Mia")
    teacher = lesson.teacher
    teacher.sees("1 here")
    lesson.opens("Only for you")
    teacher.press("Nobody else sees this screen")
    dialog = teacher.page.get_by_role("dialog")
    teacher.press("Close the class")
    dialog.get_by_role("button", name="Close the class").click()
    expect(teacher.button("Close the class")).to_have_count(0)
    assert mia.status() == "over"
    lesson.opens("Join")
    teacher.sees("The class is over")
    teacher.follow("Results")
    teacher.press("Nobody else sees this screen")
    teacher.press("Remove everything")
    dialog.get_by_role("button", name="Keep it").click()
    teacher.press("Remove everything")
    dialog.get_by_role("button", name="Remove everything").click()
    teacher.sees("The class and its results are removed.")
    teacher.press("Start a class")
    teacher.sees("Nobody has joined yet")


@pytest.mark.prove
def test_a_pupil_is_renamed_and_two_are_kept_apart(lesson: Lesson) -> None:
    for name in ("Mia", "Ben", "Tom"):
        lesson.joins(name)
    teacher = lesson.teacher
    page = teacher.page
    teacher.sees("3 here")
    lesson.opens("Only for you")
    teacher.press("Nobody else sees this screen")
    page.locator("summary").filter(has_text="Pupils").click()
    page.get_by_role("listitem").filter(has_text="Ben").get_by_role(
        "button", name="Rename"
    ).click()
    page.get_by_label("Name", exact=True).fill("Mia")
    teacher.press("Save")
    teacher.sees(re.compile("Mia"))
    expect(page.get_by_role("alert")).to_be_visible()
    page.get_by_label("Name", exact=True).fill("Benny")
    teacher.types("Enter")
    expect(page.get_by_role("listitem").filter(has_text="Benny")).to_be_visible()
    page.locator("summary").filter(has_text="Who must not meet").click()
    page.get_by_role("combobox", name="One").select_option("Mia")
    page.get_by_role("combobox", name="The other").select_option("Benny")
    teacher.press("Keep apart")
    teacher.sees("Mia and Benny")
    teacher.press("May meet again")
    teacher.misses("Mia and Benny")


# Names, doors and networks


@pytest.mark.prove
def test_a_list_of_names_is_offered_and_says_who_is_missing(lesson: Lesson) -> None:
    page = lesson.teacher.page
    page.locator("summary").filter(has_text="Names to tap").click()
    page.get_by_label("Names", exact=True).fill("Mia\nBen, Tom\n")
    lesson.teacher.press("Use these names")
    lesson.teacher.sees("2 not here yet")
    lesson.joins("Mia")
    lesson.teacher.sees("1 not here yet")
    lesson.teacher.sees("Ben & Tom")
    lesson.teacher.press("Close the door")
    lesson.teacher.sees("The door is closed")


@pytest.mark.prove
def test_a_tablet_that_does_not_come_gets_a_list_of_remedies(
    people: People, server: Served
) -> None:
    ada = people.person("about:blank", without="/* whose clock is moved */")
    ada.page.clock.install()
    ada.page.goto(f"{server.url}/teach")
    ada.press("Start a class")
    ada.page.locator("summary").filter(has_text="Check the connection").click()
    ada.sees("Scan this with one tablet.")
    ada.misses("Allow ninefold")
    ada.page.clock.run_for(31_000)
    remedies = ada.page.locator(".join ol").get_by_role("listitem")
    expect(remedies).to_have_count(5)
    expect(remedies.first).to_contain_text("firewall")


# For everybody


@pytest.mark.prove
def test_a_small_board_fills_a_projector(lesson: Lesson) -> None:
    for name in NAMES[:14]:
        lesson.joins(name)
    page = lesson.teacher.page
    lesson.teacher.sees("14 here")
    lesson.starts_a_round()
    for width, height in PROJECTORS:
        page.set_viewport_size({"width": width, "height": height})
        board = page.get_by_role("list", name="Tables").bounding_box()
        assert board is not None
        assert board["height"] > 0.7 * height
        assert lesson.teacher.has_in_view(lesson.table(7))


@pytest.mark.prove
def test_thirty_tables_fit_a_projector(lesson: Lesson) -> None:
    for name in NAMES:
        lesson.joins(name)
    lesson.teacher.page.set_viewport_size({"width": 1920, "height": 1080})
    lesson.teacher.sees("60 here")
    lesson.starts_a_round()
    last = lesson.table(30)
    assert lesson.teacher.has_in_view(last)
    size = last.locator(".amount").evaluate("e => getComputedStyle(e).fontSize")
    assert float(size.removesuffix("px")) >= 40


@pytest.mark.prove
def test_the_screen_goes_blank_and_comes_back_by_key(lesson: Lesson) -> None:
    teacher = lesson.teacher
    teacher.types("b")
    teacher.sees("The screen is blank.")
    teacher.misses("Nobody has joined yet")
    teacher.types("b")
    teacher.sees("Nobody has joined yet")
    teacher.types("B")
    teacher.types("Escape")
    teacher.sees("Nobody has joined yet")


@pytest.mark.prove
def test_a_lesson_is_taught_by_keyboard(lesson: Lesson) -> None:
    lesson.joins("Mia")
    teacher = lesson.teacher
    teacher.sees("1 here")

    def reaches(name: str, role: Literal["button", "link"] = "button") -> None:
        wanted = teacher.page.locator("main").get_by_role(role, name=name)
        for _ in range(40):
            if wanted.evaluate("e => e === document.activeElement"):
                return
            teacher.types("Tab")
        pytest.fail(f"Tab does not reach {name}")

    teacher.page.locator("#main").focus()
    reaches("Round", "link")
    teacher.types("Enter")
    expect(teacher.page.get_by_role("heading", name="Round 1")).to_be_focused()
    reaches("Start the round")
    teacher.types("Enter")
    expect(teacher.page.locator("h1")).to_be_focused()
    teacher.types("Space")
    expect(teacher.button("Go on")).to_be_visible()
    reaches("End the round")
    teacher.types("Enter")
    teacher.types("Tab")
    teacher.types("Enter")
    expect(teacher.page.get_by_role("heading", name="Round 2")).to_be_focused()


@pytest.mark.prove
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_any_screen_of_a_teacher(
    people: People, server: Served, examine: Examine, scheme: Scheme
) -> None:
    lesson = Lesson(
        people, people.person("/teach", scheme=scheme, examined=True), server
    )
    teacher = lesson.teacher
    page = teacher.page

    def look(place: str) -> None:
        for width, height in (*PROJECTORS, (320, 568)):
            page.set_viewport_size({"width": width, "height": height})
            assert width_beyond_the_screen(teacher) == 0, place
            examine(teacher, f"{place} at {width}")
        page.set_viewport_size({"width": 1280, "height": 720})

    mia, _ = lesson.joins("Mia"), lesson.joins("Ben")
    teacher.sees("2 here")
    for folded in (
        page.locator("summary").filter(has_text=re.compile("Check|Names to")).all()
    ):
        folded.click()
    look("join")
    lesson.opens("Round")
    page.locator("summary").filter(has_text="Tables").click()
    look("round")
    teacher.press("Start the round")
    expect(teacher.button("End the round")).to_be_visible()
    lesson.joins("Tom")
    teacher.sees("A pupil waits.")
    teacher.press("Names")
    look("board")
    lesson.opens("Talk")
    look("talk")
    page.get_by_label("Total").fill("150")
    teacher.press("Which move?")
    teacher.sees("0 of 3 have answered")
    mia.answers("7")
    teacher.sees("1 of 3 have answered")
    teacher.press("Show the answers")
    teacher.press("Show the truth")
    teacher.sees("Take the question away")
    look("truth")
    lesson.opens("Only for you")
    look("question")
    teacher.press("Nobody else sees this screen")
    expect(page.get_by_role("rowheader", name="Mia")).to_be_visible()
    for folded in page.locator("main summary").all():
        folded.click()
    look("results")
    page.get_by_role("heading", level=1).focus()
    teacher.types("b")
    teacher.sees("The screen is blank.")
    look("blank")
