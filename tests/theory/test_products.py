"""Which numbers are products of the multipliers, held against multiplying out."""

from __future__ import annotations

from itertools import combinations, pairwise
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ninefold import TooLarge
from ninefold.theory.reachable_totals import Products, divide_out
from tests.theory import games
from tests.theory.brute import reachable

PRIMES = (2, 3, 5, 7, 11, 13, 17, 19)


@games.unhurried
@given(st.sets(st.integers(2, 99), min_size=1, max_size=8).map(sorted))
def test_exactly_the_products_are_found(multipliers: list[int]) -> None:
    products = Products(multipliers)
    made = reachable(3000, tuple(multipliers), start=1)
    assert [n for n in range(1, 3000) if products.has(n)] == made


@pytest.mark.parametrize(
    "multipliers",
    [(4, 6), (4, 6, 9), (4, 8), (6, 14, 15, 35), (10**40, 10**60), tuple(range(2, 10))],
)
def test_numbers_of_a_thousand_digits_are_told_apart(
    multipliers: tuple[int, ...],
) -> None:
    products = Products(multipliers)
    number, power = 1, prod(multipliers)
    while number * power < 10**999:
        number *= power
    assert products.has(number)
    assert not products.has(number * 11)
    assert not products.has(number - 1)


def test_numbers_are_told_apart_by_all_their_factors_together() -> None:
    assert Products([4, 6, 9]).has(2**603 * 3**601)
    assert not Products([4, 6, 9]).has(2**603 * 3**600)
    assert not Products([4, 6]).has(2 * 4**600 * 6**600)
    assert Products([6, 14, 15, 35]).has(6**300 * 35**300)
    assert not Products([6, 14, 15, 35]).has(6**300 * 35**300 * 10)


def test_few_of_a_multiplier_may_be_needed_beside_many_of_another() -> None:
    products = Products([6, 10, 15])
    assert products.has(6**40 * 10 * 15)
    assert not products.has(6**40 * 10 * 15 * 2)
    assert not products.has(6**40 * 5)


@pytest.mark.parametrize("size", [2, 3])
def test_factors_shared_crosswise_are_told_apart_or_refused(size: int) -> None:
    crossed = [prod(some) for some in combinations(PRIMES, size)]
    products = Products(crossed)
    assert all(products.has(one * other) for one, other in pairwise(crossed))
    assert not products.has(4)
    with pytest.raises(
        TooLarge, match=r"share too many factors .* choose a smaller total"
    ):
        products.has(prod(crossed) ** 3 * 4 * 3)


def test_multipliers_that_take_long_to_compare_are_compared_only_so_far() -> None:
    # Whether the last is a product of the others would take long to tell.
    crossed = [prod(some) for some in combinations(PRIMES, 2)]
    assert Products([*crossed, prod(crossed) ** 20 * 4 * 3]).has(6)
    # Nor are powers beyond the bounds of numbers of any use.
    assert Products([10**400 + 2, 2 * (10**400 + 2), 10**400 + 1]).has(10**400 + 1)


def test_a_hundred_multipliers_tell_numbers_apart() -> None:
    products = Products(range(4, 104))
    assert [n for n in range(1, 30) if not products.has(n)] == [2, 3]
    assert not products.has(2 * 107)


@games.unhurried
@given(st.integers(2, 40), st.integers(0, 500), st.integers(1, 10**6))
def test_a_factor_is_divided_out_as_often_as_it_goes(
    factor: int, power: int, more: int
) -> None:
    times, left = divide_out(factor**power * more, factor)
    assert left % factor
    assert times >= power
    assert factor**times * left == factor**power * more
