from __future__ import annotations

import shutil

from msgspec.structs import replace

from ninefold.app.widgets.board import Total
from ninefold.coach import TOO_FAR
from ninefold.game import Seat
from ninefold.match import Length
from ninefold.rules import Ending, Rules
from ninefold.session import GiveBack, Lessons, Move, Resign
from tests.app.rooms import FAR, LARGE, SMALL, TINY, USUAL, Opened, Room, agreed

LOST = (7, 9, 2)
"""A game that Ada gave away with her first move."""


def test_a_result_is_told_reviewed_and_followed_by_a_rematch(room: Room) -> None:
    room.keep(agreed(), *map(Move, LOST))
    with room.open("c", "9") as at:
        assert at.place == "GameOver"
        sentence, story = at.said.split("\n")
        assert sentence == "Bo has reached the target number and wins the game!"
        assert story.startswith("The game turned at move 1")
        assert "Enter rematch (Bo starts)" in at.text
        assert "×7?" in at.text
        review_move_by_move(at)
        read_on_in_a_small_terminal(at)
        at.resize(USUAL)
        at.press("enter")
        assert at.place == "Table"
        assert at.said == "A rematch begins: Bo starts."
        at.press("5")
        assert "■ 1 × 5 = 5" in at.text
    assert room.history() == [(5,), (7, 9, 2, 9)]


def test_a_row_of_a_review_stays_one_row_in_a_tiny_terminal(room: Room) -> None:
    room.keep(agreed(), *map(Move, (5, 9, 9)))
    with room.open("c", "9", size=TINY) as at:
        assert "the result" in at.text
        at.press("left", "left")
        assert "▸  3 ● 45 × 9 = 405     ? slip, tur…" in at.text


def review_move_by_move(at: Opened) -> None:
    """Go back with the arrows and on again, and end at the result."""
    at.press("left")
    assert at.one(Total).number == 1134
    assert at.said.startswith("Move 4, Bo.")
    at.press("left")
    assert at.one(Total).number == 126
    assert at.said.startswith("Move 3, Ada. Lost anyway")
    at.press("left", "up")
    assert at.said.startswith("Move 1, Ada. This gave the win away.")
    assert "? slip, turning point" in at.text
    at.press("right")
    assert at.one(Total).number == 63
    at.press("b")
    assert "▒" in at.text
    at.press("b")
    assert "▒" not in at.text
    at.press("left", "left", "left")
    assert at.said.startswith("Move 1, Ada.")
    at.press(*["right"] * 3)
    assert at.said.startswith("Move 4, Bo.")
    at.press("right", "right")
    assert at.said.startswith("Bo has reached the target number and wins")
    assert "▸    the result" in at.text
    at.click("ReviewedMoves", (6, 1))
    assert at.place == "GameOver"
    assert at.one(Total).number == 63


def read_on_in_a_small_terminal(at: Opened) -> None:
    """Read a comment that is longer than its place, and where it is not."""
    at.press("left", "left")
    at.resize(SMALL)
    assert "PgDn PgUp scroll" in at.text
    assert "That wins within" not in at.text
    at.press("pagedown", "pagedown")
    assert "That wins within" in at.text
    assert at.said.startswith("Move 1, Ada.")
    at.press("pageup", "pageup")
    assert "Move 1, Ada." in at.text
    at.resize(LARGE)
    assert "scroll" not in at.text


def test_the_last_hop_draws_itself_where_motion_is_wanted(room: Room) -> None:
    room.keep(agreed(), *map(Move, LOST))
    with room.open("c", app=room.app(motion=True)) as at:
        at.press("9")
        assert at.place == "GameOver"
        at.until(lambda: at.one(Total).number == 1134)


def test_a_result_and_its_review_show_the_second_chances(
    room: Room,
) -> None:
    setup = agreed(level="perfect", lessons=Lessons(coach=True))
    room.keep(setup, GiveBack(7), Move(5), Move(2), GiveBack(2), Move(9), Move(2))
    with room.open("c", "9") as at:
        assert at.place == "GameOver"
        assert at.said.endswith(" Ada won, with two second chances.")
        at.press("escape", "l")
        assert "● won at 1,620, with two second chances" in at.text
        at.press("enter")
        assert at.place == "Review"
        assert at.said.endswith(" Ada won, with two second chances.")


def test_a_level_wins_in_the_rule_books_words_and_t_tries_again(room: Room) -> None:
    room.keep(agreed(level="perfect"), *map(Move, LOST))
    with room.open("c") as at:
        assert at.said.startswith(
            "Perfect has reached the target number and wins the game!\n"
        )
        at.press("t")
        assert at.place == "Table"
        assert "another try" in at.text
        assert at.one(Total).number == 1
        assert at.said == "Another try from here."


ENDINGS = [
    (
        "multiplication-madness",
        (5, 5),
        "Ada has reached or exceeded the target number! Ada wins the game!",
    ),
    (
        "multiplication-duel",
        (5, 5),
        "Ada has reached exactly 100. Ada wins!",
    ),
    (
        "multiplication-showdown",
        (5, 5),
        (
            "Ada has reached exactly 100 and wins the game."
            " Congratulations, Ada! You win!"
        ),
    ),
    (
        "multiplication-duel",
        (9, 6),
        "Ada has exceeded 100 and loses the game. Perfect wins!",
    ),
    (
        "multiplier",
        (9, 9, 3, 2),
        (
            "The cumulative number has reached or exceeded the target value of 1000."
            " Perfect wins the game!"
        ),
    ),
]


def test_every_ending_is_shown(room: Room) -> None:
    for book, moves, _ in ENDINGS:
        room.keep(agreed(book, level="perfect"), *map(Move, moves))
    with room.open() as at:
        for _, _, told in reversed(ENDINGS):  # the last one that was left comes first
            at.press("c", "4", "y")
            assert at.place == "GameOver"
            assert at.said.startswith(f"{told}\n")
            at.press("escape")


def test_the_answer_to_the_last_product_stands_apart(room: Room) -> None:
    room.keep(agreed(lessons=Lessons(mental=True)), *map(Move, LOST))
    with room.open("c", "9") as at:
        at.write("1135")
        at.press("enter")
        assert (
            "\nNot quite, Bo: 126 × 9 is 1,134, because 100 × 9 is 900,"
            " 20 × 9 is 180 and 6 × 9 is 54.\n\n"
        ) in at.said


def test_a_right_answer_is_not_told_with_the_result(room: Room) -> None:
    setup = agreed(level="perfect", lessons=Lessons(mental=True))
    room.keep(setup, Move(7, answer=7), Move(9))
    with room.open("c", "2") as at:
        at.write("126")
        at.press("enter")
        assert at.place == "GameOver"
        assert "Right." not in at.said


def test_bands_that_were_shown_at_the_table_are_shown_until_a_rematch_is_clicked(
    room: Room,
) -> None:
    room.keep(agreed(), *map(Move, LOST))
    with room.open("c", "b", "9") as at:
        assert at.place == "GameOver"
        assert "▒" in at.text
        at.click("KeyBar", (9, 0))
        assert at.place == "Table"
        assert at.said == "A rematch begins: Bo starts."


def test_enter_begins_the_next_game_of_a_match(room: Room) -> None:
    room.keep(agreed(length=Length.best_of(3)), *map(Move, LOST))
    with room.open("c", "9") as at:
        assert "Ada 0 : 1 Bo, best of 3." in at.said
        assert "next game (Bo starts)" in at.text


def test_a_match_that_ends_level_is_reported(room: Room) -> None:
    setup = agreed(length=Length.best_of(1))
    room.keep(replace(setup, length=Length.games(2)), *map(Move, LOST), Move(9))
    with room.open("c", "enter", "x", "y") as at:
        assert "Ada 1 : 1 Bo, 2 games. The match ends level." in at.said


def test_a_match_that_is_won_names_the_winner(room: Room) -> None:
    setup = agreed(length=Length.first_to(2))
    room.keep(setup, *map(Move, LOST), Move(9))
    with room.open("c", "enter", "5", "x", "y") as at:
        assert "Ada 0 : 2 Bo, first to 2. Bo wins the match!" in at.said


def test_no_retry_is_offered_if_nobody_slipped_and_escape_goes_home(
    room: Room,
) -> None:
    room.keep(agreed(), *map(Move, (5, 2, 9)))
    with room.open("c", "2", "9") as at:
        assert at.place == "GameOver"
        assert "could win from the start, and did" in at.said
        assert "try again" not in at.text
        at.press("t")
        assert at.place == "GameOver"
        at.press("escape")
        assert at.place == "Home"
        assert "Continue" not in at.text


def test_a_retry_starts_at_the_last_slip(room: Room) -> None:
    room.keep(agreed(), *map(Move, (7, 2, 6, 2, 9)))
    with room.open("l", "enter") as at:
        assert "t try again from move 2" in at.text
        at.press(*["left"] * 5)
        assert at.said.startswith("Move 1, Ada. This gave the win away.")
        assert "t try again from move 2" in at.text
        at.press("t")
        assert at.one(Total).number == 7


def test_a_long_name_is_shortened_among_the_keys(room: Room) -> None:
    setup = replace(agreed(), names=("Ada", "Blaise Pascal of Paris"))
    room.keep(setup, *map(Move, LOST))
    with room.open("c", "9") as at:
        assert "rematch (Blaise Pascal o… starts)" in at.text


def test_resigning_a_won_game_is_its_turning_point(room: Room) -> None:
    room.keep(agreed(), *map(Move, LOST))
    with room.open("c", "x", "y") as at:
        assert "The game turned at its end: Bo resigned at 126" in at.said
        at.press("t")
        assert at.one(Total).number == 126


def test_resigning_a_lost_game_is_shown_too(room: Room) -> None:
    room.keep(agreed(), Move(7), Move(9), Resign(Seat.ONE))
    with room.open("l", "enter") as at:
        assert "Ada resigned at 63, with the game already lost." in at.said


def test_unreviewable_game_still_shows_its_result(room: Room) -> None:
    setup = replace(agreed("multiplier"), rules=FAR)
    room.keep(setup, Move(2), Resign(Seat.TWO))
    with room.open("l", "enter") as at:
        assert at.said == f"Bo has resigned. Ada wins the game!\n{TOO_FAR}"
        assert at.one(Total).number == 2


def test_a_game_resigned_before_a_move_has_no_moves_to_review(room: Room) -> None:
    with room.open("v", "enter", "x", "y") as at:
        assert at.said.startswith("Player 1 has resigned. Careful wins the game!\n")
        at.press("left")
        assert at.place == "GameOver"


def test_a_review_calls_nobody_you(room: Room) -> None:
    room.keep(agreed(level="careful"), *map(Move, (7, 2, 6, 2, 9)))
    with room.open("l", "enter", *["up"] * 4) as at:
        assert at.said.startswith("Move 2, Careful. This gave the win away.")
        assert "That wins within" in at.said
        assert "you" not in at.said.lower()


def test_a_reviewed_game_can_be_retried(room: Room) -> None:
    setup = replace(agreed(level="perfect"), first=Seat.TWO)
    room.keep(setup, *map(Move, (5, 7, 2, 9, 9)))
    room.keep(agreed(level="perfect"), *map(Move, LOST), Move(9))
    with room.open("l", "enter") as at:
        assert "t try again" in at.text
        at.press("t")
        assert at.place == "Table"
        assert at.said == "Another try from here."
        assert at.one(Total).number == 1
        at.press("escape")
        assert at.place == "History"
    assert room.history()[0] == ()


def test_a_deleted_game_cannot_be_retried(room: Room) -> None:
    room.keep(agreed(level="perfect"), *map(Move, LOST), Move(9))
    with room.open("l", "enter") as at:
        shutil.rmtree(room.path)
        at.press("t")
        assert at.place == "History"
        assert "No match" in at.text


def test_grades_stand_in_one_column(room: Room) -> None:
    rules = Rules(Ending.AVOID, 10**7)
    room.keep(replace(agreed("multiplier"), rules=rules), *map(Move, [9] * 7))
    with room.open("c", "9", size=LARGE) as at:
        rows = [row[:50] for row in at.text.splitlines() if " × 9 = " in row]
        listed = [row for row in rows if row.lstrip()[0].isdigit()]
        grades = {next(row.find(g) for g in "!+?·" if g in row) for row in listed}
        assert len(grades) == 1
