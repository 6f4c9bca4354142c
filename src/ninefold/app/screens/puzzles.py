"""Puzzles: positions at which exactly one multiplier wins."""

from __future__ import annotations

from random import Random
from typing import ClassVar

from textual.binding import Binding, BindingType

from ninefold.app.environment import SURFACE, Environment, latest_setup, warn
from ninefold.app.screens.board import BoardScreen
from ninefold.app.screens.help import HelpScreen
from ninefold.app.widgets.board import SeatView
from ninefold.app.widgets.footer import ShownKey
from ninefold.app.widgets.number_line import game_line
from ninefold.errors import NinefoldError
from ninefold.game import Game, Seat
from ninefold.learning import (
    PUZZLE_LEVELS,
    Activity,
    Puzzle,
    check,
    due_puzzles,
    make_puzzle,
    read_puzzle,
)
from ninefold.rulebooks import Rulebook
from ninefold.rulebooks.entries import Refusal, read_entry
from ninefold.store import Store
from ninefold.text import write_set
from ninefold.views.number_line import NumberLine
from ninefold.views.words import sentence

_FIRST_LEVEL = 2


class PuzzleScreen(BoardScreen):
    """Asks one puzzle after another; those that were missed and are due come first."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "go_on", "next puzzle", key_display="Enter"),
        Binding("n", "next", "another", tooltip="Leave this one, ask another."),
        Binding("r", "rules", "rules", tooltip="The rules of this game."),
        Binding("plus,equals_sign", "level(1)", "harder", key_display="+"),
        Binding("minus", "level(-1)", "easier", key_display="-"),
        Binding("escape", "dismiss", "leave"),
    ]

    def __init__(self, environment: Environment) -> None:
        super().__init__(environment)
        self._random = Random(environment.seed())
        self._level = _FIRST_LEVEL
        self._learner = str(Seat.ONE)
        self._due: list[str] = []
        self._is_due = self._tried = self._solved = False
        self._began = 0.0
        self._book: Rulebook | None = None
        self.puzzle: Puzzle
        """The puzzle that is asked, from the moment that the screen is open."""

    def _look_up(self, store: Store) -> None:
        """Find out who solves, and which puzzles are due."""
        setup = latest_setup(store, against_level=True)
        if setup is not None:
            self._learner = setup.learner
        answers = store.answers(store.learner(self._learner).id)
        self._due = due_puzzles(answers, store.now())

    def on_mount(self) -> None:
        self._environment.read(self._look_up, self)
        self._ask(self._next_puzzle())

    # What is shown

    @property
    def game(self) -> Game:
        return self.puzzle.game

    @property
    def takes_moves(self) -> bool:
        return not self._solved

    @property
    def shows_endings(self) -> bool:
        """Whether keys say that they win or lose: that would be the answer."""
        return self._solved

    def line(self) -> NumberLine:
        hint = self.puzzle.answer if self._solved else self._pointed
        return game_line(self.game, bands=self._shows_bands, hint=hint)

    def _ask(self, puzzle: Puzzle) -> None:
        self.puzzle, self._book = puzzle, puzzle.rulebook
        self._tried = self._solved = self._shows_bands = False
        self.forget_hints()
        self._began = self._environment.clock()
        self._show()
        again = "You missed this one before. " if self._is_due else ""
        self.say(f"{again}{puzzle.question}")

    def _next_puzzle(self) -> Puzzle:
        self._is_due = True
        while self._due:
            try:
                return read_puzzle(self._due.pop(0))
            except NinefoldError as error:
                warn(self.app, sentence(error))
        self._is_due = False
        return make_puzzle(self._random, self._level)

    def _show(self) -> None:
        puzzle, board = self.puzzle, self.board
        title = "Puzzle" if self._book is None else f"Puzzle: {self._book.title}"
        due = f" · {len(self._due)} more due" if self._due else ""
        board.show_head(title, "", f"level {puzzle.level}{due}")
        keys = self.playing_keys(ShownKey("Enter", "answer", "enter"))
        self.key_bar.show_first(*keys)
        note = "solved" if self._solved else "your move"
        you = SeatView("You", note, moves=not self._solved, won=self._solved)
        mover = self.game.to_move
        board.show_seats({mover: you, mover.other: SeatView("The other player")})
        self.show_board()

    def say(self, text: str, title: str = "") -> None:
        """Say something below the aim, which is part of every question."""
        said = f"{title} {text}".strip()
        self.panel.say(said, self.puzzle.aim, apart=True)

    # Answering

    def enter(self, entry: str) -> None:
        if self._solved:
            return
        multiplier = read_entry(entry, self.game.rules)
        if isinstance(multiplier, Refusal):
            self.say(f"Choose one of {write_set(self.game.rules.multipliers)}.")
            return
        attempt = check(self.puzzle, multiplier)
        if not self._tried:
            self._keep(multiplier, right=attempt.right)
        self._tried = True
        self._solved = attempt.right
        self._shows_bands |= attempt.right
        self._pointed = multiplier
        self.say(attempt.comment)
        self._show()

    def _keep(self, multiplier: int, *, right: bool) -> None:
        """Keep the first answer; the later ones know why it was wrong."""

        def add(store: Store) -> None:
            store.add_answer(
                store.learner(self._learner).id,
                self.puzzle.key,
                str(multiplier),
                right=right,
                activity=Activity.PUZZLE,
                seconds=self._environment.clock() - self._began,
                hinted=self._hinted > 0,
                surface=SURFACE,
            )

        self._environment.read(add, self)

    # What else can be done

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        match action, parameters:
            case "hint", _:
                return not self._solved
            case "go_on", _:
                return self._solved
            case "rules", _:
                return self._book is not None
            case "level", (int(step),):
                return self._level + step in PUZZLE_LEVELS
            case _:
                return True

    def action_rules(self) -> None:
        self.app.push_screen(HelpScreen(self._book, self.game.rules))

    def action_next(self) -> None:
        self._ask(self._next_puzzle())

    action_go_on = action_next

    def action_bands(self) -> None:
        """Show the lost bands, or hide them; seeing them is a hint."""
        self._hinted = max(self._hinted, 1)
        super().action_bands()

    def action_level(self, step: int) -> None:
        """Ask harder puzzles, or easier ones; those that are due wait meanwhile."""
        self._level += step
        self._is_due = False
        self._ask(make_puzzle(self._random, self._level))
