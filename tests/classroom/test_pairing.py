"""Pairing a class: against all matchings, against exact ones, and in whole lessons."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice
from random import Random
from statistics import median

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from ninefold.pairing import Candidate, Pairing, pair
from tests.classroom.matchings import (
    Cost,
    are_apart,
    brute_cost,
    cost_of,
    exact_cost,
)


@st.composite
def classes(
    draw: st.DrawFn, most: int, *, fewest: int = 0, kept_apart: bool = True
) -> list[Candidate]:
    """Draw pupils who have met, been alone and are kept apart in any way."""
    size = draw(st.integers(fewest, most))
    numbers = draw(
        st.lists(st.integers(1, 250), unique=True, min_size=size, max_size=size)
    )
    # Pupils who have left are still among those met, and among those kept apart.
    others = st.sampled_from([*numbers, 251, 252])
    met = st.lists(others, max_size=most).map(tuple)
    apart = st.lists(others, max_size=2 if kept_apart else 0).map(tuple)
    best = draw(st.sampled_from([3, 100]))  # often equal, or seldom
    return [
        draw(
            st.builds(
                Candidate,
                st.just(number),
                st.integers(0, best),
                st.integers(0, 3),
                met,
                apart,
            )
        )
        for number in numbers
    ]


def cost_of_pairing(candidates: Sequence[Candidate], pairing: Pairing) -> Cost:
    by_number = {each.pupil: each for each in candidates}
    pairs = [(by_number[one], by_number[two]) for one, two in pairing.pairs]
    alone = [(by_number[one], None) for one in pairing.alone]
    return cost_of([*pairs, *alone])


@given(classes(most=9))
def test_no_matching_of_up_to_nine_pupils_costs_less(
    candidates: list[Candidate],
) -> None:
    assert cost_of_pairing(candidates, pair(candidates)) == brute_cost(candidates)


@pytest.mark.prove
@settings(max_examples=500)
@given(classes(most=9))
def test_no_matching_of_five_hundred_classes_costs_less(
    candidates: list[Candidate],
) -> None:
    assert cost_of_pairing(candidates, pair(candidates)) == brute_cost(candidates)


@given(classes(most=8))
def test_the_exact_cost_is_the_least_of_all_matchings(
    candidates: list[Candidate],
) -> None:
    assert exact_cost(candidates) == brute_cost(candidates)


@given(classes(most=11, fewest=10, kept_apart=False))
def test_no_matching_of_ten_or_eleven_pupils_costs_less(
    candidates: list[Candidate],
) -> None:
    pairing = pair(candidates)
    assert cost_of_pairing(candidates, pairing) == exact_cost(candidates)


@given(classes(most=30))
def test_every_pupil_is_paired_once_or_alone_and_never_with_one_kept_apart(
    candidates: list[Candidate],
) -> None:
    pairing = pair(candidates)
    paired = [*chain(*pairing.pairs), *pairing.alone]
    assert sorted(paired) == sorted(each.pupil for each in candidates)
    by_number = {each.pupil: each for each in candidates}
    for one, two in pairing.pairs:
        assert not are_apart(by_number[one], by_number[two])


@given(classes(most=30, kept_apart=False))
def test_at_most_one_is_alone_and_nobody_again_while_others_were_not(
    candidates: list[Candidate],
) -> None:
    alone = pair(candidates).alone
    assert len(alone) == len(candidates) % 2
    fewest = min((each.alone for each in candidates), default=0)
    assert all(each.alone == fewest for each in candidates if each.pupil in alone)


@given(classes(most=20), st.randoms(use_true_random=False))
def test_the_order_of_the_candidates_does_not_matter(
    candidates: list[Candidate], rng: Random
) -> None:
    shuffled = rng.sample(candidates, len(candidates))
    assert pair(shuffled) == pair(candidates)


@given(classes(most=20))
def test_it_does_not_matter_which_of_two_names_the_other_to_be_kept_apart(
    candidates: list[Candidate],
) -> None:
    turned = [
        replace(
            one,
            apart=tuple(two.pupil for two in candidates if one.pupil in two.apart),
        )
        for one in candidates
    ]
    assert pair(turned) == pair(candidates)


@given(classes(most=20), st.integers(-1000, 10**20))
def test_only_differences_of_shares_count(
    candidates: list[Candidate], more: int
) -> None:
    raised = [replace(each, share=each.share + more) for each in candidates]
    assert pair(raised) == pair(candidates)


@given(classes(most=20))
def test_the_order_of_pairs_tells_numbers_and_not_strength(
    candidates: list[Candidate],
) -> None:
    pairing = pair(candidates)
    assert all(one < two for one, two in pairing.pairs)
    assert list(pairing.pairs) == sorted(pairing.pairs)
    assert list(pairing.alone) == sorted(pairing.alone)


def test_an_empty_class_has_no_pairs() -> None:
    assert pair([]) == Pairing((), ())


def test_a_single_pupil_is_alone() -> None:
    assert pair([Candidate(7, 50)]) == Pairing((), (7,))


def test_pupils_of_like_shares_are_paired() -> None:
    shares = [90, 10, 50, 85, 55, 20]
    candidates = [Candidate(n, share) for n, share in enumerate(shares, start=1)]
    assert pair(candidates).pairs == ((1, 4), (2, 6), (3, 5))


def test_a_new_partner_counts_more_than_a_like_share() -> None:
    candidates = [
        Candidate(1, 0, met=(2,)),
        Candidate(2, 0, met=(1,)),
        Candidate(3, 100, met=(4,)),
        Candidate(4, 100, met=(3,)),
    ]
    assert pair(candidates).pairs == ((1, 3), (2, 4))


def test_of_two_repeats_the_rarer_is_chosen() -> None:
    candidates = [
        Candidate(1, 0, alone=1, met=(2, 2, 3)),
        Candidate(2, 0, met=(1, 1)),
        Candidate(3, 100, met=(1,)),
    ]
    assert pair(candidates) == Pairing(((1, 3),), (2,))


@pytest.mark.parametrize("pupils", [11, 12, 30, 250])
def test_the_only_possible_partner_is_found_within_the_window(
    pupils: int,
) -> None:
    last = 10
    others = tuple(n for n in range(1, pupils) if n != last)
    lowest = Candidate(0, 0, alone=1, apart=others)
    candidates = [lowest, *(Candidate(n, n) for n in range(1, pupils))]
    assert (0, last) in pair(candidates).pairs


def test_nobody_is_alone_to_spare_a_repeat() -> None:
    candidates = [Candidate(1, 0, met=(2,) * 9), Candidate(2, 100, met=(1,) * 9)]
    assert pair(candidates) == Pairing(((1, 2),), ())


def test_pupils_who_must_all_be_kept_apart_are_all_alone() -> None:
    everybody = tuple(range(1, 31))
    candidates = [Candidate(n, n, apart=everybody) for n in everybody]
    assert pair(candidates) == Pairing((), everybody)


def test_the_largest_class_is_paired() -> None:
    candidates = [Candidate(n, n * 37 % 101) for n in range(250)]
    pairing = pair(candidates)
    assert len(pairing.pairs) == 125
    assert pairing.alone == ()


# Lessons: a simple model of pupils, with a chance for a skill.

Round = tuple[list[Candidate], Pairing]
Results = Callable[[Pairing], list[int]]
"""What makes a round's results, and returns the shares after it."""


def shares_of_wins(pupils: int, rng: Random) -> Results:
    """Let each pair play two games a round; the more skilled wins more of them."""
    skills = [rng.random() for _ in range(pupils)]
    wins = [0] * pupils
    games = [0] * pupils

    def play(pairing: Pairing) -> list[int]:
        for one, two in pairing.pairs * 2:
            one_wins = rng.random() < 0.5 + 0.3 * (skills[one] - skills[two])
            wins[one if one_wins else two] += 1
        for pupil in chain(*pairing.pairs * 2):
            games[pupil] += 1
        return per_cent(wins, games)

    return play


def shares_of_positions_kept(pupils: int, rng: Random) -> Results:
    """Let all have up to six won positions a round, and keep each as skill allows."""
    skills = [rng.random() for _ in range(pupils)]
    kept = [0] * pupils
    won = [0] * pupils

    def play(_: Pairing) -> list[int]:
        for pupil, skill in enumerate(skills):
            more = rng.randint(0, 6)
            won[pupil] += more
            kept[pupil] += sum(rng.random() < skill for _ in range(more))
        return per_cent(kept, won)

    return play


def per_cent(parts: list[int], wholes: list[int]) -> list[int]:
    return [
        100 * part // whole if whole else 50
        for part, whole in zip(parts, wholes, strict=True)
    ]


def lesson(
    pupils: int, model: Callable[[int, Random], Results], seed: int
) -> Iterator[Round]:
    """Yield round after round of a class in which two couples are kept apart."""
    rng = Random(seed)
    play = model(pupils, rng)
    candidates = [
        Candidate(pupil, share, apart={0: (1,), 2: (3,)}.get(pupil, ()))
        for pupil, share in enumerate(rng.sample(range(pupils), pupils))
    ]
    while True:
        pairing = pair(candidates)
        yield candidates, pairing
        shares = play(pairing)
        partners = dict(chain(pairing.pairs, (both[::-1] for both in pairing.pairs)))
        candidates = [
            replace(
                each,
                share=shares[each.pupil],
                alone=each.alone + (each.pupil in pairing.alone),
                met=(*each.met, *(partners[n] for n in [each.pupil] if n in partners)),
            )
            for each in candidates
        ]


@pytest.mark.parametrize("model", [shares_of_wins, shares_of_positions_kept])
@pytest.mark.parametrize("pupils", range(12, 31))
def test_in_six_rounds_nobody_is_alone_or_meets_again_needlessly(
    pupils: int, model: Callable[[int, Random], Results]
) -> None:
    for candidates, pairing in islice(lesson(pupils, model, 1), 6):
        assert cost_of_pairing(candidates, pairing) == exact_cost(candidates)


def test_thirty_pupils_usually_meet_again_only_in_round_fifteen() -> None:
    def first_repeat(seed: int) -> int:
        return next(
            number
            for number, played in enumerate(lesson(30, shares_of_wins, seed), start=1)
            if cost_of_pairing(*played)[2]
        )

    assert median(first_repeat(seed) for seed in range(9)) == 15
