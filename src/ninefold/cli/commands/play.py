"""``ninefold play``: two people at one terminal, or one and the computer."""

from __future__ import annotations

import click

from ninefold.cli.agreeing import FIRST_CHOICES, agree
from ninefold.cli.console import Console
from ninefold.cli.options import (
    GAME,
    SEED,
    OneOf,
    WholeNumber,
    length_options,
    pace_option,
    rules_options,
)
from ninefold.cli.sitting import sit_down
from ninefold.match import SINGLE_GAME, Length, Starts
from ninefold.players import HUMAN, LEVELS
from ninefold.session import Lessons
from ninefold.session.setup import MOST_GIVE_BACKS

_PLAYER = OneOf([HUMAN, *LEVELS])
_WHO = f"Who Player {{}} is: {HUMAN}, {', '.join(LEVELS)}."


@click.command(
    epilog="""
\b
Examples:
  ninefold play madness
  ninefold play multiplier --target 500 --multipliers 2-5
  ninefold play duel --best-of 5 --starts loser --name1 Ada --name2 Blaise
  ninefold play multiplier-showdown --p2 expert --coach
  ninefold play madness --p1 planner --p2 perfect --pace 2 --seed 7

At the prompt, ? shows what can be typed there.
"""
)
@click.argument("game", type=GAME)
@rules_options
@click.option(
    "--first",
    type=OneOf(FIRST_CHOICES),
    default="1",
    help="Who starts.  [default: 1]",
)
@length_options
@click.option("--name1", help="What to call Player 1.")
@click.option("--name2", help="What to call Player 2.")
@click.option("--p1", type=_PLAYER, metavar="WHO", default=HUMAN, help=_WHO.format(1))
@click.option("--p2", type=_PLAYER, metavar="WHO", default=HUMAN, help=_WHO.format(2))
@pace_option
@click.option(
    "--seed", type=SEED, metavar="N", help="Make tosses and the computer repeatable."
)
@click.option("--coach", is_flag=True, help="Be told when you give the win away.")
@click.option(
    "--give-backs",
    type=WholeNumber(0, MOST_GIVE_BACKS),
    metavar="N",
    help="How many such moves the coach gives back in a game.  [default: 3]",
)
@click.option("--mental", is_flag=True, help="Work out each product before you see it.")
@click.option("--no-save", is_flag=True, help="Do not keep this game.")
@click.pass_obj
def command(
    console: Console,
    *,
    game: str,
    target: str | None,
    multipliers: str | None,
    start: str | None,
    first: str,
    length: Length | None,
    starts: str | None,
    name1: str | None,
    name2: str | None,
    p1: str,
    p2: str,
    pace: float | None,
    seed: int | None,
    coach: bool,
    give_backs: int | None,
    mental: bool,
    no_save: bool,
) -> None:
    """Play GAME against a person or the computer.

    GAME is a key, a part of one, or a rule book file of your own.
    """
    if give_backs is not None and not coach:
        message = "--give-backs is for the coach; give --coach with it."
        raise click.UsageError(message)
    setup = agree(
        console,
        game,
        target=target,
        multipliers=multipliers,
        start=start,
        first=first,
        length=length or SINGLE_GAME,
        starts=Starts(starts or Starts.ALTERNATE),
        names=(name1, name2),
        levels=(_level(p1), _level(p2)),
        seed=seed,
        lessons=Lessons(
            coach=coach,
            give_backs=Lessons().give_backs if give_backs is None else give_backs,
            mental=mental,
        ),
    )
    sit_down(console, setup, saves=not no_save, pace=pace, called=game)


def _level(player: str) -> str | None:
    return None if player == HUMAN else player
