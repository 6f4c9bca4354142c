"""What was played and learned, stored: one port, and SQLite behind it.

::

    values      matches with their logs, rows of lists, filters
    learned     answers and tries, and when a puzzle comes back
    port        what every store promises
    shapes      the JSON of a line of an export; command_shapes: of its log;
                version1: of the version before
    checks      what an import is held to
    keeper      a session kept while it is played, before anyone is told
    export      lines out of one store and into another
    played      a log replayed, and the columns that follow from it
    rows, learned_rows, lists, migrations, upgrade, database, sqlite   the file

``SqliteStore`` is in ``ninefold.store.sqlite``, apart: this does not load SQLite.

>>> from datetime import UTC, datetime
>>> from uuid import uuid4
>>> from ninefold import Ending, Rules
>>> from ninefold.session import Move, Setup
>>> from ninefold.store.sqlite import SqliteStore
>>> setup = Setup(rules=Rules(Ending.REACH, 100), book="multiplication-madness")
>>> with SqliteStore(
...     None, clock=lambda: datetime.now(UTC), new_id=lambda: str(uuid4())
... ) as store:
...     match_id = store.new_id()
...     store.append(Append(match_id, 1, (Move(5), Move(6)), setup))
...     store.append(Append(match_id, 3, (Move(2),)))
...     store.match(match_id).session.game.total
60
"""

from ninefold.players import HUMAN
from ninefold.store.export import export_lines, import_lines
from ninefold.store.keeper import Keeper
from ninefold.store.learned import (
    BOXES,
    ProductAnswer,
    PuzzleTry,
    Scheduled,
    leitner,
)
from ninefold.store.port import Entry, Imported, Store
from ninefold.store.values import (
    Append,
    Filter,
    GameRow,
    KeptMatch,
    Logged,
    MatchRow,
    OldMatch,
    Result,
)

__all__ = [
    "BOXES",
    "HUMAN",
    "Append",
    "Entry",
    "Filter",
    "GameRow",
    "Imported",
    "Keeper",
    "KeptMatch",
    "Logged",
    "MatchRow",
    "OldMatch",
    "ProductAnswer",
    "PuzzleTry",
    "Result",
    "Scheduled",
    "Store",
    "export_lines",
    "import_lines",
    "leitner",
]
