from __future__ import annotations

from msgspec.structs import replace
from textual.widgets import DataTable

from ninefold.app.widgets.fields import Choice
from ninefold.game import Seat
from ninefold.session import Move, Resign, Retry
from ninefold.store import Append, Filter, GameRow, Store
from ninefold.store.port import EVERY_GAME
from ninefold.store.sqlite import SqliteStore
from tests.app.rooms import Room, agreed
from tests.app.test_new_game import PRIMES


def test_games_are_listed_the_latest_first(room: Room) -> None:
    room.keep(agreed(), *map(Move, (7, 9, 2, 9)))
    room.keep(agreed("multiplier", level="careful"), Move(9), Resign(Seat.ONE))
    with room.open("l") as at:
        assert "Look back  2 games" in at.text
        first, second = (row for row in at.text.splitlines() if "2024-05-01" in row)
        assert "Multiplier  " in first
        assert "■ won, resigned" in first
        assert "● Ada  ■ Bo" in second
        assert "1134" in second


def test_enter_looks_at_a_game_and_escape_comes_back(room: Room) -> None:
    room.keep(agreed(), *map(Move, (7, 9, 2, 9)))
    with room.open("l", "enter") as at:
        assert at.place == "Review"
        assert at.said == (
            "The game turned at move 1: at 1, Ada played ×7 and gave the win away."
        )
        at.press("escape")
        assert at.place == "LookBack"


def test_enter_resumes_a_game_that_was_left(room: Room) -> None:
    room.keep(agreed(), Move(7))
    with room.open("l") as at:
        assert "… left" in at.text
        assert "1 game" in at.text
        at.press("enter")
        assert at.place == "Table"


def test_another_try_is_told(room: Room) -> None:
    setup = agreed()
    room.keep(setup, *map(Move, (7, 9, 2, 9)), Retry(()), *map(Move, (5, 2, 9, 2, 9)))
    with room.open("l") as at:
        assert "● won, a retry" in at.text


def test_the_games_of_one_rule_book_can_be_shown(room: Room) -> None:
    room.keep(agreed(), *map(Move, (7, 9, 2, 9)))
    with room.open("l", "g") as at:
        assert "Look back  0 games" in at.text
        assert at.one(Choice).value == "multiplication-madness"
        at.press("enter")
        assert at.place == "LookBack"
        at.one(Choice).focus()
        at.press("left")
        assert "Look back  1 game" in at.text
        at.press("down", "enter")
        assert at.place == "Review"


def test_more_games_are_loaded_at_the_end_of_a_page(room: Room) -> None:
    with room.open_store() as store:
        keep_many(store, 60)
    with room.open("l") as at:
        assert "60 games" in at.text
        at.press("ctrl+end")
        assert at.one(DataTable).row_count == 60


def keep_many(store: Store, games: int) -> None:
    setup = agreed()
    played = tuple(map(Move, (7, 9, 2, 9)))
    store.append(*(Append(store.new_id(), 1, played, setup) for _ in range(games)))


def test_a_game_of_ones_own_rule_book_is_looked_at(room: Room) -> None:
    text = PRIMES.read_text(encoding="utf-8")
    setup = replace(agreed(), book="primes", book_text=text)
    book = setup.rulebook()
    setup = replace(setup, rules=book.rules)
    room.keep(setup, Move(book.rules.multipliers[0]), Resign(Seat.TWO))
    with room.open("l", "enter") as at:
        assert at.place == "Review"
        assert book.title in at.text


def test_a_game_beyond_the_bounds_is_listed_and_not_looked_at(room: Room) -> None:
    class Old(SqliteStore):
        def history(
            self, wanted: Filter = EVERY_GAME, limit: int | None = None, offset: int = 0
        ) -> list[GameRow]:
            rows = super().history(wanted, limit, offset)
            return [replace(row, rules=None, beyond="it is too large") for row in rows]

    def opened() -> Store:
        return Old(room.path, clock=room.now, new_id=room.new_id)

    room.keep(agreed(), *map(Move, (7, 9, 2, 9)))
    with room.open("l", "enter", app=room.app(open_store=opened)) as at:
        assert at.place == "LookBack"
        assert "It is too large." in at.text
