"""``ninefold replay``: the transcript of a record."""

from __future__ import annotations

import click

from ninefold.cli.books import find_book
from ninefold.cli.console import Console
from ninefold.cli.parameters import GAME, complete_file
from ninefold.cli.records import read_record
from ninefold.errors import NinefoldError
from ninefold.notation import Record, write_json, write_line, write_text
from ninefold.rulebooks import KEYS, Narrator, Rulebook, load
from ninefold.session import check_names

_FORMS = {"line": write_line, "json": write_json, "text": write_text}


@click.command(
    epilog="""
\b
Examples:
  ninefold replay last
  ninefold replay 3f2a.2
  ninefold replay last --form json
"""
)
@click.argument("record", shell_complete=complete_file)
@click.option("--game", type=GAME, help="Tell it in the words of this game.")
@click.option("--name1", help="What to call Player 1.")
@click.option("--name2", help="What to call Player 2.")
@click.option(
    "--form",
    type=click.Choice(["transcript", *_FORMS]),
    default="transcript",
    help="Print the record itself in one of its forms instead.",
)
@click.pass_obj
def command(
    console: Console,
    *,
    record: str,
    game: str | None,
    name1: str | None,
    name2: str | None,
    form: str,
) -> None:
    """Print the transcript of RECORD.

    RECORD is the id of a game that is kept, or its beginning, or last for the
    last game played; 3f2a.2 is the second game of the match 3f2a. It may also
    be a record's line, a file that holds a record in any of its three forms,
    or - for standard input.
    """
    named = read_record(console, record)
    recorded, known_as = named.record, named.names
    if form in _FORMS:
        console.write(_FORMS[form](recorded).rstrip("\n") + "\n")
        return
    book = find_book(game) if game else named.book or _book_for(recorded)
    played = recorded.game
    if played.rules.ending is not book.rules.ending:
        message = (
            f"the record's ending is '{played.rules.ending.value}', but the one of"
            f" {book.title} is '{book.rules.ending.value}'; name another with --game"
        )
        raise NinefoldError(message)
    names = known_as
    if name1 is not None or name2 is not None:
        names = (
            known_as[0] if name1 is None else name1.strip(),
            known_as[1] if name2 is None else name2.strip(),
        )
        check_names(*names)
    narrator = Narrator(book, played.rules, names, named.programs)
    console.say(console.fit(narrator.transcript(played)))
    if played.outcome is None:
        console.notice(
            f"The record ends here; {names[played.to_move.value - 1]} is to move."
        )


def _book_for(record: Record) -> Rulebook:
    """Choose one of the five for a record that names none."""
    if record.book:
        message = (
            f"the record is of a game by '{record.book}', which is none of the five;"
            " name its file with --game"
        )
        raise NinefoldError(message)
    books = map(load, KEYS)
    return next(b for b in books if b.rules.ending is record.game.rules.ending)
