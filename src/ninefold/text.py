"""Text for people: escaped, wrapped, truncated; numbers and sets of them in words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from math import log10
from unicodedata import combining, east_asian_width

BLANKS = " \t\r\n"
"""The characters that are stripped from both ends of an entry."""
_GROUPED = re.compile(r"[0-9]{1,3}(,[0-9]{3})+")
_QUOTED_CHARACTERS = 40
_QUOTED_AT_THE_START = 24
_WHOLE_DIGITS = 24
_DIGITS_AT_EACH_END = 6
_JOINERS = "\u200c\u200d"
_FIRST_OTHER_WIDTH = "\u0300"
"""The first character that does not take one column."""
SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
"""Raises the digits of an exponent."""
_WORD = re.compile(r" *[^ ]+")
_JOINED = "[\u0600-\u1cff\u2600-\u27bf\u2b00-\u2bff\ufe0f\U0001f000-\U0001faff]"
_JOINER = re.compile(f"(?<={_JOINED})[{_JOINERS}](?={_JOINED})")
"""A joiner between two letters of a script that uses joiners, or between two emoji."""
_STRAY_JOINER = re.compile(f"(?<!{_JOINED})[{_JOINERS}]|[{_JOINERS}](?!{_JOINED})")
SHORTEST_RANGE = 3
"""The shortest run that is written as a range: two numbers read better as two."""


def escape(text: str) -> str:
    r"""Write control, format and bidirectional characters as escape sequences.

    >>> escape("\x1b[2J"), escape("a\u202eb")
    ('\\x1b[2J', 'a\\u202eb')
    """
    if is_shown(text):
        return text
    shown = "".join(
        c if c.isprintable() or c in _JOINERS else ascii(c)[1:-1] for c in text
    )
    return _STRAY_JOINER.sub(lambda found: ascii(found[0])[1:-1], shown)


def without_joiners(text: str) -> str:
    """Drop invisible joiners, but only between letters or emoji that they join.

    >>> len(without_joiners("\u0645\u064a\u200c\u062e"))
    3
    >>> len(without_joiners("A\u200da"))
    3
    """
    return text if text.isascii() else _JOINER.sub("", text)


def is_shown(text: str) -> bool:
    """Whether nothing in a text needs to be escaped."""
    return text.isprintable() or without_joiners(text).isprintable()


def escape_lines(text: str) -> str:
    r"""Escape text of several lines; its line feeds stay.

    >>> escape_lines("one\ntwo\x07")
    'one\ntwo\\x07'
    """
    return "\n".join(map(escape, text.split("\n")))


def columns_of(text: str) -> int:
    """Return how many columns of a terminal a text takes.

    >>> columns_of("Ada"), columns_of("\u7231\u8fbe"), columns_of("e\u0301")
    (3, 4, 1)
    """
    if text.isascii() or max(text) < _FIRST_OTHER_WIDTH:
        return len(text)
    return sum(
        0
        if combining(c) or c in _JOINERS
        else 2
        if east_asian_width(c) in ("W", "F")
        else 1
        for c in text
    )


def wrap(text: str, width: int) -> str:
    r"""Break lines that are wider than ``width`` columns between two words.

    Later rows are indented to the first word, after a bullet if there is one. Blanks
    at the end stay, because a prompt has them. Only a word that is wider than a whole
    line is broken.

    >>> print(wrap("Choose one of these:\n- five of them", 12))
    Choose one
    of these:
    - five of
      them
    """
    return "\n".join(_wrap_line(line, width) for line in text.split("\n"))


def _wrap_line(line: str, width: int) -> str:
    words = line.rstrip(" ")
    if columns_of(words) <= width:
        return line
    indent = " " * min(_indent_of(words), width // 2)
    rows = [""]
    for word in _WORD.findall(words):
        if len(rows[-1]) > len(indent) and columns_of(rows[-1] + word) > width:
            rows.append(indent + word.lstrip(" "))
        else:
            rows[-1] += word
        while columns_of(rows[-1]) > width:
            fits = _fitting(rows[-1], width)
            rows[-1:] = [rows[-1][:fits], rows[-1][fits:]]
    return "\n".join(rows) + line[len(words) :]


def _indent_of(line: str) -> int:
    """Return the column of a line's first word, after a bullet: any sign on its own."""
    first = line.lstrip(" ")
    bullet = first[1:2] == " " and not first[0].isalnum()
    return len(line) - len(first) + 2 * bullet


def _fitting(text: str, width: int) -> int:
    """Return how many characters, at least one, fit into ``width`` columns."""
    fits = min(width, len(text))
    while fits > 1 and columns_of(text[:fits]) > width:
        fits -= 1
    return max(fits, 1)


def excerpt(text: str) -> str:
    r"""Quote text in a sentence: stripped, escaped, and truncated if it is long.

    >>> excerpt(" 5\x00 ")
    '5\\x00'
    >>> excerpt("9" * 10_000)
    '999999999999999999999999... (10,000 characters)'
    """
    text = text.strip(BLANKS)
    if len(text) > _QUOTED_CHARACTERS:
        return f"{escape(text[:_QUOTED_AT_THE_START])}... ({len(text):,} characters)"
    return escape(text)


def quote_value(value: object) -> str:
    """Return the ``repr`` of any value, shortened and escaped for a sentence.

    >>> quote_value(2**200), quote_value("2"), quote_value([10**5000])
    ('160693...301376 (61 digits)', "'2'", 'a list')
    """
    if type(value) is int:
        return shorten(value)
    try:
        return excerpt(repr(value))
    except (ValueError, RecursionError):  # it holds a huge number, or is nested deeply
        return f"a {type(value).__name__}"


def is_digits(text: str) -> bool:
    """Whether text is plain decimal digits and nothing else: no sign, no space."""
    return text.isascii() and text.isdigit()


def ungroup(text: str) -> str:
    """Drop the commas of a number written in groups of three digits.

    >>> ungroup("1,000"), ungroup("2,3")
    ('1000', '2,3')
    """
    return text.replace(",", "") if _GROUPED.fullmatch(text) else text


def shorten(number: int, *, grouped: bool = True) -> str:
    """Format a number for a sentence: whole while it is short, else its two ends.

    Four digits or more are ``grouped``, on screens and in prose alike. What programs
    read, rule books' own lines, and sets of multipliers, which have commas of their
    own, are written without.

    >>> shorten(34012224), shorten(34012224, grouped=False)
    ('34,012,224', '34012224')
    >>> shorten(2**200)
    '160693...301376 (61 digits)'
    >>> shorten(-(10**5000))
    '-100000...000000 (5,001 digits)'
    """
    size = abs(number)
    if size < 10**_WHOLE_DIGITS:
        return f"{number:,}" if grouped else str(number)
    # A chain of reasons has thousands of long numbers, and str is slow for those.
    power = round(log10(size))
    digits = power + (size >= 10**power)
    first = size // 10 ** (digits - _DIGITS_AT_EACH_END)
    last = size % 10**_DIGITS_AT_EACH_END
    sign = "-" if number < 0 else ""
    return f"{sign}{first}...{last:0{_DIGITS_AT_EACH_END}} ({digits:,} digits)"


def format_product(total: int, multiplier: int) -> str:
    """Format a move in full, its long numbers shortened.

    >>> format_product(30, 9)
    '30 × 9 = 270'
    """
    made = shorten(total * multiplier)
    return f"{shorten(total)} × {shorten(multiplier)} = {made}"


def join_words(words: Sequence[str], last: str = "and") -> str:
    """Join words as a sentence does.

    >>> join_words(["2", "3", "5"]), join_words(["1", "2"], "or"), join_words(["7"])
    ('2, 3 and 5', '1 or 2', '7')
    """
    before = ", ".join(words[:-1])
    return f"{before} {last} {words[-1]}" if before else "".join(words)


def format_set(numbers: Sequence[int]) -> str:
    """Format ascending numbers as a person would: runs of three or more as a range.

    >>> format_set(range(2, 10))
    '2-9'
    >>> format_set([2, 3, 5, 7])
    '2, 3, 5, 7'
    >>> format_set([2, 3, 4, 7, 8])
    '2-4, 7, 8'
    """
    return ", ".join(map(_format_run, runs_of(numbers)))


def runs_of(numbers: Iterable[int]) -> list[list[int]]:
    """Group ascending numbers into runs without a gap.

    >>> runs_of([2, 3, 4, 7, 8])
    [[2, 3, 4], [7, 8]]
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return runs


def _format_run(run: list[int]) -> str:
    if len(run) >= SHORTEST_RANGE:
        return f"{run[0]}-{run[-1]}"
    return ", ".join(map(str, run))
