"""Keeping a game while it is played: every move on disk before it is on the screen.

A game that cannot be kept is played all the same; the players are told once.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ninefold.cli.agreement import Agreement
    from ninefold.cli.console import Console
    from ninefold.game import Game
    from ninefold.store import Setup, Store


class Keeper:
    """Keeps one match. The store is opened with the first change, not before."""

    def __init__(
        self,
        console: Console,
        agreement: Agreement,
        *,
        saves: bool = True,
        match_id: str | None = None,
        begun: int = 0,
    ) -> None:
        """Take what was agreed; for a kept match, its id and how many games it has."""
        self._console = console
        self._agreement = agreement
        self._saves = saves
        self._match_id = match_id
        self._begun = begun
        self._store: Store | None = None
        self._waiting: dict[int, tuple[Game, Game]] = {}
        """By number, games as they are kept and as they are now."""
        self._told = False

    @property
    def has_kept(self) -> bool:
        """Whether the match is kept as it is, so that it can be resumed."""
        return self._saves and self._match_id is not None and not self._waiting

    def change(self, number: int, before: Game, after: Game) -> None:
        """Keep a move, an undo or a resignation, and whatever could not be kept yet."""
        kept, _ = self._waiting.get(number, (before, after))
        self._waiting[number] = (kept, after)
        self._try(self._keep_all)

    def answer(self, a: int, b: int, answer: int) -> None:
        """Keep the answer to a product."""
        self._try(lambda store: store.add_answer(a, b, answer))

    def close(self) -> None:
        """Let go of the store."""
        if self._store is not None:
            self._store.close()

    def _keep_all(self, store: Store) -> None:
        if self._match_id is None:
            self._match_id = store.begin_match(setup_of(self._agreement))
        for number, (before, after) in sorted(self._waiting.items()):
            if self._begun < number:
                store.begin_game(self._match_id, number, before)
                self._begun = number
            store.change_game(self._match_id, number, before, after)
            del self._waiting[number]
        if self._told:
            self._told = False
            self._console.notice("The game is being kept again.")

    def _try(self, keep: Callable[[Store], object]) -> None:
        """Keep something. What cannot be kept now may be with the next move."""
        if not self._saves:
            return
        from ninefold.cli.storage import open_store
        from ninefold.errors import StoreError, StoreUnavailable

        if self._store is None:
            self._store = open_store()
        try:
            keep(self._store)
        except StoreUnavailable as error:
            if not self._told:
                self._told = True
                self._console.notice(f"This game goes on without being kept: {error}.")
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
            "retry": agreement.retry,
        },
    )


def agreement_of(setup: Setup) -> Agreement:
    """Return what was agreed from what was kept; refuse what cannot be played here."""
    from ninefold.cli.agreement import GIVE_BACKS, Agreement, Lessons
    from ninefold.cli.books import kept_book
    from ninefold.errors import NinefoldError
    from ninefold.game import HUMAN
    from ninefold.players import LEVELS

    for player in setup.players.values():
        if player != HUMAN and player not in LEVELS:
            message = f"nobody here plays as '{player}'"
            raise NinefoldError(message)
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
        retry=options.get("retry") is True,
    )
