"""Puzzles: positions where exactly one multiplier wins."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import ClassVar

from textual.binding import Binding, BindingType

from ninefold.app.environment import Environment
from ninefold.app.screens.board import BoardScreen
from ninefold.app.screens.help import HelpScreen
from ninefold.app.widgets.board import SeatView
from ninefold.app.widgets.footer import ShownKey
from ninefold.app.widgets.number_line import game_line
from ninefold.coach import hints
from ninefold.game import Game
from ninefold.learning import (
    PUZZLE_LEVELS,
    Puzzle,
    Walk,
    puzzle_item,
)
from ninefold.rulebooks import Rulebook
from ninefold.views.answer_recorder import AnswerRecorder
from ninefold.views.number_line import NumberLine
from ninefold.views.practice import choose_puzzles, format_response, recent_games
from ninefold.views.progress import names_of

_FIRST_LEVEL = 2
_ROOM_FOR_AIM = 4
"""The least rows of a panel that show the aim above a message."""


class PuzzleScreen(BoardScreen):
    """Asks one puzzle after another: own slips, then due puzzles, then new ones."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "go_on", "next puzzle", key_display="Enter"),
        Binding("n", "next", "another", tooltip="Skip to another puzzle."),
        Binding("r", "rules", "rules", tooltip="The rules of this game."),
        Binding("plus,equals_sign", "level(1)", "harder", key_display="+"),
        Binding("minus", "level(-1)", "easier", key_display="-"),
        Binding("escape", "dismiss", "leave"),
    ]

    def __init__(self, environment: Environment) -> None:
        super().__init__(environment)
        self._random = Random(environment.seed())
        self._level = _FIRST_LEVEL
        self._puzzles: Iterator[tuple[Puzzle, str]] = iter(())
        self._saw_bands = False
        self._book: Rulebook | None = None
        self._answering: AnswerRecorder
        self._walk = Walk.of(())
        self.puzzle: Puzzle
        """The current puzzle; set when the screen is mounted."""

    def on_mount(self) -> None:
        self._answering = self._environment.answering(self)
        self._begin()

    def _begin(self, level: int | None = None) -> None:
        """Choose puzzles for the learner, optionally of one level; ask the first."""
        who = self._answering
        games = self._environment.read(recent_games, self) or ()
        self._puzzles = choose_puzzles(
            games, names_of(who.learner), who.answers, who.at, self._random, level=level
        )
        self.action_next()

    # What is shown

    @property
    def game(self) -> Game:
        return self.puzzle.game

    @property
    def takes_moves(self) -> bool:
        return not self._solved

    @property
    def _solved(self) -> bool:
        return self._walk.state.is_over

    @property
    def shows_endings(self) -> bool:
        """Whether keys show that they win or lose: before it is solved, no spoilers."""
        return self._solved

    def line(self) -> NumberLine:
        hint = self.puzzle.answer if self._solved else self._pointed
        return game_line(self.game, bands=self._shows_bands, hint=hint)

    def _ask(self, puzzle: Puzzle, origin: str = "") -> None:
        self.puzzle, self._book = puzzle, puzzle.rulebook
        self._level = puzzle.level
        self._walk = Walk.of([puzzle_item(puzzle)])
        self._saw_bands = self._shows_bands = False
        self.forget_hints()
        self._answering.begin()
        self._show()
        asks = f"{origin} {puzzle.question}".strip()
        self.panel.show_text(asks, puzzle.aim, apart=True)

    def _show(self) -> None:
        puzzle, board = self.puzzle, self.board
        title = "Puzzle" if self._book is None else f"Puzzle: {self._book.title}"
        board.show_head(title, "", f"level {puzzle.level}")
        keys = self.playing_keys(ShownKey("Enter", "answer", "enter"))
        self.key_bar.show_first(*keys)
        note = "solved" if self._solved else "your move"
        you = SeatView("You", note, moves=not self._solved, won=self._solved)
        mover = self.game.to_move
        board.show_seats({mover: you, mover.other: SeatView("The other player")})
        self.show_board()

    def show_text(self, text: str, title: str = "") -> None:
        """Show a message; it replaces the aim if there is no room for both."""
        message = f"{title} {text}".strip()
        has_room = self.panel.size.height >= _ROOM_FOR_AIM
        self.panel.show_text(message, self.puzzle.aim if has_room else "", apart=True)

    # Answers

    def enter(self, entry: str) -> None:
        if self._solved:
            return
        state = self._walk.answer(entry)
        self._answering.add(*state.answers, hinted=self._saw_bands)
        self.show_text("\n".join(format_response(state.entered)))
        if state.entered is not None and state.entered.given:
            self._shows_bands |= self._solved
            self._pointed = int(state.entered.given)
            self._show()

    def action_hint(self) -> None:
        """Show the next step of a hint after a try; the last one draws its hop."""
        (text,) = format_response(self._walk.help().entered)
        steps = {step.text: step.move for step in hints(self.game)}
        self.show_text(text, "Hint." if text in steps else "")
        self.point(steps.get(text, self._pointed))

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
        self._ask(*next(self._puzzles))

    action_go_on = action_next

    def action_bands(self) -> None:
        """Show or hide the lost bands; seeing them counts as a hint."""
        self._saw_bands = True
        super().action_bands()

    def action_level(self, step: int) -> None:
        """Switch to harder or easier puzzles."""
        self._level += step
        self._begin(self._level)
