"""A match played on this machine, saved as it is played."""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock

from ninefold.errors import StoreError, StoreUnavailable
from ninefold.game import Seat
from ninefold.learning import Activity, Product
from ninefold.session import Ask, Command, Resign, Session
from ninefold.session.coach_warnings import CoachWarnings
from ninefold.session.table import Listener, Update
from ninefold.store.match_store import Store
from ninefold.store.values import Accepted, Append, StoredMatch

_DIFFERS = (
    "This game is not being saved: the copy of it that is saved here differs from the"
    " match on the server, and was left unchanged."
)


class LogWriter:
    """Saves one match, and the answers given in it.

    A store that cannot be written never stops a game: one notice reports it, and the
    log and the answers are stored as soon as it can be written again. The store is
    opened with the first command. The methods are thread-safe.
    """

    def __init__(
        self,
        open_store: Callable[[], Store],
        notice: Callable[[str], None],
        *,
        surface: str,
        save: bool = True,
        match_id: str | None = None,
    ) -> None:
        """Save a new match, or continue the one with ``match_id``."""
        self._open_store = open_store
        self._notice = notice
        self._surface = surface
        self._saves = save
        self._match_id = match_id
        self._accepted: list[Accepted] = []
        """Commands not stored yet."""
        self._copy: StoredMatch | None = None
        """The latest copy of a match on a server, if not stored yet."""
        self._differs = False
        """Whether the stored log of this match differs from that copy."""
        self._answers: list[Callable[[Store], object]] = []
        """Calls that each store one answer not stored yet."""
        self._is_behind = False
        self._store: Store | None = None
        self._lock_timeout = 0.0
        self._lock = RLock()

    @property
    def is_up_to_date(self) -> bool:
        """Whether the whole session is stored, so that it can be resumed."""
        is_known = self._match_id is not None and not self._differs
        return self._saves and is_known and not self._is_behind

    def write(self, session: Session, command: Command) -> None:
        """Store a command and earlier ones not stored yet.

        ``session`` is the session after the command.
        """
        with self._lock:
            self._accepted.append(Accepted(command, session))
            self._try()

    def import_copy(self, match: StoredMatch) -> None:
        """Save a copy of a match on a server, merged as an import would."""
        with self._lock:
            self._match_id, self._copy = match.id, match
            self._try()

    def add_answer(
        self, product: Product, name: str, seconds: float, *, hinted: bool = False
    ) -> None:
        """Store the answer to a product, given now."""
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
        """Try again to store anything not stored yet, and close the store."""
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

    def _opened(self) -> Store:
        if self._store is None:
            self._store = self._open_store()
            self._lock_timeout = self._store.lock_timeout
        return self._store

    def _write_all(self, store: Store) -> None:
        """Store everything not stored yet, the log first."""
        if self._accepted:
            self._write_log(store, self._accepted)
        if self._copy is not None:
            self._import(store, self._copy)
            self._copy = None
        if self._answers:
            self._write_answers(store)
        if self._is_behind:
            self._is_behind = False
            store.lock_timeout = self._lock_timeout
            self._notice("The game is being saved again.")

    def _write_log(self, store: Store, accepted: list[Accepted]) -> None:
        match_id, start = self._match_id, None
        if match_id is None:
            match_id = store.new_id()
            start = Session.start(accepted[0].session.setup)
        store.append(Append(match_id, tuple(accepted), start))
        self._match_id = match_id
        accepted.clear()

    def _import(self, store: Store, match: StoredMatch) -> None:
        """Import a copy; give a notice, once, if the stored match differs from it."""
        is_refused = bool(store.import_entries((match,)).differing)
        if is_refused and not self._differs:
            self._notice(_DIFFERS)
        self._differs = is_refused
        self._pass_on_notices(store)

    def _write_answers(self, store: Store) -> None:
        while self._answers:
            self._answers[0](store)
            del self._answers[0]
        self._pass_on_notices(store)

    def _pass_on_notices(self, store: Store) -> None:
        for notice in store.pop_notices():
            self._notice(notice)

    def _fall_behind(self, error: StoreUnavailable) -> None:
        """Continue unsaved; later commands no longer wait for the store."""
        if self._store is not None:
            self._store.lock_timeout = 0.0
        if not self._is_behind:
            self._is_behind = True
            self._say_unstored(error)

    def _say_unstored(self, error: StoreError) -> None:
        self._notice(f"This game is not being saved: {error}.")


class LocalTable:
    """A session played on this machine, and stored as it is played."""

    def __init__(self, session: Session, writer: LogWriter) -> None:
        self.session = session
        setup = session.setup
        self.seats = tuple(seat for seat in Seat if setup.is_person(seat))
        self._writer = writer
        self._listener: Listener = lambda _: None
        self._warnings = CoachWarnings()

    @property
    def is_stored(self) -> bool:
        return self._writer.is_up_to_date

    def listen(self, listener: Listener) -> None:
        """Report every command to a listener, in the thread that submits it."""
        self._listener = listener

    def submit(self, ask: Ask) -> None:
        """Decide an ask of the seat to move; store and report the command."""
        self._accept(self._warnings.decide(self.session, self._seat(ask), ask))

    def _seat(self, ask: Ask) -> Seat:
        """Return the asking seat: the one to move or, to resign, the one resigning."""
        if isinstance(ask, Resign):
            return ask.seat
        if len(self.seats) == 1:
            return self.seats[0]
        return self.session.to_move or Seat.ONE

    def precompute(self) -> None:
        """Let a level search now, so that ``play_automatic_move`` is instant."""
        self.session.next_automatic_command()

    def play_automatic_move(self) -> bool:
        command = self.session.next_automatic_command()
        if command is not None:
            self._accept(command)
        return command is not None

    def _accept(self, command: Command) -> None:
        session, events = self.session.apply_unchecked(command)
        self._writer.write(session, command)
        self.session = session
        self._listener(Update(session, events))

    def add_answer(self, product: Product, seconds: float, *, hinted: bool) -> None:
        """Store an answer for the mover if two people play, else for the person."""
        setup = self.session.setup
        learner = setup.learner
        if not setup.has_level:
            learner = setup.name(self.session.game.to_move)
        self._writer.add_answer(product, learner, seconds, hinted=hinted)

    def close(self) -> None:
        """Store anything not stored yet, and close the store."""
        self._writer.close()
