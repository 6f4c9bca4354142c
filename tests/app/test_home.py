from __future__ import annotations

import re
from datetime import UTC, datetime
from shutil import rmtree

import pytest
from msgspec.structs import replace

from ninefold.app.screens.home import MenuItem
from ninefold.app.widgets.footer import KeyBar
from ninefold.errors import DamagedMatch, StoreUnavailable
from ninefold.game import Seat
from ninefold.match import Length
from ninefold.session import Move, Resign, Retry, Sit
from ninefold.store import Append, LoggedCommand, Origin, Store, StoredMatch
from ninefold.store.sqlite import SqliteStore
from tests.app.rooms import LARGE, SMALL, USUAL, Opened, Room, agreed
from tests.app.test_new_game import PRIMES
from tests.program import run
from tests.store.stores import first_append

PLACES = {
    "f": "NewGame",
    "v": "NewGame",
    "o": "Online",
    "n": "Path",
    "p": "Puzzle",
    "e": "Explore",
    "l": "History",
    "g": "Progress",
    "t": "Practice",
}


def test_home_lists_every_place_and_keys_arrows_and_clicks_go_there(
    room: Room,
) -> None:
    with room.open("c") as at:
        assert at.place == "Home"
        assert "Continue" not in at.text
        for row in (
            "f  Play a friend",
            "v  Play the computer",
            "o  Play online",
            "p  Puzzles",
        ):
            assert row in at.text
        for row in ("e  Explore", "l  Look back", "t  Practise", "q quit"):
            assert row in at.text
        assert "g  Progress" in at.text
        assert "n  Learn" in at.text
        at.press("down", "down", "up", "down", "down", "down", "down", "enter")
        assert at.place == "Explore"
        at.press("escape")
        at.click("#to-progress")
        assert at.place == "Progress"
        at.press("escape")
        for key, place in PLACES.items():
            at.press(key)
            assert at.place == place
            at.press("escape")
            assert at.place == "Home"
        at.press("ctrl+t")
        assert at.app.theme == "ninefold-light"
        at.press("ctrl+t")
        assert at.app.theme == "ninefold-dark"


def test_a_game_that_was_left_is_continued(room: Room) -> None:
    room.keep(agreed(), Move(5), Move(3))
    with room.open() as at:
        assert continues(at).endswith("Ada and Bo, at 15. It is Ada's turn.")
        at.press("enter")
        assert at.place == "Table"
        assert "5 × 3 = 15" in at.text


def test_home_shows_the_score_of_an_unfinished_match(room: Room) -> None:
    room.keep(agreed(length=Length.best_of(3)), *map(Move, (5, 9, 3, 9)))
    with room.open() as at:
        assert continues(at) == (
            "Multiplier Showdown: Ada 0 : 1 Bo, best of 3, between two games."
        )


def continues(at: Opened) -> str:
    """Return what home says of the match that it offers to continue."""
    return at.one(MenuItem).note


def test_a_match_that_was_deleted_meanwhile_shows_an_error(room: Room) -> None:
    room.keep(agreed(), Move(5))
    with room.open() as at:
        rmtree(room.path)
        at.press("c")
        assert at.place == "Home"
        assert "No match" in at.text


def test_home_opens_where_nothing_can_be_read(room: Room) -> None:
    def closed() -> Store:
        folder, problem = "/nowhere", "the folder is closed"
        raise StoreUnavailable(folder, problem)

    with room.open(app=room.app(open_store=closed)) as at:
        assert at.place == "Home"
        assert "/nowhere: the folder is closed." in at.text
        assert at.one(MenuItem).display is False
        for place in "tnpv":
            at.press(place)
            assert len(at.app.screen.query("Toast")) == 1
            at.press("escape")


def test_q_quits_the_app(room: Room) -> None:
    with room.open("q") as at:
        assert at.app.return_code == 0


def test_ctrl_c_leaves_at_once_with_the_code_of_an_interrupt(room: Room) -> None:
    with room.open("v", "enter", "ctrl+c") as at:
        assert at.app.return_code == 130


def test_question_mark_shows_the_keys_of_any_screen(room: Room) -> None:
    with room.open("question_mark") as at:
        assert at.place == "Help"
        assert "Keys here" in at.text
        at.press("down", "up", "escape")
        assert at.place == "Home"
        at.press("v", "down", "down", "down", "question_mark")
        assert at.place == "Help"
        at.press("escape", "escape", "e", "question_mark")  # from a field
        assert at.place == "Help"


@pytest.mark.parametrize("keys", [("v", "tab", "tab"), ("f", "enter", "x"), ("e",)])
def test_ctrl_c_leaves_from_a_field_and_from_a_question(
    room: Room, keys: tuple[str, ...]
) -> None:
    with room.open(*keys, "ctrl+c") as at:
        assert at.app.return_code == 130


def test_every_description_is_shown_whole(room: Room) -> None:
    names = ("Ada King, of Lovelace", "Blaise Pascal")
    match = replace(agreed(length=Length.best_of(3)), names=names)
    room.keep(match, Move(5), Move(3))
    with room.open() as at:
        for size in (SMALL, USUAL, LARGE):
            at.resize(size)
            assert "…" not in at.text
            told = " ".join(at.text.split())
            assert "0 : 0 Blaise Pascal" in told
            assert told.count("turn.") == 1
            for item in at.app.screen.query(MenuItem):
                assert item.region.bottom <= at.one(KeyBar).region.y


def test_the_hops_of_the_unfinished_game_are_drawn_above_the_menu(room: Room) -> None:
    with room.open() as at:
        assert "×6" in at.text
        assert "▒" in at.text
        at.press("f", "enter", "8", "escape")
        assert "×8" in at.text
        assert "▒" not in at.text


def test_home_does_not_reveal_where_the_bands_end(room: Room) -> None:
    with room.open(size=LARGE) as at:
        assert "▒" in at.text
        assert not re.search("[0-9] to [0-9]", at.text)


def shown_text(at: Opened) -> str:
    """Return what is visible in the panel and elsewhere, with lines joined."""
    return " ".join(at.text.replace("▌", " ").split())


def test_the_form_says_where_the_unfinished_game_stays(room: Room) -> None:
    with room.open("f") as at:
        assert "Look back" not in at.said
    room.keep(agreed(), Move(5), Move(3))
    with room.open("f") as at:
        for size in (SMALL, LARGE, USUAL):
            at.resize(size)
            stays = "Your unfinished game (Ada and Bo, at 15) stays in Look back."
            assert stays in shown_text(at)
        at.press("enter", "7", "escape")
        assert continues(at).endswith("at 7. It is Bo's turn.")
        at.press("l", "down", "c")
        assert at.place == "Table"
        assert "5 × 3 = 15" in at.text


def test_the_form_says_where_the_unfinished_match_stays(room: Room) -> None:
    room.keep(agreed(length=Length.best_of(3)), *map(Move, (5, 9, 3, 9)))
    with room.open("v", size=SMALL) as at:
        stays = "Your unfinished match (Ada 0 : 1 Bo) stays in Look back."
        assert stays in shown_text(at)


def test_a_damaged_match_does_not_close_the_home(room: Room) -> None:
    class Damaged(SqliteStore):
        def match(self, match_id: str) -> StoredMatch:
            raise DamagedMatch(match_id, "a command of it is missing")

    def opened() -> Store:
        return Damaged(room.path, clock=room.now, new_id=room.new_id)

    room.keep(agreed(), Move(5))
    with room.open(app=room.app(open_store=opened)) as at:
        assert at.one(MenuItem).display is False
        assert "Game 00000001-" in at.text
        assert "missing" in at.text


def test_the_unfinished_game_is_named_in_the_menu(
    room: Room,
) -> None:
    room.keep(agreed("multiplier"), Move(5))
    room.keep(agreed(level="perfect"), *map(Move, (7, 9, 2, 9)))
    with room.open("l", "enter", "t", "escape", "escape") as at:
        assert at.place == "Home"
        assert continues(at) == "Multiplier: Ada and Bo, at 5. It is Bo's turn."


def test_another_try_that_was_left_is_called_one(room: Room) -> None:
    room.keep(agreed(level="perfect"), *map(Move, (7, 9, 2, 9)))
    with room.open("l", "enter", "t", "escape", "escape") as at:
        assert at.place == "Home"
        assert continues(at) == (
            "Multiplier Showdown, another try: Ada and Perfect, at 1. It is Ada's turn."
        )


def test_continue_offers_the_match_that_ninefold_resume_resumes(room: Room) -> None:
    text = PRIMES.read_text(encoding="utf-8")
    own = replace(agreed(), book="primes", book_text=text)
    own = replace(own, rules=own.rulebook().rules)
    online = replace(agreed(), all_seated=False, seed=None)
    later = datetime(2100, 1, 1, tzinfo=UTC)
    seats = (Sit(Seat.ONE, "Eve"), Sit(Seat.TWO, "Bo"))
    seated = tuple(LoggedCommand(command, later) for command in (*seats, Move(3)))
    there = Origin("http://127.0.0.1:9", (Seat.ONE,))
    left: dict[str, tuple[Append | StoredMatch, str]] = {
        "Multiplier Showdown, another try: Ada and Bo, at 7. It is Bo's turn.": (
            first_append("try", (Resign(Seat.TWO), Retry((7,))), agreed()),
            "7",
        ),
        "Prime Time: Ada and Bo, at 5. It is Bo's turn.": (
            first_append("own", (Move(5),), own),
            str(own.rules.target),
        ),
        "Multiplier Showdown: Eve and Bo, at 3. It is Bo's turn. On 127.0.0.1:9.": (
            StoredMatch("copy", online, seated, later, later, origin=there),
            there.server,
        ),
    }
    for told, (stored, resumed) in left.items():
        with room.open_store() as store:
            if isinstance(stored, Append):
                store.append(stored)
            else:
                store.import_entries([stored])
        with room.open() as at:
            assert continues(at) == told
        finished = run("resume", NINEFOLD_HOME=str(room.path))
        assert resumed in finished.stdout + finished.stderr
