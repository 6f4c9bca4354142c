"""Exact chances and mistakes of levels and bots: matchup, audit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from fractions import Fraction
from random import Random

import click

from ninefold.cli.bots import LEVEL_OR_BOT
from ninefold.cli.console import Console
from ninefold.cli.options import command, json_option, varied_game, varied_games
from ninefold.cli.output import draw_table, print_json, print_wrapped
from ninefold.errors import BotFailed
from ninefold.levels import BOT_PREFIX, LEVELS
from ninefold.matchups import Policy
from ninefold.rulebooks import Rulebook
from ninefold.rules import Rules
from ninefold.text import shorten
from ninefold.views.matchups import AuditView, MatchupView

_MOST_MISTAKES = 10
_LEAST_SHOWN = 0.0005
_SHOWN_EVERY = 1000


class _Asked:
    """A policy that counts its queries, and shows the count as progress."""

    def __init__(
        self, name: str, policy: Policy, console: Console, *, shown_every: int
    ) -> None:
        self.name = name
        self._policy, self._console = policy, console
        self._count, self._shown_every = 0, shown_every

    def distribution(self, rules: Rules, total: int) -> Mapping[int, Fraction]:
        if self._count % self._shown_every == 0:
            self._console.progress(f"{self._count:,} positions")
        self._count += 1
        try:
            return self._policy.distribution(rules, total)
        except BotFailed as failed:
            reason = f"{failed.reason} at {shorten(total)}"
            raise BotFailed(failed.name, reason, failed.last_words) from None


@contextmanager
def _policies(console: Console, *named: str) -> Iterator[list[_Asked]]:
    """Yield the policies of levels and bots; the context stops the bots."""
    with ExitStack() as stack:
        stack.callback(console.progress, "")
        found: list[_Asked] = []
        for who in named:
            if who in LEVELS:
                player = LEVELS[who].player(Random(1))
                found.append(_Asked(who, player, console, shown_every=_SHOWN_EVERY))
            else:
                # Imported only for bots: it would delay the levels.
                from ninefold.arena.bot_process import Bot

                bot = stack.enter_context(Bot(who.removeprefix(BOT_PREFIX)))
                found.append(_Asked(bot.name, bot, console, shown_every=1))
        yield found


@command(
    "matchup duel planner expert",
    "matchup madness beginner perfect --target 5000",
)
@varied_game
@click.argument("one", type=LEVEL_OR_BOT, metavar="ONE")
@click.argument("two", type=LEVEL_OR_BOT, metavar="TWO")
@json_option
@click.pass_obj
def matchup(
    console: Console,
    *,
    book: Rulebook,
    rules: Rules,
    one: str,
    two: str,
    as_json: bool,
) -> None:
    """Show how often level or bot ONE beats TWO.

    The result is exact: it counts every position of GAME, of at most 100,000.
    For a bot that plays randomly, use ninefold tournament instead.
    """
    with _policies(console, one, two) as (first, second):
        name, other = first.name, second.name
        if name == other and one != two:
            other = f"{other} 2"
        view = MatchupView.of(book.key, rules, (name, other), first, second)
    if as_json:
        print_json(console, view)
        return
    print_wrapped(console, f"{book.title}: {book.describe(rules)}")
    begins, begun = view.begins.value, view.second.value
    rows = [(name, begins), (other, begun), ("each in turn", (begins + begun) / 2)]
    loser = other if one != two else "the other"
    _print_table(
        console,
        ("who starts", f"{name} wins", f"{loser} wins"),
        [
            [who, _per_cent(chance), _per_cent(1 - chance)]
            for who, chance in (rows if one != two else rows[:1])
        ],
    )


@command(
    "audit planner",
    "audit expert multiplier --full",
    "audit bot:./mybot duel --target 500 --json",
)
@click.argument("who", type=LEVEL_OR_BOT, metavar="WHO")
@varied_games
@click.option("--full", is_flag=True, help="List every mistake.")
@json_option
@click.pass_obj
def audit(
    console: Console,
    *,
    who: str,
    varied: Sequence[tuple[Rulebook, Rules]],
    full: bool,
    as_json: bool,
) -> None:
    """Find the mistakes of level or bot WHO.

    Asks WHO for its move at every position of GAME, or of all five games. A
    mistake is a move that loses where another one wins.
    """
    with _policies(console, who) as (asked,):
        views = [
            AuditView.of(book.key, rules, asked.name, asked) for book, rules in varied
        ]
    if as_json:
        print_json(console, views)
    elif len(views) == 1 or full:
        for (book, rules), view in zip(varied, views, strict=True):
            print_wrapped(console, f"{book.title}: {book.describe(rules)}")
            _print_audit(console, view, None if full else _MOST_MISTAKES)
    else:
        errs = [f"{len(view.mistakes):,} of {view.won:,}" for view in views]
        costs = [_per_cent(view.cost.value) for view in views]
        games = [view.game for view in views]
        heads = ("game", "mistakes at won positions", "cost")
        _print_table(console, heads, list(zip(games, errs, costs, strict=True)))
        print_wrapped(
            console,
            "The cost is how much of a sure win it gives away against perfect."
            " Give a GAME to see the mistakes.",
        )


def _print_audit(console: Console, view: AuditView, most: int | None) -> None:
    who, mistakes = view.who, view.mistakes
    won = f"{view.won:,} won positions"
    found = f"{who} makes a mistake at {len(mistakes):,} of {won}."
    print_wrapped(
        console, found if mistakes else f"{who} makes no mistake at the {won}."
    )
    if mistakes:
        can_win, pair = "The first player", (who, "perfect")
        if not view.first_can_win:
            can_win, pair = "The second player", ("perfect", who)
        wins, cost = _per_cent(1 - view.cost.value), _per_cent(view.cost.value)
        print_wrapped(
            console,
            f"{can_win} can win. If {pair[0]} starts against {pair[1]}, {who} wins"
            f" {wins}: its mistakes cost {cost}.",
        )
    first, second = (_per_cent(chance.value) for chance in view.best_response)
    print_wrapped(
        console,
        f"If you know how {who} plays, you can win {first} when you start, and"
        f" {second} when you play second.",
    )
    rows = [
        [
            shorten(mistake.total),
            ", ".join(map(shorten, mistake.moves)),
            _per_cent(float(mistake.chance)),
            ", ".join(map(shorten, mistake.winning_moves)),
        ]
        for mistake in mistakes[:most]
    ]
    _print_table(console, ("total", "mistakes", "chance", "winning moves"), rows)
    if len(rows) < len(mistakes):
        print_wrapped(console, f"Showing the first {len(rows)}; --full lists them all.")


def _print_table(
    console: Console, heads: Sequence[str], rows: Sequence[Sequence[str]]
) -> None:
    """Print a table, or a line for each row if it is too wide or output is plain."""
    styled = [[(cell, "") for cell in row] for row in rows]
    if console.plain or not (rows and draw_table(console, heads, styled)):
        for row in rows:
            cells = zip(heads, row, strict=True)
            print_wrapped(console, "; ".join(f"{head}: {cell}" for head, cell in cells))


def _per_cent(chance: float) -> str:
    """Format a chance; only a certain one is 0% or 100%."""
    if 0 < chance < _LEAST_SHOWN:
        return "<0.1%"
    if 1 - _LEAST_SHOWN < chance < 1:
        return ">99.9%"
    return f"{chance:.1%}"
