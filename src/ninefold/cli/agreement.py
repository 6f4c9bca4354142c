"""What the players agree on before a game, from options and answers."""

from __future__ import annotations

from ninefold.cli.books import find_book
from ninefold.entries import show_entry
from ninefold.errors import NinefoldError, RulesError
from ninefold.game import Seat
from ninefold.match import Length, Match, Starts, toss
from ninefold.numerals import is_plain, read
from ninefold.rules import Rules, parse_multipliers
from ninefold.values import Value, hold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from random import Random

    from ninefold.cli.console import Console
    from ninefold.rulebooks import Rulebook

_SEATS = {"1": Seat.ONE, "2": Seat.TWO}
FIRST_CHOICES = (*_SEATS, "toss")
_LONGEST_NAME = 40


class Agreement(Value):
    """All that is settled when the first turn begins."""

    __slots__ = __match_args__ = ("book", "match", "names", "rng", "first_tossed")
    book: Rulebook
    match: Match
    """The match, no game of it played."""
    names: dict[Seat, str]
    rng: Random | None
    """Where tosses come from; None where nothing is left to chance."""
    first_tossed: bool
    """Whether a toss decided who starts the first game."""

    def __init__(
        self,
        book: Rulebook,
        match: Match,
        names: dict[Seat, str],
        rng: Random | None = None,
        first_tossed: bool = False,  # noqa: FBT001, FBT002 - a field
    ) -> None:
        """Take what was agreed."""
        hold(self, "book", book)
        hold(self, "match", match)
        hold(self, "names", names)
        hold(self, "rng", rng)
        hold(self, "first_tossed", first_tossed)

    def is_tossed(self, match: Match) -> bool:
        """Whether a toss decides who starts the next game of the match."""
        return match.starts is Starts.TOSS or (self.first_tossed and not match.games)


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
    seed: int | None = None,
) -> Agreement:
    """Settle everything, asking only for a target that the rule book leaves open."""
    book = find_book(game)
    rules = vary(book.rules, target=target, multipliers=multipliers, start=start)
    names = checked_names(name1, name2)
    if target is None and "target" in book.settles and console.interactive:
        rules = ask_target(console, book, rules)
    length = length or Length.best_of(1)
    rng = _random(seed) if "toss" in (first, starts.value) else None
    tossed = rng is not None and first == "toss"
    seat = toss(rng) if rng is not None and tossed else _SEATS.get(first, Seat.ONE)
    return Agreement(book, Match(rules, length, starts, (), seat), names, rng, tossed)


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


def _random(seed: int | None) -> Random:
    from random import Random

    return Random(seed)  # noqa: S311 - a toss between friends, not a secret
