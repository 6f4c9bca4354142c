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

from ninefold.entries import show_entry
from ninefold.errors import RulebookError, UnknownRulebook
from ninefold.rulebooks.book import Rulebook
from ninefold.rulebooks.bundled import load_table
from ninefold.rulebooks.reader import read_rulebook
from ninefold.rulebooks.script import Narrator, Script

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["KEYS", "Narrator", "Rulebook", "Script", "find", "load", "parse"]

KEYS = (
    "multiplication-madness",
    "multiplication-showdown",
    "multiplier",
    "multiplier-showdown",
    "multiplication-duel",
)
"""The five, in the order in which a menu shows them."""


def load(key: str) -> Rulebook:
    """Load one of the five by its key."""
    table = load_table("books", key)
    return read_rulebook(table, key=key, source=f"{key}.toml", plain_words=_plain_words)


def find(name: str) -> Rulebook:
    """Load one of the five by its key or by any part that fits only one."""
    wanted = "-".join(name.lower().split())
    if wanted in KEYS:
        return load(wanted)
    fitting = [key for key in KEYS if wanted and wanted in key]
    if len(fitting) == 1:
        return load(fitting[0])
    closest = _closest_first(wanted, fitting or KEYS)
    raise UnknownRulebook(show_entry(name), closest, several=bool(fitting))


def parse(text: str, *, key: str, source: str) -> Rulebook:
    """Read a rule book that a person wrote: the text of a TOML file."""
    from tomllib import TOMLDecodeError, loads  # noqa: PLC0415 - slower than Python's start

    try:
        table = loads(text)
    except TOMLDecodeError as error:
        raise RulebookError(source, "", f"this is not TOML: {error}") from None
    return read_rulebook(table, key=key, source=source, plain_words=_plain_words)


def _plain_words() -> Mapping[str, str]:
    return {moment: str(words) for moment, words in load_table("plain").items()}


def _closest_first(wanted: str, keys: tuple[str, ...] | list[str]) -> tuple[str, ...]:
    from difflib import SequenceMatcher  # noqa: PLC0415 - needed for this error only

    def unlike(key: str) -> float:
        return -SequenceMatcher(None, wanted, key).ratio()

    return tuple(sorted(keys, key=unlike))
