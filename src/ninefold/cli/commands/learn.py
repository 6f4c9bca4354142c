"""Learning: puzzles, and the multiplication facts that mental games collect."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import click

from ninefold.cli.console import Console
from ninefold.cli.options import (
    GAME,
    SEED,
    WholeNumber,
    command,
    csv_option,
    find_book,
    json_option,
    refuse_two_forms,
)
from ninefold.cli.output import draw_line, print_json, say_page, say_wrapped
from ninefold.cli.questions import say_words
from ninefold.cli.storage import SURFACE, open_store
from ninefold.coach import hints
from ninefold.errors import NinefoldError, StoreError
from ninefold.game import Seat
from ninefold.learning import (
    PUZZLE_LEVELS,
    Activity,
    Puzzle,
    PuzzleResult,
    Standing,
    check,
    due_puzzles,
    make_puzzle,
    read_puzzle,
)
from ninefold.rulebooks import Rulebook
from ninefold.rulebooks.entries import Refusal, read_entry
from ninefold.store import Store
from ninefold.text import write_set
from ninefold.views.answers import PuzzleView
from ninefold.views.history import FactRow, facts_of

_USUAL_LEVEL = 2
_LEARNER = str(Seat.ONE)  # a puzzle has no seats
_NUMBERS = range(2, 10)
_GLYPHS = {
    Standing.KNOWN: "+",
    Standing.SHAKY: "?",
    Standing.FIRM: "o",
    Standing.NEW: ".",
}
_STYLES = {
    Standing.KNOWN: "green",
    Standing.SHAKY: "red",
    Standing.FIRM: "",
    Standing.NEW: "dim",
}
_PRESSING = (Standing.SHAKY, Standing.NEW, Standing.FIRM, Standing.KNOWN)
"""What to learn first comes first."""
_MEANINGS = {
    Standing.KNOWN: "known: right on three days, the last after a week",
    Standing.FIRM: "getting firm: right lately",
    Standing.SHAKY: "shaky: wrong at least once in the last three times",
    Standing.NEW: "new: not asked yet",
}
_WORDS = {
    "?": "to see this",
    "rules": "to see the rules",
    "hint": "to get a hint; again, for more of it",
    "quit": "to leave",
}


@command(
    "puzzle",
    "puzzle --game multiplier --level 3",
    "puzzle --seed 7",
)
@click.option("--game", type=GAME, help="Only from this game and its variants.")
@click.option(
    "--level",
    type=WholeNumber(PUZZLE_LEVELS[0], PUZZLE_LEVELS[-1]),
    metavar="N",
    help="How many moves ahead to see, 1 to 5.  [default: 2]",
)
@click.option("--seed", type=SEED, metavar="N", help="Make the puzzle repeatable.")
@click.option("--no-save", is_flag=True, help="Do not keep the ones you miss.")
@click.option("--json", "as_json", is_flag=True, help="Only pose it, as JSON.")
@click.option("--solution", is_flag=True, help="With --json: the answer, and why.")
@click.pass_obj
def puzzle(
    console: Console,
    *,
    game: str | None,
    level: int | None,
    seed: int | None,
    no_save: bool,
    as_json: bool,
    solution: bool,
) -> None:
    """Find the only multiplier that wins.

    You are told why. A puzzle you miss comes back after ten minutes, then
    after a day, and each time it is solved later and later.
    """
    if solution and not as_json:
        message = "--solution would give the puzzle away; give --json with it."
        raise click.UsageError(message)
    book = find_book(game) if game else None
    rng = Random(seed)
    console.purpose = "the puzzle was solved"
    with open_store(console) as store:
        saves = not no_save
        while True:
            brings_back = saves and seed is None
            due = _due(console, store, book, level) if brings_back else None
            missed = due is not None
            posed = due or make_puzzle(rng, level or _USUAL_LEVEL, book)
            if as_json:
                view = PuzzleView.of(posed, missed_before=missed, solved=solution)
                print_json(console, view)
                return
            if missed:
                console.say("You missed this one before.\n")
            explained = book or posed.rulebook
            saves = _pose(console, store if saves else None, posed, explained)
            if not console.at_terminal:
                return
            if not console.asks_yes("\nAnother one? (Y/n): ", default=True):
                return
            console.say("\n")


def _due(
    console: Console, store: Store, book: Rulebook | None, level: int | None
) -> Puzzle | None:
    """Return a due puzzle that fits the options."""
    try:
        answers = store.answers(store.learner(_LEARNER).id)
    except StoreError as error:
        console.notice(f"Missed puzzles cannot come back now: {error}.")
        return None
    for key in due_puzzles(answers, store.now()):
        try:
            puzzle = read_puzzle(key)
        except NinefoldError:
            continue  # of another version
        if book is not None and puzzle.book != book.key:
            continue
        if level in (None, puzzle.level):
            return puzzle
    return None


def _pose(
    console: Console,
    store: Store | None,
    puzzle: Puzzle,
    book: Rulebook | None,
) -> bool:
    """Ask until the answer is right; return whether the first answer was stored."""
    title = "" if book is None else f"{book.title}: "
    say_wrapped(console, f"{title}{puzzle.aim}")
    say_wrapped(console, f"{puzzle.question} (level {puzzle.level})")
    saves = store is not None
    first = True
    steps, hinted = hints(puzzle.game), 0
    began = console.now()
    while True:
        entry = console.ask("Which one? ")
        multiplier = read_entry(entry, puzzle.game.rules)
        if entry.lower() == "hint":
            say_wrapped(console, steps[min(hinted, len(steps) - 1)].text)
            hinted += 1
        elif isinstance(multiplier, Refusal):
            _help(console, puzzle, book, entry.lower())
        else:
            attempt = check(puzzle, multiplier)
            if store is not None and first:
                seconds = console.now() - began
                saves = _store(console, store, attempt, seconds, hinted=hinted > 0)
            first = False
            say_wrapped(console, attempt.comment)
            if attempt.right:
                return saves


def _help(console: Console, puzzle: Puzzle, book: Rulebook | None, word: str) -> None:
    """Answer a word that is typed in place of a multiplier."""
    rules = puzzle.game.rules
    if word in ("?", "help"):
        say_words(console, rules, _WORDS)
    elif word != "rules":
        choices = write_set(rules.multipliers)
        say_wrapped(console, f"Type one of {choices}, ? for help, or quit to leave.")
    elif book is None:
        say_wrapped(console, puzzle.aim)
    else:
        say_page(console, book.explain(rules))


def _store(
    console: Console,
    store: Store,
    attempt: PuzzleResult,
    seconds: float,
    *,
    hinted: bool,
) -> bool:
    try:
        store.add_answer(
            store.learner(_LEARNER).id,
            attempt.puzzle.key,
            str(attempt.multiplier),
            right=attempt.right,
            activity=Activity.PUZZLE,
            seconds=seconds,
            hinted=hinted,
            surface=SURFACE,
        )
    except StoreError as error:
        console.notice(f"This is not being saved: {error}.")
        return False
    return True


@click.command()
@csv_option
@json_option
@click.pass_obj
def facts(console: Console, *, as_csv: bool, as_json: bool) -> None:
    """Show which products you know.

    They are gathered while you play with --mental.
    """
    refuse_two_forms("--csv", "--json", both=as_csv and as_json)
    with open_store(console) as store:
        rows = facts_of(store.answers())
    if as_json:
        print_json(console, rows)
    elif as_csv:
        console.write("fact,standing,right,asked\n")
        for row in rows:
            console.write(f"{row.fact},{row.standing.value},{row.right},{row.asked}\n")
    elif console.plain:
        _list_facts(console, rows)
    else:
        _draw_grid(console, rows)


def _list_facts(console: Console, rows: Sequence[FactRow]) -> None:
    asked = [row for row in rows if row.asked]
    for row in sorted(asked, key=lambda row: _PRESSING.index(row.standing)):
        product = row.fact.replace("x", " × ")
        right = f"right {row.right} of {row.asked}"
        console.say(f"{product}: {row.standing.value}, {right}\n")
    unasked = len(rows) - len(asked)
    if unasked:
        say_wrapped(
            console,
            f"Not asked yet: {unasked} of {len(rows)} products. Play with mental"
            " arithmetic, and you are asked.",
        )


def _draw_grid(console: Console, rows: Sequence[FactRow]) -> None:
    standings = {row.fact: row.standing for row in rows}
    console.say("     " + "  ".join(map(str, _NUMBERS)) + "\n")
    for row in _NUMBERS:
        line = [(f"  {row}  ", "")]
        for column in _NUMBERS:
            standing = standings[f"{min(row, column)}x{max(row, column)}"]
            line.append((f"{_GLYPHS[standing]}  ", _STYLES[standing]))
        draw_line(console, line)
    console.say("\n")
    for standing, meaning in _MEANINGS.items():
        count = list(standings.values()).count(standing)
        share = f"({count} of {len(rows)})"
        say_wrapped(console, f"{_GLYPHS[standing]} {meaning} {share}")
