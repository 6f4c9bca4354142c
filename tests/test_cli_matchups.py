"""The exact truth about levels on the command line: matchup, audit."""

from __future__ import annotations

import json
from fractions import Fraction
from random import Random

import pytest

from ninefold import LEVELS, Ending, Rules
from ninefold.matchups import best_response, matchup
from tests.program import Terminal, assert_golden, run

TOO_MANY = "this game has too many positions for exact chances; choose a smaller target"
FAR = ["--target", str(10**30)]
GOLDEN_RUNS = {
    "matchup": ["matchup", "multiplier-showdown", "planner", "expert"],
    "matchup-itself": ["matchup", "duel", "careful", "careful"],
    "matchup-plain": ["matchup", "madness", "perfect", "expert", "--plain"],
    "audit": ["audit", "planner"],
    "audit-game": ["audit", "planner", "multiplier"],
    "audit-full": ["audit", "careful", "madness", "--full"],
    "audit-second": ["audit", "planner", "madness", "--target", "200", "--plain"],
    "audit-perfect": ["audit", "perfect", "duel"],
}


@pytest.mark.parametrize("name", GOLDEN_RUNS)
def test_terminal_output_matches_golden_files(name: str) -> None:
    finished = run(*GOLDEN_RUNS[name])
    assert (finished.returncode, finished.stderr) == (0, "")
    if "--plain" not in GOLDEN_RUNS[name]:
        assert all(len(line) <= 80 for line in finished.stdout.splitlines())
    assert_golden(f"{name}.txt", finished.stdout)


def test_a_matchup_as_json_is_exact() -> None:
    answer = json.loads(run("matchup", "madness", "planner", "expert", "--json").stdout)
    rules = Rules(Ending.REACH, 100)
    one, two = (LEVELS[name].player(Random(1)) for name in ("planner", "expert"))
    assert answer["players"] == ["planner", "expert"]
    assert Fraction(answer["begins"]["fraction"]) == matchup(rules, one, two)
    assert Fraction(answer["second"]["fraction"]) == 1 - matchup(rules, two, one)


def test_a_chance_of_more_than_a_thousand_digits_has_no_fraction() -> None:
    long = ("--target", str(10**999), "--multipliers", "2,4,8", "--json")
    answer = json.loads(run("matchup", "duel", "beginner", "careful", *long).stdout)
    assert answer["begins"]["fraction"] is None
    assert 0 < answer["begins"]["value"] < 1


def test_an_audit_as_json_has_every_mistake_and_the_best_response() -> None:
    (answer,) = json.loads(run("audit", "beginner", "madness", "--json").stdout)
    assert (answer["who"], answer["won"], answer["first_can_win"]) == (
        "beginner",
        40,
        True,
    )
    assert answer["mistakes"][0] == {
        "total": 1,
        "chance": "1/2",
        "moves": [2, 3, 4, 5],
        "winning_moves": [6, 7, 8, 9],
    }
    response = best_response(
        Rules(Ending.REACH, 100), LEVELS["beginner"].player(Random(1))
    )
    assert [Fraction(each["fraction"]) for each in answer["best_response"]] == [
        response.first,
        response.second,
    ]
    assert len(json.loads(run("audit", "beginner", "--json").stdout)) == 5


def test_audit_full_lists_every_game() -> None:
    told = run("audit", "expert", "--full").stdout
    assert told.count("expert makes a mistake at") == 5


def test_a_table_that_is_too_wide_becomes_lines() -> None:
    told = Terminal("audit", "planner", COLUMNS="40").end()[1]
    assert "game: multiplier; mistakes at won\npositions: 18 of 89; cost: 95.3%" in told
    assert max(map(len, told.splitlines())) <= 40


def test_a_heading_is_never_wrapped() -> None:
    told = Terminal("matchup", "duel", "beginner", "planner", COLUMNS="37").end()[1]
    assert "who starts: beginner; beginner wins:" in told


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["audit", "plannr"], "did you mean planner?"),
        (["audit", "planner", "chess"], "'chess' is not a game"),
        (
            ["audit", "planner", "--target", "1"],
            "the target must be greater than the start",
        ),
        (["matchup", "duel", "planner", "nobody"], "'nobody' is not one of beginner"),
        (["matchup", "duel", "planner"], "missing argument 'TWO'"),
        (["audit"], "missing argument 'WHO'"),
        (["matchup", "duel", "careful", "beginner", *FAR], TOO_MANY),
        (["audit", "careful", *FAR, "--json"], TOO_MANY),
    ],
)
def test_usage_errors_are_code_2_with_a_clear_message(
    arguments: list[str], message: str
) -> None:
    finished = run(*arguments)
    assert finished.returncode == 2
    assert message in finished.stderr
    assert finished.stdout == ""


def test_a_terminal_shows_progress_while_positions_are_visited() -> None:
    shown = Terminal("matchup", "madness", "planner", "careful", "--target", "1000000")
    assert "\r1,000 positions " in shown.end()[1]
    assert "positions" not in run("matchup", "madness", "planner", "careful").stderr
