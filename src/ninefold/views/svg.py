"""SVG pictures of a number line, a game or a review, light and dark."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from textwrap import shorten as truncate
from textwrap import wrap

from ninefold.coach import GradedMove, Resignation, Review
from ninefold.game import Seat
from ninefold.rulebooks import Rulebook
from ninefold.text import format_set, shorten
from ninefold.views.band_map import MOST_BANDS, BandMap
from ninefold.views.match_text import STRIPED, format_bands
from ninefold.views.number_line import (
    MOST_HOPS,
    Hop,
    LabelKind,
    LineBand,
    NumberLine,
    lost_bands,
    number_line,
)
from ninefold.views.review import format_story

_WIDTH = 960
_LEFT, _LENGTH = 48, 864
_LETTER = 9.2  # pixels for a character of a label, generously
_GAP = 14
_OVERHANG = 24  # pixels that a label may take beyond either end of the line
_TITLE, _SUBTITLE = 44, 72
_SUBTITLE_CHARACTERS = 104
_LINE_GAP = 22
_NARROWEST_BAND = 3.0
_BAND_HEIGHT = 26
_HIGHEST_HOP, _LOWEST_HOP = 92, 16
_ROOM_ABOVE_HOPS = 36

_STYLE = """\
    text { font-family: system-ui, "Segoe UI", Helvetica, Arial, sans-serif; }
    .ground { fill: #FBF8F1; } .ink { fill: #1C1B1F; } .soft { fill: #6C6860; }
    .axis { stroke: #1C1B1F; stroke-width: 3; }
    .band { stroke: #8A5A10; stroke-width: 1; } .stripe { stroke: #E2A03F; }
    .paper { fill: #F9E8C8; }
    .hop { fill: none; stroke-width: 3.5; stroke-linecap: round; }
    .one { stroke: #0B6E6E; } .two { stroke: #B8324A; }
    .one-mark { fill: #0B6E6E; } .two-mark { fill: #B8324A; }
    .ring { fill: #FBF8F1; stroke: #1C1B1F; stroke-width: 5; }
    .hint { stroke-dasharray: 2 8; } .turn { stroke-width: 6; }
    @media (prefers-color-scheme: dark) {
      .ground { fill: #15171B; } .ink { fill: #F3EFE6; } .soft { fill: #A39E93; }
      .axis { stroke: #F3EFE6; }
      .band { stroke: #E8B765; } .stripe { stroke: #C98A2B; } .paper { fill: #2C2417; }
      .one { stroke: #52C7BA; } .two { stroke: #FF8390; }
      .one-mark { fill: #52C7BA; } .two-mark { fill: #FF8390; }
      .ring { fill: #15171B; stroke: #F3EFE6; }
    }
"""
_HEAD = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">
  <title>{title}</title>
  <desc>{description}</desc>
  <style>
{style}  </style>
  <defs>
    <pattern id="stripes" width="9" height="9" patternUnits="userSpaceOnUse"
             patternTransform="rotate(45)">
      <rect class="paper" width="9" height="9"/>
      <line class="stripe" x1="2.5" y1="0" x2="2.5" y2="9" stroke-width="5"/>
    </pattern>
  </defs>
  <rect class="ground" width="{width}" height="{height}"/>
  <text class="ink" x="{left}" y="{y}" font-size="26" font-weight="700">{title}</text>
"""
_NAMED_MULTIPLIERS = 20
_SEATS = {Seat.ONE: "one", Seat.TWO: "two"}


def draw_map(book: Rulebook, band_map: BandMap) -> str:
    """Draw the lost bands of a game as SVG."""
    rules = band_map.rules
    notes = [format_bands(band_map.bands)]
    if band_map.bands:
        notes.append("So leave your opponent a striped total.")
    if band_map.has_more_bands:
        last = shorten(band_map.bands[-1].highest)
        notes.append(
            f"Not drawn beyond {last}: there are more than {MOST_BANDS} bands."
        )
    multipliers = rules.multipliers
    named = format_set(multipliers[:_NAMED_MULTIPLIERS])
    if len(multipliers) > _NAMED_MULTIPLIERS:
        named += f" and {len(multipliers) - _NAMED_MULTIPLIERS} more"
    return draw_svg(
        band_map.line(),
        title=book.title,
        subtitle=(
            f"{book.describe(rules)} Multipliers {named}, from {shorten(rules.start)}."
        ),
        notes=notes,
    )


def draw_review(
    title: str,
    review: Review,
    names: tuple[str, str],
    given_back: tuple[int, int] = (0, 0),
) -> str:
    """Draw a game as SVG: every move a hop, the turning point marked."""
    game, turn = review.game, review.turning_point
    one, two = names
    called = dict(zip(Seat, names, strict=True))
    result = "not finished"
    if game.outcome is not None:
        result = f"{called[game.outcome.winner]} won"
    notes = [format_story(review, called, given_back)]
    if len(game.moves) > MOST_HOPS:
        count = f"{len(game.moves):,}"
        notes.append(f"Only the last {MOST_HOPS} of {count} moves are shown.")
    if isinstance(turn, GradedMove | Resignation):
        notes.append(STRIPED)
    return draw_svg(
        number_line(
            game.rules,
            lost_bands(game.rules),
            game,
            turning_point=turn.number if isinstance(turn, GradedMove) else None,
        ),
        title=title,
        subtitle=f"● {one} against ■ {two}, {result}.",
        notes=notes,
    )


def draw_svg(
    line: NumberLine, *, title: str, subtitle: str, notes: Sequence[str] = ()
) -> str:
    """Draw a line with a title and a subtitle above it, and notes below it."""
    above = wrap(subtitle, _SUBTITLE_CHARACTERS) or [""]
    below = [
        shortened for note in notes for shortened in wrap(note, _SUBTITLE_CHARACTERS)
    ]
    hops = bool(line.hops or line.hint)
    top = _SUBTITLE + (len(above) - 1) * _LINE_GAP
    y = top + (_HIGHEST_HOP + _ROOM_ABOVE_HOPS if hops else 0) + 48
    labels_at = y + 44
    notes_at = labels_at + 44
    height = notes_at + len(below) * _LINE_GAP
    parts = [
        _HEAD.format(
            width=_WIDTH,
            height=height,
            left=_LEFT,
            y=_TITLE,
            title=escape(title),
            description=escape(truncate(" ".join([subtitle, *notes]), 400)),
            style=_STYLE,
        ),
        *(_text(_LEFT, _SUBTITLE + n * _LINE_GAP, row) for n, row in enumerate(above)),
        *_bands(line.bands, y),
        *_axis(line, y),
        *_hops(line, y),
        *_labels(line, labels_at),
        *(_text(_LEFT, notes_at + n * _LINE_GAP, row) for n, row in enumerate(below)),
        "</svg>\n",
    ]
    return "".join(parts)


def _x(place: float) -> float:
    return _LEFT + place * _LENGTH


def _text(
    x: float,
    y: float,
    text: str,
    *,
    kind: str = "soft",
    anchor: str = "start",
    weight: int = 400,
) -> str:
    return (
        f'  <text class="{kind}" x="{x:.1f}" y="{y:.1f}" font-size="16"'
        f' text-anchor="{anchor}" font-weight="{weight}">{escape(text)}</text>\n'
    )


def _bands(bands: Sequence[LineBand], y: float) -> Iterator[str]:
    """Draw the bands; neighbours less than a pixel apart are merged."""
    drawn: list[tuple[float, float]] = []
    for each in bands:
        left = _x(each.left)
        right = max(_x(each.right), left + _NARROWEST_BAND)
        if drawn and left < drawn[-1][1] + 1:
            drawn[-1] = (drawn[-1][0], right)
        else:
            drawn.append((left, right))
    for left, right in drawn:
        yield (
            f'  <rect class="band" x="{left:.1f}" y="{y - _BAND_HEIGHT / 2:.1f}"'
            f' width="{right - left:.1f}" height="{_BAND_HEIGHT}" rx="3"'
            ' fill="url(#stripes)"/>\n'
        )


def _axis(line: NumberLine, y: float) -> Iterator[str]:
    end = _x(1)
    yield f'  <line class="axis" x1="{_LEFT}" y1="{y}" x2="{end:.1f}" y2="{y}"/>\n'
    decades = [each.place for each in line.labels if each.kind is LabelKind.DECADE]
    for place in (0.0, *decades, line.target):
        tall = 14 if place in (0.0, line.target) else 8
        yield (
            f'  <line class="axis" x1="{_x(place):.1f}" y1="{y - tall}"'
            f' x2="{_x(place):.1f}" y2="{y + tall}"/>\n'
        )


def _hops(line: NumberLine, y: float) -> Iterator[str]:
    named_up_to = float("-inf")
    for hop in line.hops:
        yield _arc(hop, y, "turn" if hop.is_turning_point else "")
        turned = " (turning point)" if hop.is_turning_point else ""
        name = f"×{shorten(hop.multiplier)}{turned}"
        middle, half = (_x(hop.left) + _x(hop.right)) / 2, len(name) * _LETTER / 2
        if middle - half > named_up_to:
            named_up_to = middle + half
            yield _name(hop, y, name)
    for hop in line.hops:
        yield _mark(hop, y)
    if line.hint is not None:
        yield _arc(line.hint, y, "hint")
        yield _name(line.hint, y, f"×{shorten(line.hint.multiplier)}")
    if line.total is not None:
        yield f'  <circle class="ring" cx="{_x(line.total):.1f}" cy="{y}" r="9"/>\n'


def _rise(hop: Hop) -> float:
    return min(max((hop.right - hop.left) * _LENGTH * 0.42, _LOWEST_HOP), _HIGHEST_HOP)


def _arc(hop: Hop, y: float, kind: str) -> str:
    left, right = _x(hop.left), _x(hop.right)
    middle, top = (left + right) / 2, y - 2 * _rise(hop)
    return (
        f'  <path class="hop {_SEATS[hop.seat]} {kind}"'
        f' d="M {left:.1f} {y} Q {middle:.1f} {top:.1f} {right:.1f} {y}"/>\n'
    )


def _name(hop: Hop, y: float, name: str) -> str:
    middle, top = (_x(hop.left) + _x(hop.right)) / 2, y - _rise(hop) - 10
    kind = f"{_SEATS[hop.seat]}-mark"
    return _text(middle, top, name, kind=kind, anchor="middle", weight=700)


def _mark(hop: Hop, y: float) -> str:
    """Mark where a hop landed: a disc for the first seat, a square for the second."""
    x, kind = _x(hop.right), f"{_SEATS[hop.seat]}-mark"
    if hop.seat is Seat.ONE:
        return f'  <circle class="{kind}" cx="{x:.1f}" cy="{y}" r="6"/>\n'
    return (
        f'  <rect class="{kind}" x="{x - 5.5:.1f}" y="{y - 5.5:.1f}"'
        ' width="11" height="11"/>\n'
    )


def _labels(line: NumberLine, y: float) -> Iterator[str]:
    width = _LENGTH + 2 * _OVERHANG
    for placed in line.labels_that_fit(width, _LETTER, _GAP, inset=_OVERHANG):
        is_band = placed.label.kind is LabelKind.BAND
        middle = _LEFT - _OVERHANG + placed.left + placed.width / 2
        yield _text(
            middle,
            y,
            placed.label.text,
            kind="ink" if is_band else "soft",
            anchor="middle",
            weight=600 if is_band else 400,
        )
