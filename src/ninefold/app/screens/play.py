"""The table: a match being played, on this machine or on a server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import ClassVar

from msgspec.structs import replace
from textual import work
from textual.binding import Binding, BindingType

from ninefold.app.announcements import announce, game_of_match, welcome
from ninefold.app.environment import Environment
from ninefold.app.screens.board import BoardScreen
from ninefold.app.screens.dialogs import (
    ConfirmDialog,
    Invitation,
    ProductDialog,
    TextDialog,
    question_dialog,
)
from ninefold.app.screens.game_over import GameOverScreen
from ninefold.app.screens.help import HelpScreen
from ninefold.app.widgets.board import seat_views
from ninefold.app.widgets.footer import ShownKey
from ninefold.errors import NinefoldError
from ninefold.game import Game
from ninefold.learning import Walk
from ninefold.learning.claims import GAMES, play_out, read_claim
from ninefold.online.links import is_local
from ninefold.playing import presenter
from ninefold.playing.scene import OpenQuestion, Scene
from ninefold.session import Moved, Session, TakeBackAsked, commands
from ninefold.session.table import Table
from ninefold.views import match_text

_CLAIM = "Claim that a total is lost or won, and prove it."
_ASK_FOR_CLAIM = (
    "Claim that the player to move at a total loses, or wins: type 8 lost, or 8 won."
    f" Then prove it: win {GAMES} games from there against Perfect."
)
_CLAIM_LEFT = "Claim cancelled. Back to your game."
_ALLOW = "Let the other player take the move back."
_DECLINE = "Decline the take-back; making a move does the same."
_NOT_SAVED = "Leave this game; it is not saved."
_PRODUCTS = "Show or hide what each key makes."
_UNDO_ONLINE = "Ask to take your last move back; press again to cancel."
_LEAVE_ONLINE = "Leave the table; your seat is saved."
_STOP_WATCHING = "Stop watching."


class TableScreen(BoardScreen):
    """Plays a match: turns keys into asks, and shows the table's news."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("w", "why", "why", tooltip="Who wins from here, and why."),
        Binding("u", "undo", "take back", tooltip="Take your last move back."),
        Binding("x", "resign", "resign", tooltip="Resign this game."),
        Binding("c", "claim", "claim", tooltip=_CLAIM),
        Binding("p", "products", "products", tooltip=_PRODUCTS),
        Binding("i", "invite", "invite", tooltip="Show the link for your friend."),
        Binding("r", "rules", "rules", tooltip="The rules of this game."),
        Binding("y", "allow", "allow it", tooltip=_ALLOW),
        Binding("n", "decline", "no, play on", tooltip=_DECLINE),
        Binding("escape", "leave", "leave", tooltip="Go home; the game is saved."),
    ]

    def __init__(
        self,
        environment: Environment,
        table: Table,
        link: str = "",
        *,
        task_title: str = "",
    ) -> None:
        """Play at a table.

        ``link`` is the link of an online match, "" for a local one. ``task_title``
        names the task of a single game that is not stored, such as a step of the path.
        """
        super().__init__(environment)
        self._table = table
        self._link, self._task_title = link, task_title
        self._presenter = presenter.Presenter(
            table,
            self._present,
            run=self._run_beside if link else presenter.at_once,
            wake=lambda: self.call_later(self._presenter.catch_up),
            clock=environment.clock,
        )
        self._message, self._continues = "", False
        """The last message, and whether the next one is appended to it: a level replies
        at once, and the text about the player's own move must stay visible."""
        self._corrected = ""
        self._game_over: GameOverScreen | None = None

    def _run_beside(
        self,
        work: Callable[[], presenter.Failure],
        done: Callable[[presenter.Failure], None],
    ) -> None:
        """Run work in a thread, because it may wait for a server."""

        async def run() -> None:
            done(await asyncio.to_thread(work))

        self.run_worker(run(), group="ask")

    @property
    def scene(self) -> Scene:
        """The scene being shown."""
        return self._presenter.scene

    @property
    def session(self) -> Session:
        return self.scene.session

    @property
    def game(self) -> Game:
        return self.session.game

    # What is shown

    def on_mount(self) -> None:
        self._presenter.open()

    def on_unmount(self) -> None:
        self._presenter.close()

    def on_screen_resume(self) -> None:
        """Show the result of a game that ended behind another screen."""
        self._show_game_over()

    def _present(self, change: presenter.Change) -> None:
        """Show a change of the presenter."""
        if isinstance(self.app.screen, ConfirmDialog | ProductDialog | Invitation):
            self.app.screen.follow()
        match change:
            case presenter.Opened(scene=scene, is_skipped=is_skipped):
                self._open(scene, is_skipped=is_skipped)
            case presenter.Happened():
                self._show_events(change)
            case presenter.TurnBegan():
                self._begin_turn(change)
            case presenter.Said():
                self._show_words(change)
            case presenter.Asked(question=question):
                self._ask(question)
            case presenter.Marked(text=text, product=product):
                self._message, self._continues = text, True
                self._corrected = "" if product.right else text
                self.show_text(text)
            case presenter.Refused(error=error):
                self.show_text(match_text.sentence(error))
            case presenter.Redrawn(scene=scene):
                self._redraw(scene)

    def _open(self, scene: Scene, *, is_skipped: bool) -> None:
        self._follow(scene)
        self._message = match_text.SKIPPED if is_skipped else self._welcome(scene)
        self.show_text(self._message)
        self._show()
        if scene.is_waiting:
            self.action_invite()
        self._show_game_over()

    def _welcome(self, scene: Scene) -> str:
        if scene.is_waiting:
            return self.waiting
        if scene.session.is_retry:
            return match_text.ANOTHER_TRY
        if scene.is_asked_for_takeback:
            return announce(scene, [TakeBackAsked(scene.seats[0].other)])
        return welcome(scene)

    def _show_events(self, happened: presenter.Happened) -> None:
        scene, events = happened.scene, happened.events
        self._follow(scene)
        text = announce(scene, events)
        before = self._message if self._continues else ""
        self._message, self._continues = (
            f"{before} {text}".strip(),
            scene.is_programs_turn,
        )
        is_pending = not scene.is_over and not scene.is_my_turn
        self.show_text(
            self._message
            or (match_text.format_turn(scene.session) if is_pending else "")
        )
        self._show(hop=any(isinstance(event, Moved) for event in events))
        self._show_game_over()

    def _begin_turn(self, turn: presenter.TurnBegan) -> None:
        """Let a program move, or show the coach's remarks to a local player."""
        if turn.scene.is_programs_turn:
            if not self._link:
                self._let_program_move()
            return
        if turn.remarks:
            remarks = " ".join(turn.remarks)
            self.show_text(f"{self._message} {remarks}".strip(), "Coach.")
        self._corrected = ""

    def _show_words(self, said: presenter.Said) -> None:
        match said.mood:
            case presenter.Mood.HINT:
                more = " Press h for more." if said.has_more else ""
                self.show_text(f"{said.text}{more}", "Hint.")
                self.point(said.move)
            case presenter.Mood.WHY:
                self.show_text(said.text, "Why.")
                self._shows_bands = True
                self.point(self._pointed)
            case presenter.Mood.COACH:
                self._message, self._continues = said.text, True
                self.show_text(said.text, "Coach.")
            case presenter.Mood.REASON:
                self._message, self._continues = said.text, True
                self.show_text(said.text)
            case presenter.Mood.PRODUCT:
                if isinstance(self.app.screen, ProductDialog):
                    self.app.screen.show_text(said.text)
            case _:
                self.show_text(said.text.strip())

    def _ask(self, question: OpenQuestion) -> None:
        # Deferred: a dialog that is still closing would swallow the answer.
        dialog = question_dialog(self._presenter, question)
        answer = self._answer if isinstance(dialog, ConfirmDialog) else None
        self.call_next(self.app.push_screen, dialog, answer)

    def _answer(self, answer: bool | None) -> None:  # noqa: FBT001 - as Textual calls it
        if answer is None:
            self._presenter.drop_question()
        else:
            self._presenter.answer(yes=answer)

    def _redraw(self, scene: Scene) -> None:
        self._show()
        if self._game_over is not None:
            self._game_over.interrupt(scene.interruption)

    def _show(self, *, hop: bool = False) -> None:
        scene, session, board = self.scene, self.session, self.board
        where = self._task_title or game_of_match(session)
        where = where or ("online" if self._link else "")
        noted = [where] if where else []
        if scene.watches:
            noted = [*noted, "watching"]
        elif session.revision and not (self._table.is_stored or self._task_title):
            noted = [*noted, "not saved"]
        aim = session.book.describe(session.setup.rules)
        where = " · ".join(noted)
        board.show_head(session.book.title, aim, where, scene.interruption)
        board.show_seats(seat_views(scene))
        keys = self.playing_keys(ShownKey("digits Enter", "play"))
        self.key_bar.show_first(*keys)
        self.show_board(hop=hop)

    def show_text(self, text: str, title: str = "") -> None:
        """Show a message here, and on the result screen if that is open."""
        super().show_text(text, title)
        if self._game_over is not None:
            self._game_over.note(text)

    @property
    def takes_moves(self) -> bool:
        return self.scene.is_my_turn

    @property
    def waiting(self) -> str:
        text = self.scene.turn_text
        is_invited = self.scene.is_waiting and not self.scene.watches
        return f"{text} {self._link}" if is_invited else text

    @property
    def shows_products(self) -> bool:
        """Whether keys show products: never in mental arithmetic."""
        are_shown = self._environment.memory.preferences.products
        return are_shown and self.scene.shows_products

    def _follow(self, scene: Scene) -> None:
        """Follow another scene; the result screen closes if its game is new."""
        self.forget_hints()
        if self._game_over is not None and not self._game_over.follow(scene):
            self._game_over = None

    @work(exclusive=True, group="level")
    async def _let_program_move(self) -> None:
        """Let a level or a bot move after a pause, without blocking the screen."""
        session = self._table.session
        await self._environment.think()
        try:
            # In a thread: afterwards the move itself takes no time.
            await asyncio.to_thread(self._presenter.precompute)
            if self._table.session is session:
                self._presenter.play_automatic_move()
        except NinefoldError as error:
            self.show_text(match_text.sentence(error))

    def _show_game_over(self) -> None:
        """Show the result, unless it is shown already or another screen is on top."""
        is_over = self.scene.is_over and self._table.session.to_move is None
        if not is_over or self._game_over is not None or self.app.screen is not self:
            return
        self._game_over = GameOverScreen(
            self.scene,
            self._presenter.ask,
            self._environment,
            corrected=self._corrected,
            bands=self._shows_bands,
            task_title=self._task_title,
        )
        self._corrected = ""
        self.call_next(self.app.push_screen, self._game_over, self._after_game)

    def _after_game(self, choice: commands.Ask | commands.Retry | None) -> None:
        self._game_over = None
        if choice is None:
            self.action_leave()
        elif isinstance(choice, commands.Retry) and self._link:
            first, setup = self.game.first, self.session.setup
            table = self._environment.try_again(setup, first, choice, self)
            self.app.push_screen(TableScreen(self._environment, table))
        else:
            self._presenter.ask(choice)

    def enter(self, entry: str) -> None:
        self._presenter.enter(entry)

    # What else can be done

    def offers(self, action: str) -> bool:
        scene = self.scene
        offered = {
            "hint": not scene.no_hint,
            "why": not scene.no_help,
            "bands": scene.gives_hints,
            "undo": scene.allows(scene.takeback),
            "resign": bool(scene.seats) and scene.allows(commands.ResignGame()),
            "claim": self._may_claim,
            "products": scene.shows_products,
        }
        return offered.get(action, True)

    def help_for(self, action: str) -> str:
        if action == "undo" and self._link:
            return _UNDO_ONLINE
        if action == "leave" and self._link:
            return _STOP_WATCHING if self.scene.watches else _LEAVE_ONLINE
        return _NOT_SAVED if action == "leave" and self._task_title else ""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        match action:
            case "claim":
                return not self._task_title  # one claim at a time
            case "allow" | "decline":
                return self.scene.is_asked_for_takeback
        return action != "invite" or self.scene.is_waiting

    def action_hint(self) -> None:
        self._presenter.hint()

    def action_bands(self) -> None:
        if self.scene.gives_hints:
            super().action_bands()
        else:
            self.show_text(match_text.NO_HINTS)

    def action_why(self) -> None:
        self._presenter.why()

    def action_undo(self) -> None:
        self._presenter.undo()

    def action_allow(self) -> None:
        self._presenter.ask(commands.AllowTakeBack())

    def action_decline(self) -> None:
        self._presenter.ask(commands.DeclineTakeBack())

    def action_resign(self) -> None:
        self._presenter.resign()

    @property
    def _may_claim(self) -> bool:
        return self.session.setup.has_level and not self._link

    def action_claim(self) -> None:
        """Ask for a claim about a total and play its games, then return here."""
        if not self._may_claim:
            self.show_text(match_text.NO_CLAIMS)
        else:
            self.run_worker(self._claim(), group="claim")

    async def _claim(self) -> None:
        setup = self.session.setup
        read = partial(read_claim, setup.rules)

        def accept(text: str) -> str:
            read(text)
            return text

        asks = TextDialog(_ASK_FOR_CLAIM, "claim", accept, "8 lost")
        text = await self.app.push_screen_wait(asks)
        if text is None:
            return
        claimed = read(text)
        walk, environment = Walk(play_out(claimed)), self._environment
        while (task := walk.state.play) is not None:
            table = environment.one_game(task, setup, self)
            title = f"{claimed}? {task.caption.lower()}"
            await self.app.push_screen_wait(
                TableScreen(environment, table, task_title=title)
            )
            if table.session.game.outcome is None:
                self.show_text(_CLAIM_LEFT)
                return
            walk.played(table.session.game)
        self.show_text("\n".join(walk.said))

    def action_products(self) -> None:
        if not self.scene.shows_products:
            self.show_text("In mental arithmetic you work out the products yourself.")
            return
        memory = self._environment.memory
        chosen = not memory.preferences.products
        memory.keep(replace(memory.preferences, products=chosen))
        self.point(None)
        self._show()

    def action_rules(self) -> None:
        self.app.push_screen(HelpScreen(self.session.book, self.game.rules))

    def action_invite(self) -> None:
        """Show the link until the other player has joined."""
        if self.scene.is_waiting:
            link = self._link
            drawn = "" if is_local(link) else self._environment.draw_qr(link)
            shown = Invitation(link, drawn, lambda: self.scene.is_waiting)
            self.app.push_screen(shown)

    def action_leave(self) -> None:
        self.dismiss(None)
