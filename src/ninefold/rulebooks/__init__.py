"""The five games as data: rules, words, conventions; and custom ones from files.

::

    rulebook     a rule book: its rules, and a template of words for each moment
    reader       reads a rule book, one of the five or a file, from TOML
    narrator     the sentences of a game, in the rule book's words
    move_parser  what players may type for a move, and why an entry is rejected

>>> book = find("madness")
>>> book.title, book.rules.target
('Multiplication Madness', 100)
>>> find("showdown")
Traceback (most recent call last):
ninefold.errors.UnknownRulebook: 'showdown' fits several games; choose one of \
multiplier-showdown, multiplication-showdown
"""

from ninefold.rulebooks.narrator import Narrator
from ninefold.rulebooks.reader import KEYS, find, load, parse
from ninefold.rulebooks.rulebook import Rulebook, Words

__all__ = ["KEYS", "Narrator", "Rulebook", "Words", "find", "load", "parse"]
