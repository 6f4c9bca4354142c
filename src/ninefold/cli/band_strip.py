"""The band strip in a terminal."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from rich.text import Text

from ninefold.cli.drawing import draw
from ninefold.cli.layout import say_wrapped, width_of
from ninefold.theory import Band

if TYPE_CHECKING:
    from ninefold.cli.band_map import BandMap
    from ninefold.cli.console import Console
    from ninefold.rulebooks import Rulebook

_UNICODE = {"lost": "█", "won": "·", "both": "▒", "mark": "╵"}
_ASCII = {"lost": "#", "won": ".", "both": "%", "mark": "'"}
_STYLES = {"lost": "red", "won": "green", "both": "yellow"}
_LEGEND = {
    "lost": "lost: whoever must move here loses against best play",
    "won": "won: whoever must move here can win",
    "both": "lost and won, too close to draw apart",
    "mark": "a total that the moves can make",
}
_MOST_BANDS_NAMED = 12


def draw_strip(console: Console, book: Rulebook, band_map: BandMap) -> None:
    """Draw the strip, its scale, its legend, and the lost totals in words."""
    if console.plain:
        _say_bands(console, book, band_map)
        return
    width = width_of(console)
    glyphs = _UNICODE if console.can_show("".join(_UNICODE.values())) else _ASCII
    kinds = kinds_of_columns(band_map, width)
    say_wrapped(console, f"{book.title}: {book.describe(band_map.rules)}")
    console.say("\n")
    strip = Text()
    for kind, run in groupby(kinds):
        strip.append(glyphs[kind] * len(list(run)), style=_STYLES[kind])
    draw(console, strip)
    used: list[str] = [kind for kind in ("lost", "won", "both") if kind in kinds]
    if band_map.positions is not None:
        console.say(_marks(band_map, band_map.positions, width, glyphs["mark"]))
        used.append("mark")
    console.say(_scale(band_map, width) + "\n")
    for kind in used:
        say_wrapped(console, f"{glyphs[kind]} {_LEGEND[kind]}", indent="  ")
    console.say("\n")
    say_wrapped(console, _named(band_map))


def _say_bands(console: Console, book: Rulebook, band_map: BandMap) -> None:
    """Say the same in lines, each of which means something alone."""
    say_wrapped(console, f"{book.title}: {book.describe(band_map.rules)}")
    begin = band_map.rules.start
    for band in band_map.bands:
        if begin < band.lowest:
            console.say(f"Won: {Band(begin, band.lowest - 1)}\n")
        console.say(f"Lost: {band}\n")
        begin = band.highest + 1
    if begin < band_map.rules.target:
        console.say(f"Won: {Band(begin, band_map.rules.target - 1)}\n")


def kinds_of_columns(band_map: BandMap, width: int) -> list[str]:
    """Say of each column whether its totals are lost, won, or both.

    A column with one edge in it goes with its middle; with more, it is both.
    """
    edges = []
    for band in band_map.bands:
        edges += [band_map.place(band.lowest), band_map.place(band.highest + 1)]
    kinds = []
    passed = 0
    for column in range(width):
        end = (column + 1) / width
        inside = []
        while passed < len(edges) and edges[passed] < end:
            inside.append(edges[passed])
            passed += 1
        middle = (column + 0.5) / width
        lost = (passed - sum(edge > middle for edge in inside)) % 2 == 1
        several = len(inside) > 1 or (band_map.has_more_bands and passed == len(edges))
        kinds.append("both" if several else "lost" if lost else "won")
    return kinds


def _marks(band_map: BandMap, positions: list[int], width: int, mark: str) -> str:
    columns = {
        min(int(band_map.place(total) * width), width - 1) for total in positions
    }
    line = "".join(mark if column in columns else " " for column in range(width))
    return f"{line.rstrip()}\n"


def _scale(band_map: BandMap, width: int) -> str:
    """Label the scale: both ends first, then whatever fits between them."""
    ticks = list(band_map.ticks())
    line = [" "] * width
    for total, name in (ticks[0], ticks[-1], *ticks[1:-1]):
        at = min(int(band_map.place(total) * width), width - len(name))
        if at >= 0 and not "".join(line[max(at - 1, 0) : at + len(name) + 1]).strip():
            line[at : at + len(name)] = name
    return "".join(line).rstrip() + "\n"


def _named(band_map: BandMap) -> str:
    bands = [str(band) for band in band_map.bands]
    if not bands:
        return "No total of this game is lost."
    if len(bands) <= _MOST_BANDS_NAMED:
        return f"Lost totals: {', '.join(bands)}."
    first, last = ", ".join(bands[:4]), ", ".join(bands[-2:])
    more = "more than " if band_map.has_more_bands else ""
    return f"Lost totals, {more}{len(bands)} bands of them: {first}, ..., {last}."
