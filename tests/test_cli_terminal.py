"""At a terminal: the menu, Ctrl-C, Ctrl-D, and what is asked there."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from msgspec.structs import replace

from ninefold.cli.console import Console
from ninefold.cli.setup_questions import Pairing, prompt_proposal
from ninefold.rulebooks import load
from tests import program

EXPLORED = "multiplier-showdown --target 500 --total 12"


def test_the_menu_leads_into_a_game_and_out_of_it() -> None:
    terminal = program.Terminal(NO_COLOR="1")
    terminal.type(*[""] * 5, "9", "6", "2", "m", "quit")
    code, screen = terminal.end()
    assert code == 0
    program.assert_golden("menu-all-defaults.txt", screen)


def test_the_menu_rejects_invalid_answers_and_asks_again() -> None:
    terminal = program.Terminal()
    terminal.type("chess", "showdown", "r", "0", "13", "\x1b[A", "resume", "friend")
    terminal.type("chess", "showdown", "9", "0", "multiplier", "lots", "1", "500")
    terminal.type("Ada", "Ada", "a\tb", "Bo", "me", "bo", "resign", "y", "what", "m")
    terminal.type("duel", "x", "", "", "", "toss", "x", "quit", "quit")
    code, screen = terminal.end()
    assert code == 0
    for answer in (
        "'chess' is not in the menu; type a number or a word from the list.",
        "'showdown' fits several games; choose one of multiplier-showdown,",
        "'r' could be review or rules; type more.",
        "There is no choice 0; type 1 to 12.",
        "There is no choice 13; type 1 to 12.",
        "There is no unfinished game; start one.",
        "'chess' is not a game; try multipli",
        "There is no game 9; type 1 to 5.",
        "There is no game 0; type 1 to 5.",
        "The other player is called Ada too; choose another name.",
        "A name needs 1 to 24 visible characters; choose another.",
        "'me' is not 1, 2 or toss; type one of these.",
        "ninefold play --help Target Value (Enter for 1000): lots",
        "The target must be a whole number in plain digits, such as 1000; 'lots' is not.",
        "The target must be greater than the start (1); use 2 or more instead of 1.",
        "Target Value: 500",
        "--- Bo's Turn ---",
        "Press Enter, or type one of these letters.",
        "'x' is not among these; type a number or a word from the list.",
        "The coin has decided: Player ",
        "Starting the Multiplication Duel!",
        "'x' is not a whole number in plain digits. You may choose 2-9. Type ? for help.",
    ):
        assert answer in " ".join(screen.split())


def test_enter_plays_a_rematch_that_the_other_player_starts() -> None:
    terminal = program.Terminal("play", "duel", "--name1", "Ada", "--name2", "Bo")
    terminal.type("resign", "y", "", "resign", "y", "rematch", "resign", "y", "q")
    code, screen = terminal.end()
    assert code == 0
    prompts = [line for line in screen.splitlines() if line.endswith(": resign")]
    assert [prompt.split(",")[0] for prompt in prompts] == ["Ada", "Bo", "Ada"]
    assert screen.count("Enter rematch (Bo starts)") == 2
    assert screen.count("Enter rematch (Ada starts)") == 1


def test_every_game_of_a_rematch_is_saved(tmp_path: Path) -> None:
    home = str(tmp_path)
    terminal = program.Terminal("play", "duel", NINEFOLD_HOME=home)
    terminal.type("resign", "y", "", "5", "quit")
    assert terminal.end()[0] == 0
    assert (
        len(json.loads(program.run("history", "--json", NINEFOLD_HOME=home).stdout))
        == 2
    )
    resumed = program.run("resume", typed="quit\n", NINEFOLD_HOME=home).stdout
    assert "Player 2, choose a number to multiply (2-9): 5" in resumed


def test_between_the_games_of_a_match_no_rematch_is_offered() -> None:
    terminal = program.Terminal("play", "duel", "--games", "2")
    terminal.type("resign", "y", "resign", "y", "q")
    code, screen = terminal.end()
    assert (code, screen.count("Enter rematch")) == (0, 1)
    assert "Nobody wins the match: victories are even, 1 to 1." in screen


@pytest.mark.parametrize("answer", ["q", "quit", "EXIT"])
def test_the_menu_can_be_left(answer: str) -> None:
    terminal = program.Terminal()
    terminal.type(answer)
    assert terminal.end()[0] == 0


@pytest.mark.parametrize(
    ("arguments", "typed"), [(("play", "madness"), ("5",)), (("duel",), ())]
)
@pytest.mark.parametrize(("pressed", "code"), [([KeyboardInterrupt()], 130), ([], 1)])
def test_ctrl_c_and_ctrl_d_leave_at_once_with_their_codes(
    arguments: tuple[str, ...],
    typed: tuple[str, ...],
    pressed: list[BaseException],
    code: int,
) -> None:
    terminal = program.Terminal(*arguments)
    terminal.type(*typed, *pressed)
    ended, screen = terminal.end()
    assert ended == code
    assert screen.endswith("\n")
    assert ("To continue it: ninefold resume" in screen) == bool(typed)


@pytest.mark.parametrize("typed", [(), ("computer",), ("duel", "", "", "")])
def test_ctrl_d_in_the_menu_says_goodbye(typed: tuple[str, ...]) -> None:
    terminal = program.Terminal()
    terminal.type(*typed)
    code, screen = terminal.end()
    assert code == 0
    assert screen.endswith("\nGoodbye.\n")
    assert "nput ended" not in screen


def test_ctrl_c_in_the_menu_leaves_with_its_code() -> None:
    terminal = program.Terminal()
    terminal.type(KeyboardInterrupt())
    assert terminal.end()[0] == 130


@pytest.mark.parametrize("answers", [("2",), ("computer", ""), ("rules",), ("duel",)])
def test_back_returns_from_a_question_to_the_menu(answers: tuple[str, ...]) -> None:
    terminal = program.Terminal()
    terminal.type(*answers, "Back", "quit")
    code, screen = terminal.end()
    assert code == 0
    assert "back: the menu) Back" in screen
    assert screen.endswith("What now? (Enter: the menu, q: quit) quit\n")


def test_the_menu_suggests_the_closest_word_for_a_typo() -> None:
    terminal = program.Terminal()
    terminal.type("puzles", "computer", "", "plannr", "back", "quit")
    screen = terminal.end()[1]
    assert "'puzles' is not in the menu; did you mean puzzles?\n" in screen
    assert "'plannr' is not a level; did you mean planner?\n" in screen


@pytest.mark.parametrize(("key", "code"), [("c", 130), ("d", 1)])
def test_a_real_terminal_sends_ctrl_c_and_ctrl_d(key: str, code: int) -> None:
    terminal = program.RealTerminal("play", "madness")
    terminal.type("5")
    terminal.press(key)
    ended, screen = terminal.end()
    assert (ended, "To continue it: ninefold resume" in screen) == (code, True)


@pytest.mark.parametrize(
    ("answers", "outcome"),
    [
        (["n", "2", "2"], "Player 2 has exceeded 100"),
        (["", "2", "2"], "Player 2 has exceeded 100"),
        (["yes"], "Player 1 has exceeded 100"),
    ],
)
def test_a_needless_loss_is_confirmed_once_if_the_rule_book_says_so(
    answers: list[str], outcome: str
) -> None:
    terminal = program.Terminal("play", "multiplication-showdown")
    terminal.type("5", "9", "9", *answers, "q")  # 405, though 90 would be safe
    code, screen = terminal.end()
    assert code == 0
    assert screen.count("Accept the loss?") == 1
    assert f"{outcome} and loses the game." in screen


def test_no_confirmation_is_asked_if_every_move_loses() -> None:
    terminal = program.Terminal("play", "multiplication-showdown")
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
    terminal = program.Terminal("play", game)
    terminal.type("30", "5", "6")  # the target, then two moves
    code, screen = terminal.end()
    assert code == 0
    assert screen.startswith(f"{question}30\n")
    assert "Target " in screen.split("\n", 1)[1]
    assert ": 30\n" in screen.split("\n", 1)[1]


def test_an_open_target_is_asked_for_until_it_is_valid() -> None:
    terminal = program.Terminal("play", "multiplier")
    terminal.type("lots", "1", "30", "quit")
    code, screen = terminal.end()
    assert code == 0
    assert screen.count("Target Value (Enter for 1000): ") == 3
    assert "such as 1000; 'lots' is not.\n" in screen


def test_a_settled_target_is_not_asked_for() -> None:
    terminal = program.Terminal("play", "multiplier", "--target", "30")
    terminal.type("5", "6")
    assert "Enter for" not in terminal.end()[1]


@pytest.mark.parametrize("columns", [1, 10, 40])
def test_a_tiny_window_works(columns: int) -> None:
    terminal = program.Terminal("play", "madness", COLUMNS=str(columns))
    terminal.type("?", "9", "9", "9")
    assert terminal.end()[0] == 0


def test_a_rematch_tosses_again() -> None:
    terminal = program.Terminal("play", "duel", "--first", "toss", "--no-save")
    terminal.type(*["resign", "y", ""] * 20, "resign", "y", "q")
    code, screen = terminal.end()
    assert (code, screen.count("Enter rematch (tossed again)")) == (0, 21)
    begun = [
        line for line in screen.splitlines() if line.startswith("The coin has decided")
    ]
    assert len(begun) == 21
    assert len(set(begun)) == 2  # the chance of one face alone is 1 in 2**20


def test_the_end_of_input_after_a_game_is_code_0() -> None:
    terminal = program.Terminal()
    terminal.type("duel", *[""] * 4, "resign", "y")
    code, screen = terminal.end()
    assert (code, "nput ended" in screen) == (0, False)


@pytest.mark.parametrize("word", ["q", "quit", "exit"])
def test_quit_leaves_a_question_for_the_menu_and_the_menu_for_good(word: str) -> None:
    for answers in (["friend", "multiplier", word], ["duel", *[""] * 4, word]):
        terminal = program.Terminal()
        terminal.type(*answers, word)
        code, screen = terminal.end()
        assert (code, screen.count("What now?")) == (0, 1)
    terminal = program.Terminal("play", "multiplication-showdown")
    terminal.type("5", "9", "9", word)
    code, screen = terminal.end()
    assert (code, "has exceeded" in screen) == (0, False)


def test_quit_after_a_game_from_the_menu_leaves_for_good() -> None:
    terminal = program.Terminal()
    terminal.type("madness", *[""] * 4, "resign", "y", "q")
    code, screen = terminal.end()
    assert (code, "What now?" in screen) == (0, False)
    assert screen.endswith("m menu\nq quit: q\n")


def test_a_target_is_asked_for_even_if_the_output_is_piped() -> None:
    command = f"{shlex.join(program.NINEFOLD)} play multiplier | cat"
    terminal = program.RealTerminal(command=["/bin/bash", "-c", command])
    terminal.wait_for("Target Value (Enter for 1000): ")
    terminal.send("30")
    terminal.wait_for("Target Value: 30")
    terminal.send("quit")
    terminal.end()


def test_leading_zeros_in_the_menu_are_ignored() -> None:
    terminal = program.Terminal()
    terminal.type("01", "005", *[""] * 3, "quit", "quit")
    assert "Starting the Multiplication Duel!" in terminal.end()[1]


def test_the_computer_is_chosen_by_name_or_number() -> None:
    terminal = program.Terminal()
    terminal.type("computer", "madness", "Mia", "p", "9", "perf", "Player 1")
    terminal.type("resign", "y", "m", "play", "quit", "2", "1", "3", "")
    terminal.type("quit", "quit")
    code, screen = terminal.end()
    assert code == 0
    assert "'Mia' is not a level; type a number or a word from the list." in screen
    assert "'p' could be planner or perfect; type more." in screen
    assert "There is no level 9; type 1 to 5." in screen
    assert (
        "Who starts? 1 (Player 1), 2 (Perfect) or toss (Enter: 1, back: the menu) Player 1"
        in screen
    )
    assert "Perfect is the computer: Never makes a mistake." in screen
    assert "Planner is the computer: Looks two moves ahead" in screen


def test_two_levels_can_be_watched_from_the_menu() -> None:
    terminal = program.Terminal()
    terminal.type("multiplication-d", "w", "perfect", "", "", "m", "watch")
    terminal.type("4", "", "5", "5", "q")
    code, screen = terminal.end()
    assert code == 0
    assert "Perfect is the computer: Never makes a mistake." in screen
    assert "Beginner is the computer: Plays anything" in screen
    assert "Perfect 2 is the computer: Never makes a mistake." in screen
    assert "Type ? for help." not in screen
    asked = screen.partition("watch two levels play")[2].partition("is the computer")[0]
    assert "Which level is Player 1? " in asked
    assert "Which level is Player 2? " in asked
    assert "Who starts? 1 (Perfect), 2 (Beginner) or toss " in asked
    assert "your" not in asked.lower().partition("which level")[2]


def test_the_menu_opens_practice_progress_history_and_review(tmp_path: Path) -> None:
    home = str(tmp_path)
    program.run("play", "madness", typed="8\n9\n2\n", NINEFOLD_HOME=home)
    terminal = program.Terminal(NINEFOLD_HOME=home, NO_COLOR="1")
    terminal.type("puzzle", "quit", "practise", "quit", "history", "review")
    terminal.type("progress", "rules", "5")
    terminal.type("explore", "multiplier-s", "500", "lots", "12", "?", "q")
    code, screen = terminal.end()
    assert code == 0
    explored = program.run("solve", *EXPLORED.split(), NINEFOLD_HOME=home).stdout
    assert " ".join(explored.split()) in " ".join(screen.split())
    assert "For other multipliers: ninefold solve --help\n" in screen
    assert "Your answer: quit\n" in screen
    assert "12 items, and no clock." in screen
    assert "known: right on three days" in screen
    assert "Multiplication Madness" in screen
    assert "8 × 9 = 72" in screen
    assert "Multiplication Duel\n===" in screen
    assert screen.count("read a game's rules") == 2


def test_an_error_of_a_command_is_printed_in_the_menu() -> None:
    terminal = program.Terminal()
    terminal.type("review", "q")
    code, screen = terminal.end()
    assert (code, "There is no saved game yet" in screen) == (0, True)


def test_plain_lines_have_no_arrows_dots_or_rulers(tmp_path: Path) -> None:
    terminal = program.Terminal("--plain", NINEFOLD_HOME=str(tmp_path))
    terminal.type("watch", "madness", "perfect", "planner", "")
    terminal.type("m", "history", "review", "progress", "rules", "5", "q")
    code, screen = terminal.end()
    assert code == 0
    assert "Guest: of the 36 facts, 0 known, " in screen
    assert "\nMultiplication Duel\n\nTwo players" in screen
    assert re.search(r"Perfect plays ×(\d): 1 × \1 makes \1\.", screen)
    assert "Enter rematch (Planner starts), r review, m menu, q quit: m\n" in screen
    assert "→" not in screen
    assert "·" not in screen
    assert "==" not in screen


def test_back_leaves_a_question_for_the_target() -> None:
    terminal = program.Terminal("--plain")
    terminal.type("friend", "multiplier", "back", "q")
    code, screen = terminal.end()
    assert code == 0
    assert screen.count("play together here") == 1
    assert "back\n\nWhat now?" in screen


@pytest.mark.parametrize("answer", ["", "c", "continue", "resume", "id"])
def test_the_menu_continues_the_game_that_was_left(tmp_path: Path, answer: str) -> None:
    home = str(tmp_path)
    program.run("play", "madness", typed="5\n", NINEFOLD_HOME=home)
    listed = program.run("resume", "--list", NINEFOLD_HOME=home).stdout
    terminal = program.Terminal(NINEFOLD_HOME=home, NO_COLOR="1")
    terminal.type(listed.split()[0] if answer == "id" else answer)
    terminal.type("2", "9", "9", "m", "c", "q", "q")
    code, screen = terminal.end()
    assert code == 0
    assert "You have an unfinished game:\n" in screen
    assert "at 5, Player 2 to move" in " ".join(screen.split())
    assert "Player 2 wins the game!" in screen
    assert "With a friend" not in screen


def test_the_menu_works_if_nothing_can_be_saved(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("no folder")
    terminal = program.Terminal(NINEFOLD_HOME=str(tmp_path / "home"))
    terminal.type("q")
    assert terminal.end()[0] == 0


def test_what_a_rule_book_settles_is_not_asked_for() -> None:
    source, out = program.Stream(b"\n\n", terminal=True), program.Stream(terminal=True)
    console = Console(source, out, out, environ=program.environment())
    book = replace(load("multiplication-duel"), settles=())
    prompt_proposal(console, Pairing.FRIEND, book)
    assert "Who starts?" not in out.text


def test_the_menu_breaks_no_word_in_a_narrow_window() -> None:
    terminal = program.Terminal(COLUMNS="40", NO_COLOR="1")
    terminal.type("computer", "duel", "planner", "", "rules", "resign", "y")
    terminal.type("m", "q")
    code, screen = terminal.end()
    assert code == 0
    assert "  3  planner\n     Looks two moves ahead: its own move" in screen
    for line in screen.splitlines():
        prompt, _, _ = line.rpartition(" ")  # an entry may run over the edge
        assert len(line) <= 40 or (len(prompt) <= 40 and prompt.endswith((":", ")")))
