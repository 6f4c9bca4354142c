from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ninefold import Ending, Rules
from ninefold.rulebooks.move_parser import EntryProblem, read_entry
from tests.strategies import all_rules

CLASSIC = Rules(Ending.REACH, 100)

BAD_ENTRIES = {
    "": EntryProblem.EMPTY,
    " \t ": EntryProblem.EMPTY,
    "abc": EntryProblem.NOT_PLAIN_DIGITS,
    "pass": EntryProblem.PASSING,
    " Skip ": EntryProblem.PASSING,
    "x": EntryProblem.NOT_PLAIN_DIGITS,
    "xx2": EntryProblem.NOT_PLAIN_DIGITS,
    "2x": EntryProblem.NOT_PLAIN_DIGITS,
    "2x5": EntryProblem.NOT_PLAIN_DIGITS,
    "×12": EntryProblem.NO_MULTIPLIER,
    "5.0": EntryProblem.NOT_PLAIN_DIGITS,
    "+5": EntryProblem.NOT_PLAIN_DIGITS,
    "-3": EntryProblem.NOT_PLAIN_DIGITS,
    "\uff15": EntryProblem.NOT_PLAIN_DIGITS,  # a full-width 5
    "1e1": EntryProblem.NOT_PLAIN_DIGITS,
    "5 5": EntryProblem.NOT_PLAIN_DIGITS,
    "5\x00": EntryProblem.NOT_PLAIN_DIGITS,
    "\x1b[A": EntryProblem.NOT_PLAIN_DIGITS,
    "0": EntryProblem.NO_MULTIPLIER,
    "1": EntryProblem.NO_MULTIPLIER,
    "10": EntryProblem.NO_MULTIPLIER,
    "9" * 10_000: EntryProblem.NO_MULTIPLIER,
}


@pytest.mark.parametrize(("entry", "refusal"), BAD_ENTRIES.items())
def test_what_is_no_multiplier_is_refused_with_its_reason(
    entry: str, refusal: EntryProblem
) -> None:
    assert read_entry(entry, CLASSIC) is refusal


@given(
    all_rules(),
    st.sampled_from(["", "x", "X", "×", "*", "x ", "* "]),
    st.text(" \t", max_size=3),
    st.integers(0, 3),
    st.data(),
)
def test_every_multiplier_can_be_entered_also_as_a_move_is_shown(
    rules: Rules, cross: str, blanks: str, zeros: int, data: st.DataObject
) -> None:
    multiplier = data.draw(st.sampled_from(rules.multipliers))
    entry = f"{blanks}{cross}{'0' * zeros}{multiplier}{blanks}\r\n"
    assert read_entry(entry, rules) == multiplier


@given(st.text())
def test_any_text_is_a_multiplier_or_refused(entry: str) -> None:
    read = read_entry(entry, CLASSIC)
    assert isinstance(read, EntryProblem) or read in CLASSIC.multipliers


def test_a_multiplier_may_be_written_with_commas() -> None:
    rules = Rules(Ending.REACH, 10**6, (2, 1_000))
    assert read_entry(" 1,000 ", rules) == 1_000
    assert read_entry("1,00", rules) is EntryProblem.NOT_PLAIN_DIGITS
