"""Prints the news of a match: its start, moves, results, who joins and leaves."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ninefold.cli.console import Console
from ninefold.cli.number_line import GameLine
from ninefold.cli.output import print_marked, print_wrapped
from ninefold.errors import (
    MoveError,
    NinefoldError,
    RequestRefused,
    ServerUnreachable,
    SessionError,
)
from ninefold.game import Seat
from ninefold.levels import LEVELS
from ninefold.playing import presenter
from ninefold.playing.scene import OpenQuestion, Scene
from ninefold.rules import Rules
from ninefold.session import (
    Began,
    Ended,
    Event,
    Moved,
    Scored,
    Seated,
    SlipQuestion,
    TakenBack,
)
from ninefold.views.match_text import SKIPPED, format_event, format_last_move, sentence

_WON = "bold green"
_SLIPPED = {"gives the win away": "bold red"}


class TableNews:
    """Prints the changes that a presenter reports."""

    def __init__(
        self, console: Console, rules: Rules, play_automatic_move: Callable[[], bool]
    ) -> None:
        """``play_automatic_move`` starts the next game, if that waits for nobody."""
        self._console = console
        self._play_automatic_move = play_automatic_move
        self.line = GameLine(console, rules)
        self.problem: NinefoldError | None = None
        """Why the match cannot be followed any more, if so."""

    def show(self, change: presenter.Change) -> None:
        """Print a change; raise its error if that ends the match at this terminal."""
        match change:
            case presenter.Opened(scene=scene, is_skipped=is_skipped):
                self._open(scene, SKIPPED if is_skipped else "")
            case presenter.Happened(scene=scene, events=events):
                self._show_events(scene, events)
            case presenter.TurnBegan():
                self._announce(change)
            case presenter.Asked(
                question=OpenQuestion(about=SlipQuestion(), text=text)
            ):
                self._print_slip(text)
            case presenter.Marked(text=text):
                self._print(text)
            case presenter.Said():
                self._show_words(change)
            case presenter.Refused():
                self._refuse(change)

    def _show_words(self, said: presenter.Said) -> None:
        if said.mood is presenter.Mood.BOOK:
            self._console.print(said.text)
        elif said.mood is presenter.Mood.COACH:
            self._print_slip(said.text)
        else:
            self._print(said.text)

    def _print(self, text: str) -> None:
        self._console.prompt.leave_line()
        print_wrapped(self._console, text)

    def _print_slip(self, text: str) -> None:
        print_wrapped(self._console, f"Coach: {text}", _SLIPPED)

    def _refuse(self, refused: presenter.Refused) -> None:
        error = refused.error
        self._console.prompt.leave_line()
        if refused.is_gone:
            self.problem = error
        elif isinstance(error, MoveError | SessionError | RequestRefused):
            self._console.print(f"{sentence(error)}\n")
        elif isinstance(error, ServerUnreachable) and self._console.interactive:
            print_wrapped(self._console, sentence(error))
        else:
            raise error

    # The match as a whole

    def _open(self, scene: Scene, before: str) -> None:
        if before:
            self._print(before)
        self._print_aim(scene)
        self._introduce_levels(scene)
        session = scene.session
        match, game = session.match, session.game
        if match.games and not match.length.is_single:
            self._console.print(scene.narrator.score(match) + "\n")
        if scene.is_waiting:
            return  # the game is opened once both seats are taken
        if not game.moves and game.outcome is None:
            tossed = session.setup.first_tossed and not match.games
            self._open_game(scene, tossed=tossed)
        elif game.outcome is None or not self._play_automatic_move():
            self._show_transcript(scene)

    def _print_aim(self, scene: Scene) -> None:
        """Print the aim of the game at a terminal; it is not part of the transcript."""
        if not self._console.at_terminal:
            return
        setup = scene.session.setup
        aim = scene.session.book.describe(setup.rules)
        print_wrapped(self._console, aim + (" Type ? for help." if scene.seats else ""))
        if not setup.has_level:
            self._console.print("\n")

    def _introduce_levels(self, scene: Scene) -> None:
        setup = scene.session.setup
        for seat in Seat:
            name, level = setup.name(seat), setup.level(seat)
            if level is not None:
                of_level = "" if name.startswith(LEVELS[level].title) else f", {level}"
                who = f"{name} is the computer{of_level}"
                print_wrapped(self._console, f"{who}: {LEVELS[level].character}")
        if setup.has_level:
            self._console.print("\n")

    def _open_game(self, scene: Scene, *, tossed: bool) -> None:
        if tossed:
            self._console.print(scene.narrator.toss(scene.session.game))
        self._console.print(scene.narrator.opening())

    def _show_transcript(self, scene: Scene) -> None:
        game = scene.session.game
        self._console.print(scene.narrator.transcript(game))
        if game.moves:
            self.line.draw(game)

    def _announce(self, turn: presenter.TurnBegan) -> None:
        scene = turn.scene
        self._console.print(scene.narrator.turn(scene.session.game))
        for remark in turn.remarks:
            self._console.print(f"Coach: {remark}\n")

    # Events

    def _show_events(self, scene: Scene, events: Iterable[Event]) -> None:
        self._console.prompt.leave_line()
        for event in events:
            self._show_event(scene, event)

    def _show_event(self, scene: Scene, event: Event) -> None:
        session, narrator = scene.session, scene.narrator
        game = session.game
        total = {str(game.total): "bold"}
        match event:
            case Began(is_retry=True):
                self._console.print("\n")
                self._show_transcript(scene)
            case Began(tossed=tossed):
                self._console.print("\n")
                if scene.remote_seats:
                    self._print_event(scene, event)
                    self._console.print("\n")
                self._open_game(scene, tossed=tossed and not scene.remote_seats)
            case Moved():
                words = narrator.played(game) or self._third_person(scene)
                print_marked(self._console, words, total)
                self.line.draw(game)
            case TakenBack():
                words = format_event(event, session, scene.viewer)
                print_marked(self._console, words, total)
                self.line.draw(game)
            case Ended(outcome=outcome):
                winner = {scene.name(outcome.winner): _WON}
                print_marked(self._console, narrator.ending(game), winner)
            case Scored():
                self._console.print("\n" + narrator.score(session.match))
            case Seated():
                self._print_event(scene, event)
                if not scene.is_waiting:
                    self._console.print("\n")
                    self._open_game(scene, tossed=session.setup.first_tossed)
            case _:
                self._print_event(scene, event)

    def _print_event(self, scene: Scene, event: Event) -> None:
        words = format_event(event, scene.session, scene.viewer)
        if words:
            print_wrapped(self._console, words)

    def _third_person(self, scene: Scene) -> str:
        """Return a move in the third person, if the next turn is on another screen."""
        session = scene.session
        is_elsewhere = session.to_move in scene.remote_seats
        return format_last_move(session) if is_elsewhere else ""
