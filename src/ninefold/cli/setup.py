"""The setup of a match: read from options, or asked for in the menu."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from enum import Enum
from typing import TypeVar

from msgspec.structs import replace

from ninefold.cli.console import Console, Left
from ninefold.cli.options import (
    FIRST_CHOICES,
    MatchOptions,
    did_you_mean,
    find_book,
    named_book,
)
from ninefold.cli.output import say_wrapped
from ninefold.cli.storage import learner_name
from ninefold.errors import NinefoldError
from ninefold.game import Seat
from ninefold.match import Starts, toss
from ninefold.players import LEVELS
from ninefold.rulebooks import KEYS, Rulebook, find, load
from ninefold.rules import Rules, vary
from ninefold.session import Lessons, Setup, check_names
from ninefold.text import excerpt, is_digits
from ninefold.views.words import sentence

T = TypeVar("T")

_SEATS = {"1": Seat.ONE, "2": Seat.TWO}
_SEED_BITS = 32
_BACK = "back"
_OPTIONS = "For other multipliers, longer matches or a coach:"


def new_seed() -> int:
    """Return a seed that nobody has chosen."""
    return secrets.randbits(_SEED_BITS)


def read_setup(
    console: Console,
    options: MatchOptions,
    *,
    names: tuple[str | None, str | None] = (None, None),
    levels: tuple[str | None, str | None] = (None, None),
    bots: Mapping[Seat, str] | None = None,
    seed: int | None = None,
    lessons: Lessons | None = None,
    asks: bool = True,
) -> Setup:
    """Read a set-up from options; ask only for a target that the rule book leaves open.

    A seat without a name is called after its level, its bot, or its place. Where
    nothing is asked, the rule book's own target holds.
    """
    book, text = named_book(options.game)
    rules = vary(
        book.rules,
        target=options.target,
        multipliers=options.multipliers,
        start=options.start,
    )
    is_tossed = options.first == "toss"
    setup = Setup(
        rules=rules,
        length=options.length,
        starts=options.starts or Starts.ALTERNATE,
        first_tossed=is_tossed,
        names=_names(names, levels, bots or {}),
        levels=levels,
        bots=tuple(bots or ()),
        book=book.key,
        book_text=text,
        seed=new_seed() if seed is None else seed,
        lessons=lessons or Lessons(),
    )
    setup.check()
    if asks and leaves_target_open(console, options):
        rules = _ask_target(console, book, rules)
    starter = toss(setup.chance("first")) if is_tossed else _SEATS[options.first]
    return replace(setup, rules=rules, first=starter)


def leaves_target_open(console: Console, options: MatchOptions) -> bool:
    """Whether a person is to be asked for the target."""
    if options.target is not None or not console.interactive:
        return False
    return "target" in find_book(options.game).settles


def _names(
    names: tuple[str | None, str | None],
    levels: tuple[str | None, str | None],
    bots: Mapping[Seat, str],
) -> tuple[str, str]:
    """Return the names of the seats; two programs alike get numbers."""
    usual = [
        bots.get(seat, str(seat)) if level is None else LEVELS[level].title
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


def _ask_target(
    console: Console, book: Rulebook, rules: Rules, *, has_menu: bool = False
) -> Rules:
    """Ask for the target until the answer makes a game; Enter takes the usual one."""

    def read_target(answer: str) -> Rules:
        return vary(rules, target=answer or None)

    read_answer = _or_back(read_target) if has_menu else read_target
    return ask_until_read(console, book.ask_target(), read_answer)


class Pairing(Enum):
    """Who plays whom."""

    FRIEND = "friend"
    COMPUTER = "computer"
    WATCH = "watch"
    """Two levels."""
    HOST = "host"
    """Somebody who gets a link."""


def ask_setup(
    console: Console, pairing: Pairing, book: Rulebook | None = None
) -> Setup:
    """Ask who plays which game, and what its players settle first."""
    book = book or ask_book(console)
    console.say(f"{book.title}: {book.describe()}\n")
    command = "host" if pairing is Pairing.HOST else "play"
    say_wrapped(console, f"{_OPTIONS} ninefold {command} --help")
    rules = settle_target(console, book)
    levels: tuple[str | None, str | None] = (None, None)
    names: tuple[str | None, str | None] = (None, None)
    if pairing is Pairing.FRIEND:
        one = _ask_name(console, Seat.ONE, "Your", Seat.TWO)
        names = (one, _ask_name(console, Seat.TWO, "Your friend's", one or Seat.ONE))
    elif pairing is Pairing.HOST:
        names = (_ask_name(console, Seat.ONE, "Your", Seat.TWO), None)
    elif pairing is Pairing.COMPUTER:
        usual = learner_name(console) or str(Seat.ONE)
        names = (_ask_name(console, usual, "Your", Seat.TWO) or usual, None)
        _list_levels(console)
        levels = (None, _ask_level(console, "Which level?"))
    else:
        _list_levels(console)
        levels = (
            _ask_level(console, "Which level is Player 1?"),
            _ask_level(console, "Which level is Player 2?"),
        )
    first = FIRST_CHOICES[0]
    if "first" in book.settles:
        first = _ask_first(console, _names(names, levels, {}))
    options = MatchOptions(book.key, first=first)
    setup = read_setup(console, options, names=names, levels=levels, asks=False)
    return replace(setup, rules=rules)


def settle_target(console: Console, book: Rulebook) -> Rules:
    """Return the rules of a game; ask for a target that the rule book leaves open."""
    if "target" not in book.settles:
        return book.rules
    return _ask_target(console, book, book.rules, has_menu=True)


def ask_until_read(
    console: Console, question: str, read_answer: Callable[[str], T]
) -> T:
    """Ask until the answer can be read."""
    while True:
        answer = console.ask(question)
        try:
            return read_answer(answer)
        except NinefoldError as error:
            console.say(f"{sentence(error)}\n")


def ask_or_back(console: Console, question: str, read_answer: Callable[[str], T]) -> T:
    """Ask until the answer can be read, or is to go back to the menu.

    The question ends within its bracket, which is closed here.
    """
    question = f"{question}, {_BACK}: the menu) "
    return ask_until_read(console, question, _or_back(read_answer))


def _or_back(read_answer: Callable[[str], T]) -> Callable[[str], T]:
    def read_or_leave(answer: str) -> T:
        if answer.lower() == _BACK:
            raise Left
        return read_answer(answer)

    return read_or_leave


def ask_book(console: Console) -> Rulebook:
    """List the games, and ask for one of them."""
    books = [load(key) for key in KEYS]
    _say_list(console, [(book.title, book.describe()) for book in books])
    return ask_or_back(console, "Which game? (Enter: 1", _read_book)


def _read_book(answer: str) -> Rulebook:
    if not answer:
        return load(KEYS[0])
    if is_digits(answer):
        return load(numbered(answer, KEYS, "game"))
    return find(answer)


def numbered(answer: str, choices: Sequence[str], kind: str) -> str:
    """Return the choice that a number stands for in a list."""
    numbers = {str(n): choice for n, choice in enumerate(choices, start=1)}
    chosen = numbers.get(answer.lstrip("0"))
    if chosen is None:
        message = f"there is no {kind} {excerpt(answer)}; type 1 to {len(choices)}"
        raise NinefoldError(message)
    return chosen


def _ask_name(
    console: Console, usual: Seat | str, whose: str, other: Seat | str
) -> str | None:
    """Ask for a name unlike the other one; None takes the usual one."""

    def read_name(answer: str) -> str | None:
        if not answer:
            return None
        check_names(str(other), answer)
        return answer

    return ask_or_back(console, f"{whose} name? (Enter: {usual}", read_name)


def _list_levels(console: Console) -> None:
    _say_list(console, [(level.name, level.character) for level in LEVELS.values()])


def _say_list(console: Console, choices: Sequence[tuple[str, str]]) -> None:
    """Say numbered choices and what they mean: beside them if there is room."""
    width = max(len(name) for name, _ in choices)
    lines = [
        f"  {number}  {name:{width}}  {meaning}\n"
        for number, (name, meaning) in enumerate(choices, start=1)
    ]
    if max(map(len, lines)) > console.columns:
        lines = [
            f"  {number}  {name}\n     {meaning}\n"
            for number, (name, meaning) in enumerate(choices, start=1)
        ]
    console.say("\n" + "".join(lines) + "\n")


def _ask_level(console: Console, question: str) -> str:
    return ask_or_back(console, f"{question} (Enter: 1", _read_level)


def _read_level(answer: str) -> str:
    if not answer:
        return next(iter(LEVELS))
    if is_digits(answer):
        return numbered(answer, tuple(LEVELS), "level")
    return only_beginning(answer, LEVELS, "a level")


def only_beginning(answer: str, choices: Collection[str], kind: str) -> str:
    """Return the one choice that begins so."""
    fitting = [choice for choice in choices if choice.startswith(answer.lower())]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        message = f"'{excerpt(answer)}' may be {' or '.join(fitting)}; type more"
        raise NinefoldError(message)
    meant = did_you_mean(answer, choices) or "; type a number or a word of the list"
    message = f"'{excerpt(answer)}' is not {kind}{meant}"
    raise NinefoldError(message)


def _ask_first(console: Console, names: tuple[str, str]) -> str:
    one, two = names
    meanings = {"": "1", one.lower(): "1", two.lower(): "2"}
    meanings |= {choice: choice for choice in FIRST_CHOICES}

    def read_first(answer: str) -> str:
        first = meanings.get(answer.lower())
        if first is None:
            message = f"'{excerpt(answer)}' is not 1, 2 or toss; type one of these"
            raise NinefoldError(message)
        return first

    question = f"Who starts? 1 ({one}), 2 ({two}) or toss (Enter: 1"
    return ask_or_back(console, question, read_first)
