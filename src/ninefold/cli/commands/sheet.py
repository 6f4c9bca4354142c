"""Sheets for paper: to shade, to write a game down, to practise."""

from __future__ import annotations

from pathlib import Path
from random import Random

import click

from ninefold.cli.console import Console, write_file
from ninefold.cli.options import SEED, OneOf, WholeNumber, command
from ninefold.cli.storage import open_store
from ninefold.views.sheets import (
    KINDS,
    MOST_COPIES,
    make_sheets,
    write_html,
    write_text,
)

_WEB = (".html", ".htm")


@command(
    "sheet ticket-a --copies 30 -o tickets.html",
    "sheet gaps --learner Ada",
)
@click.argument("kind", metavar="KIND", type=OneOf([*KINDS]))
@click.option("--learner", metavar="NAME", help="Whose gaps; their name is printed.")
@click.option("--seed", type=SEED, metavar="N", help="Make the sheets repeatable.")
@click.option(
    "--copies",
    type=WholeNumber(1, MOST_COPIES),
    default=1,
    metavar="N",
    help=f"How many, each with other numbers; at most {MOST_COPIES}.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write a file; one that ends in .html prints a page a copy.",
)
@click.pass_obj
def sheet(
    console: Console,
    *,
    kind: str,
    learner: str | None,
    seed: int | None,
    copies: int,
    output: Path | None,
) -> None:
    """Make a sheet for paper.

    KIND is strip (number lines to shade), record (to write games down), gaps
    (what a learner should practise next), ticket-a or ticket-b (exit tickets
    after a lesson) or puzzles. The answers are on pages of their own.
    """
    with open_store(console) as store:
        found = None if learner is None else store.find_learner(learner)
        answers = [] if found is None else store.answers(found.id)
        sheets = make_sheets(kind, Random(seed), copies, answers, store.now())
    name = "" if found is None else found.name
    if output is None:
        console.write(write_text(sheets, name))
        return
    is_web = output.suffix.lower() in _WEB
    written = write_html(sheets, name) if is_web else write_text(sheets, name)
    write_file(console, output, written, "sheets are" if copies > 1 else "sheet is")
