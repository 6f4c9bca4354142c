from __future__ import annotations

import re

import pytest

from ninefold.app.screens.learn import StepList
from ninefold.app.screens.play import TableScreen
from ninefold.app.screens.practice import PracticeScreen
from ninefold.app.widgets.footer import KeyBar, Panel
from ninefold.errors import StoreUnavailable
from ninefold.learning import Activity, Answer, AnswerKind, Item
from ninefold.learning.path_steps import CHAPTERS, STEPS, step_key, step_title
from ninefold.session import Move
from ninefold.store import Store
from ninefold.store.sqlite import SqliteStore
from ninefold.theory import oracle_for
from tests.app.rooms import LARGE, SMALL, TINY, USUAL, Opened, Room, Size, agreed


def right_answer(item: Item) -> str:
    """Find the answer that is right; the last hint names a band."""
    if item.kind is AnswerKind.BAND:
        found = re.search(r"([0-9]+) to ([0-9]+)", item.hints[-1])
        assert found is not None
        return found[0]
    tried = item.choices or map(str, range(1000))
    return next(each for each in tried if item.judge(each).right)


def walk_before(room: Room, chapter: str, step: int) -> None:
    """Keep that every step before this one is done."""
    for each in CHAPTERS:
        for number in range(1, len(STEPS) + 1):
            if (each, number) == (chapter, step):
                return
            done(room, each, number)


def done(room: Room, chapter: str, step: int) -> None:
    with room.open_store() as store:
        store.add_answer(
            store.learner("Ada").id,
            step_key(chapter, step),
            "done",
            right=True,
            activity=Activity.PATH,
        )


def answers(room: Room) -> list[Answer]:
    with room.open_store() as store:
        learner = store.latest_learner()
        return [] if learner is None else store.answers(learner.id)


def play(at: Opened, *, well: bool = True) -> None:
    """Play a game at the table, and go on."""
    while at.place == "Table":
        screen = at.app.screen
        assert isinstance(screen, TableScreen)
        game = screen.game
        good = oracle_for(game.rules).winning_moves(game.total)
        bad = [each for each in game.rules.multipliers if each not in good]
        at.press(str(next(iter(good if well else bad), 2)))
    assert at.place == "GameOver"
    assert "Enter continue" in at.text
    for offered in ("rematch", "try again", "practise this", "not saved", "bands"):
        assert offered not in at.text
    at.press("enter")


def do_step(at: Opened) -> None:
    """Answer everything right, and win every game, until the step is done."""
    while at.place == "Step" and "is done." not in at.said:
        screen = at.app.screen
        assert isinstance(screen, PracticeScreen)
        if screen.walk.state.item is None:
            assert "Enter play" in at.text
            at.press("enter")
            play(at)
        else:
            item = screen.walk.state.item
            at.write(right_answer(item))
            at.press("enter")


def test_a_step_is_done_in_each_chapter(room: Room) -> None:
    for chapter, step in (("reach", 1), ("avoid", 3), ("exactly", 7)):
        walk_before(room, chapter, step)
        with room.open("n", "enter") as at:
            assert at.place == "Step"
            assert f"Step {step} of 8  {step_title(chapter, step)}" in at.text
            do_step(at)
            assert f"Step {step} is done." in at.said
            assert step_key(chapter, step) in [each.item for each in answers(room)]
            at.press("enter")
            assert at.place == "Path"
            assert f"● {step} {step_title(chapter, step)}  done" in at.text
    assert all(each.activity is Activity.PATH for each in answers(room))
    assert room.history() == []


def test_the_steps_are_listed_with_their_state_and_any_can_be_started(
    room: Room,
) -> None:
    with room.open("n") as at:
        assert "Learn  0 of 24 steps done" in at.text
        assert "Reach the target" in at.text
        assert "▸ ○ 1 Play three games  next" in at.text
        assert "  · 2 Find the smallest total" in at.text
        at.press("down", "enter")
        assert "Step 2 of 8" in at.text
        at.press("1", "2", "enter")
        assert at.said.startswith("Right.")
        at.press("escape")
        assert "Learn  0 of 24 steps done" in at.text
        assert "▸ ○ 1" in at.text
        at.press("down", "enter")
        do_step(at)
        at.press("escape")
        assert "● 2 Find the smallest total that wins at once  done" in at.text
        assert "Learn  1 of 24 steps done" in at.text
    kept = [(each.item, each.given, each.surface) for each in answers(room)]
    assert kept[0] == ("path:smallest reach 100", "12", "app")
    assert kept[-1] == ("step:reach 2", "done", "app")


def test_a_left_game_is_started_again_and_a_lost_one_is_reported(
    room: Room,
) -> None:
    walk_before(room, "reach", 6)
    with room.open("n", "enter") as at:
        assert "Win 5 games in a row." in " ".join(at.text.split())
        at.press("enter", "7", "escape")
        assert at.place == "Step"
        assert at.said == "You left this game. Press Enter to start it again."
        for well, said in (
            (True, "You won this game."),
            (True, "You won this game. That is 2 in a row."),
            (False, "You lost this game."),
        ):
            at.press("enter")
            assert "step 6" in at.text
            play(at, well=well)
            assert at.said == f"{said}\n\nPress Enter to play."
        for _ in range(2):
            at.press("enter")
            play(at, well=False)
        assert "Here is one way." in at.text
    with room.open("n") as at:
        assert "▸ ○ 6 Beat Perfect five times  next" in at.text
    assert room.history() == []


def test_the_result_of_a_steps_game_reveals_no_band(room: Room) -> None:
    walk_before(room, "reach", 6)
    with room.open("n", "enter", "enter") as at:
        while at.place == "Table":
            at.press("2")
        at.press("b")
        while not at.said.startswith("Move 1,"):
            assert not re.search("[0-9] to [0-9]|Better|▒", at.text)
            at.press("left")
        assert at.said == "Move 1, Ada. This gave the win away."
        assert "▒" not in at.text


def test_a_band_is_shaded_with_arrow_keys_or_typed(room: Room) -> None:
    walk_before(room, "reach", 4)
    with room.open("n", "enter") as at:
        assert "[ 1] 2  3" in at.text
        assert "▒" not in at.text
        at.press(*["right"] * 5, *["shift+right"] * 5)
        assert "6 to 11" in at.text
        assert "10[11]12" in at.text
        assert "▒▒ ▒▒" in at.text
        at.press("shift+left", "enter")
        assert at.said == "Not quite. Try the ends again."
        at.press("shift+right")
        assert "10 to 11" in at.text
        at.press("ctrl+right", "ctrl+shift+right")
        assert "21 to 31" in at.text
        at.press(*["ctrl+left"] * 4, *["backspace"] * 6)
        at.write("6 to 1")
        assert "[ 6] 7" in at.text
        at.write("1")
        assert "10[11]12" in at.text
        at.press("shift+right", "shift+left")
        assert "6 to 11" in at.text
        at.press("enter")
        assert at.said.startswith("Right. 6 to 11 is lost")
        assert "is 2 lost or won?" in at.text


def test_a_skipped_item_does_not_stop_the_step(room: Room) -> None:
    walk_before(room, "reach", 3)
    with room.open("n", "enter", "s") as at:
        assert "Prove it: win from" in at.text


def test_a_left_step_continues_where_it_was_while_the_app_is_open(
    room: Room,
) -> None:
    walk_before(room, "reach", 6)
    with room.open("n", "enter", "enter") as at:
        play(at)
        at.press("escape", "escape", "n", "enter")
        assert at.said == "You continue where you left off.\n\nPress Enter to play."
        assert "Win 5 games in a row." in " ".join(at.text.split())
        at.press("f1")
        assert "Go back; this step is remembered until you close the app." in at.text
        at.press("escape", "enter")
        play(at)
        assert at.said.startswith("You won this game. That is 2 in a row.")
        do_step(at)
        assert "Step 6 is done." in at.said
        at.press("enter", "up", "enter")
        assert "Step 6" in at.text
        assert at.said == "Press Enter to play."
    with room.open("n", "enter") as at:
        assert "You continue" not in at.said


def test_an_answer_that_was_given_before_a_step_is_left_is_not_asked_again(
    room: Room,
) -> None:
    walk_before(room, "reach", 4)
    with room.open("n", "enter") as at:
        at.write("6 to 11")
        at.press("enter")
        assert "is 2 lost or won?" in at.text
        at.write("lost")
        at.press("enter")
        assert at.said.startswith("Not quite. 2 is won.")
        at.press("escape", "enter")
        assert at.said == "You continue where you left off."
        assert "lost or won?" in at.text
        assert "is 2 lost or won?" not in at.text
    with room.open("n", "enter") as at:
        assert "which band of the numbers 1 to 20 is lost?" in at.text


def test_the_path_works_without_a_store(room: Room) -> None:
    class Full(SqliteStore):
        def add_answer(self, *_: object, **__: object) -> Answer:
            raise StoreUnavailable(str(room.path), "the disk is full; free some space")

    def opened() -> Store:
        return Full(room.path, clock=room.now, new_id=room.new_id)

    app = room.app(open_store=opened)
    with room.open("n", "down", "enter", app=app) as at:
        do_step(at)
        at.press("enter")
        assert "Learn  1 of 24" in at.text
        assert len(at.app.screen.query("Toast")) == 1
        assert "● 2 Find the smallest" in at.text


def test_long_titles_wrap_in_a_narrow_terminal(room: Room) -> None:
    with room.open("n", size=TINY) as at:
        assert "· 2 Find the smallest total that\n       wins at once" in at.text
        at.resize(USUAL)
        assert "· 2 Find the smallest total that wins at once" in at.text
        at.press("down", "enter")
        at.resize(TINY)
        assert at.text.startswith(" Step 2 of 8  Find the smallest total")


@pytest.mark.parametrize("size", [TINY, SMALL, USUAL, LARGE])
def test_every_step_fits_every_size(room: Room, size: Size) -> None:
    with room.open("n", size=size) as at:
        for number in range(len(STEPS)):
            at.press(*["down"] * number, "enter")
            assert at.place == "Step"
            panel = at.one(Panel).region
            assert panel.height >= 2
            assert panel.bottom <= at.one(KeyBar).region.y
            if at.app.focused is not None:
                assert at.app.focused.region.bottom <= panel.y
            at.press("escape")
            at.one(StepList)


# Claims


def test_a_true_claim_is_proved_and_the_game_continues(room: Room) -> None:
    room.keep(agreed("multiplication-madness", level="careful"), Move(3), Move(2))
    with room.open("c") as at:
        assert "c claim" in at.text
        at.press("c")
        at.write("11 lost")
        at.press("enter")
        assert "11 is not a position in this game" in at.text
        at.press(*["backspace"] * 7, "enter")
        assert "such as: claim 8 lost." in at.text
        at.write("8 lost")
        at.press("enter")
        for number in (1, 2, 3):
            assert f"8 is lost? game {number} of 3" in at.text
            at.press("c")
            assert at.place == "Table"
            play(at)
        assert at.said == "Proved: 8 is lost. You won all three games."
        assert "3 × 2 = 6" in at.text
    assert room.history() == [(3, 2)]


def test_a_false_claim_is_refuted_and_a_claim_may_be_cancelled(room: Room) -> None:
    room.keep(agreed("multiplication-madness", level="careful"), Move(3), Move(2))
    with room.open("c", "c") as at:
        at.write("8 won")
        at.press("enter")
        assert "8 is won? game 1 of 3" in at.text
        play(at)
        assert at.said.startswith("False: 8 is lost.")
        at.press("c", "escape")
        assert at.place == "Table"
        at.press("c")
        at.write("8 Won")
        at.press("enter", "escape")
        assert at.said == "Claim cancelled. Back to your game."
        at.press("2")
        assert at.place == "GameOver"
        assert "Enter rematch" in at.text
    assert room.history()[0][:3] == (3, 2, 2)


def test_a_claim_needs_a_level(room: Room) -> None:
    room.keep(agreed(), Move(5), Move(3))
    with room.open("c", "c") as at:
        assert at.place == "Table"
        assert "c claim" not in at.text
        assert at.said.startswith("You can make claims only in a game against the")
