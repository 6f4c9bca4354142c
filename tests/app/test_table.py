from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from msgspec.structs import replace
from textual.css.query import DOMQuery

from ninefold.app import environment
from ninefold.app.widgets.board import Total
from ninefold.app.widgets.footer import Panel
from ninefold.app.widgets.multiplier_keys import (
    MultiplierEntered,
    MultiplierEntry,
    MultiplierKey,
    MultiplierKeys,
)
from ninefold.app.widgets.number_line import LineWidget
from ninefold.game import Seat
from ninefold.match import Length
from ninefold.rules import Ending, Rules
from ninefold.session import Ask, Lessons, Move, Setup
from ninefold.store import LocalTable
from tests.app.rooms import LARGE, SMALL, Opened, Room, agreed

COACH = Lessons(coach=True)
MENTAL = Lessons(mental=True)
MADNESS = agreed("multiplication-madness")


def key(at: Opened, multiplier: int) -> MultiplierKey:
    keys: DOMQuery[MultiplierKey] = at.one(MultiplierKeys).query(MultiplierKey)
    return next(each for each in keys if each.multiplier == multiplier)


def total(at: Opened) -> int | None:
    return at.one(Total).number


def bar(at: Opened) -> str:
    """The last two rows of the screen, in which the keys are."""
    return " ".join(at.text.split("\n")[-2:])


def varied(multipliers: Sequence[int], target: int = 1000, **changed: object) -> Setup:
    rules = Rules(Ending.REACH, target, tuple(multipliers))
    return replace(agreed(), rules=rules, **changed)


class TestPlaying:
    def test_digits_clicks_and_arrows_play_and_moves_are_hops(self, room: Room) -> None:
        room.keep(MADNESS)
        with room.open("c") as at:
            assert at.one(MultiplierEntry).display is False
            assert "╌" not in at.text
            at.press("right")
            assert "╌" in at.text
            at.press("5")
            assert "╌" not in at.text
            at.hover(MultiplierKey)
            assert "╌" in at.text
            at.hover(LineWidget)
            assert "╌" not in at.text
            at.press("3")
            assert total(at) == 15
            assert "● Ada" in at.text
            assert "your turn" in at.text
            assert "■ 5 × 3 = 15" in at.text
            assert "×5" in at.text
            at.click(MultiplierKey, (2, 0))
            assert total(at) == 30
            at.app.set_focus(None)
            at.press("right", "right", "left", "right", "enter")
            assert total(at) == 90
        assert room.history() == [(5, 3, 2, 3)]

    def test_keys_tell_what_they_make_until_that_is_switched_off(
        self, room: Room
    ) -> None:
        room.keep(agreed("multiplication-madness"), Move(5), Move(5))
        with room.open("c") as at:
            assert "75" in at.text
            assert "wins" in at.text
            at.press("p")
            assert "75" not in at.text
            at.press("right")
            assert "╌" not in at.text

    def test_keys_tell_which_move_loses(self, room: Room) -> None:
        room.keep(agreed("multiplier"), Move(9), Move(9))
        with room.open("c", "9") as at:
            assert "loses" in at.text

    def test_a_product_too_long_for_a_key_is_told_by_its_length(
        self, room: Room
    ) -> None:
        rules = Rules(Ending.REACH, 10**12, start=10**9)
        room.keep(replace(agreed(), rules=rules), Move(5))
        with room.open("c") as at:
            assert "11 dig." in at.text

    def test_a_set_beyond_the_digits_is_typed(self, room: Room) -> None:
        room.keep(varied((2, 11, 25)), Move(11))
        with room.open("c") as at:
            assert "one of 2, 11, 25" in at.text
            assert "▸ ×" in at.text
            at.app.set_focus(None)
            at.press("2")  # a digit goes into the field
            assert total(at) == 11
            at.press("5")
            assert "11 × 25 = 275" in at.text
            assert "╌" in at.text
            at.press("enter")
            assert total(at) == 275
            at.write("7")
            at.press("enter")
            assert "7 is not a multiplier in this game" in at.said
            at.app.set_focus(None)
            at.press("3")  # replaces what was refused, from wherever it is typed
            at.press("enter")
            assert at.said.startswith("3 is not a multiplier in this game")
            at.write("1e6")
            at.press("enter")
            assert "'1e6' is not a whole number in plain digits." in at.said
            at.press("delete", "enter")
            assert "No multiplier was chosen" in at.said
            at.press("p")
            at.write("2")
            assert "275 × 2" not in at.text
            at.press("h")
            assert at.said.startswith("Hint.")
            at.resize((90, 40))
            at.press("question_mark")
            assert "digits Enter  Play." in at.text
            assert "2-9" not in at.text.partition("The multiplication games")[0]
        assert room.history() == [(11, 25)]

    def test_a_multiplier_that_is_not_in_the_set_is_refused(self, room: Room) -> None:
        room.keep(varied((2, 3)), Move(2))
        with room.open("c", "7") as at:
            assert total(at) == 2
            assert "7 is not a multiplier in this game" in at.said
            assert key(at, 7).display is False

    def test_a_total_too_wide_for_large_digits_is_written_plainly(
        self, room: Room
    ) -> None:
        rules = Rules(Ending.REACH, 10**60, start=10**50)
        room.keep(replace(agreed(), rules=rules), Move(5))
        with room.open("c") as at:
            assert "500000...000000 (51 digits)" in at.text

    def test_the_moves_are_listed_or_on_one_row(self, room: Room) -> None:
        room.keep(agreed(), Move(5), Move(3))
        with room.open("c", size=LARGE) as at:
            assert "2 ■ 5 × 3 = 15" in at.text
            for size in ((80, 40), SMALL):
                at.resize(size)
                assert "●×5 ■×3" in at.text

    def test_many_moves_on_one_row_begin_with_dots(self, room: Room) -> None:
        room.keep(varied((2,), 10**9), *[Move(2)] * 27)
        with room.open("c", size=(80, 40)) as at:
            assert "… ■×2" in at.text

    def test_a_match_tells_its_score_and_its_game(self, room: Room) -> None:
        moves = map(Move, (5, 9, 3, 9))
        room.keep(agreed(length=Length.best_of(3)), *moves)
        with room.open("c", "enter") as at:
            assert "game 2 · best of 3" in at.text
            assert "■ Bo" in at.text
            assert "your turn · 1" in at.text
            assert "Bo starts." in at.said

    def test_a_hop_draws_itself_where_motion_is_wanted(self, room: Room) -> None:
        room.keep(MADNESS)
        with room.open("c", app=room.app(motion=True)) as at:
            at.press("9")
            shown = total(at)
            assert shown is not None
            assert 1 <= shown <= 9
            at.press("5")
            at.until(lambda: total(at) == 45)


class TestKeysInABurst:
    """Keys count in the order in which they are pressed."""

    def test_digits_in_a_burst_are_separate_moves(self, room: Room) -> None:
        room.keep(agreed(), Move(2))
        with room.open("c") as at:
            at.burst("2", "3")
            assert total(at) == 12
            at.burst("5", "4", "3")
            assert total(at) == 720
            assert room.history() == [(2, 2, 3, 5, 4, 3)]
        room.keep(MADNESS)
        with room.open("c") as at:
            at.burst("5", "x")
            assert "Bo, resign this game?" in at.text
            at.press("n")
            assert total(at) == 5

    def test_a_key_that_was_pressed_twice_does_not_move_for_the_level(
        self, room: Room
    ) -> None:
        never = asyncio.Event()
        room.keep(agreed(level="perfect"))
        app = room.app(think=never.wait)
        with room.open("v", "enter", "right", app=app) as at:
            for _ in range(2):
                key(at, 2).post_message(MultiplierEntered("2"))
            at.press_without_waiting("z", "z")
            assert total(at) == 2
            assert "Perfect is thinking" in at.said


class TestTheFocus:
    """Nothing is told by colour alone: a glyph stands before what has the focus."""

    def test_the_move_that_is_looked_at_is_marked(self, room: Room) -> None:
        room.keep(agreed(), *map(Move, (7, 9, 2)))
        with room.open("c", "9") as at:
            assert "▸    the result" in at.text
            at.press("left", "left")
            assert "▸  3 ● 63 × 2 = 126" in at.text
            assert "▸  4" not in at.text


class TestTheComputer:
    def test_a_levels_move_is_shown_in_the_third_person_and_taken_back(
        self, room: Room
    ) -> None:
        room.keep(agreed(level="perfect"), Move(7))
        with room.open("c") as at:
            assert at.said == "Perfect plays ×9: 7 × 9 makes 63."
            assert total(at) == 63
            assert room.history() == [(7, 9)]
            at.press("u")
            assert total(at) == 1
            assert (
                at.said
                == "Multiplying 1 by 7 × 9 is taken back. The number is 1 again."
            )

    def test_while_a_level_thinks_a_player_waits_leaves_or_resigns(
        self, room: Room
    ) -> None:
        room.keep(agreed(level="perfect"))
        with room.open(app=room.app(think=asyncio.Event().wait)) as at:
            at.press_without_waiting("c", "7")
            assert at.said == "Perfect is thinking …"
            assert "take back" in at.text
            for each, said in (
                ("5", "Perfect is thinking …"),
                ("h", "It is Perfect's turn; hints are for your own moves."),
                ("w", "Why. For Perfect, whose turn it is: ×9 leaves 63."),
            ):
                at.one(Panel).show_text("")
                at.press_without_waiting(each)
                assert at.said.startswith(said)
                assert "play" not in bar(at)
                assert "hint" not in bar(at)
            assert total(at) == 7
            at.press_without_waiting("escape")
            assert at.place == "Home"
            at.press_without_waiting("c")
            assert "is thinking" in at.text
            at.press_without_waiting("x")
            assert "Resign this game?" in at.text
            at.press_without_waiting("y")
            assert at.place == "GameOver"
            assert at.said.startswith("Ada has resigned. Perfect wins the game!\n")
            assert "Ada resigned at 7" in at.said

    def test_a_level_that_starts_is_shown_to_think(self, room: Room) -> None:
        room.keep(replace(agreed(level="perfect"), first=Seat.TWO))
        with room.open(app=room.app(think=asyncio.Event().wait)) as at:
            at.press_without_waiting("c")
            assert at.said == "Perfect is thinking …"
            assert "take back" not in at.text

    def test_a_levels_move_from_before_a_take_back_is_dropped(self, room: Room) -> None:
        room.keep(agreed(level="perfect"), Move(7))
        thought = asyncio.Event()
        with room.open(app=room.app(think=thought.wait)) as at:
            at.press_without_waiting("c", "u")
            assert total(at) == 1
            thought.set()
            at.wait()
            assert total(at) == 1

    def test_two_levels_play_by_themselves(self, room: Room) -> None:
        setup = replace(
            agreed(), levels=("careful", "planner"), names=("One", "Two"), seed=3
        )
        room.keep(setup, Move(5))
        with room.open("c") as at:
            assert at.place == "GameOver"
            assert "resign" not in at.text

    def test_the_level_of_a_seat_with_another_name_is_told(self, room: Room) -> None:
        setup = replace(agreed(level="expert"), names=("Ada", "Robo"))
        room.keep(setup)
        room.keep(setup, Move(5), Move(3))
        with room.open("c") as at:
            assert "expert" in at.text


class TestHelp:
    def test_the_bands_key_says_if_no_total_is_lost(self, room: Room) -> None:
        room.keep(replace(agreed(), rules=Rules(Ending.REACH, 9)))
        with room.open("c", "b") as at:
            assert (
                at.said
                == "Bands. No total of this game is lost: some move wins from each."
            )

    def test_a_hint_comes_in_steps_and_ends_in_a_hop(self, room: Room) -> None:
        room.keep(agreed(), Move(5), Move(3))
        with room.open("c", "h") as at:
            assert at.said.startswith("Hint. You can win from here")
            assert at.said.endswith("Press h for more.")
            at.press("h")
            assert "Leave 56 to 111" in at.said
            assert "╌" not in at.text
            at.press("h", "h")
            assert at.said == "Hint. ×6 leaves 90."
            assert "╌" in at.text
            at.resize((90, 40))
            at.press("question_mark")
            for told in (
                "2-9  Play.",
                "← → Enter  Choose.",
                "h  Get a hint",
                "u  Take your last move back.",
                "^c  Quit right away",
                "?  Show these keys",
            ):
                assert told in at.text

    def test_each_key_does_its_work_or_says_why_not(self, room: Room) -> None:
        room.keep(MADNESS)
        with room.open("c") as at:
            assert "▸" not in at.text
            at.press("right")
            assert "▸ 2" in at.text
            at.press("p", "right")
            assert "▸ 3" in at.text
            assert "▸ 2" not in at.text
            at.press("p", "b")
            assert "▒" in at.text
            assert "striped" in at.said
            at.press("b")
            assert "▒" not in at.text
            at.press("w")
            assert at.said.startswith("Why. ×")
            assert "▒" in at.text
            at.press("r")
            assert at.place == "Help"
            assert "Multiplication Madness" in at.text
            assert "Nobody may pass" in at.text
            at.press("r")
            assert at.place == "Table"
            at.click("KeyBar", (31, 0))
            assert at.said.startswith("Hint.")
            at.click("KeyBar", (2, 0))
            assert total(at) == 1
            for digit in "01":
                at.press(digit)
                assert at.said.startswith(f"{digit} is not an allowed multiplier.")
            at.press("2")
            assert total(at) == 2
            assert "take back" not in at.text
            at.press("u")
            assert total(at) == 2
            assert at.said == (
                "Multiplication Madness does not allow backtracking:"
                " moves cannot be taken back."
            )
            at.press("escape")
            assert at.place == "Home"
            assert "at 2." in at.text

    def test_resigning_asks_for_confirmation(self, room: Room) -> None:
        room.keep(MADNESS, Move(5))
        with room.open("c", "x") as at:
            assert "Bo, resign this game?" in at.text
            assert "▸ No" in at.text
            assert "▸ Yes" not in at.text
            at.press("left")
            assert "▸ Yes" in at.text
            assert "▸ No" not in at.text
            at.press("question_mark")
            assert at.place == "Help"
            assert "y  Yes." in at.text
            assert "n esc  No." in at.text
            at.press("escape")
            assert at.place == "ConfirmDialog"
            at.click("#no", (3, 0))
            assert at.place == "Table"
            at.press("x", "enter")
            assert at.place == "Table"
            at.press("x", "left", "enter")
            assert at.place == "GameOver"
            assert at.said.startswith("Bo has resigned. Ada wins the game!")
            at.press("enter", "x")
            at.click("KeyBar", (18, 0))
            assert at.place == "GameOver"

    def test_help_fits_every_size_and_tells_only_keys_that_work(
        self, room: Room
    ) -> None:
        room.keep(MADNESS)
        with room.open("c", "question_mark") as at:
            assert "esc close" in at.text
            assert "↓ scroll" in at.text
            assert "↑ back" not in at.text
            at.press("down")
            assert "↑ back" in at.text
            at.press("pagedown", "pagedown", "space")
            assert "◉ is the total." in at.text
            assert "scroll" not in at.text
            at.press("down", "pageup", "pageup", "up")
            assert "scroll" in at.text
            assert "↑ back" not in at.text
            at.resize(SMALL)
            assert "esc close" in at.text
            at.resize(LARGE)
            assert "esc close" in at.text
            assert "scroll" not in at.text
            at.resize((90, 40))
            at.press("escape", "5", "question_mark")
            assert "Take your last move back" not in at.text

    def test_help_at_home_lists_the_places(self, room: Room) -> None:
        with room.open("question_mark", size=(90, 40)) as at:
            assert "p  Puzzles. Exactly one multiplier wins." in at.text
            assert "Continue" not in at.text
        room.keep(agreed(), Move(5))
        with room.open("question_mark", size=(90, 40)) as at:
            assert "c  Continue." in at.text

    def test_nothing_can_be_taken_back_before_ones_own_move(self, room: Room) -> None:
        setup = agreed("multiplier", level="perfect")
        room.keep(replace(setup, first=setup.first.other), Move(3))
        with room.open("c", "u") as at:
            assert total(at) == 3
            assert "no move" in at.said.lower()

    def test_there_is_nothing_to_take_back_yet(self, room: Room) -> None:
        room.keep(agreed(), Move(5))
        with room.open("c", "u", "u") as at:
            assert "take back" not in at.text.splitlines()[-1]
            assert "no move" in at.said.lower()


class TestTheCoach:
    def test_a_slip_is_taken_back_unless_the_player_declines(self, room: Room) -> None:
        room.keep(agreed(level="perfect", lessons=COACH), Move(4), Move(2))
        with room.open("c", "2") as at:
            assert "That gives the win away. ×2 makes 16" in at.text
            assert "(3 left)" in at.text
            at.press("enter")
            assert total(at) == 8
            assert (
                at.said == "The coach gives you a second chance. 2 left in this game."
            )
            at.press("2", "escape")
            assert at.place == "Table"
            assert total(at) == 8
            at.press("2", "n")
            assert room.history()[0][2] == 2

    def test_without_second_chances_the_coach_warns_and_asks_nothing(
        self, room: Room
    ) -> None:
        lessons = Lessons(coach=True, give_backs=0)
        room.keep(agreed(lessons=lessons), Move(4))
        with room.open("c", "2", "2") as at:
            assert at.place == "Table"
            assert total(at) == 16
            assert "No second chances left in this game." in at.said

    def test_the_coach_reports_the_opponents_slip(self, room: Room) -> None:
        room.keep(agreed(lessons=COACH), Move(7, despite_coach=True))
        with room.open("c") as at:
            assert at.said.startswith("Coach.")
            assert "Ada slipped. You can win from here." in at.said


class TestQuestions:
    def test_an_open_question_blocks_other_decisions(self, room: Room) -> None:
        room.keep(agreed(lessons=MENTAL), Move(5, answer=5))
        with room.open("c", "p") as at:
            assert at.said.startswith("In mental arithmetic you work out the products")
            assert "products" not in bar(at)
            at.burst("3", "4", "u", "x")
            assert "5 × 3 =" in at.text
            at.press("escape")
            assert total(at) == 5
            at.press("4")
            assert "5 × 4 =" in at.text
            at.press("escape", "5")
            asking = at.app.screen
            for action in ("undo", "resign"):
                at.do(at.app.run_action(action, at.app.screen_stack[-2]))
            assert at.app.screen is asking

    def test_a_product_is_asked_for_before_it_is_shown(self, room: Room) -> None:
        room.keep(agreed(lessons=MENTAL), Move(5))
        with room.open("c") as at:
            assert "45" not in at.text
            at.press("9", "enter")
            assert "Type the product in digits." in at.text
            at.press("escape")
            assert total(at) == 5
            at.press("9")
            assert "5 × 9 =" in at.text
            room.seconds = 4.5
            at.write("4e5")
            at.press("enter")
            assert "Type the product in digits." in at.text
            at.write("45")  # replaces what was refused
            at.press("enter")
            assert total(at) == 45
            assert at.said.startswith("Right, Bo.")
        with room.open_store() as store:
            (answer,) = store.answers()
            (learner,) = store.learners()
        assert (answer.item, answer.given) == ("5x9", "45")
        assert (learner.name, answer.seconds) == ("Bo", 4.5)
        assert (answer.surface, answer.hinted) == ("app", False)

    def test_a_move_is_asked_for_once_before_its_question_and_once_after_it(
        self, room: Room, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        asked: list[Ask] = []

        class Counted(LocalTable):
            def submit(self, each: Ask) -> None:
                asked.append(each)
                super().submit(each)

        monkeypatch.setattr(environment, "LocalTable", Counted)
        room.keep(agreed(lessons=MENTAL), Move(4, answer=4))
        with room.open("c", "2") as at:
            at.write("8")
            at.press("enter")
            assert total(at) == 8
        assert asked == [Move(2), Move(2, answer=8)]

    def test_a_question_after_a_typed_product_is_answered(self, room: Room) -> None:
        lessons = replace(COACH, mental=True)
        room.keep(agreed(lessons=lessons), Move(4, answer=4))
        with room.open("c", "2") as at:
            at.write("8")
            at.press("enter", "2")
            at.write("17")
            at.press("enter")
            assert at.place == "ConfirmDialog"
            assert "Not quite, Ada: 8 × 2 is 16." in at.text
            at.press("n")
            assert total(at) == 16

    def test_a_game_that_a_typed_product_ends_goes_on(self, room: Room) -> None:
        setup = agreed("multiplication-madness", lessons=MENTAL)
        room.keep(setup, Move(5, answer=5), Move(5, answer=25))
        with room.open("c", "9") as at:
            at.write("225")
            at.press("enter")
            assert at.place == "GameOver"
            at.press("enter")
            assert at.place == "Table"
            assert total(at) == 1

    def test_two_at_one_keyboard_are_told_why_once_it_is_taken_back(
        self, room: Room
    ) -> None:
        room.keep(agreed(lessons=COACH), Move(4))
        with room.open("c", "2", "2") as at:
            assert at.place == "ConfirmDialog"
            at.press("y")
            assert at.said.startswith("×2 makes 16. Then the other player can leave")
            assert "The coach gives Ada a second chance." in at.said

    def test_a_hint_names_a_move_but_not_its_product(self, room: Room) -> None:
        room.keep(agreed(lessons=MENTAL), Move(5, answer=5), Move(3, answer=15))
        with room.open("c", "h", "h", "h") as at:
            assert at.said == "Hint. ×6 leaves a total in 56 to 111."
            at.press("9", "question_mark", "enter")
            assert "10 × 9 is 90. Type the product in digits." in at.text
            at.press("question_mark", "question_mark", "h", "h")
            assert at.said == "Hint. ×9 wins now."

    def test_a_needless_loss_is_asked_about(self, room: Room) -> None:
        setup = agreed("multiplication-showdown")
        room.keep(setup, Move(9), Move(5))
        with room.open("c", "9") as at:
            assert "you would lose. Accept the loss?" in at.text
            at.press("escape")
            assert total(at) == 45
            at.press("9", "y")
            assert at.place == "GameOver"

    def test_a_wrong_product_is_corrected_and_the_move_counts(self, room: Room) -> None:
        room.keep(agreed(level="perfect", lessons=MENTAL), Move(7), Move(9))
        with room.open("c", "2") as at:
            at.write("125")
            at.press("enter")
            assert "Not quite: 63 × 2 is 126" in at.said
        with room.open_store() as store:
            assert [each.name for each in store.learners()] == ["Ada"]

    def test_i_do_not_know_shows_a_step_and_then_the_product(self, room: Room) -> None:
        room.keep(agreed(lessons=MENTAL), Move(7, answer=7), Move(9, answer=63))
        with room.open("c", "6", "question_mark") as at:
            assert "60 × 6 is 360." in at.text
            at.press("question_mark")
            assert "60 × 6 is 360. Then 3 × 6." in at.text
            at.press("question_mark")
            assert at.said.startswith("63 × 6 is 378, because")
            assert total(at) == 378
        with room.open_store() as store:
            (answer,) = store.answers()
        assert answer.hinted
