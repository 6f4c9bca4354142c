"""The perfect answer on the command line: solve, why, map, table, hint."""

from __future__ import annotations

import csv
import io
import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ninefold import Ending, Rules
from ninefold.theory import Oracle
from ninefold.views.band_map import BandMap, TotalKind, column_of, kinds_of_columns
from tests.program import RealTerminal, Terminal, assert_golden, run

HUGE = "1" + "0" * 999

GOLDEN_RUNS = {
    "solve-madness": ["solve", "madness"],
    "solve-lost": ["solve", "multiplier-showdown", "--total", "60"],
    "solve-full": ["solve", "multiplier", "--full"],
    "solve-gaps": ["solve", "duel", "--multipliers", "2,5,9", "--target", "5000"],
    "solve-huge": ["solve", "madness", "--target", HUGE],
    "why-won": ["why", "multiplier-showdown", "5", "9"],
    "why-lost": ["why", "multiplier-showdown", "5"],
    "why-over": ["why", "madness", "5", "6", "4"],
    "map": ["map", "multiplier-showdown"],
    "map-gaps": ["map", "duel", "--multipliers", "2,5,9", "--target", "5000"],
    "map-huge": ["map", "madness", "--target", HUGE],
    "map-plain": ["map", "multiplier-showdown", "--plain"],
    "map-nothing-lost": ["map", "madness", "--target", "9"],
    "table": ["table", "madness", "--targets", "2-1000"],
    "table-one": ["table", "multiplier", "--targets", "1000"],
}


@pytest.mark.parametrize("name", GOLDEN_RUNS)
def test_terminal_output_matches_golden_files(name: str) -> None:
    finished = run(*GOLDEN_RUNS[name])
    assert (finished.returncode, finished.stderr) == (0, "")
    assert all(len(line) <= 80 for line in finished.stdout.splitlines())
    assert_golden(f"{name}.txt", finished.stdout)


def test_solve_as_json_is_as_documented() -> None:
    answer = json.loads(run("solve", "madness", "--json").stdout)
    why = answer.pop("why")
    assert why.startswith("×8 leaves 8.")
    assert answer.pop("headline") == "You can win from 1: play ×6 to ×9."
    assert answer == {
        "game": "multiplication-madness",
        "rules": {
            "ending": "reach",
            "target": 100,
            "multipliers": [2, 3, 4, 5, 6, 7, 8, 9],
            "start": 1,
        },
        "total": 1,
        "outcome": None,
        "wins": True,
        "winning_moves": [6, 7, 8, 9],
        "best_move": 8,
        "distance": 3,
        "lost_band": None,
        "odds": {
            "both_random": "169455/262144",
            "first_perfect": "1",
            "second_perfect": "5/32",
        },
    }


def test_a_lost_position_as_json_names_its_band_and_its_chain() -> None:
    arguments = ["solve", "multiplier-showdown", "--total", "60", "--json", "--full"]
    answer = json.loads(run(*arguments).stdout)
    assert (answer["wins"], answer["winning_moves"]) == (False, [])
    assert answer["lost_band"] == {"lowest": 56, "highest": 111}
    assert len(answer["chain"]) == 1


def test_huge_numbers_are_whole_in_json() -> None:
    answer = json.loads(run("solve", "madness", "--target", HUGE, "--json").stdout)
    assert answer["rules"]["target"] == HUGE
    assert answer["winning_moves"] == []
    assert answer["odds"] is None


def test_chances_have_as_many_digits_as_numbers_at_most() -> None:
    # Of three moves each, a thousand times and more: the chances are in 3**3000ths.
    options = ["--multipliers", "2,4,8", "--target", HUGE]
    assert (
        json.loads(run("solve", "madness", *options, "--json").stdout)["odds"] is None
    )
    assert "at random" not in run("solve", "madness", *options).stdout


def test_a_game_too_long_to_count_is_reported() -> None:
    arguments = ["solve", "madness", "--target", HUGE, "--multipliers", "2,5,7,9"]
    finished = run(*arguments)
    assert finished.returncode == 0
    assert "Moves left, with best play by both: too far to count" in finished.stdout
    assert json.loads(run(*arguments, "--json").stdout)["distance"] is None


@pytest.mark.parametrize(
    "moves", [("5x6",), ("5×6",), ("×5", "x6"), ("5*6",), ("5", "6")]
)
def test_moves_may_be_typed_as_in_a_record(moves: tuple[str, ...]) -> None:
    assert json.loads(run("why", "madness", *moves, "--json").stdout)["total"] == 30


def test_a_finished_game_has_json_too() -> None:
    answer = json.loads(run("why", "madness", "5", "6", "4", "--json").stdout)
    assert answer["outcome"] == {"winner": 1, "reason": "reached"}
    assert "wins" not in answer


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["solve", "madness", "--total", "11"], "11 is not a position in this game"),
        (["solve", "madness", "--total", "100"], "100 is not a position in this game"),
        (["solve", "madness", "--total", "x"], "the total must be a whole number"),
        (["why", "madness", "1"], "1 is not a multiplier here; choose one of 2-9"),
        (["why", "madness", "9", "9", "9", "9"], "the game is over"),
        (["why", "madness", "five"], "'five' is not"),
        (["why", "madness", "x"], "'x' is not"),
        (["table", "madness"], "missing option '--targets'"),
        (
            ["table", "madness", "--targets", "1-9"],
            "the target must be greater than the start",
        ),
        (
            ["table", "madness", "--targets", "9-2"],
            "give the lower target first: 2 to 9",
        ),
        (["table", "madness", "--targets", "5-"], "type a highest target, such as 100"),
        (
            ["table", "duel", "--targets", "2-9", "--csv", "--json"],
            "not both",
        ),
        (["map", "duel", "--svg", "x.svg", "--json"], "not both"),
        (["table", "madness", "--targets", "a-b"], "the lowest target must be a whole"),
        (
            ["map", "madness", "--svg", "/no/such/folder/x.svg"],
            "No such file or directory",
        ),
        (["map", "madness", "--svg", "/"], "is a directory"),
    ],
)
def test_usage_errors_are_code_2_with_a_clear_message(
    arguments: list[str], message: str
) -> None:
    finished = run(*arguments)
    assert finished.returncode == 2
    assert message in finished.stderr


def test_the_table_as_csv_and_json_agree() -> None:
    arguments = ["table", "duel", "--targets", "2-400"]
    rows = list(csv.DictReader(io.StringIO(run(*arguments, "--csv").stdout)))
    table = json.loads(run(*arguments, "--json").stdout)
    assert [{k: str(v) for k, v in run.items()} for run in table["targets"]] == rows
    assert [row["winner"] for row in rows] == ["first", "second", "first", "second"]
    assert table["nearest_second"] == 35


def test_table_shows_only_the_requested_targets() -> None:
    head = "Multiplication Madness, 2-9: who wins at each target\n\n"
    rows = " 2 to  9  first player\n      10  second player\n"
    assert run("table", "madness", "--targets", "2-10").stdout == head + rows
    for target, nearest in ((50, 18), (100, 163)):  # 100 is the game's own
        finished = run("table", "madness", "--targets", "2-10", "--target", f"{target}")
        found = f"The nearest target to {target} where the second player wins is"
        assert finished.stdout == f"{head}{rows}\n{found} {nearest}.\n"
    narrow = Terminal("table", "madness", "--targets", "10", COLUMNS="20").end()
    assert "- 10: second player" in narrow[1]


def test_a_table_of_a_great_many_targets_is_short() -> None:
    finished = run("table", "madness", "--targets", f"2-{10**30}")
    assert 40 < finished.stdout.count("\n") < 70


def test_the_map_as_json_holds_bands_and_positions() -> None:
    answer = json.loads(run("map", "multiplier-showdown", "--json").stdout)
    assert answer["lost_bands"] == [
        {"lowest": 4, "highest": 6},
        {"lowest": 56, "highest": 111},
    ]
    assert len(answer["positions"]) == 140
    assert answer["complete"] is True
    huge = json.loads(run("map", "madness", "--target", HUGE, "--json").stdout)
    assert huge["positions"] is None


def test_the_picture_has_title_legend_and_bands(tmp_path: Path) -> None:
    file = tmp_path / "map.svg"
    finished = run("map", "multiplier-showdown", "--svg", str(file))
    assert (finished.stdout, finished.stderr) == ("", f"Wrote the picture to {file}.\n")
    picture = ET.fromstring(file.read_text(encoding="utf-8"))
    texts = [element.text for element in picture.iter() if element.text]
    for text in ("Multiplier Showdown", "4 to 6", "56 to 111", "1,000"):
        assert text in texts
    assert any("From a striped band every move loses" in text for text in texts)
    assert "url(#stripes)" in file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (["--target", "9"], "No total of this game is lost: some move wins from each."),
        (["--target", f"{10**40}"], "10¹⁶"),
        (
            ["--target", HUGE, "--multipliers", "2,3,5,7,11,13,17,19,23,29"],
            "(1,000 digits)",
        ),
        (["--multipliers", ",".join(map(str, range(2, 101, 2)))], "Multipliers 2, 4,"),
    ],
)
def test_every_game_has_a_picture(
    options: list[str], text: str, tmp_path: Path
) -> None:
    file = tmp_path / "map.svg"
    assert run("map", "madness", *options, "--svg", str(file)).returncode == 0
    assert text in file.read_text(encoding="utf-8")


@pytest.mark.parametrize("key", ["multiplier-showdown", "multiplication-madness"])
def test_the_pictures_in_the_docs_are_what_is_drawn(key: str, tmp_path: Path) -> None:
    file = tmp_path / "map.svg"
    run("map", key, "--svg", str(file))
    assert_golden(
        f"../../docs/pictures/map-{key}.svg", file.read_text(encoding="utf-8")
    )


@given(
    st.sampled_from(Ending),
    st.integers(2, 5000),
    st.sets(st.integers(2, 12), min_size=1),
    st.integers(40, 200),
)
def test_every_total_and_every_band_can_be_seen(
    ending: Ending, target: int, multipliers: set[int], width: int
) -> None:
    band_map = BandMap(Rules(ending, target, tuple(multipliers)))
    kinds = kinds_of_columns(band_map, width)
    assert len(kinds) == width
    runs = list(band_map.runs())
    assert runs[0][1].lowest == 1
    assert runs[-1][1].highest == target - 1
    for kind, band in runs:
        totals = range(band.lowest, band.highest + 1)
        seen = {kinds[column_of(band_map, total, width)] for total in totals}
        assert seen & {kind, TotalKind.BOTH}
    for total in band_map.positions or []:
        wins = Oracle(band_map.rules).wins(total)
        column = column_of(band_map, total, width)
        assert kinds[column] in (
            TotalKind.WON if wins else TotalKind.LOST,
            TotalKind.BOTH,
        )


def test_totals_that_were_not_solved_are_not_called_won(tmp_path: Path) -> None:
    arguments = [
        "map",
        "multiplier",
        "--multipliers",
        "2,5,7,9",
        "--target",
        f"{10**60}",
    ]
    assert "Unknown: " in run(*arguments, "--plain").stdout.splitlines()[-1]
    drawn = run(*arguments).stdout
    assert "?????" in drawn
    assert "and so on" in drawn
    file = tmp_path / "map.svg"
    run(*arguments, "--svg", str(file))
    assert "Not drawn" in file.read_text(encoding="utf-8")
    assert json.loads(run(*arguments, "--json").stdout)["complete"] is False


@pytest.mark.parametrize("columns", [20, 40, 57, 120])
def test_the_strip_fits_any_window_from_40_columns(columns: int) -> None:
    terminal = Terminal(
        "map", "multiplier-showdown", COLUMNS=str(columns), NO_COLOR="1"
    )
    code, screen = terminal.end()
    assert code == 0
    widest = max(len(line) for line in screen.splitlines())
    assert widest == max(columns, 40)


def test_colour_is_only_for_terminals() -> None:
    assert "\x1b[" in RealTerminal("map", "madness").end()[1]
    assert "\x1b[" in Terminal("map", "madness").end()[1]
    assert "\x1b[" not in Terminal("map", "madness", TERM="dumb").end()[1]
    assert "\x1b[" not in Terminal("map", "madness", NO_COLOR="1").end()[1]
    assert "\x1b[" not in run("map", "madness").stdout


def test_exponents_are_raised_where_the_output_can_show_them() -> None:
    arguments = ("map", "madness", "--target", f"{10**40}")
    assert " 10¹⁶" in run(*arguments).stdout
    assert " 10^16" in run(*arguments, encoding="latin-1").stdout


def test_without_unicode_the_strip_and_the_reasons_are_ascii() -> None:
    for arguments in (
        ["map", "multiplier-showdown"],
        ["solve", "madness"],
        ["review", "nf1.duel.exact100.2x5x2x5"],
    ):
        out = run(*arguments, encoding="ascii").stdout
        assert out.isascii()
        assert "\\x" not in out


def test_hint_and_why_answer_at_the_prompt_and_move_nothing() -> None:
    typed = "hint\nhint\nhint\nhint\nwhy\n6\nhint\nwhy\nquit\n"
    finished = run("play", "madness", typed=typed)
    assert_golden("hints-at-the-prompt.txt", finished.stdout)


def test_a_review_can_be_drawn(tmp_path: Path) -> None:
    file = tmp_path / "game.svg"
    line = "nf1.multiplier-showdown.reach1000.7x9x2x9"
    finished = run("review", line, "--svg", str(file))
    assert (finished.stdout, finished.stderr) == ("", f"Wrote the picture to {file}.\n")
    drawn = file.read_text(encoding="utf-8")
    assert "×7 (turning point)" in drawn
    assert "● Player 1 against ■ Player 2, Player 2 won." in drawn
    run("review", "nf1.-.reach1000.5x2", "--svg", str(file))
    drawn = file.read_text(encoding="utf-8")
    assert "not finished" in drawn
    assert "turning point" not in drawn
    refused = run("review", line, "--svg", str(file), "--json")
    assert (refused.returncode, "not both" in refused.stderr) == (2, True)


def test_the_picture_in_the_readme_is_what_is_drawn(tmp_path: Path) -> None:
    file = tmp_path / "game.svg"
    line = "nf1.multiplier-showdown.reach1000.7x9x2x9"
    run("review", line, "--svg", str(file))
    drawn = file.read_text(encoding="utf-8")
    assert_golden("../../docs/pictures/review-multiplier-showdown.svg", drawn)


def test_a_band_between_two_columns_is_seen() -> None:
    band_map = BandMap(Rules(Ending.AVOID, 3201, (2, 6, 10)))
    kinds = kinds_of_columns(band_map, 40)
    seen = {kinds[column_of(band_map, total, 40)] for total in range(81, 89)}
    assert seen & {TotalKind.LOST, TotalKind.BOTH}
