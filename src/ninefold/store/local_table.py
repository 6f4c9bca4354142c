"""A table on this machine: decide, store, then report."""

from __future__ import annotations

from ninefold.errors import QuestionOpen
from ninefold.game import Seat
from ninefold.learning import Product
from ninefold.session import Asked, AskSlip, Command, Session
from ninefold.session.table import Listener, Update
from ninefold.store.keeper import Keeper


class LocalTable:
    """A session that is played here, and stored as it is played."""

    def __init__(self, session: Session, keeper: Keeper) -> None:
        self.session = session
        self._keeper = keeper
        self._listener: Listener = lambda _: None
        self._warned: tuple[int, int] | None = None
        """The revision at which the coach has warned of a move, and that move."""

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats that people play."""
        return tuple(seat for seat in Seat if self.session.setup.is_person(seat))

    @property
    def is_stored(self) -> bool:
        """Whether all of it is stored, so that it can be resumed."""
        return self._keeper.has_kept

    def listen(self, listener: Listener) -> None:
        """Report every command to a listener, in the thread that asks for it."""
        self._listener = listener

    def do(self, asked: Asked) -> None:
        """Decide what the seat to move asks for, store it and report it."""
        session = self.session
        revision, warned = self._warned or (-1, 0)
        try:
            command = session.decide(
                self._seat(),
                asked,
                warned=warned if revision == session.revision else None,
            )
        except QuestionOpen as error:
            if isinstance(error.question, AskSlip):
                self._warned = session.revision, error.question.slip.multiplier
            raise
        self._accept(command)

    def _seat(self) -> Seat:
        """Return who asks: at one keyboard, the seat to move."""
        if len(self.seats) == 1:
            return self.seats[0]
        return self.session.to_move or Seat.ONE

    def proceed(self) -> bool:
        """Make a level's move, or begin the next game; False if neither is due."""
        command = self.session.proposal()
        if command is not None:
            self._accept(command)
        return command is not None

    def _accept(self, command: Command) -> None:
        session, events = self.session.accept(command)
        self._keeper.keep(session)
        self.session = session
        self._listener(Update(session, events))

    def add_answer(self, product: Product, seconds: float, *, hinted: bool) -> None:
        """Store an answer: the mover's where two people play, else the person's."""
        setup = self.session.setup
        learner = setup.learner
        if not setup.has_level:
            learner = setup.name(self.session.game.to_move)
        self._keeper.keep_answer(product, learner, seconds, hinted=hinted)

    def close(self) -> None:
        """Store what could not be stored before, and close the store."""
        self._keeper.close()
