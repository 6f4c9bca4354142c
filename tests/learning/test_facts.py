"""Which facts a product exercises."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ninefold.learning import FACTS, Fact, Product, facts_in


def test_there_are_36_facts_and_each_is_the_same_both_ways() -> None:
    assert len(FACTS) == len(set(FACTS)) == 36
    assert {Fact(a, b) for a in range(2, 10) for b in range(2, 10)} == set(FACTS)
    assert Fact(8, 7) == Fact(7, 8)
    assert str(Fact(8, 7)) == "7 × 8"


@pytest.mark.parametrize(
    ("total", "multiplier", "facts"),
    [
        (7, 8, ["7 × 8"]),
        (45, 7, ["5 × 7", "4 × 7"]),
        (105, 9, ["5 × 9"]),
        (100, 9, []),
        (1, 9, []),
        (77, 7, ["7 × 7"]),
        (12, 34, ["2 × 4", "2 × 3"]),
    ],
)
def test_a_product_exercises_what_working_it_out_on_paper_takes(
    total: int, multiplier: int, facts: list[str]
) -> None:
    assert [str(fact) for fact in facts_in(total, multiplier)] == facts


@given(st.integers(1, 10**30), st.integers(2, 10**6))
def test_facts_that_a_product_does_not_exercise_are_not_needed(
    total: int, multiplier: int
) -> None:
    """Long multiplication, allowed these facts and what takes no fact, succeeds."""
    known = {(fact.low, fact.high) for fact in facts_in(total, multiplier)}
    made = 0
    for i, a in enumerate(reversed(str(total))):
        for j, b in enumerate(reversed(str(multiplier))):
            low, high = sorted((int(a), int(b)))
            if low <= 1 or (low, high) in known:
                made += low * high * 10 ** (i + j)
    assert made == total * multiplier


def test_a_total_of_thousands_of_digits_exercises_what_is_in_it() -> None:
    assert facts_in(7 * 10**1998, 8) == (Fact(7, 8),)


@pytest.mark.parametrize(
    ("total", "multiplier", "sentence"),
    [
        (7, 8, "7 × 8 is 56."),
        (45, 7, "45 × 7 is 315, because 40 × 7 is 280 and 5 × 7 is 35."),
        (105, 9, "105 × 9 is 945, because 100 × 9 is 900 and 5 × 9 is 45."),
        (30, 4, "30 × 4 is 120."),
        (12345, 2, "12,345 × 2 is 24,690."),
    ],
)
def test_a_wrong_product_is_corrected_like_this(
    total: int, multiplier: int, sentence: str
) -> None:
    assert Product(total, multiplier, 0).correction == sentence
    assert not Product(total, multiplier, 0).right
    assert Product(total, multiplier, total * multiplier).right
