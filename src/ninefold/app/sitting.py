"""A session at the table: every command is kept before its events are shown."""

from __future__ import annotations

from msgspec import Struct

from ninefold.learning import Product
from ninefold.session import AskProduct, Command, Event, Session
from ninefold.store import LogWriter

NOT_KNOWN = 0
"""The answer that is kept where the product had to be shown: no product is 0."""


class Answer(Struct, frozen=True):
    """The answer to a product."""

    number: int
    seconds: float
    hinted: bool
    shown: bool
    """Whether the product was shown before it was typed."""


class Sitting:
    """The session that is being played, and its keeper."""

    def __init__(self, session: Session, keeper: LogWriter) -> None:
        """Take both."""
        self.session = session
        self._keeper = keeper

    def do(self, command: Command) -> tuple[Event, ...]:
        """Apply a command and keep it; return what there is to show."""
        return self._keep(*self.session.apply(command))

    def accept(self, proposal: Command) -> tuple[Event, ...]:
        """Do so with the session's own proposal, which it need not find once more."""
        return self._keep(*self.session.accept(proposal))

    def _keep(self, session: Session, events: tuple[Event, ...]) -> tuple[Event, ...]:
        self._keeper.write(session)
        self.session = session
        return events

    def keep_answer(self, asked: AskProduct, answer: Answer) -> None:
        """Keep the answer to a product; one that had to be shown is not known yet."""
        number = NOT_KNOWN if answer.shown else answer.number
        product = Product(asked.total, asked.multiplier, number)
        learner = learner_of(self.session)
        hinted = answer.hinted
        self._keeper.add_answer(product, learner, answer.seconds, hinted=hinted)

    @property
    def is_kept(self) -> bool:
        """Whether everything that was played is kept."""
        return not self.session.log or self._keeper.is_up_to_date

    def close(self) -> None:
        """Let go of the store."""
        self._keeper.close()


def learner_of(session: Session) -> str:
    """Return whose answer it is: the name of the seat where two people play."""
    if session.setup.has_level:
        return session.setup.learner
    return session.setup.name(session.game.to_move)
