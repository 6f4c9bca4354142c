"""The table of a match that is kept."""

from __future__ import annotations

from collections.abc import Callable

from ninefold.app.environment import Environment
from ninefold.app.screens.table import TableScreen
from ninefold.app.sitting import Sitting
from ninefold.store import Store, StoredMatch


def table_of(
    environment: Environment, match_id: str, notice: Callable[[str], None]
) -> TableScreen | None:
    """Return a table at which the match goes on; where it cannot, say so: None."""
    kept = environment.read(lambda store: _resumable(store, match_id), notice)
    if kept is None:
        return None
    return TableScreen(
        environment, Sitting(kept.session, environment.keeper(notice, kept))
    )


def _resumable(store: Store, match_id: str) -> StoredMatch:
    """Load a match; what the rules refuse raises here, not later."""
    kept = store.match(match_id)
    _ = kept.session
    return kept
