"""``ninefold resume``: go on with a game that was left."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ninefold.cli.history_lines import line_of_match, short_id
from ninefold.cli.keeping import agreement_of
from ninefold.cli.parameters import pace_option
from ninefold.cli.sitting import go_on
from ninefold.cli.storage import opened_store
from ninefold.errors import NinefoldError

if TYPE_CHECKING:
    from ninefold.cli.agreement import Agreement
    from ninefold.cli.console import Console
    from ninefold.store import KeptMatch, Store

_MOST_LISTED = 20


@click.command(
    epilog="""
\b
Examples:
  ninefold resume
  ninefold resume --list
  ninefold resume 3f2a
  ninefold resume 3f2a --drop
"""
)
@click.argument("id", required=False)
@click.option("--list", "as_list", is_flag=True, help="List what can be gone on with.")
@click.option("--drop", is_flag=True, help="Put the game ID away instead.")
@pace_option
@click.pass_obj
def command(
    console: Console,
    *,
    id: str | None,  # noqa: A002 - it is called so on the command line
    as_list: bool,
    drop: bool,
    pace: float | None,
) -> None:
    """Go on with a game that was left.

    It is the last unfinished game or match, or the one called ID. The
    beginning of an ID is enough where it fits only one.
    """
    with opened_store(console) as store:
        if as_list:
            _list(console, store.unfinished())
            return
        if drop:
            _drop(console, store, id)
            return
        if id is None:
            agreement, kept = _latest(console, store)
        else:
            kept = _named(store, id)
            agreement = agreement_of(kept.setup)
    go_on(console, agreement, kept, pace=pace)


def _list(console: Console, unfinished: list[KeptMatch]) -> None:
    for kept in unfinished[:_MOST_LISTED]:
        console.say(f"{line_of_match(kept)}\n")
    if len(unfinished) > _MOST_LISTED:
        more = len(unfinished) - _MOST_LISTED
        console.notice(f"{more} older ones are not shown; ninefold history has them.")
    if not unfinished:
        console.notice("Nothing is left unfinished.")


def _drop(console: Console, store: Store, beginning: str | None) -> None:
    if beginning is None:
        message = "--drop needs the ID of a game; ninefold resume --list shows them."
        raise click.UsageError(message)
    kept = _named(store, beginning)
    store.set_aside(kept.id)
    console.notice(f"Game {short_id(kept)} is put away; it stays in the history.")


def _latest(console: Console, store: Store) -> tuple[Agreement, KeptMatch]:
    """Return the last game that can be played here."""
    for kept in store.unfinished():
        try:
            return agreement_of(kept.setup), kept
        except NinefoldError as error:
            console.notice(f"Game {short_id(kept)} cannot be gone on with: {error}.")
    message = "nothing is left unfinished; start a game with ninefold play"
    raise NinefoldError(message)


def _named(store: Store, beginning: str) -> KeptMatch:
    fitting = [kept for kept in store.unfinished() if kept.id.startswith(beginning)]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        message = f"{len(fitting)} unfinished games begin with '{beginning}'"
        message += "; write more of the id, which ninefold resume --list shows"
        raise NinefoldError(message)
    kept = store.match(beginning)
    message = f"match {kept.id} is over; ninefold history shows it"
    raise NinefoldError(message)
