"""``ninefold resume``: go on with a game that was left."""

from __future__ import annotations

import click

from ninefold.cli.console import Console
from ninefold.cli.options import did_you_mean, pace_option
from ninefold.cli.output import line_of_match, short_id
from ninefold.cli.sitting import resume
from ninefold.cli.storage import LAST, NothingKept, find_match, opened_store
from ninefold.errors import NinefoldError, UnknownMatch
from ninefold.store import Store, StoredMatch
from ninefold.views import OpenMatchRow

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
    beginning of an ID is enough where it fits only one; last is the last.
    """
    with opened_store(console) as store:
        if as_list:
            _list(console, store)
            return
        if drop:
            _drop(console, store, id)
            return
        if id in (None, LAST):
            kept = _latest(console, store)
        else:
            kept = store.match(_named(store, id))
    resume(console, kept, pace=pace)


def _list(console: Console, store: Store) -> None:
    unfinished = store.unfinished()
    for row in unfinished[:_MOST_LISTED]:
        console.say(f"{line_of_match(OpenMatchRow.of(row))}\n")
    if len(unfinished) > _MOST_LISTED:
        more = len(unfinished) - _MOST_LISTED
        console.notice(f"{more} older ones are not shown; ninefold history has them.")
    if not unfinished:
        console.notice("Nothing is left unfinished.")


def _drop(console: Console, store: Store, name: str | None) -> None:
    if name is None:
        message = "--drop needs the ID of a game; ninefold resume --list shows them."
        raise click.UsageError(message)
    match_id = _latest(console, store).id if name == LAST else _named(store, name)
    store.set_aside(match_id)
    console.notice(f"Game {short_id(match_id)} is put away; it stays in the history.")


def _latest(console: Console, store: Store) -> StoredMatch:
    """Return the last match that can be played here."""
    for row in store.unfinished():
        try:
            kept = store.match(row.id)
            kept.setup.check()
        except NinefoldError as error:
            console.notice(f"Game {short_id(row.id)} cannot be resumed: {error}.")
        else:
            return kept
    message = "nothing is left unfinished; start a game with ninefold play"
    raise NothingKept(message)


def _named(store: Store, name: str) -> str:
    """Return the id of the one unfinished match that is meant."""
    try:
        return find_match(store, name, unfinished=True)
    except UnknownMatch:
        over = _finished(store, name)
    message = f"match {short_id(over)} is over; ninefold review {short_id(over)}"
    message += " looks back on it"
    raise NinefoldError(message)


def _finished(store: Store, name: str) -> str:
    """Return the id of a match that is over; of a slip, say what may be meant."""
    try:
        return find_match(store, name)
    except UnknownMatch as error:
        message = f"{error}{did_you_mean(name, [LAST])}"
        raise NinefoldError(message) from None
