"""Progress: what a learner knows, the results of their games, and what to do next."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import cache
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import astuple

from ninefold.coach import OnlyMoves
from ninefold.errors import TooLarge, UnknownLearner
from ninefold.game import Seat
from ninefold.learning import FACTS, Answer, Mastery, Standing, gain, mastery
from ninefold.learning.knowledge import CARDS, FACT_CARDS, SKILL_CARDS
from ninefold.notation import is_record
from ninefold.rules import Rules
from ninefold.store import DEFAULT_LEARNER, GameRow, Learner, Store
from ninefold.text import escape, join_words
from ninefold.theory import Oracle, oracle_for
from ninefold.views.match_text import format_standing
from ninefold.views.next_steps import next_cards, suggest
from ninefold.views.practice import name_card, name_cards, seat_of

NOTHING_FINISHED = "You have not finished a game against the computer yet."
BARS = "▁▂▃▄▅▆▇█"
_PLAINER_BARS = ".-:=+*%#"
_MOST_MARKS = 30
_LATELY = timedelta(days=28)
_UNNAMED = tuple(map(str, Seat))
MEANINGS = {
    Standing.KNOWN: "known: right on three days, one of them a week later",
    Standing.FIRM: f"{Standing.FIRM.value}: right recently",
    Standing.SHAKY: ("shaky: wrong, or needed help, in one of the last three tries"),
    Standing.NEW: "new: not asked yet",
}


class CardRow(Struct, frozen=True):
    """How well one fact or one skill is known."""

    name: str
    """The product, as in ``7x8``, or the skill."""
    standing: Standing
    right: int
    """How often it was right without help."""
    asked: int
    due: datetime | None
    """When to ask it again; None if it was never asked."""


class PuzzlesView(Struct, frozen=True):
    """How many puzzles were answered, and how many were right without help."""

    asked: int
    right: int


class ScoreRow(Struct, frozen=True):
    """The games that two people won against each other."""

    names: tuple[str, str]
    score: tuple[int, int]


class GamesView(Struct, frozen=True):
    """Results of games against levels and people, and the slips in all of them."""

    played: int
    """Finished games against the computer."""
    won: int
    over_time: dict[str, tuple[int, ...]]
    """By level: 1 for each win and 0 for each loss, oldest first."""
    only_moves: OnlyMoves
    slips: int
    """How many moves gave away a won position."""
    people: tuple[ScoreRow, ...]
    """The score against each other person."""

    @classmethod
    def of(
        cls,
        games: Sequence[Played],
        people: Sequence[Played],
        judge: Callable[[Rules], Oracle] = oracle_for,
    ) -> GamesView:
        """Sum up games against levels, and games with people."""
        slips = 0
        only: list[bool] = []

        @cache
        def winning_moves(rules: Rules, total: int) -> tuple[int, ...]:
            return judge(rules).winning_moves(total)

        for row, seat in (*games, *people):
            turns = [turn for turn in row.game.turns() if turn.seat is seat]
            rules = row.rules
            with suppress(TooLarge):
                winning = [winning_moves(rules, turn.total) for turn in turns]
                for turn, moves in zip(turns, winning, strict=True):
                    slips += bool(moves) and turn.multiplier not in moves
                    if len(moves) == 1 < len(rules.multipliers):
                        only.append(turn.multiplier in moves)
        over_time: dict[str, list[int]] = {}
        for row, seat in games:
            level = row.setup.level(seat.other) or ""
            results = [*over_time.pop(level, ()), int(row.winner is seat)]
            over_time[level] = results  # so the latest level is the last key
        return cls(
            played=len(games),
            won=sum(row.winner is seat for row, seat in games),
            over_time={level: tuple(won) for level, won in over_time.items()},
            only_moves=OnlyMoves(sum(only), len(only)),
            slips=slips,
            people=_scores(people),
        )


class ProgressView(Struct, frozen=True):
    """What a learner knows, the results of their games, and what to do next."""

    learner: str
    facts: tuple[CardRow, ...]
    skills: tuple[CardRow, ...]
    puzzles: PuzzlesView
    improved: tuple[str, ...]
    """The facts and skills that improved in the last four weeks."""
    next: tuple[str, ...]
    """The facts and skills to practise next: what is shaky, then what is due first."""
    games: GamesView
    suggestion: str

    @classmethod
    def of(
        cls,
        learner: str,
        answers: Sequence[Answer],
        games: GamesView,
        at: datetime,
    ) -> ProgressView:
        """Sum up the answers of a learner, oldest first, and their games."""
        standings = mastery(answers)
        earlier = [answer for answer in answers if answer.at < at - _LATELY]
        improved = [card for card in gain(earlier, answers).improved if card in CARDS]
        puzzles = [each for each in answers if is_record(each.item)]
        return cls(
            learner=learner,
            facts=_rows(FACT_CARDS, standings),
            skills=_rows(SKILL_CARDS, standings),
            puzzles=PuzzlesView(len(puzzles), sum(each.known for each in puzzles)),
            improved=tuple(improved),
            next=next_cards(standings),
            games=games,
            suggestion=suggest(standings, games.over_time, at),
        )

    def count(self, standing: Standing) -> int:
        """Count the facts with this standing."""
        return sum(row.standing is standing for row in self.facts)


def _rows(cards: Iterable[str], standings: dict[str, Mastery]) -> tuple[CardRow, ...]:
    return tuple(CardRow(card, *astuple(standings[card])) for card in cards)


# Read from a store


def load_progress(
    store: Store,
    name: str | None = None,
    judge: Callable[[Rules], Oracle] = oracle_for,
) -> ProgressView:
    """Load the progress of a learner; without a name, of the latest one.

    Raise ``UnknownLearner`` for a name that neither a learner nor a player has.
    """
    learner = find_learner(store, name)
    names = names_of(learner)
    answers = store.answers(learner.id) if learner.id else []
    games = find_played(store.finished_against_levels(), names)
    people = find_played(store.finished_between_people(), names)
    if name is not None and not (answers or games or people):
        store.find_learner(name)
    summed = GamesView.of(games, people, judge)
    return ProgressView.of(learner.name, answers, summed, store.now())


class Who(Struct, frozen=True):
    """A learner, or a player who may become one."""

    id: str
    """The learner's id; empty before the first answer."""
    name: str
    formerly: tuple[str, ...] = ()


def find_learner(store: Store, name: str | None = None) -> Who:
    """Return the learner with a name or, without one, the latest; store nothing.

    Before anyone has practised, return the player of the last game with a level.
    """
    try:
        found = store.latest_learner() if name is None else store.find_learner(name)
    except UnknownLearner:
        return Who("", name or "")
    if found is not None:
        return Who(found.id, found.name, found.formerly)
    played = [row.setup.learner for row in store.history(limit=1) if any(row.levels)]
    named = [name for name in played if name and name not in _UNNAMED]
    return Who("", named[0] if named else DEFAULT_LEARNER)


def names_of(learner: Who | Learner) -> tuple[str, ...]:
    """Return a learner's player names; the default learner plays by a seat's name."""
    names = (learner.name, *learner.formerly)
    return (*names, *_UNNAMED) if DEFAULT_LEARNER in names else names


Played = tuple[GameRow, Seat]
"""A game, and the seat of the learner."""


def find_played(
    rows: Iterable[GameRow], names: Collection[str] | None = None
) -> list[Played]:
    """Return a player's games, without retries."""
    seats = [(row, seat_of(row, names)) for row in rows if not row.is_retry]
    return [(row, seat) for row, seat in seats if seat is not None]


def _scores(people: Iterable[Played]) -> tuple[ScoreRow, ...]:
    scores: dict[tuple[str, str], list[int]] = {}
    for row, seat in people:
        names = row.names[seat.value - 1], row.names[seat.other.value - 1]
        scores.setdefault(names, [0, 0])[row.winner is not seat] += 1
    return tuple(ScoreRow(names, (a, b)) for names, (a, b) in sorted(scores.items()))


# In words


def format_progress(
    progress: ProgressView,
    glyphs: Mapping[Standing, str],
    marks: int = _MOST_MARKS,
    *,
    draws: bool = True,
) -> str:
    """Format everything but the facts; each level's wins over time are a plot.

    A plot has at most ``marks`` characters; without ``draws`` they are plain ASCII.
    ``glyphs`` show the standing of each skill.
    """
    parts = [
        _format_skills(progress, glyphs),
        format_games(progress.games, marks, draws=draws),
        f"{progress.suggestion}\n",
    ]
    return "\n".join(parts)


def format_games(games: GamesView, marks: int = _MOST_MARKS, *, draws: bool) -> str:
    """Format the results of games, the slips in them, and the scores between people."""
    bars = BARS if draws else _PLAINER_BARS
    people = [f"  {format_standing(row.names, row.score)}\n" for row in games.people]
    parts = [_format_levels(games, bars, marks)]
    if games.slips:
        parts.append(f"You {_gave_away(games)}.\n")
    if people:
        parts.append("".join(["With other people\n", *people]))
    return "\n".join(parts)


def _format_skills(progress: ProgressView, glyphs: Mapping[Standing, str]) -> str:
    text = "Skills\n"
    for row in progress.skills:
        name = name_card(row.name, example=True)
        share = f", right {row.right:,} of {row.asked:,}" if row.asked else ""
        text += f"  {glyphs[row.standing]} {name}: {row.standing.value}{share}\n"
    puzzles = progress.puzzles
    if puzzles.asked:
        right = f"{puzzles.right:,} of {puzzles.asked:,}"
        text += f"  Puzzles solved at the first try, without help: {right}\n"
    return text


def _format_levels(games: GamesView, bars: str, marks: int) -> str:
    if not games.played:
        return f"{NOTHING_FINISHED}\n"
    share = f"{games.won:,} of {games.played:,} won ({games.won / games.played:.0%})"
    text = f"Against the computer: {share}\n"
    width = max(map(len, map(escape, games.over_time)))
    plots = {level: _plot(won, bars, marks) for level, won in games.over_time.items()}
    longest = max(map(len, plots.values()))
    for level, results in games.over_time.items():
        won = f"{sum(results):,} of {len(results):,} won"
        text += f"  {escape(level):{width}}  {plots[level]:{longest}}  {won}\n"
    only = games.only_moves
    if only.faced:
        found = f"{only.found:,} of {only.faced:,} times"
        text += f"You found the only winning move {found}.\n"
    return text


def _plot(results: Sequence[int], bars: str, marks: int) -> str:
    """Plot the share of wins, oldest games first."""
    marks = max(1, min(len(results), _MOST_MARKS, marks))
    bounds = [round(i * len(results) / marks) for i in range(marks + 1)]
    parts = [results[a:b] for a, b in pairwise(bounds)]
    return "".join(
        bars[round(sum(part) / len(part) * (len(bars) - 1))] for part in parts
    )


def _gave_away(games: GamesView) -> str:
    times = {0: "", 1: " once", 2: " twice"}.get(games.slips, f" {games.slips:,} times")
    return f"{'gave' if games.slips else 'never gave'} the win away{times}"


def digest(progress: ProgressView) -> list[str]:
    """Sum up progress in five sentences, facts apart from skills."""
    facts = [
        f"{progress.count(standing)} {standing.value}"
        for standing in (Standing.KNOWN, Standing.FIRM, Standing.SHAKY, Standing.NEW)
    ]
    shaky = [
        f"shaky {kind}: {name_cards(names)}"
        for kind, rows in (("facts", progress.facts), ("skills", progress.skills))
        if (names := [row.name for row in rows if row.standing is Standing.SHAKY])
    ]
    games, puzzles = progress.games, progress.puzzles
    played = f"You won {games.won:,} of {games.played:,} games against the computer"
    if games.people:
        won = sum(row.score[0] for row in games.people)
        of = sum(sum(row.score) for row in games.people)
        played += f" and {won:,} of {of:,} against people"
    right = f"{puzzles.right:,} of {puzzles.asked:,}"
    solved = f"You solved {right} puzzles at the first try."
    results = (
        f"{played}, and {_gave_away(games)}."
        if games.played or games.people
        else NOTHING_FINISHED
    )
    return [
        f"Of the {len(FACTS)} facts, {progress.learner} has {join_words(facts)}.",
        f"{'; '.join(shaky).capitalize()}." if shaky else "Nothing is shaky now.",
        solved if puzzles.asked else "You have not tried a puzzle yet.",
        results,
        progress.suggestion,
    ]
