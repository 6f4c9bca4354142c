from __future__ import annotations

import pytest
from msgspec.structs import replace

from ninefold.app.widgets.total import Total
from ninefold.coach import TOO_FAR
from ninefold.game import Seat
from ninefold.match import Length
from ninefold.session import Move, Resign
from tests.app.rooms import FAR, Room, agreed

LOST = (7, 9, 2)
"""A game that Ada gave away with her first move."""


def test_the_result_is_told_in_the_rule_books_words(room: Room) -> None:
    room.keep(agreed(), *map(Move, LOST))
    with room.open("c", "9") as at:
        assert at.place == "After"
        assert at.said.startswith("Bo wins! Bo multiplies 126 by 9 to get 1134.")
        assert "The game turned at move 1" in at.said
        assert "Enter rematch (Bo starts)" in at.text
        assert "×7?" in at.text


def test_against_a_level_the_result_is_told_in_the_third_person(room: Room) -> None:
    room.keep(agreed(level="perfect"), *map(Move, LOST))
    with room.open("c") as at:
        assert "Perfect plays ×9: 126 → 1134." in at.said
        assert "1000 is reached. Perfect wins this one." in at.said
        assert "Congratulations" not in at.said


@pytest.mark.parametrize(
    ("book", "moves", "told"),
    [
        (
            "multiplication-duel",
            (5, 5),
            "25 × 4 = 100: exactly 100. Ada wins this one.",
        ),
        ("multiplication-duel", (9, 6), "54 × 4 = 216: too far for Ada."),
        ("multiplier", (9, 9, 3), "too far for"),
    ],
)
def test_every_ending_is_told(
    room: Room, book: str, moves: tuple[int, ...], told: str
) -> None:
    room.keep(agreed(book, level="perfect"), *map(Move, moves))
    with room.open("c", "4") as at:
        assert told in at.said


def test_enter_begins_a_rematch_with_the_start_swapped(room: Room) -> None:
    room.keep(agreed(), *map(Move, LOST))
    with room.open("c", "9", "enter") as at:
        assert at.place == "Table"
        assert at.said == "Bo starts."
        at.press("5")
        assert "■ 1 × 5 = 5" in at.text
    assert room.history() == [(5,), (7, 9, 2, 9)]


def test_enter_begins_the_next_game_of_a_match(room: Room) -> None:
    room.keep(agreed(length=Length.best_of(3)), *map(Move, LOST))
    with room.open("c", "9") as at:
        assert "Ada 0 : 1 Bo, best of 3." in at.said
        assert "next game (Bo starts)" in at.text


def test_a_match_that_ends_tells_who_won_it(room: Room) -> None:
    setup = agreed(length=Length.best_of(1))
    room.keep(replace(setup, length=Length.games(2)), *map(Move, LOST), Move(9))
    with room.open("c", "enter", "x", "y") as at:
        assert "Ada 1 : 1 Bo, 2 games. The match ends level." in at.said


def test_a_match_that_is_won_tells_by_whom(room: Room) -> None:
    setup = agreed(length=Length.first_to(2))
    room.keep(setup, *map(Move, LOST), Move(9))
    with room.open("c", "enter", "5", "x", "y") as at:
        assert "Ada 0 : 2 Bo, first to 2. Bo wins the match!" in at.said


def test_t_tries_again_from_the_slip(room: Room) -> None:
    room.keep(agreed(level="perfect"), *map(Move, LOST))
    with room.open("c", "t") as at:
        assert at.place == "Table"
        assert "another try" in at.text
        assert at.one(Total).number == 1
        assert at.said == "Another try from here."


def test_no_other_try_is_offered_where_nobody_slipped(room: Room) -> None:
    room.keep(agreed(), *map(Move, (5, 2, 9)))
    with room.open("c", "2", "9") as at:
        assert at.place == "After"
        assert "stood to win from the start, and won" in at.said
        assert "try again" not in at.text
        at.press("t")
        assert at.place == "After"


def test_arrows_review_move_by_move(room: Room) -> None:
    room.keep(agreed(), *map(Move, LOST))
    with room.open("c", "9", "left") as at:
        assert at.one(Total).number == 126
        assert at.said.startswith("Move 3, Ada. Lost anyway")
        at.press("left", "up")
        assert at.said.startswith("Move 1, Ada. This gave the win away.")
        assert "? slip, it turned" in at.text
        at.press("right")
        assert at.one(Total).number == 63
        at.press("b")
        assert "▒" in at.text
        at.press("b")
        assert "▒" not in at.text


def test_escape_goes_home(room: Room) -> None:
    room.keep(agreed(), *map(Move, LOST))
    with room.open("c", "9", "escape") as at:
        assert at.place == "Home"
        assert "Continue" not in at.text


def test_giving_up_a_won_game_is_where_it_turned(room: Room) -> None:
    room.keep(agreed(), *map(Move, LOST))
    with room.open("c", "x", "y") as at:
        assert "The game turned at its end: Bo gave up at 126" in at.said
        at.press("t")
        assert at.one(Total).number == 126


def test_giving_up_a_lost_game_is_told_too(room: Room) -> None:
    room.keep(agreed(), Move(7), Move(9), Resign(Seat.ONE))
    with room.open("l", "enter") as at:
        assert "Ada gave up at 63, which was lost." in at.said


def test_a_game_that_is_too_far_to_see_has_a_result_all_the_same(room: Room) -> None:
    setup = replace(agreed("multiplier"), rules=FAR)
    room.keep(setup, Move(2), Resign(Seat.TWO))
    with room.open("l", "enter") as at:
        assert at.said == TOO_FAR
        assert at.one(Total).number == 2


def test_a_game_given_up_at_once_has_no_moves_to_review(room: Room) -> None:
    with room.open("v", "enter", "x", "y") as at:
        assert "Ada gave up at 1. Careful wins this one." in at.said
        at.press("left")
        assert at.place == "After"
