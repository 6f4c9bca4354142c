"""The number line as a page is sent it: places, bands, hops and labels."""

from __future__ import annotations

from msgspec import Struct

from ninefold.game import Seat
from ninefold.notation.shapes import Number, json_number
from ninefold.views.number_line import Hop, LabelKind, NumberLine, write_band

_MOST_HOPS = 400
"""The last ones: more could not be told apart."""


class LineBandView(Struct, frozen=True):
    """A lost band: its place, and its two ends in words."""

    left: float
    right: float
    text: str


class HopView(Struct, frozen=True):
    """A move as a hop from one place to another."""

    left: float
    right: float
    seat: Seat
    multiplier: Number
    is_turning_point: bool

    @classmethod
    def of(cls, hop: Hop) -> HopView:
        """Show a hop."""
        return cls(
            hop.left,
            hop.right,
            hop.seat,
            json_number(hop.multiplier),
            hop.is_turning_point,
        )


class LabelView(Struct, frozen=True):
    """A number below the line; the more important kinds come first."""

    place: float
    text: str
    kind: LabelKind
    slack: float
    """How far its middle may be from its place."""


class LineView(Struct, frozen=True):
    """A number line; places are fractions, 0 at its left end and 1 at its right."""

    target: float
    total: float | None
    bands: tuple[LineBandView, ...]
    hops: tuple[HopView, ...]
    labels: tuple[LabelView, ...]

    @classmethod
    def of(cls, line: NumberLine) -> LineView:
        """Show a number line."""
        kinds = list(LabelKind)
        return cls(
            target=line.target,
            total=line.total,
            bands=tuple(
                LineBandView(each.left, each.right, write_band(each.band))
                for each in line.bands
            ),
            hops=tuple(map(HopView.of, line.hops[-_MOST_HOPS:])),
            labels=tuple(
                LabelView(label.place, label.text, label.kind, label.slack)
                for label in sorted(
                    line.labels, key=lambda label: kinds.index(label.kind)
                )
            ),
        )
