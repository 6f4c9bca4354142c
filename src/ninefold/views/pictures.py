"""Pictures of a game and of a review: the number line, with words around it."""

from __future__ import annotations

from collections.abc import Sequence

from ninefold.coach import Resignation, Review, Step
from ninefold.game import Seat
from ninefold.rulebooks import Rulebook
from ninefold.text import shorten, write_set
from ninefold.theory import Band
from ninefold.views.band_map import MOST_BANDS, BandMap
from ninefold.views.number_line import number_line
from ninefold.views.number_line_svg import draw_svg

_NAMED_MULTIPLIERS = 20


def draw_map(book: Rulebook, band_map: BandMap) -> str:
    """Draw the lost bands of a game as SVG."""
    rules = band_map.rules
    notes = ["No total of this game is lost."]
    if band_map.bands:
        notes = [
            "Striped totals are lost for the player to move: leave them to the other."
        ]
    if band_map.has_more_bands:
        last = shorten(band_map.bands[-1].highest)
        notes.append(
            f"Not drawn beyond {last}: there are more than {MOST_BANDS} bands."
        )
    multipliers = rules.multipliers
    named = write_set(multipliers[:_NAMED_MULTIPLIERS])
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
    title: str, review: Review, names: tuple[str, str], bands: Sequence[Band]
) -> str:
    """Draw a game as SVG: every move a hop, the turning point marked."""
    game, turn = review.game, review.turning_point
    one, two = names
    called = dict(zip(Seat, names, strict=True))
    result = "not finished"
    if game.outcome is not None:
        result = f"{called[game.outcome.winner]} won"
    notes = [review.story(called)]
    if isinstance(turn, Step | Resignation):
        notes.append("Striped totals are lost for the player to move.")
    return draw_svg(
        number_line(
            game.rules,
            bands,
            game,
            turning_point=turn.number if isinstance(turn, Step) else None,
        ),
        title=title,
        subtitle=f"● {one} against ■ {two}, {result}.",
        notes=notes,
    )
