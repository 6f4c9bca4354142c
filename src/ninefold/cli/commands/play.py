"""``ninefold play``: two people at one terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ninefold.cli.agreement import FIRST_CHOICES, agree
from ninefold.cli.parameters import GAME, rules_options
from ninefold.cli.table import play_match
from ninefold.game import Seat
from ninefold.match import Length, Starts

if TYPE_CHECKING:
    from ninefold.cli.console import Console


@click.command(
    epilog="""
\b
Examples:
  ninefold play madness
  ninefold play multiplier --target 500 --multipliers 2-5
  ninefold play duel --best-of 5 --starts loser --name1 Ada --name2 Blaise
  ninefold play showdown-of-mine.toml --first toss --seed 7

At the prompt, ? shows what can be typed there.
"""
)
@click.argument("game", type=GAME)
@rules_options
@click.option(
    "--first",
    type=click.Choice(FIRST_CHOICES),
    default="1",
    help="Who starts.  [default: 1]",
)
@click.option(
    "--best-of", type=int, metavar="N", help="Play a match of at most N games, N odd."
)
@click.option(
    "--first-to", type=int, metavar="K", help="Play a match until someone has K wins."
)
@click.option(
    "--starts",
    type=click.Choice([starts.value for starts in Starts]),
    default=Starts.ALTERNATE.value,
    help="Who starts the later games of a match.  [default: alternate]",
)
@click.option("--name1", default=str(Seat.ONE), help="What to call Player 1.")
@click.option("--name2", default=str(Seat.TWO), help="What to call Player 2.")
@click.option("--seed", type=int, metavar="N", help="Make every toss repeatable.")
@click.pass_obj
def command(  # noqa: PLR0913 - one parameter for each option
    console: Console,
    *,
    game: str,
    target: str | None,
    multipliers: str | None,
    start: str | None,
    first: str,
    best_of: int | None,
    first_to: int | None,
    starts: str,
    name1: str,
    name2: str,
    seed: int | None,
) -> None:
    """Play GAME: its key, a part of it, or a rule book file of your own."""
    agreement = agree(
        console,
        game,
        target=target,
        multipliers=multipliers,
        start=start,
        first=first,
        length=_length(best_of, first_to),
        starts=Starts(starts),
        name1=name1,
        name2=name2,
        seed=seed,
    )
    play_match(console, agreement)


def _length(best_of: int | None, first_to: int | None) -> Length | None:
    if best_of is not None and first_to is not None:
        message = "--best-of and --first-to say the same thing; give one of them."
        raise click.UsageError(message)
    if best_of is not None:
        return Length.best_of(best_of)
    return None if first_to is None else Length.first_to(first_to)
