"""The setup: what the players agree on before a match, as it is stored and sent."""

from __future__ import annotations

import re
from random import Random
from unicodedata import category, normalize

from msgspec import Struct
from msgspec.structs import replace

from ninefold.errors import SetupError
from ninefold.game import Seat
from ninefold.levels import BOT, HUMAN, LEVELS
from ninefold.match import SINGLE_GAME, Length, Match, StartRule
from ninefold.notation.record_json import is_key
from ninefold.rulebooks import Rulebook, load, parse
from ninefold.rules import Rules
from ninefold.session.coach_settings import Lessons
from ninefold.text import excerpt, is_shown, without_joiners

LONGEST_NAME = 24
LARGEST_SEED = 2**63 - 1
_REFUSED = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
"""Not in names: control, format, bidirectional, unassigned and private characters."""
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters, marks and signs that are invisible."""
_DROPPED = dict.fromkeys([*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)])
"""Variation selectors, such as for a heart's colour; they are invisible."""
_STACKED = re.compile("^M|MMMM")
"""Marks without a letter, or so many on one letter that they cover other lines."""


class Setup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rules, the length, the players and the lessons of a match."""

    rules: Rules
    length: Length = SINGLE_GAME
    starts: StartRule = StartRule.ALTERNATE
    """Who starts the later games."""
    first: Seat = Seat.ONE
    """Who starts the first game."""
    first_tossed: bool = False
    """Whether a toss decided who starts it."""
    names: tuple[str, str] = (str(Seat.ONE), str(Seat.TWO))
    levels: tuple[str | None, str | None] = (None, None)
    """The level that plays each seat; None for a person or a bot."""
    bots: tuple[Seat, ...] = ()
    """The seats that bots play in place of people; their command lines are secret."""
    book: str = ""
    """The rule book's key."""
    book_text: str | None = None
    """The text of a person's own rule book; None for one of the five."""
    seed: int | None = 0
    """The seed of all random choices; None if only the server of the match knows it."""
    lessons: Lessons = Lessons()
    all_seated: bool = True
    """Whether both seats are taken from the start; else people join by ``Sit``."""

    def check(self) -> None:
        """Raise ``SetupError`` if the setup cannot be played."""
        check_names(*self.names)
        for level in self.levels:
            check_level(level)
        if any(self.level(seat) for seat in self.bots):
            message = "a seat has either a level or a bot; choose one of them"
            raise SetupError(message)
        if self.seed is not None and abs(self.seed) > LARGEST_SEED:
            message = f"a seed is a whole number up to {LARGEST_SEED}; choose another"
            raise SetupError(message)
        if self.book_text is not None:
            check_own_book(self.book, self.book_text)
        if self.rulebook().rules.ending is not self.rules.ending:
            message = (
                f"these rules end with '{self.rules.ending.value}', but the rule book"
                f" '{excerpt(self.book)}' does not; choose another rule book"
            )
            raise SetupError(message)

    def at_home(self, first: Seat, seed: int) -> Setup:
        """Return the setup for replaying a game of this match at one keyboard.

        ``seed`` is the seed if only the match's server knows its own.
        """
        seed = seed if self.seed is None else self.seed
        return replace(self, first=first, all_seated=True, seed=seed)

    def rulebook(self) -> Rulebook:
        """Return the rule book of the match."""
        if self.book_text is None:
            return load(self.book)
        return parse_own_book(self.book, self.book_text)

    def match(self) -> Match:
        """Return the match before its first game."""
        return Match(self.rules, self.length, self.starts, self.first)

    def name(self, seat: Seat) -> str:
        """Return the name of a seat."""
        return self.names[seat.value - 1]

    def level(self, seat: Seat) -> str | None:
        """Return the level that plays a seat; None for a person or a bot."""
        return self.levels[seat.value - 1]

    def is_person(self, seat: Seat) -> bool:
        """Whether a person plays a seat, or a bot in place of one."""
        return self.level(seat) is None

    def player_kind(self, seat: Seat) -> str:
        """Return who plays a seat: a level, ``bot`` or ``human``."""
        return self.level(seat) or (BOT if seat in self.bots else HUMAN)

    @property
    def has_level(self) -> bool:
        """Whether a level plays either seat."""
        return any(level is not None for level in self.levels)

    @property
    def learner(self) -> str:
        """The name of the first person, whose answers are saved; "" without one."""
        people = [self.name(seat) for seat in Seat if self.player_kind(seat) == HUMAN]
        return people[0] if people else ""

    def rng(self, *purpose: object) -> Random:
        """Return the random generator for a purpose, in the same state every time."""
        if self.seed is None:
            message = "only the server of this match knows its random choices"
            raise SetupError(message)
        key = "/".join(str(part) for part in (self.seed, *purpose))
        return Random(key)


def check_level(level: str | None) -> None:
    """Raise ``SetupError`` for an unknown level; None is a person."""
    if level is not None and level not in LEVELS:
        known = ", ".join(LEVELS)
        message = f"'{excerpt(level)}' is not a level; choose one of {known}"
        raise SetupError(message)


def check_own_book(key: str, text: str) -> None:
    """Raise ``SetupError`` for an invalid key, or text that is not valid Unicode."""
    if not is_key(key):
        book = excerpt(key)
        message = f"'{book}' is not a valid rule book key; use a-z, 0-9 and hyphens"
        raise SetupError(message)
    try:
        text.encode()
    except UnicodeEncodeError:
        message = "the rule book contains broken characters; save it as UTF-8"
        raise SetupError(message) from None


def parse_own_book(key: str, text: str) -> Rulebook:
    """Read a person's own rule book."""
    return parse(text, key=key, source=f"{key}.toml")


def check_name(name: str) -> None:
    """Raise ``SetupError`` for a name that is empty, too long or not printable."""
    blank = name != name.strip()
    if not 1 <= len(name) <= LONGEST_NAME or not is_shown(name) or blank:
        message = f"a name needs 1 to {LONGEST_NAME} visible characters; choose another"
        raise SetupError(message)


def clean_name(given: str) -> str:
    r"""Compose and trim a name; raise ``SetupError`` if it is not readable.

    >>> clean_name("  Zoe\u0308  B ")
    'Zoë B'
    >>> clean_name("\U0001f468\u200d\U0001f680") == "\U0001f468\u200d\U0001f680"
    True
    >>> clean_name("Ada\u202e")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ninefold.errors.SetupError: a name needs 1 to 24 visible characters; ...
    """
    composed = normalize("NFC", given.translate(_DROPPED))
    name = " ".join(composed.split())
    seen = without_joiners(composed)
    unseen = any(category(each) in _REFUSED or each in _BLANK for each in seen)
    stacked = _STACKED.search("".join(category(each)[0] for each in name))
    if unseen or stacked or not 1 <= len(name) <= LONGEST_NAME:
        message = f"a name needs 1 to {LONGEST_NAME} visible characters; choose another"
        raise SetupError(message)
    return name


def check_names(one: str, two: str) -> None:
    """Raise ``SetupError`` for an invalid name, or for names that look the same."""
    for name in (one, two):
        check_name(name)
    if without_joiners(one) == without_joiners(two):
        message = f"the other player is called {one} too; choose another name"
        raise SetupError(message)
