from __future__ import annotations

from ninefold.app.screens.puzzles import PuzzleScreen
from ninefold.learning import Puzzle, read_puzzle
from ninefold.session import Move
from tests.app.rooms import Opened, Room, agreed

KEY = "nf1.multiplier.avoid1000.3x9"
BEYOND = "nf1.-.reach1000.in2-3-50.2x2x2x2x3"


def puzzle_at(at: Opened) -> Puzzle:
    screen = at.app.screen
    assert isinstance(screen, PuzzleScreen)
    return screen.puzzle


def wrong(puzzle: Puzzle) -> int:
    return next(m for m in puzzle.game.rules.multipliers if m != puzzle.answer)


def miss(room: Room, key: str, learner: str) -> None:
    with room.open_store() as store:
        store.add_attempt(key, 3, right=False, learner=learner)
    for _ in range(20):
        next(room.minutes)  # until it is due again


def test_a_puzzle_is_asked_and_solved(room: Room) -> None:
    with room.open("p") as at:
        puzzle = puzzle_at(at)
        assert "Exactly one of" in at.said
        assert f"level {puzzle.level}" in at.text
        room.seconds = 3
        at.press(str(puzzle.answer))
        assert at.said.startswith("Right.")
        assert "solved" in at.text
        assert "hint" not in at.text
        at.press(str(wrong(puzzle)))
        assert at.said.startswith("Right.")
        at.press("n")
        assert puzzle_at(at) != puzzle
    with room.open_store() as store:
        (tried,) = store.attempts()
    assert (tried.right, tried.seconds, tried.surface) == (True, 3, "app")
    assert not tried.hinted


def test_only_the_first_answer_counts(room: Room) -> None:
    with room.open("p") as at:
        puzzle = puzzle_at(at)
        at.press(str(wrong(puzzle)))
        assert at.said.startswith("Not that one.")
        at.press(str(puzzle.answer))
        assert at.said.startswith("Right.")
    with room.open_store() as store:
        (tried,) = store.attempts()
    assert not tried.right


def test_a_hint_is_kept_with_the_answer(room: Room) -> None:
    with room.open("p", "h") as at:
        assert at.said.startswith("Hint.")
        at.press(str(puzzle_at(at).answer))
    with room.open_store() as store:
        assert store.attempts()[0].hinted


def test_seeing_the_bands_is_a_hint(room: Room) -> None:
    with room.open("p", "b") as at:
        assert "▒" in at.text
        at.press("b")
        at.press(str(puzzle_at(at).answer))
    with room.open_store() as store:
        assert store.attempts()[0].hinted


def test_puzzles_become_harder_and_easier(room: Room) -> None:
    with room.open("p", "plus") as at:
        assert puzzle_at(at).level == 3
        at.press("minus", "minus", "minus")
        assert puzzle_at(at).level == 1


def test_a_multiplier_that_is_not_there_is_refused(room: Room) -> None:
    miss(room, "nf1.-.avoid1000.in2-3-5-7.3x5", "Player 1")
    with room.open("p") as at:
        missing = ({*range(2, 10)} - {*puzzle_at(at).game.rules.multipliers}).pop()
        at.press(str(missing))
        assert at.said.startswith("Choose one of ")


def test_a_puzzle_that_was_missed_comes_back_when_it_is_due(room: Room) -> None:
    room.keep(agreed(level="careful"), Move(5))
    miss(room, KEY, "Ada")
    with room.open("p") as at:
        assert at.said.startswith("You missed this one before.")
        assert puzzle_at(at) == read_puzzle(KEY)
        at.press("right")
        assert "╌" in at.text
        at.press("2")
        assert at.said.startswith("Right.")
        at.press("n")
        assert not at.said.startswith("You missed")


def test_how_many_are_due_is_told(room: Room) -> None:
    miss(room, KEY, "Player 1")
    miss(room, "nf1.multiplier.avoid1000.9x3", "Player 1")
    with room.open("p") as at:
        assert "1 more due" in at.text


def test_a_puzzle_that_cannot_be_read_is_left_out(room: Room) -> None:
    miss(room, "nf1.multiplier.avoid1000", "Player 1")
    with room.open("p") as at:
        assert at.place == "Puzzle"
        assert "is no puzzle" in at.text


def test_a_set_beyond_the_digits_is_typed(room: Room) -> None:
    miss(room, BEYOND, "Player 1")
    with room.open("p") as at:
        puzzle = puzzle_at(at)
        assert puzzle.game.rules.multipliers == (2, 3, 50)
        assert "Puzzle " in at.text
        at.write(str(puzzle.answer))
        at.press("enter")
        assert at.said.startswith("Right.")
