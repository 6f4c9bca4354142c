"""How the file came to be what it is, step by step: never change a step, add one.

A file's ``user_version`` says how many steps it has taken. All that are missing are
taken in one transaction when it is opened. A step is SQL alone; values of an earlier
version are converted after the last one, by the code of today (``upgrade.settle``).
"""

from __future__ import annotations

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


def _log(connection: sqlite3.Connection) -> None:
    """Make a match its set-up and its log; every other column follows from these.

    ``matches_1`` and ``games_1`` hold the rows of version 1 until they are converted,
    and those for good that are damaged. A match beyond the bounds has a ``line``, as
    exports of version 1 hold it, in place of a set-up and a log. An answer and a try
    without a learner belong to the first one named.
    """
    for statement in (
        "DROP INDEX unfinished_matches",
        "DROP INDEX games_by_time",
        "ALTER TABLE matches RENAME TO matches_1",
        "ALTER TABLE games RENAME TO games_1",
        "ALTER TABLE matches_1 ADD COLUMN problem TEXT",
        """
        CREATE TABLE matches (
            key INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            setup TEXT,
            line TEXT,
            beyond TEXT,
            revision INTEGER NOT NULL,
            begun_at TEXT NOT NULL,
            changed_at TEXT NOT NULL,
            ended_at TEXT,
            set_aside_at TEXT,
            book TEXT NOT NULL,
            book_text TEXT,
            rules TEXT NOT NULL,
            name1 TEXT NOT NULL,
            name2 TEXT NOT NULL,
            level1 TEXT,
            level2 TEXT,
            length TEXT NOT NULL,
            is_single INTEGER NOT NULL,
            score1 INTEGER NOT NULL,
            score2 INTEGER NOT NULL,
            total TEXT,
            to_move INTEGER
        )
        """,
        "CREATE INDEX matches_by_time ON matches (begun_at)",
        """
        CREATE INDEX unfinished_matches ON matches (changed_at)
        WHERE ended_at IS NULL AND set_aside_at IS NULL
        """,
        """
        CREATE TABLE log (
            match INTEGER NOT NULL REFERENCES matches (key),
            number INTEGER NOT NULL,
            command TEXT NOT NULL,
            at TEXT NOT NULL,
            PRIMARY KEY (match, number)
        ) WITHOUT ROWID
        """,
        """
        CREATE TABLE games (
            key INTEGER PRIMARY KEY,
            match INTEGER NOT NULL REFERENCES matches (key),
            match_number INTEGER NOT NULL,
            number INTEGER NOT NULL,
            first INTEGER NOT NULL,
            moves TEXT NOT NULL,
            resigned INTEGER,
            total TEXT NOT NULL,
            winner INTEGER,
            reason TEXT,
            is_retry INTEGER NOT NULL,
            score1 INTEGER NOT NULL,
            score2 INTEGER NOT NULL,
            begun_at TEXT NOT NULL,
            ended_at TEXT,
            UNIQUE (match, match_number, number)
        )
        """,
        "CREATE INDEX games_by_time ON games (begun_at)",
        """
        CREATE VIEW history AS SELECT
            id AS match_id, match_number, number, book, name1, name2, level1, level2,
            rules, first, moves, resigned, games.total AS total, winner, reason,
            is_retry, games.score1 AS score1, games.score2 AS score2,
            games.ended_at AS ended_at, book_text,
            ifnull(level1, 'human') AS who1, ifnull(level2, 'human') AS who2,
            CASE winner WHEN 1 THEN 'won' WHEN 2 THEN 'lost' ELSE 'unfinished' END
                AS result1,
            CASE winner WHEN 2 THEN 'won' WHEN 1 THEN 'lost' ELSE 'unfinished' END
                AS result2,
            level1 IS NOT NULL AND level2 IS NOT NULL AS only_levels,
            games.begun_at AS begun_at, games.key AS key
        FROM games JOIN matches ON matches.key = match
        """,
        "ALTER TABLE answers ADD COLUMN learner TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE answers ADD COLUMN seconds REAL",
        "ALTER TABLE answers ADD COLUMN hinted INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE answers ADD COLUMN surface TEXT NOT NULL DEFAULT ''",
        "CREATE INDEX answers_by_time ON answers (at)",
        "ALTER TABLE attempts ADD COLUMN learner TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE attempts ADD COLUMN seconds REAL",
        "ALTER TABLE attempts ADD COLUMN hinted INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE attempts ADD COLUMN surface TEXT NOT NULL DEFAULT ''",
        "DROP INDEX attempts_by_puzzle",
        "CREATE INDEX attempts_by_puzzle ON attempts (learner, puzzle, at)",
        "CREATE INDEX attempts_by_time ON attempts (at)",
        "DROP INDEX schedule_by_time",
        "ALTER TABLE schedule RENAME TO schedule_1",
        """
        CREATE TABLE schedule (
            learner TEXT NOT NULL,
            puzzle TEXT NOT NULL,
            box INTEGER NOT NULL,
            due_at TEXT NOT NULL,
            PRIMARY KEY (learner, puzzle)
        )
        """,
        "CREATE INDEX schedule_by_time ON schedule (due_at)",
        "INSERT INTO schedule SELECT '', puzzle, box, due_at FROM schedule_1",
        "DROP TABLE schedule_1",
    ):
        connection.execute(statement)


def _requests(connection: sqlite3.Connection) -> None:
    """Note with each command the request it came by, for a server to know again."""
    connection.execute("ALTER TABLE log ADD COLUMN request TEXT NOT NULL DEFAULT ''")


MIGRATIONS: tuple[Migration, ...] = (_begin, _log, _requests)
