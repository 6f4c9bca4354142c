"""Practice, puzzles, progress and the list of learners."""

from __future__ import annotations

from random import Random

import click

from ninefold.cli import options, output
from ninefold.cli.console import Console, QuitRequested
from ninefold.cli.practice_screen import practise, print_improvement, recorder_at
from ninefold.cli.storage import open_store
from ninefold.errors import NinefoldError
from ninefold.learning import PUZZLE_LEVELS, Fact, Standing, Walk, puzzle_item
from ninefold.learning import drill as choose_items
from ninefold.learning.multiplication_facts import DIGITS
from ninefold.session.setup import check_name
from ninefold.store import Learner, Store
from ninefold.views.practice import (
    HELP,
    begin_round,
    choose_puzzles,
    count_of,
    recent_games,
)
from ninefold.views.progress import (
    BARS,
    MEANINGS,
    ProgressView,
    digest,
    format_progress,
    load_progress,
    names_of,
)
from ninefold.views.solutions import PuzzleView

_ROOM_BESIDE_A_PLOT = 30
no_save_option = click.option("--no-save", is_flag=True, help="Do not save answers.")


@options.command("drill", "drill --learner Ada")
@options.learner_option("Learner who practises; remembered.")
@click.option(
    "--seed", type=options.SEED, metavar="N", help="Make the items repeatable."
)
@no_save_option
@click.pass_obj
def drill(
    console: Console, *, learner: str | None, seed: int | None, no_save: bool
) -> None:
    """Practise twelve facts and skills.

    Due and shaky ones come first. There is no clock, and each slip is
    explained. Your answers are saved even if you stop early.
    """
    console.purpose = "the practice was over"
    with open_store(console) as store:
        answering = recorder_at(console, store, learner, save=not no_save)
        items = choose_items(answering.earlier, store.now(), Random(seed))
        output.print_wrapped(
            console, f"{begin_round(len(items), answering.learner.name)} {HELP}"
        )
        try:
            practise(console, answering, Walk.of(items))
        finally:
            print_improvement(console, answering)


@options.command(
    "puzzle",
    "puzzle --game multiplier --level 3",
    "puzzle --seed 7",
)
@click.option("--game", type=options.GAME, help="Only from this game and its variants.")
@click.option(
    "--level",
    type=options.WholeNumber(PUZZLE_LEVELS[0], PUZZLE_LEVELS[-1]),
    metavar="N",
    help="How many moves to look ahead, 1 to 5.  [default: 2]",
)
@options.learner_option("Learner who solves it; remembered.")
@click.option(
    "--seed", type=options.SEED, metavar="N", help="Make the puzzle repeatable."
)
@no_save_option
@click.option("--json", "as_json", is_flag=True, help="Print the puzzle as JSON.")
@click.option("--solution", is_flag=True, help="With --json: add the answer and why.")
@click.pass_obj
def puzzle(
    console: Console,
    *,
    game: str | None,
    level: int | None,
    learner: str | None,
    seed: int | None,
    no_save: bool,
    as_json: bool,
    solution: bool,
) -> None:
    """Find the only multiplier that wins.

    Positions where you slipped come first, then puzzles that you missed, then
    new ones from the games you play. Afterwards you see why your move wins and
    every other one fails.
    """
    if solution and not as_json:
        message = "--solution needs --json."
        raise click.UsageError(message)
    book = options.find_book(game) if game else None
    console.purpose = "the puzzle was solved"
    with open_store(console) as store:
        answering = recorder_at(console, store, learner, save=not no_save)
        is_new = seed is not None
        games = () if is_new else recent_games(store)
        answers = () if is_new else answering.earlier
        names, rng = names_of(answering.learner), Random(seed)
        for posed, origin in choose_puzzles(
            games, names, answers, store.now(), rng, book=book, level=level
        ):
            if as_json:
                output.print_json(
                    console, PuzzleView.of(posed, origin, solved=solution)
                )
                return
            explained = book or posed.rulebook
            title = "Puzzle" if explained is None else explained.title
            console.print(f"{title} (level {posed.level})\n")
            if origin:
                output.print_wrapped(console, origin)
            rules = explained.explain(posed.game.rules) if explained else posed.aim
            walk = Walk.of([puzzle_item(posed)])
            practise(console, answering, walk, rules=rules)
            if not console.at_terminal:
                return
            if not console.confirm("\nAnother one? (Y/n): ", default=True):
                return
            console.print("\n")


@options.command(
    "progress",
    "progress --learner Ada",
    "progress --csv > ada.csv",
)
@options.learner_option("Learner whose progress to show.")
@options.csv_option
@options.json_option
@click.pass_obj
def progress(
    console: Console,
    *,
    learner: str | None,
    as_csv: bool,
    as_json: bool,
) -> None:
    """Show what you know and how you are doing.

    Lists facts, skills, puzzles, your games against each level over time, how
    often you gave the win away, the score against other people, and one
    suggestion.
    """
    options.refuse_two_forms("--csv", "--json", both=as_csv and as_json)
    if learner is not None:
        check_name(learner)
    with open_store(console) as store:
        view = load_progress(store, learner)
    if as_json:
        output.print_json(console, view)
    elif as_csv:
        _write_csv(console, view)
    elif console.plain:
        for sentence in digest(view):
            output.print_wrapped(console, sentence)
    else:
        console.print(f"{view.learner}\n\n")
        _draw_grid(console, view)
        marks = output.width_of(console) - _ROOM_BESIDE_A_PLOT
        glyphs = {standing: output.LOOKS[standing][0] for standing in Standing}
        text = format_progress(view, glyphs, marks, draws=console.can_show(BARS))
        console.print(f"\n{text}")


def _write_csv(console: Console, view: ProgressView) -> None:
    console.print_raw("kind,name,standing,right,asked\n")
    for kind, rows in (("fact", view.facts), ("skill", view.skills)):
        for row in rows:
            standing = row.standing.value
            console.print_raw(f"{kind},{row.name},{standing},{row.right},{row.asked}\n")
    puzzles = view.puzzles
    console.print_raw(f"puzzles,all,,{puzzles.right},{puzzles.asked}\n")
    for level, results in view.games.over_time.items():
        console.print_raw(f"level,{level},,{sum(results)},{len(results)}\n")


def _draw_grid(console: Console, view: ProgressView) -> None:
    standings = {row.name: row.standing for row in view.facts}
    console.print("     " + "  ".join(map(str, DIGITS)) + "\n")
    for row in DIGITS:
        line = [(f"  {row}  ", "")]
        for column in DIGITS:
            glyph, style = output.LOOKS[standings[Fact(row, column).key]]
            line.append((f"{glyph}  ", style))
        output.draw_line(console, line)
    console.print("\n")
    for standing, meaning in MEANINGS.items():
        share = f"({view.count(standing)} of {len(view.facts)})"
        output.print_wrapped(console, f"{output.LOOKS[standing][0]} {meaning} {share}")


@options.command("learners", "learners rename Guest Ada", "learners remove Ada")
@click.argument("action", nargs=-1, metavar="[rename NAME NEW | remove NAME]")
@click.option("--yes", is_flag=True, help="Do not ask before removing.")
@click.pass_obj
def learners(console: Console, *, action: tuple[str, ...], yes: bool) -> None:
    """List the learners on this computer.

    You can also rename and remove them. An earlier name still finds the same
    learner.
    """
    with open_store(console) as store:
        match [part if i == 0 else part.strip() for i, part in enumerate(action)]:
            case []:
                _list(console, store)
            case ["rename", name, new]:
                check_name(new)
                store.rename_learner(name, new)
                console.print(f"Renamed {name} to {new}.\n")
            case ["remove", name]:
                _remove(console, store, store.find_learner(name), yes=yes)
            case _:
                message = "use rename NAME NEW, or remove NAME."
                raise click.UsageError(message)


def _list(console: Console, store: Store) -> None:
    found, latest = store.learners(), store.latest_learner()
    for each in found:
        is_latest = latest is not None and each.id == latest.id
        now = " (current)" if is_latest else ""
        console.print(f"{each.name}, since {output.date_of(each.begun_at)}{now}\n")
    if not found:
        console.print_error("There are no learners yet. Start with: ninefold drill")


def _remove(console: Console, store: Store, learner: Learner, *, yes: bool) -> None:
    count = count_of(len(store.answers(learner.id)), "answer")
    if not yes:
        if not console.interactive:
            message = "this cannot be confirmed here; use --yes"
            raise NinefoldError(message)
        question = f"Remove {learner.name} and {count}? This cannot be undone."
        if not console.confirm(f"{question} (y/N): "):
            raise QuitRequested
    store.remove_learner(learner.id)
    console.print(f"Removed {learner.name} and {count}. The games stay saved.\n")
