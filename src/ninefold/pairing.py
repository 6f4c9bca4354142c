"""Pairs the pupils of a class for one round.

Pupils are sorted by share, and dynamic programming pairs the first free pupil with one
of the next few, the window, or with nobody. In a class of up to eleven the window
covers everybody, and no pairing costs less.

In a larger class some pairs are outside the window: the work grows with the number of
pupils, not with all their pairings. Even so, if no pupils are kept apart, at most one
has no partner, and it is one of those least often alone. Two pupils may meet again
needlessly, but in simulated lessons of 12 to 30 pupils no pairing cost less in the
first six rounds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter

from msgspec import Struct

_WINDOW = 10
"""A wider one costs more time and, in simulated lessons, pairs nobody better."""


class Candidate(Struct, frozen=True):
    """A pupil to be paired."""

    pupil: int
    """The pupil's number; no two candidates have the same."""
    share: int
    """Orders the pupils: won positions kept, in per cent; wins; or a shuffled rank."""
    alone: int = 0
    """The number of rounds without a partner; not negative."""
    met: tuple[int, ...] = ()
    """The partners of earlier rounds, once for each round."""
    apart: tuple[int, ...] = ()
    """Pupils never to be the partner; one of two naming the other is enough."""


class Pairing(Struct, frozen=True):
    """The pairs of a round, and the pupils without a partner.

    All are sorted by the pupils' numbers, so that the order of the pairs does not show
    which is stronger.
    """

    pairs: tuple[tuple[int, int], ...]
    alone: tuple[int, ...]


def pair(candidates: Sequence[Candidate]) -> Pairing:
    """Return the pairing of least cost within the window.

    The cost counts, in this order: pupils without a partner; how often these were alone
    before; how often each pair has met before; the squared difference of its shares.
    The order of the candidates does not matter.

    >>> ann, ben, eve = Candidate(1, 90, alone=1), Candidate(2, 80), Candidate(3, 10)
    >>> pair([ann, ben, eve])
    Pairing(pairs=((1, 2),), alone=(3,))
    """
    ranked = sorted(candidates, key=attrgetter("share", "pupil"))
    options = _options(ranked)
    costs = _least_costs(options)

    pairs, alone, taken = [], [], 0
    for place, candidate in enumerate(ranked):
        if not taken & 1:
            rest = costs[place + 1]
            _, bit = min(
                (cost + rest[(taken | bit) >> 1], bit)
                for bit, cost in options[place]
                if not taken & bit
            )
            taken |= bit
            partner = ranked[place + bit.bit_length() - 1]
            if partner is candidate:
                alone.append(candidate.pupil)
            else:
                one, two = sorted((candidate.pupil, partner.pupil))
                pairs.append((one, two))
        taken >>= 1
    return Pairing(tuple(sorted(pairs)), tuple(sorted(alone)))


def _options(ranked: Sequence[Candidate]) -> list[list[tuple[int, int]]]:
    """Return each pupil's possible partners among the next ones, with the costs.

    A partner is a bit, as in ``_least_costs``; the pupil's own stands for nobody.
    """
    # One number compares faster than four: one of each part outweighs all later parts.
    spread = ranked[-1].share - ranked[0].share if ranked else 0
    repeat = len(ranked) * spread**2 + 1
    again = repeat * (sum(len(each.met) for each in ranked) + 1)
    alone = again * (sum(each.alone for each in ranked) + 1)

    def partners(place: int) -> Iterator[tuple[int, int]]:
        one = ranked[place]
        yield 1, alone + again * one.alone
        for ahead, two in enumerate(ranked[place + 1 : place + 1 + _WINDOW], start=1):
            if two.pupil not in one.apart and one.pupil not in two.apart:
                met = max(one.met.count(two.pupil), two.met.count(one.pupil))
                yield 1 << ahead, repeat * met + (one.share - two.share) ** 2

    return [[*partners(place)] for place in range(len(ranked))]


def _least_costs(options: Sequence[Sequence[tuple[int, int]]]) -> list[list[int]]:
    """Return the least cost of pairing everybody from each place on.

    The list of a place has an entry for each set of pupils whom earlier ones have
    taken; the lowest bit is the pupil at that place. A last list ends the recursion.
    """
    rest = [0] * (1 << _WINDOW)
    costs = [rest]
    for partners in reversed(options):
        here = [0] * (1 << _WINDOW)
        here[1::2] = rest[: 1 << _WINDOW - 1]
        for taken in range(0, 1 << _WINDOW, 2):
            here[taken] = min(
                cost + rest[(taken | bit) >> 1]
                for bit, cost in partners
                if not taken & bit
            )
        costs.append(here)
        rest = here
    costs.reverse()
    return costs
