"""Another try of a game that is kept."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from ninefold.app.environment import Environment
from ninefold.app.screens.table import TableScreen
from ninefold.app.sitting import Sitting
from ninefold.session import Command, Session
from ninefold.store import GameRow


def retried(
    environment: Environment,
    row: GameRow,
    retry: Command,
    notice: Callable[[str], None],
) -> TableScreen | None:
    """Return a table at which a game is tried again; None where it cannot be read.

    The try is a match of its own, by the same set-up, and begun as the game was.
    """
    kept = environment.read(lambda store: store.match(row.match_id), notice)
    if kept is None:
        return None
    session = Session.start(replace(kept.setup, first=row.first))
    sitting = Sitting(session, environment.keeper(notice))
    sitting.do(retry)
    return TableScreen(environment, sitting)
