"""Options, arguments and their types that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from difflib import get_close_matches
from functools import wraps
from ipaddress import ip_network
from math import isfinite
from pathlib import Path
from typing import TypeVar

import click
from click.shell_completion import CompletionItem

from ninefold.cli.files import find_book
from ninefold.match import Length, Starts
from ninefold.rulebooks import KEYS
from ninefold.rules import vary
from ninefold.text import excerpt

_F = TypeVar("_F", bound="Callable[..., object]")
_LONGEST_NUMBER = len(str(-(2**63)))
_ALIKE = 0.6
"""How much a word must have in common with another to be taken for a slip of it."""


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """Ask whether the closest of some words was meant; nothing where none is close.

    >>> did_you_mean("plannr", ["planner", "perfect"])
    '; did you mean planner?'
    """
    closest = get_close_matches(word.lower(), words, n=1, cutoff=_ALIKE)
    return f"; did you mean {closest[0]}?" if closest else ""


class _GameName(click.ParamType[str]):
    """A game by its key or by a file; the shell completes both."""

    name = "game"

    def shell_complete(
        self,
        ctx: click.Context,
        param: click.Parameter,
        incomplete: str,
    ) -> list[CompletionItem]:
        keys = [key for key in KEYS if key.startswith(incomplete)]
        if not keys:
            return complete_file(ctx, param, incomplete)
        # Shells complete file names or take a list, not both: so files are listed.
        files = sorted(file.name for file in Path().glob("*.toml"))
        files = [file for file in files if file.startswith(incomplete)]
        return [CompletionItem(name) for name in (*keys, *files)]


GAME = _GameName()


def complete_file(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Let the shell complete file names."""
    return click.Path().shell_complete(context, parameter, incomplete)


class OneOf(click.Choice[str]):
    """One of a few words; a slip is answered with the word that is close to it."""

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        """Take the word as it is; refuse any other."""
        if value not in self.choices:
            words = ", ".join(self.choices)
            meant = did_you_mean(value, self.choices)
            self.fail(f"'{excerpt(value)}' is none of {words}{meant}", param, ctx)
        return value


class WholeNumber(click.ParamType[int]):
    """A whole number; one too long to be worth repeating is quoted in part.

    It is no ``IntRange`` itself, because help shows the bounds of those.
    """

    name = "whole number"

    def __init__(self, low: int | None = None, high: int | None = None) -> None:
        """Take the bounds, if there are any."""
        self._range = click.IntRange(low, high)

    def convert(
        self, value: int, param: click.Parameter | None, ctx: click.Context | None
    ) -> int:
        """Convert digits; refuse numbers out of range."""
        digits = str(value)
        if len(digits) > _LONGEST_NUMBER:
            self.fail(f"'{excerpt(digits)}' is too long a number.", param, ctx)
        return int(self._range.convert(value, param, ctx))


class Address(click.ParamType[str]):
    """The address of a machine or of a network, in numbers."""

    name = "address"

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        """Take an address as it is; refuse a name, which nobody would compare."""
        try:
            ip_network(value)
        except ValueError:
            example = "write one such as 127.0.0.1 or 10.0.0.0/8"
            self.fail(f"'{excerpt(value)}' is no address; {example}", param, ctx)
        return value


SEED = WholeNumber(-(2**63 - 1), 2**63 - 1)
PORT = WholeNumber(0, 65_535)


class _Seconds(click.FloatRange):
    """A time that can be waited for: not a number is no time."""

    def convert(
        self, value: float, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        seconds = float(super().convert(value, param, ctx))
        if not isfinite(seconds):
            self.fail(f"{value} is no number of seconds.", param, ctx)
        return seconds


pace_option = click.option(
    "--pace",
    type=_Seconds(0, 60),
    metavar="SECONDS",
    help="How long the computer takes a move.  [default: 0.8; piped, 0]",
)


json_option = click.option(
    "--json", "as_json", is_flag=True, help="As JSON, for programs."
)
csv_option = click.option(
    "--csv", "as_csv", is_flag=True, help="As CSV, for a spreadsheet."
)


def refuse_two_forms(one: str, other: str, *, both: bool) -> None:
    """Refuse a command line with two options that each choose a form of the answer."""
    if both:
        message = f"{one} and {other} are two ways to answer; give one of them."
        raise click.UsageError(message)


def answer_options(function: _F) -> _F:
    """Add the options that say how an answer is given."""
    for option in (
        json_option,
        click.option("--full", is_flag=True, help="Give the whole chain of reasons."),
    ):
        function = option(function)
    return function


def varied_game(function: Callable[..., None]) -> Callable[..., None]:
    """Add GAME and the options that vary its rules.

    The command is given ``book``, the rule book, and ``rules``, as they are varied.
    """

    @wraps(function)
    def command(
        *,
        game: str,
        target: str | None,
        multipliers: str | None,
        start: str | None,
        **others: object,
    ) -> None:
        book = find_book(game)
        rules = vary(book.rules, target=target, multipliers=multipliers, start=start)
        function(book=book, rules=rules, **others)

    return click.argument("game", type=GAME)(rules_options(command))


def rules_options(function: _F) -> _F:
    """Add the options that vary a rule book's rules."""
    for option in (
        click.option("--start", metavar="N", help="Start the total at N."),
        click.option(
            "--multipliers", metavar="SET", help="Allow only these: 2-5, or 2,3,5,7."
        ),
        click.option("--target", metavar="N", help="Play to another target."),
    ):
        function = option(function)
    return function


def length_options(function: Callable[..., None]) -> Callable[..., None]:
    """Add the options that set how long a match is, and who starts its games.

    The command is given ``length``, None where nothing is said of it, and ``starts``.
    """

    @wraps(function)
    def command(
        *arguments: object,
        best_of: int | None,
        first_to: int | None,
        games: int | None,
        starts: str | None,
        **others: object,
    ) -> None:
        length = _length(best_of, first_to, games)
        if starts is not None and length is None:
            message = "--starts is for matches; give --best-of, --first-to or --games."
            raise click.UsageError(message)
        function(*arguments, length=length, starts=starts, **others)

    for option in (
        click.option(
            "--starts",
            type=OneOf([starts.value for starts in Starts]),
            help="Who starts the later games of a match.  [default: alternate]",
        ),
        click.option(
            "--games",
            type=WholeNumber(),
            metavar="N",
            help="Play a match of exactly N games, which may end level.",
        ),
        click.option(
            "--first-to",
            type=WholeNumber(),
            metavar="K",
            help="Play a match until someone has K wins.",
        ),
        click.option(
            "--best-of",
            type=WholeNumber(),
            metavar="N",
            help="Play a match of at most N games, N odd.",
        ),
    ):
        command = option(command)
    return command


def _length(
    best_of: int | None, first_to: int | None, games: int | None
) -> Length | None:
    given = [
        make(number)
        for make, number in (
            (Length.best_of, best_of),
            (Length.first_to, first_to),
            (Length.games, games),
        )
        if number is not None
    ]
    if len(given) > 1:
        message = "--best-of, --first-to and --games set the length alike; give one."
        raise click.UsageError(message)
    return given[0] if given else None
