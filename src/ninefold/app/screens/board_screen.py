"""What the table and a puzzle have in common: a board, keys, hints, pointing."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen

from ninefold.app.lines import game_line
from ninefold.app.widgets.board import Board
from ninefold.app.widgets.entry import MultiplierEntry
from ninefold.app.widgets.keys import (
    DIGITS,
    MultiplierKey,
    MultiplierKeys,
    are_digits,
    faces,
)
from ninefold.app.widgets.moves import MoveList
from ninefold.app.widgets.panel import Panel
from ninefold.coach import hints
from ninefold.game import Game
from ninefold.views.number_line import NumberLine

_BANDS = "From a striped band every move loses, against best play."


class BoardScreen(Screen[None]):
    """A game on a board; its multipliers are played with keys, clicks or by typing.

    A screen that derives from it says which game, who may move, and what an entry does.
    """

    AUTO_FOCUS = ""  # a key that is focused would draw its hop
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(str(key), f"play({key})", show=False) for key in DIGITS),
        Binding("left,right", "app.focus_next", show=False),
        Binding("h", "hint", "hint"),
        Binding("b", "bands", "bands"),
    ]

    def __init__(self, *, motion: bool) -> None:
        """Take whether a hop draws itself."""
        super().__init__()
        self._motion = motion
        self._shows_bands = False
        self._hinted = 0
        self._pointed: int | None = None

    # What a screen says

    @property
    @abstractmethod
    def game(self) -> Game:
        """The game on the board."""

    @property
    @abstractmethod
    def takes_moves(self) -> bool:
        """Whether a person can move now."""

    @property
    def tells_products(self) -> bool:
        """Whether products are told before they are made."""
        return True

    @abstractmethod
    def enter(self, entry: str) -> None:
        """Do what an entry asks for: a multiplier, or anything that is none."""

    # What is shown

    def compose_board(self) -> ComposeResult:
        """Lay out the board, the keys or a field, the panel, the moves."""
        yield Board(motion=self._motion)
        yield MultiplierKeys()
        yield MultiplierEntry()
        yield Panel()
        yield MoveList()

    def show_board(self, *, hop: bool = False) -> None:
        """Show the game; ``hop`` says that its last move was just made."""
        game, live = self.game, self.takes_moves
        self.query_one(Board).show_game(game, self.line(), hop=hop)
        self.query_one(MoveList).show(game)
        keys, entry = self.query_one(MultiplierKeys), self.query_one(MultiplierEntry)
        keys.display = are_digits(game.rules.multipliers)
        entry.display = not keys.display
        if keys.display:
            keys.show(faces(game, tells=self.tells_products), live=live)
        else:
            entry.show(game, tells=self.tells_products, live=live)
        self.refresh_bindings()

    def line(self) -> NumberLine:
        """Return the line of the game with the hop that is pointed at."""
        hint = self._pointed if self.takes_moves else None
        return game_line(self.game, bands=self._shows_bands, hint=hint)

    def say(self, text: str, title: str = "") -> None:
        """Say something in the panel."""
        self.query_one(Panel).say(text, title)

    def forget_hints(self) -> None:
        """Begin hints anew, at another position."""
        self._hinted, self._pointed = 0, None

    # Moves

    def action_play(self, multiplier: int) -> None:
        """Enter a multiplier by its key."""
        self.enter(str(multiplier))

    def on_multiplier_key_pressed(self, event: MultiplierKey.Pressed) -> None:
        """Enter a multiplier that was clicked."""
        self.enter(str(event.multiplier))

    def on_multiplier_entry_entered(self, event: MultiplierEntry.Entered) -> None:
        """Enter what was typed."""
        self.enter(event.text)

    # Hints and pointing

    def action_hint(self) -> None:
        """Show the next step of a hint; the last one draws its hop."""
        steps = hints(self.game)
        step = steps[min(self._hinted, len(steps) - 1)]
        self._hinted += 1
        more = " (h: more)" if self._hinted < len(steps) else ""
        self.say(f"{step.text}{more}", "Hint.")
        self.point(step.move)

    def action_bands(self) -> None:
        """Show the lost bands, or hide them."""
        self._shows_bands = not self._shows_bands
        if self._shows_bands:
            self.say(_BANDS, "Bands.")
        self.point(self._pointed)

    def on_multiplier_key_pointed(self, event: MultiplierKey.Pointed) -> None:
        """Draw the hop of a key that is pointed at."""
        self.point(event.multiplier if self.tells_products else None)

    def on_multiplier_entry_pointed(self, event: MultiplierEntry.Pointed) -> None:
        """Draw the hop of a multiplier that is typed."""
        self.point(event.multiplier if self.tells_products else None)

    def point(self, multiplier: int | None) -> None:
        """Draw the hop of a multiplier that is not played yet; None draws none."""
        self._pointed = multiplier
        self.query_one(Board).show_line(self.line())

    def action_leave(self) -> None:
        """Leave."""
        self.dismiss(None)
