"""Numbers and sets of numbers as text, of any size.

Python itself refuses to write or read a number of more than 4,300 digits; a total
may well be longer, so both are done in pieces here.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_PIECE_DIGITS = 600  # below every limit that Python can be set to
_PIECE_BITS = 1990  # 2**1990 has 600 digits
_JSON_ROUNDS = 10**15
_SHOWN_WHOLE = 24
_SHOWN_AT_EACH_END = 6
_WRITTEN_WHOLE = 10**_SHOWN_WHOLE
_POWERS_KEPT = 16
_powers_of_ten: dict[int, int] = {}


def write(number: int) -> str:
    """Write a number in decimal digits, however long it is.

    >>> write(-7)
    '-7'
    >>> len(write(10**10_000))
    10001
    """
    if number.bit_length() <= _PIECE_BITS:
        return str(number)
    if number < 0:
        return f"-{write(-number)}"
    low_digits = number.bit_length() * 3 // 20  # about half of the digits
    high, low = divmod(number, 10**low_digits)
    return write(high) + write(low).zfill(low_digits)


def read(digits: str) -> int:
    """Read a number written in plain decimal digits, however long it is.

    >>> read("007")
    7
    >>> read("9" * 10_000) == 10**10_000 - 1
    True
    """
    if len(digits) <= _PIECE_DIGITS:
        return int(digits)
    half = len(digits) // 2
    return read(digits[:-half]) * int(10**half) + read(digits[-half:])


def is_plain(text: str) -> bool:
    """Whether a text is plain decimal digits and nothing else: no sign, no space."""
    return text.isascii() and text.isdigit()


def shorten(number: int) -> str:
    """Write a number for a sentence: whole while it is short, else its two ends.

    >>> shorten(34012224)
    '34012224'
    >>> shorten(2**200)
    '160693...301376 (61 digits)'
    """
    size = abs(number)
    if size < _WRITTEN_WHOLE:
        digits = write(number)
        if len(digits) <= _SHOWN_WHOLE:
            return digits
    # The digits between are never written: that takes long where they are many.
    count = _count_digits(size)
    first = size // _power_of_ten(count - _SHOWN_AT_EACH_END + (number < 0))
    last = size % 10**_SHOWN_AT_EACH_END
    ends = f"{'-' if number < 0 else ''}{first}...{last:0{_SHOWN_AT_EACH_END}}"
    return f"{ends} ({count} digits)"


def _count_digits(size: int) -> int:
    """Count the digits of a number that is 1 or more."""
    # What a bit is worth, a little less than the logarithm of 2: never too many.
    count = (size.bit_length() - 1) * 301_029_995_663 // 10**12 + 1
    while size >= _power_of_ten(count):
        count += 1
    return count


def _power_of_ten(power: int) -> int:
    """Return a power of ten, kept for the next number of about the same length."""
    found = _powers_of_ten.get(power)
    if found is None:
        if len(_powers_of_ten) >= _POWERS_KEPT:
            _powers_of_ten.clear()
        found = _powers_of_ten[power] = 10**power
    return found


def to_json(number: int) -> int | str:
    """Give a number the form it has in JSON: past 15 digits, digits in a string.

    Many readers of JSON round longer numbers without a word.

    >>> to_json(180), to_json(10**16)
    (180, '10000000000000000')
    """
    return number if abs(number) < _JSON_ROUNDS else write(number)


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
    if len(run) > 2:  # noqa: PLR2004 - two neighbours read better as two numbers
        return f"{write(run[0])}-{write(run[-1])}"
    return ", ".join(map(write, run))
