"""``ninefold history``: what was played."""

from __future__ import annotations

from datetime import datetime

import click

from ninefold.cli.console import Console
from ninefold.cli.history_lines import NamedRow, say_games, short_id, to_local
from ninefold.cli.parameters import GAME, OneOf, WholeNumber
from ninefold.cli.records import games_of
from ninefold.cli.storage import opened_store
from ninefold.rulebooks import KEYS, find
from ninefold.store import Filter, Result, Store
from ninefold.views import HistoryRow, write_view

_USUAL_LIMIT = 20
_NO_SUCH_GAME = "No such game is kept here; ninefold history lists them all."
_NOTHING_PLAYED = "Nothing is played yet. Begin with: ninefold play madness"
_DATE = click.DateTime(["%Y-%m-%d", "%Y-%m-%d %H:%M"])


@click.command(
    epilog="""
\b
Examples:
  ninefold history
  ninefold history --game madness --result lost --limit 5
  ninefold history --player expert --since 2026-01-01 --json
"""
)
@click.option("--game", type=GAME, help="Only this game.")
@click.option("--player", help="Only with this player: a name, a level, or human.")
@click.option(
    "--result",
    type=OneOf([result.value for result in Result]),
    help="Only with this result for that player, or for people.",
)
@click.option(
    "--since",
    type=_DATE,
    metavar="DATE",
    help="Only games begun since then: 2026-01-31, or '2026-01-31 18:00'.",
)
@click.option(
    "--until", type=_DATE, metavar="DATE", help="Only games begun before then."
)
@click.option(
    "--limit",
    type=WholeNumber(1),
    metavar="N",
    help="At most so many.  [default: 20; with --json, all]",
)
@click.option("--json", "as_json", is_flag=True, help="As JSON, for programs.")
@click.pass_obj
def command(
    console: Console,
    *,
    game: str | None,
    player: str | None,
    result: str | None,
    since: datetime | None,
    until: datetime | None,
    limit: int | None,
    as_json: bool,
) -> None:
    """List the games that were played.

    The latest comes first. review, replay and resume take the ids.
    """
    wanted = Filter(
        book=_key(game),
        player=player,
        since=since and to_local(since),
        until=until and to_local(until),
        result=Result(result) if result else None,
    )
    with opened_store(console) as store:
        most = limit or (None if as_json else _USUAL_LIMIT)
        shown = [HistoryRow.of(row) for row in store.history(wanted, most)]
        if as_json:
            console.write(write_view(shown))
            return
        count = len(shown) if limit else store.count(wanted)
        named = _named(store, shown)
        if not shown:
            console.notice(_NO_SUCH_GAME if store.count() else _NOTHING_PLAYED)
            return
    say_games(console, named)
    if len(shown) < count:
        console.notice(f"{len(shown)} of {count} games; --limit shows more.")


def _named(store: Store, rows: list[HistoryRow]) -> list[NamedRow]:
    """Name each game by its id and, where the id has several, by which one it is."""
    together = {match: games_of(store, match) for match in {row.match for row in rows}}
    named = []
    for row in rows:
        games = [(game.match_number, game.number) for game in together[row.match]]
        place = games.index((row.match_number, row.number)) + 1
        name = short_id(row.match)
        named.append(NamedRow(name if len(games) == 1 else f"{name}.{place}", row))
    return named


def _key(game: str | None) -> str | None:
    """Return a key: one of the five by any part of it, or one's own as it is."""
    if game is None or any(game.lower() in key for key in KEYS):
        return game and find(game).key
    return game.removesuffix(".toml").rpartition("/")[2].lower()
