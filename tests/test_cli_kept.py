"""Nothing is ever lost: resume, history, export and import, and every mishap."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from msgspec.structs import replace

from ninefold.session import Move
from tests.processes import start
from tests.program import (
    NINEFOLD,
    RealTerminal,
    Terminal,
    environment,
    run,
    run_shell,
)
from tests.store.stores import NINES, SETUP, begin, in_folder

MOVES = ("5", "2", "3", "3")  # 5, 10, 30, 90: a game of Madness that goes on


def listed(home: Path, *arguments: str) -> list[str]:
    """Return the lines of a history below its head."""
    shown = run("history", *arguments, NINEFOLD_HOME=str(home)).stdout
    head, *lines = shown.splitlines()
    assert head.split() == ["id", "started", "game", "result"]
    return lines


def history(home: Path) -> list[dict[str, object]]:
    games: list[dict[str, object]] = json.loads(
        run("history", "--json", "--limit", "9999", NINEFOLD_HOME=str(home)).stdout
    )
    return games


def test_resume_continues_where_the_game_was_left(tmp_path: Path) -> None:
    home = str(tmp_path)
    run("play", "madness", "--name1", "Ada", typed="5\n6\n", NINEFOLD_HOME=home)
    finished = run("resume", typed="3\n2\n", NINEFOLD_HOME=home)
    assert finished.returncode == 0
    assert finished.stdout.startswith("Game Start!\n")
    assert finished.stdout.count("Ada, enter a multiplier (2-9): ") == 2
    assert finished.stdout.endswith("Player 2 wins the game!\n")
    again = run("resume", NINEFOLD_HOME=home)
    assert (again.returncode, again.stderr) == (
        1,
        "ninefold: there is no unfinished game; start one with ninefold play\n",
    )


def test_resume_brings_back_match_computer_seed_and_own_rule_book(
    tmp_path: Path,
) -> None:
    home = str(tmp_path / "home")
    book = tmp_path / "sevens.toml"
    book.write_text('title = "Sevens"\n[rules]\nending = "reach"\ntarget = 5000\n')
    options = ["--p2", "expert", "--seed", "9", "--best-of", "3"]
    typed = "2\n3\n2\n4\n2\n3\nresign\nresign\n"
    whole = run("play", str(book), *options, "--no-save", typed=typed).stdout
    run("play", str(book), *options, typed="2\n3\n", NINEFOLD_HOME=home)
    book.unlink()
    for command in (["history"], ["resume", "--list"]):
        assert "  Sevens  " in run(*command, NINEFOLD_HOME=home).stdout
    drawn = tmp_path / "game.svg"
    run("review", "--svg", str(drawn), NINEFOLD_HOME=home)
    assert ">Sevens<" in drawn.read_text()
    rest = "".join(typed.splitlines(keepends=True)[2:])
    resumed = run("resume", typed=rest, NINEFOLD_HOME=home).stdout
    assert whole.endswith(resumed.split("Sevens\n", 1)[1])


def test_resume_and_the_menu_continue_a_game_before_another_try(
    tmp_path: Path,
) -> None:
    home = {"NINEFOLD_HOME": str(tmp_path), "NO_COLOR": "1"}
    run("play", "madness", typed="5\n", **home)
    tries = Terminal("play", "duel", **home)
    tries.type("7", "2", "resign", "y", "t", "quit")
    assert "t try again" in tries.end()[1]
    listed = run("resume", "--list", **home).stdout.splitlines()
    assert "Multiplication Duel" in listed[0]
    assert "Current Total is now 5." in run("resume", typed="quit\n", **home).stdout
    menu = Terminal(**home)
    menu.type("c", "quit", "q")
    assert "Current Total is now 5." in menu.end()[1]


def test_resume_lists_games_and_accepts_the_start_of_an_id(tmp_path: Path) -> None:
    home = str(tmp_path)
    run("play", "madness", typed="5\n", NINEFOLD_HOME=home)
    run("play", "duel", "--best-of", "3", typed="resign\n6\n", NINEFOLD_HOME=home)
    listed = run("resume", "--list", NINEFOLD_HOME=home).stdout.splitlines()
    assert [line.split("  ")[2] for line in listed] == [
        "Multiplication Duel",
        "Multiplication Madness",
    ]
    assert "best of 3, 0 : 1" in listed[0]
    assert "at 5, Player 2 to move" in listed[1]
    older = listed[1].split()[0]
    finished = run("resume", older, typed="quit\n", NINEFOLD_HOME=home)
    assert finished.stdout.startswith("Game Start!")
    unknown = run("resume", "zzz", NINEFOLD_HOME=home)
    assert (unknown.returncode, "no match zzz is saved here" in unknown.stderr) == (
        2,
        True,
    )


@pytest.mark.parametrize(
    "kills", [len(MOVES), pytest.param(200, marks=pytest.mark.prove)]
)
def test_a_move_is_on_disk_before_it_is_on_the_screen(
    tmp_path: Path, kills: int
) -> None:
    shown = {}
    for attempt in range(kills):
        depth = attempt % len(MOVES) + 1
        name = f"Kill {attempt}"
        child = start(
            [*NINEFOLD, "play", "madness", "--name1", name],
            stdin=subprocess.PIPE,
            env=environment(NINEFOLD_HOME=str(tmp_path)),
        )
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write("".join(f"{move}\n" for move in MOVES[:depth]))
        child.stdin.flush()
        seen = b""
        while seen.count(b"Total is now") < depth:
            seen += os.read(child.stdout.fileno(), 4096)
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdin.close()
        child.stdout.close()
        shown[name] = "x".join(MOVES[:depth])
    kept = {}
    for game in history(tmp_path):
        names, record = game["names"], game["record"]
        assert isinstance(names, list)
        kept[names[0]] = str(record).rpartition(".")[2]
    assert kept == shown


def test_two_terminals_at_once_save_both_games(tmp_path: Path) -> None:
    one = RealTerminal("play", "madness", NINEFOLD_HOME=str(tmp_path))
    two = RealTerminal("play", "duel", NINEFOLD_HOME=str(tmp_path))
    for move in ("5", "6"):
        one.type(move)
        two.type(move)
    one.type("quit")
    two.type("quit")
    assert (one.end()[0], two.end()[0]) == (0, 0)
    assert sorted(str(game["record"]) for game in history(tmp_path)) == [
        "nf1.multiplication-duel.exact100.5x6",
        "nf1.multiplication-madness.reach100.5x6",
    ]


def test_a_game_continued_in_another_window_is_not_overwritten(tmp_path: Path) -> None:
    home = {"NINEFOLD_HOME": str(tmp_path)}
    run("play", "madness", typed="5\n", **home)
    one = Terminal("resume", NINEFOLD_HOME=str(tmp_path))
    one.type(lambda: run("resume", typed="6\n", **home), "7", "quit")
    code, screen = one.end()
    assert code == 0
    sentence = "This game is not being saved: this match was continued elsewhere"
    assert sentence in screen
    assert [game["record"] for game in history(tmp_path)] == [
        "nf1.multiplication-madness.reach100.5x6"
    ]


@pytest.mark.parametrize(
    "content", [b"not a database at all", b"SQLite format 3\x00broken"]
)
def test_a_game_with_a_damaged_file_is_played_unsaved(
    tmp_path: Path, content: bytes
) -> None:
    file = tmp_path / "games.db"
    file.write_bytes(content)
    finished = run("play", "madness", typed="9\n9\n9\n", NINEFOLD_HOME=str(tmp_path))
    assert finished.returncode == 0
    assert "Player 1 wins the game!" in finished.stdout
    assert finished.stderr == (
        f"This game is not being saved: {file} is damaged (it is not an SQLite"
        " database); move it away or restore a backup.\n"
    )
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == {file: content}


@pytest.mark.parametrize(
    "command",
    ["history", "resume", "resume --list", "progress", "export", "review", "learners"],
)
def test_reading_a_damaged_store_is_a_one_line_error(
    tmp_path: Path, command: str
) -> None:
    file = tmp_path / "games.db"
    file.write_bytes(b"not a database at all")
    finished = run(*command.split(), NINEFOLD_HOME=str(tmp_path))
    assert (finished.returncode, finished.stdout) == (2, "")
    assert finished.stderr == (
        f"ninefold: {file} is damaged (it is not an SQLite database);"
        " move it away or restore a backup\n"
    )


def test_a_store_of_a_newer_version_is_left_unchanged(tmp_path: Path) -> None:
    run("play", "madness", typed="9\n9\n9\n", NINEFOLD_HOME=str(tmp_path))
    with sqlite3.connect(tmp_path / "games.db") as file:
        file.execute("PRAGMA user_version = 999")
    file.close()
    finished = run("play", "madness", typed="9\n9\n9\n", NINEFOLD_HOME=str(tmp_path))
    assert finished.returncode == 0
    assert "written by a newer ninefold" in finished.stderr
    read = run("history", NINEFOLD_HOME=str(tmp_path))
    assert (read.returncode, "newer" in read.stderr) == (2, True)


def test_a_full_disk_is_reported_and_the_game_continues(tmp_path: Path) -> None:
    limited = "ulimit -f 8"  # blocks a file
    command = f"{limited}; NINEFOLD_HOME={tmp_path} exec ninefold play madness"
    finished = run_shell(command, typed="9\n9\n9\n")
    assert finished.returncode == 0
    assert finished.stdout.endswith("wins the game!\n")
    assert "This game is not being saved" in finished.stderr


def test_no_save_stores_nothing(tmp_path: Path) -> None:
    run("play", "madness", "--no-save", typed="9\n9\n9\n", NINEFOLD_HOME=str(tmp_path))
    assert not list(tmp_path.iterdir())


def test_a_game_without_moves_is_not_stored(tmp_path: Path) -> None:
    run("play", "madness", typed="quit\n", NINEFOLD_HOME=str(tmp_path))
    assert not list(tmp_path.iterdir())


def test_history_filters(tmp_path: Path) -> None:
    home = {"NINEFOLD_HOME": str(tmp_path)}
    run("play", "madness", "--p2", "beginner", "--seed", "1", typed="8\n9\n9\n", **home)
    run("play", "duel", "--name1", "Ada", typed="resign\n", **home)
    run("play", "duel", typed="5\n", **home)
    assert len(listed(tmp_path)) == 3
    assert len(listed(tmp_path, "--game", "duel")) == 2
    assert len(listed(tmp_path, "--player", "Ada", "--result", "lost")) == 1
    assert len(listed(tmp_path, "--player", "beginner")) == 1
    assert len(listed(tmp_path, "--result", "unfinished")) == 1
    assert len(listed(tmp_path, "--limit", "1")) == 1
    none = run("history", "--until", "2001-01-01", **home)
    assert none.stdout == ""
    assert none.stderr == "No such game is saved; ninefold history lists them all.\n"
    assert run("history", "--since", "yesterday", **home).returncode == 2


def test_export_and_import_are_a_round_trip(tmp_path: Path) -> None:
    one = {"NINEFOLD_HOME": str(tmp_path / "one")}
    two = {"NINEFOLD_HOME": str(tmp_path / "two")}
    run("play", "madness", "--mental", typed="7\n7\n8\n54\n2\n112\n", **one)
    run("play", "duel", "--best-of", "3", typed="resign\n5\n", **one)
    run("puzzle", "--seed", "1", typed="".join(f"{m}\n" for m in range(2, 10)), **one)
    exported = run("export", **one).stdout
    file = tmp_path / "games.jsonl"
    file.write_text(exported)
    first = run("import", str(file), **two)
    assert first.stdout.startswith("Added ")
    assert sorted(run("export", **two).stdout.splitlines()) == sorted(
        exported.splitlines()
    )
    again = run("import", "-", typed=exported, **two)
    assert again.stdout.startswith("Added 0,")
    summed = [run("progress", "--csv", **home).stdout for home in (one, two)]
    assert summed[0] == summed[1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rubbish\n", "line 1: "),
        ("{}\n", "line 1: "),
        ('{"ninefold": 1}\n', "line 1: "),
    ],
)
def test_a_broken_export_imports_nothing(
    tmp_path: Path, text: str, message: str
) -> None:
    finished = run("import", "-", typed=text, NINEFOLD_HOME=str(tmp_path))
    assert finished.returncode == 2
    assert message in finished.stderr
    assert "nothing was imported" in finished.stderr


def test_a_file_that_is_not_text_cannot_be_imported(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_bytes(b"\xff\n")
    finished = run("import", str(file), NINEFOLD_HOME=str(tmp_path))
    assert finished.returncode == 2
    problem = "this is not UTF-8 text: byte 1 is invalid; nothing was imported"
    assert finished.stderr == f"ninefold: {file}: {problem}\n"


def test_a_missing_file_cannot_be_imported(tmp_path: Path) -> None:
    finished = run("import", str(tmp_path / "nothing"), NINEFOLD_HOME=str(tmp_path))
    assert (finished.returncode, "No such file" in finished.stderr) == (2, True)


PLAIN_RUNS = [
    ["games"],
    ["rules", "duel"],
    ["solve", "madness"],
    ["why", "madness", "5"],
    ["replay", "nf1.-.reach100.5x9x9"],
    ["export"],
    ["map", "multiplier-showdown"],
    ["table", "madness", "--targets", "2-1000"],
    ["matchup", "madness", "planner", "expert"],
    ["audit", "planner", "madness"],
    ["progress"],
    ["learners"],
    ["history"],
    ["review", "nf1.-.reach1000.7x2x2x9x9"],
    ["resume", "--list"],
    ["play", "madness", "--p1", "expert", "--p2", "expert", "--seed", "1"],
    ["puzzle", "--seed", "1"],
    ["drill", "--seed", "1"],
]


@pytest.mark.parametrize("arguments", PLAIN_RUNS, ids=" ".join)
@pytest.mark.parametrize("way", ["--plain", "TERM=dumb"])
def test_plain_output_has_no_control_characters_even_at_a_terminal(
    arguments: list[str], way: str
) -> None:
    if way == "--plain":
        terminal = Terminal(*arguments, way)
    else:
        terminal = Terminal(*arguments, TERM="dumb")
    if arguments[0] in ("puzzle", "drill"):
        terminal.type("quit")
    _, screen = terminal.end()
    assert screen.replace("\n", "").isprintable()


def test_a_move_that_could_not_be_saved_is_saved_with_the_next(tmp_path: Path) -> None:
    home = {"NINEFOLD_HOME": str(tmp_path)}
    run("play", "madness", typed="9\n9\n9\n", **home)
    lock = sqlite3.connect(tmp_path / "games.db", isolation_level=None)
    lock.execute("BEGIN IMMEDIATE")
    terminal = Terminal("play", "madness", NINEFOLD_HOME=str(tmp_path))
    terminal.type("5", lock.commit, "6", "quit")
    code, screen = terminal.end()
    lock.close()
    assert code == 0
    refused = screen.index("This game is not being saved")
    assert refused < screen.index("The game is being saved again.")
    assert history(tmp_path)[0]["record"] == "nf1.multiplication-madness.reach100.5x6"


def test_import_rejects_what_play_rejects(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    run("play", "madness", "--p2", "perfect", typed="2\n", NINEFOLD_HOME=str(one))
    exported = run("export", NINEFOLD_HOME=str(one)).stdout
    changed = exported.replace('"perfect"', '"grandmaster"')
    finished = run("import", "-", typed=changed, NINEFOLD_HOME=str(two))
    assert finished.returncode == 2
    assert "'grandmaster' is not a level" in finished.stderr
    assert run("resume", "--list", NINEFOLD_HOME=str(two)).stdout == ""


def test_a_stored_match_that_cannot_be_played_is_skipped(tmp_path: Path) -> None:
    with in_folder(tmp_path) as store:
        begin(store, Move(5))
    with closing(sqlite3.connect(tmp_path / "games.db")) as file, file:
        unknown = "UPDATE matches SET setup = replace(setup, 'perfect', 'grandmaster')"
        file.execute(unknown)
    home = {"NINEFOLD_HOME": str(tmp_path)}
    named = run("resume", "id-1", **home)
    assert named.returncode == 2
    assert "'grandmaster' is not a level" in named.stderr


def test_a_match_between_two_games_can_be_resumed(tmp_path: Path) -> None:
    home = {"NINEFOLD_HOME": str(tmp_path)}
    run("play", "duel", "--best-of", "3", typed="resign\n", **home)
    listed = run("resume", "--list", **home).stdout
    assert listed.endswith("best of 3, 0 : 1  at 1, Player 2 to move\n")


def test_only_the_latest_matches_are_listed(tmp_path: Path) -> None:
    home = {"NINEFOLD_HOME": str(tmp_path)}
    for _ in range(21):
        run("play", "madness", typed="5\n", **home)
    listed = run("resume", "--list", **home)
    assert listed.stdout.count("\n") == 20
    assert listed.stderr == "1 older ones are not shown; ninefold history lists them.\n"
    several = run("resume", "", **home)
    assert (several.returncode, "20 or more unfinished games" in several.stderr) == (
        2,
        True,
    )


def test_a_match_that_is_over_is_not_resumed(tmp_path: Path) -> None:
    home = {"NINEFOLD_HOME": str(tmp_path)}
    run("play", "madness", typed="resign\n", **home)
    match = str(history(tmp_path)[0]["match"])
    finished = run("resume", match, **home)
    assert (finished.returncode, "is over" in finished.stderr) == (2, True)


def test_games_of_a_custom_rule_book_are_found_by_its_file(tmp_path: Path) -> None:
    book = tmp_path / "sevens.toml"
    book.write_text('title = "Sevens"\n[rules]\nending = "reach"\ntarget = 50\n')
    home = {"NINEFOLD_HOME": str(tmp_path / "home")}
    run("play", str(book), typed="7\n8\n", **home)
    run("play", "duel", typed="resign\n", **home)
    assert len(listed(tmp_path / "home", "--game", str(book))) == 1


def test_the_menu_opens_even_if_the_store_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("no folder")
    terminal = Terminal(NINEFOLD_HOME=str(tmp_path / "home"))
    terminal.type("quit")
    assert terminal.end()[0] == 0


def test_resume_drop_removes_a_game_from_the_unfinished_list(tmp_path: Path) -> None:
    home = {"NINEFOLD_HOME": str(tmp_path)}
    assert run("resume", "--list", **home).stderr == "There are no unfinished games.\n"
    run("play", "madness", typed="5\n", **home)
    left = run("resume", "--list", **home).stdout.split()[0]
    assert run("resume", "--drop", **home).returncode == 2
    dropped = run("resume", left[:6], "--drop", **home)
    assert dropped.stderr == f"Dropped game {left}; it stays in the history.\n"
    assert run("resume", **home).returncode == 1
    assert len(listed(tmp_path)) == 1
    wrong = run("resume", left[3:], **home)
    assert (wrong.returncode, "no match" in wrong.stderr) == (2, True)


def test_resume_shows_the_players_and_the_score(tmp_path: Path) -> None:
    home = {"NINEFOLD_HOME": str(tmp_path)}
    options = ["--p2", "perfect", "--best-of", "3", "--coach", "--seed", "1"]
    run("play", "duel", *options, typed="resign\n2\n", **home)
    resumed = run("resume", typed="9\n\nquit\n", **home).stdout
    assert resumed.startswith("Perfect is the computer: Never makes a mistake.")
    assert "Victories of Player 1: 0, of Perfect: 1 (best of 3)." in resumed


def test_the_coach_is_still_on_after_resuming(tmp_path: Path) -> None:
    home = {"NINEFOLD_HOME": str(tmp_path)}
    run("play", "multiplier-showdown", "--coach", typed="5\n2\n", **home)
    resumed = run("resume", typed="2\n\nquit\n", **home).stdout
    assert "Coach: Player 1, that gives the win away." in resumed


def test_history_says_if_more_games_are_not_shown(tmp_path: Path) -> None:
    home = {"NINEFOLD_HOME": str(tmp_path)}
    run(
        "play",
        "madness",
        "--first-to",
        "22",
        "--starts",
        "same",
        typed="resign\n" * 22,
        **home,
    )
    assert len(listed(tmp_path)) == 20
    assert run("history", **home).stderr == "20 of 22 games; --limit shows more.\n"
    assert len(json.loads(run("history", "--json", **home).stdout)) == 22


@pytest.fixture
def tokyo(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Set the clock on the wall to that of Tokyo."""
    with monkeypatch.context() as patched:
        patched.setenv("TZ", "Asia/Tokyo")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.usefixtures("tokyo")
def test_dates_are_in_local_time(tmp_path: Path) -> None:
    home = {"NINEFOLD_HOME": str(tmp_path)}
    run("play", "madness", typed="resign\n", **home)
    begun = str(history(tmp_path)[0]["begun_at"])
    there = datetime.fromisoformat(begun).astimezone(ZoneInfo("Asia/Tokyo"))
    wall = f"{there:%Y-%m-%d %H:%M}"
    assert len(listed(tmp_path, "--since", wall)) == 1
    assert run("history", "--until", wall, **home).stdout == ""


@pytest.mark.parametrize("home", ["~/kept", "  ~/kept "])
def test_a_home_may_begin_with_a_tilde(
    tmp_path: Path, home: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    run("play", "madness", typed="resign\n", NINEFOLD_HOME=home)
    assert (tmp_path / "kept" / "games.db").exists()


def test_a_match_left_between_two_games_continues_with_the_next(tmp_path: Path) -> None:
    with in_folder(tmp_path) as store:
        begin(store, *NINES, setup=replace(SETUP, levels=(None, None)))
    home = {"NINEFOLD_HOME": str(tmp_path)}
    resumed = run("resume", "id-1", typed="quit\n", **home)
    assert resumed.returncode == 0
    assert "(best of 3)" in resumed.stdout
    assert resumed.stdout.count("quit") == 1


def test_games_are_found_by_id_start_of_id_or_last(tmp_path: Path) -> None:
    home = {"NINEFOLD_HOME": str(tmp_path)}
    run("play", "madness", "--name1", "Ada", typed="9\n9\n9\n", **home)
    run("play", "duel", "--best-of", "3", typed="2\nresign\n5\n5\n4\n3\n", **home)
    lines = listed(tmp_path)
    third, second, first, single = (line.split()[0] for line in lines)
    assert [name[8:] for name in (third, second, first, single)] == [
        ".3",
        ".2",
        ".1",
        "",
    ]
    forms = {
        single: "nf1.multiplication-madness.reach100.9x9x9",
        single[:4]: "nf1.multiplication-madness.reach100.9x9x9",
        first: "nf1.multiplication-duel.exact100.2.resign2",
        second: "nf1.multiplication-duel.exact100.first2.5x5x4",
        third: "nf1.multiplication-duel.exact100.3",
        third.partition(".")[0]: "nf1.multiplication-duel.exact100.3",
        "last": "nf1.multiplication-duel.exact100.3",
    }
    for name, record in forms.items():
        replayed = run("replay", name, "--form", "line", **home)
        assert (replayed.stdout, replayed.stderr) == (f"{record}\n", "")
        assert run("review", name, **home).returncode == 0
    assert "Ada has reached" in run("replay", single, **home).stdout
    resumed = run("resume", third, typed="quit\n", **home).stdout
    assert resumed == run("resume", "last", typed="quit\n", **home).stdout
    over = run("resume", single, **home)
    assert over.stderr == (
        f"ninefold: match {single} is over; see it with ninefold review {single}\n"
    )
    assert run("resume", "last", "--drop", **home).returncode == 0
    assert run("resume", "last", **home).returncode == 1


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        (
            "zzz",
            "'zzz' is not a file, a record (nf1. ...) or a saved game",
        ),
        ("zzz.toml", "zzz.toml: No such file or directory; and it is not a record"),
        ("{id}.0", "' is not one of the 1 games under this id"),
        ("{id}.2", "' is not one of the 1 games under this id"),
    ],
)
def test_an_unknown_game_is_rejected(tmp_path: Path, name: str, problem: str) -> None:
    home = {"NINEFOLD_HOME": str(tmp_path)}
    run("play", "madness", typed="9\n9\n9\n", **home)
    name = name.format(id=history(tmp_path)[0]["match"])
    finished = run("review", name, **home)
    assert (finished.returncode, problem in finished.stderr) == (2, True)


def test_an_ambiguous_id_is_rejected(tmp_path: Path) -> None:
    home = {"NINEFOLD_HOME": str(tmp_path)}
    for _ in range(17):  # ids begin with one of 16 digits
        run("play", "madness", typed="resign\n", **home)
    ids = [str(game["match"]) for game in history(tmp_path)]
    shared = next(i[0] for i in ids if sum(other[0] == i[0] for other in ids) > 1)
    finished = run("review", shared, **home)
    assert finished.returncode == 2
    assert f"games start with '{shared}'; type more of the id" in finished.stderr


def test_a_file_takes_precedence_over_an_id(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = {"NINEFOLD_HOME": str(tmp_path)}
    run("play", "madness", typed="9\n9\n9\n", **home)
    name = str(history(tmp_path)[0]["match"])
    monkeypatch.chdir(tmp_path)
    Path(name).write_text("nf1.multiplication-duel.exact100.5x5x4")
    replayed = run("replay", name, "--form", "line", **home).stdout
    assert replayed == "nf1.multiplication-duel.exact100.5x5x4\n"


def test_a_game_of_a_custom_rule_book_is_replayed_in_its_words(tmp_path: Path) -> None:
    home = {"NINEFOLD_HOME": str(tmp_path / "home")}
    book = tmp_path / "sevens.toml"
    book.write_text('title = "Sevens"\n[rules]\nending = "reach"\ntarget = 50\n')
    played = run("play", str(book), typed="7\n8\n", **home).stdout
    book.unlink()
    assert run("replay", "last", **home).stdout == played
    picture = tmp_path / "sevens.svg"
    run("review", "last", "--svg", str(picture), **home)
    assert "Sevens" in picture.read_text()


def test_history_is_a_table_at_a_terminal(tmp_path: Path) -> None:
    home = {"NINEFOLD_HOME": str(tmp_path), "NO_COLOR": "1"}
    run("play", "madness", "--name1", "Ada", typed="9\n9\n9\n", **home)
    run("play", "duel", "--name2", "Bo", typed="5\nresign\n", **home)
    run("play", "duel", typed="5\n", **home)
    ids = [str(game["match"])[:8] for game in history(tmp_path)]
    heads, rule, *rows = Terminal("history", **home).end()[1].splitlines()
    assert heads.split() == ["date", "game", "total", "id", "result"]
    assert set(rule) == {"─", " "}
    assert [row.split(maxsplit=5)[1:] for row in rows if row[0] != " "] == [
        ["Multiplication", "Duel", "5", ids[0], "Player 1 and Player 2,"],
        ["Multiplication", "Duel", "5", ids[1], "Player 1 beat Bo (resigned)"],
        ["Multiplication", "Madness", "729", ids[2], "Ada beat Player 2"],
    ]
    narrow = Terminal("history", **home, COLUMNS="40").end()[1].splitlines()
    assert narrow[-2].endswith("  Multiplication Madness")
    assert narrow[-1] == f"  Ada beat Player 2, total 729, {ids[2]}"


def test_import_shows_progress_at_a_terminal(tmp_path: Path) -> None:
    one = str(tmp_path / "one")
    file = tmp_path / "games.jsonl"
    for _ in range(2):
        typed = "2\n2\n" + "2\n999\n" * 60
        run(
            "play",
            "madness",
            "--target",
            "1" + "0" * 30,
            "--mental",
            typed=typed,
            NINEFOLD_HOME=one,
        )
    file.write_text(run("export", NINEFOLD_HOME=one).stdout)
    assert "100 entries" in Terminal("import", str(file)).end()[1]
    assert "100 entries" not in Terminal("import", str(file), "--plain").end()[1]


def test_an_empty_history_says_how_to_start(tmp_path: Path) -> None:
    said = "You have not played a game yet. Start with: ninefold play madness\n"
    for arguments in ((), ("--game", "duel")):
        shown = run("history", *arguments, NINEFOLD_HOME=str(tmp_path))
        assert (shown.returncode, shown.stdout, shown.stderr) == (0, "", said)


def test_a_plain_history_has_columns_below_heads(tmp_path: Path) -> None:
    home = {"NINEFOLD_HOME": str(tmp_path)}
    run("play", "madness", "--p2", "planner", typed="9\nresign\n", **home)
    run("play", "duel", "--name1", "Ada", typed="resign\n", **home)
    run("play", "duel", "--p1", "expert", "--name1", "Grace", typed="quit\n", **home)
    head, *lines = run("history", **home).stdout.splitlines()
    at = head.index("result")
    assert [line[at:] for line in lines] == [
        f"Grace [expert] and Player 2, unfinished at {history(tmp_path)[0]['total']}",
        "Player 2 beat Ada (resigned)",
        "Planner beat Player 1 (resigned)",
    ]


def test_a_plain_history_in_a_narrow_window_indents_the_rest_of_a_line(
    tmp_path: Path,
) -> None:
    home = {"NINEFOLD_HOME": str(tmp_path)}
    run("play", "madness", "--name1", "Ada", typed="resign\n", **home)
    code, screen = Terminal("history", "--plain", **home, COLUMNS="60").end()
    assert code == 0
    assert max(map(len, screen.splitlines())) <= 60
    assert screen.splitlines()[-1] == "    Player 2 beat Ada (resigned)"
