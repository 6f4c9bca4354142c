"""The five games as data: rules, words, conventions; and a person's own as a file.

>>> book = find("madness")
>>> book.title, book.rules.target
('Multiplication Madness', 100)
>>> find("showdown")
Traceback (most recent call last):
ninefold.errors.UnknownRulebook: 'showdown' fits several games; choose one of \
multiplier-showdown, multiplication-showdown
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

import msgspec

from ninefold.errors import RulebookError, UnknownRulebook
from ninefold.rulebooks.book import Rulebook
from ninefold.rulebooks.narrator import Narrator
from ninefold.rulebooks.reader import Plain, closest_first, read_rulebook
from ninefold.rulebooks.words import Words
from ninefold.text import excerpt

__all__ = ["KEYS", "Narrator", "Rulebook", "Words", "find", "load", "parse"]

_HERE = Path(__file__).parent
_MOST_CHARACTERS = 100_000
_LONGEST_LINE = 2_000  # tomllib takes quadratic time for a key of many parts

KEYS = (
    "multiplication-madness",
    "multiplication-showdown",
    "multiplier",
    "multiplier-showdown",
    "multiplication-duel",
)
"""The five, in the order in which a menu shows them."""


@cache
def load(key: str) -> Rulebook:
    """Load one of the five by its key."""
    if key not in KEYS:
        raise UnknownRulebook(excerpt(key), closest_first(key, KEYS), several=False)
    table = _load_table(f"books/{key}.toml")
    return read_rulebook(table, key=key, source=f"{key}.toml", plain=_plain())


@cache
def _plain() -> Plain:
    return msgspec.convert(_load_table("plain.toml"), type=Plain)


def _load_table(name: str) -> dict[str, object]:
    return tomllib.loads((_HERE / name).read_text(encoding="utf-8"))


def find(name: str) -> Rulebook:
    """Load one of the five by its key or by any part that fits only one."""
    wanted = "-".join(name.lower().split())
    if wanted in KEYS:
        return load(wanted)
    fitting = [key for key in KEYS if wanted and wanted in key]
    if len(fitting) == 1:
        return load(fitting[0])
    closest = closest_first(wanted, fitting or KEYS)
    raise UnknownRulebook(excerpt(name), closest, several=bool(fitting))


def parse(text: str, *, key: str, source: str) -> Rulebook:
    """Read a rule book that a person wrote: the text of a TOML file."""
    too_long = _too_long(text)
    if too_long:
        raise RulebookError(source, "", too_long)
    try:
        table = tomllib.loads(text)
    except ValueError as error:
        raise RulebookError(source, "", f"this is not TOML: {error}") from None
    except RecursionError:
        problem = "this is nested too deeply; no rule book needs more than two levels"
        raise RulebookError(source, "", problem) from None
    return read_rulebook(table, key=key, source=source, plain=_plain())


def _too_long(text: str) -> str:
    """Return why a file is too large to be parsed; empty where it is not."""
    if len(text) > _MOST_CHARACTERS:
        return f"a rule book has at most {_MOST_CHARACTERS:,} characters; shorten it"
    for number, line in enumerate(text.split("\n"), start=1):
        if len(line) > _LONGEST_LINE:
            return (
                f"line {number} has more than {_LONGEST_LINE:,} characters; break it up"
            )
    return ""
