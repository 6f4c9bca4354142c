"""The band strip as a picture: for a slide or a handout, readable without colour."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import groupby
from textwrap import shorten as shorten_text
from textwrap import wrap

from ninefold.rulebooks import Rulebook
from ninefold.text import shorten, write_set
from ninefold.theory import Band
from ninefold.views.band_map import BandMap, Kind, kinds_of_columns

_WIDTH, _HEIGHT = 960, 300
_LEFT, _RIGHT = 40, 920
_TOP, _BOTTOM = 130, 190
_LABEL_WIDTH = 9.5  # pixels for a character, generously
_NAMED_BANDS = 24
_SINGLE_BANDS = 100
_SUBTITLE_CHARACTERS = 108
_OUTLINED = 3  # pixels: an outline would fill a band that is thinner
_FILLS = {
    Kind.LOST: "url(#lost)",
    Kind.WON: "#fbf3df",
    Kind.BOTH: "url(#both)",
    Kind.UNKNOWN: "url(#unknown)",
}
_NARROWEST = 0.75  # pixels: a band thinner than that would not be seen

_HEAD = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img"
     font-family="Helvetica, Arial, sans-serif" fill="#111">
  <title>{title}</title>
  <desc>{description}</desc>
  <defs>
    <pattern id="lost" width="8" height="8" patternUnits="userSpaceOnUse"
             patternTransform="rotate(45)">
      <rect width="8" height="8" fill="#1f4e79"/>
      <rect width="2" height="8" fill="#9cc3e6"/>
    </pattern>
    <pattern id="both" width="4" height="4" patternUnits="userSpaceOnUse">
      <rect width="4" height="4" fill="#fbf3df"/>
      <rect width="2" height="4" fill="#1f4e79"/>
    </pattern>
    <pattern id="unknown" width="6" height="6" patternUnits="userSpaceOnUse">
      <rect width="6" height="6" fill="#ddd"/>
      <circle cx="3" cy="3" r="1" fill="#555"/>
    </pattern>
  </defs>
  <rect width="{width}" height="{height}" fill="#fff"/>
  <text x="40" y="44" font-size="26" font-weight="bold">{title}</text>
"""


def draw_svg(book: Rulebook, band_map: BandMap) -> str:
    """Draw the whole picture as SVG."""
    rules = band_map.rules
    subtitle = (
        f"{book.describe(rules)} Multipliers {write_set(rules.multipliers)},"
        f" from {shorten(rules.start)}."
    )
    parts = [
        _HEAD.format(
            width=_WIDTH,
            height=_HEIGHT,
            title=escape(book.title, quote=False),
            description=escape(_describe(band_map), quote=False),
        ),
        *_subtitle(subtitle),
        _rect(_LEFT, _TOP, _RIGHT - _LEFT, _BOTTOM - _TOP, _FILLS[Kind.WON]),
        *_bands(band_map),
        *_marks(band_map),
        *_scale(band_map),
        *_legend(band_map),
        "</svg>\n",
    ]
    return "".join(parts)


def _describe(band_map: BandMap) -> str:
    if not band_map.bands:
        return "No total of this game is lost."
    lost = ", ".join(str(band) for band in band_map.bands[:20])
    return f"Lost totals, on a logarithmic line: {lost}"


def _x(band_map: BandMap, total: int) -> float:
    return _LEFT + band_map.place(total) * (_RIGHT - _LEFT)


def _subtitle(subtitle: str) -> Iterator[str]:
    first, *more = wrap(subtitle, _SUBTITLE_CHARACTERS)
    yield _text(_LEFT, 72, first, anchor="start")
    if more:
        yield _text(
            _LEFT,
            91,
            shorten_text(" ".join(more), _SUBTITLE_CHARACTERS, placeholder=" ..."),
            anchor="start",
        )


def _bands(band_map: BandMap) -> Iterator[str]:
    """Draw the bands; where they are finer than a pixel, say so by a pattern."""
    if len(band_map.bands) > _SINGLE_BANDS:
        yield from _columns(band_map)
        return
    free_from = float(_LEFT)
    for kind, band in band_map.runs():
        if kind is Kind.WON:
            continue
        left, right = _x(band_map, band.lowest), _x(band_map, band.highest + 1)
        width = max(right - left, _NARROWEST)
        yield _rect(left, _TOP, width, _BOTTOM - _TOP, _FILLS[kind])
        name = _name(band)
        half = len(name) * _LABEL_WIDTH / 2
        middle = min(max((left + right) / 2, _LEFT + half), _RIGHT - half)
        named = kind is Kind.LOST and len(band_map.bands) <= _NAMED_BANDS
        if named and middle - half >= free_from:
            yield _text(middle, _TOP - 8, name, weight="bold")
            free_from = middle + half + _LABEL_WIDTH


def _columns(band_map: BandMap) -> Iterator[str]:
    left = _LEFT
    for kind, run in groupby(kinds_of_columns(band_map, _RIGHT - _LEFT)):
        width = len(list(run))
        yield _rect(left, _TOP, width, _BOTTOM - _TOP, _FILLS[kind], outline=False)
        left += width


def _name(band: Band) -> str:
    lowest, highest = shorten(band.lowest), shorten(band.highest)
    return lowest if lowest == highest else f"{lowest}-{highest}"


def _marks(band_map: BandMap) -> Iterator[str]:
    for total in band_map.positions or ():
        x = _x(band_map, total)
        yield (
            f'  <line x1="{x:.1f}" y1="{_BOTTOM}" x2="{x:.1f}" y2="{_BOTTOM + 10}"'
            ' stroke="#111" stroke-width="1"/>\n'
        )


def _scale(band_map: BandMap) -> Iterator[str]:
    ticks = list(band_map.ticks())
    taken: list[tuple[float, float]] = []
    for total, name in (ticks[0], ticks[-1], *ticks[1:-1]):
        half = len(name) * _LABEL_WIDTH / 2
        x = min(_x(band_map, total), _WIDTH - half)
        if all(x + half < low or x - half > high for low, high in taken):
            taken.append((x - half - _LABEL_WIDTH, x + half + _LABEL_WIDTH))
            yield _text(x, _BOTTOM + 28, name)


def _legend(band_map: BandMap) -> Iterator[str]:
    y = _BOTTOM + 52
    yield _rect(_LEFT, y, 28, 16, _FILLS[Kind.LOST])
    yield _text(
        _LEFT + 38, y + 13, "Lost: leave these to your opponent.", anchor="start"
    )
    yield _rect(_LEFT, y + 26, 28, 16, _FILLS[Kind.WON])
    yield _text(
        _LEFT + 38, y + 39, "Won: whoever must move here can win.", anchor="start"
    )
    x = _LEFT + 460
    if len(band_map.bands) > _SINGLE_BANDS:
        yield _rect(x, y, 28, 16, _FILLS[Kind.BOTH])
        words = "Lost and won, too close to draw apart."
        yield _text(x + 38, y + 13, words, anchor="start")
    if band_map.has_more_bands:
        yield _rect(x, y + 26, 28, 16, _FILLS[Kind.UNKNOWN])
        words = "Not drawn: there are too many lost bands."
        yield _text(x + 38, y + 39, words, anchor="start")
    if band_map.positions is not None:
        yield (
            f'  <line x1="{x}" y1="{y + 2}" x2="{x}" y2="{y + 14}"'
            ' stroke="#111" stroke-width="1"/>\n'
        )
        yield _text(x + 14, y + 13, "A total that the moves can make.", anchor="start")


def _rect(  # noqa: PLR0913 - a rectangle has these parts
    x: float, y: float, width: float, height: float, fill: str, *, outline: bool = True
) -> str:
    has_line = outline and width >= _OUTLINED
    line = ' stroke="#111" stroke-width="0.75"' if has_line else ""
    return (
        f'  <rect x="{x:.2f}" y="{y}" width="{width:.2f}" height="{height}"'
        f' fill="{fill}"{line}/>\n'
    )


def _text(
    x: float, y: float, text: str, *, anchor: str = "middle", weight: str = "normal"
) -> str:
    return (
        f'  <text x="{x:.1f}" y="{y}" font-size="15" text-anchor="{anchor}"'
        f' font-weight="{weight}">{escape(text, quote=False)}</text>\n'
    )
