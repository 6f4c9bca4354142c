"""The table: a match being played, on this machine or on a server."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import ClassVar

from msgspec.structs import replace
from textual import work
from textual.binding import Binding, BindingType

from ninefold.app.announcements import announce, game_of_match, welcome
from ninefold.app.environment import Environment
from ninefold.app.screens.board import BoardScreen
from ninefold.app.screens.dialogs import (
    AskForText,
    Invitation,
    answer_question,
    confirm,
)
from ninefold.app.screens.game_over import GameOverScreen
from ninefold.app.screens.help import HelpScreen
from ninefold.app.widgets.board import seat_views
from ninefold.app.widgets.footer import ShownKey
from ninefold.coach import why
from ninefold.errors import NinefoldError, QuestionOpen
from ninefold.game import Game, Seat
from ninefold.learning import Walk
from ninefold.learning.claims import GAMES, play_out, read_claim
from ninefold.online.links import is_local
from ninefold.rulebooks.entries import Refusal, read_entry
from ninefold.session import (
    AllowTakeBack,
    Ask,
    CancelRequest,
    DeclineTakeBack,
    Move,
    Moved,
    PlainAsk,
    ResignGame,
    Retry,
    Session,
    TakeBack,
    TakeBackAsked,
)
from ninefold.session.table import (
    Disconnected,
    MatchGone,
    News,
    NewsQueue,
    PresenceChanged,
    Reconnected,
    Skipped,
    Table,
    TableClosed,
    Update,
)
from ninefold.views.words import (
    ANOTHER_TRY,
    DISCONNECTED,
    NO_CLAIMS,
    NO_HINTS,
    RECONNECTED,
    SKIPPED,
    WATCHING,
    ask_to_resign,
    corrections,
    narrator_for,
    say_slipped,
    say_turn,
    sentence,
    viewer_of,
)

_CLAIM = "Say that a total is lost, or won, and play it out."
_ASK_FOR_CLAIM = (
    "Say that whoever must move at a total loses there, or wins: type 8 lost, or 8 won."
    f" Then show it: win {GAMES} games from there, against my best."
)
_CLAIM_LEFT = "You left the claim. Your game goes on here."
_NOT_SAVED = "Leave this game; it is not saved."
_PRODUCTS = "Show what each key would make, or hide it."
_UNDO_ONLINE = "Ask for your last move back; again, to drop the request."
_LEAVE_ONLINE = "Leave the table; your seat is kept."
_STOP_WATCHING = "Stop watching."


class TableScreen(BoardScreen):
    """Plays a match: keys become asks, and what the table reports is shown."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("w", "why", "why", tooltip="Who wins from here, and why."),
        Binding("u", "undo", "take back", tooltip="Take your last move back."),
        Binding("x", "resign", "resign", tooltip="Give this game up."),
        Binding("c", "claim", "claim", tooltip=_CLAIM),
        Binding("p", "products", "products", tooltip=_PRODUCTS),
        Binding("i", "invite", "invite", tooltip="Show the link for your friend."),
        Binding("r", "rules", "rules", tooltip="The rules of this game."),
        Binding("escape", "leave", "leave", tooltip="Go home; the game is saved."),
    ]

    def __init__(
        self,
        environment: Environment,
        table: Table,
        link: str = "",
        *,
        errand: str = "",
    ) -> None:
        """Sit down at a table.

        ``link`` is the address of a match on a server, which the other person is sent;
        at home it is empty. ``errand`` says in a few words what one game is played for
        that is not stored, and that no other follows.
        """
        super().__init__(environment)
        self._table = table
        self._link, self._errand = link, errand
        self.session = table.session
        """The match as it is shown."""
        self._news: NewsQueue[News] = NewsQueue()
        self._here = (True, True)
        self._interrupted = ""
        self._said = self._corrected = ""
        self._game_over: GameOverScreen | None = None

    # What is shown

    def on_mount(self) -> None:
        self._table.listen(self._report)
        self.session = self._table.session
        self.say(self.waiting if self._is_waiting else self._welcome())
        self._show()
        if self._is_waiting:
            self.action_invite()
        self._go_on()
        if self._may(AllowTakeBack()):
            self._answer_take_back()

    def _welcome(self) -> str:
        if self.session.is_retry:
            return ANOTHER_TRY
        said = welcome(self.session, self._table.seats)
        return f"{WATCHING} {said}" if self._watches else said

    def _report(self, news: News) -> None:
        """Show news; those of a server come in a thread of their own."""
        if not self._link:
            self._hear(news)
        elif self._news.put(news):
            self.call_later(self._hear_all)

    def _hear_all(self) -> None:
        for news in self._news.take():
            self._hear(news)

    def on_screen_resume(self) -> None:
        """Show the end of a game that ended behind another screen."""
        self._show_game_over()

    def on_unmount(self) -> None:
        self._table.close()

    def _show(self, *, hop: bool = False) -> None:
        session, board = self.session, self.board
        where = self._errand or game_of_match(session)
        where = where or ("online" if self._link else "")
        noted = [where] if where else []
        if self._watches:
            noted = [*noted, "watching"]
        elif session.revision and not (self._table.is_stored or self._errand):
            noted = [*noted, "not saved"]
        aim = session.book.describe(session.setup.rules)
        where = " · ".join(noted)
        board.show_head(session.book.title, aim, where, self._interrupted)
        board.show_seats(seat_views(session, self._table.seats, self._here))
        keys = self.playing_keys(ShownKey("digits Enter", "play"))
        self.key_bar.show_first(*keys)
        self.show_board(hop=hop)

    def say(self, text: str, title: str = "") -> None:
        """Say something here, and on the screen of the result where that is open."""
        super().say(text, title)
        if self._game_over is not None:
            self._game_over.note(text)

    @property
    def game(self) -> Game:
        return self.session.game

    @property
    def takes_moves(self) -> bool:
        return self.session.to_move in self._table.seats and not self._is_waiting

    @property
    def _is_waiting(self) -> bool:
        return bool(self.session.empty_seats)

    @property
    def waiting(self) -> str:
        said = say_turn(self.session)
        if self._watches:
            return f"{WATCHING} {said}"
        return f"{said} {self._link}" if self._is_waiting else said

    @property
    def _watches(self) -> bool:
        """Whether others play, elsewhere."""
        return bool(self._link) and not self._table.seats

    @property
    def shows_products(self) -> bool:
        """Whether products are told: never where they are asked for."""
        wanted = self._environment.memory.preferences.products
        return wanted and not self.asks_products

    @property
    def asks_products(self) -> bool:
        return self.session.setup.lessons.mental

    @property
    def _viewer(self) -> Seat | None:
        return viewer_of(self._table.seats)

    def _may(self, ask: PlainAsk) -> bool:
        """Whether somebody here may ask for this now."""
        return any(self.session.may(seat, ask) for seat in self._table.seats)

    # What the table reports

    def _hear(self, news: News) -> None:
        match news:
            case Update():
                self._take(news)
            case PresenceChanged(here=here):
                self._here = here
                self._show()
            case Disconnected():
                self._interrupt("connection lost", DISCONNECTED)
            case TableClosed(words=words):
                self._interrupt("table closed", words)
            case Reconnected():
                self._interrupt("", RECONNECTED)
            case MatchGone(error=error):
                self._interrupt("match gone", sentence(error))
            case Skipped(session=session):
                self._follow(session)
                self.say(SKIPPED)
                self._show()
                self._show_game_over()

    def _interrupt(self, state: str, words: str) -> None:
        """Say what stops the news; the head shows it as long as it lasts."""
        self._interrupted = state
        self.say(words)
        self._show()
        if self._game_over is not None:
            self._game_over.interrupt(state)

    def _take(self, update: Update) -> None:
        session, events = update.session, update.events
        if session.revision <= self.session.revision:
            return  # it was shown when the screen was opened
        self._follow(session)
        said = announce(session, events, self._table.seats)
        # A level answers at once: what was said of one's own move stays in sight.
        self._said = " ".join(filter(None, [self._said, said]))
        corrected = corrections(session, events, self._table.seats)
        self._corrected = corrected or self._corrected
        is_pending = session.to_move not in (None, *self._table.seats)
        self.say(self._said or (say_turn(session) if is_pending else ""))
        self._show(hop=any(isinstance(event, Moved) for event in events))
        if isinstance(self.app.screen, Invitation):
            self.app.screen.follow()
        self._go_on()
        if any(isinstance(event, TakeBackAsked) for event in events):
            self._answer_take_back()

    def _follow(self, session: Session) -> None:
        """Take another session; the screen of a result closes with another game."""
        self.session = session
        self.forget_hints()
        if self._game_over is not None and not self._game_over.follow(session):
            self._game_over = None

    def _go_on(self) -> None:
        """Let a program move, or show the end; otherwise a person is to move."""
        session = self.session
        if self._is_waiting:
            return
        if session.to_move is None:
            self._show_game_over()
        elif not (self._link or self.takes_moves):
            self._let_program_move()
            return
        elif not session.setup.is_person(session.to_move):
            return
        elif self.takes_moves and session.opportunity():
            slipped = say_slipped(session, self._viewer)
            self.say(f"{self._said} {slipped}".strip(), "Coach.")
        self._said = ""
        if session.to_move is not None:
            self._corrected = ""

    @work(exclusive=True, group="level")
    async def _let_program_move(self) -> None:
        """Let a level or a bot seem to think, then move; the screen goes on."""
        session = self._table.session
        await self._environment.think()
        try:
            # Then proceed does the same at once.
            await asyncio.to_thread(self._table.prepare)
            if self._table.session is session:
                self._table.proceed()
        except NinefoldError as error:
            self.say(sentence(error))

    def _show_game_over(self) -> None:
        """Show the result, unless a question or help is open, or it is shown."""
        sessions = self.session, self._table.session
        is_over = all(session.to_move is None for session in sessions)
        if not is_over or self._game_over is not None or self.app.screen is not self:
            return
        self._game_over = GameOverScreen(
            self.session,
            self._table.seats,
            self._do,
            self._environment,
            corrected=self._corrected,
            interrupted=self._interrupted,
            bands=self._shows_bands,
            errand=self._errand,
        )
        self._corrected = ""
        self.app.push_screen(self._game_over, self._after_game)

    def _after_game(self, asked: Ask | Retry | None) -> None:
        self._game_over = None
        if asked is None:
            self.action_leave()
        elif isinstance(asked, Retry) and self._link:
            first, setup = self.game.first, self.session.setup
            table = self._environment.try_again(setup, first, asked, self)
            self.app.push_screen(TableScreen(self._environment, table))
        else:
            self._do(asked)

    # Asking for something

    def _do(self, asked: Ask) -> None:
        """Ask the table for something; it reports what came of it."""
        if not self.may_decide():
            return
        if self._link:
            self.decide(self._request(asked))
        else:
            self._settle(asked, self._ask(asked))  # a key that follows finds it done

    async def _request(self, asked: Ask) -> None:
        """Ask the table; a request to a server takes time, and stops no screen."""
        if self._link:
            refused = await asyncio.to_thread(self._ask, asked)
        else:
            refused = self._ask(asked)
        self._settle(asked, refused)

    def _ask(self, asked: Ask) -> NinefoldError | None:
        """Ask the table; return a question to be answered first, or why it is refused.

        A refusal that came with news needs no words: the news say what happened.
        """
        before = self._table.session
        try:
            self._table.do(asked)
        except NinefoldError as error:
            return error if self._table.session is before else None
        return None

    def _settle(self, asked: Ask, refused: NinefoldError | None) -> None:
        if isinstance(refused, QuestionOpen) and isinstance(asked, Move):
            self.decide(self._answer(asked, refused.question))
        elif refused is not None:
            self.say(sentence(refused))

    async def _answer(self, move: Move, question: object) -> None:
        """Have a question about a move answered, and ask again unless it is dropped."""
        clock = self._environment.clock
        again = await answer_question(self.app, self._table, move, question, clock)
        if again is not None:
            await self._request(again)

    def enter(self, entry: str) -> None:
        """Play a multiplier, or say in the rule book's words that it is none."""
        multiplier = read_entry(entry, self.game.rules)
        if isinstance(multiplier, Refusal):
            narrator = narrator_for(self.session, self._table.seats)
            self.say(narrator.refused(self.game, entry, multiplier).strip())
        else:
            self._do(Move(multiplier))

    @work(group="take-back")
    async def _answer_take_back(self) -> None:
        """Ask whether the other seat's take-back is agreed to."""
        if not self._may(AllowTakeBack()):
            return
        asked = TakeBackAsked(self._table.seats[0].other)
        asks = announce(self.session, [asked], self._table.seats)
        gives = await confirm(self.app, f"{asks} Give it back?", default=False)
        if self._may(AllowTakeBack()):
            await self._request(AllowTakeBack() if gives else DeclineTakeBack())

    # What else can be done

    def offers(self, action: str) -> bool:
        lessons = self.session.setup.lessons
        match action:
            case "hint" | "why" | "bands":
                return lessons.hints and (action == "bands" or self.takes_moves)
            case "undo":
                return self._may(TakeBack()) or self._may(CancelRequest())
            case "resign":
                return self._may(ResignGame())
            case "claim":
                return self._may_claim
            case "products":
                return not lessons.mental
        return True

    def help_for(self, action: str) -> str:
        if action == "undo" and self._link:
            return _UNDO_ONLINE
        if action == "leave" and self._link:
            return _STOP_WATCHING if self._watches else _LEAVE_ONLINE
        return _NOT_SAVED if action == "leave" and self._errand else ""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "claim":
            return not self._errand  # one claim at a time
        return action != "invite" or self._is_waiting

    def _is_agreed(self) -> bool:
        """Whether help is given while the game goes on; where it is not, say so."""
        is_agreed = self.session.setup.lessons.hints
        if not is_agreed:
            self.say(NO_HINTS)
        return is_agreed

    def action_hint(self) -> None:
        if self._is_agreed():
            super().action_hint()

    def action_bands(self) -> None:
        if self._is_agreed():
            super().action_bands()

    def action_why(self) -> None:
        """Say who wins from here, and why, with the lost bands on the line."""
        if not self._is_agreed():
            return
        if not self.takes_moves:
            self.say_waiting()
            return
        self.say(why(self.game, products=not self.asks_products), "Why.")
        self._shows_bands = True
        self.point(self._pointed)

    def action_undo(self) -> None:
        if self._watches:
            self.say_waiting()
            return
        self._do(CancelRequest() if self._may(CancelRequest()) else TakeBack())

    def action_resign(self) -> None:
        """Give the game up, once that is meant: the person to move, or who waits."""
        seats = self._table.seats
        if self._watches:
            self.say_waiting()
        elif not seats:
            self.say("Two levels are playing; nobody here can resign.")
        elif not self._may(ResignGame()):
            self._do(ResignGame())  # which says why not
        elif self.may_decide():
            self.decide(self._resign())

    async def _resign(self) -> None:
        asks = ask_to_resign(self.session, self._viewer)
        if await confirm(self.app, asks, default=False):
            await self._request(ResignGame())

    @property
    def _may_claim(self) -> bool:
        return self.session.setup.has_level and not self._link

    def action_claim(self) -> None:
        """Play out what somebody claims about a total; then the game goes on."""
        if not self._may_claim:
            self.say(NO_CLAIMS)
        elif self.may_decide():
            self.decide(self._claim())

    async def _claim(self) -> None:
        setup = self.session.setup
        read = partial(read_claim, setup.rules)

        def accept(text: str) -> str:
            read(text)
            return text

        asks = AskForText(_ASK_FOR_CLAIM, "claim", accept, "8 lost")
        text = await self.app.push_screen_wait(asks)
        if text is None:
            return
        claimed = read(text)
        walk, environment = Walk(play_out(claimed)), self._environment
        while (wanted := walk.state.play) is not None:
            table = environment.one_game(wanted, setup, self)
            errand = f"{claimed}? {wanted.caption.lower()}"
            await self.app.push_screen_wait(
                TableScreen(environment, table, errand=errand)
            )
            if table.session.game.outcome is None:
                self.say(_CLAIM_LEFT)
                return
            walk.played(table.session.game)
        self.say("\n".join(walk.said))

    def action_products(self) -> None:
        if self.asks_products:
            self.say("In mental arithmetic you work the products out yourself.")
            return
        memory = self._environment.memory
        chosen = not memory.preferences.products
        memory.keep(replace(memory.preferences, products=chosen))
        self.point(None)
        self._show()

    def action_rules(self) -> None:
        self.app.push_screen(HelpScreen(self.session.book, self.game.rules))

    def action_invite(self) -> None:
        """Show the link, as long as somebody is waited for."""
        if self._is_waiting:
            link = self._link
            drawn = "" if is_local(link) else self._environment.draw_qr(link)
            shown = Invitation(link, drawn, lambda: self._is_waiting)
            self.app.push_screen(shown)

    def action_leave(self) -> None:
        self.dismiss(None)
