"""What the devices of a class show: the views of a pupil and of the teacher."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from functools import lru_cache

from ninefold.classroom import MOVER, OTHER, Poll, Pupil, Question, Round
from ninefold.errors import TooLarge
from ninefold.game import Game
from ninefold.online.class_messages import (
    BarView,
    ChoiceView,
    PollView,
    PositionView,
    PupilRow,
    PupilStatus,
    PupilView,
    RoundView,
    SeatAtTable,
    TeacherView,
    TruthView,
)
from ninefold.rulebooks import load
from ninefold.server.live_class import BETWEEN, OVER, PAUSED, LiveClass
from ninefold.server.seats import Device
from ninefold.session import Proposal
from ninefold.text import shorten
from ninefold.theory import Band
from ninefold.views.number_line import LineView, line_at, lost_bands, number_line
from ninefold.views.solutions import SolutionView, solve

_QUESTIONS = {"winner": "Who wins from here?", "move": "Which move?"}
_GAME_OVER = "The game is over."
_WINNERS = {MOVER: "The player whose turn it is", OTHER: "The other player"}
_TEXTS: dict[PupilStatus, str] = {
    "knocks": "Your teacher will let you in.",
    "waits": "Wait for a partner. Look at the board.",
    "plays": "",
    "sent-back": "Please choose another name.",
    "moved": "You play on another device now.",
    "left": "You have left the class.",
    "over": f"{OVER} Goodbye!",
}
_FIRST = "You are in. Look at the board."


def pupil_view(live: LiveClass, device: Device, now: datetime) -> PupilView:
    """Return a class as a pupil's device sees it, without anything of others."""
    room, pupil = live.classroom, live.classroom.pupil(device.pupil)
    status = _status(live, pupil, device)
    table = room.round and room.round.table_of(pupil.number)
    is_in = status in ("waits", "plays")
    return PupilView(
        revision=room.revision,
        status=status,
        text=_text(live, status),
        name=pupil.name,
        table=SeatAtTable(table.number, table.match) if table and is_in else None,
        round=round_view(room.round, now) if room.round and is_in else None,
        poll=poll_view(live, room.poll, pupil) if room.poll and is_in else None,
        bands_are_open=room.bands_are_open,
    )


def _status(live: LiveClass, pupil: Pupil, device: Device) -> PupilStatus:
    room = live.classroom
    if pupil.is_sent_back:
        return "sent-back"
    if device.number == pupil.knock:
        return "over" if room.is_closed else "knocks"
    if pupil.has_left:
        return "left"
    if device.number != pupil.device:
        return "moved"
    if room.is_closed:
        return "over"
    return "plays" if room.round and room.round.table_of(pupil.number) else "waits"


def _text(live: LiveClass, status: PupilStatus) -> str:
    room = live.classroom
    if status == "waits" and room.round is None:
        return BETWEEN if room.rounds else _FIRST
    if status == "plays" and room.round and room.round.paused_at is not None:
        return PAUSED
    return _TEXTS[status]


def teacher_view(
    live: LiveClass, now: datetime, *, keeps_bands: bool, reached_from: str | None
) -> TeacherView:
    """Return a class as its teacher sees it."""
    room = live.classroom
    return TeacherView(
        revision=room.revision,
        code=room.code,
        is_open=room.is_open,
        is_closed=room.is_closed,
        has_roster=bool(room.roster and room.roster.names),
        absent=tuple(" & ".join(names) for names in room.absent),
        pupils=tuple(_pupil_row(live, pupil) for pupil in room.pupils),
        waiting=room.waiting,
        rounds=room.rounds,
        round=round_view(room.round, now) if room.round else None,
        tables=tuple(live.rows()),
        poll=poll_view(live, room.poll) if room.poll else None,
        bands_are_open=room.bands_are_open,
        keeps_bands=keeps_bands,
        reached_from=reached_from,
    )


def _pupil_row(live: LiveClass, pupil: Pupil) -> PupilRow:
    room = live.classroom
    table = room.round and room.round.table_of(pupil.number)
    return PupilRow(
        number=pupil.number,
        names=pupil.names,
        name=pupil.name,
        is_here=pupil.is_here,
        has_left=pupil.has_left,
        knocks=bool(pupil.knock),
        is_away=pupil.is_here and live.is_away(pupil.number),
        is_duel=pupil.is_duel,
        table=table.number if table else None,
        apart=room.kept_apart(pupil.number),
    )


def round_view(playing: Round, now: datetime) -> RoundView:
    """Return the view of a round."""
    title, aim = _game(playing.proposal)
    return RoundView(
        number=playing.number,
        title=title,
        aim=aim,
        minutes=playing.minutes,
        seconds_left=playing.left(now).total_seconds(),
        is_paused=playing.paused_at is not None,
    )


@lru_cache
def _game(proposal: Proposal) -> tuple[str, str]:
    setup = proposal.setup(0)
    book = setup.rulebook()
    return book.title, book.describe(setup.rules)


def poll_view(live: LiveClass, poll: Poll, pupil: Pupil | None = None) -> PollView:
    """Return the question as a pupil or, without one, the teacher sees it."""
    question, counts = poll.question, poll.counts()
    shown = tuple(BarView(key, count) for key, count in counts.items())
    # How many have answered is for the board alone.
    answered, of = (
        (len(poll.answers), len(live.classroom.here)) if not pupil else (0, 0)
    )
    return PollView(
        asks=question.asks,
        text=_GAME_OVER if question.verdict is not None else _QUESTIONS[question.asks],
        position=position_view(question),
        choices=tuple(
            ChoiceView(key, _WINNERS.get(key) or f"×{shorten(int(key))}")
            for key in question.choices
        ),
        own=poll.answers.get(pupil.number) if pupil else None,
        answered=answered,
        of=of,
        bar=shown if poll.shows_answers else None,
        truth=live.truths.get(question) if poll.shows_truth else None,
        shows_truth=poll.shows_truth,
    )


@lru_cache
def position_view(question: Question) -> PositionView:
    """Return the position of a question, without its bands."""
    rules, book = question.rules, load(question.book)
    total = question.position.total
    told = "" if question.verdict is not None else question.told
    return PositionView(
        book=question.book,
        title=book.title,
        aim=book.describe(rules),
        rules=rules,
        moves=question.moves,
        total=total,
        text=told or f"The total is {shorten(total)}.",
        line=_line(question, None),
    )


def solve_question(question: Question) -> TruthView | None:
    """Return the right answers and the reason; None for a game too large to solve.

    Where a vote ended the game, return who wins.
    """
    if question.verdict is not None:
        return TruthView((), question.told, _line(question, None))
    try:
        found = solve(question.book, question.position)
        bands = lost_bands(question.rules)
    except TooLarge:
        return None
    if not isinstance(found, SolutionView):
        return None
    right: tuple[str, ...] = (MOVER,) if found.wins else (OTHER,)
    if question.asks == "move":
        right = tuple(map(str, found.winning_moves))
    return TruthView(right, found.why, _line(question, bands))


def _line(question: Question, bands: Iterable[Band] | None) -> LineView:
    position = question.position
    if isinstance(position, Game):
        return LineView.of(number_line(question.rules, bands, position))
    return LineView.of(line_at(question.rules, bands, position.total))
