"""Reading a rule book from a TOML table, with an error for whatever is wrong in it."""

from __future__ import annotations

from ninefold.entries import show_entry
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
from ninefold.rules import CLASSIC_MULTIPLIERS, Ending, Rules, parse_multipliers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import NoReturn

_SETTLED = ("target", "first", "length")
_PLAIN_SUMMARY = "Multiply in turn; the target is {target}."


def read_rulebook(
    table: Mapping[str, object],
    *,
    key: str,
    source: str,
    plain_words: Callable[[], Mapping[str, str]],
) -> Rulebook:
    """Make a rule book of a TOML table; whatever is wrong is named by its key.

    ``plain_words`` supplies words for the moments that have none of their own.
    """
    top = _Table(table, source)
    title = top.line("title", example="Sevens")
    settles = top.choices("settles", _SETTLED)
    summary = top.template("summary", GUIDE_FACTS) or _PLAIN_SUMMARY
    guide = top.template("guide", GUIDE_FACTS) or f"{summary}\n"
    rules = _read_rules(top.table("rules"))
    words = _read_words(top.table("words"), rules.ending, plain_words)
    top.refuse_what_is_left()
    return Rulebook(key, title, summary, guide, rules, Script(words), settles)


def _read_rules(table: _Table) -> Rules:
    name = table.line("ending", example=Ending.REACH.value)
    endings = {ending.value: ending for ending in Ending}
    if name not in endings:
        table.refuse("ending", f"one of {_quoted(endings)}", name)
    target = table.number("target", example=100)
    start = table.number("start", example=1, default=1)
    multipliers = table.multipliers("multipliers")
    table.refuse_what_is_left()
    try:
        return Rules(endings[name], target, multipliers, start)
    except RulesError as error:
        raise RulebookError(table.source, "rules", str(error)) from None


def _read_words(
    table: _Table, ending: Ending, plain_words: Callable[[], Mapping[str, str]]
) -> dict[str, str]:
    words = {}
    missing = []
    for moment in moments_of(ending):
        template = table.template(moment, MOMENTS[moment])
        if template is not None:
            words[moment] = template
        elif moment not in OPTIONAL_MOMENTS:
            missing.append(moment)
    table.refuse_what_is_left()
    if missing:
        plain = plain_words()
        words |= {moment: plain[moment] for moment in missing}
    return words


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


class _Table:
    """One TOML table, its keys taken out one by one, each as what it has to be."""

    def __init__(
        self, table: Mapping[str, object], source: str, prefix: str = ""
    ) -> None:
        self.source = source
        self._prefix = prefix
        self._left = dict(table)
        self._known: list[str] = []

    def refuse(self, key: str, expected: str, found: object) -> NoReturn:
        shown = "nothing" if found is None else show_entry(repr(found))
        problem = f"expected {expected}; found {shown}"
        raise RulebookError(self.source, self._prefix + key, problem)

    def refuse_what_is_left(self) -> None:
        for key in self._left:
            problem = f"no such key; expected one of {', '.join(self._known)}"
            raise RulebookError(self.source, self._prefix + show_entry(key), problem)

    def table(self, key: str) -> _Table:
        found = self._take(key, {})
        if not isinstance(found, dict):
            self.refuse(key, f"a table, begun by the line [{key}]", found)
        return _Table(found, self.source, f"{key}.")

    def line(self, key: str, *, example: str) -> str:
        found = self._take(key)
        if not isinstance(found, str) or not found.strip() or not found.isprintable():
            self.refuse(key, f'a line of text, such as "{example}"', found)
        return found

    def number(self, key: str, *, example: int, default: int | None = None) -> int:
        found = self._take(key, default)
        if type(found) is not int:
            self.refuse(key, f"a whole number, such as {example}", found)
        return found

    def multipliers(self, key: str) -> Iterable[int]:
        found = self._take(key, CLASSIC_MULTIPLIERS)
        if isinstance(found, str):
            try:
                return parse_multipliers(found)
            except RulesError as error:
                raise RulebookError(
                    self.source, self._prefix + key, str(error)
                ) from None
        if not isinstance(found, list | tuple):
            self.refuse(key, 'multipliers, such as "2-9" or [2, 3, 5, 7]', found)
        return found

    def choices(self, key: str, allowed: tuple[str, ...]) -> tuple[str, ...]:
        found = self._take(key, [])
        if not isinstance(found, list) or any(item not in allowed for item in found):
            self.refuse(key, f"a list with any of {_quoted(allowed)}", found)
        return tuple(found)

    def template(self, key: str, facts: frozenset[str]) -> str | None:
        found = self._take(key)
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
                self.refuse(key, f"in braces only {known}", f"{{{name}}}")
        return found

    def _take(self, key: str, default: object = None) -> object:
        self._known.append(key)
        return self._left.pop(key, default)
