"""Practice, puzzles, progress and learners at the terminal."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from ninefold.learning import read_item, read_puzzle
from tests.program import Terminal, assert_golden, run, run_at

BEGAN = datetime(2026, 1, 31, 9, 30, tzinfo=UTC)
DRILL = ["drill", "--seed", "3"]
EVERY = "".join(f"{multiplier}\n" for multiplier in range(2, 10))
ITEM = re.compile(r"^\d+ of 12: (.*)$", re.MULTILINE)


def at(days: float = 0) -> Callable[[], datetime]:
    """Return a clock that stands still, so many days after the beginning."""
    return lambda: BEGAN + timedelta(days=days)


def exported(home: Mapping[str, str]) -> list[dict[str, object]]:
    """Return the answers of an export."""
    lines = map(json.loads, run("export", **home).stdout.splitlines())
    return [line["answer"] for line in lines if line["kind"] == "answer"]


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    return {"NINEFOLD_HOME": str(tmp_path)}


def solve(home: Mapping[str, str], days: float = 0, learner: str = "Ada") -> str:
    """Answer everything that a drill asks; return the screen."""
    arguments = [*DRILL, "--learner", learner]
    looked = run_at(at(days), *arguments, "--no-save", typed="skip\n" * 12, **home)
    typed = "".join(f"{_answer(asked)}\n" for asked in ITEM.findall(looked.stdout))
    return run_at(at(days), *arguments, typed=typed, **home).stdout


def _answer(asked: str) -> int:
    """Work an item out as a person would."""
    numbers = [int(each) for each in re.findall(r"\d+", asked)]
    if "+" in asked:
        return numbers[0] + numbers[1]
    if "?" in asked:
        first, last, factor, least, most = numbers
        return next(m for m in range(first, last + 1) if least <= m * factor <= most)
    return numbers[0] * numbers[1]


# Drills


def test_a_drill_asks_twelve_items_helps_in_steps_and_names_a_slip(
    home: dict[str, str],
) -> None:
    typed = "?\n?\n25\nmany\n7\n8\nskip\n130\n473\n12\nx\n10\n6\nquit\n"
    finished = run_at(at(), *DRILL, "--learner", "Ada", typed=typed, **home)
    assert_golden("drill.txt", finished.stdout)
    stored = exported(home)
    items = ["5x5", "36x?288-575", "100+30", "69x7", "3x3", "2x5", "2x3"]
    assert [each["item"] for each in stored] == items
    assert [each["right"] for each in stored] == [
        True,
        False,
        True,
        False,
        False,
        True,
        True,
    ]
    assert [each.get("hinted", False) for each in stored] == [True, *[False] * 6]
    assert {each["activity"] for each in stored} == {"drill"}
    assert {each["surface"] for each in stored} == {"classic"}
    assert all(isinstance(each["seconds"], float) for each in stored)


def test_a_drill_ends_with_improvements_and_the_next_due_date(
    home: dict[str, str],
) -> None:
    screen = solve(home)
    assert len(ITEM.findall(screen)) == 12
    told = " ".join(screen.rpartition("Improved: ")[2].split())
    due = r"Next practice: (tomorrow|in \d days)\."
    assert re.fullmatch(rf"([^,]+, ){{4}}[^,]+ and \d+ more\. {due}", told)
    assert len(exported(home)) == 12
    later = " ".join(solve(home, days=40).split())
    assert later.endswith(" You can practise more whenever you like.")


def test_leaving_a_drill_early_saves_the_answers(home: dict[str, str]) -> None:
    left = run_at(at(), *DRILL, typed="25\nquit\n", **home)
    assert left.returncode == 0
    assert "Improved: 5 × 5." in left.stdout
    cut = run_at(at(), *DRILL, typed="1\nskip\n16\n", **home)
    assert (cut.returncode, cut.stderr) == (
        1,
        "The input ended before the practice was over.\n",
    )
    stored = [(each["item"], each["right"]) for each in exported(home)]
    assert len(stored) == 3
    assert stored[0] == ("5x5", True)


def test_a_drill_never_shows_a_clock_or_a_streak(home: dict[str, str]) -> None:
    shown = "".join(solve(home, days) for days in (0, 3)).lower()
    for word in ("second", "streak", "in a row", "overdue", "score", "minute"):
        assert word not in shown


def test_slips_alone_are_not_reported_as_improvements(home: dict[str, str]) -> None:
    shown = run_at(at(), *DRILL, typed="7\nquit\n", **home).stdout
    assert "Nothing improved this time." in shown
    assert "Next practice: tomorrow." in shown


def test_practice_continues_if_nothing_can_be_saved(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("no folder")
    finished = run(*DRILL, typed="25\nquit\n", NINEFOLD_HOME=str(tmp_path / "home"))
    assert finished.returncode == 0
    assert "Right. 5 × 5 is 25." in finished.stdout
    assert finished.stderr.count("This is not being saved: ") == 1


def test_a_pipe_of_nonsense_ends_a_drill() -> None:
    finished = run(*DRILL, "--no-save", typed="what\n" * 2_000)
    assert finished.returncode == 2


def test_at_a_terminal_of_40_columns_every_line_of_a_drill_fits() -> None:
    terminal = Terminal(*DRILL, "--no-save", COLUMNS="40")
    terminal.type("?", "7", "what", "9", "quit")
    code, screen = terminal.end()
    assert code == 0
    assert all(len(line) <= 40 for line in screen.splitlines())


# Learners


def test_a_learner_is_remembered_until_another_is_given(home: dict[str, str]) -> None:
    first = run_at(at(), *DRILL, "--learner", " Ada ", typed="quit\n", **home).stdout
    assert first.startswith("12 items for Ada. Take your time.")
    run_at(at(1), "drill", "--learner", "Bo", typed="quit\n", **home)
    again = run_at(at(2), "drill", typed="quit\n", **home).stdout
    assert again.startswith("12 items for Bo. ")
    run_at(at(3), "puzzle", "--learner", "ada", typed="quit\n", **home)
    assert run_at(at(4), "progress", **home).stdout.startswith("Ada\n")
    looked = run_at(at(5), "progress", "--learner", "Bo", "--plain", **home).stdout
    assert looked.startswith("Of the 36 facts, Bo has ")
    listed = run_at(at(6), "learners", **home).stdout
    assert listed == ("Ada, since 2026-01-31 (current)\nBo, since 2026-02-01\n")


def test_the_learner_plays_against_the_computer_and_answers(
    home: dict[str, str],
) -> None:
    mental = ["play", "madness", "--mental", "--seed", "1"]
    typed = "7\n7\n8\n54\nquit\n"
    run(*mental, "--p2", "perfect", "--learner", "Mia", typed=typed, **home)
    later = run(*mental, "--p1", "perfect", typed="9\n72\nquit\n", **home)
    assert "Mia, enter a multiplier (2-9): " in later.stdout
    assert [row["name"] for row in known(home, "Mia") if row["asked"]]
    assert run("learners", **home).stdout.count("\n") == 1
    two = run("play", "madness", typed="quit\n", **home).stdout
    assert "Player 1, enter a multiplier" in two


def test_people_without_names_practise_for_the_default_learner(
    home: dict[str, str],
) -> None:
    two = ("play", "madness", "--mental")
    run(*two, typed="5\n5\n4\n21\nquit\n", **home)
    run("drill", typed="1\nquit\n", **home)
    run(*two, "--name2", "Bo", typed="5\n5\n4\n21\nquit\n", **home)
    listed = run("learners", **home).stdout
    assert [each.split(", ")[0] for each in listed.splitlines()] == ["Guest", "Bo"]
    assert [row["name"] for row in known(home, "Guest") if row["asked"]]
    run("learners", "rename", "Guest", "Ada", **home)
    run("drill", typed="1\nquit\n", **home)
    listed = run("learners", **home).stdout
    assert [each.split(", ")[0] for each in listed.splitlines()] == ["Ada", "Bo"]


def test_the_menu_asks_no_name_against_a_level_and_uses_the_learners(
    home: dict[str, str],
) -> None:
    run("drill", "--learner", "Mia", typed="quit\n", **home)
    terminal = Terminal("--plain", **home)
    terminal.type("computer", "", "", "", "quit", "q")
    code, screen = terminal.end()
    assert code == 0
    assert "name?" not in screen
    assert "Mia, enter a multiplier (2-9): " in screen


def known(home: Mapping[str, str], learner: str) -> list[dict[str, object]]:
    answer = json.loads(run("progress", "--learner", learner, "--json", **home).stdout)
    facts: list[dict[str, object]] = answer["facts"]
    return facts


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["play", "duel", "--learner", "Ada"], "needs one person against the computer"),
        (
            ["play", "duel", "--p1", "careful", "--p2", "careful", "--learner", "Ada"],
            "needs one person against the computer",
        ),
        (
            ["play", "duel", "--p2", "careful", "--learner", "A", "--name1", "B"],
            "not both",
        ),
        (["drill", "--learner", ""], "a name needs 1 to 24 visible characters"),
        (["drill", "--learner", "n" * 25], "a name needs 1 to 24 visible characters"),
        (["drill", "--learner", "\x1b"], "a name needs 1 to 24 visible characters"),
        (["progress", "--learner", "\x1b"], "a name needs 1 to 24 visible characters"),
        (["progress", "--learner", "Zoë"], "there is no learner called 'Zoë'"),
        (["learners", "remove", "Zoë"], "there is no learner called 'Zoë'"),
        (["learners", "rename", "Ada", "Bo"], "already a learner called 'Bo'"),
        (["learners", "rename", "Ada", "\x1b"], "a name needs 1 to 24 visible"),
        (["learners", "remove", "Ada"], "use --yes"),
        (["learners", "delete", "Ada"], "use rename NAME NEW, or remove NAME"),
        (["progress", "--json", "--csv"], "not both"),
    ],
)
def test_usage_errors_are_code_2_with_a_clear_message(
    arguments: list[str], problem: str, home: dict[str, str]
) -> None:
    for name in ("Ada", "Bo"):
        run("drill", "--learner", name, typed="quit\n", **home)
    finished = run(*arguments, typed="y\n", **home)
    assert finished.returncode == 2
    assert problem in finished.stderr


def test_learners_are_renamed_and_removed(home: dict[str, str]) -> None:
    empty = run("learners", **home)
    assert (empty.stdout, empty.stderr) == (
        "",
        "There are no learners yet. Start with: ninefold drill\n",
    )
    for day, name in enumerate(("Ada", "Bo")):
        run_at(at(day), *DRILL, "--learner", name, typed="6\nquit\n", **home)
    renamed = run("learners", "rename", "Bo", "Blaise", **home)
    assert renamed.stdout == "Renamed Bo to Blaise.\n"
    taken = run("learners", "rename", "Ada", "bo", **home)
    assert "'bo' is an earlier name of Blaise; choose another name" in taken.stderr
    assert run("progress", "--learner", "Bo", **home).stdout.startswith("Blaise\n")
    assert sum(bool(row["asked"]) for row in known(home, "Bo")) >= 1
    refused = Terminal("learners", "remove", "Ada", **home)
    refused.type("n")
    assert refused.end()[0] == 0
    assert "Ada, since" in run("learners", **home).stdout
    removing = Terminal("learners", "remove", "Ada", **home)
    removing.type("y")
    code, screen = removing.end()
    assert code == 0
    assert screen == (
        "Remove Ada and 1 answer? This cannot be undone. (y/N): y\n"
        "Removed Ada and 1 answer. The games stay saved.\n"
    )
    removed = run("learners", "remove", "bo", "--yes", **home)
    assert removed.stdout == "Removed Blaise and 1 answer. The games stay saved.\n"
    assert exported(home) == []


def test_a_renamed_learner_still_has_all_finished_and_unfinished_matches(
    home: dict[str, str],
) -> None:
    mental = ["play", "madness", "--mental", "--seed", "1", "--p2", "perfect"]
    run(*mental, "--learner", "Mia", typed="7\n7\nquit\n", **home)
    run("learners", "rename", "Mia", "Maya", **home)
    before = len(exported(home))
    run("resume", typed="8\n54\nresign\n", **home)
    assert len(exported(home)) > before
    assert run("learners", **home).stdout.startswith("Maya, since ")
    assert run("learners", **home).stdout.count("\n") == 1
    told = run("progress", "--learner", "Maya", "--json", **home).stdout
    assert json.loads(told)["games"]["played"] == 1


# Puzzles


def test_a_puzzle_is_posed_and_every_other_move_is_explained() -> None:
    arguments = ["puzzle", "--game", "multiplier", "--level", "2", "--seed", "3"]
    finished = run(*arguments, "--no-save", typed=f"12\n{EVERY}")
    assert finished.returncode == 0
    assert_golden("puzzle.txt", finished.stdout)


def test_a_puzzle_can_be_answered_between_two_steps_of_help(
    home: dict[str, str],
) -> None:
    typed = f"rules\n?\nhint\n×9\n?\n3\n?\nseven\n{EVERY}"
    arguments = ["puzzle", "--game", "multiplier", "--level", "2", "--seed", "3"]
    finished = run(*arguments, typed=typed, **home)
    assert finished.returncode == 0
    assert_golden("puzzle-help.txt", finished.stdout)
    (attempt,) = exported(home)
    assert (attempt["hinted"], attempt["activity"]) == (True, "puzzle")
    run(*arguments, typed="2\n?\nquit\n", **home)
    *_, unaided = exported(home)
    assert unaided.get("hinted", False) is False


def test_a_missed_puzzle_comes_back(home: dict[str, str]) -> None:
    arguments = ["puzzle", "--game", "duel", "--level", "2"]
    seeded = [*arguments, "--seed", "1"]
    shown = json.loads(run(*seeded, "--json", "--solution", **home).stdout)
    wrong = next(m for m in range(2, 10) if m != shown["solution"]["multiplier"])
    typed = f"{wrong}\n{EVERY}"
    finished = run_at(at(), *seeded, typed=typed, **home)
    assert "Not that one" in finished.stdout
    posed = json.loads(run_at(at(1), *arguments, "--json", **home).stdout)
    assert posed["missed_before"] is True
    for other in (["--game", "madness"], ["--level", "5"], ["--learner", "Bo"]):
        new = run_at(at(1), "puzzle", *other, "--json", "--no-save", **home).stdout
        assert json.loads(new)["missed_before"] is False
    again = run_at(at(1), *arguments, typed=typed, **home).stdout
    assert again.splitlines()[1] == "You missed this one before."
    assert again.split("Your answer")[0].splitlines()[2] in finished.stdout


def test_a_missed_puzzle_of_another_generator_is_skipped(
    home: dict[str, str],
) -> None:
    _import_missed(home, "nf9.chess")
    posed = json.loads(run("puzzle", "--json", **home).stdout)
    assert posed["missed_before"] is False


def test_a_puzzle_comes_back_to_the_learner_who_missed_it(
    home: dict[str, str],
) -> None:
    _import_missed(home, "nf1.multiplier.avoid1000.3x9")
    other = run("puzzle", "--json", "--learner", "Bo", "--no-save", **home).stdout
    assert json.loads(other)["missed_before"] is False
    first = run("puzzle", typed="2\n", **home).stdout
    assert "You missed this one before." in first
    again = json.loads(run("puzzle", "--json", **home).stdout)
    assert again["missed_before"] is False


def _import_missed(home: Mapping[str, str], puzzle: str) -> None:
    """Let Ada have missed a puzzle long ago."""
    answer = {
        "item": puzzle,
        "given": "3",
        "right": False,
        "at": "2026-01-01T00:00:00Z",
        "activity": "puzzle",
    }
    line = {"ninefold": 1, "kind": "answer", "id": "a", "learner": "Ada"}
    typed = json.dumps({**line, "answer": answer})
    assert run("import", "-", typed=typed, **home).returncode == 0


def test_the_learners_own_slips_are_the_first_puzzles(home: dict[str, str]) -> None:
    _import_missed(home, "nf1.multiplier.avoid1000.3x9")
    lose(home, "--name1", "Ada")
    posed = json.loads(run("puzzle", "--json", "--solution", **home).stdout)
    assert (posed["own_slip"], posed["missed_before"]) == (True, False)
    assert posed["key"].startswith("nf1.multiplication-madness.reach100.")
    typed = f"{posed['solution']['multiplier']}\n"
    shown = run("puzzle", typed=typed, **home).stdout
    assert shown.splitlines()[1] == "You slipped here against perfect."
    then = json.loads(run("puzzle", "--json", **home).stdout)
    assert then["key"] != posed["key"]  # it is solved, and comes back another day
    other = json.loads(run("puzzle", "--json", "--game", "duel", **home).stdout)
    assert other["own_slip"] is False


def lose(home: Mapping[str, str], *options: str) -> None:
    """Lose a game of Madness to perfect, from 4, where only ×2 wins."""
    arguments = ["play", "madness", "--p2", "perfect", "--seed", "1", *options]
    run(*arguments, "--start", "4", typed="9\n", **home)


def test_new_puzzles_are_by_variants_of_the_rules_that_were_played(
    home: dict[str, str],
) -> None:
    rules = ["--target", "700", "--multipliers", "2-7"]
    run("play", "multiplier-showdown", *rules, typed="2\n3\nquit\n", **home)
    for _ in range(3):
        posed = json.loads(run("puzzle", "--json", **home).stdout)
        assert posed["rules"]["ending"] == "reach"
        assert posed["rules"]["multipliers"] == [2, 3, 5, 7]


def test_puzzles_continue_if_nothing_can_be_saved(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("no folder")
    finished = run("puzzle", typed=EVERY, NINEFOLD_HOME=str(tmp_path / "home"))
    assert finished.returncode == 0
    assert finished.stderr.count("This is not being saved: ") == 1


def test_at_a_terminal_there_is_always_another_puzzle() -> None:
    seeded = ["puzzle", "--level", "1", "--seed", "4"]
    posed = json.loads(run(*seeded, "--json", "--solution").stdout)
    right = str(posed["solution"]["multiplier"])
    terminal = Terminal(*seeded)
    terminal.type(right, "", "quit")
    code, screen = terminal.end()
    assert code == 0
    assert screen.count("(level 1)") == 2
    terminal = Terminal(*seeded)
    terminal.type("skip", "n")
    assert terminal.end()[0] == 0


def test_the_solution_of_a_puzzle_is_only_in_json() -> None:
    finished = run("puzzle", "--solution")
    assert (finished.returncode, "--solution needs --json" in finished.stderr) == (
        2,
        True,
    )
    posed = json.loads(run("puzzle", "--seed", "3", "--json").stdout)
    assert "solution" not in posed
    solved = json.loads(run("puzzle", "--seed", "3", "--json", "--solution").stdout)
    solution = solved.pop("solution")
    assert solution.keys() == {"multiplier", "why"}
    assert solved == posed
    assert read_puzzle(posed["key"]).answer == solution["multiplier"]
    assert read_item(posed["key"]).judge(str(solution["multiplier"])).right


def test_leaving_a_puzzle_is_code_0() -> None:
    assert run("puzzle", "--seed", "1", typed="quit\n").returncode == 0
    assert run("puzzle", "--seed", "1", typed="").returncode == 1


def test_a_seeded_puzzle_is_not_replaced_by_a_missed_one(home: dict[str, str]) -> None:
    typed = f"9\n{EVERY}"
    first = run("puzzle", "--seed", "5", typed=typed, **home).stdout
    again = run("puzzle", "--seed", "5", typed=typed, **home).stdout
    assert again == first


def test_a_puzzle_of_a_custom_rule_book_says_what_wins(tmp_path: Path) -> None:
    book = tmp_path / "mine.toml"
    book.write_text('title = "Mine"\n[rules]\nending = "avoid"\ntarget = 500\n')
    finished = run("puzzle", "--game", str(book), "--seed", "1", typed="rules\nquit\n")
    assert "Mine (level 2)\n" in finished.stdout
    assert "or more and you lose." in finished.stdout
    assert "Nobody may pass, and there is no draw." in finished.stdout


# After a lost game


def test_a_lost_game_can_be_practised_at_once(home: dict[str, str]) -> None:
    arguments = ["play", "madness", "--start", "4", "--p2", "perfect", "--seed", "1"]
    terminal = Terminal(*arguments, "--pace", "0", NO_COLOR="1", **home)
    terminal.type("9", "p", "?", "2", "36", "q")
    code, screen = terminal.end()
    assert code == 0
    offer = "Enter rematch (Perfect starts) · r review · t try again from move 1"
    assert screen.count(f"{offer}\np practise this · q quit: ") == 2
    assert "The total is 4, and it is your turn." in screen
    assert "2 of 2: 4 × 9 = 36\nRight. 4 × 9 is 36.\nImproved: 4 × 9." in screen
    assert [each["activity"] for each in exported(home)] == ["puzzle", "drill"]


def test_the_local_loser_is_offered_practice(home: dict[str, str]) -> None:
    arguments = ["play", "madness", "--seed", "1", "--pace", "0"]
    alone = Terminal(*arguments, "--p2", "beginner", **home)
    alone.type("8", "9", "p", "q")
    code, screen = alone.end()
    assert (code, "practise" in screen) == (0, False)
    assert "Press Enter, or type one of these letters." in screen
    two = Terminal(*arguments, "--name2", "Bo", **home)
    two.type("9", "9", "9", "p", "81", "q")
    code, screen = two.end()
    assert (code, screen.count("p practise this")) == (0, 2)
    assert "Improved: 9 × 9." in screen
    assert [each["item"] for each in exported(home)] == ["9x9"]


def test_practice_after_an_unsaved_game_saves_no_answers(
    home: dict[str, str],
) -> None:
    arguments = ["play", "madness", "--start", "4", "--p2", "perfect", "--seed", "1"]
    terminal = Terminal(*arguments, "--pace", "0", "--no-save", **home)
    terminal.type("9", "p", "2", "quit", "q")
    assert terminal.end()[0] == 0
    assert exported(home) == []


# Progress


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A home in which Ada has practised for some weeks, and played."""
    home = {"NINEFOLD_HOME": str(tmp_path_factory.mktemp("home"))}
    for days in (0, 3, 12):
        solve(home, days)
    run_at(at(13), *DRILL, typed="7\n7\n7\nquit\n", **home)
    beats = ["play", "madness", "--p2", "careful", "--learner", "Ada"]
    for seed in range(4):
        run_at(at(14), *beats, "--seed", str(seed), typed="8\n9\n9\n", **home)
    coached = ["play", "madness", "--p2", "planner", "--learner", "Ada", "--coach"]
    run_at(at(15), *coached, "--seed", "1", typed="2\ny\n3\n\n8\n9\n9\n", **home)
    people = ["play", "madness", "--name1", "Ada", "--name2", "Bo"]
    for typed in ("9\n9\n9\n", "resign\n"):
        run_at(at(16), *people, typed=typed, **home)
    run_at(at(17), "puzzle", "--seed", "1", typed=EVERY, **home)
    return home


def test_progress_shows_facts_skills_games_slips_people_and_a_suggestion(
    learned: dict[str, str],
) -> None:
    assert_golden("progress.txt", run_at(at(20), "progress", **learned).stdout)


def test_progress_in_plain_lines_is_a_digest_of_five_sentences(
    learned: dict[str, str],
) -> None:
    plain = run_at(at(20), "progress", "--plain", **learned).stdout
    assert_golden("progress-plain.txt", plain)
    assert len(plain.splitlines()) == 5
    assert " 1 shaky" in plain
    assert "Shaky facts: 3 × 6; shaky skills: hitting a range." in plain


def test_progress_as_json_and_csv_agree(learned: dict[str, str]) -> None:
    answer = json.loads(run_at(at(20), "progress", "--json", **learned).stdout)
    head, *lines = run_at(at(20), "progress", "--csv", **learned).stdout.splitlines()
    assert head == "kind,name,standing,right,asked"
    keys = ("name", "standing", "right", "asked")
    cards = [("fact", row) for row in answer["facts"]]
    cards += [("skill", row) for row in answer["skills"]]
    written = [
        ",".join([kind, *(str(row[key]) for key in keys)]) for kind, row in cards
    ]
    assert lines[: len(cards)] == written
    assert (len(answer["facts"]), len(answer["skills"])) == (36, 6)
    assert answer["games"]["over_time"]["careful"] == [1, 1, 1, 1]
    assert answer["games"]["slips"] == 0  # the coach gave those moves back
    assert answer["games"]["people"] == [{"names": ["Ada", "Bo"], "score": [1, 1]}]


def test_progress_counts_how_often_you_gave_the_win_away(home: dict[str, str]) -> None:
    arguments = ["play", "madness", "--start", "4", "--p2", "perfect", "--seed", "1"]
    for count, times in enumerate(("once", "twice", "3 times"), start=1):
        run(*arguments, typed="9\n", **home)
        games = json.loads(run("progress", "--json", **home).stdout)["games"]
        assert games["slips"] == count
        told = run("progress", **home).stdout
        assert f"\nYou gave the win away {times}.\n" in told
        plain = run("progress", "--plain", **home).stdout
        assert f"against the computer, and gave the win away {times}.\n" in plain


def test_progress_without_answers_suggests_to_start(home: dict[str, str]) -> None:
    shown = run("progress", **home).stdout
    assert "You have not finished a game against the computer yet.\n" in shown
    assert shown.endswith("Practise twelve items to see what you know.\n")
    assert not list(Path(home["NINEFOLD_HOME"]).iterdir())  # looking makes no file


def test_progress_counts_the_games_of_one_learner_alone(home: dict[str, str]) -> None:
    beats = ["play", "madness", "--p2", "beginner", "--seed", "1"]
    for name in ("Ada", "Ada", "Bo"):
        run(*beats, "--name1", name, typed="8\n9\n", **home)
    for name, count in (("Ada", 2), ("Bo", 1)):
        told = run("progress", "--learner", name, "--json", **home).stdout
        assert json.loads(told)["games"]["played"] == count
    assert json.loads(run("progress", "--json", **home).stdout)["learner"] == "Bo"


@pytest.mark.parametrize(
    ("level", "typed", "suggestion"),
    [
        ("careful", "8\n9\n9\n", "You beat careful 3 of the last 3: try planner."),
        (
            "perfect",
            "8\n9\n9\n",
            "You beat perfect 3 of the last 3: try another target.",
        ),
        ("planner", "resign\n", "You lost the last 3 against planner: try the coach."),
    ],
)
def test_one_suggestion_follows_from_the_last_games(
    level: str, typed: str, suggestion: str, home: dict[str, str]
) -> None:
    for seed in range(3):
        arguments = ["play", "madness", "--p2", level, "--seed", str(seed)]
        run(*arguments, typed=typed, **home)
    assert run("progress", "--plain", **home).stdout.splitlines()[-1] == suggestion


def test_without_block_characters_the_plot_is_ascii(
    learned: dict[str, str],
) -> None:
    shown = run("progress", encoding="ascii", **learned).stdout
    assert "careful  ####  4 of 4 won" in shown


def test_a_retry_does_not_count_as_a_game_in_the_progress(tmp_path: Path) -> None:
    options = ["--p2", "perfect", "--seed", "1", "--pace", "0"]
    home = {"NINEFOLD_HOME": str(tmp_path)}
    terminal = Terminal("play", "madness", *options, **home)
    terminal.type("2", "2", "t", "8", "9", "q")
    assert terminal.end()[0] == 0
    games = json.loads(run("progress", "--json", **home).stdout)["games"]
    assert (games["played"], games["won"]) == (1, 0)


def test_the_plot_of_many_games_has_thirty_marks(
    home: dict[str, str],
) -> None:
    arguments = ["play", "madness", "--p2", "beginner", "--games", "40"]
    run(*arguments, "--seed", "1", "--starts", "same", typed="resign\n" * 40, **home)
    shown = run("progress", **home).stdout
    assert f"  beginner  {'▁' * 30}  0 of 40 won\n" in shown
