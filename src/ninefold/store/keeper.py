"""Keeping a session while it is played: on disk before it is on the screen.

A session that cannot be kept goes on all the same. A notice says so once, and the log
and the answers are caught up as soon as the store can be written again.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from ninefold.errors import StoreError, StoreUnavailable
from ninefold.learning import Product
from ninefold.session import Session
from ninefold.store.port import Append, Store


class _Answer(Struct, frozen=True):
    """An answer to a product that is not kept yet."""

    product: Product
    learner: str
    seconds: float
    hinted: bool


class Keeper:
    """Keeps the log of one session. The store is opened with the first command."""

    def __init__(
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
        self._session: Session | None = None
        self._answers: list[_Answer] = []
        self._behind = False
        self._store: Store | None = None
        self._patience = 0.0

    @property
    def has_kept(self) -> bool:
        """Whether all of the session is kept, so that it can be resumed."""
        return self._saves and self._match_id is not None and not self._behind

    def keep(self, session: Session) -> None:
        """Keep every command of the log that is not kept yet."""
        self._session = session
        self._try()

    def keep_answer(
        self, product: Product, learner: str, seconds: float, *, hinted: bool = False
    ) -> None:
        """Keep the answer to a product, and whether a hint was used."""
        self._answers.append(_Answer(product, learner, seconds, hinted))
        self._try()

    def close(self) -> None:
        """Try once more to keep what is not kept yet, and let go of the store."""
        if self._behind:
            self._try()
        if self._store is not None:
            self._store.close()

    def _try(self) -> None:
        if not self._saves:
            return
        try:
            self._write(self._opened())
        except StoreUnavailable as error:
            self._fall_behind(error)
        except StoreError as error:
            self._saves = False
            self._say_unkept(error)
        if self._store is not None:
            for notice in self._store.take_notices():
                self._notice(notice)

    def _opened(self) -> Store:
        if self._store is None:
            self._store = self._open_store()
            self._patience = self._store.patience
        return self._store

    def _write(self, store: Store) -> None:
        """Write everything that is not kept yet, the log first."""
        session = self._session
        if session is not None and session.revision > self._kept:
            match_id = self._match_id or store.new_id()
            setup = None if self._kept else session.setup
            commands = session.log[self._kept :]
            store.append(Append(match_id, self._kept + 1, commands, setup))
            self._match_id, self._kept = match_id, session.revision
        while self._answers:
            answer = self._answers[0]
            store.add_answer(
                answer.product.total,
                answer.product.multiplier,
                answer.product.answer,
                learner=answer.learner,
                seconds=answer.seconds,
                hinted=answer.hinted,
                surface=self._surface,
            )
            del self._answers[0]
        if self._behind:
            self._behind = False
            store.patience = self._patience
            self._notice("The game is being kept again.")

    def _fall_behind(self, error: StoreUnavailable) -> None:
        """Go on unsaved; the next commands do not wait for the store any more."""
        if self._store is not None:
            self._store.patience = 0.0
        if not self._behind:
            self._behind = True
            self._say_unkept(error)

    def _say_unkept(self, error: StoreError) -> None:
        self._notice(f"This game goes on without being kept: {error}.")
