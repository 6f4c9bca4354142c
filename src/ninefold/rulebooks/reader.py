"""Reading a rule book from a TOML table, with an error for whatever is wrong in it."""

from __future__ import annotations

from ninefold.errors import RulebookError, RulesError
from ninefold.rulebooks.book import Rulebook
from ninefold.rulebooks.script import (
    GUIDE_FACTS,
    MOMENTS,
    OPTIONAL_MOMENTS,
    Script,
    moments_of,
    names_in,
)
from ninefold.rules import (
    CLASSIC_MULTIPLIERS,
    Ending,
    Rules,
    check_multipliers,
    parse_multipliers,
)
from ninefold.shown import show_entry, show_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import NoReturn

_SETTLED = ("target", "first", "length")
_TOP_KEYS = ("title", "summary", "guide", "settles", "rules", "words")
_RULES_KEYS = ("ending", "target", "multipliers", "start")


def read_rulebook(
    table: Mapping[str, object],
    *,
    key: str,
    source: str,
    plain: Callable[[Ending], Mapping[str, str]],
) -> Rulebook:
    """Make a rule book of a TOML table; whatever is wrong is named by its key.

    ``plain`` supplies the summary, the guide and the words that it lacks.
    """
    top = _Table(table, source)
    top.refuse_other_keys_than(_TOP_KEYS)
    title = top.line("title", example="Sevens")
    settles = top.choices("settles", _SETTLED)
    said = {
        "summary": top.template("summary", GUIDE_FACTS) or None,
        "guide": top.template("guide", GUIDE_FACTS) or None,
    }
    rules = _read_rules(top.table("rules"))
    said |= _read_words(top.table("words"), rules.ending)
    words = {name: template for name, template in said.items() if template is not None}
    lacking = said.keys() - words.keys() - OPTIONAL_MOMENTS
    if lacking:
        plain_words = plain(rules.ending)
        words |= {name: plain_words[name] for name in lacking}
    summary, guide = words.pop("summary"), words.pop("guide")
    return Rulebook(key, title, summary, guide, rules, Script(words), settles)


def _read_rules(table: _Table) -> Rules:
    table.refuse_other_keys_than(_RULES_KEYS)
    name = table.line("ending", example=Ending.REACH.value)
    endings = {ending.value: ending for ending in Ending}
    if name not in endings:
        table.refuse("ending", f"one of {_quoted(endings)}", name)
    target = table.number("target", example=100)
    start = table.number("start", example=1, default=1)
    multipliers = table.multipliers("multipliers")
    try:
        return Rules(endings[name], target, multipliers, start)
    except RulesError as error:
        raise RulebookError(table.source, "rules", str(error)) from None


def _read_words(table: _Table, ending: Ending) -> dict[str, str | None]:
    moments = moments_of(ending)
    table.refuse_other_keys_than(moments)
    return {moment: table.template(moment, MOMENTS[moment]) for moment in moments}


def closest_first(wanted: str, names: Iterable[str]) -> tuple[str, ...]:
    """Put the names in order, those first that are most like the wanted one."""
    from difflib import SequenceMatcher  # noqa: PLC0415 - needed for errors only

    def unlike(name: str) -> float:
        return -SequenceMatcher(None, wanted, name).ratio()

    return tuple(sorted(names, key=unlike))


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


class _Table:
    """One TOML table, each of its keys read as what it has to be."""

    def __init__(
        self, table: Mapping[str, object], source: str, prefix: str = ""
    ) -> None:
        self.source = source
        self._prefix = prefix
        self._table = table

    def refuse(self, key: str, expected: str, found: object) -> NoReturn:
        plain = isinstance(found, int | str | list | dict)  # else a time, or a float
        shown = show_value(found) if plain else show_entry(str(found))
        shown = "nothing" if found is None else shown
        problem = f"expected {expected}; found {shown}"
        raise RulebookError(self.source, self._prefix + key, problem)

    def refuse_other_keys_than(self, known: tuple[str, ...]) -> None:
        for key in self._table:
            if key not in known:
                expected = ", ".join(closest_first(key, known))
                problem = f"no such key; expected one of {expected}"
                place = self._prefix + show_entry(key)
                raise RulebookError(self.source, place, problem)

    def table(self, key: str) -> _Table:
        found = self._table.get(key, {})
        if not isinstance(found, dict):
            self.refuse(key, f"a table, begun by the line [{key}]", found)
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

    def multipliers(self, key: str) -> Iterable[int]:
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

    def template(self, key: str, facts: frozenset[str]) -> str | None:
        found = self._table.get(key)
        if found is None:
            return None
        if not isinstance(found, str):
            self.refuse(key, "text", found)
        printable = found.replace("\n", "").isprintable()
        if not printable:
            self.refuse(key, "text without control characters", found)
        for name in names_in(found):
            if name not in facts:
                known = ", ".join(f"{{{fact}}}" for fact in sorted(facts))
                shown = name if name in ("{", "}") else f"{{{name}}}"
                self.refuse(key, f"in braces only {known}", shown)
        return found
