"""The perfect answer at any position, for any rules, without a search.

A position is reduced to one number, its room. The *limit* is the largest total that
can be left without losing at once, and the *room* is the largest factor that still
fits under it. In all three endings the first player to pass the limit has lost, so all
three are one game:

- AVOID: the totals below the target are inside, so the limit is ``target - 1``;
- EXACT: the target itself is inside too; a player who faced it could only pass it;
- REACH: from a total whose product with the largest multiplier is the target or
  more, the next player wins; the limit is the largest total below all of those.

A move ``m`` takes room ``r`` to ``r // m``, and to 0 when it passes the limit:
dividing twice and dropping the rest each time is dividing once by the product.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from threading import Lock

from msgspec import Struct

from ninefold.errors import PositionError, TheoryError, TooLarge
from ninefold.rules import Ending, Rules
from ninefold.text import format_set, shorten
from ninefold.theory.reachable_totals import products_of, without_factors_of
from ninefold.theory.value_runs import Distances, LostRooms
from ninefold.theory.work_budget import DISTANCE_STEPS, LOST_STEPS, Budget

_POSITIONS_KEPT = 4096
_STEPS_FOR_A_MOVE = 10
_ROOMS_KEPT = 8_192  # one answer may need thousands of them
_STEPS_FOR_A_ROOM = 8


class Band(Struct, frozen=True):
    """Neighbouring totals, from the lowest to the highest, both included.

    >>> str(Band(56, 111)), str(Band(5, 5)), 60 in Band(56, 111)
    ('56 to 111', '5', True)
    """

    lowest: int
    highest: int

    def __contains__(self, total: int) -> bool:
        return self.lowest <= total <= self.highest

    def below(self, total: int) -> Band:
        """Return the part of it below a total."""
        return Band(self.lowest, min(self.highest, total - 1))

    def __str__(self) -> str:
        if self.lowest == self.highest:
            return shorten(self.lowest)
        return f"{shorten(self.lowest)} to {shorten(self.highest)}"


def limit_of(rules: Rules, target: int | None = None) -> int:
    """Return the limit: the player who makes a total above it has lost the game.

    ``target`` stands in for the rules' own.

    >>> from ninefold import Ending, Rules
    >>> [limit_of(Rules(ending, 1000)) for ending in Ending]
    [111, 999, 1000]
    """
    target = rules.target if target is None else target
    if rules.ending is Ending.EXACT:
        return target
    if rules.ending is Ending.AVOID:
        return target - 1
    return (target - 1) // rules.multipliers[-1]


class Oracle:
    """The perfect answer to every question about one game's positions.

    >>> from ninefold import Ending, Rules
    >>> oracle = Oracle(Rules(Ending.REACH, 1000))
    >>> oracle.wins(1), oracle.winning_moves(1), oracle.distance(1)
    (True, (4, 5, 6), 5)
    >>> [str(band) for band in oracle.lost_bands()]
    ['4 to 6', '56 to 111']
    >>> Oracle(Rules(Ending.AVOID, 10**999)).winning_moves(1)
    (6, 7, 8, 9)

    A *position* is a total at which a player is to move: the start times a product
    of multipliers, below the target. Any other total raises ``PositionError``.

    >>> oracle.wins(11)
    Traceback (most recent call last):
    ninefold.errors.PositionError: 11 is not a position in this game: it cannot be \
reached from 1 with 2-9; choose a total that can

    An oracle caches its answers; threads may share it. At a target of 1,000 digits the
    first answer takes 0.1 ms with the multipliers 2-9 and 0.4 s with {2, 5, 7, 9}, the
    slowest of all sets out of 2-9; the next ones take microseconds. An answer that
    takes more than ``most_steps`` raises ``TooLarge``; see
    ``ninefold.theory.work_budget``.
    """

    def __init__(self, rules: Rules, *, most_steps: int = LOST_STEPS) -> None:
        self.rules = rules
        self.limit = limit_of(rules)
        """The largest total that can be left without losing at once."""
        self.lost = LostRooms(rules.multipliers, most_steps)
        """Which rooms are lost; a position's is ``limit // total``."""
        self._distances = Distances(rules.multipliers, most_steps // 2)
        self._finish = ExactEnding(rules.multipliers, self._distances)
        self._checked: set[int] = set()

    def room(self, total: int) -> int:
        """Return the largest factor that keeps a position within the limit.

        It is 0 where REACH can be won at once, and 1 or more everywhere else.
        """
        self.check(total)
        return self.limit // total

    def wins(self, total: int) -> bool:
        """Whether the player to move at a position wins with the best play."""
        return not self.lost.has(self.room(total))

    def winning_moves(self, total: int) -> tuple[int, ...]:
        """Return every move that wins with the best play, ascending."""
        room = self.room(total)
        if room:
            return self.lost.moves_into(room)
        # Only REACH has positions beyond the limit, and there only its target wins.
        target = self.rules.target
        return tuple([m for m in self.rules.multipliers if total * m >= target])

    def distance(self, total: int, budget: Budget | None = None) -> int:
        """Return the number of moves to the end, with best play on both sides.

        The winner plays for a quick end, the loser for a late one. With the multipliers
        2-9 this costs as much as ``wins``, at any target. Some sets with gaps have far
        more runs of equal distance than lost ones, and no period: of the 255 sets out
        of 2-9, nine have too many at 10^999, which raises ``TooLarge``. Several
        questions may share a ``budget``.
        """
        self.check(total)
        return self._plies_from(total, budget or _granted())

    def best_move(self, total: int, budget: Budget | None = None) -> int:
        """Return the move to play: the quickest win, or the longest resistance.

        Of several equally quick wins it is the middle one, whose neighbours win too;
        of several moves that last equally long it is the smallest.

        >>> from ninefold import Ending, Rules
        >>> Oracle(Rules(Ending.REACH, 1000)).best_move(1)
        5
        """
        winning = self.winning_moves(total)
        if not winning:
            return self.longest_moves(total, budget)[0]
        plies = self._plies_of(total, winning, budget)
        least = min(plies.values())
        quickest = [m for m in winning if plies[m] == least]
        return quickest[len(quickest) // 2]

    def longest_moves(
        self, total: int, budget: Budget | None = None
    ) -> tuple[int, ...]:
        """Return every move after which the game lasts longest, ascending.

        >>> from ninefold import Ending, Rules
        >>> Oracle(Rules(Ending.REACH, 1000)).longest_moves(60)
        (2, 3, 4, 5, 6, 7, 8, 9)
        """
        self.check(total)
        plies = self._plies_of(total, self.rules.multipliers, budget)
        longest = max(plies.values())
        return tuple([m for m, count in plies.items() if count == longest])

    def lost_bands(self) -> Iterator[Band]:
        """Yield the totals at which the player to move loses, ascending.

        They are runs of whole numbers between the start and the target, reachable or
        not. There may be a million.
        """
        total, last = self.rules.start, min(self.limit, self.rules.target - 1)
        while total <= last:
            band = self.band_at(total)
            if band is not None:
                yield band
                total = band.highest + 1
            else:
                total = self.limit // self.lost.run_at(self.limit // total)[0] + 1

    def band_at(self, total: int) -> Band | None:
        """Return the band of lost totals that contains a total; None if it is not lost.

        Bands lie between the start and the target, as in ``lost_bands``.

        >>> from ninefold import Ending, Rules
        >>> duel = Oracle(Rules(Ending.EXACT, 100))
        >>> duel.band_at(60), duel.band_at(50)
        (Band(lowest=51, highest=99), None)
        """
        start, last = self.rules.start, self.rules.target - 1
        if not start <= total <= last or not self.lost.has(self.limit // total):
            return None
        band = self.lost_around(total)
        return Band(max(band.lowest, start), band.highest).below(self.rules.target)

    def lost_around(self, total: int) -> Band:
        """Return the whole band of a lost total, also beyond the start and the target.

        In EXACT the last band contains the target, from which every move overshoots.
        """
        limit, lost = self.limit, self.lost
        begins, ends = lost.run_at(limit // total)
        # The won rooms between two runs of lost ones may belong to no total.
        while (lower := limit // ends) and lost.has(limit // lower):
            ends = lost.run_at(limit // lower)[1]
        while lost.has(limit // (limit // begins + 1)):
            begins = lost.run_at(limit // (limit // begins + 1))[0]
        return Band(limit // ends + 1, limit // begins)

    def check(self, total: int) -> None:
        """Raise ``PositionError`` for a total that is not a position in the game."""
        if type(total) is int and (total == self.rules.start or total in self._checked):
            return
        self._refuse_if_no_position(total)
        self.accept(total)

    def accept(self, total: int) -> None:
        """Accept a total as a position without checking, because moves led to it."""
        if len(self._checked) >= _POSITIONS_KEPT:
            self._checked.clear()
        self._checked.add(total)

    def _refuse_if_no_position(self, total: int) -> None:
        rules = self.rules
        start, last = rules.start, rules.target - 1
        if type(total) is not int:
            problem = f"a total is a whole number, such as {shorten(start)}"
            raise PositionError(total, problem)
        if not start <= total <= last:
            between = f"from {shorten(start)} to {shorten(last)}"
            problem = f"the totals go {between}; choose one of those"
            raise PositionError(total, problem)
        factor, rest = divmod(total, start)
        if rest or not products_of(rules.multipliers).has(factor):
            band = self._band_if_known(total)
            lies = "" if band is None else f"it lies in the lost band {band}, but "
            problem = (
                f"{lies}it cannot be reached from {shorten(start)} with"
                f" {format_set(rules.multipliers)}; choose a total that can"
            )
            raise PositionError(total, problem)

    def _band_if_known(self, total: int) -> Band | None:
        try:
            return self.band_at(total)
        except TooLarge:
            return None

    def _plies_of(
        self, total: int, moves: Iterable[int], budget: Budget | None
    ) -> dict[int, int]:
        """Return the distance after each of some moves, within one budget."""
        budget = budget or _granted()
        return {m: self._plies_with(total, m, budget) for m in moves}

    def _plies_with(self, total: int, multiplier: int, budget: Budget) -> int:
        budget.spend(_STEPS_FOR_A_MOVE)
        after = self.rules.after(total, multiplier)
        ended = self.rules.verdict(after) is not None
        return 1 if ended else 1 + self._plies_from(after, budget)

    def _plies_from(self, total: int, budget: Budget) -> int:
        """Return the distance of a total already checked to be a position."""
        room = self.limit // total
        plies = self._distances.at(room) if room else 0
        if self.rules.ending is Ending.REACH:
            # Passing the limit does not end it: the other then reaches the target.
            return plies + 1
        if self.rules.ending is Ending.EXACT and self.rules.target % total == 0:
            return plies - self._finish.is_exact(room, budget)
        return plies


class ExactEnding:
    """Whether the winner can make the target of EXACT without losing time.

    At a total that divides the target the room is the factor that is missing. Making
    the target saves the one move by which the loser would pass it, and nothing can
    save two: play that ends on the target, and one move more, is play that ends by
    passing it. So the target must be made without losing time: the winner has a
    quickest move after which it can be, and after every move that lasts longest it
    still can.

    Threads may share it; one at a time computes rooms.
    """

    def __init__(self, multipliers: Sequence[int], distances: Distances) -> None:
        self._multipliers = tuple(multipliers)
        self._distances = distances
        self._known: dict[int, bool] = {}
        self._working = Lock()

    def is_exact(self, room: int, budget: Budget) -> bool:
        """Whether the quickest play from a room ends on the target."""
        found = self._known.get(room)
        if found is None:
            with self._working:
                found = self._work_out(room, budget)
        return found

    def _work_out(self, room: int, budget: Budget) -> bool:
        known = self._known
        if len(known) >= _ROOMS_KEPT:
            known.clear()
        known[1] = True
        if without_factors_of(room, self._multipliers) > 1:
            known[room] = False
        waiting = [] if room in known else [room]
        while waiting:
            at = waiting[-1]
            budget.spend(_STEPS_FOR_A_ROOM + len(self._multipliers))
            plies, after = self._distances.with_moves(at)
            wins = plies % 2 == 0
            moves = [
                m
                for m, left in after.items()
                if left == plies - 1 and (at % m == 0 or not wins)
            ]
            # The winner needs one move after which the target can be made; the loser,
            # one after which it cannot.
            can_be = [known.get(at // m) if at % m == 0 else False for m in moves]
            if wins in can_be:
                known[waiting.pop()] = wins
            elif None in can_be:
                waiting.append(at // moves[can_be.index(None)])
            else:
                known[waiting.pop()] = not wins and bool(moves)
        return known[room]


def _granted() -> Budget:
    refusal = (
        "the length of this game takes too long to compute; choose a smaller target"
    )
    return Budget(DISTANCE_STEPS, refusal)


_shared_oracle = lru_cache(maxsize=16)(Oracle)


def oracle_for(rules: Rules, oracle: Oracle | None = None) -> Oracle:
    """Return the given oracle, or else a shared one for these rules.

    Raises ``TheoryError`` for an oracle for other rules, which would answer about
    another game.
    """
    if oracle is None:
        return _shared_oracle(rules)
    if oracle.rules != rules:
        message = (
            "this oracle was made for other rules; pass one for these rules, or none"
        )
        raise TheoryError(message)
    return oracle
