"""After a game: the result, a review move by move, and what comes next."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from msgspec.structs import replace
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import Screen
from textual.widgets import OptionList

from ninefold.app.announcements import ending, game_of_match, score
from ninefold.app.environment import Environment
from ninefold.app.screens.practice import PracticeScreen
from ninefold.app.theme import LOOKS
from ninefold.app.widgets.board import Board, SeatView, seat_views
from ninefold.app.widgets.footer import KeyBar, Panel, ShownKey
from ninefold.app.widgets.form_fields import MarkedList
from ninefold.app.widgets.move_list import COLOURS, MARKS
from ninefold.app.widgets.number_line import game_line
from ninefold.coach import TOO_FAR, GradedMove, Review, try_review
from ninefold.game import Game, Seat
from ninefold.learning import Walk, known_facts, mastery, practise_game
from ninefold.playing.scene import Offer, OfferKind, Scene, retry_offer
from ninefold.rulebooks import Rulebook
from ninefold.session import Ask, CancelRequest, Retry
from ninefold.text import format_product
from ninefold.views.match_text import NOTHING_TO_PRACTISE
from ninefold.views.review import format_grade, format_story

_LONGEST_NAME = 16
_RETRY = "Play on from where the win was given away."
_PRACTISE = "Practise your slips and the products of this game."
_CANCEL = "Cancel the request for a rematch."
_KEYS = {
    OfferKind.NEXT: ("Enter", "enter", ""),
    OfferKind.CANCEL: ("u", "u", _CANCEL),
    OfferKind.PRACTISE: ("p", "p", _PRACTISE),
}
"""For each kind of offer: the key's name, the key that a click presses, its help."""
_BY_MOVES = "Review the game: every move, graded."


class ReviewedMoves(MarkedList):
    """Lists the moves and, below the last one, the result.

    The arrow keys move the mark.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "left", "cursor_up", "move by move", key_display="← →", tooltip=_BY_MOVES
        ),
        Binding("right", "cursor_down", show=False),
        Binding("pagedown", "app.read(1)", "scroll", key_display="PgDn PgUp"),
        Binding("pageup", "app.read(-1)", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._rows: list[Content] = []

    def show(self, review: Review) -> None:
        """List the moves of a review and mark its result."""
        if not review.steps:
            return
        turn = review.turning_point
        products = [format_product(s.total, s.multiplier) for s in review.steps]
        width = max(map(len, products))
        self._rows = [
            _row(step, f"{product:<{width}}", format_grade(step, turn))
            for step, product in zip(review.steps, products, strict=True)
        ]
        is_over = review.game.outcome is not None
        self._rows.append(Content("   the result" if is_over else "   so far"))
        self.add_options(map(self.prompt, range(len(self._rows))))
        self.highlighted = len(review.steps)

    def action_cursor_up(self) -> None:
        if self.highlighted:
            super().action_cursor_up()

    def action_cursor_down(self) -> None:
        if self.highlighted is not None and self.highlighted + 1 < len(self._rows):
            super().action_cursor_down()

    def row(self, index: int) -> Content:
        return self._rows[index]


def _row(step: GradedMove, product: str, grade: str) -> Content:
    look = LOOKS[step.grade]
    return Content.assemble(
        (f"{step.number:>2} ", "$soft"),
        (f"{MARKS[step.seat]} ", COLOURS[step.seat]),
        f"{product}  ",
        (f"{look.glyph} {grade}", look.style),
    )


class ReviewScreen(Screen[Ask | Retry | None]):
    """Reviews a finished or unfinished game: the arrow keys go through its moves."""

    AUTO_FOCUS = "ReviewedMoves"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("b", "bands", "bands", tooltip="Show or hide the lost totals."),
        Binding("t", "retry", show=False),
        Binding("escape", "dismiss", "leave", tooltip="Go back."),
    ]

    def __init__(
        self,
        game: Game,
        book: Rulebook,
        names: tuple[str, str],
        *,
        levels: tuple[str | None, str | None],
        given_back: tuple[int, int],
        motion: bool = False,
        bands: bool = False,
    ) -> None:
        """Review a game, with the wording of its rule book; ``bands`` shows lost bands.

        If a person gave the win away, the game can be retried from there; the screen
        returns the command for that.
        """
        super().__init__()
        self._game, self._book = game, book
        self._names = dict(zip(Seat, names, strict=True))
        self._levels, self._given_back = levels, given_back
        self._ending = ending(game, book, names)
        self._board, self._moves = Board(motion=motion), ReviewedMoves()
        self._panel, self._key_bar = Panel(), KeyBar()
        self._bands, self._interrupted = bands, ""
        self._reviewed = try_review(game)
        self._retry: Offer | None = None
        if self._reviewed is not None:
            self._retry = retry_offer(self._reviewed, levels)
        self._step: GradedMove | None = None
        """The marked move; None for the result."""

    def compose(self) -> ComposeResult:
        yield self._board
        with Horizontal(id="review"):
            yield self._moves
            yield self._panel
        yield self._key_bar

    def first_keys(self) -> list[ShownKey]:
        if self._retry is None:
            return []
        return [ShownKey("t", self._retry.label.fill(), "t", _RETRY)]

    def _follow(self) -> None:
        self._key_bar.show_first(*self.first_keys())

    def on_mount(self) -> None:
        if self._reviewed is not None:
            self._moves.show(self._reviewed)
        self._show(hop=True)
        self.show_result()
        self._follow()

    def show_result(self) -> None:
        """Show why the game is over and who won; below, its turning point."""
        outcome = self._game.outcome
        colour = "$foreground" if outcome is None else COLOURS[outcome.winner]
        story = self.story()
        self._panel.show_text(story, self._ending, apart=True, colour=colour)

    def story(self) -> str:
        if self._reviewed is None:
            return TOO_FAR
        return format_story(self._reviewed, self._names, self._given_back)

    def seats(self) -> dict[Seat, SeatView]:
        outcome = self._game.outcome
        winner = None if outcome is None else outcome.winner
        return {
            seat: SeatView(name, "won" if seat is winner else "", won=seat is winner)
            for seat, name in self._names.items()
        }

    def where(self) -> str:
        return ""

    def _show(self, *, hop: bool = False) -> None:
        game, step = self._game, self._step
        if step is not None and step.number < len(game.moves):
            game = Game.replay(game.rules, game.moves[: step.number], game.first)
        board = self._board
        aim = self._book.describe(game.rules)
        board.show_head(self._book.title, aim, self.where(), self._interrupted)
        board.show_seats(self.seats())
        turn = None if self._reviewed is None else self._reviewed.turning_point
        number = turn.number if isinstance(turn, GradedMove) else None
        line = game_line(game, bands=self._bands, turning_point=number)
        board.show_game(game, line, hop=hop)

    def on_option_list_option_highlighted(
        self, event: OptionList.OptionHighlighted
    ) -> None:
        """Show the game after the marked move, with the move's grade."""
        steps = () if self._reviewed is None else self._reviewed.steps
        at = event.option_index
        step = steps[at] if at < len(steps) else None
        if step is self._step:
            return  # the result, which is shown from the start
        self._step = step
        self._show()
        if step is None:
            self.show_result()
        else:
            name = self._names[step.seat]
            self._panel.show_text(step.comment, f"Move {step.number}, {name}.")
        self._follow()

    def action_bands(self) -> None:
        self._bands = not self._bands
        self._show()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return self._retry is not None if action == "retry" else True

    def action_retry(self) -> None:
        if self._retry is not None and isinstance(self._retry.ask, Retry):
            self.dismiss(self._retry.ask)


class GameOverScreen(ReviewScreen):
    """The end of a game: the result, then rematch, review or retry.

    Online, the next game starts once it is stored on the server, a rematch once both
    agree. Until then the screen stays open and follows the session.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "next", "continue", show=False, priority=True),
        Binding("p", "practise", show=False),
        Binding("u", "cancel", show=False),
    ]

    def __init__(
        self,
        scene: Scene,
        ask: Callable[[Ask], None],
        environment: Environment,
        *,
        corrected: str = "",
        bands: bool = False,
        task_title: str = "",
    ) -> None:
        """Show the end of a scene's game.

        ``corrected`` is the correction of the last product; ``ask`` submits an ask
        while the screen stays open. With a ``task_title`` the only offer is to
        continue: bands and better moves might be the solution of the task.
        """
        session, setup = scene.session, scene.session.setup
        super().__init__(
            session.game,
            session.book,
            setup.names,
            levels=setup.levels,
            given_back=session.given_back,
            motion=environment.motion,
            bands=bands,
        )
        self._scene, self._ask = scene, ask
        self._note, self._interrupted = corrected, scene.interruption
        self._environment, self._task_title = environment, task_title
        if task_title and self._reviewed is not None:
            steps = tuple(replace(step, slip=None) for step in self._reviewed.steps)
            self._reviewed = replace(self._reviewed, steps=steps, resignation=None)
        self._retry = None if task_title else scene.retry_offer
        self._is_past = False

    def follow(self, scene: Scene) -> bool:
        """Follow another scene; close and return False if its game is another one."""
        self._is_past = scene.session.game != self._game
        if not self._is_past:
            self._scene = scene
        self.on_screen_resume()
        return not self._is_past

    def on_screen_resume(self) -> None:
        """Close or update the keys, unless another screen is on top."""
        if self.app.screen is not self:
            return
        if self._is_past:
            self.app.pop_screen()
        else:
            self._follow()

    def interrupt(self, state: str) -> None:
        """Show what interrupts the match; "" ends the interruption."""
        self._interrupted = state
        self._show()

    def note(self, text: str) -> None:
        self._note = text
        if self._step is None:
            self.show_result()

    def first_keys(self) -> list[ShownKey]:
        if self._task_title:
            return [ShownKey("Enter", "continue", "enter")]
        keys = [
            ShownKey(name, offer.label.fill(_short), key, tooltip)
            for offer in self._scene.offers
            if offer.is_open and offer.kind in _KEYS
            for name, key, tooltip in [_KEYS[offer.kind]]
        ]
        return [*keys, *super().first_keys()]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "bands" and self._task_title:
            return False
        return super().check_action(action, parameters)

    def story(self) -> str:
        session = self._scene.session
        stands = score(session.match, session.setup.names)
        text = f"{stands} {super().story()}".strip()
        return f"{self._note}\n\n{text}" if self._note else text

    def seats(self) -> dict[Seat, SeatView]:
        return seat_views(self._scene)

    def where(self) -> str:
        return self._task_title or game_of_match(self._scene.session)

    # What comes next

    def action_practise(self) -> None:
        loser, setup = self._scene.loser, self._scene.session.setup
        if loser is None or self._task_title:
            return
        answering = self._environment.answering(self, setup.name(loser))
        known = known_facts(mastery(answering.earlier))
        items = practise_game(self._game, loser, setup.book, known)
        if not items:
            self.note(NOTHING_TO_PRACTISE)
            return
        shown = PracticeScreen(answering, Walk.of(items))
        self.app.push_screen(shown, self._after_practice)

    def _after_practice(self, gained: str | None) -> None:
        if gained:
            self.note(gained)

    def action_next(self) -> None:
        offer = self._scene.next_offer
        if self._task_title:
            self.dismiss(None)
        elif offer is None or offer.ask is None:
            return
        elif self._scene.session.setup.all_seated:
            self.dismiss(offer.ask)
        else:
            self._ask(offer.ask)

    def action_cancel(self) -> None:
        if self._scene.allows(CancelRequest()):
            self._ask(CancelRequest())


def _short(name: str) -> str:
    return Content(name).truncate(_LONGEST_NAME, ellipsis=True).plain
