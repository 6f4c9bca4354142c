"""The games and their theory: games, rules, solve, why, map, table."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import click

from ninefold.cli import options
from ninefold.cli.console import Console, write_file
from ninefold.cli.number_line import draw_strip
from ninefold.cli.output import print_json, print_page, print_wrapped
from ninefold.game import Game
from ninefold.rulebooks import KEYS, Rulebook, load
from ninefold.rules import Rules, parse_number
from ninefold.text import format_set, shorten
from ninefold.theory import Position
from ninefold.views import solutions
from ninefold.views.band_map import BandMap
from ninefold.views.match_text import format_verdict
from ninefold.views.solutions import EndedView, RulebookRow, SolutionView, TargetsView
from ninefold.views.svg import draw_map

_MOVES = re.compile(r"[^xX×*]+")
"""One move among several; in a record they are separated by crosses."""


@click.command()
@options.json_option
@click.pass_obj
def games(console: Console, *, as_json: bool) -> None:
    """List the games with their keys and aims."""
    rows = [RulebookRow.of(load(key)) for key in KEYS]
    if as_json:
        print_json(console, rows)
        return
    width = max(map(len, KEYS))
    lines = [f"{row.key:{width}}  {row.summary}" for row in rows]
    if max(map(len, lines)) > console.columns:
        lines = [f"{row.key}\n  {row.summary}" for row in rows]
    for line in lines:
        console.print(f"{line}\n")


@click.command()
@options.varied_game
@click.pass_obj
def rules(console: Console, *, book: Rulebook, rules: Rules) -> None:
    """Show the rules of GAME."""
    underline = "" if console.plain else f"{'=' * len(book.title)}\n"
    print_page(console, f"{book.title}\n{underline}\n{book.explain(rules)}")


@options.command(
    "solve madness",
    "solve multiplier --target 500 --total 12",
    "solve duel --multipliers 2,5,9 --full",
)
@options.varied_game
@click.option("--total", metavar="N", help="Solve from N instead of the start.")
@options.answer_options
@click.pass_obj
def solve(
    console: Console,
    *,
    book: Rulebook,
    rules: Rules,
    total: str | None,
    full: bool,
    as_json: bool,
) -> None:
    """Show who wins GAME with best play.

    Shows every winning move, the length of the game, and why.
    """
    at = rules.start
    if total is not None:
        at = parse_number(total, "total", rules.start)
    solution = solutions.solve(book.key, Position(rules, at), full=full)
    _print_solution(console, _heading(book, rules), solution, as_json=as_json)


@options.command(
    "why madness 5 6",
    "why multiplier-showdown --target 2000 4 --full",
)
@options.varied_game
@click.argument("moves", nargs=-1)
@options.answer_options
@click.pass_obj
def why(
    console: Console,
    *,
    book: Rulebook,
    rules: Rules,
    moves: tuple[str, ...],
    full: bool,
    as_json: bool,
) -> None:
    """Show who wins GAME after MOVES and why.

    The moves can be typed as 5 6 or 5x6.
    """
    typed = [part for move in moves for part in _MOVES.findall(move) or [move]]
    made = [parse_number(part, "move", rules.multipliers[0]) for part in typed]
    solution = solutions.solve(book.key, Game.replay(rules, made), full=full)
    _print_solution(console, _heading(book, rules), solution, as_json=as_json)


def _heading(book: Rulebook, rules: Rules) -> str:
    return f"{book.title}: {book.describe(rules)}"


def _print_solution(
    console: Console,
    heading: str,
    solution: SolutionView | EndedView,
    *,
    as_json: bool,
) -> None:
    if as_json:
        print_json(console, solution)
        return
    print_wrapped(console, heading)
    if isinstance(solution, SolutionView):
        _print_result(console, solution)
        console.print("\n")
    if not solution.chain:
        print_wrapped(console, solution.why)
        return
    for sentence in solution.chain:
        print_wrapped(console, f"- {sentence}")


def _print_result(console: Console, solution: SolutionView) -> None:
    print_wrapped(console, f"Multipliers: {format_set(solution.rules.multipliers)}")
    print_wrapped(console, format_verdict(solution.total, solution.winning_moves))
    far = solution.distance is None
    distance = "too far to count" if far else f"{solution.distance:,}"
    print_wrapped(console, f"Moves left, with best play by both: {distance}")
    if solution.odds is not None:
        chance = f"{float(solution.odds.both_random):.1%}"
        print_wrapped(console, f"Your chance to win, if both play randomly: {chance}")


@options.command(
    "map multiplier-showdown",
    "map duel --target 500 --multipliers 2,5,9",
    "map madness --svg madness.svg",
)
@options.varied_game
@options.svg_option("Write a picture for a slide or a handout to FILE.")
@options.json_option
@click.pass_obj
def map_(
    console: Console,
    *,
    book: Rulebook,
    rules: Rules,
    svg: Path | None,
    as_json: bool,
) -> None:
    """Draw the lost and won totals of GAME.

    They are on a line from its start to its target. From a lost total every
    move loses, if the other player makes no mistake. So leave your opponent a
    lost total.
    """
    options.refuse_two_forms("--svg", "--json", both=as_json and svg is not None)
    band_map = BandMap(rules)
    if as_json:
        print_json(console, band_map.view(book.key))
    elif svg is not None:
        write_file(console, svg, draw_map(book, band_map))
    else:
        draw_strip(console, _heading(book, rules), band_map)


@options.command(
    "table madness --targets 2-1000",
    "table duel --targets 2-500 --multipliers 2-5 --csv",
)
@partial(
    options.varied_game,
    target_help="Find the nearest target where the second player wins.",
)
@click.option("--targets", required=True, metavar="A-B", help="Show targets A to B.")
@options.csv_option
@options.json_option
@click.pass_obj
def table(
    console: Console,
    *,
    book: Rulebook,
    rules: Rules,
    targets: str,
    as_csv: bool,
    as_json: bool,
) -> None:
    """Show who wins GAME at each target.

    That is with best play by both. Neighbouring targets with the same winner
    form one row. If --target is given, or GAME's own target is among them, the
    nearest target where the second player wins is shown, too.
    """
    options.refuse_two_forms("--csv", "--json", both=as_csv and as_json)
    lowest, dash, highest = targets.partition("-")
    low = parse_number(lowest, "lowest target")
    high = parse_number(highest if dash else lowest, "highest target")
    found = solutions.targets_of(book.key, rules, low, high)
    if as_csv:
        console.print_raw("lowest,highest,winner\n")
        for each in found.targets:
            console.print_raw(f"{each.lowest},{each.highest},{each.winner}\n")
    elif as_json:
        print_json(console, found)
    else:
        _print_targets(console, book.title, found)
        is_asked = click.get_current_context().params["target"] is not None
        if low <= rules.target <= high or is_asked:
            _print_nearest(console, found)


def _print_targets(console: Console, title: str, found: TargetsView) -> None:
    choices = format_set(found.rules.multipliers)
    print_wrapped(console, f"{title}, {choices}: who wins at each target")
    console.print("\n")
    ends = [(shorten(t.lowest), shorten(t.highest)) for t in found.targets]
    width = max(len(highest) for _, highest in ends)
    columns = 2 * width + len(" to ")
    in_columns = columns + len("  second player") <= console.columns
    for (lowest, highest), each in zip(ends, found.targets, strict=True):
        is_single = each.lowest == each.highest
        if in_columns:
            run = highest if is_single else f"{lowest:>{width}} to {highest:>{width}}"
            line = f"{run:>{columns}}  {each.winner} player"
        else:
            run = highest if is_single else f"{lowest} to {highest}"
            line = f"- {run}: {each.winner} player"
        console.print(f"{line}\n")


def _print_nearest(console: Console, found: TargetsView) -> None:
    console.print("\n")
    print_wrapped(
        console,
        f"The nearest target to {shorten(found.rules.target)} where the second player"
        f" wins is {shorten(found.nearest_second)}.",
    )
