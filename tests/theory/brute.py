"""Every position of a game played out, from the words of the rule books alone.

Nothing here comes from ninefold: totals are multiplied, and the rule books' own
sentences say who has won. It is slow, plain and meant to be read beside them.

- "reach": the player who makes the target or more wins (Multiplication Madness,
  Multiplier Showdown).
- "avoid": the player who makes the target or more loses (Multiplier).
- "exact": the player who makes the target exactly wins, and who makes more loses
  (Multiplication Showdown, Multiplication Duel).
"""

from __future__ import annotations

from typing import NamedTuple


class Found(NamedTuple):
    """What playing everything out says of one total."""

    moves: tuple[int, ...]
    """The moves that win; the player to move wins if there is one."""
    distance: int
    depth: int
    """How many moves the longest game takes from here."""
    both_random: int
    first_perfect: int
    second_perfect: int
    """The chances of the player to move, in parts of choices ** depth."""


def mover_has_won(ending: str, target: int, total: int) -> bool | None:
    """Say whether whoever just made a total has won, lost (False) or neither."""
    if total < target:
        return None
    if ending == "reach":
        return True
    if ending == "avoid":
        return False
    return total == target


def reachable(target: int, multipliers: tuple[int, ...], start: int) -> list[int]:
    """List every total that can be faced, ascending."""
    seen = {start}
    waiting = [start]
    while waiting:
        total = waiting.pop()
        for m in multipliers:
            if total * m < target and total * m not in seen:
                seen.add(total * m)
                waiting.append(total * m)
    return sorted(seen)


def lost_runs(multipliers: tuple[int, ...], largest: int) -> list[tuple[int, int]]:
    """List the runs of lost rooms, from each beginning to before its end.

    Room 1 is lost, for every move passes the limit, and so is each room from which no
    move leads to a lost one: ×m takes a room to ``room // m``.
    """
    runs: list[tuple[int, int]] = []
    at = 1
    while at <= largest:
        won = [(m * begin, m * end) for begin, end in runs for m in multipliers]
        covering = [high for low, high in won if low <= at < high]
        if covering:
            at = max(covering)
            continue
        # It ends where a move first leads back to itself, or into a run below.
        end = min([multipliers[0] * at, *(low for low, _ in won if low > at)])
        runs.append((at, end))
        at = end
    return runs


def play_out(
    ending: str, target: int, multipliers: tuple[int, ...], totals: list[int]
) -> dict[int, Found]:
    """Work out some totals, given ascending, with all that can follow each."""
    found: dict[int, Found] = {}
    for total in reversed(totals):
        found[total] = _play_out_one(ending, target, multipliers, total, found)
    return found


def _play_out_one(
    ending: str,
    target: int,
    multipliers: tuple[int, ...],
    total: int,
    found: dict[int, Found],
) -> Found:
    winning, quick, slow = [], [], []
    next_ones: list[tuple[bool | None, Found | None]] = []
    for m in multipliers:
        won = mover_has_won(ending, target, total * m)
        after = found[total * m] if won is None else None
        next_ones.append((won, after))
        plies = 1 if after is None else 1 + after.distance
        if won or (after is not None and not after.moves):
            winning.append(m)
            quick.append(plies)
        else:
            slow.append(plies)

    choices = len(multipliers)
    depth = 1 + max(after.depth if after else 0 for _, after in next_ones)
    below = choices ** (depth - 1)
    random, first, second = [], [], []
    for won, after in next_ones:
        if after is None:
            sure = below if won else 0
            random.append(sure)
            first.append(sure)
            second.append(sure)
        else:
            # The players change places: my chance is what the other's leaves, and
            # the perfect one of us is the second to move from there, or the first.
            scale = choices ** (depth - 1 - after.depth)
            random.append(below - scale * after.both_random)
            first.append(below - scale * after.second_perfect)
            second.append(below - scale * after.first_perfect)
    return Found(
        moves=tuple(winning),
        distance=min(quick) if winning else max(slow),
        depth=depth,
        both_random=sum(random),
        first_perfect=choices * max(first),
        second_perfect=sum(second),
    )
