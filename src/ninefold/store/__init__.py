"""Storage for matches and learning.

::

    values       matches with their logs, rows of lists, learners, answers: what is
                 stored, and what an export holds
    schema       the tables, and the protocol of a database that has them
    base         what every part of a store has: its database, its clock, its notices
    store        ``Store``: everything that can be stored and asked for
    learners     the part of it about learners and their answers
    log          matches and their logs: read, and appended to
    importing    matches of an export, added or merged
    history      games in the tables: filters and pages
    sqlite       the database in one file, and the care of that file
    postgres     the database of a server, and its notices
    files        folders and files that belong to their owner alone
    transfer     export and import
    local_table  a match that is played here, and saved as it is played

``SqliteStore`` is in ``ninefold.store.sqlite``, apart: this does not load SQLite.

>>> from datetime import UTC, datetime
>>> from uuid import uuid4
>>> from ninefold import Ending, Rules
>>> from ninefold.session import Move, Session, Setup
>>> from ninefold.store.sqlite import SqliteStore
>>> setup = Setup(rules=Rules(Ending.REACH, 100), book="multiplication-madness")
>>> with SqliteStore(
...     None, clock=lambda: datetime.now(UTC), new_id=lambda: str(uuid4())
... ) as store:
...     match_id, start = store.new_id(), Session.start(setup)
...     store.append(Append(match_id, tuple(accept_all(start, [Move(5)])), start))
...     session = store.match(match_id).session
...     store.append(Append(match_id, tuple(accept_all(session, [Move(6), Move(2)]))))
...     store.match(match_id).session.game.total
60
"""

from ninefold.levels import HUMAN
from ninefold.store.import_export import export_lines, import_lines
from ninefold.store.learners import DEFAULT_LEARNER
from ninefold.store.local_table import LocalTable, LogWriter
from ninefold.store.match_store import EVERY_GAME, MOST_FOUND, Store
from ninefold.store.values import (
    Accepted,
    Append,
    Entry,
    Filter,
    GameRow,
    Imported,
    Learner,
    Logged,
    MatchRow,
    Origin,
    Result,
    StoredAnswer,
    StoredMatch,
    accept_all,
)

__all__ = [
    "DEFAULT_LEARNER",
    "EVERY_GAME",
    "HUMAN",
    "MOST_FOUND",
    "Accepted",
    "Append",
    "Entry",
    "Filter",
    "GameRow",
    "Imported",
    "Learner",
    "LocalTable",
    "LogWriter",
    "Logged",
    "MatchRow",
    "Origin",
    "Result",
    "Store",
    "StoredAnswer",
    "StoredMatch",
    "accept_all",
    "export_lines",
    "import_lines",
]
