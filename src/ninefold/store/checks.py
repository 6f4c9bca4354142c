"""What an import is held to: everything in it could have been played here.

Each refusal is a ``RecordError`` that names the key.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from msgspec.structs import replace

from ninefold.errors import NinefoldError, SetupError
from ninefold.notation.content import is_key
from ninefold.rules import MOST_DIGITS, Ending, Rules
from ninefold.session import Setup
from ninefold.session.setup import LONGEST_NAME
from ninefold.store.learned import ProductAnswer, PuzzleTry
from ninefold.store.shapes import refuse
from ninefold.store.values import KeptMatch
from ninefold.text import excerpt

LONGEST_ID = 100
LONGEST_PUZZLE = 200_000
"""A record of a position: a hundred multipliers of a thousand digits, and moves."""
EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)
LATEST = datetime(2201, 1, 1, tzinfo=UTC)
_LARGEST_ANSWER = 10 ** (2 * MOST_DIGITS)

SETUP_KEYS = {
    name: f"setup.{name}" for name in ("names", "levels", "seed", "lessons", "book")
}
_PLAYABLE = Setup(rules=Rules(Ending.REACH, 100), book="multiplication-madness")


def is_label(text: str, longest: int) -> bool:
    """Whether text can stand in a list as it is: short, printable, no blank ends."""
    fits = 1 <= len(text) <= longest
    return fits and text.isprintable() and text == text.strip()


def check_id(found: str) -> None:
    """Refuse an id that could not be shown and typed."""
    if not is_label(found, LONGEST_ID):
        problem = f"expected 1 to {LONGEST_ID} printable characters"
        refuse("id", problem)


def check_time(time: datetime, place: str) -> None:
    """Refuse a time at which nobody played."""
    if not EARLIEST <= time < LATEST:
        problem = "expected a time in the years 1970 to 2200"
        refuse(place, problem)


def check_setup(setup: Setup, places: Mapping[str, str] = SETUP_KEYS) -> None:
    """Refuse a set-up that cannot be played; ``places`` names the keys."""
    try:
        check_book(setup)
        setup.check()
    except NinefoldError as error:
        refuse(places[_wrong_field(setup)], str(error))


def check_book(setup: Setup) -> None:
    """Refuse an own rule book whose key no record could hold, or that is no text."""
    if setup.book_text is not None and not is_key(setup.book):
        key = excerpt(setup.book)
        message = f"'{key}' is no rule book's key; use a-z, 0-9 and hyphens"
        raise SetupError(message)
    try:
        (setup.book_text or "").encode()
    except UnicodeEncodeError:
        message = "a rule book is a text of whole characters; write it anew"
        raise SetupError(message) from None


def _wrong_field(setup: Setup) -> str:
    """Find the field that would spoil a set-up that is right otherwise."""
    for name in ("names", "levels", "seed", "lessons"):
        try:
            replace(_PLAYABLE, **{name: getattr(setup, name)}).check()
        except SetupError:
            return name
    return "book"


def check_match(kept: KeptMatch) -> None:
    """Refuse a match that cannot be played, its log apart."""
    check_id(kept.id)
    check_setup(kept.setup)
    check_time(kept.begun_at, "begun_at")
    check_time(kept.changed_at, "changed_at")
    if kept.set_aside_at is not None:
        check_time(kept.set_aside_at, "set_aside_at")
    for number, logged in enumerate(kept.log):
        check_time(logged.at, f"log[{number}].at")
        if logged.number != number + 1:
            refuse(f"log[{number}]", f"expected the command with number {number + 1}")


def check_learned(
    learned: ProductAnswer | PuzzleTry, *, may_be_unknown: bool = False
) -> None:
    """Refuse an answer or a try that nobody could have given.

    The learner ``may_be_unknown`` in an export: version 1 named none.
    """
    check_id(learned.id)
    check_time(learned.at, "at")
    unknown = may_be_unknown and not learned.learner
    if not unknown and not is_label(learned.learner, LONGEST_NAME):
        problem = f"expected 1 to {LONGEST_NAME} printable characters"
        refuse("learner", problem)
    if learned.surface and not is_label(learned.surface, LONGEST_NAME):
        problem = f"expected at most {LONGEST_NAME} printable characters"
        refuse("surface", problem)
    if isinstance(learned, ProductAnswer):
        numbers = {"a": learned.a, "b": learned.b, "answer": learned.answer}
    else:
        numbers = {"multiplier": learned.multiplier}
        if not is_label(learned.puzzle, LONGEST_PUZZLE):
            problem = f"expected 1 to {LONGEST_PUZZLE:,} printable characters"
            refuse("puzzle", problem)
    for key, number in numbers.items():
        check_number(number, key)
        if number < 0 and key in ("a", "b"):
            refuse(key, "expected a factor of 0 or more")


def check_number(number: int, place: str) -> None:
    """Refuse a number that is longer than any total."""
    if abs(number) >= _LARGEST_ANSWER:
        problem = f"expected a number of at most {2 * MOST_DIGITS:,} digits"
        refuse(place, problem)
