"""The SQLite file in bad company: damage, a newer ninefold, no room, no right."""

from __future__ import annotations

import os
import resource
import signal
import sqlite3
import tempfile
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from ninefold import (
    DamagedMatch,
    DamagedStore,
    NewerStore,
    StoreError,
    StoreUnavailable,
    UnknownMatch,
)
from ninefold.store import BOXES, Try
from ninefold.store.database import Database
from ninefold.store.migrations import MIGRATIONS
from ninefold.store.sqlite import SqliteStore
from tests.store.stores import START, Clock, begin, in_folder, play
from tests.test_public_api import loaded_by

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

NOBODY = 65534
ASIDE = "games.db.damaged-20260131T0930"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Give a file in which a game is going on: 5 x 6."""
    with in_folder(tmp_path) as store:
        match_id, game = begin(store)
        play(store, match_id, game, 5, 6)
        store.take_in(
            Try(f"try {number}", f"puzzle {number}", 2, right=False, at=START)
            for number in range(200)
        )
    return tmp_path / "games.db"


def change(file: Path, statement: str, *values: object) -> None:
    """Change the file behind the store's back."""
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(statement, values)


def pragma(file: Path, name: str) -> object:
    with closing(sqlite3.connect(file)) as connection:
        found: object = connection.execute(f"PRAGMA {name}").fetchone()[0]
    return found


def asides(folder: Path) -> list[Path]:
    return sorted(folder.glob("games.db.damaged-*"))


# Opening


def test_nothing_is_touched_before_the_first_use(tmp_path: Path) -> None:
    folder = tmp_path / "not" / "there"
    with in_folder(folder) as store:
        assert not folder.parent.exists()
        begin(store)
        assert (folder / "games.db").exists()
    assert folder.stat().st_mode & 0o077 == 0


def test_reading_makes_no_file(tmp_path: Path) -> None:
    for folder in (tmp_path / "not" / "there", tmp_path):
        with in_folder(folder) as store:
            assert store.latest() is None
            assert store.entries() == []
            assert store.history() == store.unfinished() == []
            assert store.due() == []
            with pytest.raises(UnknownMatch):
                store.match("id-1")
            assert list(tmp_path.iterdir()) == []
            assert store.take_notices() == ()
    with in_folder(tmp_path) as store:
        assert store.latest() is None
        match_id, game = begin(store)
        assert store.match(match_id).game == game


def test_an_empty_file_is_an_empty_store(tmp_path: Path) -> None:
    (tmp_path / "games.db").touch()
    with in_folder(tmp_path) as store:
        assert store.matches() == []
        assert store.take_notices() == ()


def test_speaking_of_what_is_kept_does_not_load_sqlite() -> None:
    assert "sqlite3" not in loaded_by("import ninefold.store")
    assert "sqlite3" in loaded_by("import ninefold.store.sqlite")


def test_the_file_is_safe_for_many_and_against_power_cuts(tmp_path: Path) -> None:
    database = Database(tmp_path, Clock(), patience=0.05)
    with database.writing() as connection:
        for name, expected in (
            ("journal_mode", "wal"),
            ("synchronous", 2),
            ("foreign_keys", 1),
            ("user_version", len(MIGRATIONS)),
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
def test_a_file_that_is_none_is_moved_aside(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "games.db").write_bytes(content)
    with in_folder(tmp_path) as store:
        match_id, game = begin(store)
        (aside,) = asides(tmp_path)
        assert aside.name.startswith(ASIDE)
        assert aside.read_bytes() == content
        (notice,) = store.take_notices()
        assert f"was damaged. It is kept as {aside}, and a new one was begun" in notice
        assert store.take_notices() == ()
        assert store.match(match_id).game == game


def test_a_truncated_file_is_moved_aside_with_its_log(file: Path) -> None:
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    nonsense = b"a log that nobody can read"
    file.with_name("games.db-wal").write_bytes(nonsense)
    with in_folder(file.parent) as store:
        assert store.latest() is None
        assert len(store.take_notices()) == 1
    aside = asides(file.parent)[0]
    assert aside.read_bytes() == whole[: len(whole) // 2]
    assert aside.with_name(f"{aside.name}-wal").read_bytes() == nonsense


def test_a_log_without_its_file_is_moved_aside(file: Path) -> None:
    with in_folder(file.parent) as store:
        game = store.match("id-1").game
        assert game is not None
        play(store, "id-1", game, 2)
        log = file.with_name("games.db-wal").read_bytes()
    for left in (None, b""):
        file.unlink()
        file.with_name("games.db-wal").write_bytes(log)
        if left is not None:
            file.write_bytes(left)
        with in_folder(file.parent) as store:
            assert store.latest() is None
            assert len(store.take_notices()) == 1
    found = [aside.read_bytes() for aside in asides(file.parent)]
    assert found.count(log) == 2


def test_a_system_that_renames_only_closed_files_is_served(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rename = os.rename
    asked = []

    def rename_later(*names: str) -> None:
        asked.append(names)
        if len(asked) == 1:
            raise PermissionError(13, "in use")
        rename(*names)

    monkeypatch.setattr(os, "rename", rename_later)
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    with in_folder(file.parent) as store:
        assert store.latest() is None
    assert asides(file.parent)[0].read_bytes() == whole[: len(whole) // 2]


def test_an_earlier_damaged_file_is_never_overwritten(tmp_path: Path) -> None:
    for content in (b"the first garbage", b"the second garbage", b"the third garbage"):
        (tmp_path / "games.db").write_bytes(content)
        with in_folder(tmp_path) as store:
            store.latest()
        (tmp_path / "games.db").unlink()
    found = {aside.read_bytes() for aside in asides(tmp_path)}
    assert found == {b"the first garbage", b"the second garbage", b"the third garbage"}


def test_damage_found_in_use_is_moved_aside_too(file: Path) -> None:
    content = bytearray(file.read_bytes())
    page = int(str(pragma(file, "page_size")))
    content[page:] = b"\xff" * (len(content) - page)
    file.write_bytes(content)
    with in_folder(file.parent) as store:
        with pytest.raises(DamagedStore, match=r"was damaged\. It is kept as"):
            store.history()
        assert asides(file.parent)[0].read_bytes() == bytes(content)
        match_id, game = begin(store)
        assert store.match(match_id).game == game
        assert store.take_notices() == ()


def test_a_damaged_file_that_cannot_be_moved_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    (tmp_path / "games.db").write_bytes(b"garbage")
    monkeypatch.setattr(os, "rename", refuse)
    store = in_folder(tmp_path)
    with pytest.raises(StoreUnavailable, match="cannot be moved aside"):
        store.latest()
    assert (tmp_path / "games.db").read_bytes() == b"garbage"


@pytest.mark.parametrize(
    "damage", [b"garbage", b"SQLite format 3\x00" + b"\xff" * 5000]
)
def test_a_file_that_another_program_just_replaced_is_not_moved(
    file: Path, damage: bytes
) -> None:
    sound = file.with_name("sound")
    file.rename(sound)
    file.write_bytes(damage)
    looks = []

    class Late(Database):
        """Finds damage, and then that another program has seen to it."""

        def _identity(self) -> tuple[int, int] | None:
            looks.append(file)
            if len(looks) == 2:
                sound.rename(file)
            return super()._identity()

    database = Late(file.parent, Clock(), patience=0.05)
    with database.reading() as connection:
        assert connection.execute("SELECT count(*) FROM games").fetchone() == (1,)
    database.close()
    assert database.notices[0].endswith("Another program has moved it aside.")
    assert asides(file.parent) == []


def test_two_programs_move_a_damaged_file_aside_once(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    with in_folder(file.parent) as here, in_folder(file.parent) as there:
        for store in (here, there):
            assert store.due(START + BOXES[0]) != []
        with file.open("r+b") as damaged:
            damaged.write(content)
        with pytest.raises(DamagedStore, match="It is kept as"):
            here.history()
        match_id, game = begin(here)
        with pytest.raises(DamagedStore, match="Another program has moved it aside"):
            there.history()
        assert there.match(match_id).game == game
    assert len([aside for aside in asides(file.parent) if aside.suffix[-1] == "Z"]) == 1


# Rows that the rules refuse


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("UPDATE games SET moves = '[5, 1]'", "1 is not a multiplier here"),
        ("UPDATE games SET moves = '[5, '", "this is not JSON"),
        ("UPDATE games SET moves = x'5b5d'", "moves of game 1: expected text"),
        ("UPDATE games SET moves = CAST(x'ff' AS TEXT)", "this is not JSON"),
        ("UPDATE games SET number = 2", "game 1: this game of the match is missing"),
        ("UPDATE games SET first = 2", "Player 1 starts game 1"),
        ("UPDATE games SET resigned = 1", "time of its end"),
        ("UPDATE games SET begun_at = 'once'", "begun_at: expected a time"),
        ("UPDATE matches SET rules = '{}'", "rules.ending: this key is missing"),
        ("UPDATE matches SET setup = '[]'", "setup: expected an object"),
        ("UPDATE matches SET changed_at = 7", "changed_at: expected a time"),
    ],
)
def test_rows_that_the_rules_refuse_are_reported(
    file: Path, statement: str, problem: str
) -> None:
    change(file, statement)
    with SqliteStore(file.parent, clock=Clock(), new_id=lambda: "sound") as store:
        begin(store)
        with pytest.raises(DamagedMatch, match=problem):
            store.match("id-1")
        assert store.take_notices() == ()
        assert [kept.id for kept in store.unfinished()] == ["sound"]
        assert [kept.id for kept in store.matches()] == ["sound"]
        (notice,) = store.take_notices()
        assert notice.startswith("match id-1 is damaged and left as it is")
        assert problem in notice
        wanted = store.history()
        assert {played.match_id for played in wanted} == {"sound"}


def test_a_damaged_match_is_not_replaced_by_an_import(file: Path) -> None:
    with in_folder(file.parent) as store:
        kept = store.match("id-1")
        change(file, "UPDATE games SET moves = '[1]'")
        assert store.take_in([kept]).differing == 1
        assert "match id-1 is damaged" in store.take_notices()[0]
        with pytest.raises(DamagedMatch):
            store.match("id-1")


def test_a_game_without_its_match_is_left_out(file: Path) -> None:
    change(file, "DELETE FROM matches")
    with in_folder(file.parent) as store:
        assert store.history() == []
        assert "no match id-1 is kept" in store.take_notices()[0]


def test_damaged_entries_are_left_out(file: Path) -> None:
    change(file, "UPDATE attempts SET multiplier = 'x' WHERE puzzle = 'puzzle 7'")
    change(file, "UPDATE schedule SET box = 'x' WHERE puzzle = 'puzzle 8'")
    with in_folder(file.parent) as store:
        assert len(store.attempts()) == 199
        assert len(store.due(Clock().time.replace(year=2027))) == 199
        first, second = store.take_notices()
        assert "is damaged and left as it is (multiplier: expected a whole" in first
        assert second.startswith("entry puzzle 8 is damaged")


# Versions


def test_a_newer_file_is_refused_and_left_as_it_is(file: Path) -> None:
    change(file, "PRAGMA user_version = 99")
    before = file.read_bytes()
    with in_folder(file.parent) as store:
        for use in (store.latest, store.history, lambda: begin(store)):
            with pytest.raises(NewerStore, match="a newer ninefold wrote this") as new:
                use()
            assert new.value.found == 99
    assert file.read_bytes() == before
    assert list(file.parent.iterdir()) == [file]


def test_a_file_of_another_program_is_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    change(file, "CREATE TABLE songs (title TEXT)")
    before = file.read_bytes()
    store = in_folder(tmp_path)
    with pytest.raises(StoreUnavailable, match="another program's file"):
        store.latest()
    assert file.read_bytes() == before


def test_missing_steps_are_taken_and_earlier_ones_are_not(file: Path) -> None:
    def add(connection: sqlite3.Connection) -> None:
        connection.execute("ALTER TABLE games ADD COLUMN stars INTEGER")

    steps = (*MIGRATIONS, add)
    for _ in range(2):
        database = Database(file.parent, Clock(), patience=0.05, migrations=steps)
        with database.reading() as connection:
            rows = connection.execute("SELECT moves, stars FROM games").fetchall()
        database.close()
        assert rows == [("[5, 6]", None)]
        assert pragma(file, "user_version") == 2


def test_a_step_that_fails_changes_nothing(file: Path) -> None:
    def fail(connection: sqlite3.Connection) -> None:
        connection.execute("DROP TABLE attempts")
        connection.execute("NONSENSE")

    before = file.read_bytes()
    steps = (*MIGRATIONS, fail)
    database = Database(file.parent, Clock(), patience=0.05, migrations=steps)
    with pytest.raises(StoreUnavailable, match="SQLite refuses it"), database.reading():
        pass
    assert file.read_bytes() == before


# No room, no right


def test_a_full_disk_is_said_and_loses_nothing(file: Path) -> None:
    with in_folder(file.parent) as store:
        kept = store.match("id-1")
        game = kept.game
        assert game is not None
        with store._database.reading() as connection:  # noqa: SLF001 - only SQLite itself can be told to be full
            connection.execute("PRAGMA max_page_count = 1")
        large = [
            Try(f"large {number}", "p" * 1000, 2, right=True, at=START)
            for number in range(100)
        ]
        with pytest.raises(StoreUnavailable, match="the disk is full; make room on it"):
            store.take_in(large)
        assert store.match("id-1") == kept
    with in_folder(file.parent) as store:
        assert store.match("id-1") == kept
        play(store, "id-1", game, 2)


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


def test_a_disk_that_takes_no_more_is_said_and_loses_nothing(file: Path) -> None:
    with in_folder(file.parent) as store:
        game = store.match("id-1").game
        assert game is not None
        game = play(store, "id-1", game, 2)
        log = file.with_name("games.db-wal").stat().st_size
        with (
            no_file_larger_than(log + 100),
            pytest.raises(StoreUnavailable, match="the disk does not take it"),
        ):
            store.change_game("id-1", 1, game, game.undo())
        kept = store.match("id-1")
        assert kept.game == game
        store.change_game("id-1", 1, game, game.undo())
    with in_folder(file.parent) as store:
        kept = store.match("id-1")
        assert kept.game == game.undo()


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


def test_a_read_only_home_is_said_to_whoever_keeps_something(open_folder: Path) -> None:
    open_folder.chmod(0o555)
    within, itself = in_folder(open_folder / "ninefold"), in_folder(open_folder)
    denied, closed = "Permission denied; allow it, or", "it cannot be opened; allow it"
    with as_anyone():
        assert within.latest() is itself.latest() is None
    with as_anyone(), pytest.raises(StoreUnavailable, match=denied):
        begin(within)
    with as_anyone(), pytest.raises(StoreUnavailable, match=closed):
        begin(itself)
    assert list(open_folder.iterdir()) == []
    open_folder.chmod(0o755)


def test_a_home_that_nobody_may_enter_is_said(open_folder: Path) -> None:
    home = open_folder / "home"
    with in_folder(home) as store:
        begin(store)
    home.chmod(0o000)
    within, itself = in_folder(home / "ninefold"), in_folder(home)
    denied, closed = "Permission denied; allow it, or", "it cannot be opened; allow it"
    with as_anyone(), pytest.raises(StoreUnavailable, match=denied):
        within.latest()
    with as_anyone(), pytest.raises(StoreUnavailable, match=closed):
        itself.latest()
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


@pytest.mark.parametrize("mode", ["wal", "delete"])
@pytest.mark.parametrize("name", ["games", "what? 100 #1 %20 ×"])
def test_a_read_only_home_can_be_looked_at(
    open_folder: Path, name: str, mode: str
) -> None:
    home = open_folder / name
    home.mkdir()
    with in_folder(home) as store:
        begin(store)
        store.add_answer(7, 8, 56)
        store.add_attempt("p", 2, right=False)
        kept, due = store.entries(), store.due(START + timedelta(days=1))
    assert pragma(home / "games.db", f"journal_mode = {mode}") == mode
    before = (home / "games.db").read_bytes()
    with read_only(home), in_folder(home) as store:
        assert store.entries() == kept
        assert store.latest() == kept[0]
        assert store.due(START + timedelta(days=1)) == due
        assert len(store.history()) == 1
        with pytest.raises(StoreUnavailable, match="allow it, or use another folder"):
            begin(store)
        assert store.entries() == kept
    assert (home / "games.db").read_bytes() == before
    assert list(home.iterdir()) == [home / "games.db"]


@pytest.mark.parametrize("mode", ["wal", "delete"])
def test_a_read_only_file_is_brought_up_to_date_in_memory(
    open_folder: Path, mode: str
) -> None:
    def add(connection: sqlite3.Connection) -> None:
        connection.execute("ALTER TABLE games ADD COLUMN stars INTEGER")

    with in_folder(open_folder) as store:
        begin(store)
    assert pragma(open_folder / "games.db", f"journal_mode = {mode}") == mode
    steps = (*MIGRATIONS, add)
    database = Database(open_folder, Clock(), patience=0.05, migrations=steps)
    with read_only(open_folder), database.reading() as connection:
        rows = connection.execute("SELECT moves, stars FROM games").fetchall()
    assert rows == [("[]", None)]
    assert pragma(open_folder / "games.db", "user_version") == 1


def test_a_newer_file_that_is_read_only_is_refused(open_folder: Path) -> None:
    with in_folder(open_folder) as store:
        begin(store)
    change(open_folder / "games.db", "PRAGMA user_version = 99")
    with (
        read_only(open_folder),
        pytest.raises(NewerStore, match="a newer ninefold wrote this"),
    ):
        in_folder(open_folder).latest()


def test_a_read_only_home_is_not_read_without_its_log(open_folder: Path) -> None:
    with in_folder(open_folder) as store:
        begin(store)
        log = (open_folder / "games.db-wal").read_bytes()
    (open_folder / "games.db-wal").write_bytes(log)
    with (
        read_only(open_folder),
        pytest.raises(StoreUnavailable, match="it cannot be opened; allow it"),
    ):
        in_folder(open_folder).latest()
    with in_folder(open_folder) as store:
        assert store.latest() is not None


def test_a_damaged_file_that_is_read_only_is_said_and_left(open_folder: Path) -> None:
    with in_folder(open_folder) as store:
        begin(store)
    file = open_folder / "games.db"
    damaged = file.read_bytes()[:4096]
    file.write_bytes(damaged)
    with (
        read_only(open_folder),
        pytest.raises(StoreUnavailable, match="it is damaged, and cannot be moved"),
    ):
        in_folder(open_folder).latest()
    assert file.read_bytes() == damaged


def test_a_read_only_file_is_said_and_left(open_folder: Path) -> None:
    file = open_folder / "games.db"
    with in_folder(open_folder) as store:
        begin(store)
    file.chmod(0o444)
    open_folder.chmod(0o555)
    before = file.read_bytes()
    store = in_folder(open_folder)
    with as_anyone(), pytest.raises(StoreUnavailable, match="it cannot be"):
        begin(store)
    open_folder.chmod(0o755)
    assert file.read_bytes() == before


def test_a_file_in_the_place_of_the_folder_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    home = tmp_path / "home"
    home.write_text("no folder")
    sentence = "this is a file, not a folder; move it, or use another folder"
    for folder in (home, home / "ninefold", f"{home}/"):
        store = in_folder(folder)
        for use in (store.latest, lambda store=store: begin(store)):
            with pytest.raises(StoreUnavailable) as refused:
                use()
            assert str(refused.value) == f"{home}: {sentence}"
    with pytest.raises(StoreUnavailable, match=f"^home: {sentence}"):
        in_folder("home").latest()
    assert in_folder("elsewhere").latest() is None


def test_a_folder_in_the_place_of_the_file_is_said(tmp_path: Path) -> None:
    (tmp_path / "games.db").mkdir()
    store = in_folder(tmp_path)
    with pytest.raises(StoreUnavailable, match="it cannot be opened; allow it, or"):
        store.latest()


def test_a_locked_file_is_said_after_some_patience(file: Path) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with in_folder(file.parent) as store:
            assert store.latest() is not None  # reading needs no patience
            with pytest.raises(StoreUnavailable, match="another program is using it"):
                begin(store)
            other.execute("ROLLBACK")
            begin(store)


def test_two_stores_of_one_file_see_each_other(file: Path) -> None:
    with in_folder(file.parent) as here, in_folder(file.parent) as there:
        game = here.match("id-1").game
        assert game is not None
        play(here, "id-1", game, 2)
        with pytest.raises(StoreError, match="was changed elsewhere"):
            play(there, "id-1", game, 3)
        assert there.match("id-1") == here.match("id-1")
