"""Who plays whom in the next round of a class, and at which level."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random

from msgspec.structs import replace

from ninefold.classroom import Classroom, Pupil
from ninefold.game import Seat
from ninefold.online import class_messages as messages
from ninefold.pairing import Candidate, pair
from ninefold.server.class_results import games_of_pupils
from ninefold.server.live_match import History
from ninefold.views.class_results import PupilGame, level_for, share_of


def plan_tables(
    class_id: str, room: Classroom, who: str, matches: Mapping[str, History]
) -> messages.SeatingPlan:
    """Return who would play whom: ``pair``, the ``same`` partners, or a ``level``."""
    games = games_of_pupils(room, matches)
    tables, free = list[messages.Seating](), list[Pupil]()
    partners = {
        one: other
        for one, other in (_last_partners(room) if who == "same" else {}).items()
        if frozenset({one, other}) not in room.apart
    }
    here = {pupil.number for pupil in room.here}
    for pupil in room.here:
        partner = partners.get(pupil.number)
        if pupil.is_duel:
            tables.append(messages.Seating(pupils=(pupil.number,)))
        elif partner not in here:
            free.append(pupil)
        elif partner > pupil.number:
            tables.append(messages.Seating(pupils=(pupil.number, partner)))
    alone = [pupil.number for pupil in free]
    if who != "level":
        ranks = range(len(room.pupils))
        shuffled = Random(class_id).sample(ranks, len(ranks))
        candidates = [
            Candidate(
                pupil.number,
                share_of(games[pupil.number])
                if room.rounds
                else shuffled[pupil.number - 1],
                pupil.alone,
                pupil.met,
                room.kept_apart(pupil.number),
            )
            for pupil in free
        ]
        paired = pair(candidates)
        # The first seat starts the first game; rounds take turns at it.
        turn = 1 if room.rounds % 2 == 0 else -1
        tables += [messages.Seating(pupils=each[::turn]) for each in paired.pairs]
        alone = list(paired.alone)
    tables += [
        messages.Seating(pupils=(number,), level=_level_of(games[number]))
        for number in alone
    ]
    return messages.SeatingPlan(tuple(tables))


def _last_partners(room: Classroom) -> dict[int, int]:
    """Return the latest partner of each pupil who has had one."""
    found = dict[int, int]()
    for _, table in room.tables:
        if len(table.pupils) == len(Seat):
            one, two = table.pupils
            found |= {one: two, two: one}
    return {one: two for one, two in found.items() if found.get(two) == one}


def _level_of(games: Sequence[PupilGame]) -> str:
    return level_for(share_of(games), len(games))


def choose_levels(
    room: Classroom,
    seatings: Iterable[messages.Seating],
    matches: Mapping[str, History],
) -> list[messages.Seating]:
    """Return the seatings, with a level for each pupil who sits alone without one."""
    games = games_of_pupils(room, matches)
    chosen = []
    for seating in seatings:
        is_alone = len(seating.pupils) == 1 and seating.level is None
        if is_alone and not room.pupil(seating.pupils[0]).is_duel:
            level = _level_of(games[seating.pupils[0]])
            chosen.append(replace(seating, level=level))
        else:
            chosen.append(seating)
    return chosen
