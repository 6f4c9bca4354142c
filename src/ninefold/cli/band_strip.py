"""The band strip in a terminal."""

from __future__ import annotations

from itertools import groupby

from ninefold.cli.console import Console
from ninefold.cli.drawing import draw_line
from ninefold.cli.layout import say_wrapped, width_of
from ninefold.views.band_map import MOST_BANDS, BandMap, column_of, kinds_of_columns
from ninefold.views.number_line_text import draw_text

_MARK = "mark"
_UNICODE = {"lost": "█", "won": "·", "unknown": "?", "both": "▒", _MARK: "╵"}
_ASCII = {"lost": "#", "won": ".", "unknown": "?", "both": "%", _MARK: "'"}
_STYLES = {"lost": "red", "won": "green", "unknown": "dim", "both": "yellow"}
_LEGEND = {
    "lost": "lost: whoever must move here loses against best play",
    "won": "won: whoever must move here can win",
    "both": "lost and won, too close to draw apart",
    "unknown": f"not drawn: there are more than {MOST_BANDS} lost bands",
    _MARK: "a total that the moves can make",
}
_MOST_BANDS_NAMED = 12


def draw_strip(console: Console, heading: str, band_map: BandMap) -> None:
    """Draw the strip, its scale, its legend, and the lost totals in words."""
    if console.plain:
        _say_bands(console, heading, band_map)
        return
    width = width_of(console)
    glyphs = _UNICODE if console.can_show("".join(_UNICODE.values())) else _ASCII
    kinds = [kind.value for kind in kinds_of_columns(band_map, width)]
    say_wrapped(console, heading)
    console.say("\n")
    draw_line(
        console,
        (
            (glyphs[kind] * len(list(run)), _STYLES[kind])
            for kind, run in groupby(kinds)
        ),
    )
    used = [kind for kind in _LEGEND if kind in kinds]
    if band_map.positions is not None:
        console.say(_marks(band_map, band_map.positions, width, glyphs[_MARK]))
        used.append(_MARK)
    console.say(_scale(band_map, width) + "\n")
    for kind in used:
        say_wrapped(console, f"{glyphs[kind]} {_LEGEND[kind]}")
    console.say("\n")
    say_wrapped(console, _named(band_map))


def _say_bands(console: Console, heading: str, band_map: BandMap) -> None:
    """Say the same in lines, each of which means something alone."""
    say_wrapped(console, heading)
    for kind, band in band_map.runs():
        console.say(f"{kind.value.capitalize()}: {band}\n")


def _marks(band_map: BandMap, positions: list[int], width: int, mark: str) -> str:
    columns = {column_of(band_map, total, width) for total in positions}
    line = "".join(mark if column in columns else " " for column in range(width))
    return f"{line.rstrip()}\n"


def _scale(band_map: BandMap, width: int) -> str:
    """Label both ends, the bands and the powers of ten, as far as there is room."""
    *_, labels = draw_text(band_map.line(), width)
    return "".join(piece.text for piece in labels) + "\n"


def _named(band_map: BandMap) -> str:
    bands = [str(band) for band in band_map.bands]
    if not bands:
        return "No total of this game is lost."
    if len(bands) <= _MOST_BANDS_NAMED:
        return f"Lost totals: {', '.join(bands)}."
    first, last = ", ".join(bands[:4]), ", ".join(bands[-2:])
    if band_map.has_more_bands:
        return f"Lost totals, more than {len(bands)} bands of them: {first}, and so on."
    return f"Lost totals, {len(bands)} bands of them: {first}, ..., {last}."
