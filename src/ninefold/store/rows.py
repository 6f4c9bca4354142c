"""Rows of the SQLite file, to and from the values they stand for.

Reading goes through the same checks as an import: what the rules refuse is damage.
"""

from __future__ import annotations

from itertools import starmap

from ninefold.errors import DamagedMatch, RecordError, UnknownMatch
from ninefold.numerals import write as write_number
from ninefold.record.as_json import load_json
from ninefold.store.as_json import (
    answer_from_json,
    match_from_json,
    moves_to_json,
    scheduled_from_json,
    setup_to_json,
    try_from_json,
    write,
    write_time,
    write_time_if_any,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3

    from ninefold.store.kept import KeptGame, KeptMatch
    from ninefold.store.learned import Answer, Scheduled, Try

    Row = tuple[object, ...]


def load_match(connection: sqlite3.Connection, match_id: str) -> KeptMatch:
    """Load a match and let the engine check it."""
    row = connection.execute(
        """
        SELECT id, rules, setup, begun_at, changed_at, set_aside_at
        FROM matches WHERE id = ?
        """,
        (match_id,),
    ).fetchone()
    if row is None:
        raise UnknownMatch(match_id)
    games = connection.execute(
        """
        SELECT number, first, moves, resigned, begun_at, ended_at
        FROM games WHERE match_id = ? ORDER BY number
        """,
        (match_id,),
    ).fetchall()
    try:
        return _match_from_rows(row, games)
    except RecordError as error:
        raise DamagedMatch(match_id, str(error)) from None


def _match_from_rows(row: Row, games: list[Row]) -> KeptMatch:
    names = ("id", "rules", "setup", "begun_at", "changed_at", "set_aside_at")
    match = dict(zip(names, row, strict=True))
    settled = _load_text("setup", match.pop("setup"))
    if not isinstance(settled, dict):
        place, problem = "setup", "expected an object, in braces"
        raise RecordError(place, problem)
    match["rules"] = _load_text("rules", match["rules"])
    match["games"] = list(starmap(_game_from_row, enumerate(games, start=1)))
    return match_from_json(settled | match)


def _game_from_row(expected: int, row: Row) -> dict[str, object]:
    number, *rest = row
    if number != expected:
        place, problem = f"game {expected}", "this game of the match is missing"
        raise RecordError(place, problem)
    names = ("first", "moves", "resigned", "begun_at", "ended_at")
    game = dict(zip(names, rest, strict=True))
    return game | {"moves": _load_text(f"moves of game {number}", game["moves"])}


def _load_text(place: str, text: object) -> object:
    if not isinstance(text, str):
        problem = "expected text"
        raise RecordError(place, problem)
    return load_json(text)


def insert_match(connection: sqlite3.Connection, kept: KeptMatch) -> None:
    """Write what was agreed; ``update_match`` writes what changes later."""
    settled = setup_to_json(kept.setup)
    rules = settled.pop("rules")
    connection.execute(
        """
        INSERT INTO matches (id, rules, setup, begun_at, changed_at)
        VALUES (?, ?, ?, ?, ?)
        """,
        (
            kept.id,
            write(rules),
            write(settled),
            write_time(kept.begun_at),
            write_time(kept.changed_at),
        ),
    )


def update_match(connection: sqlite3.Connection, kept: KeptMatch) -> None:
    """Write what changes of a match while it is played, apart from its games."""
    connection.execute(
        """
        UPDATE matches SET changed_at = ?, ended_at = ?, set_aside_at = ?
        WHERE id = ?
        """,
        (
            write_time(kept.changed_at),
            write_time_if_any(kept.ended_at),
            write_time_if_any(kept.set_aside_at),
            kept.id,
        ),
    )


def insert_game(
    connection: sqlite3.Connection, match_id: str, number: int, kept: KeptGame
) -> None:
    """Write a game that is not here yet."""
    game = kept.game
    connection.execute(
        """
        INSERT INTO games (match_id, number, first, moves, resigned, begun_at, ended_at)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """,
        (
            match_id,
            number,
            game.first.value,
            write(moves_to_json(game.moves)),
            game.resigned and game.resigned.value,
            write_time(kept.begun_at),
            write_time_if_any(kept.ended_at),
        ),
    )


def insert_answer(connection: sqlite3.Connection, given: Answer) -> int:
    """Insert an answer; return how many that were, 0 where it is here already."""
    numbers = map(write_number, (given.a, given.b, given.answer))
    return connection.execute(
        """
        INSERT INTO answers (id, at, a, b, answer) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (id) DO NOTHING
        """,
        (given.id, write_time(given.at), *numbers),
    ).rowcount


def insert_try(connection: sqlite3.Connection, made: Try) -> int:
    """Insert a try; return how many that were, 0 where it is here already."""
    return connection.execute(
        """
        INSERT INTO attempts (id, at, puzzle, multiplier, solved) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (id) DO NOTHING
        """,
        (
            made.id,
            write_time(made.at),
            made.puzzle,
            write_number(made.multiplier),
            made.right,
        ),
    ).rowcount


def answer_from_row(row: Row) -> Answer:
    """Read an answer."""
    names = ("id", "at", "a", "b", "answer")
    return answer_from_json(dict(zip(names, row, strict=True)))


def try_from_row(row: Row) -> Try:
    """Read a try at a puzzle."""
    *rest, solved = row
    names = ("id", "at", "puzzle", "multiplier")
    table = dict(zip(names, rest, strict=True))
    return try_from_json(table | {"right": bool(solved)})


def scheduled_from_row(row: Row) -> Scheduled:
    """Read a puzzle that will come back."""
    names = ("puzzle", "box", "due_at")
    return scheduled_from_json(dict(zip(names, row, strict=True)))
