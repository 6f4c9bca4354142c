"""From the asks of a class's devices to the commands of its log."""

from __future__ import annotations

from collections.abc import (
    Awaitable,
    Callable,
    Iterable,
    Iterator,
    Mapping,
)
from functools import partial
from typing import cast

from msgspec.structs import replace

from ninefold import classroom
from ninefold.classroom import Classroom, Pupil, Question, Table
from ninefold.classroom.roster import parse_roster
from ninefold.errors import ClassError
from ninefold.game import Seat
from ninefold.match import LengthKind, StartRule
from ninefold.online import class_messages as messages
from ninefold.rulebooks import load
from ninefold.rules import Rules
from ninefold.server import analysis
from ninefold.server.live_class import LiveClass
from ninefold.server.live_classes import Decision
from ninefold.server.live_match import History
from ninefold.server.seating_plan import choose_levels
from ninefold.server.seats import Device, SeatSecrets
from ninefold.server.thread_pool import Pool
from ninefold.session import (
    FRIEND,
    HERE,
    Proposal,
    ProposedLength,
    Session,
    Setup,
    Sit,
)
from ninefold.session.setup import clean_name
from ninefold.store import Append, accept_all
from ninefold.text import shorten
from ninefold.theory import Oracle
from ninefold.views.round_advice import can_be_won
from ninefold.views.solutions import SolutionView, solve

MOST_GAMES = 1_000
"""More games than a table plays: a round ends by its minutes."""

_PLAYERS = ("The class", "The computer")

Histories = Callable[[LiveClass, Iterable[str]], Awaitable[Mapping[str, History]]]
"""Returns the matches of a class with these ids."""


class ClassDecisions:
    """Turns the asks of pupils and of the teacher into commands."""

    def __init__(self, secrets: SeatSecrets, pool: Pool, histories: Histories) -> None:
        self._secrets = secrets
        self._pool = pool
        self._histories = histories

    async def decide(  # noqa: C901, PLR0911 - one case for each ask
        self,
        live: LiveClass,
        device: Device,
        body: messages.ClassAsk,
        room: Classroom,
    ) -> Decision:
        """Return the command for an ask; raise an error to refuse it."""
        ask = body.ask
        match ask:
            case messages.GiveAnswer(answer=answer):
                return Decision(classroom.Answer(device.pupil, answer))
            case messages.LeaveClass():
                return Decision(classroom.Leave(device.pupil))
            case messages.OpenDoor(is_open=is_open):
                return Decision(classroom.Door(room.code, is_open))
            case messages.SetRoster(text=text):
                is_blank = not text.strip()
                roster = classroom.Roster(()) if is_blank else parse_roster(text)
                return Decision(roster)
            case messages.StartRound():
                return await self._start_round(live, body.request_id, ask, room)
            case messages.OpenTable(table=seating):
                playing = room.current_round()
                seatings = await self._with_levels(live, room, (seating,))
                found = self._tables(
                    live.id,
                    body.request_id,
                    playing.proposal,
                    seatings,
                    room,
                    first=playing.opened + 1,
                )
                ((table, append),) = found
                return Decision(classroom.OpenTable(table), (append,))
            case messages.AskTyped():
                return Decision(await self._pool(partial(_ask_typed, ask)))
            case messages.PlayVote():
                return Decision(await self._pool(partial(_play_vote, room)))
            case classroom.Ask(question=Question() as question):
                if load(question.book).rules.ending is not question.rules.ending:
                    message = "this game has another aim; choose the game again"
                    raise ClassError(message)
                return Decision(ask)
            case classroom.Rename(names=names):
                return Decision(replace(ask, names=tuple(map(clean_name, names))))
        return Decision(ask)

    # Rounds

    async def _start_round(
        self,
        live: LiveClass,
        request_id: str,
        ask: messages.StartRound,
        room: Classroom,
    ) -> Decision:
        proposal = replace(
            ask.proposal,
            book_text=None,
            length=ProposedLength(LengthKind.GAMES, MOST_GAMES),
            first=Seat.ONE,
            starts=StartRule.ALTERNATE,
            player="human",
            opponent=FRIEND,
            name=None,
            other_name=None,
        )
        _check_reachable(proposal.setup(0).rules)
        seatings = await self._with_levels(live, room, ask.tables)
        found = list(self._tables(live.id, request_id, proposal, seatings, room))
        tables = tuple(table for table, _ in found)
        start = classroom.StartRound(proposal, ask.minutes, tables)
        return Decision(start, tuple(append for _, append in found))

    async def _with_levels(
        self,
        live: LiveClass,
        room: Classroom,
        seatings: tuple[messages.Seating, ...],
    ) -> list[messages.Seating]:
        """Choose a level for each pupil who sits alone without one."""
        alone = [
            seating.pupils[0]
            for seating in seatings
            if len(seating.pupils) == 1 and seating.level is None
        ]
        if not alone:
            return list(seatings)
        mine = [table.match for _, table in room.tables if set(table.pupils) & {*alone}]
        matches = await self._histories(live, mine)
        return await self._pool(partial(choose_levels, room, seatings, matches))

    def _tables(
        self,
        class_id: str,
        request_id: str,
        proposal: Proposal,
        seatings: Iterable[messages.Seating],
        room: Classroom,
        *,
        first: int = 1,
    ) -> Iterator[tuple[Table, Append]]:
        """Yield the tables, each with the append that creates its match."""
        for number, seating in enumerate(seatings, start=first):
            match_id = self._secrets.match_id(f"{class_id}/{request_id}/{number}")
            pupils = [room.pupil(each) for each in seating.pupils]
            table = Table(number, match_id, seating.pupils, seating.level)
            setup, sits = seat(
                proposal, pupils, seating.level, self._secrets.seed(match_id)
            )
            start = Session.start(setup)
            accepted = tuple(accept_all(start, sits))
            yield table, Append(match_id, accepted, start, class_id=class_id)


def seat(
    proposal: Proposal, pupils: list[Pupil], level: str | None, seed: int
) -> tuple[Setup, tuple[Sit, ...]]:
    """Return the setup of a table, and the commands that seat its pupils.

    A table of one pupil without a level is that of two who share a device.
    """
    one = pupils[0]
    names = one.names if len(pupils) == 1 else tuple(each.name for each in pupils)
    if level is not None:
        names = (one.name,)
    is_shared = len(pupils) == 1 and level is None
    name, other_name = (*names, None)[:2]
    setup = replace(
        proposal,
        name=name,
        other_name=other_name,
        opponent=HERE if is_shared else level or FRIEND,
    ).setup(seed)
    if is_shared:
        return setup, ()
    sits = tuple(Sit(place, each) for place, each in zip(Seat, names, strict=False))
    free = tuple(
        str(place) if setup.is_person(place) else setup.name(place) for place in Seat
    )
    return replace(setup, names=(free[0], free[1]), all_seated=False), sits


def _check_reachable(rules: Rules) -> None:
    """Raise ``ClassError`` for a target that no multipliers make."""
    if not can_be_won(rules):
        message = (
            f"nobody can make exactly {shorten(rules.target)} with these multipliers;"
            " choose another target"
        )
        raise ClassError(message)


# Questions


def _ask_typed(ask: messages.AskTyped) -> classroom.Ask:
    """Ask about a typed position; raise an error if no moves lead to it."""
    book, at = analysis.position(ask.game, ask.target, ask.multipliers, None, ask.total)
    Oracle(at.rules).check(at.total)
    typed = None if at.total == at.rules.start else at.total
    return classroom.Ask(Question(ask.asks, book, at.rules, typed=typed))


def _play_vote(room: Classroom) -> classroom.Ask:
    """Play the move with the most votes and the computer's reply; ask again.

    Of equal ones, the smaller multiplier is played. Once the game is over, the question
    tells who wins.
    """
    poll = room.current_poll()
    question, counts = poll.question, poll.counts()
    if question.asks != "move" or not poll.shows_answers or not poll.answers:
        message = "ask for a move and show the answers first; then play the vote"
        raise ClassError(message)
    told = list[str]()
    for player, other in (_PLAYERS, _PLAYERS[::-1]):
        if told:
            found = solve(question.book, question.position)
            multiplier = cast("SolutionView", found).best_move
        else:
            multiplier = int(max(counts, key=lambda key: counts[key]))
        question = question.after(multiplier)
        total = shorten(question.position.total)
        told.append(f"{player} plays ×{shorten(multiplier)}: {total}.")
        if question.verdict is not None:
            told.append(f"{player if question.verdict.mover_wins else other} wins.")
            break
    return classroom.Ask(replace(question, told=" ".join(told)))
