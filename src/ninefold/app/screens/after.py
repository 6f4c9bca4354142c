"""After a game: its result, its review move by move, and what comes next."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.screen import Screen
from textual.widgets import OptionList

from ninefold.app import table_view
from ninefold.app.lines import game_line
from ninefold.app.widgets.board import Board
from ninefold.app.widgets.key_bar import KeyBar
from ninefold.app.widgets.panel import Panel
from ninefold.app.widgets.reviewed import ReviewedMoves
from ninefold.app.widgets.seats import COLOURS, SeatView
from ninefold.app.words import ending, score
from ninefold.coach import TOO_FAR, Review, Step, review
from ninefold.errors import TooLarge
from ninefold.game import Game, Seat
from ninefold.rulebooks import Rulebook
from ninefold.session import Command, Retry, Session, retry_of
from ninefold.theory import Oracle

_RETRY = "Play on from where the win was given away."


class ReviewScreen(Screen[Command | None]):
    """A game that is over, or left: the arrow keys go through its graded moves."""

    AUTO_FOCUS = "ReviewedMoves"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("b", "bands", "bands", tooltip="Lost bands on the line, or none."),
        Binding("t", "retry", "try again", tooltip=_RETRY),
        Binding("escape", "leave", "leave", tooltip="Go back."),
    ]

    def __init__(
        self,
        game: Game,
        book: Rulebook,
        names: tuple[str, str],
        *,
        levels: tuple[str | None, str | None] | None = None,
        motion: bool = False,
    ) -> None:
        """Take the game and how it is told.

        With the levels of its seats, it can be tried again from where a person gave
        the win away; the screen returns the command for that.
        """
        super().__init__()
        self._game, self._book = game, book
        self._names = dict(zip(Seat, names, strict=True))
        self._motion = motion
        self._bands = False
        self._reviewed = reviewed(game)
        self._retry: Retry | None = None
        if self._reviewed is not None and levels is not None:
            self._retry = retry_of(self._reviewed, levels)
        self._at = len(game.moves)

    def compose(self) -> ComposeResult:
        """Lay out the board, and below it the moves beside what is said of them."""
        yield Board(motion=self._motion)
        with Horizontal(id="review"):
            yield ReviewedMoves()
            yield Panel()
        yield KeyBar(*self.first_keys())

    def first_keys(self) -> tuple[tuple[str, str], ...]:
        """Return the keys to be shown first."""
        return ()

    def on_mount(self) -> None:
        """Show the end of the game."""
        if self._reviewed is not None:
            self.query_one(ReviewedMoves).show(self._reviewed)
        self._show(hop=self._motion)
        self.say_result()

    def say_result(self) -> None:
        """Say where the game turned."""
        self.query_one(Panel).say(self.story())

    def story(self) -> str:
        """Tell where the game turned, if that can be seen."""
        if self._reviewed is None:
            return TOO_FAR
        told = [self._reviewed.story(self._names)]
        if (
            self._reviewed.resignation is not None
            and self._reviewed.turning_point is not self._reviewed.resignation
        ):
            told.append(self._reviewed.resignation.comment(self._names))
        return " ".join(told)

    def seats(self) -> dict[Seat, SeatView]:
        """Return what both cards show."""
        outcome = self._game.outcome
        winner = None if outcome is None else outcome.winner
        return {
            seat: SeatView(name, "won" if seat is winner else "", won=seat is winner)
            for seat, name in self._names.items()
        }

    def where(self) -> str:
        """Say where in a match the game stands."""
        return ""

    def _show(self, *, hop: bool = False) -> None:
        game = self._game
        if self._at < len(game.moves):
            game = Game.replay(game.rules, game.moves[: self._at], game.first)
        board = self.query_one(Board)
        board.show_head(self._book.title, self._book.describe(game.rules), self.where())
        board.show_seats(self.seats())
        turn = None if self._reviewed is None else self._reviewed.turning_point
        number = turn.number if isinstance(turn, Step) else None
        line = game_line(game, bands=self._bands, turning_point=number)
        board.show_game(game, line, hop=hop)

    def on_option_list_option_highlighted(
        self, event: OptionList.OptionHighlighted
    ) -> None:
        """Show the game after the marked move, and what the move was worth."""
        if self._reviewed is None or event.option_index + 1 == self._at:
            return
        self._at = event.option_index + 1
        step = self._reviewed.steps[event.option_index]
        self._show()
        name = self._names[step.seat]
        self.query_one(Panel).say(step.comment, f"Move {step.number}, {name}.")

    def action_bands(self) -> None:
        """Show the lost bands, or hide them."""
        self._bands = not self._bands
        self._show()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 - Textual's own
        """Offer another try only where somebody slipped."""
        return self._retry is not None if action == "retry" else True

    def action_retry(self) -> None:
        """Try again from where the game turned."""
        self.dismiss(self._retry)

    def action_leave(self) -> None:
        """Leave."""
        self.dismiss(None)


class AfterScreen(ReviewScreen):
    """The end of a game: the result first, then a rematch, a review, another try."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "next", "go on", show=False, priority=True),
    ]

    def __init__(self, session: Session, told: str = "", *, motion: bool) -> None:
        """Take the session after the end of a game, and how a product was answered."""
        setup = session.setup
        super().__init__(
            session.game, session.book, setup.names, levels=setup.levels, motion=motion
        )
        self._session = session
        self._told = told
        self._next = (
            session.next_game() if not session.match.over else session.rematch()
        )
        self.add_class("-after")

    def first_keys(self) -> tuple[tuple[str, str], ...]:
        """Return Enter with what it begins, and who starts then."""
        kind = "rematch" if self._session.match.over else "next game"
        starter = self._session.setup.name(self._next.first)
        return (("Enter", f"{kind} ({starter} starts)"),)

    def say_result(self) -> None:
        """Say who won, in the rule book's words, and where the game turned.

        How the last product was answered is another matter, and stands apart.
        """
        session = self._session
        stands = score(session.match, session.setup.names)
        told = " ".join(filter(None, (stands, self.story())))
        apart = f"\n\n{self._told}" if self._told else ""
        outcome = session.game.outcome
        colour = "$foreground" if outcome is None else COLOURS[outcome.winner]
        self.query_one(Panel).say(
            f"{told}{apart}", ending(session), apart=True, colour=colour
        )

    def seats(self) -> dict[Seat, SeatView]:
        """Return the seats, the winner's filled."""
        return table_view.seats(self._session)

    def where(self) -> str:
        """Say which game of the match it was."""
        return table_view.where(self._session)

    def action_next(self) -> None:
        """Begin the next game, or a rematch."""
        self.dismiss(self._next)


def reviewed(game: Game, oracle: Oracle | None = None) -> Review | None:
    """Review a game; None where it goes further than can be seen."""
    try:
        return review(game, oracle)
    except TooLarge:
        return None
