"""At a terminal: the menu, Ctrl-C, Ctrl-D, and what is asked there."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tests.program import NINEFOLD, RealTerminal, Terminal, assert_golden, run


def test_the_menu_leads_into_a_game_and_out_of_it() -> None:
    terminal = Terminal()
    terminal.type("", "", "", "", "", "9", "6", "2", "n")
    code, screen = terminal.end()
    assert code == 0
    assert_golden("menu-all-defaults.txt", screen)


def test_the_menu_answers_nonsense_and_asks_again() -> None:
    terminal = Terminal()
    terminal.type("chess", "showdown", "9", "0", "multiplier", "", "zoe", "", "me", "2")
    terminal.type("two", "4", "3", "lots", "1", "500", "resign", "resign", "resign")
    terminal.type("what", "m", "5", "", "", "toss", "", "x", "quit")
    code, screen = terminal.end()
    assert code == 0
    for answer in (
        "'chess' is no game; try multipli",
        "'showdown' fits several games; choose one of multiplier-showdown, multi",
        "There is no game 9; type 1 to 5.",
        "There is no game 0; type 1 to 5.",
        "'zoe' is no level; press Enter for a person.",
        "'me' is none of 1, 2 and toss.",
        "Type an odd number in plain digits, such as 3 or 5.",
        "Best of takes an odd number from 1 to 1,000, such as 3; not 4.",
        "The target must be a whole number in plain digits, such as 100; 'lots' is not.",
        "The target must be above the start, which is 1; write 2 or more instead of 1.",
        "Target Value: 500",
        "--- Player 2's Turn ---",
        "Player 1 is the overall champion, 2 rounds to 1!",
        "Press Enter to play again, m for another game, or n to leave.",
        "The coin has decided: Player ",
        "Starting the Multiplication Duel!",
        "'x' is not a whole number in plain digits. You may choose 2-9. Type ? for help.",
    ):
        assert answer in screen


def test_enter_plays_the_same_again() -> None:
    terminal = Terminal()
    terminal.type("duel", "", "", "2", "", "resign", "y", "resign", "n")
    code, screen = terminal.end()
    assert code == 0
    assert screen.count("Player 2, choose a number to multiply (2-9): resign") == 2


@pytest.mark.parametrize("answer", ["q", "quit", "EXIT"])
def test_the_menu_can_be_left(answer: str) -> None:
    terminal = Terminal()
    terminal.type(answer)
    assert terminal.end()[0] == 0


@pytest.mark.parametrize(
    ("arguments", "typed"), [((), ()), (("play", "madness"), ("5",)), (("duel",), ())]
)
@pytest.mark.parametrize(("pressed", "code"), [([KeyboardInterrupt()], 130), ([], 1)])
def test_ctrl_c_and_ctrl_d_leave_at_once_with_their_codes(
    arguments: tuple[str, ...],
    typed: tuple[str, ...],
    pressed: list[BaseException],
    code: int,
) -> None:
    terminal = Terminal(*arguments)
    terminal.type(*typed, *pressed)
    ended, screen = terminal.end()
    assert ended == code
    assert screen.endswith("\n")
    assert ("Go on with it: ninefold resume" in screen) == bool(typed)


@pytest.mark.parametrize(("key", "code"), [("c", 130), ("d", 1)])
def test_a_real_terminal_sends_ctrl_c_and_ctrl_d(key: str, code: int) -> None:
    terminal = RealTerminal("play", "madness")
    terminal.type("5")
    terminal.press(key)
    ended, screen = terminal.end()
    assert (ended, "Go on with it: ninefold resume" in screen) == (code, True)


@pytest.mark.parametrize(
    ("answers", "outcome"),
    [
        (["n", "2", "2"], "Player 2 has exceeded 100"),
        (["", "2", "2"], "Player 2 has exceeded 100"),
        (["yes"], "Player 1 has exceeded 100"),
    ],
)
def test_a_needless_loss_is_confirmed_once_where_the_rule_book_says_so(
    answers: list[str], outcome: str
) -> None:
    terminal = Terminal("play", "multiplication-showdown")
    terminal.type("5", "9", "9", *answers)  # 405, though 90 would be safe
    code, screen = terminal.end()
    assert code == 0
    assert screen.count("Accept the loss?") == 1
    assert f"{outcome} and loses the game." in screen


def test_no_question_is_asked_where_every_move_loses() -> None:
    terminal = Terminal("play", "multiplication-showdown")
    terminal.type("9", "9", "9")
    code, screen = terminal.end()
    assert (code, "Accept the loss?" in screen) == (0, False)


@pytest.mark.parametrize(
    ("game", "question"),
    [
        ("multiplier", "Target Value (Enter for 1000): "),
        ("multiplier-showdown", "Target Number (Enter for 1000): "),
    ],
)
def test_an_open_target_is_asked_for_at_a_terminal(game: str, question: str) -> None:
    terminal = Terminal("play", game)
    terminal.type("30", "5", "6")  # the target, then two moves
    code, screen = terminal.end()
    assert code == 0
    assert screen.startswith(f"{question}30\n")
    assert "Target " in screen.split("\n", 1)[1]
    assert ": 30\n" in screen.split("\n", 1)[1]


def test_an_open_target_is_asked_for_until_it_makes_a_game() -> None:
    terminal = Terminal("play", "multiplier")
    terminal.type("lots", "1", "30", "quit")
    code, screen = terminal.end()
    assert code == 0
    assert screen.count("Target Value (Enter for 1000): ") == 3
    assert "such as 100; 'lots' is not.\n" in screen


def test_a_settled_target_is_not_asked_for() -> None:
    terminal = Terminal("play", "multiplier", "--target", "30")
    terminal.type("5", "6")
    assert "Enter for" not in terminal.end()[1]


@pytest.mark.parametrize("columns", [1, 10, 40])
def test_a_tiny_window_is_no_matter(columns: int) -> None:
    terminal = Terminal("play", "madness", COLUMNS=str(columns))
    terminal.type("?", "9", "9", "9")
    assert terminal.end()[0] == 0


def test_playing_again_tosses_again() -> None:
    terminal = Terminal()
    terminal.type("duel", "", "", "toss", "")
    for _ in range(20):
        terminal.type("resign", "")
    terminal.type("quit")
    code, screen = terminal.end()
    assert code == 0
    begun = [
        line for line in screen.splitlines() if line.startswith("The coin has decided")
    ]
    assert len(begun) == 21
    assert len(set(begun)) == 2  # the chance of one face alone is 1 in 2**20


def test_the_end_of_input_after_a_game_is_no_failure() -> None:
    terminal = Terminal()
    terminal.type("duel", "", "", "", "", "resign")
    code, screen = terminal.end()
    assert (code, "Input ended" in screen) == (0, False)


@pytest.mark.parametrize("word", ["q", "quit", "exit"])
def test_quit_leaves_whatever_was_asked(word: str) -> None:
    for answers in (["multiplier", word], ["multiplier", "", "", "", "", word]):
        terminal = Terminal()
        terminal.type(*answers)
        assert terminal.end()[0] == 0
    terminal = Terminal("play", "multiplication-showdown")
    terminal.type("5", "9", "9", word)
    code, screen = terminal.end()
    assert (code, "has exceeded" in screen) == (0, False)


def test_a_target_is_asked_for_though_the_output_is_piped() -> None:
    command = f"{shlex.join(NINEFOLD)} play multiplier | cat"
    terminal = RealTerminal(command=["/bin/bash", "-c", command])
    terminal.wait_for("Target Value (Enter for 1000): ")
    terminal.send("30")
    terminal.wait_for("Target Value: 30")
    terminal.send("quit")
    terminal.end()


def test_leading_zeros_in_the_menu_are_no_matter() -> None:
    terminal = Terminal()
    terminal.type("005", "", "", "", "", "quit")
    assert "Starting the Multiplication Duel!" in terminal.end()[1]


def test_the_computer_can_be_chosen_in_the_menu() -> None:
    terminal = Terminal()
    terminal.type("madness", "p", "perf", "b", "", "", "", "n")
    code, screen = terminal.end()
    assert code == 0
    assert "'p' may be planner or perfect; type more." in screen
    assert "Player 1 is the computer, perfect: Never makes a mistake." in screen
    assert "Player 2 is the computer, beginner: Plays anything" in screen


def test_the_menu_reminds_of_a_game_that_was_left(tmp_path: Path) -> None:
    run("play", "madness", typed="5\n", NINEFOLD_HOME=str(tmp_path))
    terminal = Terminal(NINEFOLD_HOME=str(tmp_path))
    terminal.type("quit")
    _, screen = terminal.end()
    assert "A game is left unfinished; ninefold resume goes on with it:\n" in screen
    assert "at 5, Player 2 to move" in screen
