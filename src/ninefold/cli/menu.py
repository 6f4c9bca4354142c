"""``ninefold`` alone at a terminal: choose a game, settle it, play, and play again."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from ninefold.cli.agreeing import FIRST_CHOICES, agree, sentence, vary
from ninefold.cli.console import Console, InputEnded
from ninefold.cli.history_lines import line_of_match
from ninefold.cli.sitting import sit_down
from ninefold.cli.storage import opened_store
from ninefold.errors import NinefoldError, StoreError
from ninefold.game import Seat
from ninefold.match import Length
from ninefold.players import HUMAN, LEVELS
from ninefold.rulebooks import KEYS, Rulebook, find, load
from ninefold.rules import parse_number
from ninefold.session import Setup
from ninefold.text import excerpt, is_digits
from ninefold.views import OpenMatchRow

T = TypeVar("T")

_AGAIN = "\nPlay again? (Enter: the same, m: another game, n: leave) "


def open_menu(console: Console) -> None:
    """Play as many games as the players like."""
    console.say("Welcome to ninefold, the home of the multiplication games.\n")
    _say_what_is_left(console)
    settle = _choose(console)
    while True:
        sit_down(console, settle())
        try:
            answer = _ask(console, _AGAIN, _read_again)
        except InputEnded:
            return  # the game had ended, so nothing was cut short
        if answer == "n":
            return
        console.say("\n")
        if answer == "m":
            settle = _choose(console)


def _say_what_is_left(console: Console) -> None:
    """Remind the players of a game that they can go on with."""
    try:
        with opened_store(console) as store:
            left = store.unfinished(limit=1)
    except StoreError:
        return  # the first move will say why nothing can be kept
    for row in left:
        console.say("\nA game is left unfinished; ninefold resume goes on with it:\n")
        console.say(f"  {line_of_match(OpenMatchRow.of(row))}\n")


def _choose(console: Console) -> Callable[[], Setup]:
    """Ask for everything that a game leaves open; return what settles it each time."""
    books = [load(key) for key in KEYS]
    width = max(len(book.title) for book in books)
    console.say("\n")
    for number, book in enumerate(books, start=1):
        console.say(f"  {number}  {book.title:{width}}  {book.describe()}\n")
    console.say("\n")
    book = _ask(console, "Which game? (Enter: 1, quit: leave) ", _read_book)
    levels = _ask_levels(console)
    who = "Who starts? 1, 2 or toss (Enter: 1) "
    first = _settle(console, book, "first", who, _read_first)
    how_many = "Best of how many games? (Enter: 1, a single game) "
    length = _settle(console, book, "length", how_many, _read_length)

    def read_target(answer: str) -> str:
        return str(vary(book.rules, target=answer or None).target)

    target = _settle(console, book, "target", book.ask_target(), read_target)
    console.say("\n")

    def settle() -> Setup:
        return agree(
            console,
            book.key,
            target=target,
            first=first,
            length=length,
            levels=levels,
        )

    return settle


def _settle(
    console: Console,
    book: Rulebook,
    part: str,
    question: str,
    read_answer: Callable[[str], T],
) -> T:
    """Ask for a part that the rule book leaves open; else take the usual one."""
    if part in book.settles:
        return _ask(console, question, read_answer)
    return read_answer("")


def _ask_levels(console: Console) -> tuple[str | None, str | None]:
    console.say("\nThe computer can play as\n")
    for level in LEVELS.values():
        console.say(f"  {level.name:8}  {level.character}\n")

    def read_level(answer: str) -> str | None:
        fitting = [name for name in LEVELS if name.startswith(answer.lower())]
        if not answer or answer.lower() in (HUMAN, "person"):
            return None
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            message = f"'{excerpt(answer)}' may be {' or '.join(fitting)}; type more"
            raise NinefoldError(message)
        message = f"'{excerpt(answer)}' is no level; press Enter for a person"
        raise NinefoldError(message)

    question = "Who is {seat}? (Enter: a person, or one of these) "
    one, two = (_ask(console, question.format(seat=seat), read_level) for seat in Seat)
    return one, two


def _ask(console: Console, question: str, read_answer: Callable[[str], T]) -> T:
    """Ask until the answer can be read."""
    while True:
        answer = console.ask(question)
        try:
            return read_answer(answer)
        except NinefoldError as error:
            console.say(sentence(error))


def _read_book(answer: str) -> Rulebook:
    if not answer:
        return load(KEYS[0])
    if is_digits(answer):
        number = answer.lstrip("0")
        numbers = {str(n): key for n, key in enumerate(KEYS, start=1)}
        if number not in numbers:
            message = f"there is no game {excerpt(answer)}; type 1 to {len(KEYS)}"
            raise NinefoldError(message)
        return load(numbers[number])
    return find(answer)


def _read_first(answer: str) -> str:
    first = answer.lower() or FIRST_CHOICES[0]
    if first not in FIRST_CHOICES:
        message = f"'{excerpt(answer)}' is none of 1, 2 and toss"
        raise NinefoldError(message)
    return first


def _read_length(answer: str) -> Length:
    if not answer:
        return Length.best_of(1)
    if not is_digits(answer):
        message = "type an odd number in plain digits, such as 3 or 5"
        raise NinefoldError(message)
    return Length.best_of(parse_number(answer, "number of games"))


def _read_again(answer: str) -> str:
    again = answer.lower()
    if again in ("", "y", "yes", "m", "n", "no"):
        return again[:1]
    message = "press Enter to play again, m for another game, or n to leave"
    raise NinefoldError(message)
