from __future__ import annotations

import pytest

from ninefold.app.screens.practice import PracticeScreen
from ninefold.app.widgets.footer import KeyBar, Panel
from ninefold.errors import StoreUnavailable
from ninefold.learning import Answer, AnswerKind, Item, Judged, Walk, read_item
from ninefold.session import Move
from ninefold.store import Store
from ninefold.store.sqlite import SqliteStore
from tests.app.rooms import LARGE, SMALL, TINY, USUAL, Opened, Room, Size, agreed

LOST = (5, 9, 3)
"""Ada slips at 45, and whoever follows wins."""
SLIP = "nf1.multiplier-showdown.reach1000.5x9"


def item_at(at: Opened) -> Item:
    screen = at.app.screen
    assert isinstance(screen, PracticeScreen)
    assert screen.walk.state.item is not None
    return screen.walk.state.item


def right_answer(item: Item) -> str:
    answers = item.choices or map(str, range(10_000))
    return next(each for each in answers if item.judge(each).right)


def answer(at: Opened, given: str) -> None:
    at.write(given)
    at.press("enter")


def answers(room: Room, name: str = "Ada") -> list[Answer]:
    with room.open_store() as store:
        return store.answers(store.learner(name).id)


def practise(at: Opened, room: Room, *items: Item) -> None:
    """Practise these items."""

    async def push() -> None:
        answering = room.environment().answering(at.app.screen, "Ada")
        shown = PracticeScreen(answering, Walk.of(items))
        await at.app.push_screen(shown)

    at.do(push())


def test_a_round_of_twelve_ends_with_what_improved(room: Room) -> None:
    room.answer("2x2", "4")
    with room.open("g", "p") as at:
        assert at.said == "12 items for Ada. Take your time."
        for number in range(1, 13):
            assert f"{number} of 12" in at.text
            room.seconds += 4
            given = right_answer(item_at(at))
            answer(at, given)
            assert at.said.startswith("Right.")
        assert "Improved: " in at.said
        assert "Next practice: " in at.said
        assert "Enter go back" in at.text
        at.press("enter")
        assert at.place == "Progress"
        assert at.said.startswith("Improved: ")
        assert "35 new" not in at.said
    kept = answers(room)[1:]
    assert len(kept) == 12
    for each in kept:
        assert (each.right, each.seconds, each.surface) == (True, 4, "app")
        assert each.activity.value == "drill"


def test_help_is_shown_and_answers_are_saved_on_leaving(
    room: Room,
) -> None:
    room.answer("2x2", "4")
    with room.open("g", "p") as at:
        item = item_at(at)
        at.press("question_mark")
        assert at.said == item.hints[0]
        answer(at, right_answer(item))
        second = item_at(at)
        at.press("s")
        assert item_at(at) != second
        at.press("escape")
        assert at.place == "Progress"
        assert "Next practice: " in at.said
    kept = answers(room)[1:]
    assert [(each.item, each.hinted) for each in kept] == [(item.key, True)]


def test_a_slip_is_named_and_read_before_the_next_item(room: Room) -> None:
    with room.open() as at:
        practise(at, room, read_item("45x7"), read_item("7x8"))
        answer(at, "many")
        assert at.said == "Type a whole number, such as 56."
        answer(at, "")
        assert "1 of 2" in at.text
        answer(at, "305")
        assert at.said == (
            "Not quite. 280 + 35 is 315: your facts were right, the slip was in the adding."
        )
        assert "1 of 2" in at.text
        assert "Enter next" in at.text
        at.press("question_mark", "s", "5")
        assert at.said.startswith("Not quite.")
        at.press("enter")
        assert "2 of 2" in at.text
        at.press("f1")
        assert "Skip this item." in at.text
    assert [(each.given, each.right) for each in answers(room)] == [("305", False)]


def test_bands_and_choices_are_typed(room: Room) -> None:
    def judge(answer: str) -> Judged:
        return Judged(answer == "lost", f"8 is {answer}, you say.")

    choice = Item(
        "8", "Is 8 lost?", judge, kind=AnswerKind.CHOICE, choices=("won", "lost")
    )
    band = read_item("band:reach 100")
    with room.open() as at:
        practise(at, room, band, choice, choice, choice, choice)
        answer(at, "no")
        assert at.said == "Type two numbers, such as 20 to 39."
        answer(at, "6 to 11")
        assert at.said.startswith("Right.")
        assert "won or lost:" in at.text
        for neither in ("2", "skip", "sss"):
            answer(at, neither)
            assert at.said == "Type won or lost."
        assert "2 of 5" in at.text
        answer(at, "lost")
        assert at.said == "Right. 8 is lost, you say."
        answer(at, "L")
        assert at.said == "Right. 8 is lost, you say."
        at.press("f1")
        assert "F2  Skip this item." in at.text
        at.press("escape", "f2")
        assert "5 of 5" in at.text
        answer(at, "w")
        assert at.said == "Not quite. 8 is won, you say."
    assert [each.given for each in answers(room)] == ["6 to 11", "lost", "lost", "won"]


def test_a_lost_game_is_practised(room: Room) -> None:
    room.keep(agreed(level="careful"), *map(Move, LOST))
    with room.open("c") as at:
        assert at.place == "GameOver"
        assert "p practise this" in at.text
        at.press("p")
        puzzle = item_at(at)
        assert puzzle.key == SLIP
        assert "◉" in at.text
        answer(at, "3")
        assert at.said.startswith("Not that one.")
        answer(at, right_answer(puzzle))
        assert "then the other player can" in at.said
        at.press("enter")
        assert item_at(at).key == "45x3"
        at.press("escape")
        assert at.place == "GameOver"
        assert "Next practice" in at.said or "Nothing improved" in at.said
        at.press("enter")
        assert at.place == "Table"
    (kept,) = answers(room)
    assert (kept.item, kept.right, kept.activity.value) == (SLIP, False, "puzzle")


def test_a_game_that_nobody_here_lost_is_not_practised(room: Room) -> None:
    room.keep(agreed(level="careful"), *map(Move, (5, 2, 9, 2)))
    with room.open("c", "9", "p") as at:
        assert at.place == "GameOver"
        assert "practise this" not in at.text


def test_practice_continues_without_a_store_and_says_so_once(
    room: Room,
) -> None:
    class Full(SqliteStore):
        def add_answer(self, *_: object, **__: object) -> Answer:
            raise StoreUnavailable(str(room.path), "the disk is full; free some space")

    def opened() -> Store:
        return Full(room.path, clock=room.now, new_id=room.new_id)

    with room.open("t", app=room.app(open_store=opened)) as at:
        for _ in range(3):
            answer(at, right_answer(item_at(at)))
        assert "4 of 12" in at.text
        assert len(at.app.screen.query("Toast")) == 1
        at.press("escape")
        assert at.place == "Home"


@pytest.mark.parametrize("size", [TINY, SMALL, USUAL, LARGE])
def test_every_item_fits_every_size(room: Room, size: Size) -> None:
    keys = ("315x4", "280+35", "7x?56-111", SLIP, "band:avoid 1000")
    with room.open(size=size) as at:
        practise(at, room, *map(read_item, keys))
        for _ in keys:
            panel = at.one(Panel).region
            assert panel.height >= 2
            assert panel.bottom <= at.one(KeyBar).region.y
            assert at.app.focused is not None
            assert at.app.focused.region.bottom <= panel.y
            at.press("s")
