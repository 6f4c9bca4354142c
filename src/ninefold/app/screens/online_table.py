"""The table of a match on a server: the other's moves are seen to happen."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import ClassVar

from msgspec.structs import replace
from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message as TextualMessage

from ninefold.app import online_view as view
from ninefold.app.announcements import sentence
from ninefold.app.environment import Environment
from ninefold.app.screens.board import BoardScreen
from ninefold.app.screens.dialogs import AskForProduct, YesOrNo
from ninefold.app.screens.game_over import ReviewScreen
from ninefold.app.screens.help import HelpScreen
from ninefold.app.widgets.board import Board
from ninefold.app.widgets.key_bar import KeyBar
from ninefold.errors import OnlineError, RequestRefused
from ninefold.game import Game
from ninefold.online.answers import question_of, state_of
from ninefold.online.client import new_request_id
from ninefold.online.following import Back, Following, Gone, Heard, Lost, SetBack
from ninefold.online.messages import (
    PlayMove,
    Presence,
    QuestionView,
    TakeBackAction,
)
from ninefold.online.seating import Seated
from ninefold.online.states import all_seated, game_of, is_my_turn
from ninefold.rulebooks import Narrator, load
from ninefold.rulebooks.entries import Refusal, read_entry
from ninefold.session import AskProduct
from ninefold.views.state import State

_NOT_AGREED = "This was not agreed on; it is told when the game is over."
_GOES_ON = "The game goes on; play it out or resign it."
_SET_BACK = "The server was set back to an earlier copy of the match: this one."
_LOST = "The connection is lost. It is tried again …"


class OnlineReviewScreen(ReviewScreen):
    """A game against someone elsewhere, who would have to try it again too."""

    @property
    def retry(self) -> None:
        """Nothing is tried again."""
        return


class OnlineTableScreen(BoardScreen):
    """Plays a match on a server: keys become requests, and what comes is shown."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("w", "why", "why", tooltip="Who wins from here, and why, if agreed."),
        Binding("u", "undo", "ask back", tooltip="Ask for your last move back."),
        Binding("x", "resign", "resign", tooltip="Give the game up; it asks first."),
        Binding("n", "next", "go on", tooltip="The next game, or a rematch."),
        Binding("l", "review", "look back", tooltip="This game, move by move."),
        Binding("r", "rules", "rules", tooltip="The rules of this game."),
        Binding("escape", "leave", "leave", tooltip="Go back; your seat is kept."),
    ]

    class Came(TextualMessage):
        """Something came from the server."""

        def __init__(self, heard: Heard) -> None:
            """Keep what it was."""
            super().__init__()
            self.heard = heard

    def __init__(self, environment: Environment, seated: Seated) -> None:
        """Take the match, and where it stands."""
        super().__init__(motion=environment.motion, clock=environment.clock)
        self._environment = environment
        self._match = seated.match
        self._link = seated.link
        self.state = seated.state
        self._book = load(seated.state.game)
        self._here = (True, True)
        self._following = Following(seated.match, seated.state.seq, self._hear)

    def _hear(self, heard: Heard) -> None:
        """Pass on what came, from the thread that listens."""
        self.post_message(self.Came(heard))

    # What is shown

    def compose(self) -> ComposeResult:
        """Lay out the board and the keys of the screen."""
        yield from self.compose_board()
        yield KeyBar(offers=self._offers)

    def on_mount(self) -> None:
        """Show where the match stands, and listen."""
        told = f"Send this link: {self._link}"
        if all_seated(self.state):
            told = " ".join(filter(None, [self.state.said, view.going_on(self.state)]))
        self.say(told)
        self._show()
        self._following.start()

    def on_unmount(self) -> None:
        """Listen no more."""
        self._following.stop()

    def _show(self, *, hop: bool = False) -> None:
        state, board = self.state, self.query_one(Board)
        board.show_head(state.title, state.aim, view.where(state))
        board.show_seats(view.seats(state, self._here))
        self.query_one(KeyBar).show_first(*self.playing_keys())
        self.show_board(hop=hop)

    @property
    def game(self) -> Game:
        """The game being played."""
        return game_of(self.state)

    @property
    def takes_moves(self) -> bool:
        """Whether it is the turn of the person here."""
        return is_my_turn(self.state)

    @property
    def waiting(self) -> str:
        """Say what is waited for instead."""
        return view.waiting(self.state)

    @property
    def tells_products(self) -> bool:
        """Whether products are told: never where they are asked for."""
        wanted = self._environment.memory.preferences.products
        return wanted and not self.asks_products

    @property
    def asks_products(self) -> bool:
        """Whether the game is played with mental arithmetic."""
        return self.state.lessons.mental

    # What comes

    def on_online_table_screen_came(self, event: Came) -> None:
        """Show what came from the server."""
        if not self.display:
            return  # the screen is being closed, and has lost its board already
        match event.heard:
            case Presence(here=here):
                self._here = here
                self._show()
            case Lost():
                self.say(_LOST, "Away.")
            case Back():
                self.say("Connected again.")
            case Gone(error=error):
                self.say(sentence(error), "Gone.")
            case SetBack(state=state):
                # A refusal may have shown that already, and the match have gone on.
                _ = self._set_back(state) or self._take(state)
            case message:
                self._take(message.state)

    def _set_back(self, state: State) -> bool:
        """Show an earlier copy of the match; False if this one is no earlier one."""
        if state.seq >= self.state.seq:
            return False
        self.state = state
        self.forget_hints()
        self.say(_SET_BACK)
        self._show()
        return True

    def _take(self, state: State) -> bool:
        """Show what a command brought; False if it is known already."""
        before = self.state
        if state.seq <= before.seq:
            return False
        self.state = state
        self.forget_hints()
        told = [state.said, view.going_on(state)]
        if state.coach is not None:
            told.append(f"Coach: {state.coach}")
        self.say(" ".join(filter(None, told)))
        self._show(hop=len(state.moves) > len(before.moves))
        me = state.your_seat
        if me is not None and state.takeback is me.other:
            self._answer_take_back()
        return True

    @work(exclusive=True, group="back")
    async def _answer_take_back(self) -> None:
        seq = self.state.seq
        gives = await self._asks(f"{self.state.said} Give it back?", default=False)
        action = TakeBackAction.ACCEPT if gives else TakeBackAction.DECLINE
        await self._do(lambda: self._match.take_back(seq, action))

    # What is done

    async def _do(self, step: Callable[[], State]) -> None:
        """Do one thing on the server without stopping the screen."""
        asked_at = self.state.seq  # what comes meanwhile may be later than the answer
        try:
            state = await asyncio.to_thread(step)
        except RequestRefused as refused:
            came = state_of(refused)
            has_told = came is not None and (
                (came.seq < asked_at and self._set_back(came)) or self._take(came)
            )
            if not has_told:
                self.say(sentence(refused))
        except OnlineError as error:
            self.say(sentence(error))
        else:
            self._take(state)

    async def _asks(self, question: str, *, default: bool) -> bool:
        return await self.app.push_screen_wait(YesOrNo(question, default=default))

    def enter(self, entry: str) -> None:
        """Play a multiplier, or say in the rule book's words that it is none."""
        game = self.game
        multiplier = read_entry(entry, game.rules)
        if isinstance(multiplier, Refusal):
            names = self.state.seats[0].name, self.state.seats[1].name
            narrator = Narrator(self._book, game.rules, names)
            self.say(narrator.refused(game, entry, multiplier).strip())
        elif self.may_decide():
            self.decide(self._play(multiplier))

    async def _play(self, multiplier: int) -> None:
        seq = self.state.seq
        move: PlayMove | None = PlayMove(
            seq=seq, request_id=new_request_id(), multiplier=multiplier
        )
        while move is not None:
            question = await self._ask_for(move)
            if question is None:
                return
            if question.kind == "slip" and await self._takes_back(question):
                await self._do(lambda: self._match.give_back(seq, multiplier))
                return
            move = await self._settled(move, question)

    async def _ask_for(self, move: PlayMove) -> QuestionView | None:
        """Ask for a move; return what is asked before it counts."""
        asked: list[QuestionView] = []

        def play() -> State:
            try:
                return self._match.move(move)
            except RequestRefused as refused:
                asked.append(question_of(refused))
                return self.state

        await self._do(play)
        return asked[0] if asked else None

    async def _takes_back(self, question: QuestionView) -> bool:
        left = f"{question.give_backs} left"
        told = f"{question.text} Take it back? ({left})"
        return await self._asks(told, default=True)

    async def _settled(self, move: PlayMove, question: QuestionView) -> PlayMove | None:
        """Return a move with its question answered; None if it is not meant."""
        again = replace(move, request_id=new_request_id())
        if question.kind == "product":
            product = AskProduct(int(self.state.total), int(move.multiplier))
            asked = AskForProduct(
                product.total, product.multiplier, self._environment.clock
            )
            answer = await self.app.push_screen_wait(asked)
            if answer is None:
                return None
            return replace(again, answer=answer.number)
        if question.kind == "slip":
            return replace(again, despite_coach=True)
        if not await self._asks(question.text.partition(" (y/N)")[0], default=False):
            return None
        return replace(again, accepts_loss=True, despite_coach=True)

    # What else can be done

    def _offers(self, action: str) -> bool:
        """Whether something can be done now; where it cannot, its key says why."""
        state = self.state
        match action:
            case "hint":
                return state.lessons.hints and state.outcome is None
            case "why" | "bands":
                return state.lessons.hints or state.outcome is not None
            case "undo":
                return state.may_take_back and bool(state.moves)
            case "resign":
                return state.outcome is None and all_seated(state)
            case "next" | "review":
                return state.outcome is not None
            case _:
                return True

    def action_hint(self) -> None:
        """Give a hint where that was agreed."""
        if self._offers("hint"):
            super().action_hint()
        elif self.state.outcome is not None:
            self.say("The game is over; w says where it turned.")
        else:
            self.say(_NOT_AGREED)

    def action_bands(self) -> None:
        """Show the lost bands, where that was agreed, or hide them."""
        if self._offers("bands"):
            super().action_bands()
        else:
            self.say(_NOT_AGREED)

    @work(exclusive=True, group="why")
    async def action_why(self) -> None:
        """Say who wins from here, and why, where that was agreed."""
        try:
            found = await asyncio.to_thread(self._match.why)
        except OnlineError as error:
            self.say(sentence(error))
        else:
            self.say(found.why, "Why.")

    def action_undo(self) -> None:
        """Ask for the last move back."""
        seq = self.state.seq
        if self.may_decide():
            asked = self._do(lambda: self._match.take_back(seq, TakeBackAction.ASK))
            self.decide(asked)

    def action_resign(self) -> None:
        """Give the game up, once that is meant."""
        if self.may_decide():
            self.decide(self._resign())

    async def _resign(self) -> None:
        if await self._asks("Resign?", default=False):
            seq = self.state.seq
            await self._do(lambda: self._match.resign(seq))

    def action_next(self) -> None:
        """Begin the next game, or ask for a rematch."""
        state = self.state
        if state.outcome is None:
            self.say(_GOES_ON)
        elif (
            state.rematch is None or state.rematch is not state.your_seat
        ) and self.may_decide():
            go_on = self._match.rematch if state.match_over else self._match.next_game
            self.decide(self._do(lambda: go_on(state.seq)))

    def action_review(self) -> None:
        """Look back on the game, once it is over."""
        if self.state.outcome is None:
            self.say(_GOES_ON)
            return
        names = self.state.seats[0].name, self.state.seats[1].name
        looking = OnlineReviewScreen(self.game, self._book, names, levels=(None, None))
        self.app.push_screen(looking)

    def action_rules(self) -> None:
        """Show the rules of this game."""
        self.app.push_screen(HelpScreen(self._book, self.game.rules))
