"""The path and claims at the terminal."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from tests.program import assert_golden, run
from tests.program import run as run_program


@pytest.mark.parametrize(
    ("name", "arguments", "typed"),
    [
        ("learn-2", ["learn", "--step", "2"], "12\n55\n?\n56\n"),
        ("learn-3", ["learn", "--step", "3"], "5\nmany\n8\n9\n9\n9\n"),
        ("learn-7", ["learn", "--step", "7"], "60 to 110\n56 to 111\n28-55\n"),
        ("claim-held", ["claim", "madness", "8", "lost"], "9\n9\n9\n"),
        ("claim-slipped", ["claim", "madness", "8", "lost"], "2\n"),
        ("claim-false", ["claim", "madness", "12", "lost"], ""),
        ("claim-band", ["claim", "madness", "8", "won"], "3\n"),
        ("claim-at-once", ["claim", "multiplier", "600", "lost"], ""),
    ],
)
def test_terminal_output_matches_golden_files(
    name: str, arguments: list[str], typed: str
) -> None:
    finished = run(*arguments, typed=typed)
    assert (finished.returncode, finished.stderr) == (0, "")
    assert_golden(f"{name}.txt", finished.stdout)


def test_the_path_continues_where_it_was_left(tmp_path: Path) -> None:
    run = partial(run_program, NINEFOLD_HOME=str(tmp_path))  # a learner is remembered
    ada = ("learn", "--learner", "Ada of the path")
    assert "Step 1 of 8" in run(*ada, typed="").stdout
    run(*ada, "--step", "1", typed="9\n9\n" * 9 + "1\n" * 3)
    left = run(*ada, typed="12\n")
    assert "Step 2 of 8" in left.stdout
    assert left.returncode != 0
    assert "Step 2 of 8" in run("learn", typed="12\n56\n").stdout
    assert "Step 3 of 8" in run("learn", typed="").stdout
    assert "Step 1 of 8" in run("learn", "--chapter", "avoid", typed="").stdout
    assert "Step 1 of 8" in run("learn", "--learner", "Zoë", typed="").stdout
    assert "Prove it: win from 11" in run("learn", "--step", "3", typed="skip\n").stdout


@pytest.mark.parametrize("name", ["Zoe", "Perfect", "Player 2"])
def test_games_of_the_path_use_the_learners_name(name: str, tmp_path: Path) -> None:
    home = {"NINEFOLD_HOME": str(tmp_path)}
    arguments = ("learn", "--step", "3", "--learner", name)
    finished = run(*arguments, typed="8\n9\n9\n9\n", **home)
    assert finished.returncode == 0
    assert f"\n{name}, enter a multiplier (2-9): 9\n" in finished.stdout
    assert finished.stdout.count(f"{name} wins the game!") == 3
    assert "Player 1" not in finished.stdout
    level = "Perfect 2" if name == "Perfect" else "Perfect"
    assert f"\n{level} plays ×" in finished.stdout


def test_after_a_claim_the_game_against_the_computer_continues() -> None:
    typed = "claim\nclaim 8 lost\n9\nquit\nclaim 11 won\nclaim 9e9 won\nresign\n"
    played = run("play", "madness", "--p2", "perfect", "--no-save", typed=typed).stdout
    assert "Type a total, and lost or won, such as: claim 8 lost." in played
    assert "You say 8 is lost:" in played
    assert "Back to your game. The total is 1." in played
    assert "11 is not a position in this game: it cannot be reached" in played
    assert "6 to 11" not in played
    alone = run("play", "madness", typed="claim 8 lost\nresign\n").stdout
    assert "You can make claims only in a game against the computer" in alone


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["claim", "madness", "11", "lost"], "11 is not a position in this game"),
        (["claim", "madness", "eight", "lost"], "eight"),
        (["claim", "madness", "8", "drawn"], "lost, won"),
        (["learn", "--step", "9"], "9 is too large; the largest is 8"),
        (["learn", "--chapter", "none"], "reach, avoid, exactly"),
    ],
)
def test_invalid_steps_and_claims_are_rejected(arguments: list[str], said: str) -> None:
    finished = run(*arguments, typed="")
    assert finished.returncode != 0
    assert said in finished.stderr
    assert "Traceback" not in finished.stderr


def test_games_of_the_path_and_of_claims_are_not_saved() -> None:
    before = run("history").stdout
    run("claim", "madness", "8", "lost", typed="9\n9\n9\n")
    assert run("history").stdout == before


def test_help_does_not_reveal_the_answer_in_a_game_of_the_path() -> None:
    typed = "8\nwhy\nmap\nhint\n"
    said = run("learn", "--step", "3", "--chapter", "reach", typed=typed).stdout
    assert "every move loses." not in said.partition("Show it")[2]
