from __future__ import annotations

import pytest

from ninefold.app.widgets.board import Total
from ninefold.app.widgets.footer import KeyBar, Panel
from ninefold.app.widgets.multiplier_keys import MultiplierKeys
from ninefold.errors import StoreUnavailable
from ninefold.session import Move
from ninefold.store import Store
from ninefold.store.sqlite import SqliteStore
from tests.app.rooms import LARGE, SMALL, TINY, USUAL, Opened, Room, Size, agreed

SIZES = (SMALL, USUAL, LARGE)


def test_every_part_of_the_table_stays_visible_after_resizing(room: Room) -> None:
    room.keep(agreed(), Move(5), Move(3))
    with room.open("c", "w") as at:
        said = at.said
        for size in (*SIZES, (40, 12), USUAL):
            at.resize(size)
            assert at.said == said
            assert at.one(Total).number == 15
            if size in SIZES:
                look_for_everything(at, size)


def look_for_everything(at: Opened, size: Size) -> None:
    for kind in (Total, MultiplierKeys, Panel, KeyBar):
        region = at.one(kind).region
        assert region.bottom <= size[1]
        assert region.right <= size[0]
        assert region.height >= 1
    assert at.one(Panel).region.height >= 2
    assert at.one(KeyBar).region.y >= at.one(Panel).region.bottom


def test_a_notification_covers_neither_the_panel_nor_a_key(room: Room) -> None:
    class Full(SqliteStore):
        def append(self, *_: object) -> None:
            raise StoreUnavailable(str(room.path), "the disk is full; free some space")

    def opened() -> Store:
        return Full(room.path, clock=room.now, new_id=room.new_id)

    for size in (*SIZES, TINY):
        app = room.app(open_store=opened)
        with room.open("f", "enter", "5", "h", app=app, size=size) as at:
            notice = at.app.screen.query_one("Toast")
            assert "This game is not being saved" in at.text
            assert at.one(Panel).region.height >= 2
            for kind in (MultiplierKeys, Panel, KeyBar):
                shown = at.one(kind).region
                assert shown.bottom <= size[1]
                assert not shown.overlaps(notice.region)


def test_every_place_is_in_sight_in_a_tiny_terminal(room: Room) -> None:
    with room.open(size=TINY) as at:
        for place in ("f  Play a friend here", "o  Play online", "t  Practise"):
            assert place in at.text
        at.press("f")
        assert "Game               ◂ Mult" in at.text


@pytest.mark.parametrize("size", SIZES)
def test_every_place_opens_at_every_size(room: Room, size: Size) -> None:
    with room.open(size=size) as at:
        for key in "voelpgt":
            at.press(key)
            assert "esc leave" in at.text
            at.press("escape")


def test_the_aim_is_told_whole_where_the_title_has_no_room(room: Room) -> None:
    room.keep(agreed("multiplication-showdown"), Move(5), Move(3))
    with room.open("c", size=SMALL) as at:
        assert "Make exactly 100 to win; go beyond and you lose." in at.text
        at.resize(LARGE)
        assert "Multiplication Showdown  Make exactly 100 to win;" in at.text


def test_a_form_keeps_what_was_typed_when_it_is_resized(room: Room) -> None:
    with room.open("f", "tab", "tab", "7") as at:
        at.resize(SMALL)
        at.resize(LARGE)
        assert "Multiplication Madness" in at.text
        assert "1007" in at.text or "7100" in at.text


def test_unbound_keys_change_nothing(room: Room) -> None:
    nonsense = ("z", "ctrl+x", "f5", "tab", "shift+tab", "exclamation_mark", "1", "0")
    room.keep(agreed("multiplication-madness"))
    with room.open("c", *nonsense, "home", "end", "pageup") as at:
        assert at.place == "Table"
        assert at.one(Total).number == 1
