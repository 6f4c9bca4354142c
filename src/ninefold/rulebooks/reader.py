"""Reads rule books: one of the five by its key, or a person's own file.

An error names the key in the file and the value expected there.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path
from typing import NoReturn

import msgspec
from msgspec import Struct

from ninefold.errors import RulebookError, RulesError, UnknownRulebook
from ninefold.notation.record_json import ENDINGS
from ninefold.rulebooks import rulebook
from ninefold.rules import (
    CLASSIC_MULTIPLIERS,
    Ending,
    Rules,
    check_multipliers,
    parse_multipliers,
)
from ninefold.text import excerpt, quote_value

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
"""The keys of the five, in menu order."""

_SETTLED = ("target", "first", "length")
_TOP_KEYS = ("title", "summary", "guide", "settles", "take_back", "rules", "words")
_RULES_KEYS = ("ending", "target", "multipliers", "start")


class AimWords(Struct, frozen=True):
    """The default texts that name the aim of the game, for one ending."""

    summary: str
    guide: str
    opening: str


class PlainWords(Struct):
    """The default texts, for moments that a rule book does not define."""

    words: dict[str, str]
    endings: dict[Ending, AimWords]


@cache
def load(key: str) -> rulebook.Rulebook:
    """Load one of the five by its key."""
    if key not in KEYS:
        raise UnknownRulebook(
            excerpt(key), sort_by_similarity(key, KEYS), several=False
        )
    table = _load_table(f"books/{key}.toml")
    return _read_rulebook(table, key, f"{key}.toml")


@cache
def _plain() -> PlainWords:
    return msgspec.convert(_load_table("plain.toml"), type=PlainWords)


def _load_table(name: str) -> dict[str, object]:
    return tomllib.loads((_HERE / name).read_text(encoding="utf-8"))


def find(name: str) -> rulebook.Rulebook:
    """Load one of the five by its key or by any part that fits only one."""
    part = "-".join(name.lower().split())
    if part in KEYS:
        return load(part)
    fitting = [key for key in KEYS if part and part in key]
    if len(fitting) == 1:
        return load(fitting[0])
    closest = sort_by_similarity(part, fitting or KEYS)
    raise UnknownRulebook(excerpt(name), closest, several=bool(fitting))


def parse(text: str, *, key: str, source: str) -> rulebook.Rulebook:
    """Read a person's own rule book from the text of a TOML file."""
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
    return _read_rulebook(table, key, source)


def _too_long(text: str) -> str:
    """Return why a file is too large to be parsed; "" if it is not."""
    if len(text) > _MOST_CHARACTERS:
        return f"a rule book has at most {_MOST_CHARACTERS:,} characters; shorten it"
    for number, line in enumerate(text.split("\n"), start=1):
        if len(line) > _LONGEST_LINE:
            return (
                f"line {number} has more than {_LONGEST_LINE:,} characters; break it up"
            )
    return ""


def _read_rulebook(
    table: Mapping[str, object], key: str, source: str
) -> rulebook.Rulebook:
    """Make a rule book from a TOML table; missing texts have the defaults."""
    top, plain = _Table(table, source), _plain()
    top.refuse_other_keys_than(_TOP_KEYS)
    title = top.line("title", example="Sevens")
    settles = top.choices("settles", _SETTLED)
    summary = top.template("summary", rulebook.GUIDE_FACTS)
    guide = top.template("guide", rulebook.GUIDE_FACTS)
    rules = _read_rules(top.table("rules"))
    own_words = _read_words(top.table("words"), rules.ending)
    aim = plain.endings[rules.ending]
    return rulebook.Rulebook(
        key=key,
        title=title,
        summary=summary or aim.summary,
        guide=guide or aim.guide,
        rules=rules,
        words=rulebook.Words(**{"opening": aim.opening, **plain.words, **own_words}),
        settles=settles,
        take_back=top.flag("take_back"),
    )


def _read_rules(table: _Table) -> Rules:
    table.refuse_other_keys_than(_RULES_KEYS)
    name = table.line("ending", example=Ending.REACH.value)
    if name not in ENDINGS:
        table.refuse("ending", f"one of {_quoted(ENDINGS)}", name)
    target = table.number("target", example=100)
    start = table.number("start", example=1, default=1)
    multipliers = table.multipliers("multipliers")
    try:
        return Rules(ENDINGS[name], target, multipliers, start)
    except RulesError as error:
        raise RulebookError(table.source, "rules", str(error)) from None


def _read_words(table: _Table, ending: Ending) -> dict[str, str]:
    moments = rulebook.moments_of(ending)
    table.refuse_other_keys_than(moments)
    read = {
        moment: table.template(moment, rulebook.MOMENTS[moment]) for moment in moments
    }
    return {moment: text for moment, text in read.items() if text is not None}


def sort_by_similarity(name: str, names: Iterable[str]) -> tuple[str, ...]:
    """Sort names by their similarity to ``name``, the most similar first."""

    def distance(other: str) -> float:
        return -SequenceMatcher(None, name, other).ratio()

    return tuple(sorted(names, key=distance))


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


class _Table:
    """One TOML table; each method reads a key by type, or raises ``RulebookError``."""

    def __init__(
        self, table: Mapping[str, object], source: str, prefix: str = ""
    ) -> None:
        self.source = source
        self._prefix = prefix
        self._table = table

    def refuse(self, key: str, expected: str, found: object) -> NoReturn:
        has_repr = isinstance(found, int | str | list | dict)  # else a time or a float
        shown = quote_value(found) if has_repr else excerpt(str(found))
        shown = "nothing" if found is None else shown
        problem = f"expected {expected}; found {shown}"
        raise RulebookError(self.source, self._prefix + key, problem)

    def refuse_other_keys_than(self, known: tuple[str, ...]) -> None:
        for key in self._table:
            if key not in known:
                expected = ", ".join(sort_by_similarity(key, known))
                problem = f"no such key; expected one of {expected}"
                place = self._prefix + excerpt(key)
                raise RulebookError(self.source, place, problem)

    def table(self, key: str) -> _Table:
        found = self._table.get(key, {})
        if not isinstance(found, dict):
            self.refuse(key, f"a table, starting with the line [{key}]", found)
        return _Table(found, self.source, f"{key}.")

    def line(self, key: str, *, example: str) -> str:
        found = self._table.get(key)
        if not isinstance(found, str) or not found.strip() or not found.isprintable():
            self.refuse(key, f'a line of text, such as "{example}"', found)
        return found

    def number(self, key: str, *, example: int, default: int | None = None) -> int:
        found = self._table.get(key, default)
        if type(found) is not int:
            self.refuse(key, f"a whole number, such as {example}", found)
        return found

    def multipliers(self, key: str) -> tuple[int, ...]:
        found = self._table.get(key, CLASSIC_MULTIPLIERS)
        if not isinstance(found, str | list | tuple):
            self.refuse(key, 'multipliers, such as "2-9" or [2, 3, 5, 7]', found)
        try:
            if isinstance(found, str):
                return parse_multipliers(found)
            return check_multipliers(found)
        except RulesError as error:
            raise RulebookError(self.source, self._prefix + key, str(error)) from None

    def choices(self, key: str, allowed: tuple[str, ...]) -> tuple[str, ...]:
        found = self._table.get(key, [])
        if not isinstance(found, list) or any(item not in allowed for item in found):
            self.refuse(key, f"a list with any of {_quoted(allowed)}", found)
        return tuple(found)

    def flag(self, key: str) -> bool:
        found = self._table.get(key, True)
        if not isinstance(found, bool):
            self.refuse(key, "true or false", found)
        return found

    def template(self, key: str, facts: frozenset[str]) -> str | None:
        found = self._table.get(key)
        if found is None:
            return None
        if not isinstance(found, str):
            self.refuse(key, "text", found)
        if not found.replace("\n", "").isprintable():
            self.refuse(key, "text without control characters", found)
        for name in rulebook.names_in(found):
            if name not in facts:
                known = ", ".join(f"{{{fact}}}" for fact in sorted(facts))
                shown = name if name in ("{", "}") else f"{{{name}}}"
                self.refuse(key, f"only these names in braces: {known}", shown)
        return found
