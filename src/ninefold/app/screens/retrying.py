"""Another try of a game that is kept."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from ninefold.app.screens.table import TableScreen
from ninefold.app.services import Services
from ninefold.app.sitting import Sitting
from ninefold.session import Command, Session
from ninefold.store import GameRow


def retried(
    services: Services, row: GameRow, retry: Command, notice: Callable[[str], None]
) -> TableScreen | None:
    """Return a table at which a game is tried again; None where it cannot be read.

    The try is a match of its own, by the same set-up, and begun as the game was.
    """
    kept = services.read(lambda store: store.match(row.match_id), notice)
    if kept is None:
        return None
    session = Session.start(replace(kept.setup, first=row.first))
    sitting = Sitting(session, services.keeper(notice))
    sitting.do(retry)
    return TableScreen(services, sitting)
