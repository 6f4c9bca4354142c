"""``ninefold stats``: how it has gone."""

from __future__ import annotations

from itertools import pairwise

import click

from ninefold.cli.console import Console
from ninefold.cli.layout import width_of
from ninefold.cli.storage import opened_store
from ninefold.text import escape
from ninefold.views import ProgressView, write_view

_BARS = "▁▂▃▄▅▆▇█"
_MOST_MARKS = 30


@click.command()
@click.option("--json", "as_json", is_flag=True, help="As JSON, for programs.")
@click.pass_obj
def command(console: Console, *, as_json: bool) -> None:
    """Sum up the games against the computer.

    Wins by game, by opponent and by who moved first; how often the only
    winning move was found; and how it went over time.
    """
    with opened_store(console) as store:
        progress = ProgressView.of(store.finished_against_levels())
    if as_json:
        console.write(write_view(progress))
    elif not progress.played:
        console.notice("No game against the computer has been finished yet.")
    else:
        _say(console, progress)


def _say(console: Console, progress: ProgressView) -> None:
    gap = "" if console.plain else "\n"
    console.say(f"Against the computer: {_share(progress.won, progress.played)}\n")
    for kind, shares in progress.by.items():
        if not console.plain:
            console.say(f"\nBy {kind}\n")
        width = max(len(escape(name)) for name in shares)
        for name, each in sorted(shares.items()):
            share = _share(each.won, each.played)
            if console.plain:
                console.say(f"By {kind}, {name}: {share}\n")
            else:
                console.say(f"  {escape(name):{width}}  {share}\n")
    only = progress.only_moves
    if only.faced:
        console.say(f"{gap}Only winning moves found: {only.found} of {only.faced}\n")
    console.say(f"{gap}{_over_time(console, progress.over_time)}\n")


def _share(won: int, played: int) -> str:
    return f"{won} of {played} won ({won / played:.0%})"


def _over_time(console: Console, results: tuple[int, ...]) -> str:
    """Draw the share of wins from the first games to the last; in numbers if plain."""
    marks = min(len(results), _MOST_MARKS, width_of(console) - 12)
    bounds = [round(i * len(results) / marks) for i in range(marks + 1)]
    parts = [results[a:b] for a, b in pairwise(bounds)]
    shares = [sum(part) / len(part) for part in parts]
    if console.plain or not console.can_show(_BARS):
        numbers = ", ".join(f"{share:.0%}" for share in shares)
        return f"Share of wins over time, oldest first: {numbers}"
    bars = "".join(_BARS[round(share * (len(_BARS) - 1))] for share in shares)
    return f"Over time: {bars}"
