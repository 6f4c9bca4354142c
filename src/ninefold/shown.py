"""What others typed or wrote, made fit to print: harmless, and never a screenful."""

from __future__ import annotations

from ninefold.numerals import shorten

_BLANKS = " \t\r\n"
_SHOWN_CHARACTERS = 40


def printable(text: str) -> str:
    r"""Write what a terminal would act on as an escape sequence.

    >>> printable("\x1b[2J")
    '\\x1b[2J'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def show_entry(entry: str) -> str:
    r"""Make an entry fit to print, without the blanks around it.

    >>> show_entry(" 5\x00 ")
    '5\\x00'
    >>> show_entry("9" * 10_000)
    '999999999999999999999999... (10000 characters)'
    """
    entry = entry.strip(_BLANKS)
    if len(entry) > _SHOWN_CHARACTERS:
        start = printable(entry[: _SHOWN_CHARACTERS * 3 // 5])
        return f"{start}... ({len(entry)} characters)"
    return printable(entry)


def show_value(value: object) -> str:
    """Make anything that a program passed fit for a sentence.

    >>> show_value(2**200), show_value("2"), show_value([10**5000])
    ('160693...301376 (61 digits)', "'2'", 'a list')
    """
    if type(value) is int:
        return shorten(value)
    try:
        return show_entry(repr(value))
    except ValueError:  # Python writes no number of more than 4,300 digits
        return f"a {type(value).__name__}"
