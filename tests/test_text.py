from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ninefold.text import (
    columns_of,
    escape,
    escape_lines,
    excerpt,
    format_set,
    is_digits,
    is_shown,
    quote_value,
    runs_of,
    shorten,
    wrap,
)


@pytest.mark.parametrize(
    "character",
    [
        "\x1b",
        "\x00",
        "\x07",
        "\r",
        "\n",
        "\u202e",
        "\u2066",
        "\u2028",
        "\ufeff",
        "\udce9",
    ],
)
def test_control_characters_are_escaped(character: str) -> None:
    escaped = escape(f"a{character}b")
    assert escaped.startswith("a\\")
    assert escaped.endswith("b")
    assert escaped.isprintable()


@pytest.mark.parametrize("joiner", ["\u200c", "\u200d"])
def test_a_joiner_is_shown_where_it_joins_and_escaped_elsewhere(joiner: str) -> None:
    joined = f"\u0645{joiner}\u064a"
    assert escape(joined) == joined
    assert columns_of(joined) == len("\u0645\u064a")
    assert escape(f"a{joiner}b\u0645{joiner}") == (
        f"a{ascii(joiner)[1:-1]}b\u0645{ascii(joiner)[1:-1]}"
    )


@given(st.text() | st.text("a\u0645\u061c\u200c\u200d\ufe0f"))
def test_escaped_text_is_printable_and_escaping_it_again_changes_nothing(
    text: str,
) -> None:
    assert is_shown(escape(text))
    assert escape(escape(text)) == escape(text)
    assert (escape(text) == text) == is_shown(text)


@given(st.text())
def test_lines_are_escaped_one_by_one(text: str) -> None:
    assert escape_lines(text).split("\n") == [escape(line) for line in text.split("\n")]


@given(st.text())
def test_an_excerpt_is_short_and_printable(text: str) -> None:
    shown = excerpt(text)
    assert shown.isprintable()
    assert len(shown) <= 40 * 10 + 30  # an escape sequence takes up to 10 characters


def test_a_long_text_is_truncated_and_its_length_told() -> None:
    assert excerpt("a" * 40) == "a" * 40
    assert excerpt("a" * 41) == f"{'a' * 24}... (41 characters)"


@given(st.integers())
def test_a_short_number_is_written_whole_and_a_long_one_by_its_ends(
    number: int,
) -> None:
    shown = shorten(number)
    if len(str(abs(number))) <= 24:
        assert shown == f"{number:,}"
        assert shorten(number, grouped=False) == str(number)
    else:
        assert len(shown) < 40
        assert shown.startswith(str(number)[: 6 + (number < 0)])
        assert f"...{str(number)[-6:]} (" in shown


@pytest.mark.parametrize("sign", [1, -1])
def test_a_number_that_python_would_not_write_is_named_by_its_size(sign: int) -> None:
    assert shorten(sign * 10**3999).endswith("000000 (4,000 digits)")
    assert shorten(sign * 10**100_000).endswith("100000...000000 (100,001 digits)")


@pytest.mark.parametrize(
    "value",
    [10**5000, [10**5000], {"a": 10**5000}, "\x1b" * 99, None, 1.5],
    ids=["number", "list", "dict", "text", "none", "float"],
)
def test_any_value_can_be_quoted(value: object) -> None:
    assert quote_value(value).isprintable()
    assert len(quote_value(value)) < 150


@pytest.mark.parametrize(
    "text", ["", "-1", "+1", " 1", "1.0", "\uff15", "\u00b2", "1_0"]
)
def test_digits_are_the_ten_plain_ones(text: str) -> None:
    assert is_digits("0123456789")
    assert not is_digits(text)


@given(st.sets(st.integers(0, 60)))
def test_runs_hold_the_same_numbers_and_none_borders_on_the_next(
    numbers: set[int],
) -> None:
    runs = runs_of(sorted(numbers))
    assert [number for run in runs for number in run] == sorted(numbers)
    assert all(run == list(range(run[0], run[-1] + 1)) for run in runs)
    assert all(a[-1] + 1 < b[0] for a, b in pairwise(runs))


def test_a_set_is_written_as_people_write_it() -> None:
    assert format_set([]) == ""
    assert format_set([7]) == "7"
    assert format_set([2, 3]) == "2, 3"
    assert format_set([2, 3, 4, 6, 7, 9]) == "2-4, 6, 7, 9"


@given(st.text("ab -\n", max_size=200), st.integers(1, 40))
def test_wrapping_keeps_every_word_and_fits_every_line(text: str, width: int) -> None:
    wrapped = wrap(text, width)
    for line in wrapped.split("\n"):
        assert len(line.rstrip(" ")) <= width
    assert wrapped.replace(" ", "").replace("\n", "") == text.replace(" ", "").replace(
        "\n", ""
    )
    if all(len(word) < width // 2 for word in text.split()):
        assert wrapped.split() == text.split()


def test_text_that_fits_is_not_wrapped() -> None:
    assert wrap("  two  columns: \n\n", 16) == "  two  columns: \n\n"


def test_wide_characters_take_two_columns_each() -> None:
    assert wrap("\u7231\u8fbe wins", 8).split("\n") == ["\u7231\u8fbe", "wins"]
    assert wrap("\u7231\u8fbe\u7231", 5).split("\n") == ["\u7231\u8fbe", "\u7231"]
