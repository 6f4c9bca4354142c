"""A proposal: a match as a person describes it, which becomes a setup."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from ninefold.errors import NinefoldError, ProposalError
from ninefold.game import Seat
from ninefold.levels import HUMAN, LEVELS
from ninefold.match import SINGLE_GAME, Length, LengthKind, StartRule, toss
from ninefold.rulebooks import Rulebook, find
from ninefold.rules import (
    Rules,
    check_multipliers,
    check_start,
    parse_multipliers,
    parse_number,
)
from ninefold.session.coach_settings import Lessons
from ninefold.session.setup import (
    Setup,
    check_level,
    check_name,
    check_names,
    check_own_book,
    parse_own_book,
)

FRIEND = "friend"
"""The opponent joins by a link."""
HERE = "here"
"""The opponent plays at the same keyboard."""
TOSS: Literal["toss"] = "toss"
_USUAL_GAMES = 3


class ProposedLength(Struct, frozen=True, forbid_unknown_fields=True):
    """The length of a match, with the number as a person typed it."""

    count: LengthKind
    number: int | str

    def length(self) -> Length:
        """Return the length; raise an error if no match can have it."""
        return Length(self.count, _number(self.number, "number of games", _USUAL_GAMES))


class Proposal(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A match as a person describes it: numbers as typed, most fields optional.

    >>> Proposal(game="duel", opponent="expert", target="1,000").setup(0).names
    ('Player 1', 'Expert')
    >>> Proposal(game="duel", opponent=HERE, target="ten").setup(0)
    Traceback (most recent call last):
    ninefold.errors.ProposalError: the target must be a whole number in plain digits, \
such as 100; 'ten' is not
    """

    game: str
    """The key of one of the five, or a part that fits only one."""
    book_text: str | None = None
    """The text of a person's own rule book, with ``game`` as its key."""
    target: int | str | None = None
    """None for the rule book's own, as for the next two."""
    multipliers: tuple[int, ...] | str | None = None
    start: int | str | None = None
    length: ProposedLength | None = None
    """None for a single game."""
    first: Seat | Literal["toss"] = Seat.ONE
    """Who starts the first game."""
    starts: StartRule = StartRule.ALTERNATE
    player: str = HUMAN
    """Who plays seat 1: ``human`` or a level."""
    opponent: str
    """Who plays seat 2: ``friend``, ``here`` or a level."""
    lessons: Lessons = Lessons()
    name: str | None = None
    """The name of seat 1; None for that of the level, the bot or the seat."""
    other_name: str | None = None
    """The name of seat 2, likewise."""

    def setup(self, seed: int, bots: Mapping[Seat, str] | None = None) -> Setup:
        """Return the setup; a ``ProposalError`` names the field that prevents one.

        ``bots`` are the names of the bots that play seats in place of people.
        """
        book = self.rulebook()
        with _problem_at("length"):
            length = SINGLE_GAME if self.length is None else self.length.length()
        levels = self._levels()
        setup = Setup(
            rules=self._rules(book.rules),
            length=length,
            starts=self.starts,
            first_tossed=self.first == TOSS,
            names=self._names(levels, bots or {}),
            levels=levels,
            bots=tuple(bots or ()),
            book=book.key,
            book_text=self.book_text,
            seed=seed,
            lessons=self.lessons,
            all_seated=self.opponent != FRIEND,
        )
        setup.check()
        first = toss(setup.rng("first")) if self.first == TOSS else self.first
        return replace(setup, first=first)

    def rulebook(self) -> Rulebook:
        """Return the rule book of the game."""
        with _problem_at("game"):
            if self.book_text is None:
                return find(self.game)
            check_own_book(self.game, self.book_text)
            return parse_own_book(self.game, self.book_text)

    def _rules(self, usual: Rules) -> Rules:
        target, multipliers, start = usual.target, usual.multipliers, usual.start
        with _problem_at("multipliers"):
            if isinstance(self.multipliers, str):
                multipliers = parse_multipliers(self.multipliers)
            elif self.multipliers is not None:
                multipliers = check_multipliers(self.multipliers)
        with _problem_at("start"):
            if self.start is not None:
                start = _number(self.start, "start", start)
                check_start(start)
        with _problem_at("target"):
            if self.target is not None:
                target = _number(self.target, "target", target)
        # The only error left is a target that is not above the start.
        with _problem_at("start" if self.target is None else "target"):
            return Rules(usual.ending, target, multipliers, start)

    def _levels(self) -> tuple[str | None, str | None]:
        one = None if self.player == HUMAN else self.player
        two = None if self.opponent in (FRIEND, HERE) else self.opponent
        with _problem_at("player"):
            check_level(one)
        with _problem_at("opponent"):
            check_level(two)
        return one, two

    def _names(
        self, levels: tuple[str | None, str | None], bots: Mapping[Seat, str]
    ) -> tuple[str, str]:
        """Return the names; if they are equal, number those of programs and free seats.

        Whoever takes a free seat brings a name of their own.
        """
        usual = [
            bots.get(seat, str(seat)) if level is None else LEVELS[level].title
            for seat, level in zip(Seat, levels, strict=True)
        ]
        people = {seat for seat in Seat if levels[seat.value - 1] is None} - set(bots)
        if self.opponent == FRIEND:
            people.discard(Seat.TWO)
        with _problem_at("name"):
            one = usual[0] if self.name is None else self.read_name(self.name)
        other = self.other_name
        with _problem_at("other_name"):
            two = usual[1] if other is None else self.read_name(other)
        if one == two:
            one += "" if self.name or Seat.ONE in people else " 1"
            two += "" if other or Seat.TWO in people else " 2"
        with _problem_at("name" if other is None else "other_name"):
            check_names(one, two)
        return one, two

    def read_name(self, given: str) -> str:
        """Return a name without blanks around it; raise ``SetupError`` if invalid."""
        name = given.strip()
        check_name(name)
        return name


def _number(given: int | str, name: str, example: int) -> int:
    return parse_number(given, name, example) if isinstance(given, str) else given


@contextmanager
def _problem_at(field: str) -> Iterator[None]:
    """Turn an error into a ``ProposalError`` that names the field."""
    try:
        yield
    except NinefoldError as error:
        raise ProposalError(field, str(error)) from None
