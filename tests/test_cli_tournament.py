"""``ninefold tournament``: what it prints, and what it refuses."""

from __future__ import annotations

import csv
import json
import re
from io import StringIO
from pathlib import Path

import pytest

from tests.arena.tournaments import LOWEST, bot
from tests.program import TESTS, Terminal, assert_golden, run

FIVE = ("beginner", "careful", "planner", "expert", "perfect")
TWO = ("planner", "expert", "--game", "duel")
FEW = ("--rounds", "5")
PRIMES = TESTS.parent / "docs" / "examples" / "primes.toml"
FAILS = LOWEST.replace('print("move", lowest, flush=True)', "raise SystemExit(7)")


def refusal(*arguments: str) -> str:
    finished = run("tournament", *arguments)
    assert (finished.returncode, finished.stdout) == (2, "")
    sentence, *hint = finished.stderr.splitlines()
    assert hint in ([], ["Try 'ninefold tournament --help'."])
    return sentence.removeprefix("ninefold: ")


def test_a_cross_table_fits_in_80_columns() -> None:
    assert_golden("tournament.txt", run("tournament", *FIVE, *FEW).stdout)


def test_a_table_of_many_has_whole_per_cents_and_the_ends_of_long_names() -> None:
    bots = (bot(f"# {number}\n{LOWEST}# {number}") for number in range(3))
    told = run("tournament", *FIVE, *bots, "--rounds", "1").stdout
    assert max(map(len, told.splitlines())) <= 80
    assert "…" in told
    assert " 100 " in told


def test_plain_output_is_sentences() -> None:
    assert_golden(
        "tournament-plain.txt", run("tournament", *FIVE, *FEW, "--plain").stdout
    )


def test_too_few_games_give_no_rating() -> None:
    few = ("beginner", "perfect", "--game", "duel", "--rounds", "1")
    drawn = run("tournament", *few).stdout
    assert " 1  perfect       ?           100.0\n" in drawn
    assert "? means that too few games were played for an Elo.\n" in drawn
    assert "2 games. These are too few to tell what going first is worth.\n" in drawn
    plain = run("tournament", *few, "--plain").stdout
    assert "1. perfect: too few games for an Elo; won 2 of 2 games.\n" in plain
    assert "±" not in drawn + plain


def test_standings_too_wide_for_a_table_are_sentences() -> None:
    drawn = Terminal("tournament", *FIVE, *FEW, COLUMNS="50").end()[1]
    assert "5. beginner: Elo " in drawn


def test_a_progress_bar_is_drawn_only_at_a_terminal() -> None:
    arguments = ("tournament", *TWO, *FEW)
    bar = f"\r{'━' * 40} 10 of 10 games "
    assert bar in Terminal(*arguments).end()[1]
    assert "━" not in Terminal(*arguments, "--plain").end()[1]
    assert run(*arguments).stderr == ""


def test_the_same_command_gives_the_same_games_and_another_seed_gives_others() -> None:
    once = run("tournament", *TWO).stdout
    assert run("tournament", *TWO, "--workers", "1").stdout == once
    assert run("tournament", *TWO, "--seed", "2").stdout != once


def test_csv_has_a_line_for_each_pair() -> None:
    written = run("tournament", *FIVE[2:], *FEW, "--csv").stdout
    rows = [*csv.DictReader(StringIO(written))]
    assert [(row["one"], row["two"], row["played"]) for row in rows] == [
        ("planner", "expert", "10"),
        ("planner", "perfect", "10"),
        ("expert", "perfect", "10"),
    ]
    assert all(0 < float(row["exact"]) < 1 for row in rows)


def test_a_bot_has_no_exact_share_and_its_failures_are_reported() -> None:
    told = run("tournament", "beginner", "careful", bot(FAILS), *FEW).stdout
    assert "because it exited before answering (exit code 7)." in " ".join(told.split())
    finished = run("tournament", "planner", bot(LOWEST), *FEW, "--json")
    view = json.loads(finished.stdout)
    (pair,) = view["pairs"]
    assert pair["exact"] is None
    assert view["failures"] == []


def test_a_bots_last_output_is_printed_once_and_not_in_the_journal(
    tmp_path: Path,
) -> None:
    journal = tmp_path / "run.jsonl"
    words = LOWEST.replace('print("move", lowest, flush=True)', "sys.exit('ouch')")
    told = run("tournament", "planner", bot(words), *FEW, "--journal", str(journal))
    assert told.stderr.count("(exit code 1); its last output: ouch\n") == 1
    assert "exit code 1" in journal.read_text()
    assert "ouch" not in journal.read_text()


def test_of_many_pairs_a_narrow_terminal_shows_the_ranking() -> None:
    drawn = Terminal("tournament", *FIVE, *FEW, "--gauntlet", COLUMNS="40").end()[1]
    assert "beginner won" in drawn
    bots = (bot(f"# {number}\n{LOWEST}") for number in range(1))
    drawn = Terminal("tournament", *FIVE, *bots, *FEW, COLUMNS="40").end()[1]
    assert "--csv lists every pair." in drawn


def test_a_tournament_plays_a_custom_rule_book() -> None:
    finished = run("tournament", "planner", "expert", "--game", str(PRIMES), "--json")
    assert json.loads(finished.stdout)["games"] == 200


def test_openings_with_too_many_positions_have_no_exact_share(tmp_path: Path) -> None:
    own = tmp_path / "huge.toml"
    target = re.compile(r"^target = .*$", re.MULTILINE)
    own.write_text(target.sub(f"target = {10**40}", PRIMES.read_text()))
    arguments = ("tournament", "beginner", "careful", "--game", str(own))
    view = json.loads(run(*arguments, "--rounds", "1", "--json").stdout)
    assert view["pairs"][0]["exact"] is None
    told = run(*arguments, "--rounds", "1").stdout
    assert "No exact values: the openings have too many positions" in told


def test_a_finished_journal_prints_the_result_again(tmp_path: Path) -> None:
    options = ("--journal", str(tmp_path / "run.jsonl"))
    once = run("tournament", *TWO, *options).stdout
    kept = (tmp_path / "run.jsonl").read_bytes()
    assert run("tournament", *TWO, *options).stdout == once
    assert (tmp_path / "run.jsonl").read_bytes() == kept


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("planner expert --rounds 0", "invalid value for '--rounds': 0 is too small; the smallest is 1"),
        ("plannr expert", "'plannr' is not one of beginner, careful, planner, expert, perfect or bot:./mybot.py; did you mean planner?"),
        ("planner human", "'human' is not one of"),
        ("planner", "give 2 to 64 contestants, as in: ninefold tournament planner expert"),
        ("", "give 2 to 64 contestants,"),
        ("planner expert planner", "planner is listed twice; give each contestant once"),
        ("planner bot:./nobody", "./nobody was not found;"),
        ("planner bot:/etc/passwd", "/etc/passwd is not executable; run: chmod +x"),
        ("planner bot:", "the bot has no command;"),
        ("planner expert --game chess", "'chess' is not a game"),
        ("planner expert --csv --json", "use either --csv or --json, not both"),
        ("planner expert --dask x --workers 2", "use either --workers or --dask, not both"),
        ("planner expert --dask nowhere", "no cluster answers at 'nowhere'; start a dask scheduler, and give its address, such as tcp://127.0.0.1:8786"),
        ("planner expert --dask 127.0.0.1:1", "no cluster answers at '127.0.0.1:1';"),
        ("planner expert --journal /no/such/folder/run", "the journal /no/such/folder/run cannot be written: No such file or directory;"),
    ],
)  # fmt: skip
def test_bad_input_is_rejected_with_advice(arguments: str, sentence: str) -> None:
    assert sentence in refusal(*arguments.split())


def test_a_journal_of_another_tournament_is_rejected(tmp_path: Path) -> None:
    options = ("--rounds", "1", "--journal", str(tmp_path / "run.jsonl"))
    run("tournament", "planner", "expert", *options)
    assert "is the journal of another tournament" in refusal(
        "planner", "perfect", *options
    )


@pytest.mark.parametrize("more", [("bot:./nobody",), ("expert", "--dask", "nowhere")])
def test_a_rejected_tournament_leaves_no_journal(
    more: tuple[str, ...], tmp_path: Path
) -> None:
    refusal("planner", *more, "--journal", str(tmp_path / "run.jsonl"))
    assert not [*tmp_path.iterdir()]
