"""What is agreed before a match, from options and answers."""

from __future__ import annotations

import secrets

from msgspec.structs import replace

from ninefold.cli.console import Console
from ninefold.cli.files import named_book
from ninefold.errors import RulesError
from ninefold.game import Seat
from ninefold.match import SINGLE_GAME, Length, Starts, toss
from ninefold.players import LEVELS
from ninefold.rulebooks import Rulebook
from ninefold.rules import Rules, vary
from ninefold.session import Lessons, Setup

_SEATS = {"1": Seat.ONE, "2": Seat.TWO}
FIRST_CHOICES = (*_SEATS, "toss")
_SEED_BITS = 32


def agree(
    console: Console,
    game: str,
    *,
    target: str | None = None,
    multipliers: str | None = None,
    start: str | None = None,
    first: str = FIRST_CHOICES[0],
    length: Length = SINGLE_GAME,
    starts: Starts = Starts.ALTERNATE,
    names: tuple[str | None, str | None] = (None, None),
    levels: tuple[str | None, str | None] = (None, None),
    seed: int | None = None,
    lessons: Lessons | None = None,
) -> Setup:
    """Settle everything, asking only for a target that the rule book leaves open.

    A seat without a name is called after its level, or after its place.
    """
    book, text = named_book(game)
    rules = vary(book.rules, target=target, multipliers=multipliers, start=start)
    if seed is None:
        seed = new_seed()
    setup = Setup(
        rules=rules,
        length=length,
        starts=starts,
        first_tossed=first == "toss",
        names=names_of(names, levels),
        levels=levels,
        book=book.key,
        book_text=text,
        seed=seed,
        lessons=lessons or Lessons(),
    )
    setup.check()
    if target is None and "target" in book.settles and console.interactive:
        rules = ask_target(console, book, rules)
    starter = toss(setup.chance("first")) if first == "toss" else _SEATS[first]
    return replace(setup, rules=rules, first=starter)


def names_of(
    names: tuple[str | None, str | None], levels: tuple[str | None, str | None]
) -> tuple[str, str]:
    """Return what the seats are called; two levels alike are told apart."""
    usual = [
        str(seat) if level is None else LEVELS[level].title
        for seat, level in zip(Seat, levels, strict=True)
    ]
    one, two = (
        other if name is None else name.strip()
        for name, other in zip(names, usual, strict=True)
    )
    if one == two:
        one, two = (
            f"{one} {seat.value}" if name is None else one
            for seat, name in zip(Seat, names, strict=True)
        )
    return one, two


def new_seed() -> int:
    """Return a seed that nobody chose."""
    return secrets.randbits(_SEED_BITS)


def ask_target(console: Console, book: Rulebook, rules: Rules) -> Rules:
    """Ask for the target until the answer makes a game; Enter takes the usual one."""
    while True:
        answer = console.ask(book.ask_target())
        try:
            return vary(rules, target=answer or None)
        except RulesError as error:
            console.say(sentence(error))


def sentence(error: Exception) -> str:
    """Write an error as a line of the screen."""
    message = str(error)
    stop = "" if message.endswith("?") else "."
    return f"{message[:1].upper()}{message[1:]}{stop}\n"
