"""Saved games: history, review, replay."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from ninefold import coach
from ninefold.cli import options, output
from ninefold.cli.console import (
    Console,
    write_file,
)
from ninefold.cli.storage import LAST, find_game, games_of, open_store
from ninefold.errors import NinefoldError
from ninefold.notation import Record, write_json, write_line
from ninefold.rulebooks import KEYS, Narrator, Rulebook, find, load
from ninefold.session import check_names
from ninefold.store import Filter, GameRow, Result, Store
from ninefold.views.history import HistoryRow
from ninefold.views.review import ReviewView
from ninefold.views.svg import draw_review

_USUAL_LIMIT = 20
_NO_SUCH_GAME = "No such game is saved; ninefold history lists them all."
_NOTHING_PLAYED = "You have not played a game yet. Start with: ninefold play madness"
_DATE = click.DateTime(["%Y-%m-%d", "%Y-%m-%d %H:%M"])
_FORMS = {"line": write_line, "json": write_json}


@options.command(
    "history",
    "history --game madness --result lost --limit 5",
    "history --player expert --since 2026-01-01 --json",
)
@click.option("--game", type=options.GAME, help="Only this game.")
@click.option("--player", help="Only with this player: a name, a level, or human.")
@click.option(
    "--result",
    type=options.OneOf([result.value for result in Result]),
    help="Only with this result for that player, or for people.",
)
@click.option(
    "--since",
    type=_DATE,
    metavar="DATE",
    help="Only games started at DATE or later: 2026-01-31, or '2026-01-31 18:00'.",
)
@click.option(
    "--until", type=_DATE, metavar="DATE", help="Only games started before DATE."
)
@click.option(
    "--limit",
    type=options.WholeNumber(1),
    metavar="N",
    help="Show at most N games.  [default: 20; with --json, all]",
)
@options.json_option
@click.pass_obj
def history(
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
    """List your games.

    The latest comes first. Use the ids with review, replay and resume.
    """
    wanted = Filter(
        book=_key(game),
        player=player,
        since=since and output.to_local(since),
        until=until and output.to_local(until),
        result=Result(result) if result else None,
    )
    with open_store(console) as store:
        most = limit or (None if as_json else _USUAL_LIMIT)
        rows = store.history(wanted, most)
        if as_json:
            output.print_json(console, [HistoryRow.of(row) for row in rows])
            return
        is_cut = not limit and len(rows) == most
        count = store.count(wanted) if is_cut else len(rows)
        named = _named(store, rows)
        if not rows:
            console.print_error(_NO_SUCH_GAME if store.count() else _NOTHING_PLAYED)
            return
    output.print_games(console, named)
    if len(rows) < count:
        console.print_error(f"{len(rows):,} of {count:,} games; --limit shows more.")


def _named(store: Store, rows: list[GameRow]) -> list[tuple[str, GameRow]]:
    """Pair each game with its name: the match's id and, if it has several, a number."""
    together: dict[str, set[tuple[int, int]]] = {}
    for match_id in {row.match_id for row in rows}:
        together[match_id] = {_place(game) for game in games_of(store, match_id)}
    for row in rows:  # a damaged index may not lead to all of them
        together[row.match_id].add(_place(row))
    named = []
    for row in rows:
        games, name = sorted(together[row.match_id]), output.short_id(row.match_id)
        place = games.index(_place(row)) + 1
        named.append((name if len(games) == 1 else f"{name}.{place}", row))
    return named


def _place(row: GameRow) -> tuple[int, int]:
    return row.match_number, row.number


def _key(game: str | None) -> str | None:
    """Return a game's key: from part of a built-in key, or from a file's name."""
    if game is None or any(game.lower() in key for key in KEYS):
        return game and find(game).key
    return game.removesuffix(".toml").rpartition("/")[2].lower()


@options.command(
    "review",
    "review 3f2a",
    "review nf1.duel.exact100.2x5x2x5",
    "review game.txt --json",
    "review last --svg game.svg",
)
@click.argument("record", default=LAST, shell_complete=options.complete_file)
@options.svg_option("Write a picture of the game to FILE: every move is a hop.")
@click.option("--full", is_flag=True, help="Show every move of a long game.")
@options.json_option
@click.pass_obj
def review(
    console: Console, *, record: str, svg: Path | None, full: bool, as_json: bool
) -> None:
    """Grade every move of a game.

    Also shows the turning point and the better moves.

    RECORD is the id of a saved game or the start of an id; last, or nothing, is
    the last game played; 3f2a.2 is the second game of match 3f2a. It can also
    be a record line, a file, or - for standard input.
    """
    options.refuse_two_forms("--svg", "--json", both=as_json and svg is not None)
    named = find_game(console, record)
    names = named.names
    reviewed = coach.review(named.record.game)
    if svg is not None:
        title = named.book.title if named.book else "ninefold"
        picture = draw_review(title, reviewed, names, named.given_back)
        write_file(console, svg, picture)
    elif as_json:
        output.print_json(console, ReviewView.of(reviewed, given_back=named.given_back))
    else:
        output.print_review(console, reviewed, names, named.given_back, full=full)
        if named.failure and named.record.game.resigned_by is not None:
            failed = names[named.record.game.resigned_by.value - 1]
            output.print_wrapped(
                console, f"{failed} resigned because it {named.failure}."
            )


@options.command(
    "replay last",
    "replay 3f2a.2",
    "replay last --form json",
)
@click.argument("record", shell_complete=options.complete_file)
@click.option("--game", type=options.GAME, help="Use the wording of this game.")
@click.option("--name1", help="The name of Player 1.")
@click.option("--name2", help="The name of Player 2.")
@click.option(
    "--form",
    type=click.Choice(["transcript", *_FORMS]),
    default="transcript",
    help="Print the record in this form instead of the transcript.",
)
@click.pass_obj
def replay(
    console: Console,
    *,
    record: str,
    game: str | None,
    name1: str | None,
    name2: str | None,
    form: str,
) -> None:
    """Print the transcript of RECORD.

    RECORD is the id of a saved game or the start of an id, or last for the last
    game played; 3f2a.2 is the second game of match 3f2a. It can also be a
    record line, a file with a record, or - for standard input.
    """
    named = find_game(console, record)
    recorded = named.record
    if form in _FORMS:
        console.print_raw(f"{_FORMS[form](recorded)}\n")
        return
    book = options.find_book(game) if game else named.book or _book_for(recorded)
    played = recorded.game
    if played.rules.ending is not book.rules.ending:
        message = (
            f"the record ends with '{played.rules.ending.value}', but {book.title} with"
            f" '{book.rules.ending.value}'; choose another game with --game"
        )
        raise NinefoldError(message)
    names = named.names
    if name1 is not None or name2 is not None:
        names = (
            names[0] if name1 is None else name1.strip(),
            names[1] if name2 is None else name2.strip(),
        )
        check_names(*names)
    narrator = Narrator(book, played.rules, names, named.programs)
    console.print(narrator.transcript(played))
    if played.outcome is None:
        console.print_error(
            f"The record ends here; it is {names[played.to_move.value - 1]}'s turn."
        )


def _book_for(record: Record) -> Rulebook:
    """Return the first built-in rule book that fits a record without one."""
    if record.book:
        message = (
            f"the record uses the rule book '{record.book}', which is not built in;"
            " give its file with --game"
        )
        raise NinefoldError(message)
    books = map(load, KEYS)
    return next(b for b in books if b.rules.ending is record.game.rules.ending)
