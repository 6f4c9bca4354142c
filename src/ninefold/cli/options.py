"""Options, arguments and their types that several commands share."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from functools import partial, wraps
from ipaddress import ip_network
from math import isfinite
from pathlib import Path
from typing import Literal, TypeVar

import click
from click.shell_completion import CompletionItem
from msgspec.structs import replace

from ninefold.cli.console import UnreadableInput, read_file
from ninefold.errors import RulebookError
from ninefold.game import Seat
from ninefold.match import LengthKind, StartRule
from ninefold.notation.record_json import is_key
from ninefold.rulebooks import KEYS, Rulebook, find, load, parse
from ninefold.rules import vary
from ninefold.session import HERE, TOSS, Proposal, ProposedLength, Setup
from ninefold.text import excerpt

_F = TypeVar("_F", bound="Callable[..., object]")
FIRST_CHOICES: dict[str, Seat | Literal["toss"]] = {
    "1": Seat.ONE,
    "2": Seat.TWO,
    TOSS: TOSS,
}
_RULES = ("target", "multipliers", "start")
_SEVERAL_LENGTHS = "use only one of --best-of, --first-to and --games."
_NO_MATCH = "--starts needs --best-of, --first-to or --games."
_LONGEST_NUMBER = len(str(-(2**63)))
_LARGEST_BOOK = 1_000_000
"""Bytes."""
_ALIKE = 0.6
"""The least similarity at which a word is suggested for a mistyped one."""


def command(
    *examples: str, after: str = ""
) -> Callable[[Callable[..., None]], click.Command]:
    """Decorate a function as a command; help ends with examples and ``after``."""
    lines = "".join(f"  ninefold {example}\n" for example in examples)
    return click.command(epilog=f"\b\nExamples:\n{lines}\n{after}")


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """Suggest the closest of some words; return an empty text if none is close.

    >>> did_you_mean("plannr", ["planner", "perfect"])
    '; did you mean planner?'
    """
    closest = get_close_matches(word.lower(), words, n=1, cutoff=_ALIKE)
    return f"; did you mean {closest[0]}?" if closest else ""


def find_book(name: str) -> Rulebook:
    """Find a rule book by its key, a part of the key, or its file."""
    return named_book(name)[0]


def named_book(name: str) -> tuple[Rulebook, str | None]:
    """Find a rule book; return it with the text of its file, or None if built in."""
    if not name.endswith(".toml") and os.sep not in name:
        return find(name), None
    path = Path(name)
    try:
        text = read_file(path, _LARGEST_BOOK)
    except UnreadableInput as error:
        raise RulebookError(name, "", str(error)) from None
    key = path.stem.lower()
    return parse(text, key=key if is_key(key) else "own", source=name), text


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

    @property
    def _words(self) -> str:
        return ", ".join(self.choices)

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        if value not in self.choices:
            meant = did_you_mean(value, self.choices)
            message = f"'{excerpt(value)}' is not one of {self._words}{meant}"
            self.fail(message, param, ctx)
        return value

    def get_missing_message(
        self, param: click.Parameter, ctx: click.Context | None
    ) -> str:
        return f"Choose one of {self._words}."


class WholeNumber(click.ParamType[int]):
    """A whole number within bounds; errors truncate long input."""

    name = "whole number"

    def __init__(self, low: int | None = None, high: int | None = None) -> None:
        self._low, self._high = low, high

    def convert(
        self, value: int, param: click.Parameter | None, ctx: click.Context | None
    ) -> int:
        digits = str(value)
        if len(digits) > _LONGEST_NUMBER:
            self.fail(f"'{excerpt(digits)}' is too long a number.", param, ctx)
        if not digits.removeprefix("-").isdecimal():
            self.fail(f"'{excerpt(digits)}' is not a whole number.", param, ctx)
        number = int(digits)
        if self._low is not None and number < self._low:
            self.fail(
                f"{number} is too small; the smallest is {self._low:,}.", param, ctx
            )
        if self._high is not None and number > self._high:
            self.fail(
                f"{number} is too large; the largest is {self._high:,}.", param, ctx
            )
        return number


class Address(click.ParamType[str]):
    """The IP address of a machine or a network; names are rejected."""

    name = "address"

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        try:
            ip_network(value)
        except ValueError:
            example = "use one such as 127.0.0.1 or 10.0.0.0/8"
            self.fail(f"'{excerpt(value)}' is not an address; {example}", param, ctx)
        return value


SEED = WholeNumber(-(2**63 - 1), 2**63 - 1)
PORT = WholeNumber(0, 65_535)


class _Seconds(click.FloatRange):
    """A duration; NaN, which click accepts, is rejected."""

    def convert(
        self, value: float, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        seconds = float(super().convert(value, param, ctx))
        if not isfinite(seconds):
            self.fail(f"{value} is not a number of seconds.", param, ctx)
        return seconds


pace_option = click.option(
    "--pace",
    type=_Seconds(0, 60),
    metavar="SECONDS",
    help="Time that the computer takes for a move.  [default: 0.8; piped, 0]",
)


json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print JSON, for programs."
)
csv_option = click.option(
    "--csv", "as_csv", is_flag=True, help="Print CSV, for a spreadsheet."
)


def learner_option(purpose: str) -> Callable[[_F], _F]:
    """Add ``--learner``; blanks around the name are ignored."""

    def strip(_context: click.Context, _option: click.Parameter, name: str) -> str:
        return name and name.strip()

    return click.option("--learner", metavar="NAME", callback=strip, help=purpose)


def svg_option(purpose: str) -> Callable[[_F], _F]:
    """Add ``--svg``, which names the file of a picture."""
    file = click.Path(dir_okay=False, path_type=Path)
    return click.option("--svg", type=file, metavar="FILE", help=purpose)


def refuse_two_forms(one: str, other: str, *, both: bool) -> None:
    """Raise a usage error if two options for the form of the output are given."""
    if both:
        message = f"use either {one} or {other}, not both."
        raise click.UsageError(message)


def _together(*options: Callable[[_F], _F]) -> Callable[[_F], _F]:
    """Combine decorators into one; help lists their options in this order."""

    def decorate(function: _F) -> _F:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def _count(option: str, metavar: str, purpose: str) -> Callable[[_F], _F]:
    return click.option(option, type=WholeNumber(), metavar=metavar, help=purpose)


answer_options = _together(
    click.option("--full", is_flag=True, help="Show the whole chain of reasons."),
    json_option,
)
_PLAY_TO = "Play to another target."
_ASK_ABOUT = "Use another target than the game's own."


def _variations(target: str) -> Callable[[_F], _F]:
    """Add the options that vary a game's rules; ``target`` is the help of --target."""
    return _together(
        click.option("--target", metavar="N", help=target),
        click.option(
            "--multipliers", metavar="SET", help="Allow only these: 2-5, or 2,3,5,7."
        ),
        click.option("--start", metavar="N", help="Start the total at N."),
    )


def _game_options(target: str) -> Callable[[_F], _F]:
    return _together(click.argument("game", type=GAME), _variations(target))


_length_options = _together(
    _count("--best-of", "N", "Play a match of at most N games, N odd."),
    _count("--first-to", "K", "Play a match until one player has won K games."),
    _count("--games", "N", "Play a match of exactly N games, which may end level."),
    click.option(
        "--starts",
        type=OneOf([starts.value for starts in StartRule]),
        help="Who starts the later games of a match.  [default: alternate]",
    ),
)


def varied_setup(
    function: Callable[..., None], target_help: str = _PLAY_TO
) -> Callable[..., None]:
    """Add GAME, --target, --multipliers and --start.

    The command gets them as ``setup``: a rule book and its varied rules.
    """

    @wraps(function)
    def wrapped(
        *,
        game: str,
        target: str | None,
        multipliers: str | None,
        start: str | None,
        **others: object,
    ) -> None:
        book, text = named_book(game)
        rules = vary(book.rules, target=target, multipliers=multipliers, start=start)
        setup = Setup(rules=rules, book=book.key, book_text=text)
        function(setup=setup, **others)

    return _game_options(target_help)(wrapped)


def varied_game(
    function: Callable[..., None], target_help: str = _ASK_ABOUT
) -> Callable[..., None]:
    """Add the options of ``varied_setup``, and pass them as ``book`` and ``rules``."""

    @wraps(function)
    def wrapped(*, setup: Setup, **others: object) -> None:
        function(book=setup.rulebook(), rules=setup.rules, **others)

    return varied_setup(wrapped, target_help)


def varied_games(function: Callable[..., None]) -> Callable[..., None]:
    """Add the options of ``varied_setup`` with an optional GAME; without it, all five.

    The command gets them as ``varied``: each rule book with its varied rules.
    """

    @wraps(function)
    def wrapped(
        *,
        game: str | None,
        target: str | None,
        multipliers: str | None,
        start: str | None,
        **others: object,
    ) -> None:
        books = map(load, KEYS) if game is None else [find_book(game)]
        rules = partial(vary, target=target, multipliers=multipliers, start=start)
        function(varied=[(book, rules(book.rules)) for book in books], **others)

    game_argument = click.argument("game", type=GAME, required=False)
    return _together(game_argument, _variations(_ASK_ABOUT))(wrapped)


def _length(
    counts: dict[LengthKind, int | None], starts: StartRule | None
) -> ProposedLength | None:
    """Return the length of a match, or None for a single game."""
    given = [ProposedLength(count, n) for count, n in counts.items() if n is not None]
    if len(given) > 1:
        raise click.UsageError(_SEVERAL_LENGTHS)
    if starts is not None and not given:
        raise click.UsageError(_NO_MATCH)
    return given[0] if given else None


def match_options(
    who_starts: str,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Add GAME and the options of a match; the command gets them as ``proposal``.

    ``who_starts`` is the help of --first.
    """
    add = _together(
        _game_options(_PLAY_TO),
        click.option(
            "--first",
            type=OneOf([*FIRST_CHOICES]),
            default="1",
            help=f"{who_starts}  [default: 1]",
        ),
        _length_options,
    )

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        @wraps(function)
        def wrapped(
            *,
            game: str,
            first: str,
            best_of: int | None,
            first_to: int | None,
            games: int | None,
            starts: str | None,
            **given: object,
        ) -> None:
            book, text = named_book(game)
            counts = {
                LengthKind.BEST_OF: best_of,
                LengthKind.FIRST_TO: first_to,
                LengthKind.GAMES: games,
            }
            later = None if starts is None else StartRule(starts)
            rules = {name: given.pop(name) for name in _RULES}
            proposal = Proposal(
                game=book.key,
                book_text=text,
                length=_length(counts, later),
                first=FIRST_CHOICES[first],
                starts=later or StartRule.ALTERNATE,
                opponent=HERE,
            )
            function(proposal=replace(proposal, **rules), **given)

        return add(wrapped)

    return decorate
