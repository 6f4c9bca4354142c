"""Keeping a game while it is played: every move on disk before it is on the screen.

A game that cannot be kept is played all the same; the players are told once.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ninefold.cli.agreement import Agreement
    from ninefold.cli.console import Console
    from ninefold.game import Game
    from ninefold.store import Setup, Store


def home() -> str:
    """Return the folder that everything is kept in."""
    chosen = os.environ.get("NINEFOLD_HOME")
    if chosen:
        return chosen
    from platformdirs import user_data_dir

    return user_data_dir("ninefold", appauthor=False)


def open_store() -> Store:
    """Return the store of whoever is at the keyboard; it is opened when it is used."""
    from datetime import UTC, datetime
    from uuid import uuid4

    from ninefold.store.sqlite import SqliteStore

    return SqliteStore(
        home(), clock=lambda: datetime.now(UTC), new_id=lambda: str(uuid4())
    )


class Keeper:
    """Keeps one match. The store is opened with the first change, not before."""

    def __init__(
        self,
        console: Console,
        agreement: Agreement,
        *,
        saves: bool = True,
        match_id: str | None = None,
    ) -> None:
        """Take what was agreed, and the id of a match that is kept already."""
        self._console = console
        self._agreement = agreement
        self._saves = saves
        self._match_id = match_id
        self._store: Store | None = None
        self._begun = 0

    @property
    def has_kept(self) -> bool:
        """Whether the match is kept, so that it can be resumed."""
        return self._saves and self._match_id is not None

    def take_up(self, number: int) -> None:
        """Go on with a game of a kept match."""
        self._begun = number

    def change(self, number: int, before: Game, after: Game) -> None:
        """Keep a move, an undo or a resignation."""
        if self._saves:
            self._try(lambda store: self._change(store, number, before, after))

    def answer(self, a: int, b: int, answer: int) -> None:
        """Keep the answer to a product."""
        if self._saves:
            self._try(lambda store: store.add_answer(a, b, answer))

    def close(self) -> None:
        """Let go of the store."""
        if self._store is not None:
            self._store.close()

    def _change(self, store: Store, number: int, before: Game, after: Game) -> None:
        if self._match_id is None:
            self._match_id = store.begin_match(setup_of(self._agreement))
        if self._begun < number:
            store.begin_game(self._match_id, number, before)
            self._begun = number
        store.change_game(self._match_id, number, before, after)

    def _try(self, keep: Callable[[Store], object]) -> None:
        from ninefold.errors import StoreError

        if self._store is None:
            self._store = open_store()
        try:
            keep(self._store)
        except StoreError as error:
            self._saves = False
            self._console.notice(f"This game goes on without being kept: {error}.")
        for notice in self._store.take_notices():
            self._console.notice(notice)


def setup_of(agreement: Agreement) -> Setup:
    """Return what was agreed as it is kept."""
    from ninefold.store import Setup

    lessons = agreement.lessons
    return Setup(
        agreement.match,
        agreement.names,
        agreement.players,
        agreement.book.key,
        agreement.book_text,
        agreement.seed,
        {
            "coach": lessons.coach,
            "give_backs": lessons.give_backs,
            "mental": lessons.mental,
            "first_tossed": agreement.first_tossed,
        },
    )


def agreement_of(setup: Setup) -> Agreement:
    """Return what was agreed from what was kept."""
    from ninefold.cli.agreement import GIVE_BACKS, Agreement, Lessons
    from ninefold.cli.books import kept_book

    options = setup.options
    give_backs = options.get("give_backs")
    return Agreement(
        book=kept_book(setup.book, setup.book_text),
        book_text=setup.book_text,
        match=setup.match,
        names=setup.names,
        players=setup.players,
        seed=setup.seed or 0,
        first_tossed=options.get("first_tossed") is True,
        lessons=Lessons(
            coach=options.get("coach") is True,
            give_backs=give_backs if isinstance(give_backs, int) else GIVE_BACKS,
            mental=options.get("mental") is True,
        ),
        called=setup.book,
    )
