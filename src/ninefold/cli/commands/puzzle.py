"""``ninefold puzzle``: find the one multiplier that wins."""

from __future__ import annotations

import os
from random import Random
from typing import TYPE_CHECKING

import click

from ninefold.cli.books import find_book
from ninefold.cli.layout import say_wrapped
from ninefold.cli.parameters import GAME
from ninefold.cli.storage import opened_store
from ninefold.coach import PUZZLE_LEVELS, check, make_puzzle, read_puzzle
from ninefold.entries import Refusal, read_entry, show_entry
from ninefold.errors import NinefoldError, StoreError
from ninefold.numerals import shorten, write_set
from ninefold.rulebooks import KEYS, load
from ninefold.rules import Ending

if TYPE_CHECKING:
    from ninefold.cli.console import Console
    from ninefold.coach import Puzzle
    from ninefold.rulebooks import Rulebook
    from ninefold.store import Store

_USUAL_LEVEL = 2
_AIMS = {
    Ending.REACH: "Whoever reaches {target} or more wins.",
    Ending.AVOID: "Whoever reaches {target} or more loses.",
    Ending.EXACT: "Whoever makes exactly {target} wins; whoever goes beyond it loses.",
}


@click.command(
    epilog="""
\b
Examples:
  ninefold puzzle
  ninefold puzzle --game multiplier --level 3
  ninefold puzzle --seed 7
"""
)
@click.option("--game", type=GAME, help="Only from this game and its variants.")
@click.option(
    "--level",
    type=click.IntRange(PUZZLE_LEVELS[0], PUZZLE_LEVELS[-1]),
    help="How many moves ahead to see.  [default: 2]",
)
@click.option("--seed", type=int, metavar="N", help="Make the puzzle repeatable.")
@click.option("--no-save", is_flag=True, help="Do not keep the ones you miss.")
@click.pass_obj
def command(
    console: Console,
    *,
    game: str | None,
    level: int | None,
    seed: int | None,
    no_save: bool,
) -> None:
    """Find the only multiplier that wins.

    You are told why. A puzzle you miss comes back after ten minutes, then
    after a day, and each time it is solved later and later.
    """
    book = find_book(game) if game else None
    chance = int.from_bytes(os.urandom(8)) if seed is None else seed
    rng = Random(chance)  # noqa: S311 - a game
    console.purpose = "the puzzle was solved"
    with opened_store(console) as store:
        keeps = not no_save
        while True:
            puzzle = None
            if keeps and seed is None:
                puzzle = _due(console, store, book, level)
            puzzle = puzzle or make_puzzle(rng, level or _USUAL_LEVEL, book)
            keeps = _pose(console, store if keeps else None, puzzle)
            if not console.at_terminal:
                return
            if not console.asks_yes("\nAnother one? (Y/n): ", default=True):
                return
            console.say("\n")


def _due(
    console: Console, store: Store, book: Rulebook | None, level: int | None
) -> Puzzle | None:
    """Return a puzzle that was missed before and fits what is wanted, if one is due."""
    try:
        due = store.due()
    except StoreError as error:
        console.notice(f"Missed puzzles cannot come back: {error}.")
        return None
    for each in due:
        try:
            puzzle = read_puzzle(each.puzzle)
        except NinefoldError:
            continue  # of another making: not a puzzle here
        if book is not None and puzzle.book != book.key:
            continue
        if level in (None, puzzle.level):
            console.say("You missed this one before.\n")
            return puzzle
    return None


def _pose(console: Console, store: Store | None, puzzle: Puzzle) -> bool:
    """Ask until the answer is right; the first answer counts. Say if it was kept."""
    rules = puzzle.game.rules
    if puzzle.book in KEYS:
        book = load(puzzle.book)
        say_wrapped(console, f"{book.title}: {book.describe(rules)}")
    else:
        aim = _AIMS[rules.ending].format(target=shorten(rules.target))
        say_wrapped(console, aim)
    say_wrapped(console, f"{puzzle.question} (level {puzzle.level})")
    keeps = store is not None
    first = True
    while True:
        multiplier = _ask(console, puzzle)
        attempt = check(puzzle, multiplier)
        if store is not None and first:
            keeps = _keep(console, store, puzzle, multiplier, right=attempt.right)
        first = False
        say_wrapped(console, console.fit(attempt.comment))
        if attempt.right:
            return keeps


def _ask(console: Console, puzzle: Puzzle) -> int:
    rules = puzzle.game.rules
    while True:
        entry = console.ask("Which one? ")
        multiplier = read_entry(entry, rules)
        if not isinstance(multiplier, Refusal):
            return multiplier
        choices = write_set(rules.multipliers)
        console.say(f"'{show_entry(entry)}' is none of {choices}; quit leaves.\n")


def _keep(
    console: Console, store: Store, puzzle: Puzzle, multiplier: int, *, right: bool
) -> bool:
    try:
        store.add_attempt(puzzle.key, multiplier, right=right)
    except StoreError as error:
        console.notice(f"This is not being kept: {error}.")
        return False
    return True
