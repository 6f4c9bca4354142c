"""``ninefold`` alone at a terminal: choose a game, settle it, play, and play again."""

from __future__ import annotations

from ninefold.cli.agreement import FIRST_CHOICES, Agreement, agree, ask_target, sentence
from ninefold.cli.console import InputEnded
from ninefold.cli.sitting import sit_down
from ninefold.entries import show_entry
from ninefold.errors import NinefoldError
from ninefold.game import HUMAN, Seat
from ninefold.match import Length
from ninefold.numerals import is_plain, read, write
from ninefold.rulebooks import KEYS, find, load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from ninefold.cli.console import Console
    from ninefold.rulebooks import Rulebook

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
    from ninefold.cli.history_lines import line_of_match
    from ninefold.cli.storage import opened_store
    from ninefold.errors import StoreError

    try:
        with opened_store(console) as store:
            kept = store.latest()
    except StoreError:
        return  # the first move will say why nothing can be kept
    if kept is not None:
        console.say("\nA game is left unfinished; ninefold resume goes on with it:\n")
        console.say(f"  {line_of_match(kept)}\n")


def _choose(console: Console) -> Callable[[], Agreement]:
    """Ask for everything that a game leaves open; return what settles it each time."""
    books = [load(key) for key in KEYS]
    width = max(len(book.title) for book in books)
    console.say("\n")
    for number, book in enumerate(books, start=1):
        console.say(f"  {number}  {book.title:{width}}  {book.describe()}\n")
    console.say("\n")
    book = _ask(console, "Which game? (Enter: 1, quit: leave) ", _read_book)
    players = _ask_players(console)
    first = FIRST_CHOICES[0]
    if "first" in book.settles:
        first = _ask(console, "Who starts? 1, 2 or toss (Enter: 1) ", _read_first)
    length = Length.best_of(1)
    if "length" in book.settles:
        question = "Best of how many games? (Enter: 1, a single game) "
        length = _ask(console, question, _read_length)
    target = write(book.rules.target)
    if "target" in book.settles:
        target = write(ask_target(console, book, book.rules).target)
    console.say("\n")

    def settle() -> Agreement:
        return agree(
            console,
            book.key,
            target=target,
            first=first,
            length=length,
            players=players,
        )

    return settle


def _ask_players(console: Console) -> dict[Seat, str]:
    from ninefold.players import LEVELS

    console.say("\nThe computer can play as\n")
    for level in LEVELS.values():
        console.say(f"  {level.name:8}  {level.character}\n")

    def read_player(answer: str) -> str:
        fitting = [name for name in LEVELS if name.startswith(answer.lower())]
        if not answer or answer.lower() in (HUMAN, "person"):
            return HUMAN
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            message = f"'{show_entry(answer)}' may be {' or '.join(fitting)}; type more"
            raise NinefoldError(message)
        message = f"'{show_entry(answer)}' is no level; press Enter for a person"
        raise NinefoldError(message)

    question = "Who is {seat}? (Enter: a person, or one of these) "
    return {
        seat: _ask(console, question.format(seat=seat), read_player) for seat in Seat
    }


def _ask(console: Console, question: str, read_answer: Callable[[str], T]) -> T:
    """Ask until the answer can be read."""
    while True:
        answer = console.ask(question)
        try:
            return read_answer(answer)
        except NinefoldError as error:
            console.say(sentence(str(error)))


def _read_book(answer: str) -> Rulebook:
    if not answer:
        return load(KEYS[0])
    if is_plain(answer):
        number = answer.lstrip("0")
        numbers = {str(n): key for n, key in enumerate(KEYS, start=1)}
        if number not in numbers:
            message = f"there is no game {show_entry(answer)}; type 1 to {len(KEYS)}"
            raise NinefoldError(message)
        return load(numbers[number])
    return find(answer)


def _read_first(answer: str) -> str:
    first = answer.lower() or FIRST_CHOICES[0]
    if first not in FIRST_CHOICES:
        message = f"'{show_entry(answer)}' is none of 1, 2 and toss"
        raise NinefoldError(message)
    return first


def _read_length(answer: str) -> Length:
    if answer and not is_plain(answer):
        message = "type an odd number in plain digits, such as 3 or 5"
        raise NinefoldError(message)
    return Length.best_of(read(answer or "1"))


def _read_again(answer: str) -> str:
    again = answer.lower()
    if again in ("", "y", "yes", "m", "n", "no"):
        return again[:1]
    message = "press Enter to play again, m for another game, or n to leave"
    raise NinefoldError(message)
