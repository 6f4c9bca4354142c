"""Why a total is lost, as data: what each answer makes, and the reply to it.

A rung says that the player who faces some totals loses. It lists every answer, with a
reply that ends the game or leaves totals that are lost as well; those have a rung of
their own, closer to the end. A ladder of rungs proves the first one step by step, and
every line of it can be checked with multiplication alone.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from heapq import heappop, heappush

from msgspec import Struct

from ninefold.errors import TooLarge
from ninefold.rules import Ending
from ninefold.theory.oracle import Band, Oracle
from ninefold.theory.work_budget import CHAIN_STEPS, Budget

_STEPS_FOR_A_RUNG = 100
_STEPS_FOR_A_LINE = 10
_REFUSAL = "the whole proof is too long; choose a larger total or a smaller target"


class Line(Struct, frozen=True):
    """One answer of the loser, some totals that it makes, and the reply to those.

    From every total that the answer makes within ``makes`` the reply goes to
    ``lands``, whose totals are lost; in EXACT its highest may be the target, at which
    the reply has won. If ``lands`` is None, the reply reaches the target of REACH.
    """

    answer: int
    makes: Band
    reply: int
    lands: Band | None


class Bust(Struct, frozen=True):
    """An answer that loses at once, and the totals that it makes then."""

    answer: int
    makes: Band


class Group(Struct, frozen=True):
    """Lines whose replies all leave the same band, or all reach the target.

    From each total that the lines make, one of ``replies`` goes to ``lands``, which
    is as in ``Line``.
    """

    lines: tuple[Line, ...]

    @property
    def answers(self) -> tuple[int, ...]:
        """The answers, ascending."""
        return tuple(sorted({line.answer for line in self.lines}))

    @property
    def replies(self) -> tuple[int, ...]:
        """The replies, ascending."""
        return tuple(sorted({line.reply for line in self.lines}))

    @property
    def lands(self) -> Band | None:
        """Where all the replies go."""
        return self.lines[0].lands

    @property
    def makes(self) -> Band:
        """From the lowest to the highest total made, including totals in between."""
        return Band(
            min(line.makes.lowest for line in self.lines),
            max(line.makes.highest for line in self.lines),
        )

    def hits(self, target: int) -> bool:
        """Whether every reply makes the target itself."""
        return all(
            line.makes.lowest * line.reply == target == line.makes.highest * line.reply
            for line in self.lines
        )

    def can_make(self, total: int) -> bool:
        """Whether one of the answers can make a total."""
        return any(
            total in line.makes and total % line.answer == 0 for line in self.lines
        )


class Rung(Struct, frozen=True):
    """The player who faces one of these totals loses: each answer is a line or bust."""

    faces: Band
    lines: tuple[Line, ...]
    busts: tuple[Bust, ...]

    def groups(self) -> list[Group]:
        """Group the lines by where their replies land, ascending by what they make."""
        together: dict[Band | None, list[Line]] = {}
        for line in self.lines:
            together.setdefault(line.lands, []).append(line)
        groups: list[Group] = []
        for lands, lines in together.items():
            group = Group(tuple(lines))
            answers = set(group.answers)
            # The same answers may meet another reply at totals in between.
            astray = any(
                line.answer in answers
                and line.lands != lands
                and _overlap(line.makes, group.makes)
                for line in self.lines
            )
            groups += [Group((line,)) for line in lines] if astray else [group]
        return sorted(groups, key=lambda group: group.makes.lowest)


def _overlap(one: Band, other: Band) -> bool:
    return one.lowest <= other.highest and other.lowest <= one.highest


class Ladder:
    """The rungs of one game, within a budget.

    The default budget is that of a whole proof, which is enough for any one rung about
    a single total.
    """

    def __init__(self, oracle: Oracle, budget: Budget | None = None) -> None:
        self._oracle = oracle
        self.budget = budget or Budget(CHAIN_STEPS, _REFUSAL)

    def rung(self, total: int) -> Rung:
        """Return why one lost position is lost.

        >>> from ninefold import Ending, Rules
        >>> from ninefold.theory.oracle import Oracle
        >>> rung = Ladder(Oracle(Rules(Ending.REACH, 1000))).rung(5)
        >>> rung.lines[0]
        Line(answer=2, makes=Band(lowest=10, highest=10), reply=8, \
lands=Band(lowest=56, highest=111))
        >>> [(group.answers, str(group.makes)) for group in rung.groups()]
        [((2, 3, 4, 5, 6, 7, 8, 9), '10 to 45')]
        """
        return self._rung_of(Band(total, total))

    def around(self, total: int) -> Rung:
        """Return why the whole band around a lost total is lost.

        >>> from ninefold import Ending, Rules
        >>> from ninefold.theory.oracle import Oracle
        >>> rung = Ladder(Oracle(Rules(Ending.REACH, 1000))).around(5)
        >>> str(rung.faces), [str(group.makes) for group in rung.groups()]
        ('4 to 6', ['8 to 54'])
        """
        return self._rung_of(self.band_of(self.rung(total)))

    def band_of(self, rung: Rung) -> Band:
        """Return the whole band that contains the totals of a rung."""
        return self._oracle.band_at(rung.faces.lowest) or rung.faces

    def handed_over(self, *rungs: Rung) -> set[Band]:
        """Return the bands that the replies of some rungs go to."""
        target = self._oracle.rules.target
        lines = (line for rung in rungs for line in rung.lines)
        return {line.lands.below(target) for line in lines if line.lands is not None}

    def single_line_from(self, rung: Rung, most: int) -> Iterator[Rung]:
        """Yield at most ``most`` next rungs, as long as each leads to a single band.

        Stops if the replies of a rung leave several bands, and when the budget ends.
        """
        target = self._oracle.rules.target
        try:
            for _ in range(most):
                lands = {line.lands for line in rung.lines}
                band = lands.pop() if len(lands) == 1 and not rung.busts else None
                if band is None or Group(rung.lines).hits(target):
                    return
                rung = self._rung_of(band.below(target))
                if rung.lines and (rung.busts or len(rung.groups()) > 1):
                    return
                yield rung
        except TooLarge:
            return

    def bands_from_the_end(self) -> Iterator[Band]:
        """Yield the lost totals as ``Oracle.lost_bands`` does, but descending.

        The rooms near the end are found soonest.
        """
        oracle = self._oracle
        total = min(oracle.limit, oracle.rules.target - 1)
        while total >= oracle.rules.start:
            band = oracle.band_at(total)
            if band is not None:
                yield band
                total = band.lowest - 1
            else:
                total = oracle.limit // oracle.lost.run_at(oracle.limit // total)[1]

    def below(self, rung: Rung) -> Iterator[Rung]:
        """Yield a rung for each band that the replies leave, down to the end.

        The totals grow from one rung to the next. With the multipliers 2-9 there is
        about one for each factor of 18 up to the limit, and far more if the multipliers
        have gaps. Raises ``TooLarge`` when the budget ends.
        """
        waiting: list[tuple[int, Band]] = []
        seen: set[int] = set()
        while True:
            for line in rung.lines:
                band = line.lands
                if band is not None and band.lowest not in seen:
                    seen.add(band.lowest)
                    heappush(waiting, (band.lowest, band))
            if not waiting:
                return
            _, band = heappop(waiting)
            self.budget.spend(_STEPS_FOR_A_RUNG)
            # In EXACT the target is in the last band, and nobody faces it.
            rung = self._rung_of(band.below(self._oracle.rules.target))
            yield rung

    def _rung_of(self, faces: Band) -> Rung:
        """Explain neighbouring totals that are all lost."""
        rules, limit = self._oracle.rules, self._oracle.limit
        lines: list[Line] = []
        busts: list[Bust] = []
        inside: list[tuple[int, Band, range]] = []
        # Long divisions dominate the cost of a long ladder: divide rooms, not totals.
        most_room, least_room = limit // faces.lowest, limit // faces.highest
        for answer in rules.multipliers:
            # The totals up to this one stay within the limit.
            last = min(limit // answer, faces.highest)
            if last >= faces.lowest:
                made = Band(faces.lowest * answer, last * answer)
                least = least_room // answer or limit // made.highest
                inside.append((answer, made, range(least, most_room // answer + 1)))
            if last < faces.highest:
                first = max(last + 1, faces.lowest)
                passed = Band(first * answer, faces.highest * answer)
                if rules.ending is Ending.REACH:
                    lines.append(Line(answer, passed, rules.multipliers[-1], None))
                else:
                    busts.append(Bust(answer, passed))
        # Prefer the runs that can be reached after the most answers.
        wanted: Counter[int] = Counter()
        for _, _, rooms in inside:
            for begins, _, replies in self._ways_into(rooms.start):
                wanted[begins] += len(replies)
        bands: dict[int, Band] = {}
        for answer, made, rooms in inside:
            lines += self._lines(answer, made, rooms, wanted, bands)
        lines.sort(key=lambda line: (line.answer, line.makes.lowest))
        return Rung(faces, tuple(lines), tuple(busts))

    def _lines(
        self,
        answer: int,
        made: Band,
        rooms: range,
        wanted: Counter[int],
        bands: dict[int, Band],
    ) -> Iterator[Line]:
        """Yield lines for all the totals that an answer makes, from the top down."""
        limit = self._oracle.limit
        top, room = made.highest, rooms.start
        while True:
            self.budget.spend(_STEPS_FOR_A_LINE)
            choices = []
            for begins, ends, replies in self._ways(room, made):
                # A reply leads into that run from all rooms up to ends * reply.
                enough = bisect_left(replies, rooms.stop, key=ends.__mul__)
                alike = replies[enough:] or replies[-1:]
                above = min(ends * alike[-1], rooms.stop)
                choices.append((above, wanted[begins], -begins, alike))
            above, _, run, alike = max(choices)
            reply = alike[len(alike) // 2]
            bottom = made.lowest
            if above < rooms.stop:
                bottom = max(limit // above + 1, bottom)
                bottom += -bottom % answer
            if run not in bands:
                bands[run] = self._oracle.lost_around(top * reply)
            yield Line(answer, Band(bottom, top), reply, bands[run])
            if bottom == made.lowest:
                return
            top = bottom - answer
            room = limit // top

    def _ways(self, room: int, made: Band) -> list[tuple[int, int, Sequence[int]]]:
        """Return the ways to win, or only the one that makes the target at once."""
        rules, lost = self._oracle.rules, self._oracle.lost
        if rules.ending is Ending.EXACT and made.lowest == made.highest:
            missing, rest = divmod(rules.target, made.lowest)
            if not rest and missing in rules.multipliers:
                return [(*lost.run_at(1), (missing,))]
        return self._ways_into(room)

    def _ways_into(self, room: int) -> list[tuple[int, int, Sequence[int]]]:
        ways = list(self._oracle.lost.ways_into(room))
        # Each was found with a binary search of the edges.
        self.budget.spend(len(ways) * len(self._oracle.lost.edges).bit_length())
        return ways
