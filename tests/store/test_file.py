"""The SQLite file in bad company: damage, a newer ninefold, no room, no right."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import get_args

import pytest

from ninefold import (
    DamagedMatch,
    DamagedStore,
    RevisionConflict,
    StoreTooNew,
    StoreUnavailable,
    UnknownMatch,
)
from ninefold.classroom import Door
from ninefold.learning import due_puzzles
from ninefold.session import Move
from ninefold.store import Imported, Store, StoredMatch
from ninefold.store.schema import VERSION
from ninefold.store.sqlite import (
    APPLICATION_ID,
    JournalMode,
    SqliteDatabase,
    SqliteStore,
)
from tests.store.stores import (
    SINGLE,
    START,
    Clock,
    append_to,
    begin,
    class_append,
    in_folder,
    play,
    puzzle_entry,
)

NOBODY = 65534


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Give a file in which a game is going on: 2 x 3."""
    with in_folder(tmp_path) as store:
        begin(store, Move(2), Move(3))
        store.import_entries(
            puzzle_entry(f"try {number}", START, puzzle=f"puzzle {number}")
            for number in range(200)
        )
    return tmp_path / "games.db"


def total_of(store: Store, match_id: str = "id-1") -> int:
    return store.match(match_id).session.game.total


def look(store: Store) -> None:
    """Read something, which opens the file."""
    store.unfinished()


def change(file: Path, statement: str, *values: object) -> None:
    """Change the file behind the store's back."""
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(statement, values)


def pragma(file: Path, name: str) -> object:
    with closing(sqlite3.connect(file)) as connection:
        found: object = connection.execute(f"PRAGMA {name}").fetchone()[0]
    return found


def contents(folder: Path) -> dict[str, bytes]:
    """Return every file but the index of a log, which holds nothing of its own."""
    return {
        path.name: path.read_bytes()
        for path in folder.iterdir()
        if not path.name.endswith("-shm")
    }


# Opening


def test_nothing_is_touched_before_the_first_use(tmp_path: Path) -> None:
    folder = tmp_path / "not" / "there"
    with in_folder(folder) as store:
        assert not folder.parent.exists()
        begin(store)
        assert (folder / "games.db").exists()
    assert folder.stat().st_mode & 0o077 == 0


def test_files_are_their_owner_s_alone_in_any_folder(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    with in_folder(tmp_path, journal_mode="WAL") as store:
        begin(store)
        modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    files = ("games.db", "games.db-wal", "games.db-shm")
    assert modes == dict.fromkeys(files, 0o600)


def test_reading_makes_no_file(tmp_path: Path) -> None:
    for folder in (tmp_path / "not" / "there", tmp_path):
        with in_folder(folder) as store:
            assert [*store.entries()] == []
            assert store.history() == []
            assert store.unfinished() == []
            assert store.answers() == []
            with pytest.raises(UnknownMatch):
                store.match("id-1")
            assert list(tmp_path.iterdir()) == []
            assert store.pop_notices() == ()
    with in_folder(tmp_path) as store:
        look(store)
        match_id = begin(store, Move(5))
        assert total_of(store, match_id) == 5


def test_an_empty_file_is_an_empty_store(tmp_path: Path) -> None:
    (tmp_path / "games.db").touch()
    with in_folder(tmp_path) as store:
        assert [*store.entries()] == []
        assert store.pop_notices() == ()


@pytest.mark.parametrize("mode", get_args(JournalMode))
def test_the_file_is_safe_for_many_and_against_power_cuts(
    tmp_path: Path, mode: JournalMode
) -> None:
    database = SqliteDatabase(tmp_path, lock_timeout=0.05, journal_mode=mode)
    with database.writing() as connection:
        for name, expected in (
            ("journal_mode", mode.lower()),
            ("synchronous", 2),
            ("foreign_keys", 1),
            ("user_version", VERSION),
            ("application_id", APPLICATION_ID),
        ):
            found = connection.execute(f"PRAGMA {name}").fetchone()[0]
            assert found == expected, name
    database.close()


# Damage


@pytest.mark.parametrize(
    "content",
    [
        b"garbage " * 1000,
        b"SQLite format 3\x00" + b"\xff" * 5000,
        b"x",
    ],
    ids=["garbage", "only the first bytes", "one byte"],
)
def test_a_damaged_file_is_refused_and_never_touched(
    tmp_path: Path, content: bytes
) -> None:
    file = tmp_path / "games.db"
    file.write_bytes(content)
    with in_folder(tmp_path) as store:
        for use in (look, begin):
            with pytest.raises(DamagedStore) as refused:
                use(store)
            assert str(refused.value) == (
                f"{file} is damaged (it is not an SQLite database);"
                " move it away or restore a backup"
            )
    assert contents(tmp_path) == {"games.db": content}


def test_games_are_saved_after_a_damaged_file_was_moved_away(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    file.write_bytes(b"garbage")
    with in_folder(tmp_path) as store, pytest.raises(DamagedStore):
        begin(store)
    file.rename(tmp_path / "elsewhere.db")
    with in_folder(tmp_path) as store:
        assert total_of(store, begin(store, Move(5))) == 5


def test_a_log_without_its_file_is_never_touched(file: Path) -> None:
    log = file.with_name("games.db-wal")
    with in_folder(file.parent, journal_mode="WAL") as store:
        play(store, "id-1", Move(2))
        content = log.read_bytes()
    for left in ({}, {"games.db": b""}):
        file.unlink()
        log.write_bytes(content)
        for name, empty in left.items():
            file.with_name(name).write_bytes(empty)
        with (
            in_folder(file.parent, journal_mode="WAL") as store,
            pytest.raises(DamagedStore, match=r"games\.db-wal is damaged"),
        ):
            look(store)
        assert contents(file.parent) == {"games.db-wal": content} | left
        file.touch()
    log.write_bytes(b"")  # which holds nothing
    with in_folder(file.parent) as store:
        assert store.unfinished() == []


def test_a_truncated_file_and_its_log_are_never_touched(file: Path) -> None:
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    file.with_name("games.db-wal").write_bytes(b"a log that nobody can read")
    before = contents(file.parent)
    with in_folder(file.parent) as store, pytest.raises(DamagedStore):
        look(store)
    assert contents(file.parent) == before


def damage_page(file: Path, table: str) -> None:
    """Overwrite the first page of a table, behind SQLite's back."""
    found = "SELECT max(rootpage) FROM sqlite_master WHERE name = ?"
    uri = f"file:{file}?immutable=1"
    with closing(sqlite3.connect(uri, uri=True)) as connection:
        page = connection.execute(found, (table,)).fetchone()[0] or 1
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    with file.open("r+b") as written:
        written.seek(page * size - size // 2)
        written.write(b"\xff" * (size // 2))


def test_damage_found_in_use_refuses_everything_and_is_never_touched(
    file: Path,
) -> None:
    damage_page(file, "games")
    before = contents(file.parent)
    with in_folder(file.parent) as store:
        assert store.unfinished() != []
        for use in (store.history, store.unfinished, partial(begin, store)):
            with pytest.raises(DamagedStore, match="parts of it cannot be read"):
                use()
        store.close()
        with pytest.raises(DamagedStore):
            store.unfinished()
    assert contents(file.parent) == before


@pytest.mark.parametrize("table", ["sqlite_schema", "learned"])
def test_the_log_of_a_damaged_file_is_never_touched(
    file: Path, tmp_path: Path, table: str
) -> None:
    folder = tmp_path / "killed"
    folder.mkdir()
    with in_folder(file.parent, journal_mode="WAL") as store:
        play(store, "id-1", Move(2))
        for name in ("games.db", "games.db-wal"):  # as a killed program leaves them
            shutil.copy(file.with_name(name), folder)
    damage_page(folder / "games.db", table)
    before = contents(folder)
    with in_folder(folder, journal_mode="WAL") as store, pytest.raises(DamagedStore):
        store.answers()
    assert before["games.db-wal"]
    assert contents(folder) == before


# Rows that the rules refuse


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("UPDATE log SET command = '}' WHERE number = 2", "this is not JSON"),
        (
            """UPDATE log SET command = '{"do": "dance"}'""",
            r"log\[0\].command.do: expected sit, move, give-back",
        ),
        (
            """UPDATE log SET command = '{"do": "move", "multiplier": 1}'""",
            "1 is not a multiplier here",
        ),
        ("UPDATE log SET command = x'5b5d'", "this is not JSON"),
        ("UPDATE log SET command = CAST(x'ff' AS TEXT)", "this is not JSON"),
        ("UPDATE log SET number = 3 WHERE number = 2", "log: a command is missing"),
        ("DELETE FROM log", "log: a command is missing"),
        ("UPDATE log SET at = 'once'", r"log\[0\].at: expected a time"),
        ("UPDATE matches SET setup = '[]'", "setup: expected an object"),
        (
            "UPDATE matches SET setup = replace(setup, 'Ada', '')",
            "a name needs 1 to 24",
        ),
        ("UPDATE matches SET changed_at = 7", "changed_at: expected a time"),
        ("UPDATE matches SET revision = 'x'", "columns: one of its columns has"),
        ("UPDATE matches SET origin = '[]'", "origin: expected an object"),
    ],
)
def test_a_log_that_the_session_refuses_is_reported(
    file: Path, statement: str, problem: str
) -> None:
    change(file, statement)
    with SqliteStore(file.parent, clock=Clock(), new_id=lambda: "sound") as store:
        begin(store, Move(5))
        with pytest.raises(DamagedMatch, match=problem):
            store.match("id-1")
        assert store.pop_notices() == ()
        matches = [each for each in store.entries() if isinstance(each, StoredMatch)]
        assert [kept.id for kept in matches] == ["sound"]
        (notice,) = store.pop_notices()
        assert notice.startswith("match id-1 is damaged and was left unchanged")


@pytest.mark.parametrize(
    "statement",
    ["UPDATE matches SET origin = '{'", "UPDATE matches SET revision = 'x'"],
)
def test_a_damaged_row_is_reported_of_a_match_that_is_played(
    file: Path, statement: str
) -> None:
    with in_folder(file.parent) as store:
        append = append_to(store, "id-1", 3, (Move(2),))
        change(file, statement)
        with pytest.raises(DamagedMatch):
            store.append(append)
        with pytest.raises(DamagedMatch):
            store.match("id-1")


def test_a_damaged_match_is_not_replaced_by_an_import(file: Path) -> None:
    with in_folder(file.parent) as store:
        kept = store.match("id-1")
        change(file, "UPDATE log SET command = 'x'")
        assert store.import_entries([kept]) == Imported(differing=1)
        assert "match id-1 is damaged" in store.pop_notices()[0]
        with pytest.raises(DamagedMatch):
            store.match("id-1")


@pytest.mark.parametrize(
    "statement",
    [
        """UPDATE games SET listed = '{"moves": [5, '""",
        "UPDATE games SET listed = replace(listed, '[2,3]', '[2,\"NaN\"]')",
        "UPDATE games SET listed = replace(listed, '[2,3]', '[2,1]')",
        "UPDATE games SET listed = replace(listed, '\"first\":1', '\"first\":3')",
        "UPDATE games SET listed = x'ff'",
        "UPDATE games SET listed = ''",
        "UPDATE games SET begun_at = 'once'",
        "UPDATE games SET begun_at = x'ff'",
        "UPDATE games SET begun_at = '0001-01-01T00:00:00+23:00'",
    ],
)
def test_damaged_row_of_a_list_is_skipped(file: Path, statement: str) -> None:
    with SqliteStore(file.parent, clock=Clock(), new_id=lambda: "sound") as store:
        begin(store, Move(9), Move(9), Move(9), setup=SINGLE)
        change(file, f"{statement} WHERE key = 1")
        assert [row.match_id for row in store.history()] == ["sound"]
        (notice,) = store.pop_notices()
        assert notice.startswith("entry id-1 is damaged and was skipped")
        assert [row.match_id for row in store.finished_against_levels()] == ["sound"]
        assert total_of(store) == 6  # the log is sound


def test_damaged_row_of_an_unfinished_match_is_skipped(
    file: Path,
) -> None:
    with SqliteStore(file.parent, clock=Clock(), new_id=lambda: "sound") as store:
        begin(store, Move(5))
        change(
            file,
            """
            UPDATE matches SET listed = replace(listed, '"total":6', '"total":"NaN"')
            """,
        )
        assert [row.id for row in store.unfinished()] == ["sound"]
        (notice,) = store.pop_notices()
        assert notice.startswith("entry id-1 is damaged and was skipped (total: exp")


def leave_out_of_index(file: Path, index: str, statement: str) -> None:
    """Change the file while SQLite does not know of an index."""
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("PRAGMA writable_schema = ON")
        where = "FROM sqlite_schema WHERE name = ?"
        (row,) = connection.execute(f"SELECT * {where}", (index,))
        connection.execute(f"DELETE {where}", (index,))
    change(file, statement)
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("INSERT INTO sqlite_schema VALUES (?, ?, ?, ?, ?)", row)


@pytest.mark.parametrize("index", ["learned_by_time", "learned_by_learner"])
def test_export_rebuilds_a_damaged_index_and_reports_it(file: Path, index: str) -> None:
    with in_folder(file.parent) as store:
        before = len([*store.entries()])
        assert store.pop_notices() == ()
    another = """
        INSERT INTO learned (kind, id, learner, at, entry)
        SELECT kind, 'another', 'Bo', at, entry FROM learned WHERE id = 'try 7'
    """
    leave_out_of_index(file, index, another)
    with in_folder(file.parent) as store:
        assert len([*store.entries()]) == before + 2  # the answer, and Bo
        (notice,) = store.pop_notices()
        assert notice == (
            f"{file} had a damaged index, which could hide entries;"
            " it was rebuilt, and they are visible again"
        )
        assert len([*store.entries()]) == before + 2
        assert store.pop_notices() == ()


def test_export_reports_other_damage_and_leaves_it_unchanged(file: Path) -> None:
    damage_page(file, "games")
    before = contents(file.parent)
    with in_folder(file.parent) as store:
        assert len([*store.entries()]) == 202
        (notice,) = store.pop_notices()
        assert notice.startswith(f"{file} is damaged (")
        assert notice.endswith("); some entries may be missing")
    assert contents(file.parent) == before


def test_damaged_entries_are_skipped(file: Path) -> None:
    damage = "UPDATE learned SET entry = replace(entry, ?, ?) WHERE id = ?"
    change(file, damage, '"given":"2"', '"given":2', "try 7")
    change(file, damage, "{", "", "try 8")
    change(file, damage, "puzzle 9", "", "try 9")
    with in_folder(file.parent) as store:
        assert len(store.answers()) == 197
        first, second, third = store.pop_notices()
        assert "try 7 is damaged and was skipped (answer.given: expected text" in first
        assert second.startswith("entry try 8 is damaged")
        assert "(answer.item: expected 1 to 200,000 printable characters)" in third
        later = START + timedelta(days=1)
        assert len(due_puzzles(store.answers(), later)) == 197


# Versions


def test_a_newer_file_is_refused_and_left_as_it_is(file: Path) -> None:
    change(file, "PRAGMA user_version = 99")
    before = file.read_bytes()
    with in_folder(file.parent) as store:
        for use in (look, begin):
            with pytest.raises(StoreTooNew, match="written by a newer ninefold") as new:
                use(store)
            assert new.value.found == 99
    assert file.read_bytes() == before
    assert list(file.parent.iterdir()) == [file]


def test_a_file_from_before_classes_keeps_its_games_and_takes_classes(
    file: Path,
) -> None:
    for statement in (
        "DROP TABLE class_log",
        "DROP TABLE classes",
        "DROP TABLE wrong_codes",
        "DROP INDEX matches_by_class",
        "ALTER TABLE matches DROP COLUMN class",
        "PRAGMA user_version = 1",
    ):
        change(file, statement)
    with in_folder(file.parent) as store:
        assert len(store.history()) == 1
        store.append(class_append("c", Door("482913", is_open=True)))
        assert store.class_with_code("482913") == "c"


def test_a_file_of_another_program_is_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    change(file, "CREATE TABLE songs (title TEXT)")
    before = file.read_bytes()
    with pytest.raises(StoreUnavailable) as refused:
        look(in_folder(tmp_path))
    assert str(refused.value) == (
        f"{file}: this is not a ninefold file; move it, or use another folder"
    )
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    "statement",
    [
        "PRAGMA user_version = 1",
        "PRAGMA user_version = 4",
        "PRAGMA application_id = 7",
        "CREATE TABLE matches (colour TEXT)",
    ],
)
def test_a_file_that_only_resembles_a_store_is_left_as_it_is(
    tmp_path: Path, statement: str
) -> None:
    file = tmp_path / "games.db"
    change(file, "CREATE TABLE songs (title TEXT)")
    change(file, statement)
    before = file.read_bytes()
    with pytest.raises(StoreUnavailable, match="not a ninefold file"):
        look(in_folder(tmp_path))
    assert file.read_bytes() == before


def test_tables_that_another_program_made_meanwhile_are_not_made_again(
    file: Path,
) -> None:
    class Late(SqliteDatabase):
        """Looks just before another program makes the tables."""

        looks = 0

        def _read_version(self, connection: sqlite3.Connection) -> int:
            self.looks += 1
            return super()._read_version(connection) * (self.looks > 1)

    database = Late(file.parent, lock_timeout=0.05)
    with database.reading() as connection:
        assert connection.execute("SELECT count(*) FROM games").fetchone() == (1,)
    assert database.looks == 2
    database.close()


# No room, no right


def test_full_disk_is_reported_and_loses_nothing(file: Path) -> None:
    database = SqliteDatabase(file.parent, lock_timeout=0.05)
    with database.reading() as connection:
        connection.execute("PRAGMA max_page_count = 1")
    with (
        pytest.raises(StoreUnavailable) as refused,
        database.writing() as connection,
    ):
        connection.execute("UPDATE matches SET setup = zeroblob(1000000)")
    assert str(refused.value) == f"{file}: the disk is full; free some space"
    database.close()
    with in_folder(file.parent) as store:
        assert total_of(store) == 6


@contextmanager
def no_file_larger_than(size: int) -> Iterator[None]:
    """Let the system refuse to write beyond a size."""
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, ignored)


def test_failing_disk_is_reported_and_loses_nothing(file: Path) -> None:
    with in_folder(file.parent) as store:
        play(store, "id-1", Move(2))
        size = file.stat().st_size
        append = append_to(store, "id-1", 4, (Move(3),))
        with no_file_larger_than(100):
            with pytest.raises(
                StoreUnavailable, match="the disk failed to read or write"
            ):
                store.append(append)
            assert total_of(store) == 12
            with in_folder(file.parent) as other:  # which opens it only now
                assert [entry.id for entry in other.entries()][:1] == ["id-1"]
        with (
            no_file_larger_than(size + 32_768),  # room for a move, and not for many
            pytest.raises(StoreUnavailable, match="the disk failed to read or write"),
        ):
            store.check_writable()
        assert total_of(store) == 12
        store.check_writable()
        store.append(append)
    with in_folder(file.parent) as store:
        assert total_of(store) == 36


@contextmanager
def as_anyone() -> Iterator[None]:
    """Act without the rights of root, whom no file permission binds."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """Give a folder that everyone can enter, unlike those of pytest."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


def test_read_only_home_is_reported_when_playing(open_folder: Path) -> None:
    open_folder.chmod(0o555)
    within, itself = in_folder(open_folder / "ninefold"), in_folder(open_folder)
    denied = "Permission denied; change the permissions, or"
    closed = "it cannot be opened; change the permissions"
    with as_anyone():
        look(within)
        look(itself)
    with as_anyone(), pytest.raises(StoreUnavailable, match=denied):
        begin(within)
    with as_anyone(), pytest.raises(StoreUnavailable, match=closed):
        begin(itself)
    assert list(open_folder.iterdir()) == []
    open_folder.chmod(0o755)


def test_inaccessible_home_is_reported(open_folder: Path) -> None:
    home = open_folder / "home"
    with in_folder(home) as store:
        begin(store)
    home.chmod(0o000)
    within, itself = in_folder(home / "ninefold"), in_folder(home)
    denied = "Permission denied; change the permissions, or"
    closed = "it cannot be opened; change the permissions"
    with as_anyone(), pytest.raises(StoreUnavailable, match=denied):
        look(within)
    with as_anyone(), pytest.raises(StoreUnavailable, match=closed):
        look(itself)
    home.chmod(0o755)


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Let nobody write to a folder and what is in it."""
    for path in (*folder.iterdir(), folder):
        path.chmod(0o555 if path.is_dir() else 0o444)
    with as_anyone():
        yield
    folder.chmod(0o755)
    for path in folder.iterdir():
        path.chmod(0o644)


def test_read_only_file_can_be_read(open_folder: Path) -> None:
    with in_folder(open_folder) as store:
        begin(store, Move(5))
    before = (open_folder / "games.db").read_bytes()
    with read_only(open_folder), in_folder(open_folder) as store:
        assert total_of(store) == 5
        assert [entry.id for entry in store.entries()] == ["id-1"]
        append = append_to(store, "id-1", 2, (Move(2),))
        with pytest.raises(
            StoreUnavailable, match="it cannot be written; change the permissions"
        ):
            store.append(append)
    assert (open_folder / "games.db").read_bytes() == before


def test_damaged_index_of_a_read_only_file_is_reported(open_folder: Path) -> None:
    with in_folder(open_folder) as store:
        begin(store, Move(5))
    move = "UPDATE matches SET begun_at = replace(begun_at, '2026', '2025')"
    leave_out_of_index(open_folder / "games.db", "matches_by_time", move)
    with read_only(open_folder), in_folder(open_folder) as store:
        assert [entry.id for entry in store.entries()] == ["id-1"]
        (notice,) = store.pop_notices()
        assert "missing from index matches_by_time" in notice


def test_read_only_file_with_an_unfinished_write_is_reported(
    open_folder: Path, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    with in_folder(elsewhere) as store:
        begin(store, Move(5))
    with closing(sqlite3.connect(elsewhere / "games.db")) as file:
        file.execute("PRAGMA cache_size = 1")  # so that pages are written at once
        file.execute("BEGIN IMMEDIATE")
        file.execute("CREATE TABLE large AS SELECT zeroblob(100000) AS much")
        file.execute("UPDATE matches SET revision = 7")
        file.execute("UPDATE large SET much = zeroblob(200000)")
        for path in elsewhere.glob("games.db*"):  # as a killed program leaves them
            shutil.copy(path, open_folder)
    before = contents(open_folder)
    assert before["games.db-journal"]
    with (
        read_only(open_folder),
        in_folder(open_folder) as store,
        pytest.raises(
            StoreUnavailable, match="it cannot be written; change the permissions"
        ),
    ):
        look(store)
    assert contents(open_folder) == before


def test_damaged_read_only_file_is_reported(open_folder: Path) -> None:
    (open_folder / "games.db").write_bytes(b"garbage")
    with read_only(open_folder), pytest.raises(DamagedStore):
        look(in_folder(open_folder))


def test_file_in_place_of_the_folder_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    home = tmp_path / "home"
    home.write_text("no folder")
    sentence = "this is a file, not a folder; move it, or use another folder"
    for folder in (home, home / "ninefold", f"{home}/"):
        for use in (look, begin):
            with pytest.raises(StoreUnavailable) as refused:
                use(in_folder(folder))
            assert str(refused.value) == f"{home}: {sentence}"
    with pytest.raises(StoreUnavailable, match=f"^home: {sentence}"):
        look(in_folder("home"))
    look(in_folder("elsewhere"))


def test_folder_in_place_of_the_file_is_reported(tmp_path: Path) -> None:
    (tmp_path / "games.db").mkdir()
    with pytest.raises(StoreUnavailable, match="this is not a file; move it, or"):
        look(in_folder(tmp_path))


def test_locked_file_is_reported_after_the_timeout(file: Path) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with in_folder(file.parent) as store:
            assert store.unfinished() != []  # reading needs no patience
            store.lock_timeout = 0.0
            with pytest.raises(StoreUnavailable, match="another program is using it"):
                begin(store)
            other.execute("ROLLBACK")
            begin(store)


def test_nothing_is_written_to_a_removed_file(file: Path) -> None:
    refusal = pytest.raises(StoreUnavailable, match="removed or replaced while it was")
    elsewhere = file.with_name("elsewhere.db")
    with in_folder(file.parent) as store:
        store.append(append_to(store, "id-1", 3, (Move(2),)))
        append = append_to(store, "id-1", 4, (Move(3),))
        file.rename(elsewhere)
        with refusal:
            store.append(append)
        file.write_bytes(b"another file")
        with refusal:
            store.append(append)
        elsewhere.replace(file)
        store.append(append)
        assert total_of(store) == 6 * 2 * 3


def test_a_backup_that_is_moved_over_the_file_keeps_its_own_games(file: Path) -> None:
    backup = file.with_name("backup.db")
    shutil.copy(file, backup)
    with in_folder(file.parent) as store:
        play(store, "id-1", Move(2))
        backup.replace(file)
        with pytest.raises(StoreUnavailable, match="removed or replaced while it was"):
            play(store, "id-1", Move(3))
        with in_folder(file.parent) as other:
            assert total_of(other) == 6
    with in_folder(file.parent) as store:
        assert total_of(store) == 6
        assert store.pop_notices() == ()


def test_two_stores_of_one_file_see_each_other(file: Path) -> None:
    with in_folder(file.parent) as here, in_folder(file.parent) as there:
        assert total_of(here) == total_of(there)
        late = append_to(there, "id-1", 3, (Move(3),))
        here.append(append_to(here, "id-1", 3, (Move(2),)))
        with pytest.raises(RevisionConflict):
            there.append(late)
        assert there.match("id-1") == here.match("id-1")
        there.append(append_to(there, "id-1", 4, (Move(3),)))
        here.append(append_to(here, "id-1", 5, (Move(2),)))
        assert total_of(here) == total_of(there) == 6 * 2 * 3 * 2


def test_store_reopens_a_file_that_was_replaced(file: Path) -> None:
    with in_folder(file.parent) as store:
        assert total_of(store) == 6
        store.close()
        for path in file.parent.iterdir():
            path.unlink()
        with in_folder(file.parent) as other:
            begin(other, Move(7), Move(7))
        store.append(append_to(store, "id-1", 3, (Move(2),)))
        assert total_of(store) == 98
