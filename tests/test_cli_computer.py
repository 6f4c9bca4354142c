"""Against the computer, with the coach, and with mental arithmetic."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ninefold.coach import TOO_FAR
from ninefold.levels import LEVELS
from ninefold.rulebooks import KEYS
from tests.program import RealTerminal, Terminal, assert_golden, run


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("level", LEVELS)
def test_the_computer_plays_every_game_against_itself(key: str, level: str) -> None:
    arguments = [
        "play",
        key,
        "--p1",
        level,
        "--p2",
        "perfect",
        "--seed",
        "11",
        "--no-save",
    ]
    finished = run(*arguments)
    assert finished.returncode == 0
    assert finished.stdout == run(*arguments).stdout
    one = "Perfect 1" if level == "perfect" else level.capitalize()
    introduction = f"{one} is the computer: {LEVELS[level].character}"
    assert introduction in " ".join(finished.stdout.split())
    assert f"\n{one} plays ×" in finished.stdout
    assert finished.stdout.endswith((" wins the game!\n", " wins!\n", " You win!\n"))
    for word in ("You chose", "multiplier (2-9)"):
        assert word not in finished.stdout


def test_the_computers_moves_are_in_the_third_person() -> None:
    arguments = ["play", "multiplier-showdown", "--p2", "perfect", "--seed", "1"]
    finished = run(*arguments, typed="5\n2\n9\n")
    assert finished.returncode == 0
    assert_golden("computer-perfect.txt", finished.stdout)


def test_replay_of_a_game_against_the_computer_repeats_its_transcript(
    tmp_path: Path,
) -> None:
    home = {"NINEFOLD_HOME": str(tmp_path)}
    arguments = ["play", "multiplication-showdown", "--p2", "perfect", "--seed", "1"]
    told = run(*arguments, typed="9\n9\n9\n", **home).stdout
    assert "Congratulations, Perfect! You win!" in told
    assert told.endswith(run("replay", "last", **home).stdout)


def test_undo_takes_back_the_computers_move_as_well() -> None:
    arguments = ["play", "multiplier", "--p2", "perfect", "--seed", "1"]
    finished = run(*arguments, typed="2\nundo\n3\nquit\n")
    taken = finished.stdout.split("Taken back: 1 × 2 ×", 1)[1]
    assert "Updated Cumulative Number: 3" in taken


def test_undo_leaves_a_move_that_only_the_computer_made() -> None:
    arguments = ["play", "multiplier", "--p1", "beginner", "--seed", "1"]
    finished = run(*arguments, typed="undo\nquit\n")
    assert "You have not made a move to take back yet" in finished.stdout


def test_a_match_against_the_computer_continues_without_a_prompt() -> None:
    arguments = ["play", "duel", "--p2", "perfect", "--best-of", "3", "--seed", "2"]
    finished = run(*arguments, typed="resign\n" * 3)
    assert finished.returncode == 0
    assert finished.stdout.count("Perfect is the computer") == 1
    assert (
        "Player 1 has resigned and loses the game.\nPerfect wins!\n" in finished.stdout
    )
    assert finished.stdout.endswith("Perfect wins the match with 2 victories to 0!\n")


def test_a_person_who_wins_is_congratulated_in_the_rule_books_words() -> None:
    arguments = ["play", "multiplication-showdown", "--p1", "beginner", "--seed", "3"]
    finished = run(*arguments, "--start", "50", typed="2\n")
    assert "Beginner plays ×" in finished.stdout
    assert "Congratulations, Player 2! You win!" in finished.stdout


@pytest.mark.parametrize(
    ("options", "names"),
    [
        (["--p1", "planner", "--p2", "planner"], "Planner 2 is the computer: "),
        (["--p2", "planner", "--name2", "Bo"], "Bo is the computer, planner: "),
    ],
)
def test_a_level_is_named_after_itself_unless_it_has_a_name(
    options: list[str], names: str
) -> None:
    finished = run("play", "madness", *options, "--no-save", typed="quit\n")
    assert names in finished.stdout


def test_a_toss_won_by_the_computer_is_in_the_third_person() -> None:
    arguments = ["play", "multiplication-showdown", "--first", "toss", "--no-save"]
    told = {
        run(*arguments, "--p2", "perfect", "--seed", str(seed), typed="quit\n").stdout
        for seed in range(8)
    }
    assert any("The coin is tossed: Perfect starts.\n" in each for each in told)
    assert any("Player 1, you start!\n" in each for each in told)


def test_an_ascii_screen_still_shows_the_computers_move() -> None:
    arguments = ["play", "madness", "--p1", "perfect", "--seed", "1", "--no-save"]
    latin = run(*arguments, typed="quit\n", encoding="latin-1").stdout
    assert "Perfect plays ×8: 1 × 8 makes 8.\n" in latin
    plainest = run(*arguments, typed="quit\n", encoding="ascii").stdout
    assert "Perfect plays x8: 1 x 8 makes 8.\n" in plainest


def test_the_coach_speaks_before_a_slip_counts() -> None:
    arguments = ["play", "multiplier-showdown", "--coach", "--no-save"]
    typed = "7\ny\n7\nn\n9\n2\n9\n2\n9\n"
    finished = run(*arguments, typed=typed)
    assert_golden("coach.txt", finished.stdout)


def test_the_coach_gives_back_at_most_the_agreed_number_of_moves() -> None:
    arguments = ["play", "multiplier-showdown", "--coach", "--give-backs", "1"]
    finished = run(*arguments, typed="7\ny\n8\nquit\n")
    told = " ".join(finished.stdout.split())
    assert told.count("No second chances left in this game.") == 2
    assert "Current Number: 8" in finished.stdout


def test_the_coach_never_reads_the_answer_to_a_move_to_the_other_person() -> None:
    arguments = ["play", "multiplier-showdown", "--name1", "Ada", "--name2", "Bo"]
    arguments += ["--coach", "--give-backs", "1", "--no-save"]
    finished = run(*arguments, typed="7\nn\n2\nn\nquit\n")
    assert finished.stdout.count("Coach: Ada, that gives the win away. ") == 1
    assert finished.stdout.count("Coach: Bo, that gives the win away. ") == 1
    assert "×9" not in finished.stdout
    assert "Coach: Bo, Ada slipped. You can win from here." in finished.stdout
    used_up = run(*arguments, typed="7\n\n7\nquit\n").stdout
    before, _, after = used_up.partition("Take it back (1 left)? (Y/n): \n")
    told = "the other player can leave 56 to 111"
    assert (told in before, told in after) == (False, True)  # it was taken back
    assert "×9" not in used_up


def test_against_the_computer_the_coach_says_why_at_once() -> None:
    arguments = ["play", "multiplier-showdown", "--coach", "--give-backs", "0"]
    arguments += ["--p2", "beginner", "--seed", "3", "--no-save"]
    finished = run(*arguments, typed="7\nquit\n")
    assert "Coach: That gives the win away. ×7 makes 7" in finished.stdout
    slipped = "Coach: Beginner slipped. You can win from here.\n"
    assert slipped in finished.stdout
    again = run(*arguments, typed="7\nundo\n8\nundo\n7\nquit\n").stdout
    assert again.count("Coach: That gives the win away.") == 1


def test_the_coach_gives_back_even_if_the_rule_book_forbids_undo() -> None:
    arguments = ["play", "madness", "--coach", "--no-save"]
    finished = run(*arguments, typed="2\ny\n?\nundo\nquit\n")
    assert "Take it back (3 left)? (Y/n): y\n" in finished.stdout
    assert "undo  " not in finished.stdout
    assert "Multiplication Madness does not allow backtracking" in finished.stdout


def test_the_coach_is_silent_if_every_move_loses() -> None:
    arguments = ["play", "multiplier-showdown", "--coach"]
    finished = run(*arguments, typed="5\n2\nquit\n")
    assert "Coach" not in finished.stdout


def test_mental_asks_for_the_product_first(tmp_path: Path) -> None:
    arguments = ["play", "madness", "--mental"]
    home = str(tmp_path)
    typed = "7\n8\nfifty\n54\n2\n112\n"
    finished = run(*arguments, typed=typed, NINEFOLD_HOME=home)
    assert finished.returncode == 0
    assert_golden("mental.txt", finished.stdout)
    shown = run("progress", "--csv", NINEFOLD_HOME=home).stdout
    for row in ("7x8,shaky,0,1", "2x6,nearly known,1,1"):
        assert f"fact,{row}\n" in shown


def test_mental_helps_in_steps_and_counts_a_shown_answer_as_wrong(
    tmp_path: Path,
) -> None:
    home = str(tmp_path)
    typed = "7\n9\nidk\nhint\n63\n6\n?\nwhat\n?\n?\n"
    arguments = ["play", "multiplier-showdown", "--mental"]
    finished = run(*arguments, typed=typed, NINEFOLD_HOME=home)
    assert (
        "7 × 9 = idk\n"
        "No problem: type ? for a first step, and ? again for the next one.\n"
        "7 × 9 = hint\n"
        "7 × 8 is 56.\n"
        "7 × 9 = 63\n"
        "Right, Player 2.\n"
    ) in finished.stdout
    assert (
        "63 × 6 = ?\n"
        "60 × 6 is 360.\n"
        "63 × 6 = what\n"
        "Type the product in digits, ? for a first step, or quit to leave.\n"
        "63 × 6 = ?\n"
        "Then 3 × 6.\n"
        "63 × 6 = ?\n"
        "63 × 6 is 378, because 60 × 6 is 360 and 3 × 6 is 18.\n"
    ) in finished.stdout
    rows = run("progress", "--csv", NINEFOLD_HOME=home).stdout.splitlines()
    assert {"fact,3x6,shaky,0,1", "fact,6x6,shaky,0,1"} <= set(rows)


def test_a_product_may_be_written_with_commas() -> None:
    arguments = ["play", "multiplier", "--mental", "--start", "540", "--no-save"]
    finished = run(*arguments, "--target", "9,000", typed="9\n4,86\n4,860\n")
    assert "= 4,86\nType the product in digits," in finished.stdout
    assert "= 4,860\nRight, Player 1.\n" in finished.stdout


def test_mental_answers_are_recorded_for_the_person(tmp_path: Path) -> None:
    home = {"NINEFOLD_HOME": str(tmp_path)}
    arguments = ["play", "madness", "--mental", "--p1", "perfect", "--name2", "Mia"]
    run(*arguments, "--seed", "1", typed="2\n16\nquit\n", **home)
    assert run("learners", **home).stdout.startswith("Mia, since ")
    assert "\nskill,tens,new,0,0\n" in run("progress", "--csv", **home).stdout
    lines = map(json.loads, run("export", **home).stdout.splitlines())
    assert [line["answer"]["item"] for line in lines if line["kind"] == "answer"]


def test_after_a_game_with_the_computer_one_key_opens_the_review() -> None:
    arguments = ["--p2", "perfect", "--seed", "1", "--pace", "0", "--no-save"]
    terminal = Terminal("play", "multiplier-showdown", "--target", "1000", *arguments)
    terminal.type("7", "2")
    terminal.type("r", "t")
    terminal.type("5", "quit")
    code, screen = terminal.end()
    assert code == 0
    assert "The game turned at move 1" in screen
    assert screen.count("Current Number: 1\n") == 2
    assert screen.count("Perfect is the computer") == 1
    question = "Enter rematch (Perfect starts) · r review · t try again from move 1"
    assert screen.count(question) == 2


def test_another_try_is_offered_only_where_there_is_a_turning_point() -> None:
    terminal = Terminal("play", "duel", "--no-save", NO_COLOR="1")
    terminal.type("5", "4", "5", "t", "q")
    code, screen = terminal.end()
    offers = "Enter rematch (Player 2 starts) · r review · p practise this"
    question = f"\n{offers} · q quit: "
    assert (code, screen.count(question)) == (0, 2)
    assert "Press Enter, or type one of these letters.\n" in screen
    assert "try again" not in screen


@pytest.mark.parametrize(
    "arguments", [["--pace", "-1"], ["--p2", "wizard"], ["--give-backs", "-1"]]
)
def test_usage_errors_are_code_2(arguments: list[str]) -> None:
    assert run("play", "madness", *arguments).returncode == 2


RECORD = "nf1.multiplier-showdown.reach1000.7x2x2x9x9"


def test_review_grades_a_record() -> None:
    assert_golden("review.txt", run("review", RECORD).stdout)
    assert_golden("review-plain.txt", run("review", RECORD, "--plain").stdout)


def test_review_as_json_is_as_documented() -> None:
    answer = json.loads(run("review", RECORD, "--json").stdout)
    assert [move["grade"] for move in answer["moves"]] == [
        "slip",
        "slip",
        "slip",
        "slip",
        "good",
    ]
    assert answer["turning_point"] == 4


def test_review_of_the_last_game(tmp_path: Path) -> None:
    home = str(tmp_path)
    nothing = run("review", NINEFOLD_HOME=home)
    assert (nothing.returncode, nothing.stderr) == (
        1,
        "ninefold: there is no saved game yet; play one, or give a record\n",
    )
    run("play", "madness", typed="8\n9\n2\n", NINEFOLD_HOME=home)
    assert "8 × 9 = 72" in run("review", NINEFOLD_HOME=home).stdout
    assert "8 × 9 = 72" in run("review", "last", NINEFOLD_HOME=home).stdout


def test_review_shows_how_many_moves_were_given_back(tmp_path: Path) -> None:
    home = str(tmp_path)
    arguments = ["play", "madness", "--p2", "beginner", "--seed", "1", "--coach"]
    for typed in ("8\n9\n", "2\ny\n3\n\n8\n9\n"):  # from 1 both x2 and x3 are slips
        run(*arguments, typed=typed, NINEFOLD_HOME=home)
    told = "Player 1 won, with two second chances."
    assert told in run("review", "last", "--plain", NINEFOLD_HOME=home).stdout
    picture = tmp_path / "game.svg"
    run("review", "last", "--svg", str(picture), NINEFOLD_HOME=home)
    assert told in picture.read_text(encoding="utf-8")
    answer = json.loads(run("review", "last", "--json", NINEFOLD_HOME=home).stdout)
    assert answer["given_back"] == [2, 0]
    assert answer["story"].endswith(told)


def test_the_product_is_asked_before_the_coach_reveals_it() -> None:
    arguments = ["play", "madness", "--coach", "--mental", "--no-save"]
    finished = run(*arguments, typed="6\n2\n12\n2\n24\ny\nquit\n")
    assert finished.stdout.index("12 × 2 = 24") < finished.stdout.index("gives the win")


def test_nonsense_does_not_play_a_slip() -> None:
    arguments = ["play", "multiplier-showdown", "--coach", "--no-save"]
    finished = run(*arguments, typed="7\n5\n\n5\nquit\n")
    assert "Type y or n, or just press Enter." in finished.stdout
    assert "Current Number: 7" not in finished.stdout
    assert "Current Number: 5" in finished.stdout


def test_give_backs_are_new_in_each_game_of_a_match() -> None:
    arguments = [
        "play",
        "multiplier-showdown",
        "--coach",
        "--give-backs",
        "1",
        "--best-of",
        "3",
    ]
    typed = "7\n\nresign\n7\n\nquit\n"
    finished = run(*arguments, "--no-save", typed=typed)
    assert finished.stdout.count("Take it back (1 left)? (Y/n): ") == 2


def test_each_game_of_a_match_has_its_own_random_moves() -> None:
    arguments = [
        "play",
        "multiplier",
        "--p1",
        "beginner",
        "--p2",
        "beginner",
        "--first-to",
        "9",
    ]
    finished = run(*arguments, "--seed", "3", "--starts", "same", "--no-save")
    games = finished.stdout.split("=== Multiplier Game Start ===")[1:]
    assert len({game.split("The cumulative")[0] for game in games}) > 5


def test_no_save_stores_no_retry_either(tmp_path: Path) -> None:
    options = ["--p2", "perfect", "--seed", "1", "--pace", "0", "--no-save"]
    terminal = Terminal("play", "madness", *options, NINEFOLD_HOME=str(tmp_path))
    terminal.type("2", "2", "t", "8", "9", "q")
    assert terminal.end()[0] == 0
    assert not list(tmp_path.iterdir())


def test_the_end_of_input_after_a_game_is_code_0() -> None:
    terminal = Terminal(
        "play", "madness", "--p2", "perfect", "--pace", "0", "--no-save"
    )
    terminal.type("8", "9")
    code, screen = terminal.end()
    assert (code, "nput ended" in screen) == (0, False)


def test_what_is_typed_while_the_computer_thinks_is_ignored() -> None:
    terminal = RealTerminal(
        *("play", "madness", "--p2", "perfect", "--seed", "1", "--no-save"),
        NO_COLOR="1",
    )
    terminal.type("2")
    terminal.wait_for("You chose 2.")
    terminal.send("9")
    terminal.wait_for("Player 1, enter a multiplier (2-9): ")
    terminal.send("quit")
    code, screen = terminal.end()
    assert code == 0
    assert (screen.count("You chose"), screen.count("Perfect plays")) == (1, 1)


@pytest.mark.parametrize("pace", ["nan", "inf", "-1", "61", "soon"])
def test_pace_must_be_a_finite_number_of_seconds(pace: str) -> None:
    for command in (["play", "madness"], ["resume"]):
        assert run(*command, "--pace", pace).returncode == 2


def test_give_backs_need_the_coach() -> None:
    finished = run("play", "madness", "--give-backs", "2")
    assert (finished.returncode, "--give-backs needs --coach" in finished.stderr) == (
        2,
        True,
    )


def test_review_counts_the_only_moves_and_reports_a_resignation() -> None:
    # At 5, only x2 wins.
    finished = run("review", "nf1.multiplication-madness.reach100.5x2x3.resign2")
    assert "Player 2 found the only winning move 1 of 1 times.\n" in finished.stdout
    assert "Player 2 resigned at 30 and could have won" in " ".join(
        finished.stdout.split()
    )


@pytest.mark.parametrize(
    ("record", "judged"),
    [
        ("5x2x3.resign2", "at 30 and could have won"),
        ("5x2.resign1", "at 10, with the game"),
        ("resign1", "at 1 and could have won. Better: ×8"),
    ],
)
def test_review_reports_a_resignation_once(record: str, judged: str) -> None:
    said = run("review", f"nf1.multiplication-madness.reach100.{record}").stdout
    assert said.count("resigned at") == 1
    assert f"resigned {judged}" in " ".join(said.split())


def test_review_reports_a_resignation_in_a_won_game() -> None:
    answer = json.loads(run("review", "nf1.-.reach100.resign1", "--json").stdout)
    assert answer["gave_up_a_win"] is True


def test_a_winner_without_slips_can_start_again_where_the_other_slipped() -> None:
    options = ["--p2", "careful", "--seed", "5", "--pace", "0", "--no-save"]
    terminal = Terminal("play", "madness", "--first", "2", *options)
    # The computer began with 5, which gave the win away.
    terminal.type("2", "9", "t", "quit")
    code, screen = terminal.end()
    assert code == 0
    assert screen.count("Game Start!") == 2


FAR = ["--multipliers", "2,5,6,10", "--target", "1" + "0" * 999, "--no-save"]
"""Rules with more lost runs than anyone waits for."""


def test_a_game_too_large_to_analyse_is_reported_at_the_prompt() -> None:
    arguments = ["play", "multiplier", *FAR, "--coach"]
    finished = run(*arguments, typed="hint\nwhy\n2\n5\nquit\n")
    assert finished.returncode == 0
    assert finished.stdout.count("This game is too big to work out.") == 2
    assert (
        finished.stdout.count("Coach: This game is too big for the coach to work out.")
        == 1
    )


def test_a_game_too_large_to_analyse_is_reported_afterwards() -> None:
    terminal = Terminal("play", "multiplier", *FAR, "--p2", "beginner", "--pace", "0")
    terminal.type("resign", "y", "r", "t", "q")
    code, screen = terminal.end()
    assert code == 0
    question = "\nEnter rematch (Beginner starts) · r review · q quit: "
    assert screen.count(question) == 3  # there is no other try
    assert f"{TOO_FAR}\n" in screen
