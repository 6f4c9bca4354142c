"""``ninefold history``: what was played."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ninefold.cli.history_lines import line_of_game
from ninefold.cli.jsons import rules_as_json, say_json
from ninefold.cli.parameters import GAME
from ninefold.cli.storage import opened_store
from ninefold.game import Seat
from ninefold.record import write_line
from ninefold.rulebooks import KEYS, find
from ninefold.store import Filter, Result

if TYPE_CHECKING:
    from datetime import datetime

    from ninefold.cli.console import Console
    from ninefold.store import PlayedGame

_USUAL_LIMIT = 20
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
    type=click.Choice([result.value for result in Result]),
    help="Only with this result for that player, or for people.",
)
@click.option("--since", type=_DATE, help="Only games begun since then.")
@click.option("--until", type=_DATE, help="Only games begun before then.")
@click.option(
    "--limit",
    type=click.IntRange(1),
    metavar="N",
    help="At most so many.  [default: 20; with --json, all]",
)
@click.option("--json", "as_json", is_flag=True, help="As JSON, for programs.")
@click.pass_obj
def command(  # noqa: PLR0913 - one parameter for each option
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

    The latest comes first.
    """
    wanted = Filter(
        book=_key(game),
        player=player,
        since=since and since.astimezone(),
        until=until and until.astimezone(),
        result=Result(result) if result else None,
    )
    with opened_store(console) as store:
        games = store.history(wanted, limit)
    shown = games[: limit or (None if as_json else _USUAL_LIMIT)]
    if as_json:
        say_json(console, [_content(played) for played in shown])
        return
    for played in shown:
        console.say(f"{line_of_game(played)}\n")
    if not games:
        console.notice("No such game is kept here.")
    elif len(shown) < len(games):
        console.notice(f"{len(shown)} of {len(games)} games; --limit shows more.")


def _key(game: str | None) -> str | None:
    """Return a key: one of the five by any part of it, or one's own as it is."""
    if game is None or any(game.lower() in key for key in KEYS):
        return game and find(game).key
    return game.removesuffix(".toml").rpartition("/")[2].lower()


def _content(played: PlayedGame) -> dict[str, object]:
    outcome = played.game.outcome
    return {
        "match": played.match_id,
        "number": played.number,
        "game": played.kept.setup.book,
        "rules": rules_as_json(played.game.rules),
        "record": write_line(played.record),
        "names": [played.names[seat] for seat in Seat],
        "players": [played.players[seat] for seat in Seat],
        "begun_at": played.begun_at.isoformat(),
        "ended_at": played.ended_at.isoformat() if played.ended_at else None,
        "winner": outcome.winner.value if outcome else None,
        "reason": outcome.reason.value if outcome else None,
        "score": [played.score[seat] for seat in Seat],
    }
