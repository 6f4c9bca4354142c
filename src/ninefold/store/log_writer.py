"""Saves a match: command by command at home, game by game from a server."""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock

from ninefold.errors import StoreError, StoreUnavailable
from ninefold.learning import Activity, Product
from ninefold.session import Command, Session
from ninefold.store.store import Store
from ninefold.store.values import Append, StoredMatch

_DIFFERS = (
    "This game is not being saved: the copy of it that is saved here differs from the"
    " match on the server, and was left unchanged."
)


class LogWriter:
    """Saves one match, and the answers given in it.

    A store that cannot be written never stops a game: a notice says so once, and the
    log and the answers are stored as soon as it can be written again. The store is
    opened with the first command. Any thread may call.
    """

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
        """Save a new match, or continue the one that has this id and revision."""
        self._open_store = open_store
        self._notice = notice
        self._surface = surface
        self._saves = saves
        self._match_id = match_id
        self._session: Session | None = None
        self._written = revision
        """How many commands are stored."""
        self._log: list[Command] = []
        """The commands since then, stored or not."""
        self._copy: StoredMatch | None = None
        """The latest copy of a match on a server, if it is not stored yet."""
        self._differs = False
        """Whether another match is stored in place of that copy."""
        self._answers: list[Callable[[Store], object]] = []
        """Each stores an answer that is not stored yet."""
        self._is_behind = False
        self._store: Store | None = None
        self._lock_timeout = 0.0
        self._lock = RLock()

    @property
    def is_up_to_date(self) -> bool:
        """Whether all of the session is stored, so that it can be resumed."""
        is_known = self._match_id is not None and not self._differs
        return self._saves and is_known and not self._is_behind

    def write(self, session: Session, *commands: Command) -> None:
        """Store commands, and those before that are not stored yet."""
        with self._lock:
            self._session = session
            self._log += commands
            self._try()

    def import_copy(self, match: StoredMatch) -> None:
        """Save a copy of a match on a server, as the import of an export would."""
        with self._lock:
            self._match_id, self._copy = match.id, match
            self._try()

    def add_answer(
        self, product: Product, name: str, seconds: float, *, hinted: bool = False
    ) -> None:
        """Store the answer to a product, and whether a hint was used."""
        with self._lock:
            self._answers.append(
                lambda store: store.add_answer(
                    store.learner(name).id,
                    product.key,
                    str(product.answer),
                    right=product.right,
                    activity=Activity.PLAY,
                    seconds=seconds,
                    hinted=hinted,
                    surface=self._surface,
                )
            )
            self._try()

    def close(self) -> None:
        """Try once more to store what is not stored yet, and close the store."""
        with self._lock:
            if self._is_behind:
                self._try()
            if self._store is not None:
                self._store.close()

    def _try(self) -> None:
        if not self._saves:
            return
        try:
            self._write_all(self._opened())
        except StoreUnavailable as error:
            self._fall_behind(error)
        except StoreError as error:
            self._saves = False
            self._say_unstored(error)
        if self._store is not None:
            for notice in self._store.take_notices():
                self._notice(notice)

    def _opened(self) -> Store:
        if self._store is None:
            self._store = self._open_store()
            self._lock_timeout = self._store.lock_timeout
        return self._store

    def _write_all(self, store: Store) -> None:
        """Write everything that is not stored yet, the log first."""
        if self._session is not None:
            self._write_log(store, self._session)
        if self._copy is not None:
            self._import(store, self._copy)
            self._copy = None
        while self._answers:
            self._answers[0](store)
            del self._answers[0]
        if self._is_behind:
            self._is_behind = False
            store.lock_timeout = self._lock_timeout
            self._notice("The game is being saved again.")

    def _write_log(self, store: Store, session: Session) -> None:
        if session.revision <= self._written:
            return
        match_id, known = self._match_id or store.new_id(), self._written
        setup = session.setup if self._match_id is None else None
        commands = tuple(self._log[known - session.revision :])
        store.append(Append(match_id, known + 1, commands, setup, session=session))
        self._match_id, self._written = match_id, session.revision

    def _import(self, store: Store, match: StoredMatch) -> None:
        """Import a copy; one that differs from what is stored is given up, and said."""
        is_refused = bool(store.import_entries((match,)).differing)
        if is_refused and not self._differs:
            self._notice(_DIFFERS)
        self._differs = is_refused

    def _fall_behind(self, error: StoreUnavailable) -> None:
        """Go on unsaved; the next commands do not wait for the store any more."""
        if self._store is not None:
            self._store.lock_timeout = 0.0
        if not self._is_behind:
            self._is_behind = True
            self._say_unstored(error)

    def _say_unstored(self, error: StoreError) -> None:
        self._notice(f"This game is not being saved: {error}.")
