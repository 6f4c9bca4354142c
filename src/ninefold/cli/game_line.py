"""The number line of the game being played, drawn below a move."""

from __future__ import annotations

from itertools import islice

from ninefold.cli.console import Console
from ninefold.cli.drawing import draw_line
from ninefold.cli.layout import say_wrapped
from ninefold.coach import TOO_FAR
from ninefold.errors import TooLarge
from ninefold.game import Game
from ninefold.rules import Rules
from ninefold.theory import Band, oracle_for
from ninefold.views.number_line import number_line, write_band
from ninefold.views.number_line_text import Role, draw_text

_LEAST_COLUMNS, _MOST_COLUMNS = 60, 80
_LEAST_ROWS = 15
_MOST_BANDS = 40
_CHARACTERS = "─├┤▒◉●■╭┬╮×"
_STYLES = {
    Role.FIRST: "cyan",
    Role.SECOND: "magenta",
    Role.TURN: "bold red",
    Role.BAND: "yellow",
    Role.TOTAL: "bold",
}


class GameLine:
    """Draws the line where there is room, and the lost bands if they are asked for."""

    def __init__(self, console: Console, rules: Rules) -> None:
        """Take the screen and the rules that are played."""
        self._console = console
        self._rules = rules
        self._bands: tuple[Band, ...] = ()

    @property
    def _has_room(self) -> bool:
        console = self._console
        return (
            console.at_terminal
            and not console.plain
            and console.columns >= _LEAST_COLUMNS
            and console.rows >= _LEAST_ROWS
            and console.can_show(_CHARACTERS)
        )

    def draw(self, game: Game) -> None:
        """Draw the hops so far; nothing where there is no room."""
        if not self._has_room:
            return
        width = min(self._console.columns, _MOST_COLUMNS) - 1
        for row in draw_text(number_line(self._rules, self._bands, game), width):
            styled = [(piece.text, _STYLES.get(piece.role, "")) for piece in row]
            if self._console.colours:
                draw_line(self._console, styled)
            else:
                self._console.say("".join(text for text, _ in styled) + "\n")

    def show_bands(self, game: Game) -> None:
        """Show the lost bands from now on, or hide them again; say which they are."""
        if self._bands:
            self._bands = ()
            self._console.say("The lost totals are hidden again.\n")
            return
        try:
            bands = islice(oracle_for(self._rules).lost_bands(), _MOST_BANDS)
            self._bands = tuple(bands)
        except TooLarge:
            self._console.say(f"{TOO_FAR}\n")
            return
        self.draw(game)
        names = ", ".join(write_band(band) for band in self._bands)
        said = f"Whoever must move loses at {names}." if names else "No total is lost."
        say_wrapped(self._console, said)
