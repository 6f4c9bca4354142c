"""Games looked back on: listed, reviewed, summed up; and how well facts are known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from itertools import pairwise

from msgspec import Struct

from ninefold.coach import Grade, OnlyMoves, Review, Step
from ninefold.errors import TooLarge
from ninefold.game import NAMES, Seat
from ninefold.learning import FACTS, Answer, Fact, Mastery, Standing, mastery
from ninefold.notation import write_line
from ninefold.players import HUMAN
from ninefold.rules import Rules
from ninefold.store import GameRow
from ninefold.text import escape
from ninefold.theory import Oracle, oracle_for
from ninefold.views.words import write_given_back

NOTHING_FINISHED = "You have not finished a game against the computer yet."
BARS = "▁▂▃▄▅▆▇█"
_MOST_MARKS = 30
GRADE_WORDS = {
    Grade.ONLY: "only move",
    Grade.GOOD: "good",
    Grade.SLIP: "slip",
    Grade.LOST: "lost anyway",
}


class HistoryRow(Struct, frozen=True):
    """One game, over or not, of a match."""

    match: str
    match_number: int
    """Which match of those under this id it belongs to: a rematch is the next one."""
    number: int
    """Which game of the match it is, from 1."""
    game: str
    rules: Rules
    record: str
    total: int
    names: tuple[str, str]
    players: tuple[str, str]
    """Who sat at each seat: ``human``, or a level."""
    begun_at: datetime
    ended_at: datetime | None
    winner: Seat | None
    reason: str | None
    """``reached``, ``exact``, ``exceeded`` or ``resigned``."""
    score: tuple[int, int]
    """The match's score after this game."""
    is_retry: bool
    """Whether it is another try at a game that was played before."""

    @classmethod
    def of(cls, row: GameRow) -> HistoryRow:
        return cls(
            match=row.match_id,
            match_number=row.match_number,
            number=row.number,
            game=row.book,
            rules=row.rules,
            record=write_line(row.record()),
            total=row.total,
            names=row.names,
            players=(row.levels[0] or HUMAN, row.levels[1] or HUMAN),
            begun_at=row.begun_at,
            ended_at=row.ended_at,
            winner=row.winner,
            reason=row.reason,
            score=row.score,
            is_retry=row.is_retry,
        )


class GradedMove(Struct, frozen=True):
    """One move: by whom, from which total to which, and what it was worth."""

    number: int
    player: Seat
    total: int
    multiplier: int
    makes: int
    grade: Grade
    winning_moves: tuple[int, ...]
    comment: str

    @classmethod
    def of(cls, step: Step) -> GradedMove:
        return cls(
            step.number,
            step.seat,
            step.total,
            step.multiplier,
            step.makes,
            step.grade,
            step.winning,
            step.comment,
        )


class ReviewView(Struct, frozen=True):
    """A review: how every move was graded, where the game turned, what was better."""

    rules: Rules
    moves: tuple[GradedMove, ...]
    turning_point: int | None
    """The number of the last slip."""
    gave_up_a_win: bool
    ahead: Seat
    """Who wins with best play now, or who has won."""
    given_back: tuple[int, int]
    """How many moves the coach gave back to each seat."""
    story: str
    """Where the game turned, who resigned, what the coach gave back, in words."""
    only_moves: tuple[OnlyMoves, OnlyMoves]

    @classmethod
    def of(
        cls,
        review: Review,
        names: Mapping[Seat, str] = NAMES,
        given_back: tuple[int, int] = (0, 0),
    ) -> ReviewView:
        """Show a review; names default to Player 1 and Player 2."""
        turn, gave_up = review.turning_point, review.resignation
        return cls(
            rules=review.game.rules,
            moves=tuple(map(GradedMove.of, review.steps)),
            turning_point=turn.number if isinstance(turn, Step) else None,
            gave_up_a_win=gave_up is not None and gave_up.was_won,
            ahead=review.ahead,
            given_back=given_back,
            story=tell_story(review, names, given_back),
            only_moves=(review.only_moves(Seat.ONE), review.only_moves(Seat.TWO)),
        )


def tell_story(
    review: Review, names: Mapping[Seat, str], given_back: tuple[int, int]
) -> str:
    """Say how a game went: where it turned, and what the coach gave back."""
    outcome = review.game.outcome
    told = [review.story(names)]
    for seat, count in zip(Seat, given_back, strict=True):
        went = "plays on"
        if outcome is not None:
            went = "won" if outcome.winner is seat else "lost"
        if count:
            told.append(f"{names[seat]} {went}{write_given_back(count)}.")
    return " ".join(told)


class ShareView(Struct, frozen=True):
    """How many games were played, and how many of them won."""

    played: int
    won: int


class ProgressView(Struct, frozen=True):
    """How it has gone against the computer."""

    played: int
    won: int
    won_with_moves_given_back: int
    """Those of the games won in which the coach gave moves back."""
    by: dict[str, dict[str, ShareView]]
    """The same by ``game``, by ``opponent`` and by ``turn``: who moved first."""
    only_moves: OnlyMoves
    over_time: tuple[int, ...]
    """1 for each win and 0 for each loss, oldest first."""

    @classmethod
    def of(
        cls,
        games: Iterable[GameRow],
        judge: Callable[[Rules], Oracle] = oracle_for,
    ) -> ProgressView:
        """Sum up the finished games of one person against a level, oldest first.

        Another try at a game that was played before is not counted. One oracle judges
        all games by the same rules.
        """
        results: list[bool] = []
        with_given_back = 0
        by: dict[str, dict[str, list[bool]]] = {}
        winning: dict[Rules, dict[int, tuple[int, ...]]] = {}
        found = faced = 0
        for row in games:
            if row.is_retry:
                continue
            seat = Seat.ONE if row.levels[0] is None else Seat.TWO
            won = row.winner is seat
            results.append(won)
            with_given_back += won and row.given_back[seat.value - 1] > 0
            for kind, name in _groups(row, seat).items():
                by.setdefault(kind, {}).setdefault(name, []).append(won)
            only = _only_moves(row, seat, judge, winning.setdefault(row.rules, {}))
            found += only.found
            faced += only.faced
        return cls(
            played=len(results),
            won=sum(results),
            won_with_moves_given_back=with_given_back,
            by={
                kind: {
                    name: ShareView(len(each), sum(each))
                    for name, each in names.items()
                }
                for kind, names in by.items()
            },
            only_moves=OnlyMoves(found, faced),
            over_time=tuple(map(int, results)),
        )


def _groups(row: GameRow, seat: Seat) -> dict[str, str]:
    return {
        "game": row.title,
        "opponent": row.levels[seat.other.value - 1] or HUMAN,
        "turn": "moved first" if row.first is seat else "moved second",
    }


def _only_moves(
    row: GameRow,
    seat: Seat,
    judge: Callable[[Rules], Oracle],
    winning: dict[int, tuple[int, ...]],
) -> OnlyMoves:
    """Count the only moves of a seat; none where the rules are too large.

    ``winning`` has the winning moves of positions that were judged before.
    """
    rules = row.rules
    if len(rules.multipliers) == 1:
        return OnlyMoves(0, 0)
    found = faced = 0
    try:
        for turn in row.game.turns():
            if turn.seat is not seat:
                continue
            if turn.total not in winning:
                winning[turn.total] = judge(rules).winning_moves(turn.total)
            if len(winning[turn.total]) == 1:
                faced += 1
                found += turn.multiplier in winning[turn.total]
    except TooLarge:
        return OnlyMoves(0, 0)
    return OnlyMoves(found, faced)


class FactRow(Struct, frozen=True):
    """How well one multiplication fact is known."""

    fact: str
    """The product, as in ``7x8``."""
    standing: Standing
    right: int
    asked: int


def facts_of(answers: Sequence[Answer]) -> list[FactRow]:
    """Show how well each of the 36 facts is known, from answers, oldest first."""
    return [
        FactRow(fact.key, each.standing, each.right, each.asked)
        for fact, each in mastery_of(answers).items()
    ]


def mastery_of(answers: Sequence[Answer]) -> dict[Fact, Mastery]:
    """Return the mastery of each fact, from answers, oldest first."""
    found = mastery(answers)
    return {fact: found[fact.key] for fact in FACTS}


def write_progress(
    progress: ProgressView,
    marks: int = _MOST_MARKS,
    *,
    draws: bool = True,
    plain: bool = False,
) -> str:
    """Write how it has gone, the chart over time with at most so many marks.

    Without ``draws`` the chart is in numbers. ``plain`` makes each line mean something
    alone.
    """
    gap = "" if plain else "\n"
    text = f"Against the computer: {_share(progress.won, progress.played)}\n"
    helped = progress.won_with_moves_given_back
    if helped:
        alone = progress.won - helped
        text += f"Won with moves given back: {helped}; without: {alone}\n"
    for kind, shares in progress.by.items():
        if not plain:
            text += f"\nBy {kind}\n"
        width = max(len(escape(name)) for name in shares)
        for name, each in sorted(shares.items()):
            before = f"By {kind}, {name}:" if plain else f"  {escape(name):{width}} "
            text += f"{before} {_share(each.won, each.played)}\n"
    only = progress.only_moves
    if only.faced:
        found = f"{only.found} of {only.faced} times"
        text += f"{gap}You found the only winning move {found}.\n"
    over_time = _over_time(progress.over_time, marks, draws=draws and not plain)
    return f"{text}{gap}{over_time}\n"


def _share(won: int, played: int) -> str:
    return f"{won} of {played} won ({won / played:.0%})"


def _over_time(results: tuple[int, ...], marks: int, *, draws: bool) -> str:
    """Chart the share of wins, oldest games first, or write it in numbers."""
    marks = min(len(results), _MOST_MARKS, marks)
    bounds = [round(i * len(results) / marks) for i in range(marks + 1)]
    parts = [results[a:b] for a, b in pairwise(bounds)]
    shares = [sum(part) / len(part) for part in parts]
    if not draws:
        numbers = ", ".join(f"{share:.0%}" for share in shares)
        return f"Share of wins over time, oldest first: {numbers}"
    bars = "".join(BARS[round(share * (len(BARS) - 1))] for share in shares)
    return f"Over time: {bars}"
