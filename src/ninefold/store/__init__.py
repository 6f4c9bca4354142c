"""Storage for matches and learning.

::

    values         stored matches with their logs, rows of lists, learners, answers
    schema         the tables, and the protocol of a database that holds them
    store_base     the common base of the store's parts: database, clock, notices
    match_store    ``Store``: everything that can be stored and queried
    learners       its part for learners and their answers
    classes        its part for classes and their logs
    match_log      matches and their logs: reading and appending
    match_import   matches of an export, added or merged
    import_export  the format of exports
    history        games in the tables: filters and pages
    sqlite         the database in one file, and the care of that file
    postgres       the database of a server, and its notifications
    files          folders and files that only their owner can read
    local_table    a match played on this machine, saved as it is played

``SqliteStore`` has to be imported from ``ninefold.store.sqlite``: importing this
package does not load SQLite.

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
    ClassAppend,
    ClassCommand,
    Entry,
    Filter,
    GameRow,
    Imported,
    Learner,
    LoggedCommand,
    MatchRow,
    Origin,
    Result,
    StoredAnswer,
    StoredClass,
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
    "ClassAppend",
    "ClassCommand",
    "Entry",
    "Filter",
    "GameRow",
    "Imported",
    "Learner",
    "LocalTable",
    "LogWriter",
    "LoggedCommand",
    "MatchRow",
    "Origin",
    "Result",
    "Store",
    "StoredAnswer",
    "StoredClass",
    "StoredMatch",
    "accept_all",
    "export_lines",
    "import_lines",
]
