"""Options, arguments and their types that several commands share.

Of several options, the last one decorated is listed first in help.
"""

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
"""The least similarity at which a word is taken for another, mistyped."""


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """Suggest the closest of some words; return an empty text if none is close.

    >>> did_you_mean("plannr", ["planner", "perfect"])
    '; did you mean planner?'
    """
    closest = get_close_matches(word.lower(), words, n=1, cutoff=_ALIKE)
    return f"; did you mean {closest[0]}?" if closest else ""


class _GameName(click.ParamType[str]):
    """A game by its key or its file; the shell completes both."""

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
    """Complete file names, for click's ``shell_complete``."""
    return click.Path().shell_complete(context, parameter, incomplete)


class OneOf(click.Choice[str]):
    """One of a few words; the error for any other suggests the closest."""

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        if value not in self.choices:
            words = ", ".join(self.choices)
            meant = did_you_mean(value, self.choices)
            self.fail(f"'{excerpt(value)}' is not one of {words}{meant}", param, ctx)
        return value


class WholeNumber(click.ParamType[int]):
    """A whole number; errors truncate long input.

    Not a subclass of ``IntRange``, whose bounds help would show.
    """

    name = "whole number"

    def __init__(self, low: int | None = None, high: int | None = None) -> None:
        self._range = click.IntRange(low, high)

    def convert(
        self, value: int, param: click.Parameter | None, ctx: click.Context | None
    ) -> int:
        digits = str(value)
        if len(digits) > _LONGEST_NUMBER:
            self.fail(f"'{excerpt(digits)}' is too long a number.", param, ctx)
        return int(self._range.convert(value, param, ctx))


class Address(click.ParamType[str]):
    """The IP address of a machine or a network; names are refused."""

    name = "address"

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        try:
            ip_network(value)
        except ValueError:
            example = "write one such as 127.0.0.1 or 10.0.0.0/8"
            self.fail(f"'{excerpt(value)}' is no address; {example}", param, ctx)
        return value


SEED = WholeNumber(-(2**63 - 1), 2**63 - 1)
PORT = WholeNumber(0, 65_535)


class _Seconds(click.FloatRange):
    """A duration; NaN, which click lets pass, is refused."""

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
    """Add --full and --json."""
    for option in (
        json_option,
        click.option("--full", is_flag=True, help="Give the whole chain of reasons."),
    ):
        function = option(function)
    return function


def varied_game(function: Callable[..., None]) -> Callable[..., None]:
    """Add GAME, --target, --multipliers and --start.

    They are passed to the command as ``book`` and the varied ``rules``.
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
    """Add --target, --multipliers and --start."""
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
    """Add --best-of, --first-to, --games and --starts.

    They are passed to the command as ``length`` and ``starts``, None if not given.
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
