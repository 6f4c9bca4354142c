"""``ninefold games``: what there is to play."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ninefold.cli.jsons import rules_as_json, say_json
from ninefold.rulebooks import KEYS, Rulebook, load

if TYPE_CHECKING:
    from ninefold.cli.console import Console


@click.command()
@click.option("--json", "as_json", is_flag=True, help="As JSON, for programs.")
@click.pass_obj
def command(console: Console, *, as_json: bool) -> None:
    """List the games with their keys and aims."""
    books = [load(key) for key in KEYS]
    if as_json:
        say_json(console, [_content(book) for book in books])
        return
    width = max(map(len, KEYS))
    for book in books:
        console.say(f"{book.key:{width}}  {book.describe()}\n")


def _content(book: Rulebook) -> dict[str, object]:
    return {
        "key": book.key,
        "title": book.title,
        "summary": book.describe(),
        "rules": rules_as_json(book.rules),
        "settles": list(book.settles),
    }
