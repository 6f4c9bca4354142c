"""Keeping a session while it is played: on disk before it is on the screen.

A session that cannot be kept goes on all the same. A notice says so once, and the log
is caught up as soon as the store can be written again.
"""

from __future__ import annotations

from collections.abc import Callable

from ninefold.errors import StoreError, StoreUnavailable
from ninefold.learning import Product
from ninefold.session import Session
from ninefold.store.port import Append, Store


class Keeper:
    """Keeps the log of one session. The store is opened with the first command."""

    def __init__(  # noqa: PLR0913 - where to keep, how to tell, and what
        self,
        open_store: Callable[[], Store],
        notice: Callable[[str], None],
        *,
        surface: str,
        saves: bool = True,
        match_id: str | None = None,
        revision: int = 0,
    ) -> None:
        """Take how the store is opened and how notices are shown.

        For a match that is kept already, take its id and its revision.
        """
        self._open_store = open_store
        self._notice = notice
        self._surface = surface
        self._saves = saves
        self._match_id = match_id
        self._kept = revision
        self._behind = False
        self._store: Store | None = None
        self._patience = 0.0

    @property
    def has_kept(self) -> bool:
        """Whether all of the session is kept, so that it can be resumed."""
        return self._saves and self._match_id is not None and not self._behind

    def keep(self, session: Session) -> None:
        """Keep every command of the log that is not kept yet."""

        def append(store: Store) -> None:
            match_id = self._match_id or store.new_id()
            commands = session.log[self._kept :]
            setup = None if self._kept else session.setup
            store.append(Append(match_id, self._kept + 1, commands, setup))
            self._match_id, self._kept = match_id, session.revision

        self._try(append)

    def keep_answer(
        self, product: Product, learner: str, seconds: float, *, hinted: bool = False
    ) -> None:
        """Keep the answer to a product, and whether a hint was used."""
        self._try(
            lambda store: store.add_answer(
                product.total,
                product.multiplier,
                product.answer,
                learner=learner,
                seconds=seconds,
                hinted=hinted,
                surface=self._surface,
            )
        )

    def close(self) -> None:
        """Let go of the store."""
        if self._store is not None:
            self._store.close()

    def _try(self, keep: Callable[[Store], object]) -> None:
        if not self._saves:
            return
        try:
            store = self._opened()
            keep(store)
        except StoreUnavailable as error:
            self._fall_behind(error)
        except StoreError as error:
            self._saves = False
            self._say_unkept(error)
        else:
            self._catch_up(store)
        if self._store is not None:
            for notice in self._store.take_notices():
                self._notice(notice)

    def _opened(self) -> Store:
        if self._store is None:
            self._store = self._open_store()
            self._patience = self._store.patience
        return self._store

    def _fall_behind(self, error: StoreUnavailable) -> None:
        """Go on unsaved; the next commands do not wait for the store any more."""
        if self._store is not None:
            self._store.patience = 0.0
        if not self._behind:
            self._behind = True
            self._say_unkept(error)

    def _catch_up(self, store: Store) -> None:
        if self._behind:
            self._behind = False
            store.patience = self._patience
            self._notice("The game is being kept again.")

    def _say_unkept(self, error: StoreError) -> None:
        self._notice(f"This game goes on without being kept: {error}.")
