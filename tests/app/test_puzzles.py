from __future__ import annotations

import pytest

from ninefold.app.screens.puzzles import PuzzleScreen
from ninefold.app.widgets.multiplier_keys import MultiplierKey
from ninefold.learning import Puzzle, read_puzzle
from ninefold.session import Move
from tests.app.rooms import LARGE, SMALL, TINY, USUAL, Opened, Room, agreed
from tests.store.stores import try_puzzle

KEY = "nf1.multiplier.avoid1000.3x9"
BEYOND = "nf1.-.reach1000.in2-3-50.2x2x2x2x3"


def puzzle_at(at: Opened) -> Puzzle:
    screen = at.app.screen
    assert isinstance(screen, PuzzleScreen)
    return screen.puzzle


def told(at: Opened) -> str:
    """Return what is said below the aim."""
    return at.said.partition("\n")[2]


def wrong(puzzle: Puzzle) -> int:
    return next(m for m in puzzle.game.rules.multipliers if m != puzzle.answer)


def miss(room: Room, key: str, learner: str) -> None:
    with room.open_store() as store:
        try_puzzle(store, key, name=learner)
    room.let_days_pass(1)


def test_a_puzzle_is_asked_and_solved(room: Room) -> None:
    with room.open("p") as at:
        puzzle = puzzle_at(at)
        assert "Exactly one of" in told(at)
        assert f"level {puzzle.level}" in at.text
        room.seconds = 3
        at.press(str(puzzle.answer))
        assert told(at).startswith("Right.")
        assert "solved" in at.text
        assert "hint" not in at.text
        at.press(str(wrong(puzzle)))
        assert told(at).startswith("Right.")
        at.press("n")
        assert puzzle_at(at) != puzzle
    with room.open_store() as store:
        (tried,) = store.answers()
    assert (tried.right, tried.seconds, tried.surface) == (True, 3, "app")
    assert not tried.hinted


def test_a_hint_is_stored_with_the_answer(room: Room) -> None:
    with room.open("p", "h") as at:
        assert told(at).startswith("Hint.")
        at.press(str(puzzle_at(at).answer))
    with room.open_store() as store:
        assert store.answers()[0].hinted


def test_seeing_the_bands_is_a_hint(room: Room) -> None:
    with room.open("p", "b") as at:
        assert "▒" in at.text
        at.press("b")
        at.press(str(puzzle_at(at).answer))
    with room.open_store() as store:
        assert store.answers()[0].hinted


def test_harder_and_easier_begin_at_the_level_that_is_shown(room: Room) -> None:
    miss(room, AT_ONCE, "Player 1")
    with room.open("p") as at:
        assert puzzle_at(at).level == 1
        assert "easier" not in at.text
        at.press("plus")
        assert puzzle_at(at).level == 2


def test_in_a_low_terminal_a_message_replaces_the_aim(room: Room) -> None:
    miss(room, KEY, "Player 1")
    with room.open("p", size=TINY) as at:
        assert "Reach 1,000 or more and you lose." in at.text
        at.press("h")
        assert "Hint. You can win from here" in at.text
        at.press("3")
        assert "Not that one." in at.text
        at.press("2")
        assert "Right." in at.text


def test_puzzles_become_harder_and_easier(room: Room) -> None:
    with room.open("p", "plus") as at:
        assert puzzle_at(at).level == 3
        at.press("minus", "minus", "minus")
        assert puzzle_at(at).level == 1


def test_a_multiplier_outside_the_set_is_refused(room: Room) -> None:
    miss(room, "nf1.-.avoid1000.in2-3-5-7.3x5", "Player 1")
    with room.open("p") as at:
        missing = ({*range(2, 10)} - {*puzzle_at(at).game.rules.multipliers}).pop()
        at.press(str(missing))
        assert told(at).startswith("Type one of ")


def test_a_puzzle_that_was_missed_comes_back_when_it_is_due(room: Room) -> None:
    room.keep(agreed(level="careful"), Move(5))
    miss(room, KEY, "Ada")
    with room.open("p") as at:
        assert told(at).startswith("You missed this one before.")
        assert puzzle_at(at) == read_puzzle(KEY)
        at.press("right")
        assert "╌" in at.text
        at.press("2")
        assert told(at).startswith("Right.")
        at.press("n")
        assert not told(at).startswith("You missed")


def test_ones_own_slips_come_first_and_are_asked_once(room: Room) -> None:
    miss(room, KEY, "Ada")
    room.keep(agreed(level="careful"), *map(Move, (5, 9, 3, 9)))
    with room.open("p") as at:
        assert told(at).startswith("You slipped here against careful.")
        slipped = puzzle_at(at)
        at.press(str(slipped.answer), "n")
        assert told(at).startswith("You missed this one before.")
        assert "due" not in at.text
    with room.open("p") as at:
        assert puzzle_at(at) == read_puzzle(KEY)


def test_a_solved_puzzle_says_why_each_other_move_fails(room: Room) -> None:
    miss(room, KEY, "Player 1")
    with room.open("p", "2") as at:
        assert told(at).endswith(
            "\n×3 to ×9: then the other player can leave 500 to 999."
        )


def test_a_puzzle_that_cannot_be_read_is_left_out(room: Room) -> None:
    miss(room, "nf1.multiplier.avoid1000", "Player 1")
    with room.open("p") as at:
        assert at.place == "Puzzle"
        assert puzzle_at(at).level == 2


def test_a_set_beyond_the_digits_is_typed(room: Room) -> None:
    miss(room, BEYOND, "Player 1")
    with room.open("p") as at:
        puzzle = puzzle_at(at)
        assert puzzle.game.rules.multipliers == (2, 3, 50)
        assert "Puzzle " in at.text
        at.write(str(puzzle.answer))
        at.press("enter")
        assert told(at).startswith("Right.")


FEW = "nf1.multiplication-showdown.exact96.in2-3-4-6.2x2"
EXACT = "nf1.multiplication-duel.exact100.6x8"
AT_ONCE = "nf1.multiplier-showdown.reach1000.7x8x2"


@pytest.mark.parametrize("size", [SMALL, USUAL, LARGE])
def test_the_whole_aim_is_told(room: Room, size: tuple[int, int]) -> None:
    miss(room, EXACT, "Player 1")
    with room.open("p", size=size) as at:
        assert "Hit exactly 100 to win; overreach and you lose." in at.text
        at.press("3")
        assert "Hit exactly 100 to win; overreach and you lose." in at.text


def test_a_puzzle_without_a_rule_book_has_an_aim_and_no_rules(room: Room) -> None:
    miss(room, BEYOND, "Player 1")
    with room.open("p", "escape", "p") as at:
        assert "Reach 1,000 or more and you win." in at.text
        assert "rules" not in at.text
        assert "Enter answer" in at.text


def test_r_shows_the_rules_of_the_puzzle(room: Room) -> None:
    miss(room, EXACT, "Player 1")
    with room.open("p", "r") as at:
        assert at.place == "Help"
        assert "Multiplication Duel" in at.text
        at.press("escape")
        assert at.place == "Puzzle"


@pytest.mark.parametrize(
    ("key", "before", "after"),
    [(AT_ONCE, "9\n1,008", "9\nwins"), (EXACT, "9\n432", "9\nloses")],
)
def test_keys_do_not_give_the_answer_away(
    room: Room, key: str, before: str, after: str
) -> None:
    def keys() -> list[str]:
        return [
            "\n".join(str(each.render()).split())
            for each in at.app.screen.query(MultiplierKey)
        ]

    miss(room, key, "Player 1")
    with room.open("p") as at:
        assert puzzle_at(at).level == 1
        assert keys()[-1] == before
        assert not any("wins" in each or "loses" in each for each in keys())
        at.press(str(puzzle_at(at).answer))
        assert keys()[-1] == after


def test_the_keys_that_answer_are_those_of_the_puzzle(room: Room) -> None:
    miss(room, FEW, "Player 1")
    with room.open("p") as at:
        assert "2-4, 6 answer" in at.text
        at.press("n")
        assert "2-4, 6 answer" not in at.text


def test_enter_continues_only_once_the_puzzle_is_solved(room: Room) -> None:
    with room.open("p", "enter") as at:
        puzzle = puzzle_at(at)
        assert "Enter next puzzle" not in at.text
        at.press("enter")
        assert puzzle_at(at) == puzzle
        at.press(str(puzzle.answer))
        assert "Enter next puzzle" in at.text
        at.press("enter")
        assert puzzle_at(at) != puzzle


def test_another_level_is_asked_at_once_while_others_are_due(room: Room) -> None:
    miss(room, KEY, "Player 1")
    with room.open("p", "plus") as at:
        assert puzzle_at(at).level == 3
        assert not told(at).startswith("You missed")


def test_beyond_the_last_level_nothing_is_offered(room: Room) -> None:
    with room.open("p", "minus", "minus", "minus") as at:
        assert puzzle_at(at).level == 1
        assert "easier" not in at.text
        at.press(*["plus"] * 6)
        assert puzzle_at(at).level == 5
        assert "harder" not in at.text


def test_a_wrong_answer_leaves_the_bands_as_they_are(room: Room) -> None:
    with room.open("p", "b") as at:
        at.press(str(wrong(puzzle_at(at))))
        assert "▒" in at.text


def test_a_puzzle_that_is_solved_takes_no_answer(room: Room) -> None:
    with room.open("p") as at:
        puzzle = puzzle_at(at)
        at.press(str(puzzle.answer))
        screen = at.app.screen
        assert isinstance(screen, PuzzleScreen)
        screen.enter(str(wrong(puzzle)))
        assert told(at).startswith("Right.")
