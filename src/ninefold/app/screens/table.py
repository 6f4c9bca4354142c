"""The table: a game being played."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import ClassVar

from msgspec.structs import replace
from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from ninefold.app import table_view
from ninefold.app.environment import Environment, sentence
from ninefold.app.screens.board import BoardScreen
from ninefold.app.screens.dialogs import AskForProduct, YesOrNo
from ninefold.app.screens.game_over import GameOverScreen
from ninefold.app.screens.help import HelpScreen
from ninefold.app.sitting import Sitting
from ninefold.app.widgets.board import Board
from ninefold.app.widgets.key_bar import KeyBar
from ninefold.coach import why
from ninefold.errors import NinefoldError
from ninefold.game import Game, Seat
from ninefold.rulebooks.entries import Refusal, read_entry
from ninefold.session import (
    AskNeedlessLoss,
    AskProduct,
    Command,
    Event,
    GiveBack,
    Move,
    Moved,
    Resign,
    Setup,
    Undo,
)

_PRODUCTS = "Whether a key tells what it would make."
_SLIPPED = "That was a slip: the game is there to be won."


class TableScreen(BoardScreen):
    """Plays a session: keys become commands, events are shown once they are kept."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("w", "why", "why", tooltip="Who wins from here, and why."),
        Binding("u", "undo", "take back", tooltip="Take your last move back."),
        Binding("x", "resign", "resign", tooltip="Give the game up; it asks first."),
        Binding("p", "products", "products", tooltip=_PRODUCTS),
        Binding("r", "rules", "rules", tooltip="The rules of this game."),
        Binding("escape", "leave", "leave", tooltip="Go home; the game is kept."),
    ]

    def __init__(self, environment: Environment, sitting: Sitting) -> None:
        """Take the session to be played, from wherever it stands."""
        super().__init__(motion=environment.motion, clock=environment.clock)
        self._environment = environment
        self._sitting = sitting
        self._told = self._corrected = ""

    @property
    def setup(self) -> Setup:
        """The agreement that the session is played by."""
        return self._sitting.session.setup

    # What is shown

    def compose(self) -> ComposeResult:
        """Lay out the board and the keys of the screen."""
        yield from self.compose_board()
        yield KeyBar(offers=self._offers)

    def on_mount(self) -> None:
        """Show where the session stands, and go on from there."""
        self.say(table_view.welcome(self._sitting.session))
        self._show()
        self._go_on()

    def _show(self, *, hop: bool = False) -> None:
        session, board = self._sitting.session, self.query_one(Board)
        aim = session.book.describe(session.setup.rules)
        unkept = "" if self._sitting.is_kept else "not kept"
        where = " · ".join(filter(None, (table_view.where(session), unkept)))
        board.show_head(session.book.title, aim, where)
        board.show_seats(table_view.seats(session))
        self.query_one(KeyBar).show_first(*self.playing_keys())
        self.show_board(hop=hop)

    @property
    def game(self) -> Game:
        """The game being played."""
        return self._sitting.session.game

    @property
    def takes_moves(self) -> bool:
        """Whether it is a person's turn."""
        session = self._sitting.session
        return session.to_move is not None and session.setup.is_person(session.to_move)

    @property
    def waiting(self) -> str:
        """Say whose move it is instead."""
        return f"It is {self.setup.name(self.game.to_move)}'s move; wait for it."

    @property
    def tells_products(self) -> bool:
        """Whether products are told: never where they are asked for."""
        wanted = self._environment.memory.preferences.products
        return wanted and not self.asks_products

    @property
    def asks_products(self) -> bool:
        """Whether the game is played with mental arithmetic."""
        return self.setup.lessons.mental

    @property
    def _thinking(self) -> str:
        """Say that a level thinks, where one does."""
        mover = self._sitting.session.to_move
        if mover is None or self.setup.is_person(mover):
            return ""
        return f"{self.setup.name(mover)} is thinking …"

    # Playing

    def _do(self, command: Command) -> None:
        """Have a command kept, and only then show what came of it."""
        try:
            events = self._sitting.do(command)
        except NinefoldError as error:
            self.say(sentence(error))
        else:
            self._tell(events)

    def _tell(self, events: Sequence[Event]) -> None:
        """Show what came of a command, and go on."""
        self.forget_hints()
        session = self._sitting.session
        told = [table_view.told(session, event) for event in events]
        # A level answers at once: what was told of one's own move stays in sight.
        self._told = " ".join(filter(None, [self._told, *told]))
        self._corrected = table_view.corrected(events) or self._corrected
        self.say(self._told or self._thinking)
        self._show(hop=any(isinstance(event, Moved) for event in events))
        self._go_on()

    def _go_on(self) -> None:
        """Let a level move, or show the end; otherwise it is a person's turn."""
        session = self._sitting.session
        if session.to_move is None:
            after = GameOverScreen(
                session,
                self._corrected,
                motion=self._environment.motion,
                bands=self._shows_bands,
            )
            self.app.push_screen(after, self._after)
        elif not self.takes_moves:
            self._let_level_move()
            return
        elif session.opportunity():
            self.say(f"{self._told} {_SLIPPED}".strip(), "Coach.")
        self._told = self._corrected = ""

    @work(exclusive=True, group="level")
    async def _let_level_move(self) -> None:
        """Let a level seem to think, then move; its search does not stop the screen."""
        session = self._sitting.session
        await self._environment.think()
        proposal = await asyncio.to_thread(session.proposal)
        if proposal is not None and self._sitting.session is session:
            self._tell(self._sitting.accept(proposal))

    def _after(self, command: Command | None) -> None:
        """Go on after the end of a game, or leave."""
        if command is None:
            self.action_leave()
        else:
            self._do(command)

    def enter(self, entry: str) -> None:
        """Play a multiplier, or say in the rule book's words that it is none."""
        session = self._sitting.session
        multiplier = read_entry(entry, session.setup.rules)
        if isinstance(multiplier, Refusal):
            narrator = table_view.narrator_of(session)
            self.say(narrator.refused(session.game, entry, multiplier).strip())
        elif self.may_decide():
            move = Move(multiplier)
            if session.question(move) is None:
                self._do(move)  # at once: a key that follows finds it played
            else:
                self.decide(self._play(move))

    async def _play(self, move: Move) -> None:
        command = await self._settle(move)
        if command is not None:
            self._do(command)

    async def _settle(self, move: Move) -> Command | None:
        """Have every question about a move answered; None if it is not meant."""
        session = self._sitting.session
        while (question := session.question(move)) is not None:
            if isinstance(question, AskProduct):
                asked = AskForProduct(question, self._environment.clock)
                answer = await self.app.push_screen_wait(asked)
                if answer is None:
                    return None
                self._sitting.keep_answer(question, answer)
                move = replace(move, answer=answer.number)
            elif isinstance(question, AskNeedlessLoss):
                told = table_view.loss_question(session, move.multiplier)
                if not await self._ask(told, default=False):
                    return None
                move = replace(move, accepts_loss=True, despite_coach=True)
            else:
                told = table_view.slip_question(session, question)
                # With no give-backs left there is no choice, so nothing is said.
                if question.give_backs and await self._ask(told, default=True):
                    return GiveBack(move.multiplier)
                move = replace(move, despite_coach=True)
        return move

    async def _ask(self, question: str, *, default: bool) -> bool:
        return await self.app.push_screen_wait(YesOrNo(question, default=default))

    # What else can be done

    def _offers(self, action: str) -> bool:
        """Whether something can be done now; where it cannot, its key says why."""
        session = self._sitting.session
        match action:
            case "hint" | "why":
                return self.takes_moves
            case "undo":
                return session.book.take_back and self._has_moved
            case "resign":
                return any(map(session.setup.is_person, Seat))
            case "products":
                return not session.setup.lessons.mental
            case _:
                return True

    @property
    def _has_moved(self) -> bool:
        """Whether a person has made a move in this game."""
        game = self.game
        made = (game.first, game.first.other)[: len(game.moves)]
        return any(map(self.setup.is_person, made))

    def action_why(self) -> None:
        """Say who wins from here, and why, with the lost bands on the line."""
        if not self.takes_moves:
            self.say_waiting()
            return
        self.say(why(self.game), "Why.")
        self._shows_bands = True
        self.point(self._pointed)

    def action_undo(self) -> None:
        """Take moves back until a person is to move; say so where that cannot be."""
        if self.may_decide():
            self._do(Undo())

    def action_resign(self) -> None:
        """Give the game up, once that is meant: the person to move, or who waits."""
        session = self._sitting.session
        if not any(map(session.setup.is_person, Seat)):
            self.say("Two levels play this game, so nobody can resign it.")
            return
        if self.may_decide():
            self.decide(self._resign())

    async def _resign(self) -> None:
        session = self._sitting.session
        seat = session.game.to_move
        seat = seat if session.setup.is_person(seat) else seat.other
        if await self._ask(f"{session.setup.name(seat)}, resign?", default=False):
            self._do(Resign(seat))

    def action_products(self) -> None:
        """Show what each key would make, or hide it, and remember that."""
        if self.setup.lessons.mental:
            self.say("In mental arithmetic no product is told before it is made.")
            return
        memory = self._environment.memory
        chosen = not memory.preferences.products
        memory.keep(replace(memory.preferences, products=chosen))
        self.point(None)
        self._show()

    def action_rules(self) -> None:
        """Show the rules of this game."""
        session = self._sitting.session
        self.app.push_screen(HelpScreen(session.book, session.setup.rules))

    def action_leave(self) -> None:
        """Leave the table; the game is kept."""
        self._sitting.close()
        super().action_leave()
