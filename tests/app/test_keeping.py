from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from ninefold.app import Preferences, PreferencesFile
from ninefold.app.theme import DARK, LIGHT
from ninefold.app.widgets.board import Total
from ninefold.errors import StoreUnavailable
from ninefold.session import Move
from ninefold.store import Append, ClassAppend, Store
from ninefold.store.sqlite import SqliteStore
from tests.app.rooms import Opened, Room, agreed
from tests.store.stores import append_to


class Watched(SqliteStore):
    """A store that looks at the screen whenever something is kept."""

    at: Opened | None = None
    seen: list[tuple[int, int | None]]
    locked = False

    def append(self, *appends: Append | ClassAppend) -> None:
        first = appends[0]
        assert isinstance(first, Append)
        if self.locked:
            raise StoreUnavailable(str(first.match_id), "it is locked")
        if self.at is not None:
            shown = self.at.one(Total).number
            self.seen.append((len(first.accepted), shown))
        super().append(*appends)


def watched(room: Room) -> Watched:
    store = Watched(room.path, clock=room.now, new_id=room.new_id)
    store.seen = []
    return store


def test_a_move_is_stored_before_it_is_shown(room: Room) -> None:
    store = watched(room)
    with room.open("f", "enter", app=room.app(open_store=lambda: store)) as at:
        store.at = at
        at.press("5", "3")
        assert at.one(Total).number == 15
    assert store.seen == [(1, 1), (1, 5)]


def test_the_first_reply_of_a_level_is_stored_before_it_is_shown(room: Room) -> None:
    room.keep(agreed(level="perfect"), Move(7))
    store = watched(room)
    with room.open(app=room.app(open_store=lambda: store)) as at:
        at.press("c")
        assert at.one(Total).number == 63
    assert room.history() == [(7, 9)]


def test_a_game_that_cannot_be_stored_continues_and_is_stored_later(room: Room) -> None:
    store = watched(room)
    with room.open("f", "enter", app=room.app(open_store=lambda: store)) as at:
        store.locked = True
        at.press("5")
        assert "This game is not being saved" in at.text
        assert "not saved" in at.text.splitlines()[0]
        assert at.one(Total).number == 5
        store.locked = False
        at.press("3")
        assert "The game is being saved again." in at.text
        assert "not saved" not in at.text.splitlines()[0]
    assert room.history() == [(5, 3)]


def test_a_table_is_closed_once_and_home_finds_what_was_caught_up_then(
    room: Room,
) -> None:
    opened: list[Counted] = []

    class Counted(Watched):
        closed = 0

        def close(self) -> None:
            self.closed += 1
            super().close()

    def open_store() -> Store:
        opened.append(Counted(room.path, clock=room.now, new_id=room.new_id))
        return opened[-1]

    with room.open("f", "enter", app=room.app(open_store=open_store)) as at:
        Counted.locked = True
        at.press("5")
        Counted.locked = False
        at.burst("escape", "c")
        assert at.place == "Table"
        assert at.one(Total).number == 5
        at.press("3", "escape")
    assert {store.closed for store in opened} == {1}
    assert room.history() == [(5, 3)]


def test_a_match_that_continued_in_another_window_shows_a_conflict(room: Room) -> None:
    match_id = room.keep(agreed(), Move(5))
    with room.open("c") as at:
        with room.open_store() as other:
            append_elsewhere(other, match_id)
        at.press("3")
        assert "This game is not being saved" in at.text
        assert at.one(Total).number == 15


def append_elsewhere(store: Store, match_id: str) -> None:
    store.append(append_to(store, match_id, 2, (Move(9),)))


def test_store_notices_are_shown_in_the_app(room: Room) -> None:
    class Telling(SqliteStore):
        def pop_notices(self) -> tuple[str, ...]:
            return ("Entry id-1 is damaged.",)

    def opened() -> Store:
        return Telling(room.path, clock=room.now, new_id=room.new_id)

    with room.open("g", app=room.app(open_store=opened)) as at:
        assert "Entry id-1 is damaged." in at.text


def test_lists_show_why_the_store_cannot_be_read(room: Room) -> None:
    def closed() -> Store:
        folder, problem = "/nowhere", "the folder is closed"
        raise StoreUnavailable(folder, problem)

    for key in "lg":
        with room.open(key, app=room.app(open_store=closed)) as at:
            assert "the folder is closed" in at.text


class TestPreferences:
    def test_products_stay_switched_off_at_every_table(self, room: Room) -> None:
        room.keep(agreed(), Move(5), Move(3))
        with room.open("c") as at:
            assert "135" in at.text
            at.press("p")
            assert "135" not in at.text
            at.press("escape", "c")
            assert "135" not in at.text
        with room.open("c") as at:
            assert "135" not in at.text
            at.press("p")
            assert "135" in at.text

    def test_a_hop_that_was_drawn_goes_with_its_product(self, room: Room) -> None:
        room.keep(agreed(), Move(5), Move(3))
        with room.open("c", "right") as at:
            assert "╌" in at.text
            at.press("p")
            assert "╌" not in at.text

    def test_a_theme_is_chosen_once(self, room: Room) -> None:
        with room.open("ctrl+t") as at:
            assert at.app.theme == LIGHT.name
        with room.open() as at:
            assert at.app.theme == LIGHT.name
            at.press("ctrl+t")
        with room.open(app=room.app(theme="light")) as at:
            assert at.app.theme == DARK.name

    def test_theme_follows_the_terminal_until_one_is_chosen(self, room: Room) -> None:
        with room.open(app=room.app(theme="light")) as at:
            assert at.app.theme == LIGHT.name

    @pytest.mark.parametrize("written", [b"", b"{", b'{"theme":"blue"}', b"[]"])
    def test_invalid_preferences_file_is_ignored(
        self, tmp_path: Path, written: bytes
    ) -> None:
        file = tmp_path / "app.json"
        file.write_bytes(written)
        memory = PreferencesFile(file)
        assert memory.preferences == Preferences()
        memory.keep(Preferences(products=False))
        assert PreferencesFile(file).preferences == Preferences(products=False)

    def test_a_new_file_is_its_owner_s_alone(self, tmp_path: Path) -> None:
        file = tmp_path / "app.json"
        PreferencesFile(file).keep(Preferences())
        assert file.stat().st_mode & 0o777 == 0o600

    def test_a_choice_that_cannot_be_saved_holds_until_the_app_closes(
        self, tmp_path: Path
    ) -> None:
        (tmp_path / "file").write_text("in the way", encoding="utf-8")
        for file in (tmp_path / "file" / "app.json", None):
            memory = PreferencesFile(file)
            memory.keep(Preferences(theme="light"))
            memory.keep(replace(memory.preferences, products=False))
            assert memory.preferences == Preferences("light", products=False)
            assert PreferencesFile(file).preferences == Preferences()
