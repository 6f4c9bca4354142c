"""``ninefold resume``: go on with a game that was left."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ninefold.cli.history_lines import line_of_match
from ninefold.cli.keeping import open_store
from ninefold.cli.sitting import go_on
from ninefold.errors import NinefoldError

if TYPE_CHECKING:
    from ninefold.cli.console import Console
    from ninefold.store import KeptMatch, Store


@click.command(
    epilog="""
\b
Examples:
  ninefold resume
  ninefold resume --list
  ninefold resume 3f2a
"""
)
@click.argument("id", required=False)
@click.option("--list", "as_list", is_flag=True, help="List what can be gone on with.")
@click.option(
    "--pace", type=click.FloatRange(0), help="Seconds that the computer takes a move."
)
@click.pass_obj
def command(
    console: Console,
    *,
    id: str | None,  # noqa: A002 - it is called so on the command line
    as_list: bool,
    pace: float | None,
) -> None:
    """Go on with a game that was left.

    It is the last unfinished game or match, or the one called ID. The
    beginning of an ID is enough where it fits only one.
    """
    with open_store() as store:
        unfinished = store.unfinished()
        for notice in store.take_notices():
            console.notice(notice)
        if as_list:
            for kept in unfinished:
                console.say(f"{line_of_match(kept)}\n")
            return
        if not unfinished:
            message = "nothing is left unfinished; start a game with ninefold play"
            raise NinefoldError(message)
        kept = unfinished[0] if id is None else _named(store, unfinished, id)
    go_on(console, kept, pace=pace)


def _named(store: Store, unfinished: list[KeptMatch], beginning: str) -> KeptMatch:
    fitting = [kept for kept in unfinished if kept.id.startswith(beginning)]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        message = f"{len(fitting)} unfinished games begin with '{beginning}'"
        message += "; write more of the id, which ninefold resume --list shows"
        raise NinefoldError(message)
    kept = store.match(beginning)
    message = f"match {kept.id} is over; ninefold history shows it"
    raise NinefoldError(message)
