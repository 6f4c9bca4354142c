"""Text for people: escaped, truncated, and numbers and sets of numbers in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log10

BLANKS = " \t\r\n"
"""The characters that are stripped from both ends of an entry."""
_QUOTED_CHARACTERS = 40
_QUOTED_AT_THE_START = 24
_WHOLE_DIGITS = 24
_DIGITS_AT_EACH_END = 6
_SHORTEST_RANGE = 3  # two neighbours read better as two numbers


def escape(text: str) -> str:
    r"""Write control, format and bidirectional characters as escape sequences.

    >>> escape("\x1b[2J"), escape("a\u202eb")
    ('\\x1b[2J', 'a\\u202eb')
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def escape_lines(text: str) -> str:
    r"""Escape text of several lines; its line feeds stay.

    >>> escape_lines("one\ntwo\x07")
    'one\ntwo\\x07'
    """
    if text.replace("\n", "").isprintable():
        return text
    return "\n".join(map(escape, text.split("\n")))


def excerpt(text: str) -> str:
    r"""Quote text in a sentence: stripped, escaped, and truncated if it is long.

    >>> excerpt(" 5\x00 ")
    '5\\x00'
    >>> excerpt("9" * 10_000)
    '999999999999999999999999... (10000 characters)'
    """
    text = text.strip(BLANKS)
    if len(text) > _QUOTED_CHARACTERS:
        return f"{escape(text[:_QUOTED_AT_THE_START])}... ({len(text)} characters)"
    return escape(text)


def excerpt_of(value: object) -> str:
    """Quote any value that a program passed, as ``repr`` writes it.

    >>> excerpt_of(2**200), excerpt_of("2"), excerpt_of([10**5000])
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


def shorten(number: int) -> str:
    """Write a number for a sentence: whole while it is short, else its two ends.

    >>> shorten(34012224)
    '34012224'
    >>> shorten(2**200)
    '160693...301376 (61 digits)'
    >>> shorten(-(10**5000))
    '-100000...000000 (5001 digits)'
    """
    size = abs(number)
    if size < 10**_WHOLE_DIGITS:
        return str(number)
    # A chain of reasons has thousands of long numbers, and str takes its time.
    power = round(log10(size))
    digits = power + (size >= 10**power)
    first = size // 10 ** (digits - _DIGITS_AT_EACH_END)
    last = size % 10**_DIGITS_AT_EACH_END
    sign = "-" if number < 0 else ""
    return f"{sign}{first}...{last:0{_DIGITS_AT_EACH_END}} ({digits} digits)"


def write_set(numbers: Sequence[int]) -> str:
    """Write ascending numbers the way a person would: runs of three or more as a range.

    >>> write_set(range(2, 10))
    '2-9'
    >>> write_set([2, 3, 5, 7])
    '2, 3, 5, 7'
    >>> write_set([2, 3, 4, 7, 8])
    '2-4, 7, 8'
    """
    return ", ".join(map(_write_run, runs_of(numbers)))


def runs_of(numbers: Iterable[int]) -> list[list[int]]:
    """Put ascending numbers together that are neighbours.

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


def _write_run(run: list[int]) -> str:
    if len(run) >= _SHORTEST_RANGE:
        return f"{run[0]}-{run[-1]}"
    return ", ".join(map(str, run))
