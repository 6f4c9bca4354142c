"""The least cost of pairing a class, found in two ways that have no window.

Neither shares anything with the pairing itself. One lists all matchings; the other is for
thirty pupils, and searches until a lower bound proves that nothing costs less.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush

from ninefold.pairing import Candidate

Cost = tuple[int, int, int, int]
"""Pupils alone, how often before, how often pairs met, squared differences of shares."""
Matching = list[tuple[Candidate, Candidate | None]]
"""Everybody once; the partner of a pupil alone is None."""

UNIT = 10**9
"""More than any part of a cost: a cost is a number with four such digits."""
NEVER = UNIT**5


def are_apart(one: Candidate, two: Candidate) -> bool:
    return two.pupil in one.apart or one.pupil in two.apart


def cost_of(matching: Matching) -> Cost:
    alone = [one for one, two in matching if two is None]
    pairs = [(one, two) for one, two in matching if two is not None]
    return (
        len(alone),
        sum(one.alone for one in alone),
        sum(
            max(one.met.count(two.pupil), two.met.count(one.pupil))
            for one, two in pairs
        ),
        sum((one.share - two.share) ** 2 for one, two in pairs),
    )


def all_matchings(candidates: Sequence[Candidate]) -> Iterator[Matching]:
    if not candidates:
        yield []
        return
    one, *others = candidates
    for rest in all_matchings(others):
        yield [(one, None), *rest]
    for two in others:
        if not are_apart(one, two):
            for rest in all_matchings([each for each in others if each is not two]):
                yield [(one, two), *rest]


def brute_cost(candidates: Sequence[Candidate]) -> Cost:
    return min(map(cost_of, all_matchings(candidates)))


def exact_cost(candidates: Sequence[Candidate]) -> Cost:
    """Search for the cheapest matching; the first to be completed is one (A*).

    No pair costs less than the prices of both, and nobody is alone for less than one
    price. So a part of a matching, and the prices of all others, bound the whole.
    """
    # By share: whole groups of neighbours are done early, and few sets are left over.
    costs = cost_table(sorted(candidates, key=lambda each: each.share))
    prices = prices_of(costs)
    for one, row in enumerate(costs):
        assert prices[one] <= row[one]
        assert all(prices[one] + prices[two] <= row[two] for two in range(one))

    # A bound, how many are left, who is done: among equal bounds the most complete first.
    waiting = [(sum(prices), len(costs), 0)]
    seen = set()
    while True:
        bound, left, done = heappop(waiting)
        if not left:
            return parts_of(bound // 2)
        if done not in seen:
            seen.add(done)
            one = (~done & (done + 1)).bit_length() - 1  # the first who is left
            for two in range(one, len(costs)):
                if not done >> two & 1:
                    both = {one, two}
                    more = costs[one][two] - sum(prices[each] for each in both)
                    after = done | 1 << one | 1 << two
                    heappush(waiting, (bound + more, left - len(both), after))


def cost_table(candidates: Sequence[Candidate]) -> list[list[int]]:
    """Return the cost of each pair; a pupil paired with itself is alone.

    An odd class gets an empty place, and its partner is alone, too: the bound is close
    only if everybody can have a partner.
    """

    def cost(one: Candidate, two: Candidate) -> int:
        if one is not two and are_apart(one, two):
            return NEVER
        total = 0
        for part in cost_of([(one, None if one is two else two)]):
            total = total * UNIT + part
        return 2 * total

    costs = [[cost(one, two) for two in candidates] for one in candidates]
    if len(costs) % 2:
        alone = [row[place] for place, row in enumerate(costs)]
        costs = [[*row, own] for row, own in zip(costs, alone, strict=True)]
        costs.append([*alone, NEVER])
    return costs


def parts_of(total: int) -> Cost:
    rest, differences = divmod(total, UNIT)
    rest, repeats = divmod(rest, UNIT)
    return (*divmod(rest, UNIT), repeats, differences)


def prices_of(costs: list[list[int]]) -> list[int]:
    """Return prices whose sum is close to the cost of the cheapest matching.

    They are the dual of an assignment, by the Hungarian method. There everybody chooses
    and is chosen once, but not by the same, so a pair is paid by both, and who chooses
    itself pays twice.
    """
    size = len(costs)
    choosing, chosen = [0] * size, [0] * size  # the prices on both sides
    chooser: dict[int, int] = {}
    for newcomer in range(size):
        row = newcomer
        reached: list[int] = []
        gaps = dict.fromkeys(range(size), NEVER**2)
        before, last = [-1] * size, -1
        while True:
            for each in gaps:
                cost = costs[row][each] * (2 if row == each else 1)
                gap = cost - choosing[row] - chosen[each]
                if gap < gaps[each]:
                    gaps[each], before[each] = gap, last
            last = min(gaps, key=gaps.__getitem__)
            step = gaps.pop(last)
            choosing[newcomer] += step
            for each in reached:
                choosing[chooser[each]] += step
                chosen[each] -= step
            for each in gaps:
                gaps[each] -= step
            if last not in chooser:
                break
            reached.append(last)
            row = chooser[last]
        while before[last] >= 0:
            chooser[last] = chooser[before[last]]
            last = before[last]
        chooser[last] = newcomer
    return [(one + two) // 2 for one, two in zip(choosing, chosen, strict=True)]
