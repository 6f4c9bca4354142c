"""The base of match and puzzle screens: board, keys, hints, previews."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen

from ninefold.app.environment import Environment
from ninefold.app.widgets.board import Board
from ninefold.app.widgets.footer import KeyBar, Panel, ShownKey
from ninefold.app.widgets.move_list import MoveList
from ninefold.app.widgets.multiplier_keys import (
    MultiplierEntered,
    MultiplierEntry,
    MultiplierKeys,
    MultiplierPointed,
    are_digits,
)
from ninefold.app.widgets.number_line import game_line
from ninefold.coach import hints
from ninefold.game import Game
from ninefold.text import format_set
from ninefold.views.match_text import format_bands
from ninefold.views.number_line import NumberLine, lost_bands


class BoardScreen(Screen[None]):
    """A game on a board; its multipliers are played with keys, clicks or by typing.

    Subclasses provide the game, whether a move can be made, and what an entry does.
    """

    AUTO_FOCUS = ""  # a key that is focused would draw its hop
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(str(digit), f"play({digit})", show=False) for digit in range(10)),
        Binding("left", "app.focus_previous", show=False),
        Binding("right", "app.focus_next", show=False),
        Binding("h", "hint", "hint", tooltip="Get a hint; press again for more."),
        Binding("b", "bands", "bands", tooltip="Show or hide the lost totals."),
    ]

    def __init__(self, environment: Environment) -> None:
        super().__init__()
        self._environment = environment
        self.board = Board(motion=environment.motion)
        self.panel = Panel()
        self.key_bar = KeyBar(offers=self.offers, help_for=self.help_for)
        self._keys, self._entry = MultiplierKeys(), MultiplierEntry()
        self._moves = MoveList()
        self._shows_bands = False
        self._hinted = 0
        self._pointed: int | None = None

    # What a screen provides

    @property
    @abstractmethod
    def game(self) -> Game:
        """The game on the board."""

    @property
    @abstractmethod
    def takes_moves(self) -> bool:
        """Whether a local player can move now."""

    @property
    def shows_products(self) -> bool:
        """Whether keys show the products of their moves."""
        return True

    @property
    def asks_products(self) -> bool:
        """Whether players work out the products; then hints leave them out."""
        return False

    @property
    def waiting(self) -> str:
        """Why no move can be made now, as a sentence; "" if that is obvious."""
        return ""

    @property
    def shows_endings(self) -> bool:
        """Whether keys show that their move ends the game."""
        return True

    def offers(self, action: str) -> bool:
        """Whether the key bar shows an action. A hidden one still explains itself."""
        return True

    def help_for(self, action: str) -> str:
        """Return the help text for an action; "" uses the binding's."""
        return ""

    @abstractmethod
    def enter(self, entry: str) -> None:
        """Handle an entry, which may not be a multiplier."""

    # What is shown

    def compose(self) -> ComposeResult:
        yield self.board
        yield self._keys
        yield self._entry
        yield self.panel
        yield self._moves
        yield self.key_bar

    def show_board(self, *, hop: bool = False) -> None:
        """Show the game; ``hop`` animates its last move."""
        game, live = self.game, self.takes_moves
        self.board.show_game(game, self.line(), hop=hop)
        self._moves.show(game)
        keys, entry = self._keys, self._entry
        keys.display = are_digits(game.rules.multipliers)
        entry.display = not keys.display
        products, endings = self.shows_products, self.shows_endings
        if keys.display:
            keys.show(game, products=products, endings=endings, live=live)
        else:
            entry.show(game, products=products, live=live)
        self.refresh_bindings()

    def playing_keys(self, entry: ShownKey) -> list[ShownKey]:
        """Return the keys that play; none if no move can be made.

        ``entry`` is the key of games whose multipliers are typed into a field.
        """
        if not self.takes_moves:
            return []
        multipliers = self.game.rules.multipliers
        if not are_digits(multipliers):
            return [entry]
        choose = ShownKey("← → Enter", "choose")
        return [ShownKey(format_set(multipliers), entry.label), choose]

    def line(self) -> NumberLine:
        hint = self._pointed if self.takes_moves else None
        return game_line(self.game, bands=self._shows_bands, hint=hint)

    def show_text(self, text: str, title: str = "") -> None:
        self.panel.show_text(text, title)

    def say_waiting(self) -> None:
        if self.waiting:
            self.show_text(self.waiting)

    def forget_hints(self) -> None:
        """Reset hints, for another position."""
        self._hinted, self._pointed = 0, None

    # Moves

    def action_play(self, digit: int) -> None:
        """Play a digit, or put it into the field if multipliers are longer."""
        if not self.takes_moves:
            self.say_waiting()
        elif are_digits(self.game.rules.multipliers):
            self.enter(str(digit))
        else:
            self._entry.type(str(digit))

    def on_multiplier_entered(self, event: MultiplierEntered) -> None:
        """Play the entry, unless the turn ended while it was being typed."""
        if self.takes_moves:
            self.enter(event.text)
        else:
            self.say_waiting()

    # Hints and pointing

    def action_hint(self) -> None:
        """Show the next step of a hint; the last one draws its hop."""
        if not self.takes_moves:
            self.say_waiting()
            return
        steps = hints(self.game, products=not self.asks_products)
        step = steps[min(self._hinted, len(steps) - 1)]
        self._hinted += 1
        more = " Press h for more." if self._hinted < len(steps) else ""
        self.show_text(f"{step.text}{more}", "Hint.")
        self.point(step.move)

    def action_bands(self) -> None:
        self._shows_bands = not self._shows_bands
        if self._shows_bands:
            self.show_text(format_bands(lost_bands(self.game.rules)), "Bands.")
        self.point(self._pointed)

    def on_multiplier_pointed(self, event: MultiplierPointed) -> None:
        self.point(event.multiplier if self.shows_products else None)

    def point(self, multiplier: int | None) -> None:
        """Preview a multiplier's hop; None clears the preview."""
        self._pointed = multiplier
        self.board.show_line(self.line())
