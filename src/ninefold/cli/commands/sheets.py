"""Sheets to print: number lines, game records, practice, puzzles."""

from __future__ import annotations

from pathlib import Path
from random import Random

import click

from ninefold.cli.console import Console, write_file
from ninefold.cli.options import SEED, OneOf, WholeNumber, command
from ninefold.cli.storage import open_store
from ninefold.views.sheets import KINDS, MOST_COPIES, format_html, make_sheets


@command(
    "sheet ticket-a --copies 30 -o tickets.html",
    "sheet gaps --learner Ada -o gaps.html",
)
@click.argument("kind", metavar="KIND", type=OneOf([*KINDS]))
@click.option("--learner", metavar="NAME", help="Learner whose gaps to print.")
@click.option("--seed", type=SEED, metavar="N", help="Make the sheets repeatable.")
@click.option(
    "--copies",
    type=WholeNumber(1, MOST_COPIES),
    default=1,
    metavar="N",
    help=f"Number of copies, each with other numbers; at most {MOST_COPIES}.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    metavar="FILE",
    help="Write the sheets to FILE: HTML, which a browser prints.",
)
@click.pass_obj
def sheet(
    console: Console,
    *,
    kind: str,
    learner: str | None,
    seed: int | None,
    copies: int,
    output: Path,
) -> None:
    """Make a sheet to print.

    KIND is strip (number lines to shade), record (to write games down), gaps
    (what a learner should practise next), ticket-a or ticket-b (exit tickets
    after a lesson) or puzzles. Each copy is a page; the answers are on separate
    pages.
    """
    with open_store(console) as store:
        found = None if learner is None else store.find_learner(learner)
        answers = [] if found is None else store.answers(found.id)
        sheets = make_sheets(kind, Random(seed), copies, answers, store.now())
    name = "" if found is None else found.name
    what = "sheets" if copies > 1 else "sheet"
    write_file(console, output, format_html(sheets, name), what)
