"""What a surface shows, as data: the same JSON for the command line and every other.

Each view is a Struct; ``docs/schemas`` has its JSON Schema. A view computes everything
when it is made; a surface only lays it out.

::

    answers           who wins at a position or target, and why; puzzles; the games
    band_map          lost and won totals on a logarithmic line
    number_line       a game as hops on that line: geometry, and the same as JSON
    number_line_text  the line drawn in characters
    svg               the line, a map and a review drawn as pictures
    review            a game, every move of it graded
    history           games that were played
    state             a match as one seat sees it, for the page
    words             the last step and questions, in words to one viewer
    progress          games against the computer, summed up; facts and how well known
    encoding          how a view becomes JSON
"""

from ninefold.views.answers import (
    EndedView,
    PuzzleView,
    RulebookRow,
    SolutionView,
    TargetsView,
)
from ninefold.views.band_map import BandMap, MapView
from ninefold.views.encoding import write_view
from ninefold.views.history import HistoryRow
from ninefold.views.progress import FactRow, ProgressView
from ninefold.views.review import ReviewView

__all__ = [
    "BandMap",
    "EndedView",
    "FactRow",
    "HistoryRow",
    "MapView",
    "ProgressView",
    "PuzzleView",
    "ReviewView",
    "RulebookRow",
    "SolutionView",
    "TargetsView",
    "write_view",
]
