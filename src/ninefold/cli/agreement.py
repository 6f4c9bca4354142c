"""What the players agree on before a game, from options and answers."""

from __future__ import annotations

import os

from ninefold.cli.books import named_book
from ninefold.entries import show_entry
from ninefold.errors import NinefoldError, RulesError
from ninefold.game import HUMAN, Seat
from ninefold.match import Length, Match, Starts, toss
from ninefold.numerals import is_plain, read
from ninefold.rules import Rules, parse_multipliers
from ninefold.values import Value, hold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random

    from ninefold.cli.console import Console
    from ninefold.rulebooks import Rulebook

_SEATS = {"1": Seat.ONE, "2": Seat.TWO}
FIRST_CHOICES = (*_SEATS, "toss")
GIVE_BACKS = 3
_LONGEST_NAME = 40
_BOTH_HUMAN = {Seat.ONE: HUMAN, Seat.TWO: HUMAN}


class Lessons(Value):
    """What a person learns by while playing."""

    __slots__ = __match_args__ = ("coach", "give_backs", "mental")
    coach: bool
    """Say when the win is given away, before it counts."""
    give_backs: int
    """How many such moves may be taken back, in each game."""
    mental: bool
    """Ask for each product before it is shown."""

    def __init__(
        self,
        coach: bool = False,  # noqa: FBT001, FBT002 - a field
        give_backs: int = GIVE_BACKS,
        mental: bool = False,  # noqa: FBT001, FBT002 - a field
    ) -> None:
        """Choose what to learn by."""
        hold(self, "coach", coach)
        hold(self, "give_backs", give_backs)
        hold(self, "mental", mental)


class Agreement(Value):
    """All that is settled when the first turn begins."""

    __slots__ = __match_args__ = (
        "book",
        "book_text",
        "match",
        "names",
        "players",
        "seed",
        "first_tossed",
        "lessons",
        "called",
        "retry",
    )
    book: Rulebook
    book_text: str | None
    """The whole file of a person's own rule book; None for one of the five."""
    match: Match
    """The match, no game of it played."""
    names: dict[Seat, str]
    players: dict[Seat, str]
    """Who answers for each seat: ``human``, or a level's name."""
    seed: int
    """Where everything left to chance comes from."""
    first_tossed: bool
    """Whether a toss decided who starts the first game."""
    lessons: Lessons
    called: str
    """What the players called the game: a key, a part of one, or a file."""
    retry: bool
    """Whether this is another try at a game that was played before."""

    def __init__(  # noqa: PLR0913, PLR0917 - all of this is agreed on
        self,
        book: Rulebook,
        book_text: str | None,
        match: Match,
        names: dict[Seat, str],
        players: dict[Seat, str],
        seed: int,
        first_tossed: bool,  # noqa: FBT001 - a field
        lessons: Lessons,
        called: str,
        retry: bool = False,  # noqa: FBT001, FBT002 - a field
    ) -> None:
        """Take what was agreed."""
        hold(self, "book", book)
        hold(self, "book_text", book_text)
        hold(self, "match", match)
        hold(self, "names", names)
        hold(self, "players", players)
        hold(self, "seed", seed)
        hold(self, "first_tossed", first_tossed)
        hold(self, "lessons", lessons)
        hold(self, "called", called)
        hold(self, "retry", retry)

    def is_tossed(self, match: Match) -> bool:
        """Whether a toss decides who starts the next game of the match."""
        if not match.games:
            return self.first_tossed
        return match.starts is Starts.TOSS

    def is_human(self, seat: Seat) -> bool:
        """Whether a person answers for a seat."""
        return self.players[seat] == HUMAN

    @property
    def has_computer(self) -> bool:
        """Whether any seat is the computer's."""
        return not all(map(self.is_human, Seat))

    def chance(self, *purpose: object) -> Random:
        """Return the chance for one purpose: the same each time it is asked for."""
        return _chance(self.seed, *purpose)


def agree(  # noqa: PLR0913 - one argument for each thing that can be agreed on
    console: Console,
    game: str,
    *,
    target: str | None = None,
    multipliers: str | None = None,
    start: str | None = None,
    first: str = FIRST_CHOICES[0],
    length: Length | None = None,
    starts: Starts = Starts.ALTERNATE,
    name1: str = str(Seat.ONE),
    name2: str = str(Seat.TWO),
    players: Mapping[Seat, str] = _BOTH_HUMAN,
    seed: int | None = None,
    lessons: Lessons | None = None,
) -> Agreement:
    """Settle everything, asking only for a target that the rule book leaves open."""
    book, text = named_book(game)
    rules = vary(book.rules, target=target, multipliers=multipliers, start=start)
    names = checked_names(name1, name2)
    if target is None and "target" in book.settles and console.interactive:
        rules = ask_target(console, book, rules)
    if seed is None:
        seed = new_seed()
    tossed = first == "toss"
    seat = toss(_chance(seed, "first")) if tossed else _SEATS[first]
    return Agreement(
        book=book,
        book_text=text,
        match=Match(rules, length or Length.best_of(1), starts, (), seat),
        names=names,
        players=dict(players),
        seed=seed,
        first_tossed=tossed,
        lessons=lessons or Lessons(),
        called=game,
    )


def new_seed() -> int:
    """Return a seed that nobody chose."""
    return int.from_bytes(os.urandom(4))


def vary(
    rules: Rules,
    *,
    target: str | None = None,
    multipliers: str | None = None,
    start: str | None = None,
) -> Rules:
    """Return rules with what a person wrote in place of what the rule book says."""
    return Rules(
        rules.ending,
        rules.target if target is None else read_whole("target", target),
        rules.multipliers if multipliers is None else parse_multipliers(multipliers),
        rules.start if start is None else read_whole("start", start),
    )


def ask_target(console: Console, book: Rulebook, rules: Rules) -> Rules:
    """Ask for the target until the answer makes a game; Enter takes the usual one."""
    while True:
        answer = console.ask(book.ask_target())
        try:
            return vary(rules, target=answer or None)
        except RulesError as error:
            console.say(sentence(str(error)))


def sentence(error: str) -> str:
    """Make a line for the screen of an error's message."""
    return f"{error[:1].upper()}{error[1:]}.\n"


def read_whole(name: str, text: str) -> int:
    """Read a whole number that a person wrote for something with this name."""
    text = text.strip()
    if not is_plain(text):
        message = (
            f"the {name} must be a whole number in plain digits, such as 100;"
            f" '{show_entry(text)}' is not"
        )
        raise RulesError(message)
    return read(text)


def checked_names(name1: str, name2: str) -> dict[Seat, str]:
    """Return what to call each player; refuse names that would confuse them."""
    names = {Seat.ONE: name1.strip(), Seat.TWO: name2.strip()}
    for name in names.values():
        if not 1 <= len(name) <= _LONGEST_NAME or not name.isprintable():
            message = f"a name has 1 to {_LONGEST_NAME} printable characters"
            raise NinefoldError(message)
    if names[Seat.ONE] == names[Seat.TWO]:
        message = f"both players are called {name}; give them different names"
        raise NinefoldError(message)
    return names


def _chance(seed: int, *purpose: object) -> Random:
    from random import Random

    words = "/".join(str(part) for part in (seed, *purpose))
    return Random(words)  # noqa: S311 - a toss between friends, not a secret
