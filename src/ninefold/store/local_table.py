"""A table on this machine: decide, store, then report."""

from __future__ import annotations

from ninefold.game import Seat
from ninefold.learning import Product
from ninefold.session import Ask, Command, Resign, Session
from ninefold.session.table import CoachWarnings, Listener, Update
from ninefold.store.log_writer import LogWriter


class LocalTable:
    """A session that is played here, and stored as it is played."""

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
        """Report every command to a listener, in the thread that asks for it."""
        self._listener = listener

    def do(self, ask: Ask) -> None:
        """Decide what the seat to move asks for, store it and report it."""
        self._accept(self._warnings.decide(self.session, self._seat(ask), ask))

    def _seat(self, ask: Ask) -> Seat:
        """Return who asks: at one keyboard the seat to move, or who resigns."""
        if isinstance(ask, Resign):
            return ask.seat
        if len(self.seats) == 1:
            return self.seats[0]
        return self.session.to_move or Seat.ONE

    def prepare(self) -> None:
        """Let a level search; ``proceed`` then finds the same at once."""
        self.session.automatic_command()

    def proceed(self) -> bool:
        command = self.session.automatic_command()
        if command is not None:
            self._accept(command)
        return command is not None

    def _accept(self, command: Command) -> None:
        session, events = self.session.accept(command)
        self._writer.write(session, command)
        self.session = session
        self._listener(Update(session, events))

    def add_answer(self, product: Product, seconds: float, *, hinted: bool) -> None:
        """Store an answer: the mover's where two people play, else the person's."""
        setup = self.session.setup
        learner = setup.learner
        if not setup.has_level:
            learner = setup.name(self.session.game.to_move)
        self._writer.add_answer(product, learner, seconds, hinted=hinted)

    def close(self) -> None:
        """Store what could not be stored before, and close the store."""
        self._writer.close()
