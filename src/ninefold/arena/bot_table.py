"""A table at which bots play; a screen sees them as remote players."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from threading import Lock

from ninefold.arena.bot_process import Bot
from ninefold.errors import BotFailed, NinefoldError, NothingToUndo, OutOfTurn
from ninefold.game import Seat
from ninefold.learning import Product
from ninefold.session import Session, commands
from ninefold.session.table import Listener, Table


class BotTable:
    """A local or remote table at which bots have some of the seats.

    A bot that fails resigns the game, and is started again for the next one. Online, it
    allows every take-back, and accepts every rematch.
    """

    def __init__(
        self, table: Table, bots: Mapping[Seat, Bot], notice: Callable[[str], None]
    ) -> None:
        """``notice`` is called with the reason when a bot fails."""
        self._table = table
        self._bots = dict(bots)
        self._notice = notice
        self._lock = Lock()
        self._prepared: tuple[Session, commands.Ask | None] | None = None
        """A session, and what a bot asks for there."""
        self._failed: BotFailed | None = None
        """The latest failure of a bot."""

    @property
    def session(self) -> Session:
        return self._table.session

    @property
    def seats(self) -> tuple[Seat, ...]:
        return tuple(seat for seat in self._table.seats if seat not in self._bots)

    @property
    def is_stored(self) -> bool:
        return self._table.is_stored

    def listen(self, listener: Listener) -> None:
        self._table.listen(listener)

    def add_answer(self, product: Product, seconds: float, *, hinted: bool) -> None:
        self._table.add_answer(product, seconds, hinted=hinted)

    def close(self) -> None:
        """Stop the bots, and close the table."""
        for bot in self._bots.values():
            bot.close()
        self._table.close()

    def submit(self, ask: commands.Ask) -> None:
        """Submit a person's ask; at a shared keyboard, none on behalf of a bot."""
        session = self.session
        if not session.is_shared:
            self._table.submit(ask)
        elif isinstance(ask, commands.TakeBack):
            self._take_back()
        elif isinstance(ask, commands.ResignGame) and self.seats:
            self._table.submit(
                commands.Resign(self.seats[0])
            )  # the person resigns, even on a bot's turn
        elif session.to_move in self._bots:
            name = session.setup.name(session.game.to_move)
            message = f"it is {name}'s turn; wait for its move"
            raise OutOfTurn(message)
        else:
            self._table.submit(ask)

    def _take_back(self) -> None:
        """Take back a person's last move, and the bots' moves after it."""
        if not any(turn.seat in self.seats for turn in self.session.game.turns()):
            message = "you have not made a move to take back yet"
            raise NothingToUndo(message)
        self._table.submit(commands.TakeBack())
        while self.session.to_move in self._bots:
            self._table.submit(commands.TakeBack())

    def precompute(self) -> None:
        self._table.precompute()
        with self._lock:
            session = self.session
            if self._prepared is None or self._prepared[0] is not session:
                self._prepared = session, self._choose(session)

    def play_automatic_move(self) -> bool:
        """Submit the next ask of a level or a bot; return whether there was one."""
        if self._table.play_automatic_move():
            return True
        self.precompute()
        session, ask = self._prepared or (self.session, None)
        if ask is None or session is not self.session:
            return False
        try:
            self._table.submit(ask)
        except NinefoldError:
            if self.session is session:  # otherwise the match has moved on
                raise
        if isinstance(ask, commands.Resign) and self._failed is not None:
            name = session.setup.name(ask.seat)
            self._notice(f"{name} loses this game: it {self._failed.told}.")
        return True

    def _choose(self, session: Session) -> commands.Ask | None:
        """Return the next ask of a bot at a session; None if it is a person's turn."""
        for seat, bot in self._bots.items():
            if session.allows(seat, commands.AllowTakeBack()):
                return commands.AllowTakeBack()
            if session.to_move is seat and not session.empty_seats:
                return self._move(session, seat, bot)
            if session.allows(seat, commands.StartNextGame()):
                return commands.StartNextGame()
            if session.rematch_asked is seat.other:
                return commands.RequestRematch()
        return None

    def _move(
        self, session: Session, seat: Seat, bot: Bot
    ) -> commands.Move | commands.Resign:
        """Return a bot's move with every question answered, or its resignation."""
        game, lessons = session.game, session.setup.lessons
        try:
            multiplier = bot.choose(game)
        except BotFailed as failed:
            self._failed = failed
            return commands.Resign(seat, failed.reason)
        return commands.Move(
            multiplier,
            answer=game.total * multiplier if lessons.mental else None,
            accepts_loss=session.book.questions_losses,
            despite_coach=lessons.coach,
        )
