"""``ninefold stats``: how it has gone."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

import click

from ninefold.cli.jsons import say_json
from ninefold.cli.layout import width_of
from ninefold.cli.storage import opened_store
from ninefold.coach import review
from ninefold.errors import TooLarge
from ninefold.game import HUMAN, Seat
from ninefold.store import Result

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ninefold.cli.console import Console
    from ninefold.store import PlayedGame

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
        games = store.history()
    tallies = _Tallies(reversed(games))
    if as_json:
        say_json(console, tallies.content())
    elif not tallies.results:
        console.notice("No game against the computer has been finished yet.")
    else:
        _say(console, tallies)


class _Tallies:
    """The finished games of one person against the computer, oldest first."""

    def __init__(self, games: Iterable[PlayedGame]) -> None:
        self.results: list[bool] = []
        self.played: dict[str, Counter[str]] = {}
        self.won: dict[str, Counter[str]] = {}
        self.only_found = self.only_faced = 0
        for played in games:
            seats = [seat for seat in Seat if played.players[seat] == HUMAN]
            again = played.kept.setup.options.get("retry") is True
            if len(seats) == 1 and played.game.outcome is not None and not again:
                self._count(played, seats[0])

    def _count(self, played: PlayedGame, seat: Seat) -> None:
        won = played.result_of(seat) is Result.WON
        self.results.append(won)
        groups = {
            "game": played.kept.setup.book,
            "opponent": played.players[seat.other],
            "turn": "moved first" if played.game.first is seat else "moved second",
        }
        for kind, name in groups.items():
            self.played.setdefault(kind, Counter())[name] += 1
            self.won.setdefault(kind, Counter())[name] += won
        try:
            only = review(played.game).only_moves(seat)
        except TooLarge:
            return
        self.only_found += only.found
        self.only_faced += only.faced

    def content(self) -> dict[str, object]:
        """Return all of it for JSON."""
        return {
            "played": len(self.results),
            "won": sum(self.results),
            "by": {
                kind: {
                    name: {"played": count, "won": self.won[kind][name]}
                    for name, count in names.items()
                }
                for kind, names in self.played.items()
            },
            "only_moves": {"faced": self.only_faced, "found": self.only_found},
            "over_time": [int(result) for result in self.results],
        }


def _say(console: Console, tallies: _Tallies) -> None:
    gap = "" if console.plain else "\n"
    total, won = len(tallies.results), sum(tallies.results)
    console.say(f"Against the computer: {_share(won, total)}\n")
    for kind, names in tallies.played.items():
        if console.plain:
            for name, count in sorted(names.items()):
                share = _share(tallies.won[kind][name], count)
                console.say(f"By {kind}, {name}: {share}\n")
            continue
        console.say(f"\nBy {kind}\n")
        width = max(map(len, names))
        for name, count in sorted(names.items()):
            console.say(f"  {name:{width}}  {_share(tallies.won[kind][name], count)}\n")
    if tallies.only_faced:
        found, faced = tallies.only_found, tallies.only_faced
        console.say(f"{gap}Only winning moves found: {found} of {faced}\n")
    console.say(f"{gap}{_over_time(console, tallies.results)}\n")


def _share(won: int, played: int) -> str:
    return f"{won} of {played} won ({won / played:.0%})"


def _over_time(console: Console, results: list[bool]) -> str:
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
