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

from ninefold.errors import RulebookError, UnknownRulebook
from ninefold.rulebooks.book import Rulebook
from ninefold.rulebooks.bundled import load_table
from ninefold.rulebooks.reader import closest_first, read_rulebook
from ninefold.rulebooks.script import Narrator, Script
from ninefold.shown import show_entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from ninefold.rules import Ending

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
    if key not in KEYS:
        raise UnknownRulebook(show_entry(key), closest_first(key, KEYS), several=False)
    table = load_table("books", key)
    return read_rulebook(table, key=key, source=f"{key}.toml", plain=_plain)


def find(name: str) -> Rulebook:
    """Load one of the five by its key or by any part that fits only one."""
    wanted = "-".join(name.lower().split())
    if wanted in KEYS:
        return load(wanted)
    fitting = [key for key in KEYS if wanted and wanted in key]
    if len(fitting) == 1:
        return load(fitting[0])
    closest = closest_first(wanted, fitting or KEYS)
    raise UnknownRulebook(show_entry(name), closest, several=bool(fitting))


def parse(text: str, *, key: str, source: str) -> Rulebook:
    """Read a rule book that a person wrote: the text of a TOML file."""
    from tomllib import TOMLDecodeError, loads  # noqa: PLC0415 - slower than Python's start

    try:
        table = loads(text)
    except TOMLDecodeError as error:
        raise RulebookError(source, "", f"this is not TOML: {error}") from None
    except RecursionError:
        problem = "this is nested too deeply; no rule book needs more than two levels"
        raise RulebookError(source, "", problem) from None
    except ValueError:  # the only other one: Python reads no more than 4,300 digits
        problem = "a number in it is too long to be read; write a shorter one"
        raise RulebookError(source, "", problem) from None
    return read_rulebook(table, key=key, source=source, plain=_plain)


def _plain(ending: Ending) -> Mapping[str, str]:
    """Gather the plain words for a game with this ending."""
    tables = load_table("plain")
    parts = (tables["words"], tables[ending.value])
    return {
        name: said
        for part in parts
        if isinstance(part, dict)
        for name, said in part.items()
    }
