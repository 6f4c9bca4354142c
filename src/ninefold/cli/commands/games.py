"""``ninefold games``: what there is to play."""

from __future__ import annotations

import click

from ninefold.cli.console import Console
from ninefold.rulebooks import KEYS, load
from ninefold.views import RulebookRow, write_view


@click.command()
@click.option("--json", "as_json", is_flag=True, help="As JSON, for programs.")
@click.pass_obj
def command(console: Console, *, as_json: bool) -> None:
    """List the games with their keys and aims."""
    games = [RulebookRow.of(load(key)) for key in KEYS]
    if as_json:
        console.write(write_view(games))
        return
    width = max(map(len, KEYS))
    lines = [f"{game.key:{width}}  {game.summary}" for game in games]
    if max(map(len, lines)) > console.columns:
        lines = [f"{game.key}\n  {game.summary}" for game in games]
    for line in lines:
        console.say(f"{line}\n")
