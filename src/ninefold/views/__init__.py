"""What a surface shows, as data: one JSON for the command line and every other surface.

Each view is a Struct; ``docs/schemas`` holds the JSON Schema of each. A view computes
everything once, when it is made; a surface only lays it out.

::

    games       the rule books there are
    solutions   who wins at a position, how, how soon, and why
    targets     who wins at each target
    band_map    lost and won totals on a logarithmic line
    number_line a game as hops on that line; drawn as text and as a picture
    reviews     a game, every move of it graded
    history     games that were played, matches that can be resumed
    progress    games against the computer, summed up
    learning    multiplication facts, puzzles
"""

from ninefold.views.band_map import BandMap, MapView
from ninefold.views.games import RulebookRow
from ninefold.views.history import HistoryRow, OpenMatchRow
from ninefold.views.learning import FactRow, PuzzleView
from ninefold.views.progress import ProgressView
from ninefold.views.reviews import ReviewView
from ninefold.views.shapes import write_view
from ninefold.views.solutions import EndedView, SolutionView
from ninefold.views.targets import TargetsView

__all__ = [
    "BandMap",
    "EndedView",
    "FactRow",
    "HistoryRow",
    "MapView",
    "OpenMatchRow",
    "ProgressView",
    "PuzzleView",
    "ReviewView",
    "RulebookRow",
    "SolutionView",
    "TargetsView",
    "write_view",
]
