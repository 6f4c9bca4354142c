"""What was played and learned, kept: one port, and SQLite behind it.

``SqliteStore`` is in ``ninefold.store.sqlite``, apart, so that whoever only speaks of
what is kept does not load SQLite.

>>> from datetime import UTC, datetime
>>> from uuid import uuid4
>>> from ninefold import Ending, Length, Match, Rules, Seat
>>> from ninefold.store.sqlite import SqliteStore
>>> names = {Seat.ONE: "Ada", Seat.TWO: "Perfect"}
>>> players = {Seat.ONE: HUMAN, Seat.TWO: "perfect"}
>>> match = Match(Rules(Ending.REACH, 100), Length.best_of(1))
>>> with SqliteStore(
...     None, clock=lambda: datetime.now(UTC), new_id=lambda: str(uuid4())
... ) as store:
...     match_id = store.begin_match(Setup(match, names, players))
...     game = match.next_game()
...     store.begin_game(match_id, 1, game)
...     store.change_game(match_id, 1, game, game.play(5))
...     store.latest().game == game.play(5)
True
"""

from ninefold.game import HUMAN
from ninefold.store.export import export_lines, import_lines
from ninefold.store.kept import (
    Filter,
    KeptGame,
    KeptMatch,
    PlayedGame,
    Result,
    Setup,
)
from ninefold.store.learned import (
    BOXES,
    Answer,
    Scheduled,
    Try,
    leitner,
)
from ninefold.store.port import Imported, Store

__all__ = [
    "BOXES",
    "HUMAN",
    "Answer",
    "Filter",
    "Imported",
    "KeptGame",
    "KeptMatch",
    "PlayedGame",
    "Result",
    "Scheduled",
    "Setup",
    "Store",
    "Try",
    "export_lines",
    "import_lines",
    "leitner",
]
