"""Levels as bots for other programs, and tournaments."""

from __future__ import annotations

from pathlib import Path
from random import Random

import click

from ninefold.cli import ENDED_EARLY
from ninefold.cli.bots import LEVEL_OR_BOT
from ninefold.cli.console import Console
from ninefold.cli.options import (
    GAME,
    SEED,
    OneOf,
    WholeNumber,
    command,
    csv_option,
    find_book,
    json_option,
    refuse_two_forms,
)
from ninefold.cli.output import print_json
from ninefold.levels import LEVELS
from ninefold.rulebooks import KEYS
from ninefold.text import excerpt

_LONGEST_LINE = 1_000_000
_MOST_ROUNDS = 1_000_000
_MOST_GAMES = 30_000_000
_MOST_CONTESTANTS = 64
_MOST_WORKERS = 256
_FEWEST = 2


@command(
    "bot perfect",
    "bot expert --seed 7",
    after="docs/bots.md describes the protocol, and how your own program plays.",
)
@click.argument("level", type=OneOf(LEVELS), metavar="LEVEL")
@click.option("--seed", type=SEED, metavar="N", help="Make the moves repeatable.")
@click.pass_obj
def bot(console: Console, *, level: str, seed: int | None) -> None:
    """Run a LEVEL as a bot for other programs."""
    # Imported only here: it would delay every other command.
    from ninefold.arena.level_as_bot import answers

    lines = iter(lambda: console.source.readline(_LONGEST_LINE), "")
    for line in answers(level, Random(seed), lines):
        console.print_raw(f"{line}\n")
        console.flush()


def _contestants(
    _context: click.Context, _parameter: click.Parameter, names: tuple[str, ...]
) -> tuple[str, ...]:
    for who in names:
        if names.count(who) > 1:
            message = f"{excerpt(who)} is listed twice; give each contestant once."
            raise click.UsageError(message)
    if not _FEWEST <= len(names) <= _MOST_CONTESTANTS:
        message = (
            f"give {_FEWEST} to {_MOST_CONTESTANTS} contestants,"
            " as in: ninefold tournament planner expert"
        )
        raise click.UsageError(message)
    return names


@command(
    "tournament beginner careful planner expert perfect",
    "tournament planner bot:./mybot.py --game duel --journal run.jsonl",
)
@click.argument(
    "contestants",
    metavar="WHO...",
    type=LEVEL_OR_BOT,
    nargs=-1,
    callback=_contestants,
)
@click.option(
    "--game", "games", type=GAME, multiple=True, help="Play this game; repeatable."
)
@click.option(
    "--rounds",
    type=WholeNumber(1, _MOST_ROUNDS),
    metavar="N",
    default=100,
    help="Rounds for each pair; each of the two starts once.  [default: 100]",
)
@click.option("--gauntlet", is_flag=True, help="Let the first play all the others.")
@click.option("--seed", type=SEED, metavar="N", default=1, help="Use other openings.")
@click.option(
    "--journal",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Save the scores to FILE; the same command continues from it.",
)
@click.option(
    "--workers",
    type=WholeNumber(1, _MOST_WORKERS),
    metavar="N",
    help="Play in N processes.  [default: one for each core]",
)
@click.option("--dask", metavar="ADDRESS", help="Play on a Dask cluster.")
@csv_option
@json_option
@click.pass_context
def tournament(
    context: click.Context,
    /,
    *,
    contestants: tuple[str, ...],
    games: tuple[str, ...],
    rounds: int,
    gauntlet: bool,
    seed: int,
    journal: Path | None,
    workers: int | None,
    dask: str | None,
    as_csv: bool,
    as_json: bool,
) -> None:
    """Run a tournament of levels and bots.

    WHO is a level, or bot:COMMAND. In each round, each player of a pair starts
    one game with the same rules: those of a game, with another start and target.
    """
    console: Console = context.obj
    refuse_two_forms("--csv", "--json", both=as_csv and as_json)
    if dask is not None and workers is not None:
        message = "use either --workers or --dask, not both."
        raise click.UsageError(message)
    # Imported only here: it would delay every other command.
    from ninefold.arena.tournament import Plan
    from ninefold.cli.tournament import play, print_csv, print_standings

    plan = Plan(
        contestants,
        tuple(find_book(name).rules for name in games or KEYS),
        rounds,
        seed,
        gauntlet,
    )
    if plan.count_games() > _MOST_GAMES:
        message = "this is too many games for one tournament; use fewer --rounds."
        raise click.UsageError(message)
    view = play(console, plan, journal, workers, dask)
    if as_json:
        print_json(console, view)
    elif as_csv:
        print_csv(console, view)
    else:
        print_standings(console, view)
    if view.set_aside:
        context.exit(ENDED_EARLY)
