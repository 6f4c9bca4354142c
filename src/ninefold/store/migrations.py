"""How the file came to be what it is, step by step: never change a step, add one.

A file's ``user_version`` says how many steps it has taken. All that are missing are
taken in one transaction when it is opened.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable

    Migration = Callable[[sqlite3.Connection], None]


def _begin(connection: sqlite3.Connection) -> None:
    """Make the first tables. Times are text that sorts, in UTC; numbers are text.

    ``rules``, whatever else was agreed (``setup``) and ``moves`` are JSON, as in an
    export. ``ended_at`` of a match and ``schedule`` follow from the rest, and are
    there to be searched.
    """
    for statement in (
        """
        CREATE TABLE matches (
            id TEXT NOT NULL PRIMARY KEY,
            rules TEXT NOT NULL,
            setup TEXT NOT NULL,
            begun_at TEXT NOT NULL,
            changed_at TEXT NOT NULL,
            ended_at TEXT,
            set_aside_at TEXT
        )
        """,
        """
        CREATE INDEX unfinished_matches ON matches (changed_at)
        WHERE ended_at IS NULL AND set_aside_at IS NULL
        """,
        """
        CREATE TABLE games (
            match_id TEXT NOT NULL REFERENCES matches (id),
            number INTEGER NOT NULL,
            first INTEGER NOT NULL,
            moves TEXT NOT NULL,
            resigned INTEGER,
            begun_at TEXT NOT NULL,
            ended_at TEXT,
            PRIMARY KEY (match_id, number)
        )
        """,
        "CREATE INDEX games_by_time ON games (begun_at)",
        """
        CREATE TABLE answers (
            id TEXT NOT NULL PRIMARY KEY,
            at TEXT NOT NULL,
            a TEXT NOT NULL,
            b TEXT NOT NULL,
            answer TEXT NOT NULL
        )
        """,
        """
        CREATE TABLE attempts (
            id TEXT NOT NULL PRIMARY KEY,
            at TEXT NOT NULL,
            puzzle TEXT NOT NULL,
            multiplier TEXT NOT NULL,
            solved INTEGER NOT NULL
        )
        """,
        "CREATE INDEX attempts_by_puzzle ON attempts (puzzle, at)",
        """
        CREATE TABLE schedule (
            puzzle TEXT NOT NULL PRIMARY KEY,
            box INTEGER NOT NULL,
            due_at TEXT NOT NULL
        )
        """,
        "CREATE INDEX schedule_by_time ON schedule (due_at)",
    ):
        connection.execute(statement)


MIGRATIONS: tuple[Migration, ...] = (_begin,)
