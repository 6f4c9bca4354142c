from __future__ import annotations

from shutil import rmtree

from msgspec.structs import replace

from ninefold.app.screens.look_back import GameList
from ninefold.app.widgets.form_fields import Choice
from ninefold.game import Seat
from ninefold.match import Length
from ninefold.session import Move, Resign, Retry, Session
from ninefold.store import EVERY_GAME, Filter, GameRow, Store
from ninefold.store.sqlite import SqliteStore
from tests.app.rooms import LARGE, SMALL, USUAL, Room, agreed
from tests.app.test_new_game import PRIMES
from tests.store.stores import first_append


def test_games_are_listed_latest_first_and_reviewed(room: Room) -> None:
    room.keep(agreed(), *map(Move, (7, 9, 2, 9)))
    room.keep(agreed("multiplier", level="careful"), Move(9), Resign(Seat.ONE))
    with room.open("l") as at:
        assert "Look back  2 games" in at.text
        rows = [row.strip() for row in at.text.splitlines() if "2024-05-01" in row]
        assert rows[0].startswith("▸ Multiplier  ")
        assert rows[0].endswith("2024-05-01 09:01")
        assert rows[1].startswith("Multiplier Showdown ")
        assert "● Ada  ■ Careful" in at.text
        assert "■ won, ● resigned" in at.text
        assert "■ won at 1,134" in at.text
        at.press("c")  # only what was left is continued
        assert at.place == "History"
        assert "continue" not in at.text
        at.press("down", "enter")
        assert at.place == "Review"
        assert at.said == (
            "Bo has reached the target number and wins the game!\n"
            "The game turned at move 1: at 1, Ada played ×7 and gave the win away."
        )
        at.press("escape")
        assert at.place == "History"


def test_an_unfinished_game_is_reviewed_and_continued_with_a_key(
    room: Room,
) -> None:
    room.keep(agreed(), Move(7))
    with room.open("l") as at:
        assert "… left at 7" in at.text
        assert "c continue" in at.text
        at.press("enter")
        assert at.place == "LeftReview"
        assert "1 × 7 = 7" in at.text
        assert "c continue" in at.text
        at.press("escape")
        assert at.place == "History"
        at.press("enter", "c")
        assert at.place == "Table"
        at.press("9", "escape")
        assert at.place == "History"
        assert "… left at 63" in at.text
        at.press("c")
        assert at.place == "Table"


def test_a_match_between_two_games_is_continued(room: Room) -> None:
    room.keep(agreed(length=Length.best_of(3)), *map(Move, (5, 9, 3, 9)))
    with room.open("l") as at:
        assert "■ won at 1,215 · 0 : 1" in at.text
        at.press("enter")
        assert at.place == "Review"
        assert "continue" not in at.text
        at.press("escape", "c")
        assert at.place == "GameOver"


def test_the_score_of_a_match_is_told_with_each_of_its_games(room: Room) -> None:
    best_of, first = agreed(length=Length.best_of(3)), tuple(map(Move, (5, 9, 3, 9)))
    next_game = Session.replay(best_of, first).next_game()
    room.keep(best_of, *first, next_game, *first)
    room.keep(agreed(), *first)
    with room.open("l") as at:
        assert "■ won at 1,215 · 0 : 1" in at.text
        assert "● won at 1,215 · 1 : 1" in at.text
        rows = [row.rstrip() for row in at.text.splitlines()]
        assert any(row.endswith("■ won at 1,215") for row in rows)


def test_a_target_that_is_not_the_rule_books_is_shown(room: Room) -> None:
    setup = agreed()
    rules = replace(setup.rules, target=500)
    room.keep(replace(setup, rules=rules), *map(Move, (7, 9, 9)))
    with room.open("l") as at:
        assert "Multiplier Showdown to 500 " in at.text


def test_a_game_is_told_whole_at_every_size(room: Room) -> None:
    names = ("Ada King, of Lovelace", "Blaise Pascal")
    setup = replace(agreed("multiplication-showdown"), names=names)
    room.keep(replace(setup, rules=replace(setup.rules, target=5000)), Move(7))
    with room.open("l") as at:
        for size in (SMALL, USUAL, LARGE):
            at.resize(size)
            assert "▸ " in at.text
            for told in ("Multiplication Showdown to 5,000", "2024-05-01 09:00"):
                assert told in at.text
            assert "● Ada King" in at.text
            assert "… left at 7" in at.text


def test_resizing_keeps_the_same_games_listed(room: Room) -> None:
    for _ in range(3):
        room.keep(agreed(), *map(Move, (7, 9, 2, 9)))
    with room.open("l", "down") as at:
        before = at.text
        at.resize(LARGE)
        assert "▸ 2024-05-01 09:01" in at.text
        at.resize(USUAL)
        assert at.text == before


def test_an_empty_history_says_how_to_start_a_game(room: Room) -> None:
    with room.open("l", "enter", "c", "down") as at:
        assert at.place == "History"
        assert "You have not played a game yet. Press Escape, then f" in at.text


def test_a_retry_is_marked_in_the_list(room: Room) -> None:
    setup = agreed()
    room.keep(setup, *map(Move, (7, 9, 2, 9)), Retry(()), *map(Move, (5, 2, 9, 2, 9)))
    with room.open("l") as at:
        assert "● won at 1,620, another try" in at.text


def test_the_games_of_one_rule_book_can_be_shown(room: Room) -> None:
    room.keep(agreed(), *map(Move, (7, 9, 2, 9)))
    with room.open("l", "g") as at:
        assert "Look back  0 games" in at.text
        assert "There is no saved game of Multiplication Madness." in at.text
        assert at.one(Choice).value == "multiplication-madness"
        at.press("enter")
        assert at.place == "History"
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
        at.press("end")
        assert at.one(GameList).option_count == 60


def keep_many(store: Store, games: int) -> None:
    setup = agreed()
    played = tuple(map(Move, (7, 9, 2, 9)))
    store.append(*(first_append(store.new_id(), played, setup) for _ in range(games)))


def test_a_game_of_a_players_own_rule_book_is_reviewed(room: Room) -> None:
    text = PRIMES.read_text(encoding="utf-8")
    setup = replace(agreed(), book="primes", book_text=text)
    book = setup.rulebook()
    setup = replace(setup, rules=book.rules)
    room.keep(setup, Move(book.rules.multipliers[0]), Resign(Seat.TWO))
    with room.open("l", "enter") as at:
        assert at.place == "Review"
        assert book.title in at.text


def test_a_match_that_was_deleted_meanwhile_shows_an_error_and_is_not_continued(
    room: Room,
) -> None:
    room.keep(agreed(), Move(5))
    with room.open("l") as at:
        rmtree(room.path)
        at.press("c")
        assert at.place == "History"
        assert "No match" in at.text


def test_a_game_of_a_rule_book_that_is_not_stored_is_listed_by_its_key(
    room: Room,
) -> None:
    class Old(SqliteStore):
        def history(
            self, wanted: Filter = EVERY_GAME, limit: int | None = None, offset: int = 0
        ) -> list[GameRow]:
            rows = super().history(wanted, limit, offset)
            other = [replace(row.setup, book="house-rules") for row in rows]
            return [
                replace(row, setup=setup)
                for row, setup in zip(rows, other, strict=True)
            ]

    def opened() -> Store:
        return Old(room.path, clock=room.now, new_id=room.new_id)

    room.keep(agreed(), *map(Move, (7, 9, 2, 9)))
    with room.open("l", "enter", app=room.app(open_store=opened)) as at:
        assert at.place == "History"
        assert "house-rules" in at.text


def test_a_list_that_scrolls_keeps_its_rows(room: Room) -> None:
    with room.open_store() as store:
        keep_many(store, 40)
    with room.open("l") as at:
        for size in (SMALL, USUAL, LARGE):
            at.resize(size)
            before = at.text
            at.press("enter", "escape")
            assert at.text == before
            at.press(*["g"] * 6)
            assert at.text == before


def test_the_mark_stays_with_its_game_when_another_try_is_listed(room: Room) -> None:
    room.keep(agreed(level="perfect"), *map(Move, (7, 9, 2, 9)))
    room.keep(agreed("multiplier"), Move(5))
    with room.open("l", "down", "enter", "t") as at:
        assert at.place == "Table"
        at.press("escape")
        assert at.place == "History"
        assert at.one(GameList).highlighted == 2


def test_enter_is_offered_only_if_there_is_a_game_to_review(room: Room) -> None:
    with room.open("l") as at:
        assert "Enter look" not in at.text
    room.keep(agreed(), *map(Move, (7, 9, 2, 9)))
    with room.open("l") as at:
        assert "Enter look" in at.text
