"""How products are worked out, and what a wrong one slipped at."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ninefold.learning import (
    FACTS,
    Fact,
    Skill,
    product_hints,
    product_slip,
    read_product,
)
from ninefold.learning.product_slips import skill_of
from ninefold.rules import MOST_TOTAL_DIGITS
from ninefold.text import shorten

digits = st.integers(2, 9)
larger = st.integers(10, 9_999)
any_number = st.integers(0, 10**6) | st.integers(0, 10**200)


@given(any_number, any_number, st.sets(st.sampled_from(FACTS)))
def test_the_last_hint_reveals_the_product(a: int, b: int, known: set[Fact]) -> None:
    *steps, last = product_hints(a, b, known)
    assert last.endswith(f" is {shorten(a * b)}.")
    assert last not in steps


@given(digits | larger, digits, st.sets(st.sampled_from(FACTS)))
def test_the_first_of_several_hints_does_not_reveal_the_product(
    a: int, b: int, known: set[Fact]
) -> None:
    first, *rest = product_hints(a, b, known)
    assert not rest or not first.endswith(f" is {a * b}.")


@pytest.mark.parametrize(
    ("a", "b", "known", "steps"),
    [
        (7, 8, [Fact(4, 7)], ["7 × 4 is 28.", "7 × 8 is twice that."]),
        (7, 8, [Fact(7, 7)], ["7 × 7 is 49.", "7 × 8 is 7 more than that."]),
        (6, 7, [Fact(6, 6)], ["6 × 6 is 36.", "6 × 7 is 6 more than that."]),
        (6, 7, [], ["7 × 5 is 35.", "6 × 7 is 7 more than that."]),
        (7, 9, [], ["7 × 10 is 70.", "7 × 9 is 7 less than that."]),
        (5, 7, [], ["7 × 10 is 70.", "5 × 7 is half of that."]),
        (7, 7, [], ["7 × 5 is 35.", "7 × 7 is 14 more than that."]),
        (8, 7, [], ["7 × 2 is 14.", "8 × 7 is twice that, and twice again."]),
        (2, 8, [], ["It is 8 + 8."]),
        (40, 7, [], ["4 × 7 is 28.", "Now 10 times that."]),
        (305, 4, [], ["300 × 4 is 1,200.", "Then 5 × 4."]),
        (7, 12, [], ["10 × 7 is 70.", "Then 2 × 7."]),
        (1, 7, [], []),
        (12345, 2, [], []),
    ],
)
def test_hints_start_from_known_facts(
    a: int, b: int, known: list[Fact], steps: list[str]
) -> None:
    assert [*product_hints(a, b, known)][:-1] == steps


@given(digits, digits, st.sets(st.sampled_from(FACTS)))
def test_a_fact_is_never_derived_from_one_that_is_not_known(
    a: int, b: int, known: set[Fact]
) -> None:
    first = product_hints(a, b, known)[0]
    if "×" in first:
        one, base = map(int, re.findall(r"\d+", first)[:2])
        assert {one, base} & {2, 5, 10} or Fact(one, base) in known


def slips(total: int, multiplier: int) -> dict[int, set[Fact | Skill | str]]:
    """Make every slip on purpose: each wrong answer, and what may have slipped."""
    made: dict[int, set[Fact | Skill | str]] = defaultdict(set)
    product = total * multiplier
    text = str(total)
    for index, character in enumerate(text):
        digit, place = int(character), 10 ** (len(text) - 1 - index)
        fact = Fact(digit, multiplier)
        for by in (-1, 1):
            made[product + by * multiplier * place].add(fact)
            made[product + by * digit * place].add(fact)
        part = digit * place * multiplier
        if place > 1:
            for misplaced in range(len(text) + 1):
                taken = digit * 10**misplaced * multiplier
                made[product - part + taken].add(Skill.TENS)
        if len(text) > 1:
            made[product - part].add(Skill.ADDING)
            made[product + part].add(Skill.ADDING)
    if len(text) > 1:
        for carry in (10, 100, 1000)[: len(str(product)) - 1]:
            for by in (-carry, carry):
                made[product + by].add(Skill.ADDING)
        for answer in other_ways(total, multiplier):
            made[answer].add("another way")
    made.pop(product, None)
    return made


def other_ways(total: int, multiplier: int) -> Iterator[int]:
    """Misread a digit or the multiplier, round up, or slip in 250 - 25 for 25 × 9."""
    text = str(total)
    for index, character in enumerate(text):
        digit = int(character)
        for other in {*range(1, 10)} - {digit - 1, digit, digit + 1}:
            yield int(f"{text[:index]}{other}{text[index + 1 :]}") * multiplier
    yield from (total * other for other in range(2, 10))
    yield (total // 10 + 1) * 10 * multiplier
    if multiplier == 9:
        product = total * 9
        for place in range(1, len(str(product))):
            yield from (product - 10**place, product + 10**place)


@given(st.text("23456789", min_size=1, max_size=3).map(int), digits)
def test_a_slip_is_named_only_if_it_is_the_sole_explanation(
    total: int, multiplier: int
) -> None:
    """A fact off by one, a place or a carry that was lost, a part that was left out.

    Where several slips would make the answer, none is blamed.
    """
    for answer, causes in slips(total, multiplier).items():
        slip = product_slip(total, multiplier, answer)
        unsure = skill_of(total, multiplier) or Fact(total, multiplier)
        named = [each for each in causes if not isinstance(each, str)]
        sure = named[0] if len(causes) == len(named) == 1 else unsure
        assert slip.practise == sure, (answer, causes, slip)
        assert f"{total * multiplier:,}" in slip.words or sure is Skill.TENS


@pytest.mark.parametrize(
    ("total", "multiplier", "answer", "words", "practise"),
    [
        (45, 7, 305, "280 + 35 is 315: your facts were right", Skill.ADDING),
        (45, 7, 280, "280 + 35 is 315: your facts were right", Skill.ADDING),
        (45, 7, 308, "5 × 7 is 35; so 45 × 7 is 315.", Fact(5, 7)),
        (45, 7, 245, "40 × 7 is 280; so 45 × 7 is 315.", Fact(4, 7)),
        (45, 7, 63, "The 4 in 45 stands for 40, and 40 × 7 is 280.", Skill.TENS),
        (40, 7, 28, "The 4 in 40 stands for 40, and 40 × 7 is 280.", Skill.TENS),
        (40, 7, 320, "4 × 7 is 28; so 40 × 7 is 280.", Fact(4, 7)),
        (7, 8, 63, "63 is 7 × 9; 7 × 8 is 56.", Fact(7, 8)),
        (7, 8, 1, "7 × 8 is 56.", Fact(7, 8)),
        (45, 7, 1, "45 × 7 is 315.", Skill.TWO_DIGITS),
        (315, 4, 1, "315 × 4 is 1,260.", Skill.THREE_DIGITS),
        (86, 2, 1, "86 × 2 is 172.", Skill.DOUBLING),
        (45, 8, 400, "45 × 8 is 360.", Skill.TWO_DIGITS),
        (48, 5, 280, "48 × 5 is 240.", Skill.TWO_DIGITS),
        (25, 4, 120, "25 × 4 is 100.", Skill.TWO_DIGITS),
        (35, 6, 240, "35 × 6 is 210.", Skill.TWO_DIGITS),
        (25, 9, 125, "25 × 9 is 225.", Skill.TWO_DIGITS),  # 25 × 5
        (25, 9, 200, "25 × 9 is 225.", Skill.TWO_DIGITS),  # 25 × 8
        (25, 9, 215, "25 × 9 is 225.", Skill.TWO_DIGITS),  # 180 + 35, or 250 - 35
        (25, 9, 270, "25 × 9 is 225.", Skill.TWO_DIGITS),  # 30 × 9
        (25, 9, 405, "25 × 9 is 225.", Skill.TWO_DIGITS),  # 45 × 9
        (25, 9, 180, "180 + 45 is 225: your facts were right", Skill.ADDING),
        (45, 2, 170, "45 × 2 is 90.", Skill.DOUBLING),  # 80 twice, or 85 × 2
        (45, 12, 552, "45 × 12 is 540.", Skill.TWO_DIGITS),
    ],
)
def test_a_wrong_product_is_explained_like_this(
    total: int, multiplier: int, answer: int, words: str, practise: Fact | Skill
) -> None:
    slip = product_slip(total, multiplier, answer)
    assert slip.words.startswith(words)
    assert slip.practise == practise


def test_a_product_is_read_up_to_the_most_digits() -> None:
    longest = "9" * MOST_TOTAL_DIGITS
    assert read_product(longest) == int(longest)
    assert read_product(f"{longest}9") is None


def test_numbers_of_a_thousand_digits_are_answered_in_short_words() -> None:
    long = int("7" * 1000)
    for a, b in ((long, 8), (7 * 10**999, 8), (long, long)):
        assert len(product_slip(a, b, 1).words) < 300
        assert all(len(step) < 300 for step in product_hints(a, b))
