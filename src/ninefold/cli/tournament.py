"""A tournament at the command line: a progress bar, then a cross table."""

from __future__ import annotations

import csv
import os
from contextlib import closing
from io import StringIO
from pathlib import Path

from msgspec.structs import astuple

from ninefold.arena.ratings import Rating
from ninefold.arena.tournament import Plan, Score
from ninefold.arena.tournament_journal import Journal
from ninefold.arena.tournament_standings import TournamentView, standings
from ninefold.arena.tournament_workers import Runner, cluster, processes
from ninefold.cli.bots import running_bots
from ninefold.cli.console import Console
from ninefold.cli.output import Styled, draw_table, print_wrapped, width_of
from ninefold.levels import LEVELS
from ninefold.text import escape

_NARROWEST_NAME = 12
_WIDEST_NAME = 40
_BESIDE_NAMES = len("12    +1234  ±123")
_WIDEST_BAR = 40
_MOST_PAIRS = 10
_CAPTION = "Each row: Elo, then the percentage of games won against 1, 2, ..."
_NOT_EXACT = "No exact values: the openings have too many positions."


def play(
    console: Console,
    plan: Plan,
    file: Path | None,
    workers: int | None,
    dask: str | None,
) -> TournamentView:
    """Play the chunks that are not in the journal, and return the standings.

    They are played by ``workers`` processes, or on the Dask cluster at an address.
    """
    for who in plan.contestants:
        with running_bots(who):
            pass  # a bot that cannot start fails here, before any game
    pools = processes(workers or os.cpu_count() or 1) if dask is None else cluster(dask)
    with pools as pool, closing(Journal(file, plan)) as journal:
        runner = Runner(plan, journal.scores)
        total = plan.count_games()
        played = sum(2 * len(plan.chunks[number].rounds) for number in journal.scores)
        reported: set[int] = set()
        _draw_bar(console, played, total)
        try:
            with closing(runner.play(pool)) as scores:
                for score in scores:
                    journal.add(score)
                    _print_last_words(console, plan, score, reported)
                    played += 2 * len(plan.chunks[score.chunk].rounds)
                    _draw_bar(console, played, total)
        except KeyboardInterrupt:
            hint = "To continue, run the same command again."
            if file is None:
                hint = "Nothing was saved; use --journal FILE to be able to continue."
            console.print_error(f"Stopped after {played:,} of {total:,} games. {hint}")
            raise
        finally:
            console.progress("")
        return standings(plan, journal.scores, runner.set_aside)


def _print_last_words(
    console: Console, plan: Plan, score: Score, reported: set[int]
) -> None:
    """Print once for each bot its last output before it failed; no file has it."""
    for failure in score.failures:
        if failure.last_words and failure.who not in reported:
            reported.add(failure.who)
            console.progress("")
            name, words = _name(plan.contestants[failure.who]), failure.last_words
            console.print_error(f"{name} {failure.reason}; its last output: {words}")


def _draw_bar(console: Console, done: int, total: int) -> None:
    counted = f" {done:,} of {total:,} games"
    room = min(_WIDEST_BAR, max(console.columns - len(counted) - 1, 0))
    filled = room * done // total
    marks = "━─" if console.can_show("━─") else "#-"
    console.progress(marks[0] * filled + marks[1] * (room - filled) + counted)


def print_csv(console: Console, view: TournamentView) -> None:
    """Print a line for each pair."""
    table = StringIO()
    rows = csv.writer(table, lineterminator="\n")
    rows.writerow(("one", "two", "played", "won", "won_beginning", "exact"))
    rows.writerows(astuple(pair) for pair in view.pairs)
    console.print_raw(table.getvalue())


def print_standings(console: Console, view: TournamentView) -> None:
    """Print a cross table, or sentences if it does not fit; then failures."""
    if console.plain or not _draw_cross_table(console, view):
        _print_sentences(console, view)
    worth = f"Going first is worth {_elo(view.begin, unit=' Elo')}."
    if view.begin.is_vague:
        worth = "These are too few to tell what going first is worth."
    print_wrapped(console, f"{view.games:,} games. {worth}")
    if any(
        pair.exact is None and {pair.one, pair.two} <= LEVELS.keys()
        for pair in view.pairs
    ):
        print_wrapped(console, _NOT_EXACT)
    for lost in view.failures:
        games = "1 game" if lost.games == 1 else f"{lost.games:,} games"
        who = _name(lost.who)
        print_wrapped(console, f"{who} lost {games} because it {lost.reason}.")
    for each in view.set_aside:
        both = f"{_name(each.one)} against {_name(each.two)}"
        rounds = f"rounds {each.first:,} to {each.last:,}"
        why = "the process that played them died each time"
        print_wrapped(console, f"Not played: {both}, {rounds}; {why}.")
    if view.set_aside:
        print_wrapped(console, "Run the same command with --journal to retry.")


def _print_sentences(console: Console, view: TournamentView) -> None:
    for place, row in enumerate(view.contestants, start=1):
        elo = f"Elo {_elo(row.rating)}"
        if row.rating.is_vague:
            elo = "too few games for an Elo"
        won = f"won {row.won:,} of {row.played:,} games"
        print_wrapped(console, f"{place}. {_name(row.who)}: {elo}; {won}.")
    if len(view.pairs) > _MOST_PAIRS and not console.plain:
        print_wrapped(console, "--csv lists every pair.")
        return
    for pair in view.pairs:
        one, two = _name(pair.one), _name(pair.two)
        won = f"{one} won {_share(pair.share)} of {pair.played:,} games"
        exact = ""
        if pair.exact is not None:
            exact = f"; exact value {_share(pair.exact)}"
        print_wrapped(console, f"{won} against {two}{exact}.")


def _draw_cross_table(console: Console, view: TournamentView) -> bool:
    """Draw the cross table; return False if it does not fit."""
    shares = {(pair.one, pair.two): (pair.share, pair.exact) for pair in view.pairs}
    for (one, two), (share, exact) in [*shares.items()]:
        shares[two, one] = 1 - share, None if exact is None else 1 - exact
    names = [row.who for row in view.contestants]
    left = width_of(console) - _BESIDE_NAMES
    tenths = left - len(names) * len("  100.0") >= _NARROWEST_NAME
    cell = "5.1f" if tenths else "3.0f"
    room = left - len(names) * (len(f"{100:{cell}}") + 2)
    rows: list[list[Styled]] = []
    for place, row in enumerate(view.contestants, start=1):
        rating = row.rating
        elo = ["    ?", ""]
        if not rating.is_vague:
            elo = [f"{round(rating.elo):>+5}", f"±{rating.margin:<3.0f}"]
        shown = escape(row.who)
        shown = shown if len(shown) <= room else f"…{shown[1 - room :]}"
        head = [f"{place:>2}", shown, *elo]
        sampled, exactly = (
            ["" if share is None else f"{share * 100:{cell}}" for share in column]
            for column in zip(
                *(shares.get((row.who, other), (None, None)) for other in names),
                strict=True,
            )
        )
        rows.append([(text, "") for text in (*head, *sampled)])
        if any(exactly):
            rows.append([(text, "dim") for text in ("", "  exact", "", "", *exactly)])
    numbers = [f"{number:>{5 if tenths else 3}}" for number in range(1, len(names) + 1)]
    heads = ("", "", "  Elo", "", *numbers)
    if room < _NARROWEST_NAME or not draw_table(console, heads, rows):
        return False
    print_wrapped(console, _CAPTION)
    if any(row.rating.is_vague for row in view.contestants):
        print_wrapped(console, "? means that too few games were played for an Elo.")
    return True


def _name(who: str) -> str:
    """Return a contestant's name, or the end of a long command line."""
    shown = escape(who)
    return shown if len(shown) <= _WIDEST_NAME else f"...{shown[3 - _WIDEST_NAME :]}"


def _elo(rating: Rating, unit: str = "") -> str:
    between = f"between {round(rating.low):+} and {round(rating.high):+}"
    return f"{round(rating.elo):+}{unit}, {between}"


def _share(share: float) -> str:
    return f"{share:.1%}"
