"""Prompts before a match: for what the options leave open, or for everything."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Sequence
from enum import Enum
from typing import Literal, TypeVar

from msgspec.structs import replace

from ninefold.cli.console import Console, QuitRequested
from ninefold.cli.options import FIRST_CHOICES, did_you_mean
from ninefold.cli.output import print_wrapped
from ninefold.cli.storage import learner_name
from ninefold.errors import NinefoldError
from ninefold.game import Seat
from ninefold.levels import LEVELS
from ninefold.rulebooks import KEYS, Rulebook, find, load
from ninefold.session import FRIEND, HERE, Lessons, Proposal
from ninefold.text import excerpt, is_digits
from ninefold.views.match_text import sentence

T = TypeVar("T")

_SEED_BITS = 32
_BACK = "back"
_OPTIONS = "For other multipliers, longer matches or a coach:"


def new_seed() -> int:
    """Return a random seed."""
    return secrets.randbits(_SEED_BITS)


def settle_target(console: Console, proposal: Proposal) -> Proposal:
    """Check a proposal, and prompt for the target if the rule book leaves it open."""
    proposal.setup(0)
    if not leaves_target_open(console, proposal):
        return proposal
    question = proposal.rulebook().ask_target()
    return prompt_until_valid(console, question, _read_field(proposal, "target"))


def leaves_target_open(console: Console, proposal: Proposal) -> bool:
    """Whether to prompt a person for the target."""
    if proposal.target is not None or not console.interactive:
        return False
    return "target" in proposal.rulebook().settles


def _read_field(proposal: Proposal, field: str) -> Callable[[str], Proposal]:
    """Return a reader that puts an answer into a field of a proposal.

    An empty answer leaves the field open; an invalid one raises an error.
    """

    def read(answer: str) -> Proposal:
        proposed = replace(proposal, **{field: answer or None})
        proposed.setup(0)
        return proposed

    return read


class Pairing(Enum):
    """Who plays whom."""

    FRIEND = "friend"
    COMPUTER = "computer"
    WATCH = "watch"
    """Two levels."""
    HOST = "host"
    """A friend who gets a link."""


def prompt_proposal(
    console: Console, pairing: Pairing, book: Rulebook | None = None
) -> Proposal:
    """Prompt for the game, the players, and what the game leaves open."""
    book = book or prompt_book(console)
    console.print(f"{book.title}: {book.describe()}\n")
    command = "host" if pairing is Pairing.HOST else "play"
    print_wrapped(console, f"{_OPTIONS} ninefold {command} --help")
    proposal = prompt_target(console, book)
    if pairing is Pairing.FRIEND:
        proposal = _prompt_name(console, proposal, "name", "Your")
        proposal = _prompt_name(console, proposal, "other_name", "Your friend's")
    elif pairing is Pairing.HOST:
        # Imported only here: it would delay every other game.
        from ninefold.online.join import request_for

        lessons = Lessons(hints=False)
        friend = replace(proposal, opponent=FRIEND, lessons=lessons)
        proposal = request_for(friend)
    elif pairing is Pairing.COMPUTER:
        proposal = replace(proposal, name=learner_name(console))
        _list_levels(console)
        level = _prompt_level(console, "Which level?")
        proposal = replace(proposal, opponent=level)
    else:
        _list_levels(console)
        one = _prompt_level(console, "Which level is Player 1?")
        two = _prompt_level(console, "Which level is Player 2?")
        proposal = replace(proposal, player=one, opponent=two)
    if "first" in book.settles:
        proposal = replace(proposal, first=_prompt_first(console, proposal))
    return proposal


def prompt_target(console: Console, book: Rulebook) -> Proposal:
    """Return a proposal of a game; prompt for the target if the game leaves it open."""
    proposal = Proposal(game=book.key, opponent=HERE)
    if "target" not in book.settles:
        return proposal
    read_target = _or_back(_read_field(proposal, "target"))
    return prompt_until_valid(console, book.ask_target(), read_target)


def prompt_until_valid(
    console: Console, question: str, read_answer: Callable[[str], T]
) -> T:
    """Prompt until ``read_answer`` accepts the answer."""
    while True:
        answer = console.prompt_line(question)
        try:
            return read_answer(answer)
        except NinefoldError as error:
            console.print(f"{sentence(error)}\n")


def prompt_or_back(
    console: Console, question: str, read_answer: Callable[[str], T]
) -> T:
    """Prompt until the answer is valid, or "back", which returns to the menu.

    ``question`` ends with an open bracket, which is closed here.
    """
    question = f"{question}, {_BACK}: the menu) "
    return prompt_until_valid(console, question, _or_back(read_answer))


def _or_back(read_answer: Callable[[str], T]) -> Callable[[str], T]:
    def read_or_leave(answer: str) -> T:
        if answer.lower() == _BACK:
            raise QuitRequested
        return read_answer(answer)

    return read_or_leave


def prompt_book(console: Console) -> Rulebook:
    """Print the games, and prompt for one of them."""
    books = [load(key) for key in KEYS]
    _print_list(console, [(book.title, book.describe()) for book in books])
    return prompt_or_back(console, "Which game? (Enter: 1", _read_book)


def _read_book(answer: str) -> Rulebook:
    if not answer:
        return load(KEYS[0])
    if is_digits(answer):
        return load(numbered(answer, KEYS, "game"))
    return find(answer)


def numbered(answer: str, choices: Sequence[str], kind: str) -> str:
    """Return the choice with this number in a list."""
    numbers = {str(n): choice for n, choice in enumerate(choices, start=1)}
    chosen = numbers.get(answer.lstrip("0"))
    if chosen is None:
        message = f"there is no {kind} {excerpt(answer)}; type 1 to {len(choices)}"
        raise NinefoldError(message)
    return chosen


def _prompt_name(
    console: Console, proposal: Proposal, field: str, whose: str
) -> Proposal:
    """Prompt for a name that differs from the other one; Enter takes the default."""
    usual = dict(zip(("name", "other_name"), proposal.setup(0).names, strict=True))

    def read_name(answer: str) -> Proposal:
        return _read_field(proposal, field)(answer) if answer else proposal

    question = f"{whose} name? (Enter: {usual[field]}"
    return prompt_or_back(console, question, read_name)


def _list_levels(console: Console) -> None:
    _print_list(console, [(level.name, level.character) for level in LEVELS.values()])


def _print_list(console: Console, choices: Sequence[tuple[str, str]]) -> None:
    """Print numbered choices with their meanings, beside them if there is room."""
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
    console.print("\n" + "".join(lines) + "\n")


def _prompt_level(console: Console, question: str) -> str:
    return prompt_or_back(console, f"{question} (Enter: 1", _read_level)


def _read_level(answer: str) -> str:
    if not answer:
        return next(iter(LEVELS))
    if is_digits(answer):
        return numbered(answer, tuple(LEVELS), "level")
    return match_prefix(answer, LEVELS, "a level")


def match_prefix(answer: str, choices: Collection[str], kind: str) -> str:
    """Return the only choice that starts with an answer."""
    fitting = [choice for choice in choices if choice.startswith(answer.lower())]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        message = f"'{excerpt(answer)}' could be {' or '.join(fitting)}; type more"
        raise NinefoldError(message)
    meant = did_you_mean(answer, choices) or "; type a number or a word from the list"
    message = f"'{excerpt(answer)}' is not {kind}{meant}"
    raise NinefoldError(message)


def _prompt_first(console: Console, proposal: Proposal) -> Seat | Literal["toss"]:
    one, two = proposal.setup(0).names
    meanings = {"": "1", one.lower(): "1", two.lower(): "2"}
    meanings |= {choice: choice for choice in FIRST_CHOICES}

    def read_first(answer: str) -> Seat | Literal["toss"]:
        first = meanings.get(answer.lower())
        if first is None:
            message = f"'{excerpt(answer)}' is not 1, 2 or toss; type one of these"
            raise NinefoldError(message)
        return FIRST_CHOICES[first]

    question = f"Who starts? 1 ({one}), 2 ({two}) or toss (Enter: 1"
    return prompt_or_back(console, question, read_first)
