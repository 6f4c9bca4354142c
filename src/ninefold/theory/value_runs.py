"""Functions of the room that are constant on runs, found by sweeping upward.

Whether a room is lost and how long the game lasts follow from the rooms that a move
leads to: ``room // m`` for each multiplier ``m``. If such a function changes at the
room ``e``, its value a move earlier may change at ``m * e`` and nowhere else. So the
*edges*, where it changes, are products of multipliers, and a sweep that visits those
products in order finds every run, however long it is.

The rooms beyond a room depend only on a window below it, down to that room divided by
the largest multiplier. When a window equals an earlier one with every edge multiplied
by the same number, all that follows repeats as well: the runs have a *period*, and the
sweep can stop for good. With the multipliers 2-9 lost rooms repeat times 18. Of the 255
sets of multipliers out of 2-9 all but one have been seen to repeat, though
{2, 5, 7, 9} does so only after 157,000 lost runs, at rooms of 166 digits.
{2, 5, 6, 8, 9} does not up to 10^2000, and has five lost runs for each digit.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import pairwise
from math import log2
from threading import Lock

from ninefold.errors import TooLarge
from ninefold.theory.work_budget import LOST_STEPS

_FIRST_LOOK = 32  # edges; a look takes about as long as finding these
_NEXT_LOOK = 9, 8  # how much longer the sweep is at each later look
_SHAPE_BITS = 48  # shapes equal to this precision are compared in full
_ALPHABET = 0x110000  # all of Unicode; a letter used twice only costs time
_BITS_IN_A_STEP = 64  # a multiplier longer than this takes longer to multiply by


class Period:
    """From ``low`` on, the function repeats at a room times ``ratio``.

    The value grows by ``shift`` each time. The ratio is always a whole number;
    docs/theory.md says why.
    """

    def __init__(self, ratio: int, low: int, shift: int) -> None:
        self.ratio = ratio
        self.low = low
        self.high = low * ratio
        self.shift = shift
        self._bits = log2(ratio)
        self._powers: dict[int, int] = {}

    def fold(self, room: int) -> tuple[int, int]:
        """Return the equivalent room below ``high``, and the number of ratios to it."""
        # Never too high: a room is at least half of the largest number of its length,
        # and low is at most half of high.
        turns = int((room.bit_length() - self.high.bit_length()) / self._bits)
        while (folded := room // self.power(turns)) >= self.high:
            turns += 1
        return folded, turns

    def power(self, turns: int) -> int:
        """Return a power of the ratio.

        Powers are cached; the bounds of numbers allow at most 3,322 of them.
        """
        power = self._powers.get(turns)
        if power is None:
            power = self._powers[turns] = self.ratio**turns
        return power


class Runs(ABC):
    """The runs of a function of the room, found as far as they are needed.

    A subclass sweeps; this class stores the edges and looks for the period.

    Threads may share it. One at a time sweeps, and meanwhile the others read the known
    runs: edges are only ever appended in ascending order, and ``known`` grows only
    after the edges below it are appended.
    """

    step = 1
    """How many runs are compared together."""
    visit_steps = 8
    """The cost of a visit to a product, besides a step for each multiplier."""

    def __init__(self, multipliers: Sequence[int], most_steps: int) -> None:
        self.multipliers = multipliers
        bits = sum(multiplier.bit_length() for multiplier in multipliers)
        visit = self.visit_steps + len(multipliers) + bits // _BITS_IN_A_STEP
        self._visits_left = most_steps // visit
        self._finding = Lock()
        self.edges: list[int] = []
        """Where each run begins, ascending."""
        self.known = 1
        """Every room below this one belongs to a known run."""
        self.period: Period | None = None
        self._text = ""
        self._letters: dict[Hashable, int] = {}
        self._look_at = _FIRST_LOOK

    def fold(self, room: int) -> tuple[int, int]:
        """Return the known room that is equivalent to this one, and the depth.

        The depth is the number of ratios between them. Moves respect the equivalence:
        the same move from both rooms leads to equivalent rooms.
        """
        while room >= self.known:
            if self.period is not None:
                return self.period.fold(room)
            with self._finding:
                # Another thread may have found it while this one waited.
                if room >= self.known and self.period is None:
                    self._find_more(room)
        return room, 0

    def _find_more(self, room: int) -> None:
        """Sweep until a room is known or the next look for a period is due."""
        if self._visits_left <= 0:
            message = (
                "this game takes too long to solve with these multipliers; choose a"
                " smaller target or other multipliers"
            )
            raise TooLarge(message)
        self._sweep(room, self._look_at)
        if len(self.edges) >= self._look_at:
            self._look()
            self._look_at = self._look_at * _NEXT_LOOK[0] // _NEXT_LOOK[1]

    @abstractmethod
    def _sweep(self, room: int, count: int) -> None:
        """Sweep until a room is known, or ``count`` edges are, or no visit is left.

        Each visit to a product looks at every multiplier. ``known`` must grow, and
        only when all edges below it are appended.
        """

    @abstractmethod
    def _shapes_from(self, index: int) -> Iterable[Hashable]:
        """Return the shape of each run, or of ``step`` together, from an edge on.

        Runs that are equal at another scale have the same shape.
        """

    @abstractmethod
    def _shift(self, window: range, lag: int) -> int | None:
        """Return by how much the values in a window exceed those ``lag`` runs before.

        None if the difference varies, so that there is no period.
        """

    def _look(self) -> None:
        """Look for a period: the last window of edges, repeated from another scale."""
        edges, step = self.edges, self.step
        count = len(edges)
        # Each shape becomes a letter, so that a text search finds the period.
        letters = self._letters
        self._text += "".join(
            chr(letters.setdefault(shape, len(letters) % _ALPHABET))
            for shape in self._shapes_from(len(self._text) * step)
        )
        first = (bisect_right(edges, edges[-1] // self.multipliers[-1]) - 1) // step
        if first < 1:
            return
        wanted = self._text[first:]
        at = self._text.rfind(wanted, 0, -1)
        if at < 0:
            return
        lag = (first - at) * step
        window = range(first * step, count)
        ratio = edges[-1] // edges[-1 - lag]
        shift = self._shift(window, lag)
        if shift is not None and all(
            edges[i] == edges[i - lag] * ratio for i in window
        ):
            low = edges[first * step - lag] * self.multipliers[-1]
            self.period = Period(ratio, low, shift)


class LostRooms(Runs):
    """The rooms at which the player to move loses; every other run is lost.

    A room is lost if no move leads to a lost one. So a lost run from ``a`` up to just
    below ``e`` makes all rooms from ``m * a`` up to just below ``m * e`` won, and the
    rooms in no such range are lost. The sweep takes 2 microseconds a run.

    >>> rooms = LostRooms((2, 3, 4, 5, 6, 7, 8, 9))
    >>> [rooms.run_at(room) for room in (1, 2, 18, 10**9)]
    [(1, 2), (2, 18), (18, 36), (612220032, 1224440064)]
    """

    step = 2

    def __init__(
        self, multipliers: Sequence[int], most_steps: int = LOST_STEPS
    ) -> None:
        super().__init__(multipliers, most_steps)
        # For each multiplier the next won range that it makes, and the edge of the
        # range after that. A range that ends at 0 is over.
        self._lows = [0] * len(multipliers)
        self._highs = [0] * len(multipliers)
        self._next = [0] * len(multipliers)

    def run_at(self, room: int) -> tuple[int, int]:
        """Return the first room of a room's run, and of the next run."""
        folded, turns = self.fold(room)
        power = self._power(turns)
        index = bisect_right(self.edges, folded)
        return self.edges[index - 1] * power, self.edges[index] * power

    def has(self, room: int) -> bool:
        """Whether the player to move loses; at room 0 the other has lost already."""
        return bool(bisect_right(self.edges, self.fold(room)[0]) & 1)

    def moves_into(self, room: int) -> tuple[int, ...]:
        """Return the multipliers that lead from a room to a lost one, ascending."""
        folded, _ = self.fold(room)
        edges = self.edges
        return tuple(
            [m for m in self.multipliers if bisect_right(edges, folded // m) & 1]
        )

    def ways_into(self, room: int) -> Iterator[tuple[int, int, Sequence[int]]]:
        """Yield each lost run that moves lead into, and those moves, ascending.

        A run is given as by ``run_at``. Moves into the same run are found together.
        """
        folded, turns = self.fold(room)
        power = self._power(turns)
        edges, multipliers = self.edges, self.multipliers
        at, end = 0, bisect_right(multipliers, folded)
        while at < end:
            index = bisect_right(edges, folded // multipliers[at])
            begins = edges[index - 1]
            after = bisect_right(multipliers, folded // begins, at)
            if index & 1:
                yield begins * power, edges[index] * power, multipliers[at:after]
            at = after

    def _power(self, turns: int) -> int:
        return 1 if self.period is None else self.period.power(turns)

    def _sweep(self, room: int, count: int) -> None:
        edges, multipliers = self.edges, self.multipliers
        lows, highs, following = self._lows, self._highs, self._next
        smallest = multipliers[0]
        at = self.known
        found = len(edges)
        each = range(len(multipliers))
        visits_left = self._visits_left
        while at <= room and found < count and visits_left > 0:
            covered = True
            while covered:
                covered = False
                visits_left -= 1
                for j in each:
                    while highs[j] <= at:
                        i = following[j]
                        if i == found:
                            break
                        lows[j] = multipliers[j] * edges[i]
                        highs[j] = multipliers[j] * edges[i + 1]
                        following[j] = i + 2
                    else:
                        if lows[j] <= at:
                            at = highs[j]
                            covered = True
            ends = smallest * at
            for j in each:
                if at < lows[j] < ends:
                    ends = lows[j]
            edges.append(at)
            edges.append(ends)
            found += 2
            at = ends
        self._visits_left = visits_left
        self.known = at

    def _shapes_from(self, index: int) -> Iterable[Hashable]:
        starts = self.edges[index::2]
        return [(b << _SHAPE_BITS) // a for a, b in pairwise(starts)]

    def _shift(self, window: range, lag: int) -> int:
        return 0


class Distances(Runs):
    """The number of moves until a player passes the limit, by room; 0 beyond it.

    The winner plays for a quick end, the loser for a late one. If the distances one
    move away all grow by the same even number, so does this one: that is the ``shift``
    of a period. A run takes 5 microseconds.
    """

    visit_steps = 16

    def __init__(
        self, multipliers: Sequence[int], most_steps: int = LOST_STEPS // 2
    ) -> None:
        super().__init__(multipliers, most_steps)
        self.values: list[int] = []
        self._children = [0] * len(multipliers)
        # For each multiplier the run that its move leads to, and the room at which
        # it leads to the next one; 0 while that one is not known yet.
        self._in_run = [-1] * len(multipliers)
        self._next = list(multipliers)

    def at(self, room: int) -> int:
        """Return the distance at a room, which is 1 or more."""
        folded, turns = self.fold(room)
        value = self.values[bisect_right(self.edges, folded) - 1]
        return value + self._growth(turns)

    def with_moves(self, room: int) -> tuple[int, dict[int, int]]:
        """Return the distance at a room, and at each room that a move leads to.

        Moves that pass the limit are left out.
        """
        folded, turns = self.fold(room)
        growth = self._growth(turns)
        edges, values = self.edges, self.values
        after = {
            m: values[bisect_right(edges, folded // m) - 1] + growth
            for m in self.multipliers
            if m <= folded
        }
        return values[bisect_right(edges, folded) - 1] + growth, after

    def _growth(self, turns: int) -> int:
        return 0 if self.period is None else turns * self.period.shift

    def _sweep(self, room: int, count: int) -> None:
        edges, values, multipliers = self.edges, self.values, self.multipliers
        children, in_run, following = self._children, self._in_run, self._next
        each = range(len(multipliers))
        at = self.known
        visits_left = self._visits_left
        while at <= room and len(edges) < count and visits_left > 0:
            visits_left -= 1
            value = _quickest_or_longest(children)
            if not values or value != values[-1]:
                edges.append(at)
                values.append(value)
                for j in each:
                    if not following[j]:
                        following[j] = multipliers[j] * at
            at = min(filter(None, following))
            for j in each:
                if following[j] == at:
                    i = in_run[j] = in_run[j] + 1
                    children[j] = values[i]
                    more = i + 1 < len(edges)
                    following[j] = multipliers[j] * edges[i + 1] if more else 0
        self._visits_left = visits_left
        self.known = at

    def _shapes_from(self, index: int) -> Iterable[Hashable]:
        values = self.values
        for i, (a, b) in enumerate(pairwise(self.edges[index:]), index + 1):
            yield (b << _SHAPE_BITS) // a, values[i] - values[i - 1]

    def _shift(self, window: range, lag: int) -> int | None:
        values = self.values
        shift = values[-1] - values[-1 - lag]
        if shift % 2:
            return None
        same = all(values[i] - values[i - lag] == shift for i in window)
        return shift if same else None


def _quickest_or_longest(distances: list[int]) -> int:
    """Return one more than the quickest win, or than the longest resistance.

    A distance is odd where the player to move loses.
    """
    lost = [plies for plies in distances if plies % 2]
    return 1 + (min(lost) if lost else max(distances))
