"""What the oracle refuses, how far it goes, and what it costs."""

from __future__ import annotations

from itertools import combinations, islice, pairwise
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

import ninefold.theory
from ninefold import Ending, Game, Rules
from ninefold.errors import PositionError, RulesError, TooLarge
from ninefold.theory import (
    Band,
    Chances,
    Oracle,
    explanation,
    nearest_second_player_target,
    odds,
    who_wins,
)
from ninefold.theory.oracle import limit_of
from ninefold.theory.value_runs import Distances, LostRooms, Period
from tests.theory import games
from tests.theory.brute import lost_runs, play_out, reachable


@pytest.mark.parametrize(
    ("total", "sentence"),
    [
        (
            0,
            "0 is not a position in this game: the totals go from 1 to 99; choose",
        ),
        (
            100,
            "100 is not a position in this game: the totals go from 1 to 99",
        ),
        (
            11,
            "11 is not a position in this game: it cannot be reached from 1 with 2-9; choose",
        ),
        (
            55,
            (
                "55 is not a position in this game: it lies in the lost band 51 to 99, but"
                " it cannot be reached from 1 with 2-9; choose a total that can"
            ),
        ),
        (
            2.0,
            "2.0 is not a position in this game: a total is a whole number, such as 1",
        ),
        (
            1.0,
            "1.0 is not a position in this game: a total is a whole number, such as 1",
        ),
        (True, "True is not a position in this game: a total is a whole number"),
    ],
)
def test_an_unreachable_total_is_rejected_with_a_way_out(
    total: int, sentence: str
) -> None:
    oracle = Oracle(Rules(Ending.EXACT, 100))
    assert oracle.wins(2)
    with pytest.raises(PositionError, match="is not a position") as refusal:
        oracle.wins(total)
    assert str(refusal.value).startswith(sentence)
    assert refusal.value.total is total


def test_an_unreachable_total_in_a_lost_band_is_rejected_with_the_band() -> None:
    madness = Oracle(Rules(Ending.REACH, 100))
    assert madness.band_at(11) == Band(6, 11)
    with pytest.raises(PositionError, match="it lies in the lost band 6 to 11, but no"):
        madness.wins(11)


def test_an_unreachable_total_is_rejected_without_bands_if_they_take_too_long() -> None:
    oracle = Oracle(Rules(Ending.AVOID, 10**900, (2, 5, 7, 9)), most_steps=500)
    with pytest.raises(PositionError, match="position in this game: it cannot be"):
        oracle.wins(3)


def test_every_question_rejects_totals_that_are_not_positions() -> None:
    oracle = Oracle(Rules(Ending.AVOID, 1000))
    questions = [
        oracle.check,
        oracle.room,
        oracle.wins,
        oracle.winning_moves,
        oracle.distance,
        oracle.best_move,
        oracle.longest_moves,
        Chances(oracle).at,
    ]
    for question in questions:
        with pytest.raises(PositionError):
            question(11)


@games.unhurried
@given(games.rules(highest_multiplier=60, most_multipliers=7, longest=1500))
def test_exactly_the_totals_that_moves_lead_to_are_positions(rules: Rules) -> None:
    oracle = Oracle(rules)
    reached = set(reachable(rules.target, rules.multipliers, rules.start))
    for total in range(rules.target + 2):
        if total in reached:
            oracle.check(total)
        else:
            with pytest.raises(PositionError):
                oracle.check(total)


def test_a_total_of_a_played_game_is_accepted_unchecked() -> None:
    crossed = [prod(some) for some in combinations((2, 3, 5, 7, 11, 13, 17, 19), 3)]
    rules = Rules(Ending.AVOID, 1000 * prod(crossed) ** 3, tuple(crossed))
    game = Game.replay(rules, crossed * 3)
    with pytest.raises(TooLarge):
        explanation.explain(explanation.Position(rules, game.total))
    reason = explanation.explain(game)
    assert isinstance(reason, explanation.Won | explanation.Lost)
    assert bool(reason.moves) is isinstance(reason, explanation.Won)


def test_the_cache_of_positions_is_bounded() -> None:
    oracle = Oracle(Rules(Ending.REACH, 10**40, (2, 3)))
    totals = reachable(10**40, (2, 3), start=1)
    assert len(totals) > 5000
    won = [oracle.wins(total) for total in totals]
    assert won == [oracle.wins(total) for total in totals]


@pytest.mark.prove
def test_of_all_subsets_some_have_no_length_at_a_thousand_digits() -> None:
    refused = 0
    for size in range(1, 9):
        for multipliers in combinations(range(2, 10), size):
            oracle = Oracle(Rules(Ending.AVOID, 10**999, multipliers))
            assert oracle.wins(1) is bool(oracle.winning_moves(1))
            try:
                oracle.distance(1)
            except TooLarge:
                refused += 1
    assert refused == 9


@pytest.mark.parametrize("ending", Ending)
def test_a_target_of_a_thousand_digits_is_answered(ending: Ending) -> None:
    # Taken down by 18 at a time, with nothing but the known bands of 2-9.
    oracle = Oracle(Rules(ending, 10**999))
    room = limit_of(oracle.rules)
    rounds = 0
    while room >= 18:
        room //= 18
        rounds += 1
    assert oracle.winning_moves(1) == tuple(m for m in range(2, 10) if room // m == 1)
    won = room > 1
    assert oracle.wins(1) is won
    assert oracle.distance(1) in (2 * rounds + 1 + won, 2 * rounds + 2 + won)


def test_bands_are_found_one_by_one_at_any_target() -> None:
    bands = Oracle(Rules(Ending.AVOID, 10**999, (2, 5, 8, 9))).lost_bands()
    first, second = islice(bands, 2)
    assert first.highest + 1 < second.lowest
    everything = list(Oracle(Rules(Ending.AVOID, 10**999)).lost_bands())
    assert len(everything) == 796
    assert everything[-1] == Band(10**999 // 2, 10**999 - 1)


@pytest.mark.parametrize(
    ("rules", "total", "band"),
    [
        (Rules(Ending.AVOID, 1000), 700, Band(500, 999)),
        (Rules(Ending.AVOID, 1000), 400, None),
        # Nobody faces the target, nor what is below the start.
        (Rules(Ending.EXACT, 100), 60, Band(51, 99)),
        (Rules(Ending.EXACT, 100, start=55), 55, Band(55, 99)),
        (Rules(Ending.EXACT, 100), 100, None),
        (Rules(Ending.EXACT, 100, start=55), 54, None),
        (Rules(Ending.REACH, 1000), 112, None),
        # The won rooms between those of 2, 3, 4 and 5 belong to no total.
        (Rules(Ending.AVOID, 608, (3, 9, 28, 39)), 3, Band(2, 5)),
    ],
)
def test_the_band_around_a_total_is_all_that_can_be_faced_there(
    rules: Rules, total: int, band: Band | None
) -> None:
    assert Oracle(rules).band_at(total) == band


def test_neighbouring_bands_are_one() -> None:
    bands = Oracle(Rules(Ending.AVOID, 608, (3, 9, 28, 39))).lost_bands()
    assert [str(band) for band in bands] == ["2 to 5", "22", "203 to 607"]


def test_a_game_in_which_nothing_is_lost_has_no_bands() -> None:
    # Only 1 is faced, and from there the target is made.
    assert list(Oracle(Rules(Ending.EXACT, 2)).lost_bands()) == []


@games.unhurried
@given(
    st.sets(st.integers(2, 30), min_size=1, max_size=4).map(sorted),
    st.lists(st.integers(1, 10**18), min_size=1, max_size=20),
)
def test_folding_by_the_period_changes_nothing(
    multipliers: list[int], rooms: list[int]
) -> None:
    lost = LostRooms(multipliers)
    plain = lost_runs(tuple(multipliers), 10**18)
    lost.fold(10**60)
    for room in rooms:
        covering = [run for run in plain if run[0] <= room < run[1]]
        assert lost.has(room) is bool(covering)
        assert not covering or lost.run_at(room) == covering[0]
        led_into = {
            m: run for m in multipliers for run in plain if run[0] <= room // m < run[1]
        }
        assert lost.moves_into(room) == tuple(led_into)
        ways = list(lost.ways_into(room))
        assert led_into == {
            m: (begins, ends) for begins, ends, replies in ways for m in replies
        }


def test_a_period_folds_to_the_room_that_stands_for_another() -> None:
    period = Period(ratio=18, low=10**30, shift=0)
    assert period.high == 18 * 10**30
    assert period.fold(10**30 * 18**20) == (10**30, 20)
    assert period.fold(10**30 * 18**20 - 1) == (18 * 10**30 - 1, 19)


def test_a_period_corrects_its_estimate_of_the_depth() -> None:
    period = Period(ratio=3, low=5, shift=0)
    for room in range(15, 5000):
        folded, turns = period.fold(room)
        assert 5 <= folded < 15
        assert folded == room // 3**turns


def test_a_multiplier_beyond_the_first_look_keeps_the_answer_right() -> None:
    rules = Rules(Ending.AVOID, 10**90, (2, 10**40))
    oracle = Oracle(rules)
    totals = reachable(rules.target, rules.multipliers, start=1)
    found = play_out("avoid", rules.target, rules.multipliers, totals)
    for total, truth in found.items():
        assert oracle.winning_moves(total) == truth.moves
        assert oracle.distance(total) == truth.distance


def test_distances_that_never_repeat_are_found_as_far_as_is_sensible() -> None:
    rules = Rules(Ending.AVOID, 10**60, (2, 5, 9))
    with pytest.raises(TooLarge, match=r"too many steps .* a smaller target"):
        Oracle(rules, most_steps=40_000).distance(1)
    assert Oracle(rules).distance(1) > 50


def test_distances_that_grow_by_an_odd_number_are_no_period() -> None:
    # With one multiplier each run is one move longer; only two of them repeat.
    steps = Distances([2])
    assert steps.at(2**1000) == 1001
    assert steps.period is None or steps.period.shift % 2 == 0


def test_the_target_of_exact_is_made_by_the_quickest_play() -> None:
    # 6 to the power of 50: the winner answers 2 with 3 and 3 with 2.
    hit = Oracle(Rules(Ending.EXACT, 6**50, (2, 3)))
    missed = Oracle(Rules(Ending.EXACT, 6**50 + 1, (2, 3)))
    assert (hit.distance(1), missed.distance(1)) == (100, 101)


def test_the_cache_of_exact_endings_is_bounded() -> None:
    oracle = Oracle(Rules(Ending.EXACT, 6**1000, (2, 3)))
    totals = [1, 6**200, 2**300, 3**300, 6**500, 2**301, 3**301]
    lengths = [oracle.distance(total) for total in totals]
    assert lengths == [oracle.distance(total) for total in totals]
    assert lengths[0] == 2000


def test_a_distance_that_needs_too_many_rooms_is_rejected() -> None:
    rules = Rules(Ending.EXACT, 2**901 * 3**500 * 5**300 * 7**100)
    oracle = Oracle(rules)
    assert oracle.winning_moves(1) == (3, 4)
    with pytest.raises(
        TooLarge, match="the length of this game takes too long to compute"
    ):
        oracle.distance(1)
    reason = explanation.explain(Game.start(rules), oracle)
    assert isinstance(reason, explanation.Won)
    assert reason.distance is None


def test_a_target_that_no_move_makes_saves_no_move() -> None:
    # 18 divides 36, but there is no 2: whoever faces 18 can only pass the target.
    rules = Rules(Ending.EXACT, 36, (4, 6, 18))
    totals = reachable(rules.target, rules.multipliers, start=1)
    found = play_out("exact", rules.target, rules.multipliers, totals)
    oracle = Oracle(rules)
    assert oracle.distance(1) == 2
    assert all(oracle.distance(total) == found[total].distance for total in totals)


def test_the_start_of_every_stretch_of_targets_is_where_the_winner_changes() -> None:
    stretches = list(who_wins(Rules(Ending.EXACT, 100), 2, 10**30))
    for before, after in pairwise(stretches):
        assert before.highest + 1 == after.lowest
        assert before.first_wins is not after.first_wins
    assert (stretches[0].lowest, stretches[-1].highest) == (2, 10**30)


def first_wins(rules: Rules, target: int) -> bool:
    return Oracle(replace(rules, target=target)).wins(rules.start)


@games.unhurried
@given(
    games.rules(highest_multiplier=30, most_multipliers=4, longest=100),
    st.integers(1, 60),
    st.integers(0, 300),
)
def test_who_wins_agrees_with_the_oracle_at_every_target(
    rules: Rules, above: int, more: int
) -> None:
    lowest = rules.start + above
    said = {
        target: stretch.first_wins
        for stretch in who_wins(rules, lowest, lowest + more)
        for target in range(stretch.lowest, stretch.highest + 1)
    }
    assert said == {
        target: first_wins(rules, target) for target in range(lowest, lowest + more + 1)
    }


@games.unhurried
@given(games.rules(highest_multiplier=30, most_multipliers=4, longest=300))
def test_the_nearest_target_of_the_second_player_is_the_nearest(rules: Rules) -> None:
    nearest = nearest_second_player_target(rules)
    assert not first_wins(rules, nearest)
    away = abs(nearest - rules.target)
    closer = range(rules.target - away + (nearest < rules.target), rules.target + away)
    for target in closer:
        if target > rules.start:
            assert first_wins(rules, target) or target == nearest


def test_of_two_targets_as_near_the_lower_is_taken() -> None:
    rules = Rules(Ending.EXACT, 25, (2, 5, 6), start=3)
    assert not first_wins(rules, 14)
    assert not first_wins(rules, 36)
    assert nearest_second_player_target(rules) == 14


def test_targets_at_which_the_winner_changes_too_often_are_refused() -> None:
    rules = Rules(Ending.AVOID, 100, (2, 5, 7, 9))
    with pytest.raises(TooLarge, match=r"more than 10,000 times .* closer together"):
        who_wins(rules, 2, 10**999)
    assert len(who_wins(rules, 2, 10**8)) < 10_000


def test_ranges_of_invalid_targets_are_rejected() -> None:
    rules = Rules(Ending.AVOID, 100)
    with pytest.raises(RulesError, match="the target must be greater than the start"):
        who_wins(rules, 1, 10)
    with pytest.raises(RulesError, match="write 10 before 20"):
        who_wins(rules, 20, 10)


def test_the_chances_of_a_gigantic_game_are_refused() -> None:
    with pytest.raises(TooLarge, match="ask for a smaller target"):
        odds(Rules(Ending.REACH, 10**999))
    assert odds(Rules(Ending.REACH, 10**999, (2,))).both_random == 1


def test_the_chances_at_a_total_are_those_of_the_player_to_move_there() -> None:
    rules = Rules(Ending.REACH, 100)
    assert odds(rules, 90).first_perfect == 1
    assert odds(rules, 1) == odds(rules)


def test_every_public_name_is_there() -> None:
    for name in ninefold.theory.__all__:
        assert getattr(ninefold.theory, name).__name__ == name
