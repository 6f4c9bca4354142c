"""The number line in a terminal: below a move, and as the map of lost totals."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from ninefold.cli.console import Console
from ninefold.cli.output import draw_line, print_wrapped, width_of
from ninefold.coach import TOO_FAR
from ninefold.game import Game
from ninefold.rules import Rules
from ninefold.theory import Band
from ninefold.theory.explanation_sentences import NO_MISTAKE
from ninefold.views.band_map import MOST_BANDS, BandMap, column_of, kinds_of_columns
from ninefold.views.match_text import NOTHING_LOST
from ninefold.views.number_line import format_band, lost_bands, number_line
from ninefold.views.number_line_text import Role, draw_text

_LEAST_COLUMNS, _MOST_COLUMNS = 60, 80
_LEAST_ROWS = 15
_CHARACTERS = "─├┤▒◉●■╭┬╮×"
_ROLE_STYLES = {
    Role.FIRST: "cyan",
    Role.SECOND: "magenta",
    Role.TURN: "bold red",
    Role.BAND: "yellow",
    Role.TOTAL: "bold",
}
_MARK = "mark"
_UNICODE = {"lost": "▒", "won": "·", "unknown": "?", "both": "░", _MARK: "╵"}
_ASCII = {"lost": "#", "won": ".", "unknown": "?", "both": "%", _MARK: "'"}
_KIND_STYLES = {"lost": "red", "won": "green", "unknown": "dim", "both": "yellow"}
_LEGEND = {
    "lost": f"lost: from here every move loses, {NO_MISTAKE}",
    "won": "won: from here you can win",
    "both": "lost and won, too close together to draw",
    "unknown": f"not drawn: there are more than {MOST_BANDS} lost bands",
    _MARK: "a total that can come up",
}
_MOST_BANDS_NAMED = 12


class GameLine:
    """Draws a game below its moves if there is room; lost bands on request."""

    def __init__(self, console: Console, rules: Rules) -> None:
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
        """Draw the moves so far as hops, if there is room."""
        if not self._has_room:
            return
        width = min(self._console.columns, _MOST_COLUMNS) - 1
        for row in draw_text(number_line(self._rules, self._bands, game), width):
            styled = [(piece.text, _ROLE_STYLES.get(piece.role, "")) for piece in row]
            draw_line(self._console, styled)

    def show_bands(self, game: Game) -> None:
        """Show the lost bands and list them; or hide them, if they are shown."""
        if self._bands:
            self._bands = ()
            self._console.print("The lost totals are hidden.\n")
            return
        bands = lost_bands(self._rules)
        if bands is None:
            self._console.print(f"{TOO_FAR}\n")
            return
        self._bands = bands
        self.draw(game)
        names = [format_band(band) for band in bands[:_MOST_BANDS_NAMED]]
        if len(bands) > _MOST_BANDS_NAMED:
            names.append("and so on")
        text = NOTHING_LOST
        if names:
            text = f"From these totals every move loses: {', '.join(names)}."
        print_wrapped(self._console, text)


def draw_strip(console: Console, heading: str, band_map: BandMap) -> None:
    """Draw the map of a game: strip, scale and legend; then list the lost totals."""
    if console.plain:
        _print_bands(console, heading, band_map)
        return
    width = width_of(console)
    glyphs = _UNICODE if console.can_show("".join(_UNICODE.values())) else _ASCII
    kinds = [kind.value for kind in kinds_of_columns(band_map, width)]
    print_wrapped(console, heading)
    console.print("\n")
    draw_line(
        console,
        (
            (glyphs[kind] * len(list(run)), _KIND_STYLES[kind])
            for kind, run in groupby(kinds)
        ),
    )
    used = [kind for kind in _LEGEND if kind in kinds]
    if band_map.positions is not None:
        console.print(_marks(band_map, band_map.positions, width, glyphs[_MARK]))
        used.append(_MARK)
    console.print(_scale(band_map, width) + "\n")
    for kind in used:
        print_wrapped(console, f"{glyphs[kind]} {_LEGEND[kind]}")
    console.print("\n")
    print_wrapped(console, _named(band_map))


def _print_bands(console: Console, heading: str, band_map: BandMap) -> None:
    """Print a line for each band, for screen readers."""
    print_wrapped(console, heading)
    if band_map.bands:
        print_wrapped(console, f"From a lost total every move loses, {NO_MISTAKE}.")
    for kind, band in band_map.runs():
        console.print(f"{kind.value.capitalize()}: {band}\n")


def _marks(band_map: BandMap, positions: Iterable[int], width: int, mark: str) -> str:
    columns = {column_of(band_map, total, width) for total in positions}
    line = "".join(mark if column in columns else " " for column in range(width))
    return f"{line.rstrip()}\n"


def _scale(band_map: BandMap, width: int) -> str:
    """Return labels for both ends, the bands and the powers of ten that fit."""
    *_, labels = draw_text(band_map.line(), width)
    return "".join(piece.text for piece in labels) + "\n"


def _named(band_map: BandMap) -> str:
    bands = [str(band) for band in band_map.bands]
    if not bands:
        return NOTHING_LOST
    if len(bands) <= _MOST_BANDS_NAMED:
        return f"Lost totals: {', '.join(bands)}."
    first, last = ", ".join(bands[:4]), ", ".join(bands[-2:])
    if band_map.has_more_bands:
        return f"Lost totals (more than {len(bands)} bands): {first}, and so on."
    return f"Lost totals ({len(bands)} bands): {first}, ..., {last}."
