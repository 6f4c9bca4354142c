"""Names files: what they may hold, and one sentence for what they may not."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ninefold.classroom import (
    MOST_PUPILS,
    Classroom,
    Pupil,
    Roster,
    parse_roster,
    read_roster,
)
from ninefold.errors import ClassError
from ninefold.session import clean_name

names = st.text("abcdefgö -'", min_size=1, max_size=10).filter(str.strip)
distinct_names = st.lists(
    names.map(clean_name), min_size=1, max_size=20, unique_by=str.casefold
)


@given(distinct_names, st.sampled_from(["\n", "\r\n", "\n\n", "\n  # a note\n"]))
def test_a_file_lists_one_name_a_line(listed: list[str], line_end: str) -> None:
    expected = Roster(tuple((name,) for name in listed))
    text = line_end.join(listed)
    assert parse_roster(text) == expected
    assert read_roster(text.encode()) == expected
    assert read_roster(text.encode("utf-8-sig")) == expected


def test_two_on_a_line_share_a_device() -> None:
    assert parse_roster("Ada\n Mia ,Tom \n") == Roster((("Ada",), ("Mia", "Tom")))


def test_two_who_must_not_meet_are_added_unless_they_have_their_own_lines() -> None:
    roster = parse_roster("Mia / Ben\nMia\nBen / Zoë\nTom, Ada\nTom / Mia")
    assert roster.names == (("Mia",), ("Tom", "Ada"), ("Ben",), ("Zoë",))
    assert roster.apart == (("Mia", "Ben"), ("Ben", "Zoë"), ("Tom", "Mia"))


def test_names_are_composed_and_trimmed() -> None:
    assert parse_roster("  Zoe\u0308   B \n").names == (("Zoë B",),)


def test_a_file_may_name_a_full_class() -> None:
    listed = "\n".join(f"Pupil {n}" for n in range(MOST_PUPILS))
    assert len(parse_roster(listed).names) == MOST_PUPILS


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"\x89PNG\r\n\x1a\n\x00\x00", "this is not a names file; save the names as"),
        ("Mia\nTom".encode("utf-16"), "this is not a names file; save the names as"),
        ("Mia\nTom".encode("utf-16-le"), "this is not a names file; save the names as"),
        ("Zoë".encode("latin-1"), "this is not a names file; save the names as"),
        (b"", "there are no names here; write one first name on each line"),
        (b"\xef\xbb\xbf\n# 4b\n \n", "there are no names here; write one first name"),
        (b"Mia\n\nTom\nmia\n", "line 4: mia is on line 1 already; add a letter,"),
        (b"Mia, Mia", "line 1: Mia is on line 1 already; add a letter,"),
        (b"# 4b\n<b>Mia</b>", "line 2: a name cannot contain < or >; leave them out"),
        (b"Ben / <Mia>", "line 1: a name cannot contain < or >; leave them out"),
        (b"Tom\n" + b"M" * 10_000, "line 2: a name needs 1 to 24 visible characters;"),
        ("Mia\u202e".encode(), "line 1: a name needs 1 to 24 visible characters;"),
        (b"Mia,", "line 1: a name needs 1 to 24 visible characters;"),
        (b"/", "line 1: a name needs 1 to 24 visible characters;"),
        (b"Mia, Tom, Ada", "line 1: one or two play on a device"),
        (b"Maximiliana, Bartholomew", "line 1: these names are too long together;"),
        (b"Mia / Tom / Ada", "line 1: write two names that must not meet, such as"),
        (b"Mia / MIA", "line 1: write two names that must not meet, such as"),
        (b"Mia, Tom / Ada", "line 1: write two names that must not meet, such as"),
        (
            "\n".join(f"Pupil {n}" for n in range(300)).encode(),
            "a class has at most 250 pupils; these names are for 300",
        ),
    ],
)
def test_a_file_that_cannot_be_used_is_rejected_in_a_sentence(
    data: bytes, problem: str
) -> None:
    with pytest.raises(ClassError, match=f"^{re.escape(problem)}") as refused:
        read_roster(data)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 120


@given(st.one_of(st.binary(), st.text().map(str.encode)))
def test_any_file_is_read_or_rejected(data: bytes) -> None:
    try:
        roster = read_roster(data)
    except ClassError:
        return
    assert roster.names
    for line in roster.names:
        assert [clean_name(name) for name in line] == [*line]


@given(distinct_names)
def test_each_line_of_a_file_can_join(listed: list[str]) -> None:
    roster = parse_roster("\n".join(listed))
    classroom = Classroom(roster=roster)
    for line in roster.names:
        classroom.check_names(line)
        here = (Pupil(1, line),)
        assert line not in Classroom(roster=roster, pupils=here).absent
