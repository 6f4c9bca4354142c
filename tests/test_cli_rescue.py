"""Damaged files and odd clocks, and the commands that look back."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

from tests.program import run, run_at

LOOKING_BACK = (
    ("history",),
    ("history", "--json"),
    ("progress",),
    ("learners",),
    ("drill",),
    ("review",),
    ("resume",),
    ("export",),
    ("puzzle",),
    ("play", "madness"),
)
DAMAGE: tuple[object, ...] = (7, 1.5, b"\xff\x00", "NaN", "", -(2**62), None)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Play, answer and try a few things; return the home."""
    home = tmp_path_factory.mktemp("home")
    saved = {"NINEFOLD_HOME": str(home)}
    for multiplier in "23":
        run("play", "madness", typed=f"5\n6\n{multiplier}\n2\n\nquit\n", **saved)
    run("play", "madness", "--p2", "perfect", "--mental", typed="2\n8\n2\n", **saved)
    run("play", "multiplier", "--best-of", "3", typed="2\n2\n", **saved)
    run("puzzle", typed="2\n", **saved)
    return home


@pytest.fixture
def copy(played: Path, tmp_path: Path) -> Callable[[], Path]:
    """Give a function that copies the home anew."""

    def make() -> Path:
        home = tmp_path / "home"
        shutil.rmtree(home, ignore_errors=True)
        shutil.copytree(played, home)
        return home

    return make


def exported(home: Path) -> set[str]:
    """Export everything, and return the ids."""
    lines = run("export", NINEFOLD_HOME=str(home)).stdout.splitlines()
    return {json.loads(line)["id"] for line in lines}


def columns(home: Path) -> Iterator[tuple[str, str]]:
    with closing(sqlite3.connect(home / "games.db")) as file:
        for table in ("matches", "log", "games", "learned"):
            for _, name, *_ in file.execute(f"PRAGMA table_info({table})"):
                yield table, name


def damage(home: Path, table: str, column: str, value: object) -> None:
    """Change a column of one row, past what the type of the column would allow."""
    row = "(match, number) = (1, 1)" if table == "log" else "key = 1"
    with closing(sqlite3.connect(home / "games.db")) as file, file:
        file.execute("PRAGMA writable_schema = ON")
        file.execute(
            "UPDATE sqlite_master SET sql = replace(replace(sql, 'TEXT', 'BLOB'),"
            " 'NOT NULL', '')"
        )
    with closing(sqlite3.connect(home / "games.db")) as file, file:
        change = f"UPDATE {table} SET {column} = ? WHERE {row}"  # noqa: S608 - constants
        file.execute(change, (value,))


def test_a_damaged_column_hides_no_other_match(
    played: Path, copy: Callable[[], Path]
) -> None:
    before, rng = exported(played), Random(1)
    found = [
        (table, column, value)
        for table, column in columns(played)
        for value in DAMAGE
        if column != "key" and (column, table) != ("match", "log")
    ]
    for table, column, value in rng.sample(found, 40):
        home = copy()
        damage(home, table, column, value)
        lost = before - exported(home)
        assert len(lost) <= 1, (table, column, value)
        for command in LOOKING_BACK:
            result = run(*command, typed="quit\n", NINEFOLD_HOME=str(home))
            assert "Traceback" not in result.stderr, (table, column, value, command)


def test_a_damaged_time_hides_no_other_game_from_a_review(
    copy: Callable[[], Path],
) -> None:
    home = copy()
    with closing(sqlite3.connect(home / "games.db")) as file, file:
        file.execute(
            "UPDATE games SET begun_at = 'zzz' WHERE key = (SELECT max(key) FROM games)"
        )
    review = run("review", NINEFOLD_HOME=str(home))
    assert review.returncode == 0
    assert "damaged" in review.stderr
    assert "The game turned at" in review.stdout


@pytest.mark.parametrize("year", [1969, 2250])
def test_games_played_with_a_wrong_clock_are_exported_and_imported(
    tmp_path: Path, year: int
) -> None:
    here, there = ({"NINEFOLD_HOME": str(tmp_path / name)} for name in ("a", "b"))
    time = datetime(year, 5, 1, tzinfo=UTC)
    typed = "5\n6\n3\n2\n\nquit\n"
    played = run_at(lambda: time, "play", "madness", typed=typed, **here)
    assert played.stderr == ""
    lines = run("export", **here).stdout
    assert run("import", "-", typed=lines, **there).returncode == 0
    assert run("export", **there).stdout == lines
    assert f"{year}-0" in run("history", **there).stdout


def flip(home: Path, rng: Random, *, schema: bool) -> None:
    """Flip some bits of the file; in its schema, make bytes that are no UTF-8."""
    file = home / "games.db"
    content = bytearray(file.read_bytes())
    first = content.find(b"CREATE TABLE") if schema else 0
    for _ in range(rng.choice([1, 1, 2, 5])):
        place = rng.randrange(first, 4096 if schema else len(content))
        content[place] ^= 1 << rng.randrange(8)
        if schema:
            content[place] |= 0x80
    file.write_bytes(content)


def check_flips(copy: Callable[[], Path], rng: Random, times: int) -> None:
    for number in range(times):
        home = copy()
        flip(home, rng, schema=number % 2 == 1)
        damaged = (home / "games.db").read_bytes()
        for command in LOOKING_BACK:
            (home / "games.db").write_bytes(damaged)
            result = run(*command, typed="quit\n", NINEFOLD_HOME=str(home))
            assert result.returncode in (0, 1, 2), (number, command)
            assert "encoding" not in result.stderr, (number, command)


def test_a_damaged_index_changes_no_name_in_the_history(
    copy: Callable[[], Path],
) -> None:
    home = copy()
    before = run("history", NINEFOLD_HOME=str(home)).stdout
    match_id = json.loads(run("history", "--json", NINEFOLD_HOME=str(home)).stdout)[0][
        "match"
    ]
    content = (home / "games.db").read_bytes()
    places = [found.start() for found in re.finditer(match_id.encode(), content)]
    assert len(places) > 2  # in the row, in what is listed of it, in an index
    outcomes = []
    for place in places:
        damaged = bytearray(content)
        damaged[place] ^= 1
        (home / "games.db").write_bytes(damaged)
        result = run("history", NINEFOLD_HOME=str(home))
        assert result.returncode in (0, 1)
        outcomes.append(result.stdout)
    assert before in outcomes


def test_flipped_bits_never_crash_the_program(copy: Callable[[], Path]) -> None:
    check_flips(copy, Random(2), 12)


@pytest.mark.prove
def test_many_flipped_bits_never_crash_the_program(copy: Callable[[], Path]) -> None:
    check_flips(copy, Random(), 500)
