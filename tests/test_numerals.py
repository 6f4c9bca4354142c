from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ninefold.numerals import is_plain, read, shorten, to_json, write, write_set
from ninefold.rules import parse_multipliers

huge = st.builds(
    lambda digits, tail: 10**digits + tail, st.integers(0, 9000), st.integers(0, 10**50)
)


@given(st.integers())
def test_short_numbers_are_written_as_python_writes_them(number: int) -> None:
    assert write(number) == str(number)


@given(huge)
def test_reading_what_was_written_gives_the_same_number(number: int) -> None:
    assert read(write(number)) == number
    assert write(-number) == f"-{write(number)}"
    assert is_plain(write(number))


@given(huge)
def test_a_shortened_number_never_fills_a_line(number: int) -> None:
    assert len(shorten(number)) <= 40
    assert shorten(-number) == f"-{shorten(number)}" or "..." in shorten(-number)


@given(huge | st.integers(0, 10**40) | st.sampled_from([10**n for n in range(60)]))
def test_a_shortened_number_tells_its_ends_and_its_length(number: int) -> None:
    for near in (number, number - 1, -number):
        digits = write(near)
        length = len(digits.lstrip("-"))
        long = f"{digits[:6]}...{digits[-6:]} ({length} digits)"
        assert shorten(near) == (digits if len(digits) <= 24 else long)


def test_a_sign_counts_as_one_of_the_characters_shown() -> None:
    assert shorten(10**23) == write(10**23)
    assert shorten(-(10**22)) == write(-(10**22))
    assert shorten(-(10**23)) == "-10000...000000 (24 digits)"


def test_only_ascii_digits_are_plain() -> None:
    plain = [
        text
        for text in ("5", "007", "", "-5", "+5", "5.0", "\uff15", "\u0665", "²")
        if is_plain(text)
    ]
    assert plain == ["5", "007"]


def test_json_numbers_stay_below_what_its_readers_round() -> None:
    assert to_json(10**15 - 1) == 10**15 - 1
    assert to_json(10**15) == "1" + "0" * 15
    assert to_json(-(10**15)) == "-1" + "0" * 15


@given(st.sets(st.integers(2, 60), min_size=1))
def test_a_written_set_reads_as_the_same_set(numbers: set[int]) -> None:
    assert set(parse_multipliers(write_set(sorted(numbers)))) == numbers
