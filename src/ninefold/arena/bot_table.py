"""A table at which bots play: for a screen, they sit elsewhere, as other people do."""

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
    """A table, here or on a server, at which bots have some of the seats.

    A bot that fails gives up the game, and is started again for the next one. On a
    server it lets the other person take a move back, and plays as long as they like.
    """

    def __init__(
        self, table: Table, bots: Mapping[Seat, Bot], notice: Callable[[str], None]
    ) -> None:
        """Take the table, the bots by their seats, and who hears why one fails."""
        self._table = table
        self._bots = dict(bots)
        self._notice = notice
        self._lock = Lock()
        self._prepared: tuple[Session, commands.Ask | None] | None = None
        """What the bots do at a session, once they have chosen."""
        self._failed: BotFailed | None = None
        """How a bot failed, the last time that one did."""

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
        """End the bots, and leave the table."""
        for bot in self._bots.values():
            bot.close()
        self._table.close()

    def submit(self, ask: commands.Ask) -> None:
        """Do what a person asks for; at one keyboard nobody asks for a bot."""
        session = self.session
        if not session.is_shared:
            self._table.submit(ask)
        elif isinstance(ask, commands.TakeBack):
            self._take_back()
        elif isinstance(ask, commands.ResignGame) and self.seats:
            self._table.submit(
                commands.Resign(self.seats[0])
            )  # a person, even while a bot thinks
        elif session.to_move in self._bots:
            name = session.setup.name(session.game.to_move)
            message = f"it is {name}'s turn; wait for its move"
            raise OutOfTurn(message)
        else:
            self._table.submit(ask)

    def _take_back(self) -> None:
        """Take a person's last move back, and what bots have answered to it."""
        if not any(turn.seat in self.seats for turn in self.session.game.turns()):
            message = "you have made no move yet, so there is none to take back"
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
        """Do what a level or a bot does next."""
        if self._table.play_automatic_move():
            return True
        self.precompute()
        session, ask = self._prepared or (self.session, None)
        if ask is None or session is not self.session:
            return False
        try:
            self._table.submit(ask)
        except NinefoldError:
            if self.session is session:  # else the match went on meanwhile
                raise
        if isinstance(ask, commands.Resign) and self._failed is not None:
            name = session.setup.name(ask.seat)
            self._notice(f"{name} loses this game: it {self._failed.told}.")
        return True

    def _choose(self, session: Session) -> commands.Ask | None:
        """Return what a bot asks for at a session; None if it waits for a person."""
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
        """Return a bot's move, to which no question is left, or why it gives up."""
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
