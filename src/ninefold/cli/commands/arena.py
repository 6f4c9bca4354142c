"""Bots and research: levels for other programs."""

from __future__ import annotations

from random import Random

import click

from ninefold.cli.console import Console
from ninefold.cli.options import SEED, OneOf, command
from ninefold.players import LEVELS

_LONGEST_LINE = 1_000_000


@command(
    "bot perfect",
    "bot expert --seed 7",
    after="docs/bots.md describes the lines, and how a program of yours plays.",
)
@click.argument("level", type=OneOf(LEVELS), metavar="LEVEL")
@click.option("--seed", type=SEED, metavar="N", help="Make its choices repeatable.")
@click.pass_obj
def bot(console: Console, *, level: str, seed: int | None) -> None:
    """Let other programs play against a LEVEL."""
    # Loading what runs bots takes longer than other commands should wait.
    from ninefold.arena.level_bot import answers

    lines = iter(lambda: console.source.readline(_LONGEST_LINE), "")
    for line in answers(level, Random(seed), lines):
        console.write(f"{line}\n")
        console.flush()
